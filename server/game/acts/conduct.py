"""Commands and events of supervision and conduct.

See 6.11.4, 11.2, 11.3, A.4, B.2, D.2.6.2. They are: rulings on stopped clocks, devices found, leaving the playing area,
how many games an arbiter watches, and the times read off another clock.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Act, Event, Ms, Text
from server.game.values.words import Duty, Role, Seat

Article = Annotated[str, msgspec.Meta(max_length=12, pattern=r"^(D\.)?\d{1,2}(\.\d{1,2}){1,3}\Z")]
Device = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class RuleStop(Act, by=Role.ARBITER, group="clock", article="6.11.4", form={"valid": {"value": True}}):
    """The arbiter rules whether the last player who stopped the clock had a valid reason (6.11.4)."""

    valid: bool
    reason: Text = ""


class NoteDeviceFound(Act, by=Role.ARBITER, group="conduct", article="11.3.2.2"):
    """The arbiter found a device on a player (11.3.2.2)."""

    seat: Seat
    device: Device
    note: Text = ""


class ReportLeaving(Act, by=Role.PLAYER):
    """A player leaves the playing area, or is `back` (11.2.4)."""

    back: bool = False


class NoteSupervision(Act, by=Role.ARBITER, group="conduct", article="A.4"):
    """The number of games that this arbiter supervises, and whether each is recorded (A.4.1-2, B.2.1-2)."""

    games: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    recorded: bool = True


class ReadClock(Act, by=Role.ARBITER, duty=Duty.INFORM, group="clock", article="D.2.6.2"):
    """The times of another clock were read off it; that clock still counts (D.2.6.2)."""

    white_ms: Ms
    black_ms: Ms


class ReportToArbiter(Act, by=Role.OBSERVER, after_the_end=True):
    """An observer appointed by the arbiter reports to the arbiter alone, and decides nothing (12.4)."""

    kind: Literal["flag", "touch", "irregularity", "conduct", "noise", "other"]
    text: Text = ""
    seat: Seat | None = None


class AskLaw(Act, by=Role.PLAYER, duty=Duty.INFORM, after_the_end=True):
    """A player, or an assistant for the player, asks the arbiter to explain a point of the Laws (11.9)."""

    article: Article


class ReleaseLaw(
    Act, by=Role.ARBITER, after_the_end=True, group="conduct", article="11.9", form={"article": {"sort": "article"}}
):
    """The arbiter has the short words on an article (`words/laws.toml` of a language) read to this player (11.9)."""

    seat: Seat
    article: Article


class NoteDisturbance(
    Act, by=Role.ARBITER, after_the_end=True, group="conduct", article="12.7", form={"seat": {"empty": "nobody"}}
):
    """The arbiter notes that a spectator, or a player of another game, disturbed this one (12.7).

    `seat`: the player who was disturbed; None: both, or neither more than the other. `expelled`: they had to leave.
    """

    text: Text
    seat: Seat | None = None
    expelled: bool = False


class StopRuled(Event):
    """The arbiter ruled whether a player had a valid reason to stop the clock (6.11.4).

    If not, the arbiter may apply 12.9.
    """

    seat: Seat
    valid: bool
    reason: str
    article: str


class DisturbanceNoted(Event):
    """The arbiter noted a disturbance from outside the game (12.7).

    `seat`: the player who was disturbed. `expelled`: who disturbed had to leave the playing venue.
    """

    seat: Seat | None
    ply: int
    text: str
    expelled: bool


class DeviceFound(Event):
    """The arbiter found a device on a player (11.3.2.2).

    `approved`: it is on the approved list. `proposed`: what the arbiter may order.
    """

    seat: Seat
    device: str
    approved: bool
    proposed: str
    note: str


class LeavingReported(Event):
    """A player said that they leave the playing area, or that they are back (11.2.4)."""

    seat: Seat
    back: bool
    required: bool


class SupervisionNoted(Event):
    """The number of games that this arbiter supervises, and whether the full rules may hold (A.4, B.2)."""

    games: int
    recorded: bool
    possible: bool
    article: str


class ClockRead(Event):
    """Another clock was read: the server only tells these times, with their age (D.2.6.2).

    `ply`: the completed move after which they are kept as its times (7.1); 0: after no move.
    """

    white_ms: int
    black_ms: int
    ply: int = 0


class ObserverReported(Event):
    """An observer reported what they saw (12.4).

    It is neither the arbiter's own observation nor a ruling.
    """

    station: str
    kind: str
    text: str
    seat: Seat | None
    ply: int


class LawAsked(Event):
    """A player asked the arbiter to explain a point of the Laws (11.9)."""

    seat: Seat
    article: str


class LawReleased(Event):
    """The arbiter had the words on an article read to a player.

    Only the number of the article is recorded.
    """

    seat: Seat
    article: str
