"""What the arbiter does to the game: start, stop, set, switch, mend, end.

A table, its stations, its settings, and its interruptions.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body, Count, Event, Ms, Name, PeriodNumber, Placement, Text, Uci
from server.game.laws.adaptations import Adaptation, ChecklistItem
from server.game.laws.event_options import EventOptions, Guideline
from server.game.laws.rule_set import RuleSet
from server.game.values.time_control import TimeControl
from server.game.values.words import Boards, ClockMaster, Duty, Mode, Role, Seat, SeatPlan


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


class RehearsalNoted(Event, frozen=True, kw_only=True):
    """The rehearsal before the game was held, or not, and why; `passed`: steps that were passed over, from 1."""

    outcome: Literal["done", "skipped"]
    reason: str = ""
    passed: tuple[int, ...] = ()


class TableOpened(Event, frozen=True, kw_only=True):
    """A table stands ready: who sits where, the start position, the time control, the edition of the Laws (L001).

    `rules`: the edition's values as this event plays them, so that the record needs no file to be understood; None in
    records older than that. `adaptations`: what may be adapted under D.1 (L175); empty in records older than that.
    `training`: the silence about the position is lifted, by name; never at a rated table. `follows`: the table of the
    cancelled game in whose place this one is played.
    """

    white: SeatPlan
    black: SeatPlan
    start_fen: str
    control: TimeControl
    rated: bool = True
    mode: Mode = Mode.TABLE
    clock_master: ClockMaster = ClockMaster.SERVER
    rule_set: str = "fide2023"
    chess960: bool = False
    event_name: str = ""
    round: str = ""
    board: int = 0
    regulations: EventOptions | None = None
    rules: RuleSet | None = None
    adaptations: tuple[Adaptation, ...] = ()
    boards: Boards = Boards.TWO
    checklist: tuple[ChecklistItem, ...] = ()
    training: bool = False
    follows: str = ""


class NextGameOrdered(Event, frozen=True, kw_only=True):
    """The game is cancelled: a new one is played by the same players at this table (7.2.1, 7.3)."""

    table: str
    exchanged: bool = False
    reason: str = ""


class NextGameOpened(Event, frozen=True, kw_only=True):
    """The new game's table stands open, and every station is admitted there; `exchanged`: on the other side."""

    table: str
    exchanged: bool = False


class StationAdmitted(Event, frozen=True, kw_only=True):
    """The arbiter admitted a device to the table; of an assistant's, that is his approval of the assistant (4.9).

    `under`: 4.9, 6.2.6 or 8.1.6 where the assistant is one of a player who cannot move, press or write; else it is
    Appendix D. `provided_by`: who brought the assistant.
    """

    station: str
    role: Role
    seat: Seat | None = None
    duties: tuple[Duty, ...] = ()
    under: str = ""
    provided_by: str = ""


class StationRevoked(Event, frozen=True, kw_only=True):
    """The arbiter sent a device away: it is no station of this table any more."""

    station: str
    reason: str = ""


class ChecklistTicked(Event, frozen=True, kw_only=True):
    """The arbiter has looked at something before the game; `ok` False: not in order. `seat` None: not of one board.

    `own`: the player himself has answered (whether his voice may be kept).
    """

    item: str
    seat: Seat | None
    ok: bool
    note: str = ""
    own: bool = False


class TwoBoardsDemanded(Event, frozen=True, kw_only=True):
    """A player demanded two boards (D.1, L176): from here on there are two."""

    seat: Seat


class GuidelinesSettled(Event, frozen=True, kw_only=True):
    """Which Guidelines the regulations of this table have, and whether an arbiter is there (I, III.2.1, III.6).

    `quickplay`: whether III holds with the time control as it was set then (III.2.2).
    """

    guidelines: tuple[Guideline, ...]
    unsupervised: bool = False
    quickplay: bool = False


class GameStarted(Event, frozen=True, kw_only=True):
    """White's clock starts (6.6). `appointed`: by itself at the appointed time, and not by the arbiter's hand."""

    appointed: bool = False


class ModeChanged(Event, frozen=True, kw_only=True):
    """The arbiter changed the way the program is at the table; no clock stops for it."""

    mode: Mode


class ClockMasterChanged(Event, frozen=True, kw_only=True):
    """Another clock leads from here on."""

    clock_master: ClockMaster


class AdaptationRecorded(Event, frozen=True, kw_only=True):
    """A D.1 adaptation by name, with the arbiter's approval or without (L175)."""

    name: str
    value: str
    approved: bool = True


class SetUpRuled(Event, frozen=True, kw_only=True):
    """What becomes of a game with a wrong initial position, orientation or colours (7.2, 7.3).

    `placement`, `castling`: the set-up that stands, on `board` or (None) on both, and the rights it leaves (A.5.1.2).
    `names`: White's and Black's from now on. `transfer`: the men of a turned board with their squares, "Ke1" (7.2.2).
    """

    what: str
    says: str
    article: str
    board: Seat | None = None
    placement: str = ""
    castling: str | None = None
    names: tuple[str, str] | None = None
    transfer: tuple[str, ...] = ()


class Interrupted(Event, frozen=True, kw_only=True):
    """The program was away: clocks stand paused at the last witness; the uncertainty is shown to the arbiter.

    `move_ms`: how long the time of `turn` had run in its move by then, so that a delay is not given twice; None in
    older records.
    """

    white_ms: int
    black_ms: int
    turn: Seat
    uncertain_ms: int
    reason: str
    move_ms: int | None = None


OpeningEvent = (
    TableOpened
    | StationAdmitted
    | StationRevoked
    | ChecklistTicked
    | TwoBoardsDemanded
    | GuidelinesSettled
    | GameStarted
    | ModeChanged
    | ClockMasterChanged
    | AdaptationRecorded
    | SetUpRuled
    | Interrupted
    | RehearsalNoted
    | NextGameOrdered
    | NextGameOpened
)
