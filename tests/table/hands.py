"""Two hands over a board that senses: what its driver would say while they move, seeded."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import chess

from server.boards.event import BoardEvent, Lifted, Placed, Snapshot
from server.boards.squares import of_board, of_occupied


class Hands:
    """Carries moves out on a sensing board, square after square, in an order of its own."""

    def __init__(self, seed: int, *, occupancy: bool, snapshots: bool, board: chess.Board | None = None) -> None:
        self.draw = Random(seed)
        self.now = 1_000
        self.occupancy = occupancy
        self.snapshots = snapshots
        self.on = chess.BaseBoard((board or chess.Board()).board_fen())

    def squares(self) -> str:
        """What the whole board senses now."""
        if self.occupancy:
            return of_occupied(int(self.on.occupied))
        return of_board(self.on)

    def lift(self, square: int, *, after: int | None = None) -> tuple[chess.Piece, BoardEvent]:
        self.now += self.draw.randrange(200, 900) if after is None else after
        piece = self.on.remove_piece_at(square)
        assert piece is not None
        return piece, self._said(Lifted(self.now, chess.square_name(square), self._name(piece)))

    def put(self, square: int, piece: chess.Piece, *, after: int | None = None) -> BoardEvent:
        self.now += self.draw.randrange(200, 900) if after is None else after
        self.on.set_piece_at(square, piece)
        return self._said(Placed(self.now, chess.square_name(square), self._name(piece)))

    def _name(self, piece: chess.Piece) -> str | None:
        return None if self.occupancy else piece.symbol()

    def _said(self, event: BoardEvent) -> BoardEvent:
        return Snapshot(self.now, self.squares()) if self.snapshots else event

    def play(self, board: chess.Board, move: chess.Move) -> Iterator[BoardEvent]:
        """The events of one move on `board` (where it is not yet played)."""
        if board.is_castling(move):
            yield from self._castle(board, move)
            return
        taken = move.to_square
        if board.is_en_passant(move):
            taken = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        captures = board.piece_at(taken) is not None
        first = self.draw.random() < 0.5
        if captures and first:
            yield self.lift(taken)[1]
        piece, event = self.lift(move.from_square)
        yield event
        if captures and not first:
            yield self.lift(taken)[1]
        if move.promotion:
            piece = chess.Piece(move.promotion, piece.color)
        yield self.put(move.to_square, piece)

    def _castle(self, board: chess.Board, move: chess.Move) -> Iterator[BoardEvent]:
        short = chess.square_file(move.to_square) > chess.square_file(move.from_square)
        rank = chess.square_rank(move.from_square)
        rook = move.to_square if board.chess960 else chess.square(7 if short else 0, rank)
        king, event = self.lift(move.from_square)
        yield event
        king_to, rook_to = chess.square(6 if short else 2, rank), chess.square(5 if short else 3, rank)
        if self.draw.random() < 0.5:
            castle, event = self.lift(rook)
            yield event
            yield self.put(king_to, king)
            yield self.put(rook_to, castle)
        else:
            yield self.put(king_to, king)
            castle, event = self.lift(rook)
            yield event
            yield self.put(rook_to, castle)
