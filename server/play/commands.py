"""What a station may ask the table to do: frozen commands, validated at the edge.

The body names its kind in the field `do`. A voice never carries a UCI move: it carries an `Announcement` (`Say`).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.play.announcement import Announcement
from server.play.rules.event_options import EventOptions
from server.play.rules.rule_set import RuleSet
from server.play.time_control import TimeControl
from server.play.values import ClockMaster, Duty, Mode, Origin, Role, Seat, SeatPlan, snake_case

Text = Annotated[str, msgspec.Meta(max_length=400)]
Name = Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[A-Za-z0-9_.:-]*\Z")]
# Two different squares; a promotion piece on the last rank only.
Uci = Annotated[str, msgspec.Meta(pattern=r"^(?!(..)\1)[a-h][1-8][a-h](?:[1-8]|[18][nbrq])\Z")]
Placement = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[1-8pnbrqkPNBRQK/]+\Z")]
Square = Annotated[str, msgspec.Meta(pattern=r"^[a-h][1-8]\Z")]
Ms = Annotated[int, msgspec.Meta(ge=0, le=360_000_000)]
Count = Annotated[int, msgspec.Meta(ge=0, le=600)]
PeriodNumber = Annotated[int, msgspec.Meta(ge=0, le=8)]


class Body(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag=snake_case):
    """The body of a command."""


class Say(Body, frozen=True, kw_only=True):
    """A player spoke or typed an announcement, an echo, or something that was not understood.

    `announcement` None: a sound without understanding. `act` auto lets the rules of the table decide whether it is an
    echo or the player's own move. `at_ms`: the time of the sound (ms of this run), given by the server, never a client.
    `seat`: for whom an assistant speaks (D.2.10.2). `text`: the words in the Laws' spelling, as the score keeps them.
    `ask`: False where nobody listened (no recogniser), so that the player is not asked to repeat himself in vain.
    """

    announcement: Announcement | None
    words: tuple[str, ...] = ()
    text: Text = ""
    seat: Seat | None = None
    unclear: str | None = None
    utterance: str | None = None
    origin: Origin = Origin.ENTERED
    act: Literal["auto", "announce", "echo"] = "auto"
    at_ms: int | None = None
    ask: bool = True


class KeepSound(Body, frozen=True, kw_only=True):
    """The program's own: an utterance was written to disk (or could not be)."""

    seat: Seat
    utterance: str
    sha256: str | None
    length_ms: int
    fault: str | None = None


class EnterMove(Body, frozen=True, kw_only=True):
    """A move made on the player's own board and entered at his station (4.7).

    `announcement`, `words` and `text` say it aloud; the server fills them from the player's own board.
    """

    uci: Uci
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: Text = ""


class Press(Body, frozen=True, kw_only=True):
    """The clock is pressed: always a key, a button or a switch, never speech (L049)."""


class Execute(Body, frozen=True, kw_only=True):
    """The opponent's last move is carried out on this seat's board (`board` for an assistant, D.2.10.1);

    `uci` where the squares on that board are known.
    """

    uci: Uci | None = None
    board: Seat | None = None
    origin: Literal["declared", "sensed", "entered"] = "declared"


class WriteScore(Body, frozen=True, kw_only=True):
    """One cell of the player's own score (8.1): ply index from 1, text as written."""

    index: Annotated[int, msgspec.Meta(ge=1, le=1200)]
    text: Text


class Ask(Body, frozen=True, kw_only=True):
    """The player asks: time, opponent_time, moves, last, score. Answered to him alone (D.2.6.1, D.2.10.4)."""

    what: Literal["time", "opponent_time", "moves", "last", "score"]


class OfferDraw(Body, frozen=True, kw_only=True):
    """A draw offer (9.1)."""


class AnswerDraw(Body, frozen=True, kw_only=True):
    """The answer to the opponent's offer."""

    accept: bool


class Resign(Body, frozen=True, kw_only=True):
    """Resignation (5.1.2). Stations ask twice before they send it."""


class ClaimTime(Body, frozen=True, kw_only=True):
    """The opponent's flag has fallen (6.8)."""


class ClaimDraw(Body, frozen=True, kw_only=True):
    """A draw is claimed (9.2, 9.3), or asked for in a quickplay finish (III.4 `increment`, III.5 `quickplay`).

    The clocks stop and it cannot be withdrawn (9.5.1). `intended`: the move that the player has written and not made,
    for the arbiter alone. `ground`: of a claim under III.5. `words` and `text` are filled in by the server.
    """

    kind: Literal["repetition", "fifty_moves", "increment", "quickplay"]
    intended: Announcement | None = None
    ground: Literal["cannot_win", "no_effort"] | None = None
    words: tuple[str, ...] = ()
    text: Text = ""


class ApproveResult(Body, frozen=True, kw_only=True):
    """A player approves the result after the end, as he signs it on paper (8.7)."""

    result: Literal["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-"]


class CallArbiter(Body, frozen=True, kw_only=True):
    """Stop the clocks and call the arbiter (6.11.2).

    `stop` False where he is called by a recognised word alone: no clock stops for what may have been misheard.
    """

    reason: Text = ""
    stop: bool = True


class Adjust(Body, frozen=True, kw_only=True):
    """ "I adjust" (4.2.1)."""


class OpenTable(Body, frozen=True, kw_only=True):
    """The arbiter opens the table.

    `rule_set` names the edition; `rules` are its values as the event plays it, filled in by the server.
    """

    white: SeatPlan
    black: SeatPlan
    control: TimeControl
    start_fen: Text
    rated: bool = True
    mode: Mode = Mode.TABLE
    clock_master: ClockMaster = ClockMaster.SERVER
    chess960: bool = False
    event_name: Text = ""
    rule_set: Name = "fide2023"
    regulations: EventOptions | None = None
    rules: RuleSet | None = None


class Admit(Body, frozen=True, kw_only=True):
    """The arbiter admits a device."""

    station: Name
    role: Role
    seat: Seat | None = None
    duties: tuple[Duty, ...] = ()


class StartGame(Body, frozen=True, kw_only=True):
    """White's clock is started (6.6)."""


class Pause(Body, frozen=True, kw_only=True):
    """The arbiter stops both clocks (6.11.1)."""

    reason: Text = ""


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
    """From now on every move brings this increment to both (Guidelines III.4: 5 s)."""

    increment_ms: Annotated[int, msgspec.Meta(ge=0, le=600_000)]
    article: Name = "III.4"


class SetMode(Body, frozen=True, kw_only=True):
    """table, relay or clock."""

    mode: Mode


class SetClockMaster(Body, frozen=True, kw_only=True):
    """server, livechess or manual."""

    clock_master: ClockMaster


class RecordAdaptation(Body, frozen=True, kw_only=True):
    """A D.1 adaptation with the arbiter's approval, by name."""

    name: Name
    value: Text


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


class CallFlag(Body, frozen=True, kw_only=True):
    """The arbiter has seen that this side's flag has fallen (6.8)."""

    seat: Seat


class RuleClaim(Body, frozen=True, kw_only=True):
    """The arbiter rules on the open claim (9.5, III.4, III.5).

    `correct`: the draw, or the 5 s of III.4. `wrong`: no draw; the request refused. `postponed`: III.5.2.
    `bonus` False: no time for the opponent where a postponement leaves it to the arbiter (III.5.2).
    """

    ruling: Literal["correct", "wrong", "postponed"]
    bonus: bool = True


class ReportTouch(Body, frozen=True, kw_only=True):
    """A piece was lifted, touched, placed or released on this seat's board, in the order of arrival (4.2, D.2.2)."""

    seat: Seat
    square: Square
    how: Literal["lifted", "touched", "placed", "released"]
    piece: Annotated[str, msgspec.Meta(pattern=r"^[pnbrqkPNBRQK]\Z")] | None = None
    origin: Literal["sensed", "entered"] = "entered"


class RuleTouch(Body, frozen=True, kw_only=True):
    """The arbiter rules whether a touch binds: accidental contact does not (4.2.2)."""

    number: Annotated[int, msgspec.Meta(ge=1, le=100_000)]
    counts: bool
    reason: Text = ""


class OpenEvidence(Body, frozen=True, kw_only=True):
    """The arbiter opens the sealed touches, in a dispute: with his reason."""

    reason: Text


class ClaimIrregularity(Body, frozen=True, kw_only=True):
    """A player tells the arbiter of an irregularity and stops the clocks (4.8, 6.11.2, A.5.2, 12.7)."""

    kind: Literal["touch", "illegal", "other"]
    note: Text = ""


class RuleIrregularity(Body, frozen=True, kw_only=True):
    """The arbiter rules on a completed ply (7.5). `confirm` False: none. `give`: the time for the opponent."""

    ply: Annotated[int, msgspec.Meta(ge=1, le=1200)]
    seat: Seat
    kind: Literal["illegal", "unpromoted", "no_move", "two_hands"]
    confirm: bool = True
    give: bool = True


class RestoreTo(Body, frozen=True, kw_only=True):
    """The game goes back to after this ply (7.1, 7.5.1). `times`: left as they are, or those stored with that ply.

    `placement`: where the server does not know the position. `agreed`: by both players, where it would stand (A.5.2).
    """

    ply: Annotated[int, msgspec.Meta(ge=0, le=1200)]
    times: Literal["leave", "stored"] = "leave"
    placement: Placement | None = None
    agreed: bool = False
    reason: Text = ""


class DecideGap(Body, frozen=True, kw_only=True):
    """The arbiter decides where the Laws have a gap; `ply` None: the last made."""

    gap: Annotated[str, msgspec.Meta(pattern=r"^G(?:[1-9]|1[0-4])\Z")]
    decision: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None
    article: Name = ""


class Penalise(Body, frozen=True, kw_only=True):
    """One of the nine penalties of 12.9. `amount`: ms, half points, rounds, or whole units of a fine.

    `opponents`: what the opponent of a player who loses by penalty has (11.7).
    """

    seat: Seat
    penalty: Literal[
        "warning",
        "more_time_for_opponent",
        "less_time_for_offender",
        "more_points_for_opponent",
        "fewer_points_for_offender",
        "loss",
        "fine",
        "exclusion_from_rounds",
        "expulsion",
    ]
    amount: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] = 0
    opponents: Literal["win", "draw", "loss"] = "win"
    reason: Text = ""


class NoteIncident(Body, frozen=True, kw_only=True):
    """An entry of the arbiter's incident log."""

    kind: Name
    text: Text
    seat: Seat | None = None
    article: Name = ""


class RegisterDevice(Body, frozen=True, kw_only=True):
    """The arbiter approves or refuses a device in the venue (11.3.2, 12.8)."""

    device: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    approved: bool
    seat: Seat | None = None
    note: Text = ""


class PermitLeaving(Body, frozen=True, kw_only=True):
    """The arbiter grants or refuses leave from the venue or the playing area (11.2)."""

    seat: Seat
    granted: bool = True
    reason: Text = ""


class NoteAppeal(Body, frozen=True, kw_only=True):
    """An appeal against a decision, also after the end (11.10)."""

    against: Text
    text: Text = ""
    seat: Seat | None = None


class AskForSheet(Body, frozen=True, kw_only=True):
    """A player asks to be shown the arbiter's scoresheet, on his own move (A.4.3). His own score he hears by `ask`."""


class RuleSetUp(Body, frozen=True, kw_only=True):
    """The arbiter asks what becomes of a wrong initial position, orientation or of reversed colours (7.2, 7.3)."""

    what: Literal["position", "orientation", "colours"]


class NoteFlag(Body, frozen=True, kw_only=True):
    """The program's own: a display reached zero at this instant."""

    seat: Seat


class NoteInterruption(Body, frozen=True, kw_only=True):
    """The program's own: it was away since the last witness."""

    witness_ms: int | None
    uncertain_ms: int
    reason: Text


class NoteSpoken(Body, frozen=True, kw_only=True):
    """The program's own: what was said into a private ear."""

    seat: Seat
    text: str
    utterance: str | None
    sha256: str | None
    length_ms: int


StationBody = (
    Say
    | EnterMove
    | Press
    | Execute
    | WriteScore
    | Ask
    | OfferDraw
    | AnswerDraw
    | Resign
    | ClaimTime
    | ClaimDraw
    | ApproveResult
    | CallArbiter
    | Adjust
    | StartGame
    | Pause
    | Resume
    | SetClock
    | AddTime
    | SetIncrement
    | SetMode
    | SetClockMaster
    | RecordAdaptation
    | Mend
    | MarkOutOfStep
    | SetBoard
    | RuleResult
    | CallFlag
    | RuleClaim
    | ReportTouch
    | RuleTouch
    | OpenEvidence
    | ClaimIrregularity
    | RuleIrregularity
    | RestoreTo
    | DecideGap
    | Penalise
    | NoteIncident
    | RegisterDevice
    | PermitLeaving
    | NoteAppeal
    | AskForSheet
    | RuleSetUp
)
OwnBody = OpenTable | Admit | KeepSound | NoteFlag | NoteInterruption | NoteSpoken
AnyBody = StationBody | OwnBody

PROGRAM = "program"


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A command's identity: a 128-bit id from the client (32 hex digits), the table, the station, the ply it is about.

    The same id again gets the same answer, also after a crash.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
    table: Name
    station: Name
    body: AnyBody
    about_ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None


class Refusal(msgspec.Struct, frozen=True):
    """Why a command was not carried out: a code for the catalogue of texts, and the article or design rule."""

    code: str
    article: str
