"""What the arbiter does about times outside the plies: appointment, presence, default time, sessions."""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.game.acts.base import Body, Text
from server.game.values.words import Seat

WEEK_MS = 7 * 86_400_000


class ScheduleStart(Body, frozen=True, kw_only=True):
    """White's clock is to start in so many ms (6.6); None takes the appointment back."""

    in_ms: Annotated[int, msgspec.Meta(ge=0, le=WEEK_MS)] | None


class NotePresent(Body, frozen=True, kw_only=True):
    """The arbiter or an assistant sees that a player is at the board (6.7): a station on the table is no proof."""

    seat: Seat
    present: bool = True


class RuleAbsence(Body, frozen=True, kw_only=True):
    """The arbiter confirms the forfeit of whoever was absent at the end of the default time, or decides otherwise."""

    forfeit: bool
    reason: Text = ""


class StartSession(Body, frozen=True, kw_only=True):
    """A session of this length begins, by the arbiter's timepiece; it is announced to all (I.14)."""

    length_ms: Annotated[int, msgspec.Meta(ge=1_000, le=WEEK_MS)]
