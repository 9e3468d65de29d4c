"""The one ply that explains the placement of two boards (D.2.9, G13).

A move was executed wrongly on a board, or the server misheard one. This is the two-minute way: before anybody types a
score, the squares in which a board differs from the server's position nearly always name the one ply to look at.
Everything here is a proposal for the arbiter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import chess
import msgspec

from server.scoresheets.reconcile.boards import Followed, Squares, effects, shown_where_differing

Kind = Literal[
    "misheard",
    "not_heard",
    "not_played",
    "misplaced",
    "not_executed",
    "like_piece",
    "other_move",
    "en_passant",
    "castling",
    "promotion",
    "ahead",
    "written_otherwise",
]
Where = Literal["server", "white", "black", "scores"]


class ServerCosts(msgspec.Struct, frozen=True):
    """How unlikely it is beforehand that the server is wrong in each way, in nats."""

    misheard: float
    not_heard: float
    not_played: float


class BoardCosts(msgspec.Struct, frozen=True):
    """How unlikely each way is in which one board goes wrong, in nats."""

    misplaced: float
    not_executed: float
    like_piece: float
    other_move: float
    en_passant: float
    castling: float
    promotion: float
    ahead: float


class MisplacedCosts(msgspec.Struct, frozen=True):
    """Costs added for the square where the piece stands instead, in nats."""

    adjoining: float
    same_line: float
    elsewhere: float
    cannot: float


class AgoCosts(msgspec.Struct, frozen=True):
    """Costs added for each ply since, in nats."""

    per_ply: float


class ExplainingCosts(msgspec.Struct, frozen=True):
    """Contents of `config/reconciling/explaining.toml`."""

    server: ServerCosts
    board: BoardCosts
    misplaced: MisplacedCosts
    ago: AgoCosts


class Explanation(msgspec.Struct, frozen=True):
    """One ply that explains what a board shows.

    `where`: who is wrong by this account, the server or the board of White or Black. `ply`: from 1. `recorded`: the
    server's move there (UCI), None where it has none. `instead`: what was executed, or what was really played (UCI,
    not necessarily a legal move); None: nothing. `cost`: nats, the smaller the likelier. Where the scores differ
    (`written_otherwise`): `recorded` is White's move, `instead` Black's.
    """

    kind: Kind
    where: Where
    ply: int
    recorded: str | None
    instead: str | None
    cost: float


def server_wrong(followed: Followed, shown: chess.BaseBoard, costs: ExplainingCosts) -> tuple[Explanation, ...]:
    """Return the plies at which the server may be wrong, the likeliest first (G13).

    The game is assumed to stand as on this board.
    """
    found = list(_server_wrong(followed, shown, costs))
    return tuple(sorted(found, key=lambda each: (each.cost, -each.ply)))


def _server_wrong(followed: Followed, shown: chess.BaseBoard, costs: ExplainingCosts) -> Iterator[Explanation]:
    last = followed.boards[-1]
    goal = shown_where_differing(shown, last)
    if not goal:
        return
    if not last.is_game_over():
        for move in last.legal_moves:
            if _as_shown(effects(last, move), last, goal):
                yield Explanation("not_heard", "server", followed.plies + 1, None, move.uci(), costs.server.not_heard)
    if followed.plies and not shown_where_differing(shown, followed.boards[-2]) and followed.moves[-1] is not None:
        yield Explanation(
            "not_played", "server", followed.plies, followed.moves[-1].uci(), None, costs.server.not_played
        )
    for ply, before, touched in _backwards(followed):
        recorded = followed.moves[ply - 1]
        expected = effects(before, recorded)
        for move in before.legal_moves:
            if move == recorded:
                continue
            if _left_over(effects(before, move), expected, before, touched) == goal and _goes_on(
                followed, ply, before, move
            ):
                cost = costs.server.misheard + costs.ago.per_ply * (followed.plies - ply)
                yield Explanation(
                    "misheard", "server", ply, recorded.uci() if recorded else None, move.uci(), round(cost, 3)
                )


def board_wrong(
    followed: Followed, shown: chess.BaseBoard, where: Where, costs: ExplainingCosts
) -> tuple[Explanation, ...]:
    """Return the plies that may have been executed otherwise on one board, the likeliest first.

    Besides, the opponent's last move may not be on the board yet, because it has only just been made (D.2.9, 6.2.1).
    """
    found = list(_board_wrong(followed, shown, where, costs))
    if followed.plies and followed.boards[-1].turn == (where == "white"):
        earlier = Followed(followed.moves[:-1], followed.boards[:-1])
        behind = costs.board.not_executed + costs.ago.per_ply
        for each in _board_wrong(earlier, shown, where, costs):
            found.append(msgspec.structs.replace(each, cost=round(each.cost + behind, 3)))
    best: dict[tuple[int, str | None], Explanation] = {}
    for each in found:
        key = (each.ply, each.instead)
        if key not in best or each.cost < best[key].cost:
            best[key] = each
    return tuple(sorted(best.values(), key=lambda each: (each.cost, -each.ply)))


def _board_wrong(
    followed: Followed, shown: chess.BaseBoard, where: Where, costs: ExplainingCosts
) -> Iterator[Explanation]:
    last = followed.boards[-1]
    goal = shown_where_differing(shown, last)
    if not goal:
        return
    if last.turn == (where == "white"):
        for move in last.legal_moves:
            if _as_shown(effects(last, move), last, goal):
                yield Explanation("ahead", where, followed.plies + 1, None, move.uci(), costs.board.ahead)
    for ply, before, touched in _backwards(followed):
        recorded = followed.moves[ply - 1]
        if recorded is None:
            continue
        expected = effects(before, recorded)
        for kind, instead, done, cost in _otherwise(before, recorded, expected, costs):
            if _left_over(done, expected, before, touched) == goal:
                whole = cost + costs.ago.per_ply * (followed.plies - ply)
                yield Explanation(kind, where, ply, recorded.uci(), instead, round(whole, 3))


def _backwards(
    followed: Followed,
) -> Iterator[tuple[int, chess.Board, dict[chess.Square, bool]]]:
    """Yield each ply from the last, the position before it, and the squares that later plies touch.

    For each such square it says whether the first later ply leaves from it.
    """
    touched: dict[chess.Square, bool] = {}
    for ply in range(followed.plies, 0, -1):
        before = followed.boards[ply - 1]
        yield ply, before, touched
        move = followed.moves[ply - 1]
        leaving = {
            square
            for square, piece in effects(before, move).items()
            if piece is None and before.color_at(square) == before.turn
        }
        touched = touched | {square: square in leaving for square in effects(before, move)}


def _left_over(
    done: Squares, expected: Squares, before: chess.Board, touched: dict[chess.Square, bool]
) -> Squares | None:
    """Return the squares that still differ at the end after this execution.

    None stands for an execution after which a later move could not have been carried out.
    """
    left: Squares = {}
    for square in done.keys() | expected.keys():
        stands = done[square] if square in done else before.piece_at(square)
        should = expected[square] if square in expected else before.piece_at(square)
        if stands == should:
            continue
        leaving = touched.get(square)
        if leaving:
            return None
        if leaving is None:
            left[square] = stands
    return left


def _as_shown(done: Squares, board: chess.Board, goal: Squares) -> bool:
    return {square: piece for square, piece in done.items() if board.piece_at(square) != piece} == goal


def _goes_on(followed: Followed, ply: int, before: chess.Board, move: chess.Move) -> bool:
    """Return whether the server's later moves are legal after another move at this ply."""
    board = before.copy(stack=False)
    board.push(move)
    for later in followed.moves[ply:]:
        if later is None:
            board.push(chess.Move.null())
        elif board.is_legal(later):
            board.push(later)
        else:
            return False
    return True


def _otherwise(
    before: chess.Board, move: chess.Move, expected: Squares, costs: ExplainingCosts
) -> Iterator[tuple[Kind, str | None, Squares, float]]:
    """Yield every way in which one move may have been executed otherwise.

    Each is its kind, what was done (UCI), its squares and its cost.
    """
    piece = before.piece_at(move.from_square)
    if piece is None:
        return
    yield "not_executed", None, {}, costs.board.not_executed
    if before.is_castling(move):
        yield from _castled_otherwise(before, move, piece, expected, costs)
    else:
        yield from _misplacements(before, move, piece, costs)
        if before.is_en_passant(move):
            standing = {move.from_square: None, move.to_square: piece}
            yield "en_passant", move.uci(), standing, costs.board.en_passant
        if move.promotion:
            yield from _other_promotion(move, piece, costs)
    for other in before.legal_moves:
        if other == move:
            continue
        like = other.to_square == move.to_square and before.piece_type_at(other.from_square) == piece.piece_type
        cost = costs.board.like_piece if like else costs.board.other_move
        yield ("like_piece" if like else "other_move"), other.uci(), effects(before, other), cost


def _castled_otherwise(
    before: chess.Board, move: chess.Move, king: chess.Piece, expected: Squares, costs: ExplainingCosts
) -> Iterator[tuple[Kind, str | None, Squares, float]]:
    """Yield the castlings gone wrong: the rook left where it was, the king a square off, or both."""
    goes_to = next(square for square, man in expected.items() if man == king)
    unmoved = {move.from_square: None, goes_to: king}
    yield "castling", move.uci(), unmoved, costs.board.castling
    for square in chess.SQUARES:
        if square in (goes_to, move.from_square) or before.color_at(square) == king.color:
            continue
        instead = chess.square_name(move.from_square) + chess.square_name(square)
        cost = costs.board.castling + costs.board.misplaced + _distance(square, goes_to, costs.misplaced)
        yield "castling", instead, expected | {goes_to: None, square: king}, cost
        yield "castling", instead, {move.from_square: None, square: king}, cost


def _misplacements(
    before: chess.Board, move: chess.Move, piece: chess.Piece, costs: ExplainingCosts
) -> Iterator[tuple[Kind, str | None, Squares, float]]:
    placed = chess.Piece(move.promotion, piece.color) if move.promotion else piece
    possible = {other.to_square for other in before.generate_pseudo_legal_moves(chess.BB_SQUARES[move.from_square])}
    for square in chess.SQUARES:
        if square in (move.to_square, move.from_square) or before.color_at(square) == piece.color:
            continue
        cost = costs.board.misplaced + _distance(square, move.to_square, costs.misplaced)
        if square not in possible:
            cost += costs.misplaced.cannot
        instead = chess.square_name(move.from_square) + chess.square_name(square)
        yield "misplaced", instead, {move.from_square: None, square: placed}, cost


def _distance(square: chess.Square, other: chess.Square, costs: MisplacedCosts) -> float:
    if chess.square_distance(square, other) == 1:
        return costs.adjoining
    same_file = chess.square_file(square) == chess.square_file(other)
    return costs.same_line if same_file or chess.square_rank(square) == chess.square_rank(other) else costs.elsewhere


def _other_promotion(
    move: chess.Move, piece: chess.Piece, costs: ExplainingCosts
) -> Iterator[tuple[Kind, str | None, Squares, float]]:
    for kind in (chess.PAWN, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT):
        if kind == move.promotion:
            continue
        instead = chess.Move(move.from_square, move.to_square, None if kind == chess.PAWN else kind).uci()
        standing: Squares = {move.from_square: None, move.to_square: chess.Piece(kind, piece.color)}
        yield "promotion", instead, standing, costs.board.promotion


def rank_explanations(explanations: Sequence[Explanation]) -> tuple[Explanation, ...]:
    """Return explanations of both boards and the server in one order, the likeliest first."""
    return tuple(sorted(explanations, key=lambda each: (each.cost, -each.ply)))
