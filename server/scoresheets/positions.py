"""Positions with their legal moves, described part by part.

They are kept while two scores are compared. Generating legal moves is most of the work of reading a score, so a
position is looked at once, however many lines reach it, and only as far as is asked: the moves that a cell names
exactly need few of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import chess
import msgspec

from server.game.values.position import BoardKey, board_key
from server.scoresheets.cell import Cell, legal_readings
from server.scoresheets.forms import Form


class Described(msgspec.Struct, frozen=True):
    """Legal move by its parts.

    `castling`: "short", "long" or None. `ambiguous`: a like piece can go there too. `code`: all of it in one number,
    equal for equal parts. `head`: the same of what is written before the arrival.
    """

    piece: chess.PieceType
    from_square: chess.Square
    to_square: chess.Square
    captured: chess.PieceType | None
    promotion: chess.PieceType | None
    castling: str | None
    ambiguous: bool
    code: int
    head: int

    def fits(self, form: Form) -> bool:
        """Return whether a form says this move, as far as it says anything (as `cell.legal_readings`)."""
        if form.castling is not None or self.castling is not None:
            return form.castling == self.castling
        return (
            (form.piece is None or form.piece == self.piece)
            and (form.from_file is None or form.from_file == self.from_square & 7)
            and (form.from_rank is None or form.from_rank == self.from_square >> 3)
            and (form.to_file is None or form.to_file == self.to_square & 7)
            and (form.to_rank is None or form.to_rank == self.to_square >> 3)
            and (form.promotion is None or form.promotion == self.promotion)
            and (form.captured is None or form.captured == self.captured)
            and not (form.must_capture and self.captured is None)
        )


class Pricing(Protocol):
    """Cell that has a price for every move.

    It stays a Protocol: the one such cell (`slips.PricedCell`) prices what is described here, so its file imports this.
    """

    def cost(self, move: Described) -> float:
        """Return the price of a move, in nats."""


class Spot:
    """One position; its legal moves are described when they are first asked for."""

    __slots__ = ("_after", "_all", "_checks", "_exact", "_prices", "board", "key")

    def __init__(self, board: chess.Board, key: BoardKey) -> None:
        self.board = board
        self.key = key
        self._all: tuple[tuple[chess.Move, Described], ...] | None = None
        self._exact: dict[tuple[Form, ...], tuple[chess.Move, ...]] = {}
        self._after: dict[chess.Move, Spot] = {}
        self._checks: dict[chess.Move, bool] = {}
        self._prices: dict[Pricing, list[float]] = {}

    @property
    def moves(self) -> tuple[tuple[chess.Move, Described], ...]:
        """Return every legal move with its parts."""
        if self._all is None:
            self._all = _moves_described(self.board)
        return self._all

    def exact(self, cell: Cell) -> tuple[chess.Move, ...]:
        """Return the legal moves that a cell can mean, exactly."""
        found = self._exact.get(cell.forms)
        if found is None:
            if self._all is None or _by_squares(cell):
                found = legal_readings(self.board, cell)
            else:
                named = (move for form in cell.forms for move, parts in self._all if parts.fits(form))
                found = tuple(dict.fromkeys(named))
            self._exact[cell.forms] = found
        return found

    def prices(self, cell: Pricing) -> list[float]:
        """Return, for each of `moves`, the cost that the cell was written for it."""
        found = self._prices.get(cell)
        if found is None:
            found = self._prices[cell] = [cell.cost(parts) for _, parts in self.moves]
        return found

    def checks(self, move: chess.Move) -> bool:
        """Return whether a legal move gives check."""
        found = self._checks.get(move)
        if found is None:
            found = self._checks[move] = self.board.gives_check(move)
        return found

    def describe(self, move: chess.Move) -> Described:
        """Return the parts of one legal move."""
        return next(parts for each, parts in self.moves if each == move)


def _by_squares(cell: Cell) -> bool:
    return any(form.from_file is not None and form.to_file is not None for form in cell.forms)


class Spots:
    """Positions met while two scores are compared."""

    def __init__(self, start: chess.Board) -> None:
        self._known: dict[BoardKey, Spot] = {}
        self.first = self.at(start.copy(stack=False))

    def keep(self, spots: Iterable[Spot]) -> None:
        """Forget every position but these."""
        self._known = {spot.key: spot for spot in spots}

    def after(self, spot: Spot, move: chess.Move) -> Spot:
        """Return the position after a legal move."""
        found = spot._after.get(move)
        if found is None:
            board = spot.board.copy(stack=False)
            board.push(move)
            found = spot._after[move] = self.at(board)
        return found

    def at(self, board: chess.Board) -> Spot:
        """Return the position of a board."""
        key = board_key(board)
        spot = self._known.get(key)
        if spot is None:
            spot = self._known[key] = Spot(board, key)
        return spot


def _moves_described(board: chess.Board) -> tuple[tuple[chess.Move, Described], ...]:
    moves = list(board.generate_legal_moves())
    kinds: dict[chess.Square, chess.PieceType] = {}
    arriving: dict[int, int] = {}  # how many like pieces can go to a square
    for move in moves:
        kind = kinds.get(move.from_square)
        if kind is None:
            kind = kinds[move.from_square] = board.piece_type_at(move.from_square) or chess.PAWN
        if move.promotion is None:
            there = kind << 6 | move.to_square
            arriving[there] = arriving.get(there, 0) + 1
    taken = board.occupied_co[not board.turn]
    described = []
    for move in moves:
        from_square, to_square, promotion = move.from_square, move.to_square, move.promotion
        piece = kinds[from_square]
        castling = captured = None
        if taken >> to_square & 1:
            captured = board.piece_type_at(to_square)
        elif piece == chess.PAWN:
            if (from_square - to_square) % 8:
                captured = chess.PAWN
        elif piece == chess.KING and board.is_castling(move):
            castling = "short" if board.is_kingside_castling(move) else "long"
        ambiguous = piece != chess.PAWN and arriving[piece << 6 | to_square] > 1
        code = from_square | to_square << 6 | piece << 12 | (captured or 0) << 15
        code |= (promotion or 0) << 18 | ambiguous << 21 | (castling is not None) << 22
        head = from_square | piece << 6 | ambiguous << 9
        if piece == chess.PAWN:
            head |= (captured is not None) << 10
        elif castling is not None:
            head = (1 if castling == "short" else 2) << 11
        described.append(
            (move, Described(piece, from_square, to_square, captured, promotion, castling, ambiguous, code, head))
        )
    return tuple(described)
