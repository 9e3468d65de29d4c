"""What a board that knows occupancy alone must have shown before a move is read from it. Pure.

Such a board cannot tell a pawn from a queen: after a lost message two half-moves look like one other move, or what was
left over from before looks like an arrival. So a move counts only where every square of it was seen to be emptied and
filled, one after the other, and nothing else was exchanged meanwhile; else the arbiter is told.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess

from server.boards.event import Lifted, Placed
from server.boards.move_seen import exchanged
from server.boards.squares import EMPTY

History = Sequence[Lifted | Placed]


def shown(before: str, squares: str, history: History, uci: str) -> bool:
    """Whether the events since `before` stood there show this move (UCI), and no other one besides.

    `before`, `squares`: the 64 squares as the record has them and as they are sensed now.
    """
    last = {event.square: event for event in history}
    lifted: list[int] = []
    placed: list[int] = []
    for square in chess.SQUARES:
        was, now = before[square] != EMPTY, squares[square] != EMPTY
        if was is now:
            continue
        event = last.get(chess.square_name(square))
        if event is None or isinstance(event, Placed) is not now:
            return False  # it changed before, or unseen
        (placed if now else lifted).append(event.at)
    refilled = {chess.square_name(square) for square in exchanged(history)}
    if refilled - {uci[2:4]}:
        return False  # something else was taken up and put down in between: perhaps that was the capture
    placed += [last[square].at for square in refilled]
    return bool(lifted and placed) and min(placed) > min(lifted) and len(set(lifted + placed)) > 1


def may_be_in_the_hand(before: str, squares: str) -> bool:
    """Whether one man fewer stands there: taken off the board, or still in a hand; only time or a press tells."""
    return sum(sign != EMPTY for sign in squares) < sum(sign != EMPTY for sign in before)
