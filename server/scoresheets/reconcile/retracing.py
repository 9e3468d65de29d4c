"""What a board shows wrong, and the moves to undo on it to reach the last agreement (D.2.9, L197, L198)."""

from __future__ import annotations

from collections.abc import Sequence

import chess
import msgspec

from server.scoresheets.cell import Cell, legal_readings
from speech.complaint import Complaint


class SquareDifference(msgspec.Struct, frozen=True):
    """One square of a board. `is_` and `should_be` are piece letters of a FEN (White's capital), None for empty."""

    square: str
    is_: str | None = msgspec.field(name="is")
    should_be: str | None


class BoardDifference(msgspec.Struct, frozen=True):
    """Whether a board deviates from the position it should show, and by which squares (a1, b1 .. h8)."""

    deviates: bool
    squares: tuple[SquareDifference, ...] = ()


def compare_board(placement: str, position: chess.Board, name: str) -> BoardDifference:
    """The squares by which a board (a placement, or a whole FEN) deviates from a position. Raises Complaint."""
    words = placement.split()
    try:
        shown = chess.BaseBoard(words[0] if words else "")
    except ValueError as wrong:
        raise Complaint(
            f"{name} is not a placement of pieces: {placement[:90]!r}; give eight ranks as in a FEN."
        ) from wrong
    squares = tuple(
        SquareDifference(chess.square_name(square), _letter(shown, square), _letter(position, square))
        for square in chess.SQUARES
        if shown.piece_at(square) != position.piece_at(square)
    )
    return BoardDifference(bool(squares), squares)


def _letter(board: chess.BaseBoard, square: chess.Square) -> str | None:
    piece = board.piece_at(square)
    return piece.symbol() if piece is not None else None


def steps_back(cells: Sequence[Cell], plies: int, position: chess.Board) -> tuple[str | None, ...]:
    """The moves of one score after the agreed plies, the last one first, as UCI; None where a cell names no one move.

    After a cell that cannot be read the turn is passed on and the next cell is taken in the position so far, so a
    later entry is what the writer most plainly meant, not more.
    """
    board = position.copy(stack=False)
    undone: list[str | None] = []
    for cell in cells[plies:]:
        moves = legal_readings(board, cell)
        if len(moves) == 1:
            undone.append(moves[0].uci())
            board.push(moves[0])
        else:
            undone.append(None)
            board.push(chess.Move.null())
    return tuple(reversed(undone))
