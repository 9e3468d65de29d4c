"""Boards that drift apart, in a real game or a random one: faults of every kind, anywhere, several at once.

This is an oracle of its own: it plays both boards, both scores and the server's ears with python-chess alone, and so
knows what the Laws say (D.2.9). Nothing of `config/reconciling` is read, and no fault is left out because what follows
it becomes illegal for the server.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal, get_args

import chess
import msgspec

Fault = Literal["misexecuted", "misrecorded", "misheard", "never played"]
FAULTS: tuple[Fault, ...] = get_args(Fault)


class Drift(msgspec.Struct, frozen=True):
    """What stands where, and what everybody wrote.

    `heard`: the moves as the server heard them, in chess shorthand; `server`: the same as UCI. `scores`: White's and
    Black's, in SAN. `boards`: placements. `verdict`, `agree_plies`, `placement`, `wrong`: the answer by the Laws, with
    what stands after the agreement and whose boards deviate from it. `game`: what was played up to there (UCI).
    `faults`: each with its ply. `seen`: the boards differ from one another or from what the server believes.
    `traceless`: the scores differ, and lead to the same placement all the same.
    """

    faults: tuple[tuple[Fault, int], ...]
    heard: tuple[str, ...]
    server: tuple[str, ...]
    scores: tuple[tuple[str, ...], tuple[str, ...]]
    boards: tuple[str, str]
    verdict: str
    agree_plies: int
    placement: str
    wrong: tuple[bool, bool]
    game: tuple[str, ...]
    seen: bool
    traceless: bool


def random_game(chance: random.Random, most: int = 90) -> list[chess.Move]:
    """A game of random legal moves, captures and moves forward a little likelier."""
    board = chess.Board()
    moves: list[chess.Move] = []
    while len(moves) < most and not board.is_game_over():
        legal = list(board.legal_moves)
        taking = [move for move in legal if board.is_capture(move)]
        moves.append(chance.choice(taking if taking and chance.random() < 0.2 else legal))
        board.push(moves[-1])
    return moves


def drift(moves: Sequence[chess.Move], faults: Sequence[Fault], chance: random.Random, length: int = 0) -> Drift | None:
    """Return these faults at random places of a game that is cut at random, or None where one of them cannot happen.

    `length`: where the game is cut. A fault is anywhere up to there; the server's own come before those of the players,
    but for one time in three.
    """
    length = length or chance.randrange(min(8, len(moves) - 1), len(moves))
    plies = sorted(chance.sample(range(1, length + 1), len(faults)))
    if chance.random() < 1 / 3:
        chance.shuffle(plies)
    table = _Table(moves, dict(zip(plies, faults, strict=True)), chance)
    return table.drift() if table.play(length) else None


class _Table:
    """Both boards, both scores and the server's ears, while a game is played on them."""

    def __init__(self, moves: Sequence[chess.Move], faults: dict[int, Fault], chance: random.Random) -> None:
        self.moves, self.faults, self.chance = moves, faults, chance
        self.lines = [chess.Board(), chess.Board()]  # White's, Black's: what each takes for the game
        self.shown = [chess.BaseBoard(), chess.BaseBoard()]
        self.written: list[list[str]] = [[], []]
        self.played: list[chess.Move] = []
        self.heard: list[str] = []
        self.server: list[str] = []
        self.parted = 0
        self.agreed = chess.Board()
        self.in_full = chance.random() < 0.5

    def play(self, length: int) -> bool:
        for ply in range(1, length + 1):
            fault = self.faults.get(ply)
            move = self._next(self.moves[ply - 1])
            if move is None:
                if any(at >= ply for at in self.faults):
                    return False
                break
            if not self._make(ply, move, fault):
                return False
        return True

    def _next(self, wanted: chess.Move) -> chess.Move | None:
        """The move of the game, or after the boards parted another one that both of them allow."""
        white, black = self.lines

        def possible(move: chess.Move) -> bool:
            return (
                white.is_legal(move)
                and black.is_legal(move)
                and white.piece_at(move.from_square) == black.piece_at(move.from_square)
                and white.is_castling(move) == black.is_castling(move)
            )

        if possible(wanted):
            return wanted
        ways = [move for move in white.legal_moves if possible(move)]
        return self.chance.choice(ways) if ways else None

    def _make(self, ply: int, move: chess.Move, fault: Fault | None) -> bool:
        mover = 0 if self.lines[0].turn == chess.WHITE else 1
        done = [move, move]
        if fault == "misrecorded":
            other = _confused(self.lines[mover], move, self.chance) if not self.parted else None
            if other is None:
                return False
            # The mover plays and writes one move; the opponent takes it for another, executes and writes that.
            done[mover] = other
            self.parted = ply
            self.agreed = self.lines[0].copy(stack=False)
        self._hear(done[self.chance.randrange(2)], fault)
        executed_by = self.chance.randrange(2) if fault == "misexecuted" else None
        for side in (0, 1):
            before = self.lines[side]
            after = before.copy(stack=False)
            after.push(done[side])
            right = side != executed_by
            if not (self._carry_out(side, before, after, done[side]) if right else self._slip(side, before, move)):
                return False
            self.written[side].append(before.san(done[side]))
        for side in (0, 1):
            self.lines[side].push(done[side])
        if not self.parted:
            self.played.append(move)
        return True

    def _hear(self, move: chess.Move, fault: Fault | None) -> None:
        """Put down what the server heard of a move; where that is the fault, two moves before that nobody played."""
        before = self.lines[0].copy(stack=False)
        if not before.is_legal(move):
            before = self.lines[1].copy(stack=False)
        if fault == "never played":
            talk = before.copy(stack=False)
            for _ in range(2):
                ways = list(talk.legal_moves)
                if not ways:
                    break
                said = self.chance.choice(ways)
                self._note(talk, said)
                talk.push(said)
        if fault == "misheard":
            move = _confused(before, move, self.chance) or move
        self._note(before, move)

    def _note(self, board: chess.Board, move: chess.Move) -> None:
        self.heard.append(_shorthand(board, move, in_full=self.in_full))
        self.server.append(move.uci())

    def _carry_out(self, side: int, before: chess.Board, after: chess.Board, move: chess.Move) -> bool:
        """Make a move on a board with the hand; False where it cannot be made there."""
        board = self.shown[side]
        if board.piece_at(move.from_square) != before.piece_at(move.from_square):
            return False
        for square in chess.SQUARES:
            if before.piece_at(square) != after.piece_at(square):
                board.set_piece_at(square, after.piece_at(square))
        return True

    def _slip(self, side: int, before: chess.Board, move: chess.Move) -> bool:
        """Make a move on a board otherwise than it was said."""
        board, chance, draw = self.shown[side], self.chance, self.chance.random()
        piece = before.piece_at(move.from_square)
        assert piece is not None
        if board.piece_at(move.from_square) != piece:
            return False
        if (before.is_en_passant(move) or before.is_castling(move)) and draw < 0.5:
            board.remove_piece_at(move.from_square)
            board.set_piece_at(move.to_square, piece)
        elif move.promotion and draw < 0.5:
            board.remove_piece_at(move.from_square)
            board.set_piece_at(move.to_square, chance.choice([piece, chess.Piece(chess.KNIGHT, piece.color)]))
        elif draw < 0.12:
            pass  # not carried out at all
        elif draw < 0.3:
            other = _confused(before, move, chance)
            if other is None:
                return False
            after = before.copy(stack=False)
            after.push(other)
            return self._carry_out(side, before, after, other)
        else:
            squares = [s for s in chess.SQUARES if before.color_at(s) != piece.color and s != move.to_square]
            near = [s for s in squares if chess.square_distance(s, move.to_square) == 1]
            square = chance.choice(near if near and draw < 0.8 else squares)
            board.remove_piece_at(move.from_square)
            board.set_piece_at(square, piece)
        return True

    def drift(self) -> Drift | None:
        agreed = self.agreed if self.parted else self.lines[0]
        plies = self.parted - 1 if self.parted else len(self.written[0])
        boards = (self.shown[0].board_fen(), self.shown[1].board_fen())
        wrong = (boards[0] != agreed.board_fen(), boards[1] != agreed.board_fen())
        game = tuple(move.uci() for move in self.played)
        alike = not self.parted and not any(wrong) and tuple(self.server) != game
        return Drift(
            faults=tuple((fault, ply) for ply, fault in sorted(self.faults.items())),
            heard=tuple(self.heard),
            server=tuple(self.server),
            scores=(tuple(self.written[0]), tuple(self.written[1])),
            boards=boards,
            verdict="differ" if self.parted else "out_of_step" if alike else "same_record",
            agree_plies=plies,
            placement=agreed.board_fen(),
            wrong=wrong,
            game=game,
            seen=boards[0] != boards[1] or boards[0] != self._followed(),
            traceless=self.parted > 0 and self.lines[0].board_fen() == self.lines[1].board_fen(),
        )

    def _followed(self) -> str | None:
        """Return where the server's words lead, each taken as the one legal move it may be of; None if nowhere."""
        board = chess.Board()
        for text, uci in zip(self.heard, self.server, strict=True):
            ways = [move for move in board.legal_moves if _may_be(board, move, text)]
            named = [move for move in ways if move.uci() == uci]
            if len(ways) != 1 and not named:
                return None
            board.push(named[0] if named else ways[0])
        return board.board_fen()


def _shorthand(board: chess.Board, move: chess.Move, *, in_full: bool) -> str:
    """Return a move as it is announced: with both squares, or with the departure where it is needed (D.2.1)."""
    if board.is_castling(move):
        return "O-O" if board.is_kingside_castling(move) else "O-O-O"
    kind = board.piece_type_at(move.from_square)
    assert kind is not None
    like = [
        s
        for s in board.pieces(kind, board.turn)
        if chess.Move(s, move.to_square, move.promotion) in board.pseudo_legal_moves
    ]
    departure = in_full or len(like) > 1 or (kind == chess.PAWN and board.is_capture(move))
    letter = "" if kind == chess.PAWN else chess.piece_symbol(kind).upper()
    promotion = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
    source = chess.square_name(move.from_square) if departure else ""
    return f"{letter}{source}{chess.square_name(move.to_square)}{promotion}"


def _may_be(board: chess.Board, move: chess.Move, text: str) -> bool:
    """Return whether these words may be said of this move."""
    return text in (_shorthand(board, move, in_full=True), _shorthand(board, move, in_full=False))


def _confused(before: chess.Board, move: chess.Move, chance: random.Random) -> chess.Move | None:
    """Another legal move that may be said or heard for this one: mostly of the same piece, or to the same square."""
    others = [other for other in before.legal_moves if other != move]
    near = [other for other in others if move.from_square == other.from_square or move.to_square == other.to_square]
    pool = near if near and chance.random() < 0.85 else others
    return chance.choice(pool) if pool else None
