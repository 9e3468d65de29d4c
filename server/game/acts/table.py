"""What the arbiter does to the game: start, stop, set, switch, mend, end."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body, Count, Ms, Name, PeriodNumber, Placement, Text, Uci
from server.game.values.words import ClockMaster, Mode, Seat


class StartGame(Body, frozen=True, kw_only=True):
    """White's clock is started (6.6)."""


class SettleGuidelines(Body, frozen=True, kw_only=True):
    """Which Guidelines the regulations of the event have here: I (adjournments) and III (quickplay finish).

    III, and that no arbiter is there (`unsupervised`, III.6), only before the start (III.2.1). II stays as it is.
    """

    adjournments: bool
    quickplay: bool
    unsupervised: bool = False


class Pause(Body, frozen=True, kw_only=True):
    """The arbiter stops both clocks (6.11.1). `medical`: for medical attention to this player (12.2.6)."""

    reason: Text = ""
    medical: Seat | None = None


class Resume(Body, frozen=True, kw_only=True):
    """The arbiter restarts the game (6.11.3)."""


class SetClock(Body, frozen=True, kw_only=True):
    """The arbiter sets both times, and if he likes both move counters and periods, White's first (6.10.2)."""

    white_ms: Ms
    black_ms: Ms
    turn: Seat
    reason: Text = ""
    moves: tuple[Count, Count] | None = None
    periods: tuple[PeriodNumber, PeriodNumber] | None = None


class AddTime(Body, frozen=True, kw_only=True):
    """The arbiter gives a side time, or takes some (below zero): 7.5.5, 9.5.3, 12.5, 12.9."""

    seat: Seat
    ms: Annotated[int, msgspec.Meta(ge=-86_400_000, le=86_400_000)]
    reason: Text = ""
    article: Name = ""


class SetIncrement(Body, frozen=True, kw_only=True):
    """From now on every move brings this increment to both (Guidelines III.4: 5 s).

    `reason`: after ten moves of each, why the schedule of the event asks for it (A.5.1.1).
    """

    increment_ms: Annotated[int, msgspec.Meta(ge=0, le=600_000)]
    article: Name = "III.4"
    reason: Text = ""


class SetMode(Body, frozen=True, kw_only=True):
    """table, relay or clock."""

    mode: Mode


class SetClockMaster(Body, frozen=True, kw_only=True):
    """server, livechess or manual."""

    clock_master: ClockMaster


class RecordAdaptation(Body, frozen=True, kw_only=True):
    """A D.1 adaptation by name, with the arbiter's approval or without."""

    name: Name
    value: Text
    approved: bool = True


class TickChecklist(Body, frozen=True, kw_only=True):
    """The arbiter has looked at something before the game; `seat`: at whose board."""

    item: Name
    seat: Seat | None = None
    ok: bool = True
    note: Text = ""


class Mend(Body, frozen=True, kw_only=True):
    """The server's own game is mended at one ply (G13); None: unknown."""

    ply: Annotated[int, msgspec.Meta(ge=1, le=1200)]
    uci: Uci | None


class MarkOutOfStep(Body, frozen=True, kw_only=True):
    """Only the server is wrong (G13)."""

    note: Text = ""


class SetBoard(Body, frozen=True, kw_only=True):
    """A physical board as it was seen or set up by the arbiter (D.2.9)."""

    board: Seat
    placement: Placement
    turn: Seat


class RuleResult(Body, frozen=True, kw_only=True):
    """The arbiter ends the game."""

    result: Literal["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-"]
    reason: Text
    article: Text = ""


class CancelGame(Body, frozen=True, kw_only=True):
    """The game is cancelled and a new one is played by the same players (7.2.1, 7.3). `exchanged`: the colours are.

    `table`: the name of the new game's table; the server gives it.
    """

    exchanged: bool = False
    reason: Text = ""
    article: Name = "7.2.1"
    table: Name = ""


class CallFlag(Body, frozen=True, kw_only=True):
    """The arbiter has seen that this side's flag has fallen (6.8). `both`: both have, and not which first (III.3.1)."""

    seat: Seat
    both: bool = False
