"""Commands that only the server itself may give.

Some come to it from the arbiter.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Act, Name, Text, Uci
from server.game.laws.adaptations import Adaptation, ChecklistItem
from server.game.laws.event_options import EventOptions
from server.game.laws.rule_set import RuleSet
from server.game.values.candidates import Candidates
from server.game.values.pairing import DayTime, OwnPairing, PlayerName
from server.game.values.saying import Saying
from server.game.values.time_control import TimeControl
from server.game.values.words import Boards, ClockMaster, Duty, Mode, Role, Seat, SeatPlan


class OpenTable(Act):
    """The arbiter opens the table.

    `rule_set` names the edition; `rules` are its values as the event plays it, filled in by the server, as are the
    `adaptations` that are possible. `training` allows talk about the position, and needs `rated` to be off. `starts`,
    `way`: the organiser's, as in `PairingChanged`.
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
    round: Name = ""
    board: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 0
    rule_set: Name = "fide2023"
    regulations: EventOptions | None = None
    rules: RuleSet | None = None
    adaptations: tuple[Adaptation, ...] = ()
    boards: Boards = Boards.TWO
    checklist: tuple[ChecklistItem, ...] = ()
    training: bool = False
    starts: DayTime = ""
    way: Text = ""


class ChangePairing(Act):
    """The organiser changes what is paired at this table, before its game starts.

    A player is replaced only while no device of the one before is admitted at that seat. Fields as in `PairingChanged`.
    """

    white: PlayerName
    black: PlayerName
    board: Annotated[int, msgspec.Meta(ge=0, le=9999)]
    starts: DayTime = ""
    way: Text = ""


class TellPairing(Act, after_the_end=True):
    """The program itself notes: this player's device is told of the pairing; told once, until it changes."""

    station: Name
    pairing: OwnPairing


class NoteNextGame(Act, after_the_end=True):
    """The table of the new game is open, and its stations may go there.

    `table`: its name; "" as it was ordered.
    """

    table: Name = ""


class Admit(Act, after_the_end=True):
    """The arbiter admits a device. `under`: the article for an assistant outside Appendix D.

    `language`: the one that its person chose at the door; it is a player's seat's where nobody has chosen one yet.
    """

    station: Name
    role: Role
    seat: Seat | None = None
    duties: tuple[Duty, ...] = ()
    under: Literal["", "4.9", "6.2.6", "8.1.6"] = ""
    provided_by: Literal["", "player", "organiser", "arbiter"] = ""
    language: Annotated[str, msgspec.Meta(pattern=r"^([a-z]{2,3})?\Z")] = ""


class Revoke(Act, after_the_end=True):
    """The arbiter sends a device away (11.3.2): it no longer belongs to this table."""

    station: Name
    reason: Text = ""


class KeepSound(Act, after_the_end=True, notes=True):
    """The program itself notes: an utterance was written to disk, or could not be."""

    seat: Seat
    utterance: str
    sha256: str | None
    length_ms: int
    fault: str | None = None


class NoteRehearsal(Act, notes=True):
    """The program itself notes: the rehearsal before the game was held, or not.

    `passed`: the steps that were passed over, counted from 1.
    """

    outcome: Literal["done", "skipped"]
    reason: Text = ""
    passed: tuple[int, ...] = ()


class SetSoundAside(Act, after_the_end=True):
    """The program itself notes: a kept utterance was not taken as meant for us.

    `candidates`: what it may have been.
    """

    seat: Seat
    utterance: str
    words: tuple[str, ...] = ()
    candidates: Candidates = ()


class NoteRefused(Act, after_the_end=True, notes=True):
    """The program itself notes: a command that was spoken at a station was refused."""

    seat: Seat
    station: Name
    code: Name
    article: Text
    utterance: str | None = None


class NoteFault(Act, after_the_end=True):
    """The program itself notes in one sentence for the arbiter.

    A part of it or of the table's equipment failed (alert `fault`). `said`: in every language; `text` is for what a
    fault of the program says in English.
    """

    text: Text = ""
    said: Saying | None = None


class NoteInstant(Act, after_the_end=True):
    """The program itself notes: an instant has come at which something changes by itself."""


class NoteSpeaking(Act, after_the_end=True):
    """The program itself notes: an announcement is spoken into an ear.

    It has begun, its length is known, or it was `over` before its time.
    """

    seat: Seat
    utterance: str
    length_ms: int | None = None
    over: bool = False


class NoteNewRun(Act, after_the_end=True):
    """The program itself notes: a new run began; instants of the earlier run no longer count."""


class NoteHandedOver(Act, after_the_end=True, notes=True):
    """The program itself notes: from now on another server leads the table; this is the last that this one writes.

    `common_less_own_ms`: how far the clock of the database is ahead of the table's time; `uncertain_ms`: by so much
    that may be wrong.
    """

    common_less_own_ms: int
    uncertain_ms: int


class NoteTakenOver(Act, after_the_end=True, notes=True):
    """The program itself notes: this server leads the table from now on, and its time goes on as it was.

    `own_less_run_ms`: how far the table's time is ahead of this run. `uncertain_ms`: by so much that may be wrong.
    """

    own_less_run_ms: int
    uncertain_ms: int


class NoteMateAnswer(Act, after_the_end=True):
    """The program itself notes: an open question whether a player can ever mate was answered."""

    number: int
    verdict: Literal["yes", "no", "unknown"]
    witness: tuple[str, ...] = ()
    said: Saying | None = None


class PlyBelieved(msgspec.Struct, frozen=True, kw_only=True):
    """A ply, the move that it most probably was, and the probability of that."""

    ply: Annotated[int, msgspec.Meta(ge=1, le=1200)]
    uci: Uci
    confidence: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]


class NoteBelief(Act, after_the_end=True):
    """The program itself notes: this is what everything heard about the last plies says together.

    `about`: the digest of the question that was weighed; where more is known by now, the answer counts for nothing.
    """

    about: Name
    plies: tuple[PlyBelieved, ...]


class NoteInterruption(Act):
    """The program itself notes: it was not running since the last witness."""

    witness_ms: int | None
    uncertain_ms: int
    reason: Literal[
        "the_program_was_stopped",
        "the_machine_slept_or_its_clock_jumped",
        "the_record_was_silent",
        "the_server_was_out_of_reach",
    ]


class NoteCut(Act, after_the_end=True, notes=True):
    """The program itself notes: words for a private ear were cut off after this much of their sound."""

    seat: Seat | None
    text: str
    utterance: str
    heard_ms: int
    length_ms: int
    why: str
    again: bool = False
    listener: str = ""


class NoteSpoken(Act, after_the_end=True, notes=True):
    """The program itself notes: something was said into a private ear.

    `listener`: the room, or a station of the arbiter's.
    """

    seat: Seat | None
    text: str
    utterance: str | None
    sha256: str | None
    length_ms: int
    listener: str = ""
