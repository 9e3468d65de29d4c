"""The class of a game, standard, rapid or blitz, and what its supervision means.

The class comes from the time control alone (A.1, B.1, glossary; L145, L157). Rapid and blitz are supervised in full or
on a basic level, and some claims close after ten moves (A.4 to A.6, B.2 to B.4; L148-L162).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from server.game.laws.event_options import Supervision
from server.game.values.time_control import TimeControl

MOVES_COUNTED = 60
BLITZ_UP_TO_MS = 10 * 60_000
STANDARD_FROM_MS = 60 * 60_000


class TimeClass(StrEnum):
    """Kind of game by its allotted time."""

    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"


def allotted_ms(control: TimeControl) -> int:
    """Return the time (ms) that a player has for sixty moves.

    The sum of the base times of the periods that begin within them, and of the increments. A period of N moves
    has N increments; the last one has the rest of the sixty. With one period this is the sum in A.1 and
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
    """Classify a time control: blitz up to ten minutes, standard from sixty, rapid between.

    >>> classify(TimeControl.parse("180+2")).value
    'blitz'
    """
    total = allotted_ms(control)
    if total <= BLITZ_UP_TO_MS:
        return TimeClass.BLITZ
    return TimeClass.STANDARD if total >= STANDARD_FROM_MS else TimeClass.RAPID


def has_increment(control: TimeControl) -> bool:
    """Return whether any period adds time with the moves: then there is no quickplay finish.

    See III.2.2, L233.
    """
    return any(period.increment_ms for period in control.periods)


GAMES_AN_ARBITER = {TimeClass.RAPID: 3, TimeClass.BLITZ: 1}
MOVES_OF_EACH = 10


def full_supervision_possible(kind: TimeClass, games_of_the_arbiter: int, *, recorded: bool) -> bool:
    """Return whether the competition rules may hold in full.

    An arbiter may supervise 3 games in rapid and 1 in blitz, each game recorded. In standard play the rules always
    hold.
    """
    return kind is TimeClass.STANDARD or (recorded and games_of_the_arbiter <= GAMES_AN_ARBITER[kind])


def basic(kind: TimeClass, supervision: Supervision) -> bool:
    """Return whether the simpler rules of rapid and blitz hold (A.5; L150, L161)."""
    return kind is not TimeClass.STANDARD and supervision is Supervision.BASIC


def ten_moves_made(white_moves: int, black_moves: int) -> bool:
    """Return whether each player has completed ten moves: then clock settings and set-up are settled.

    See L151, L152.
    """
    return min(white_moves, black_moves) >= MOVES_OF_EACH


def settings_locked(kind: TimeClass, supervision: Supervision, white_moves: int, black_moves: int) -> bool:
    """Return whether the clock setting stays as it is unless the schedule suffers.

    See A.4.1.1 / A.5.1.1, L151.
    """
    return basic(kind, supervision) and ten_moves_made(white_moves, black_moves)


def set_up_claim_open(kind: TimeClass, supervision: Supervision, white_moves: int, black_moves: int) -> bool:
    """Return whether a wrong set-up or orientation may still be claimed.

    See A.4.1.2 / A.5.1.2, L152; 7.2 sets no end.
    """
    return not settings_locked(kind, supervision, white_moves, black_moves)


def illegal_move_stands(
    kind: TimeClass, supervision: Supervision, *, reply_made: bool
) -> Literal["arbiter_or_claim", "stands", "restore"]:
    """Return the fate of a completed illegal move (A.4.2 / A.5.2, L153).

    Under basic supervision the arbiter applies 7.5.5, or the opponent claims, only before the opponent's next move is
    made; then the illegal move stands. Otherwise 7.5 has the position restored whenever it is found during the game.
    """
    if not basic(kind, supervision):
        return "restore"
    return "stands" if reply_made else "arbiter_or_claim"
