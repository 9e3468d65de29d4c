"""A table, its stations, its settings, and its interruptions."""

from __future__ import annotations

from typing import Literal

from server.game.acts.event import Event
from server.game.laws.adaptations import Adaptation
from server.game.laws.checklists import ChecklistItem
from server.game.laws.event_options import EventOptions, Guideline
from server.game.laws.rule_set import RuleSet
from server.game.values.time_control import TimeControl
from server.game.values.words import Boards, ClockMaster, Duty, Mode, Role, Seat, SeatPlan


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
