"""A set-up square by square, to be read out at both boards before the game (II.1-II.2; L226). Pure."""

from __future__ import annotations

import chess
import msgspec

from server.play.position import Position
from server.play.values import Seat


class Man(msgspec.Struct, frozen=True):
    """One man of a set-up: whose, which piece ("king" .. "pawn"), on which square."""

    seat: Seat
    piece: str
    square: str


def men_of(position: Position, seat: Seat) -> tuple[Man, ...]:
    """The men of one side from its own first rank on, each rank from a to h."""
    board = position.board()
    color = chess.WHITE if seat is Seat.WHITE else chess.BLACK
    squares = sorted(
        chess.SquareSet(board.occupied_co[color]),
        key=lambda square: (
            chess.square_rank(square) if color == chess.WHITE else 7 - chess.square_rank(square),
            chess.square_file(square),
        ),
    )
    return tuple(_man(board, square, seat) for square in squares)


def _man(board: chess.Board, square: chess.Square, seat: Seat) -> Man:
    kind = board.piece_type_at(square)
    assert kind is not None
    return Man(seat, chess.piece_name(kind), chess.square_name(square))
