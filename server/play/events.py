"""What happened at a table: frozen events. Each carries `at`, the ms of this run at which it happened.

Announced, made, completed, echoed and executed are five moments (1.3, D.2.3, 6.2.1, D.2.1), each with its time and
its origin. A board changes only by `BoardMoved` and `BoardSet`; a score only by `ScoreWritten`.
"""

from __future__ import annotations

import msgspec

from server.play.announcement import Announcement
from server.play.rules.event_options import EventOptions
from server.play.rules.rule_set import RuleSet
from server.play.time_control import TimeControl
from server.play.values import ClockMaster, Duty, Mode, Origin, Role, Seat, SeatPlan, snake_case

VERSION = 1


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=snake_case):
    """Anything that happened; `at` is ms of this run."""

    at: int


class TableOpened(Event, frozen=True, kw_only=True):
    """A table stands ready: who sits where, the start position, the time control, the edition of the Laws (L001).

    `rules`: the edition's values as this event plays them, so that the record needs no file to be understood; None in
    records older than that.
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
    regulations: EventOptions | None = None
    rules: RuleSet | None = None


class StationAdmitted(Event, frozen=True, kw_only=True):
    """The arbiter admitted a device to the table."""

    station: str
    role: Role
    seat: Seat | None = None
    duties: tuple[Duty, ...] = ()


class GameStarted(Event, frozen=True, kw_only=True):
    """White's clock starts (6.6)."""


class Announced(Event, frozen=True, kw_only=True):
    """A move was announced (D.2.1). `replaces`: a slip of the tongue corrected before the press (D.2.8, L195)."""

    seat: Seat
    ply: int
    announcement: Announcement
    words: tuple[str, ...]
    text: str
    origin: Origin
    utterance: str | None = None
    replaces: bool = False


class SoundKept(Event, frozen=True, kw_only=True):
    """An utterance of a seat lies on disk: its SHA-256 and length, or why it could not be written (D.2.7)."""

    seat: Seat
    utterance: str
    sha256: str | None
    length_ms: int
    fault: str | None = None


class NotUnderstood(Event, frozen=True, kw_only=True):
    """A sound from which no announcement came. `unclear`: what the sound left open, the only thing asked about."""

    seat: Seat
    ply: int
    utterance: str | None
    words: tuple[str, ...]
    unclear: str | None
    ask: bool = True


class AnnouncementRepeated(Event, frozen=True, kw_only=True):
    """The same words again: a repetition, not a move. It may be fuller than the first time ("from")."""

    seat: Seat
    ply: int
    words: tuple[str, ...] = ()
    text: str = ""
    utterance: str | None = None
    announcement: Announcement | None = None


class Contested(Event, frozen=True, kw_only=True):
    """Other words for a completed move: neither correction nor new move, for the arbiter (G14)."""

    seat: Seat
    ply: int
    announcement: Announcement
    words: tuple[str, ...]
    text: str
    utterance: str | None = None


class Made(Event, frozen=True, kw_only=True):
    """The move is made and the turn passes (1.3, D.2.3, 4.7)."""

    seat: Seat
    ply: int
    origin: Origin


class Completed(Event, frozen=True, kw_only=True):
    """The move is completed by the press, by ending the game or by the next move (6.2.1). The readings are kept."""

    seat: Seat
    ply: int
    origin: Origin
    white_ms: int
    black_ms: int


class ClockPressed(Event, frozen=True, kw_only=True):
    """A press. `effective`: it stopped the presser's running time. A press is never refused (L052)."""

    seat: Seat
    ply: int
    effective: bool


class Echoed(Event, frozen=True, kw_only=True):
    """The opponent repeated the announcement (D.2.1). `agrees` is None where the announcement was not understood."""

    seat: Seat
    ply: int
    announcement: Announcement | None
    words: tuple[str, ...]
    text: str
    origin: Origin
    agrees: bool | None
    utterance: str | None = None


class EchoRecalled(Event, frozen=True, kw_only=True):
    """Words first taken for a wrong echo were the player's own next announcement: there was no echo yet."""

    seat: Seat
    ply: int


class Executed(Event, frozen=True, kw_only=True):
    """The move was carried out on the other player's board (D.2.1)."""

    board: Seat
    ply: int
    origin: Origin


class BoardMoved(Event, frozen=True, kw_only=True):
    """A piece moved on one physical board."""

    board: Seat
    ply: int
    uci: str
    origin: Origin


class BoardSet(Event, frozen=True, kw_only=True):
    """One physical board was seen or set up as this placement."""

    board: Seat
    placement: str
    turn: Seat
    origin: Origin


class ScoreWritten(Event, frozen=True, kw_only=True):
    """One cell of one player's score (8.1, D.2.7): from his own dictation, announcement, echo or station only."""

    seat: Seat
    index: int
    text: str
    source: str
    utterance: str | None = None


class ClockPaused(Event, frozen=True, kw_only=True):
    """Both clocks stand (6.11); by a seat seeking the arbiter (6.11.2) or by the arbiter."""

    by: Role
    seat: Seat | None
    reason: str


class ClockResumed(Event, frozen=True, kw_only=True):
    """The arbiter restarts the game (6.11.3, L070)."""


class ClockSet(Event, frozen=True, kw_only=True):
    """The arbiter set both times, and if given both move counters and periods, White's first (6.10, 7.1)."""

    white_ms: int
    black_ms: int
    turn: Seat
    reason: str
    moves: tuple[int, int] | None = None
    periods: tuple[int, int] | None = None


class TimeAdded(Event, frozen=True, kw_only=True):
    """Time given to a side, or taken (below zero), by the arbiter: 7.5.5, 9.5.3, 12.5, 12.9."""

    seat: Seat
    ms: int
    reason: str
    article: str = ""


class IncrementSet(Event, frozen=True, kw_only=True):
    """From now on every move brings this increment to both (Guidelines III.4)."""

    increment_ms: int
    article: str = "III.4"


class PeriodBegun(Event, frozen=True, kw_only=True):
    """A display came to zero and the time of the next period was added (time controls that add at zero)."""

    seat: Seat


class FlagFell(Event, frozen=True, kw_only=True):
    """A display reached zero at this instant. Not a call of the flag: nothing ends by it (6.8, L064)."""

    seat: Seat


class Answered(Event, frozen=True, kw_only=True):
    """A question by a player, answered to him alone (D.2.6.1, D.2.10.4: only at his request)."""

    seat: Seat
    station: str
    what: str
    white_ms: int
    black_ms: int
    white_used_ms: int
    black_used_ms: int
    moves: int
    running: Seat | None
    words: tuple[str, ...] = ()
    score: tuple[str, ...] = ()


class SpokenPrivately(Event, frozen=True, kw_only=True):
    """What was said into a private ear, as text and as sound on disk, for the arbiter to check."""

    seat: Seat
    text: str
    utterance: str | None
    sha256: str | None
    length_ms: int


class DrawOffered(Event, frozen=True, kw_only=True):
    """An offer that stands until accepted or rejected; it cannot be withdrawn (9.1.2.1).

    `by_claim`: a claim of a draw is an offer too (9.1.2.3, III.4).
    """

    seat: Seat
    ply: int
    by_claim: bool = False


class DrawAnswered(Event, frozen=True, kw_only=True):
    """The opponent accepted or rejected the offer."""

    seat: Seat
    accepted: bool


class TimeClaimed(Event, frozen=True, kw_only=True):
    """A player or the assistant claims that the opponent's flag has fallen (6.8, D.2.10.5)."""

    seat: Seat


class DrawClaimed(Event, frozen=True, kw_only=True):
    """A draw is claimed, or asked for in a quickplay finish; the clocks stand and it cannot be withdrawn (9.5.1).

    `announcement`: the intended move, for the arbiter alone: neither announced nor made (9.2.1).
    """

    seat: Seat
    ply: int
    kind: str
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    ground: str | None = None


class ClaimRuled(Event, frozen=True, kw_only=True):
    """The arbiter's ruling on a claim: correct, wrong or postponed, with the article (9.5.2, 9.5.3, III.4, III.5)."""

    seat: Seat
    kind: str
    ruling: str
    article: str


class FlagCalled(Event, frozen=True, kw_only=True):
    """The arbiter has observed that this side's flag has fallen (6.8, A.4.5, A.5.5)."""

    seat: Seat


class Resigned(Event, frozen=True, kw_only=True):
    """A player resigned (5.1.2). The result follows, or waits for the arbiter (G11)."""

    seat: Seat


class ResultApproved(Event, frozen=True, kw_only=True):
    """A player has signed or approved the result after the end (8.7)."""

    seat: Seat
    result: str


class ArbiterCalled(Event, frozen=True, kw_only=True):
    """A player calls the arbiter (6.11.2)."""

    seat: Seat | None
    reason: str


class Adjusting(Event, frozen=True, kw_only=True):
    """A player said that he adjusts pieces (4.2.1, L026)."""

    seat: Seat


class ModeChanged(Event, frozen=True, kw_only=True):
    """The arbiter changed the way the program is at the table; no clock stops for it."""

    mode: Mode


class ClockMasterChanged(Event, frozen=True, kw_only=True):
    """Another clock leads from here on."""

    clock_master: ClockMaster


class AdaptationRecorded(Event, frozen=True, kw_only=True):
    """A D.1 adaptation by name, with the arbiter's approval (L175)."""

    name: str
    value: str


class GameMended(Event, frozen=True, kw_only=True):
    """The server's own game was mended at one ply (G13); boards and scores are untouched. None: unknown again."""

    ply: int
    uci: str | None


class OutOfStep(Event, frozen=True, kw_only=True):
    """Only the server is wrong (G13): no stop, no penalty, no word to the players."""

    ply: int
    note: str


class Alerted(Event, frozen=True, kw_only=True):
    """For the arbiter only. `grey`: rests on recognised words alone until a second source agrees."""

    kind: str
    ply: int
    grey: bool
    detail: str
    utterance: str | None = None


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over: "1-0", "0-1", "1/2-1/2" (or others by the arbiter, 11.8) and why, with the article."""

    result: str
    reason: str
    article: str


class TouchReported(Event, frozen=True, kw_only=True):
    """A piece was lifted, touched, placed or released on a player's board; numbered as they arrive (4.2, D.2.2).

    `because`: why it does not bind ("" where it may): not_on_move, adjusting, execution, accident, restored. `sealed`: kept from
    the arbiter until a dispute, since only one board senses (touch_evidence_one_sided).
    """

    number: int
    seat: Seat
    ply: int
    square: str
    how: str
    origin: Origin
    piece: str | None = None
    because: str = ""
    sealed: bool = False


class TouchRuled(Event, frozen=True, kw_only=True):
    """The arbiter ruled whether a touch binds: accidental contact does not (4.2.2)."""

    number: int
    counts: bool
    reason: str


class EvidenceOpened(Event, frozen=True, kw_only=True):
    """In a dispute the arbiter opened the sealed touches."""

    reason: str
    touches: tuple[TouchReported, ...]


class IrregularityRuled(Event, frozen=True, kw_only=True):
    """The arbiter made an irregularity of an alert, or none (`confirmed`): what the rule set says of it (7.5).

    `number`: the how-manieth that counts together. `counts`, `loses`, `bonus_ms` None: the rule set does not say.
    `proposed`: the result for the arbiter to declare; `opponent_can_mate` is what it rests on.
    """

    seat: Seat
    ply: int
    kind: str
    confirmed: bool
    counts: bool | None
    article: str
    number: int = 0
    loses: bool | None = None
    bonus_ms: int | None = None
    opponent_can_mate: str = ""
    proposed: str | None = None


class Restored(Event, frozen=True, kw_only=True):
    """The game went back to after this ply; the plies after it are a discarded line (7.1, 7.5.1)."""

    ply: int
    discarded: tuple[str | None, ...]
    reason: str


class AnnouncementOwed(Event, frozen=True, kw_only=True):
    """A sighted player pressed without announcing; by the arbiter's settlement his time runs until he speaks (G1)."""

    seat: Seat
    ply: int


class Decided(Event, frozen=True, kw_only=True):
    """The arbiter decided where the Laws have a gap (G1 to G14)."""

    gap: str
    ply: int
    decision: str
    article: str


class Penalised(Event, frozen=True, kw_only=True):
    """One of the nine penalties of 12.9. `amount`: ms, half points, rounds, or whole units of a fine."""

    seat: Seat
    penalty: str
    article: str
    amount: int
    reason: str


class IncidentNoted(Event, frozen=True, kw_only=True):
    """An entry of the incident log."""

    kind: str
    seat: Seat | None
    ply: int
    text: str
    article: str


class DeviceRegistered(Event, frozen=True, kw_only=True):
    """A device in the venue, approved or refused by the arbiter (11.3.2, 12.8)."""

    device: str
    seat: Seat | None
    approved: bool
    note: str
    after_start: bool


class LeaveRuled(Event, frozen=True, kw_only=True):
    """A player's request to leave the playing venue or area was granted or not (11.2)."""

    seat: Seat
    granted: bool
    reason: str


class AppealNoted(Event, frozen=True, kw_only=True):
    """An appeal against a decision; possible also after the end (11.10)."""

    seat: Seat | None
    against: str
    text: str


class SheetAsked(Event, frozen=True, kw_only=True):
    """A player asked to be shown the arbiter's scoresheet: `show`, or from the sixth on a `distraction` (A.4.3)."""

    seat: Seat
    number: int
    answer: str
    article: str


class SetUpRuled(Event, frozen=True, kw_only=True):
    """What becomes of a game with a wrong initial position, orientation or colours (7.2, 7.3)."""

    what: str
    says: str
    article: str


class RecordingExempted(Event, frozen=True, kw_only=True):
    """A player need not record for the rest of this period of his clock, counted from 0 (8.4)."""

    seat: Seat
    period: int


class Interrupted(Event, frozen=True, kw_only=True):
    """The program was away: clocks stand paused at the last witness; the uncertainty is shown to the arbiter."""

    white_ms: int
    black_ms: int
    turn: Seat
    uncertain_ms: int
    reason: str


AnyEvent = (
    TableOpened
    | StationAdmitted
    | GameStarted
    | Announced
    | SoundKept
    | NotUnderstood
    | AnnouncementRepeated
    | Contested
    | Made
    | Completed
    | ClockPressed
    | Echoed
    | EchoRecalled
    | Executed
    | BoardMoved
    | BoardSet
    | ScoreWritten
    | ClockPaused
    | ClockResumed
    | ClockSet
    | TimeAdded
    | IncrementSet
    | PeriodBegun
    | FlagFell
    | Answered
    | SpokenPrivately
    | DrawOffered
    | DrawAnswered
    | TimeClaimed
    | DrawClaimed
    | ClaimRuled
    | FlagCalled
    | Resigned
    | ResultApproved
    | ArbiterCalled
    | Adjusting
    | ModeChanged
    | ClockMasterChanged
    | AdaptationRecorded
    | GameMended
    | OutOfStep
    | Alerted
    | GameEnded
    | Interrupted
    | TouchReported
    | TouchRuled
    | EvidenceOpened
    | IrregularityRuled
    | Restored
    | AnnouncementOwed
    | Decided
    | Penalised
    | IncidentNoted
    | DeviceRegistered
    | LeaveRuled
    | AppealNoted
    | SheetAsked
    | SetUpRuled
    | RecordingExempted
)
