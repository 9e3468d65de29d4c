"""The state of a table is what its events so far add up to. It is frozen and changed only by `apply`."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.game.acts import (
    AdaptationRecorded,
    ChecklistTicked,
    ClockChoiceAsked,
    Contested,
    CuesAsked,
    Snapshot,
    TouchReported,
)
from server.game.laws.adaptations import Adaptation, ChecklistItem
from server.game.laws.event_options import EventOptions
from server.game.laws.rule_set import UNSTATED, RuleSet
from server.game.laws.scoresheet import Scoresheet
from server.game.laws.touch import Touch
from server.game.state.desk import Desk, Setting
from server.game.values.adjournment import Adjournment
from server.game.values.announcement import Announcement
from server.game.values.candidates import UtteranceHeard
from server.game.values.clock import ChessClock
from server.game.values.position import Position
from server.game.values.saying import Saying
from server.game.values.time_control import ClockPeriod, TimeControl
from server.game.values.words import (
    ArbiterEar,
    Boards,
    ClockMaster,
    Mode,
    Origin,
    PressKeys,
    Seat,
    SeatKind,
    SeatPlan,
    SeatSound,
    Station,
)

START = Position.from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


class PlyRecord(msgspec.Struct, frozen=True):
    """This is one ply of the game as played: its moments, each with time (ms of its run) and origin."""

    index: int
    seat: Seat
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    announced_origin: Origin | None = None
    utterance: str | None = None
    announced_ms: int | None = None
    made_ms: int | None = None
    completed_ms: int | None = None
    white_ms: int | None = None
    black_ms: int | None = None
    periods: tuple[int, int] | None = None  # the periods in which White and Black were when it was completed
    echo: Announcement | None = None
    echo_words: tuple[str, ...] = ()
    echo_text: str = ""
    echo_agrees: bool | None = None
    echo_utterance: str | None = None
    echoed_ms: int | None = None
    echo_origin: Origin | None = None
    executed_ms: int | None = None
    repeated: Announcement | None = None
    entered: str | None = None
    seen_on_other_board: str | None = None
    own_board_moved: bool = False
    mended: str | None = None
    contested: bool = False
    left_over: Contested | None = None  # the last contested words; of an opponent whom we do not hear they are the echo
    scored_own: bool = False
    scored_echo: bool = False
    utterances: tuple[UtteranceHeard, ...] = ()  # what each may have been; for the record and the arbiter alone
    believed: str | None = None  # what all the words together say, where the words alone said something else
    announced_by_board: bool = False  # the program announced what was entered or sensed; the player said nothing
    placed: str | None = None  # the move that was seen on the player's own board and stands there
    hand_differs: bool = False  # the player announced another move than that one
    settled: bool = False  # the arbiter settled at the desk what this ply was (D.2.9); `mended` is the move, if known
    anchor: Position | None = None  # the position that stood after it, as the arbiter decided, whatever moves led there

    @property
    def made(self) -> bool:
        """Return whether the move is made (the turn has passed)."""
        return self.made_ms is not None

    @property
    def completed(self) -> bool:
        """Return whether the move is completed (pressed)."""
        return self.completed_ms is not None

    @property
    def by_hand(self) -> str | None:
        """Return the player's move made by hand, where it outweighs words.

        It does not where the opponent echoed that the player announced another one. That is a conflict for the arbiter
        (D.2.9).
        """
        return None if self.hand_differs and self.echo_agrees else self.entered

    @property
    def echoed(self) -> bool:
        """Return whether the opponent has echoed the move without contradiction."""
        return self.echoed_ms is not None and self.echo_agrees is not False


class BoardState(msgspec.Struct, frozen=True):
    """This is one physical board by its own events.

    It says what stands on it, and what stood before the last move on it.
    """

    position: Position
    before: Position


class ScoreCell(msgspec.Struct, frozen=True):
    """This is one cell of a player's score.

    Its text (empty where only the sound is kept), its source, its sound.
    """

    text: str
    source: str
    utterance: str | None = None


class OpenClaim(msgspec.Struct, frozen=True):
    """This is a claim of a draw, or a request in a quickplay finish.

    It says by whom it was made, after which ply, and with which intended move.
    """

    seat: Seat
    ply: int
    kind: str
    announcement: Announcement | None = None
    text: str = ""
    ground: str | None = None
    awaits: bool = False  # the intended move, or the word that there is none, is still to come
    asks: tuple[str, ...] = ()  # the claims of Guidelines III the player is asked about, the first one now


class MateQuestion(msgspec.Struct, frozen=True):
    """This is an open question: can this seat ever mate from the position after this ply?

    None: it is unknown.
    """

    number: int
    seat: Seat
    ply: int
    position: Position | None
    why: str
    note: str = ""
    said: Saying | None = None


class Pending(msgspec.Struct, frozen=True):
    """This is what a player said that waits for their own yes.

    It says since when it stands, until when (ms of the run).
    """

    seat: Seat
    what: str
    sound_ms: int
    until_ms: int
    after: int  # the last ply announced or made when it was said
    found: str = ""


class Helped(msgspec.Struct, frozen=True):
    """These are the first words that a player was told for help, and when (ms of its run)."""

    at: int
    words: tuple[str, ...]


class SpokenNow(msgspec.Struct, frozen=True):
    """This is what the machine announces into a player's ear, since when and until when (ms of the run).

    `until_ms` None: not known yet.
    """

    seat: Seat
    utterance: str
    since: int
    until_ms: int | None = None


class HeldPress(msgspec.Struct, frozen=True):
    """This is a press that waits for the end of its announcement.

    `charge`: whose time that is, mover or none.
    """

    seat: Seat
    ply: int
    since: int
    charge: str


class Reconstruction(msgspec.Struct, frozen=True):
    """This is a game being reconstructed on a further board (8.5.3).

    It says what was recorded before, and its moves.
    """

    snapshot: Snapshot
    line: tuple[str, ...]
    positions: tuple[Position, ...]


class Concluded(msgspec.Struct, frozen=True):
    """This is a claim that ended play without an arbiter (III.6).

    It says whose claim it is, what stood at that time, and what the opponent said of it.
    """

    seat: Seat
    ground: str
    snapshot: Snapshot
    agrees: bool | None = None


class NextGame(msgspec.Struct, frozen=True):
    """This is the new game that replaces a cancelled one.

    It says at which table, with which colours, and whether it is open.
    """

    table: str
    exchanged: bool
    open: bool = False


class GameState(msgspec.Struct, frozen=True):
    """This is everything about one table.

    `line`, `positions`: what the server believes, never a board or a score.
    """

    opened: bool = False
    white: SeatPlan = SeatPlan(SeatKind.TACTILE)
    black: SeatPlan = SeatPlan(SeatKind.SIGHTED)
    rated: bool = True
    training: bool = False
    mode: Mode = Mode.TABLE
    clock_master: ClockMaster = ClockMaster.SERVER
    rule_set: str = "fide2023"
    event_name: str = ""
    round: str = ""
    board_number: int = 0  # in the round
    rules: RuleSet = UNSTATED
    regulations: EventOptions = EventOptions()
    boards: Boards = Boards.TWO
    checklist: tuple[ChecklistItem, ...] = ()
    ticks: tuple[ChecklistTicked, ...] = ()  # the last entry on each item that was looked at
    known_adaptations: tuple[Adaptation, ...] = ()  # what may be adapted here; none in records older than that
    adaptations: tuple[AdaptationRecorded, ...] = ()  # the last entry on each that was recorded
    stations: tuple[Station, ...] = ()
    started: bool = False
    result: str | None = None
    reason: str = ""
    ended_by: str = ""  # the article of the result; "" in older records
    follows: str = ""  # the table of the cancelled game that this one replaces
    next_game: NextGame | None = None  # this one is cancelled
    approvals: tuple[tuple[Seat, str], ...] = ()  # the result that each player has approved (8.7)
    begun: tuple[Position, TimeControl] | None = None  # the initial position and the setting of the clock at the start
    clock: ChessClock = ChessClock.set_to(TimeControl((ClockPeriod(None, 5_400_000, 30_000),)))
    plies: tuple[PlyRecord, ...] = ()
    line: tuple[str | None, ...] = ()
    positions: tuple[Position, ...] = (START,)
    white_board: BoardState = BoardState(START, START)
    black_board: BoardState = BoardState(START, START)
    white_score: tuple[ScoreCell | None, ...] = ()
    black_score: tuple[ScoreCell | None, ...] = ()
    offer_by: Seat | None = None
    offer_after: int = 0  # the last ply announced or made when the standing offer was made
    offer_by_claim: bool = False  # whether the standing offer was made by claiming a draw (9.1.2.3)
    offer_delivered: bool = True  # for a hearing-impaired opponent only when they have seen it (D.2.11)
    offers: tuple[int, int] = (0, 0)  # how many offers White and Black have made (11.5)
    claim: OpenClaim | None = None  # waits for the arbiter's ruling
    postponed: OpenClaim | None = None  # III.5.2: survives the fall of a flag
    intended: OpenClaim | None = None  # 9.5.3: this move must be made
    increment_request: Literal["open", "granted", "refused"] = "open"  # III.4
    resigned: Seat | None = None
    flag_seen: Seat | None = None  # whose flag was claimed or called, until play goes on (6.8)
    mates_asked: int = 0
    mate_questions: tuple[MateQuestion, ...] = ()  # answered outside the decision
    pending: tuple[Pending, ...] = ()  # waits for the player's own yes
    ends_told: tuple[tuple[str, int, bool], ...] = ()  # what the arbiter has been told of: kind, ply, grey
    touches: tuple[TouchReported, ...] = ()
    adjusting: tuple[Seat, int] | None = None  # who said "I adjust", in which ply (4.2.1)
    castling_meant: tuple[Seat, int] | None = None  # who said "I am about to castle", in which ply (II.3.2.7)
    illegals: tuple[tuple[Seat, str], ...] = ()  # what the arbiter ruled, by seat and kind (7.5)
    ruled: tuple[tuple[int, Seat], ...] = ()  # the plies of the present line that the arbiter ruled on
    replacing: tuple[int, tuple[Touch, ...]] | None = None  # the ply that replaces an illegal move, what was touched
    discarded: tuple[tuple[PlyRecord, ...], ...] = ()  # lines that the arbiter took back (7.1)
    owed: Seat | None = None  # who pressed without announcing and has their time run until they speak (G1)
    exempt: tuple[int | None, int | None] = (None, None)  # the period in which White, Black need not record (8.4)
    sheets: tuple[Scoresheet, Scoresheet] = (Scoresheet.DICTATED, Scoresheet.PAPER)  # on what each keeps the score
    offers_at: tuple[int, ...] = ()  # the plies at which a draw was offered (8.1.5)
    offer_marks: tuple[tuple[Seat, int], ...] = ()  # who spoke of an offer there and keeps score by voice
    due: tuple[Seat, ...] = ()  # who must complete their score after a flag (8.5)
    due_through: int = 0  # up to which ply
    reconstruction: Reconstruction | None = None  # on a further board (8.5.3)
    desk: Desk | None = None  # the reconciliation desk is open (D.2.9)
    setting: Setting | None = None  # the boards are being set as the arbiter decided (D.2.9, 7.5.1)
    lent: Seat | None = None  # who may hear the opponent's score (8.5.2)
    sheet_requests: tuple[int, int] = (0, 0)
    devices: tuple[tuple[str, bool], ...] = ()
    announcing: tuple[SpokenNow, ...] = ()  # what the machine announces into each player's ear
    held: HeldPress | None = None  # a press that waits for an announcement (announcement_on_movers_time)
    stopped_by: Seat | None = None  # the last player who stopped the clock, until the reason is ruled on (6.11.4)
    clock_read: tuple[int, int, int] | None = None  # another clock: when it was read (ms of this run), White, Black
    alerts: int = 0  # how many alerts the arbiter was given, and the kind of the last
    last_alert: str = ""
    grey_alerts: int = 0  # how many of them rest on recognised words alone
    appointed_ms: int | None = None  # the instant of this run at which White's clock is to start (6.6)
    attendance: tuple[Seat, ...] | None = None  # who was seen at the board; None: nobody has looked (6.7)
    default_due_ms: int | None = None  # the instant of this run at which the default time is over
    absent: tuple[Seat, ...] = ()  # who was missing then, while the arbiter has not ruled
    session_due_ms: int | None = None  # the instant of this run at which the session ends (I.14)
    low_told: tuple[tuple[Seat, int], ...] = ()  # thresholds (s) of which the arbiter has been told (12.3)
    cues: tuple[CuesAsked, ...] = ()  # what each player wants to be told of their time unasked (D.2.6.1)
    cued: tuple[tuple[Seat, int], ...] = ()  # the times left (s) that each player has been told
    proposed_clock: tuple[Seat, TimeControl] | None = None  # a player set it; the arbiter has not approved it yet
    choosing: tuple[ClockChoiceAsked, ...] = ()  # who has the usual clock settings read to them, and which one now
    press_keys: PressKeys = PressKeys()
    display_delays: tuple[tuple[str, int], ...] = ()  # station ("": any other display) and its delay in s
    names_swapped: bool = False  # the colours were reversed and stay so (7.3)
    out_of_step: bool = False
    last_words: tuple[str, ...] = ()
    read_to: tuple[int, int] = (0, 0)  # the move of their own score that White, Black heard last; 0: none
    helped: tuple[Helped | None, Helped | None] = (None, None)  # the first words that White, Black were told for help
    set_aside: tuple[UtteranceHeard, ...] = ()  # about the move to be made, of which nothing else is known yet
    sound: tuple[SeatSound, SeatSound] = (SeatSound(), SeatSound())  # White's and Black's
    room: str = ""  # the language in which announcements may be spoken into the room; "": the arbiter allows none
    arbiter_ears: tuple[ArbiterEar, ...] = ()
    concluded: Concluded | None = None  # by a claim without an arbiter (III.6)
    adjournment: Adjournment | None = None  # Guidelines I

    @property
    def trains(self) -> bool:
        """Return whether the players may be asked and told about the position.

        They may at a table that is opened for training and not rated.
        """
        return self.training and not self.rated

    @property
    def made_plies(self) -> int:
        """Return how many moves are made: every record but a last one that is only announced."""
        return len(self.plies) - (1 if self.plies and not self.plies[-1].made else 0)

    @property
    def ply_to_make(self) -> int:
        """Return the number (from 1) of the ply that is to be made next."""
        return self.made_plies + 1

    @property
    def on_move(self) -> Seat:
        """Return who has the move (1.3, L005)."""
        return self.seat_of(self.ply_to_make)

    def seat_of(self, ply: int) -> Seat:
        """Return who makes ply number `ply`."""
        first = self.positions[0].turn
        return first if ply % 2 == 1 else first.other

    def ply(self, index: int) -> PlyRecord | None:
        """Return the record of a ply, None where nothing is known of it yet."""
        return self.plies[index - 1] if 1 <= index <= len(self.plies) else None

    def mate_question(self, number: int) -> MateQuestion | None:
        """Return the open question of that number."""
        return next((one for one in self.mate_questions if one.number == number), None)

    def pending_of(self, seat: Seat) -> Pending | None:
        """Return what this player said that waits for their own yes."""
        return next((one for one in self.pending if one.seat is seat), None)

    def choice_of(self, seat: Seat) -> ClockChoiceAsked | None:
        """Return the setting of the clock that this seat is asked about."""
        return next((one for one in self.choosing if one.seat is seat), None)

    def plan(self, seat: Seat) -> SeatPlan:
        """Return who sits at this seat."""
        return self.white if seat is Seat.WHITE else self.black

    def board_of(self, seat: Seat) -> BoardState:
        """Return the physical board of a seat."""
        return self.white_board if seat is Seat.WHITE else self.black_board

    def score_of(self, seat: Seat) -> tuple[ScoreCell | None, ...]:
        """Return the score of a seat; None where nothing is written."""
        return self.white_score if seat is Seat.WHITE else self.black_score

    def cell_of(self, seat: Seat, ply: int) -> ScoreCell | None:
        """Return what a seat's score has for a ply (from 1), None where nothing is written."""
        score = self.score_of(seat)
        return score[ply - 1] if 1 <= ply <= len(score) else None

    def sheet_of(self, seat: Seat) -> Scoresheet:
        """Return what a player keeps the score on."""
        return self.sheets[0] if seat is Seat.WHITE else self.sheets[1]

    def sound_of(self, seat: Seat) -> SeatSound:
        """Return what is chosen about a seat's microphone, devices and voice."""
        return self.sound[0] if seat is Seat.WHITE else self.sound[1]

    @property
    def offer_ply(self) -> int:
        """Return the ply at which the last draw offer belongs in both scores (8.1.5); 0 where there was none."""
        return self.offers_at[-1] if self.offers_at else 0

    def station(self, id: str) -> Station | None:
        """Return the admitted station of that id."""
        return next((station for station in self.stations if station.id == id), None)

    def has_player_station(self, seat: Seat) -> bool:
        """Return whether a device of the player's own is at the table."""
        return any(station.seat is seat and station.role == "player" for station in self.stations)

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.result is not None

    @property
    def position(self) -> Position | None:
        """Return where the server believes the game stands after the made moves; None where it does not know."""
        return self.position_after(self.made_plies)

    def position_after(self, ply: int) -> Position | None:
        """Return where the server believes the game stood after this ply (0: the start).

        None where it does not know.
        """
        known = 0 <= ply < len(self.positions) and self.positions[ply].known
        return self.positions[ply] if known else None
