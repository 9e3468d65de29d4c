"""A result that is shown with the kings on the four squares in the middle, as electronic boards read it.

DGT's rule, which others follow: both kings on white squares (e4, d5), White has won; both on black ones (d4, e5), Black
has; one on each, the game is drawn. A king that is set down there beyond its step makes no move. Pure.
"""

from __future__ import annotations

from itertools import permutations
from typing import Literal

import chess
import msgspec

from server.boards.squares import UNKNOWN, differing_squares, of_board
from server.game.values.position import Position

MIDDLE = (chess.D4, chess.E4, chess.D5, chess.E5)
MIDDLE_NAMES = frozenset(chess.square_name(square) for square in MIDDLE)

Result = Literal["1-0", "0-1", "1/2-1/2"]


class Signal(msgspec.Struct, frozen=True):
    """The middle squares on which kings stand, and the result that they show; None where one king stands there.

    `moved`: those of them on which the record has no king. `step`: one king went there within its step, beside the
    other one. No legal move leads there, but only a press tells it from a move.
    """

    squares: tuple[str, ...]
    result: Result | None
    moved: tuple[str, ...] = ()
    step: bool = False


def signal_seen(position: Position, squares: str) -> Signal | None:
    """Return the result that the kings show, or of which the first king was set down; None where they show none.

    `position`: what the record has of this board. A king within its step makes a move, unless the other one
    stands in the middle as well.

    >>> board = chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    >>> squares = of_board(chess.BaseBoard("8/8/8/3k4/4K3/8/8/8"))
    >>> signal_seen(Position.from_board(board), squares)
    Signal(squares=('e4', 'd5'), result='1-0', moved=('e4', 'd5'))
    """
    board = position.board()
    homes = {color: board.king(color) for color in chess.COLORS}
    white, black = homes[chess.WHITE], homes[chess.BLACK]
    if white is None or black is None:
        return None
    stands = _kings(board, squares, {chess.WHITE: white, chess.BLACK: black})
    if stands is None:
        return None
    moved = [(home, at) for home, at in stands if home != at]
    in_middle = sorted(at for _, at in stands if at in MIDDLE)
    beyond = any(at in MIDDLE and chess.square_distance(home, at) > 1 for home, at in moved)
    step = not beyond and len(moved) == 1
    if not (beyond if len(in_middle) == 1 else moved and in_middle):
        return None
    names = tuple(chess.square_name(square) for square in in_middle)
    new = tuple(chess.square_name(at) for home, at in sorted(moved, key=lambda one: one[1]) if at in MIDDLE)
    return Signal(names, _result_on(in_middle), new, step)


def _kings(board: chess.Board, squares: str, homes: dict[chess.Color, int]) -> list[tuple[int, int]] | None:
    """Return where each king stood and stands, at first White's; a king that is nowhere to be seen stays out.

    On a board that knows no pieces a man set down in the middle is a king where just that explains what is empty.
    None where more than one thing may be so.
    """
    found: list[tuple[int, int]] = []
    away: list[int] = []
    for color, home in homes.items():
        king = chess.Piece(chess.KING, color).symbol()
        named = [square for square in chess.SQUARES if squares[square] == king]
        if len(named) > 1:
            return None
        if named:
            found.append((home, named[0]))
        elif squares[home] == UNKNOWN:
            found.append((home, home))
        else:
            away.append(home)
    unnamed = [square for square in MIDDLE if squares[square] == UNKNOWN and square not in homes.values()]
    if not away or not unnamed:
        return found
    if len(unnamed) != len(away):
        return None
    if len(away) == 1 and not set(differing_squares(squares, of_board(board))) <= {away[0], unnamed[0]}:
        return None  # the king may be in the hand, and something else stand there
    # Which of two kings stands where is not known, and does not matter: taken as near as they can be.
    near = min(permutations(unnamed), key=lambda way: max(map(chess.square_distance, away, way)))
    return [*found, *zip(away, near, strict=True)]


def _result_on(squares: list[int]) -> Result | None:
    if len(squares) < 2:
        return None
    light = [bool(chess.BB_SQUARES[square] & chess.BB_LIGHT_SQUARES) for square in squares]
    return "1-0" if all(light) else "1/2-1/2" if any(light) else "0-1"
