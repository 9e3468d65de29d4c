"""Finding the move that stands on a board from its squares before and now, by geometry alone.

It may be legal or not. Captures in any order, castling, en passant and promotion are read from what left, what came
and what was exchanged. It never guesses: what can be two moves is `Unclear`, what is none is `Strange`, and while a
piece is in the hand it is `Unfinished`. An illegal move is the move that was made (D.2.3; design: the recogniser never
plays for you). Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess
import msgspec

from server.boards.event import Lifted, Placed
from server.boards.squares import EMPTY, UNKNOWN, differing_squares, of_board
from server.game.values.position import Position, onto_own, passed_pawn


class Same(msgspec.Struct, frozen=True):
    """The board stands as before."""


class SeenMoves(msgspec.Struct, frozen=True):
    """Moves (UCI), one or two, that have been carried out.

    A promotion whose piece is not known ends in "?".
    """

    moves: tuple[str, ...]


class Unclear(msgspec.Struct, frozen=True):
    """More than one move leads here."""

    moves: tuple[str, ...]


class Unfinished(msgspec.Struct, frozen=True):
    """A piece is in the hand."""

    lifted: tuple[str, ...]


class Strange(msgspec.Struct, frozen=True):
    """No move leads here; these squares differ."""

    squares: tuple[str, ...]


Reading = Same | SeenMoves | Unclear | Unfinished | Strange


def move_seen(
    position: Position,
    squares: str,
    history: Sequence[Lifted | Placed] = (),
    *,
    occupancy: bool = False,
) -> Reading:
    """Return the moves that the squares show since `position` stood there.

    `history`: what was lifted and placed since; on a board that knows occupancy alone it tells what was exchanged.
    """
    board = position.board()
    before = of_board(board)
    left = [s for s in chess.SQUARES if before[s] != EMPTY and squares[s] == EMPTY]
    came = [s for s in chess.SQUARES if before[s] == EMPTY and squares[s] != EMPTY]
    other = [
        s
        for s in chess.SQUARES
        if EMPTY not in (before[s], squares[s]) and squares[s] != UNKNOWN and squares[s] != before[s]
    ]
    if not left and not came and not other:
        return Same()
    found = _single(board, squares, left, came, other, squares_filled_again(history))
    if len(found) == 1:
        return SeenMoves((found[0],))
    if found:
        return Unclear(tuple(found))
    pairs = _pairs(position, squares) if _in_one_message(history, occupancy, left, came, other) else []
    if len(pairs) == 1:
        return SeenMoves(pairs[0])
    if pairs:
        return Unclear(tuple(" ".join(pair) for pair in pairs))
    names = tuple(chess.square_name(s) for s in left)
    if left and not other and len(left) > len(came) and len(left) <= 3:
        return Unfinished(names)
    return Strange(tuple(chess.square_name(s) for s in differing_squares(squares, before)))


def _single(
    board: chess.Board, squares: str, left: list[int], came: list[int], other: list[int], exchanged: list[int]
) -> list[str]:
    """Return the single moves that lead to these squares."""
    if len(left) == 1 and len(came) == 1 and not other:
        return _moves_between(board, squares, left[0], came[0])
    if len(left) == 1 and not came and len(other) == 1:
        return [] if _of_one_side(board, left[0], other[0]) else _moves_between(board, squares, left[0], other[0])
    if len(left) == 1 and not came and not other:
        taken = [s for s in exchanged if s != left[0] and not _of_one_side(board, left[0], s)]
        occupancy = [s for s in taken if squares[s] == UNKNOWN]
        return [move for s in dict.fromkeys(occupancy) for move in _moves_between(board, squares, left[0], s)]
    if len(left) == 2 and len(came) == 1 and not other:
        return _en_passant(board, squares, left, came[0])
    return _castling(board, squares, left, came, other)


def squares_filled_again(history: Sequence[Lifted | Placed]) -> list[int]:
    """Return the squares that were emptied and filled again after a man was lifted and not put back."""
    emptied: set[str] = set()
    last_lift: dict[str, int] = {}
    filled: dict[str, int] = {}
    for number, event in enumerate(history):
        if isinstance(event, Lifted):
            emptied.add(event.square)
            last_lift[event.square] = number
            filled.pop(event.square, None)
        elif event.square in emptied:
            filled[event.square] = number
    away = [number for square, number in last_lift.items() if square not in filled]
    return [chess.parse_square(square) for square, number in filled.items() if away and number > min(away)]


def _in_one_message(
    history: Sequence[Lifted | Placed], occupancy: bool, left: list[int], came: list[int], other: list[int]
) -> bool:
    """Say whether two moves may have been sensed at once.

    What left must have arrived, else a piece is in the hand. Where pieces are told apart, one may have been taken
    where another arrived.
    """
    at_once = len({event.at for event in history}) == 1
    return at_once and len(left) <= len(came) + len(other) + (0 if occupancy or not (came or other) else 1)


def _of_one_side(board: chess.Board, one: int, two: int) -> bool:
    return board.color_at(one) == board.color_at(two)


def _moves_between(board: chess.Board, squares: str, from_square: int, to_square: int) -> list[str]:
    """Return the move between two squares, where what stands on the second may be what left the first."""
    piece = board.piece_at(from_square)
    assert piece is not None
    now = squares[to_square]
    uci = chess.square_name(from_square) + chess.square_name(to_square)
    if piece.piece_type == chess.PAWN and chess.square_rank(to_square) == (7 if piece.color else 0):
        if now == UNKNOWN:
            return [f"{uci}?"]
        if now.isupper() is piece.color and now.lower() in "qrbn":
            return [uci + now.lower()]
        return [uci] if now == piece.symbol() else []
    return [uci] if now in (UNKNOWN, piece.symbol()) else []


def _en_passant(board: chess.Board, squares: str, left: list[int], came: int) -> list[str]:
    found = []
    for from_square, taken in (left, left[::-1]):
        pawn = board.piece_at(from_square)
        if pawn is None or pawn.piece_type != chess.PAWN or squares[came] not in (UNKNOWN, pawn.symbol()):
            continue
        move = chess.Move(from_square, came)
        if passed_pawn(board, move, pawn) == taken:
            found.append(move.uci())
    return found


def _castling(board: chess.Board, squares: str, left: list[int], came: list[int], other: list[int]) -> list[str]:
    """Return castlings by where king and rook stand now, as this program writes them.

    That is "e1g1", and in Chess960 "e1h1".
    """
    found = []
    for color in chess.COLORS:
        king, rank = board.king(color), 0 if color else 7
        if king is None or chess.square_rank(king) != rank or not (board.chess960 or chess.square_file(king) == 4):
            continue
        home = chess.Piece(chess.ROOK, color)
        for rook in (s for s in chess.SquareSet(chess.BB_RANKS[rank]) if board.piece_at(s) == home):
            short = rook > king
            if not board.chess960 and chess.square_file(rook) != (7 if short else 0):
                continue
            after = chess.BaseBoard(board.board_fen())
            after.remove_piece_at(king)
            after.remove_piece_at(rook)
            to = chess.square(6 if short else 2, rank)
            if any(after.piece_at(s) for s in (to, chess.square(5 if short else 3, rank))):
                continue
            after.set_piece_at(to, chess.Piece(chess.KING, color))
            after.set_piece_at(chess.square(5 if short else 3, rank), home)
            if not differing_squares(squares, of_board(after)):
                found.append(chess.square_name(king) + chess.square_name(rook if board.chess960 else to))
    return found


def _pairs(position: Position, squares: str) -> list[tuple[str, ...]]:
    """Return pairs of moves that came in one message, one of each side.

    The opponent's move was carried out and the player's own was made. By how pieces move alone, pins and checks left
    aside: a board on a screen may not tell who is pinned.
    """
    found: dict[tuple[str, ...], None] = {}
    board = position.board()
    if len(differing_squares(squares, of_board(board))) > 7:
        return []
    for first in tuple(board.pseudo_legal_moves):
        if onto_own(board, first) or not _may_have_left(board, squares, first):
            continue
        board.push(first)
        for second in tuple(board.pseudo_legal_moves):
            if squares[second.from_square] not in (EMPTY, UNKNOWN):
                continue
            board.push(second)
            if not differing_squares(squares, of_board(board)):
                found[(first.uci(), second.uci())] = None
            board.pop()
        board.pop()
    return list(found)


def _may_have_left(board: chess.Board, squares: str, first: chess.Move) -> bool:
    """Say whether the square that a first move left is empty now, or may be taken by the second move."""
    letter = squares[first.from_square]
    return letter in (EMPTY, UNKNOWN) or letter.isupper() is not board.turn
