"""Commands and events of the table.

They concern opening it, its stations and settings, starting and ending. It also has what the arbiter sets and
corrects, and interruptions of the program.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Act, Count, Event, Ms, Name, PeriodNumber, Placement, Text, Uci
from server.game.laws.adaptations import Adaptation, ChecklistItem
from server.game.laws.event_options import EventOptions, Guideline
from server.game.laws.rule_set import RuleSet
from server.game.values.pairing import OwnPairing
from server.game.values.time_control import TimeControl
from server.game.values.words import Boards, ClockMaster, Duty, Mode, Role, Seat, SeatPlan


class StartGame(Act, by=Role.ARBITER, part="start", article="6.6"):
    """The arbiter starts the game: White's clock runs (6.6)."""


class SettleGuidelines(Act, by=Role.ARBITER, group="game", article="III.2.1"):
    """The arbiter enters which Guidelines hold at this table.

    I is about adjournments, III about the quickplay finish. III, and that no arbiter is there (`unsupervised`, III.6),
    can be entered only before the start (III.2.1). II stays as it is.
    """

    adjournments: bool
    quickplay: bool
    unsupervised: bool = False


class Pause(Act, by=Role.ARBITER, group="clock", article="12.2.6", form={"medical": {"empty": "nobody"}}):
    """The arbiter stops both clocks (6.11.1). `medical`: for medical attention to this player (12.2.6)."""

    medical: Seat | None = None
    reason: Text = ""


class Resume(Act, by=Role.ARBITER, of_play=True, group="clock", article="6.11.3"):
    """The arbiter restarts the game (6.11.3)."""


class SetClock(Act, by=Role.ARBITER, group="clock", article="6.10.2"):
    """The arbiter sets both times, and if wanted both move counters and periods, White's first (6.10.2)."""

    white_ms: Ms
    black_ms: Ms
    turn: Seat
    reason: Text = ""
    moves: tuple[Count, Count] | None = None
    periods: tuple[PeriodNumber, PeriodNumber] | None = None


class AddTime(Act, by=Role.ARBITER, group="clock", article="7.5.5"):
    """The arbiter gives a side time, or takes some (below zero): 7.5.5, 9.5.3, 12.5, 12.9."""

    seat: Seat
    ms: Annotated[int, msgspec.Meta(ge=-86_400_000, le=86_400_000)]
    reason: Text = ""
    article: Name = ""


class SetIncrement(Act, by=Role.ARBITER, group="clock", article="III.4", form={"increment_ms": {"sort": "seconds"}}):
    """Every move brings this increment to both players from now on (Guidelines III.4: 5 s).

    `reason`: after each player has made ten moves, why the schedule of the event requires it (A.5.1.1).
    """

    increment_ms: Annotated[int, msgspec.Meta(ge=0, le=600_000)]
    article: Name = "III.4"
    reason: Text = ""


class SetMode(Act, by=Role.ARBITER, group="game", article="D.2", form={"mode": {"words": "mode_name."}}):
    """The arbiter switches the program to table, relay or clock."""

    mode: Mode


class SetClockMaster(Act, by=Role.ARBITER, group="game", article="6.1", form={"clock_master": {"words": "master."}}):
    """The arbiter says which clock counts: server, livechess or manual."""

    clock_master: ClockMaster


class RecordAdaptation(
    Act,
    by=Role.ARBITER,
    part="adaptation",
    article="D.1",
    form={
        "name": {"sort": "adaptation", "label": "adaptation"},
        "value": {"sort": "adaptation_value", "label": "adaptation_value"},
        "approved": {"value": True},
    },
):
    """The arbiter records a D.1 adaptation by name, approved or not.

    Names, values and which may not change after the start: `config/rules/adaptations.toml`.
    """

    name: Name
    value: Text
    approved: bool = True


class TickChecklist(
    Act,
    by=Role.ARBITER,
    part="checklist",
    article="12.1",
    form={
        "item": {"sort": "check", "label": "checklist"},
        "seat": {"hidden": True},
        "ok": {"label": "checklist.ok", "value": True},
        "note": {"hidden": True},
    },
):
    """The arbiter has looked at something before the game; `seat`: at whose board.

    `item`: one of `config/rules/checklists.toml`.
    """

    item: Name
    seat: Seat | None = None
    ok: bool = True
    note: Text = ""


class DescribePlayer(Act, by=Role.ARBITER, group="game", article="D.2.11"):
    """The arbiter records what a seat has to be set up for; what is left out stays as it is.

    Fields as in `SeatPlan`: `hearing_impaired` (D.2.11), `needs` (12.2.6), `echo_scores` (D.2.7).
    """

    seat: Seat
    hearing_impaired: bool | None = None
    needs: Text | None = None
    echo_scores: bool | None = None


class Mend(Act, by=Role.ARBITER, duty=Duty.ANNOUNCE, after_the_end=True, group="irregular", article="D.2.9"):
    """The arbiter corrects the server's own game at one ply (G13); None: the move is unknown."""

    ply: Annotated[int, msgspec.Meta(ge=1, le=1200)]
    uci: Uci | None


class MarkOutOfStep(Act, by=Role.ARBITER, group="irregular", article="D.2.9"):
    """The arbiter notes that only the server is wrong (G13)."""

    note: Text = ""


class SetBoard(Act, by=Role.ARBITER, after_the_end=True, group="irregular", article="D.2.9"):
    """The arbiter enters how a physical board was seen or set up (D.2.9)."""

    board: Seat
    placement: Placement
    turn: Seat


class RuleResult(
    Act,
    by=Role.ARBITER,
    after_the_end=True,
    group="game",
    article="8.7",
    form={"result": {"words": ""}},
    sure={},
):
    """The arbiter ends the game."""

    result: Literal["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-"]
    reason: Text
    article: Text = ""


class CancelGame(Act, by=Role.ARBITER, group="irregular", article="7.2.1", form={"table": {"hidden": True}}, sure={}):
    """The game is cancelled and the same players play a new one (7.2.1, 7.3).

    The result is "*". The new game opens at a table of its own, `TABLE-game2`, with the same settings and stations and
    the clocks from the start. `exchanged`: with the colours exchanged.

    `table`: the name of the new game's table; the server gives it.
    """

    exchanged: bool = False
    article: Name = "7.2.1"
    reason: Text = ""
    table: Name = ""


class CallFlag(Act, by=Role.ARBITER, of_play=True, group="game", article="6.8", sure={}):
    """The arbiter has seen that this side's flag has fallen (6.8).

    `both`: both flags have, and nobody knows which fell first (III.3.1).
    """

    seat: Seat
    both: bool = False


class RehearsalNoted(Event):
    """The rehearsal before the game was held, or not, and why. Nothing else of it is on record.

    `passed`: the steps that were passed over, counted from 1.
    """

    outcome: Literal["done", "skipped"]
    reason: str = ""
    passed: tuple[int, ...] = ()


class TableOpened(Event):
    """A table is ready: who sits where, the start position, the time control, the edition of the Laws.

    See L001. `rules`: the edition's values as this event plays them, so that the record can be understood without
    another file; None in older records. `adaptations`: what may be adapted under D.1 (L175); empty in older records.
    `training`: talk about the position is allowed; never at a rated table. `follows`: the table of the cancelled game
    that this one replaces.
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
    starts: str = ""
    way: str = ""


class PairingChanged(Event):
    """The pairing of this table is another one: names, number of the board, appointed time, way to the table.

    `starts`: the time of day at which the round begins, "15:00", "" where nobody has said it. `way`: how a player finds
    the table, in the organiser's words.
    """

    white: str
    black: str
    board: int
    starts: str
    way: str


class PairingTold(Event):
    """A player's device was told of the pairing. `changed`: it was told another one for this round before."""

    station: str
    pairing: OwnPairing
    changed: bool


class NextGameOrdered(Event):
    """The game is cancelled: the same players play a new one at this table (7.2.1, 7.3)."""

    table: str
    exchanged: bool = False
    reason: str = ""


class NextGameOpened(Event):
    """The table of the new game is open, and every station is admitted there.

    `exchanged`: on the other side.
    """

    table: str
    exchanged: bool = False


class StationAdmitted(Event):
    """The arbiter admitted a device to the table.

    For an assistant's device that approves the assistant (4.9). `under`: 4.9, 6.2.6 or 8.1.6 where the assistant helps
    a player who cannot move, press or write; otherwise Appendix D applies. `provided_by`: who brought the assistant.
    """

    station: str
    role: Role
    seat: Seat | None = None
    duties: tuple[Duty, ...] = ()
    under: str = ""
    provided_by: str = ""


class StationRevoked(Event):
    """The arbiter sent a device away: it no longer belongs to this table."""

    station: str
    reason: str = ""


class ChecklistTicked(Event):
    """The arbiter has looked at something before the game.

    `ok` False: it is not in order. `seat` None: it is not about one board. `own`: the player has answered in person
    (`voice_recording`: whether the voice may be kept).
    """

    item: str
    seat: Seat | None
    ok: bool
    note: str = ""
    own: bool = False


class PlayerDescribed(Event):
    """The arbiter recorded what a seat has to be set up for; None: as it was.

    `assistant_needed`: whether an assistant must be used now and there is none (D.2.11).
    """

    seat: Seat
    hearing_impaired: bool | None = None
    needs: str | None = None
    echo_scores: bool | None = None
    assistant_needed: bool = False


class TwoBoardsDemanded(Event):
    """A player demanded two boards (D.1, L176): from here on there are two."""

    seat: Seat


class GuidelinesSettled(Event):
    """The Guidelines that hold at this table, and whether an arbiter is there (I, III.2.1, III.6).

    `quickplay`: whether III holds with the time control as it was set at that time (III.2.2).
    """

    guidelines: tuple[Guideline, ...]
    unsupervised: bool = False
    quickplay: bool = False


class GameStarted(Event):
    """White's clock starts (6.6).

    `appointed`: by itself at the appointed time, not by the arbiter's hand.
    """

    appointed: bool = False


class ModeChanged(Event):
    """The arbiter changed the part that the program plays at the table; no clock stops for it."""

    mode: Mode


class ClockMasterChanged(Event):
    """Another clock counts from here on."""

    clock_master: ClockMaster


class AdaptationRecorded(Event):
    """A D.1 adaptation was recorded by name, with the arbiter's approval or without (L175)."""

    name: str
    value: str
    approved: bool = True


class SetUpRuled(Event):
    """The ruling on a game with a wrong initial position, orientation or colours (7.2, 7.3).

    `placement`, `castling`: the set-up that stands, on `board` or (None) on both, and the castling rights it leaves
    (A.5.1.2). `names`: White's and Black's name from now on. `transfer`: the men of a turned board with their squares,
    "Ke1" (7.2.2).
    """

    what: str
    says: str
    article: str
    board: Seat | None = None
    placement: str = ""
    castling: str | None = None
    names: tuple[str, str] | None = None
    transfer: tuple[str, ...] = ()


class Interrupted(Event):
    """The program was not running.

    The clocks stand at the last witness, and the arbiter is shown the uncertainty. `move_ms`: how long the time of
    `turn` had run in its move by then, so that a delay is not given twice; None in older records.
    """

    white_ms: int
    black_ms: int
    turn: Seat
    uncertain_ms: int
    reason: str
    move_ms: int | None = None
