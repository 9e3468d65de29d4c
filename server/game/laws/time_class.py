"""Standard, rapid or blitz, from the time control alone (A.1, B.1, glossary; L145, L157)."""

from __future__ import annotations

from enum import StrEnum

from server.game.values.time_control import TimeControl

MOVES_COUNTED = 60
BLITZ_UP_TO_MS = 10 * 60_000
STANDARD_FROM_MS = 60 * 60_000


class TimeClass(StrEnum):
    """The kind of game by its allotted time."""

    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"


def allotted_ms(control: TimeControl) -> int:
    """What a player has for sixty moves: the base times of the periods that begin within them, and the increments.

    A period of N moves has N increments, the last one the rest of the sixty. With one period this is the sum in A.1 and
    B.1: base + 60 x increment.

    >>> allotted_ms(TimeControl.parse("900+10"))
    1500000
    """
    left, total = MOVES_COUNTED, 0
    for period in control.periods:
        if left == 0:
            break
        moves = left if period.moves is None else min(period.moves, left)
        total += period.base_ms + moves * period.increment_ms
        left -= moves
    return total


def classify(control: TimeControl) -> TimeClass:
    """Blitz up to ten minutes, standard from sixty, rapid between: more than ten and less than sixty.

    >>> classify(TimeControl.parse("180+2")).value
    'blitz'
    """
    total = allotted_ms(control)
    if total <= BLITZ_UP_TO_MS:
        return TimeClass.BLITZ
    return TimeClass.STANDARD if total >= STANDARD_FROM_MS else TimeClass.RAPID


def has_increment(control: TimeControl) -> bool:
    """Whether any period adds time with the moves: then there is no quickplay finish (III.2.2, L233)."""
    return any(period.increment_ms for period in control.periods)
