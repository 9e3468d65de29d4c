"""What is entered about supervision and conduct (6.11.4, 11.2, 11.3, A.4, B.2, D.2.6.2)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body, Ms, Text
from server.game.values.words import Seat

Article = Annotated[str, msgspec.Meta(max_length=12, pattern=r"^(D\.)?\d{1,2}(\.\d{1,2}){1,3}\Z")]
Device = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class RuleStop(Body, frozen=True, kw_only=True):
    """The arbiter rules whether the last player who stopped the clock had a valid reason (6.11.4)."""

    valid: bool
    reason: Text = ""


class NoteDeviceFound(Body, frozen=True, kw_only=True):
    """The arbiter found a device on a player (11.3.2.2)."""

    seat: Seat
    device: Device
    note: Text = ""


class ReportLeaving(Body, frozen=True, kw_only=True):
    """A player leaves the playing area, or is `back` (11.2.4)."""

    back: bool = False


class NoteSupervision(Body, frozen=True, kw_only=True):
    """How many games the arbiter of this one supervises, and whether each is recorded (A.4.1-2, B.2.1-2)."""

    games: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    recorded: bool = True


class ReadClock(Body, frozen=True, kw_only=True):
    """The times of another clock as they were read off it; it goes on leading (D.2.6.2)."""

    white_ms: Ms
    black_ms: Ms


class ReportToArbiter(Body, frozen=True, kw_only=True):
    """An observer whom the arbiter appointed reports what he saw, to the arbiter alone; he decides nothing (12.4)."""

    kind: Literal["flag", "touch", "irregularity", "conduct", "noise", "other"]
    text: Text = ""
    seat: Seat | None = None


class AskLaw(Body, frozen=True, kw_only=True):
    """A player asks the arbiter to explain a point of the Laws (11.9); an assistant asks for him."""

    article: Article


class ReleaseLaw(Body, frozen=True, kw_only=True):
    """The arbiter has the short words on an article read to this player (11.9)."""

    seat: Seat
    article: Article
