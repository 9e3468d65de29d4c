"""Commands and events about times other than those of moves (6.6, 6.7, 12.3, I.14).

The appointed start, presence, default time, sessions, low time.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.game.acts.base import Act, Event, Text
from server.game.values.words import Duty, Role, Seat

WEEK_MS = 7 * 86_400_000


class ScheduleStart(Act, by=Role.ARBITER, group="game", article="6.6"):
    """White's clock is to start in this many ms (6.6); None cancels the appointment."""

    in_ms: Annotated[int, msgspec.Meta(ge=0, le=WEEK_MS)] | None


class NotePresent(Act, by=Role.ARBITER, duty=Duty.CLAIM_AND_REPORT, group="game", article="6.7"):
    """The arbiter or an assistant sees that a player is at the board (6.7).

    A station at the table is no proof of that.
    """

    seat: Seat
    present: bool = True


class RuleAbsence(Act, by=Role.ARBITER, group="game", article="6.7.1", sure={"forfeit": (True,)}):
    """The arbiter confirms the forfeit of a player absent after the default time, or decides otherwise."""

    forfeit: bool
    reason: Text = ""


class StartSession(Act, by=Role.ARBITER, group="game", article="I.14"):
    """A session of this length begins, by the arbiter's timepiece; it is announced to everybody (I.14)."""

    length_ms: Annotated[int, msgspec.Meta(ge=1_000, le=WEEK_MS)]


class StartScheduled(Event):
    """White's clock is to start at this instant of this run.

    None: the appointment is cancelled (6.6, L061).
    """

    due_ms: int | None


class PresenceNoted(Event):
    """The arbiter, or an assistant, saw that a player is at the board, or is not (6.7)."""

    seat: Seat
    present: bool
    late: bool = False


class DefaultTimeOver(Event):
    """The default time is over: it is recorded who is absent, and the result that 6.7.1 (I.10) proposes.

    `proposed` is "" where nobody is absent.
    """

    absent: tuple[Seat, ...]
    proposed: str


class AbsenceRuled(Event):
    """The arbiter confirmed the forfeit, or decided otherwise (6.7.1, L062)."""

    absent: tuple[Seat, ...]
    forfeit: bool
    reason: str


class SessionStarted(Event):
    """A session of this length began, by the arbiter's timepiece (I.14, L225)."""

    length_ms: int


class SessionEnded(Event):
    """The length of the session has passed.

    Nothing follows automatically: the arbiter orders the sealing.
    """


class LowTime(Event):
    """A player's time has fallen to a threshold; only the arbiter is told (12.3, L138)."""

    seat: Seat
    threshold_s: int


class HandedOver(Event):
    """Another server leads the table from here on; clocks that run go on running.

    `common_ms`: what the clock of the database said at this instant, and `uncertain_ms` by how much that may be wrong.
    """

    common_ms: int
    uncertain_ms: int


class TakenOver(Event):
    """Another server than before leads the table, and the table's time goes on: `at` is still of the same beginning.

    `own_less_run_ms`: what the table's time is ahead of the run that writes this, so that its witnesses can be
    understood. `uncertain_ms`: by so much the time may have jumped; `detail` says it for the arbiter.
    """

    own_less_run_ms: int
    uncertain_ms: int
    detail: str


class InstantsVoided(Event):
    """A new run began: what was due at instants of the earlier run must be set again."""

    what: tuple[str, ...]
