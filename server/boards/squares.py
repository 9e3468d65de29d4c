"""The 64 squares of a board are one text: a FEN letter, "." for empty, "x" for an unknown piece.

Index as in python-chess: a1, b1 ... h1, a2 ... h8.
"""

from __future__ import annotations

import chess

EMPTY = "."
UNKNOWN = "x"


def of_placement(placement: str) -> str:
    """Return the squares of a FEN placement ("rnbqkbnr/8/..."). Raises ValueError for any other text.

    >>> of_placement("7k/8/8/8/8/8/8/R7")
    'R..............................................................k'
    """
    board = chess.BaseBoard(placement)
    return of_board(board)


def of_board(board: chess.BaseBoard) -> str:
    """Return the squares of a python-chess board."""
    pieces = (board.piece_at(square) for square in chess.SQUARES)
    return "".join(EMPTY if piece is None else piece.symbol() for piece in pieces)


def of_occupied(bits: int) -> str:
    """Return the squares of a board that knows occupancy alone: bit 0 is a1, bit 63 is h8."""
    return "".join(UNKNOWN if bits >> square & 1 else EMPTY for square in chess.SQUARES)


def of_reading_order(signs: str) -> str:
    """Return the squares of 64 signs as one reads a diagram: a8, b8 ... h8, a7 ... h1.

    >>> of_reading_order("k" + "." * 62 + "R")
    '.......Rk.......................................................'
    """
    return "".join(signs[8 * rank : 8 * rank + 8] for rank in reversed(range(8)))


def put(squares: str, square: int, piece: str | None, *, there: bool = True) -> str:
    """Return the same squares with one filled (`piece` None: an unknown piece) or emptied."""
    return squares[:square] + ((piece or UNKNOWN) if there else EMPTY) + squares[square + 1 :]


def squares_turned_round(squares: str) -> str:
    """Return the same board seen from the other side (a board that lies the wrong way round)."""
    return squares[::-1]


def alike(seen: str, meant: str) -> bool:
    """Say whether one square may show what is meant: an unknown piece fits any piece."""
    return seen == meant or (UNKNOWN in (seen, meant) and EMPTY not in (seen, meant))


def differing_squares(seen: str, meant: str) -> tuple[int, ...]:
    """Return the squares on which the two cannot be the same board."""
    if seen == meant:
        return ()
    return tuple(square for square in chess.SQUARES if not alike(seen[square], meant[square]))
