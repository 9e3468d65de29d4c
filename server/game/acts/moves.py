"""Commands and events about moves, boards and scores (1.3, D.2.1, D.2.3, 6.2.1).

A player, or an assistant for the player, may speak, enter, press, execute, write, ask and adjust. A board that senses
tells the table what stands on it: these are the program's own commands, made from a driver's events. A move is
announced, made, completed, echoed and executed. `candidates`: what the sound may have been, in the opinion of the
recognisers; for the record and the arbiter alone. Last come the machine's announcements and the waits for them (D.2.4,
adaptation announcement_on_movers_time).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Act, Event, Placement, Square, Text, Uci
from server.game.values.announcement import Announcement
from server.game.values.candidates import Candidates
from server.game.values.speech import Speech
from server.game.values.words import Duty, Origin, Role, Seat


class Say(Act, by=Role.PLAYER, duty=Duty.ANNOUNCE, of_play=True, sealed="both"):
    """A player spoke or typed an announcement, an echo, or something that was not understood.

    `announcement` None: a sound that was not understood. `act` auto: the rules of the table decide whether it is an
    echo or the player's own move. `at_ms`: the time of the sound (ms of this run), given by the server, never by a
    client. `seat`: the player for whom an assistant speaks (D.2.10.2). `text`: the words in the spelling of the Laws,
    as the score keeps them. `candidates`: what the sound may have been, given by the recognisers and never by a client.
    `ask`: False where nobody listened (no recogniser), so that the player is not asked in vain to repeat it.
    `either`: the two announcements, as words, of which the sound was one; given by the recognisers, never by a client.
    `doubtful`: the recognisers took the sound for these words and were not beyond doubt.
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
    candidates: Candidates = ()
    either: tuple[tuple[str, ...], ...] = ()
    doubtful: bool = False

    @property
    def speech(self) -> Speech:
        """Words of a player, as events carry them on."""
        return Speech(
            announcement=self.announcement,
            words=self.words,
            text=self.text,
            utterance=self.utterance,
            unclear=self.unclear,
            candidates=self.candidates,
            either=self.either,
            doubtful=self.doubtful,
        )


class EnterMove(Act, by=Role.PLAYER, of_play=True, sealed="both"):
    """A player made a move on their own board and entered it at their station (4.7).

    It announces nothing, but in relay, or to a hearing-impaired opponent, where the player has not announced by word. A
    move that is announced by keys is `typed` or `say`. `announcement`, `words` and `text` say it aloud; the server
    fills them from the player's own board.
    """

    uci: Uci
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: Text = ""


class Press(Act, by=Role.PLAYER, duty=Duty.SCORE_AND_CLOCK, after_the_end=True):
    """The clock is pressed, always by a key, a button or a switch, never by speech (L049)."""


class Execute(Act, by=Role.PLAYER, duty=Duty.EXECUTE, of_play=True, sealed="sealer"):
    """The opponent's last move is carried out on this seat's board.

    `board`: given where an assistant does it (D.2.10.1). `uci`: given where the squares on that board are known.
    """

    uci: Uci | None = None
    board: Seat | None = None
    origin: Literal["declared", "sensed", "entered"] = "declared"


class PutBack(Act, by=Role.PLAYER, of_play=True, sealed="sealer"):
    """A player puts the move back that their hand made last on their own board on the screen, before the press.

    Before anything is announced it is a slip of the finger. After that the arbiter is given a note (4.7).
    """


class WriteScore(Act, by=Role.PLAYER, duty=Duty.SCORE_AND_CLOCK, after_the_end=True, sealed="sealer"):
    """One cell of the player's own score (8.1): ply index from 1, text as written.

    `words`: the ids of the words where the text is an announcement in words, filled in by the server. Free notes are
    refused (8.1.4).
    """

    index: Annotated[int, msgspec.Meta(ge=1, le=1200)]
    text: Text
    words: tuple[str, ...] = ()


class Ask(
    Act,
    by=(Role.PLAYER, Role.ARBITER),
    duty=Duty.INFORM,
    after_the_end=True,
    part="ask_set_up",
    article="2.3",
    form={
        "what": {"fixed": "set_up"},
        "move": {"hidden": True},
        "last": {"hidden": True},
        "refused": {"hidden": True},
        "article": {"hidden": True},
    },
):
    """The player asks for something and is answered alone (D.2.6.1, D.2.10.4).

    `time`, `opponent_time`, `moves`, `last`, `score`: as named. `clock`: all that a clock shows: both times, whose time
    runs, moves completed and to the control, period, first flag, how it is set. `help`: the words that can be said now;
    asked again within half a minute, the rest of them. `opponent_score`: only while the arbiter lends it (8.5.2).
    `position`: the player's own board, at the tactile board and where the arbiter approved `position_readout` (G9).
    `set_up`: the men of the start position, for those who check a board (2.3, L010): the arbiter, an assistant with any
    duty, and before the start every player. `move`: this one move of the player's score; `last`: so many of its last
    moves; `score_next`, `score_previous`, `score_here`: the move after or before the last one read, or that one again.
    `pairing`: where
    the player plays, with which colour and against whom; after the game the next one. `article`: why the player's last
    command was not carried out; `refused` and `article` are filled in by the server alone.
    """

    what: Literal[
        "time", "opponent_time", "moves", "last", "score", "opponent_score", "position", "set_up", "clock", "help",
        "article", "score_next", "score_previous", "score_here", "pairing",
    ]  # fmt: skip
    move: Annotated[int, msgspec.Meta(ge=1, le=600)] | None = None
    last: Annotated[int, msgspec.Meta(ge=1, le=600)] | None = None
    refused: Text = ""
    article: Text = ""


class Explore(Act, by=Role.PLAYER, after_the_end=True):
    """A player asks about the position, at a table for training only.

    It is refused in every other game (12.6, 11.3.1). `board`, `white`, `black`: the men on them; also of a `rank`,
    `file`, `square` or kind of `piece`. `rays`: where the piece on `square` reaches; `attackers` of `square`; `moves`:
    the legal ones of the piece there; `captures`; `last`.
    """

    about: Literal[
        "board", "white", "black", "rank", "file", "square", "piece", "rays", "attackers", "captures", "moves", "last"
    ]
    square: Square | None = None
    file: Literal["a", "b", "c", "d", "e", "f", "g", "h"] | None = None
    rank: Literal["1", "2", "3", "4", "5", "6", "7", "8"] | None = None
    piece: Literal["pawn", "knight", "bishop", "rook", "queen", "king"] | None = None


class CallArbiter(Act, by=Role.PLAYER, duty=Duty.CLAIM_AND_REPORT, after_the_end=True):
    """A player stops the clocks and calls the arbiter (6.11.2); after the end too, as about the result (8.7).

    `medical`: for medical attention (12.2.6).

    `stop` False where the arbiter is called by a recognised word alone: no clock stops for a word that may be misheard.
    """

    reason: Text = ""
    stop: bool = True
    medical: bool = False


class DemandTwoBoards(Act, by=(Role.PLAYER, Role.ARBITER), group="game", article="D.1"):
    """A player demands two boards (D.1, L176); `seat`: given where the arbiter records it for the player."""

    seat: Seat | None = None


class Adjust(Act, by=Role.PLAYER):
    """A player says "I adjust" (4.2.1)."""


class AboutToCastle(Act, by=Role.PLAYER, of_play=True, sealed="sealer"):
    """A player says "I am about to castle", in Chess960 before king or rook is touched (II.3.2.7)."""


class AskForSheet(Act, by=Role.PLAYER):
    """A player on move asks to be shown the arbiter's scoresheet (A.4.3). The own score is read by `ask`."""


class ReportTouch(
    Act,
    by=(Role.ARBITER, Role.OBSERVER),
    duty=Duty.CLAIM_AND_REPORT,
    sealed="sealer",
    group="irregular",
    article="4.3",
    form={"piece": {"sort": "piece"}, "ply": {"label": "half_move"}, "origin": {"hidden": True}},
):
    """A piece was lifted, touched, placed or released on this seat's board, in the order of arrival.

    See 4.2, D.2.2. `ply`: in which ply, where it is reported later; None: in the one that is to be made.
    """

    seat: Seat
    square: Square
    how: Literal["lifted", "touched", "placed", "released"]
    piece: Annotated[str, msgspec.Meta(pattern=r"^[pnbrqkPNBRQK]\Z")] | None = None
    origin: Literal["sensed", "entered"] = "entered"
    ply: Annotated[int, msgspec.Meta(ge=1, le=1200)] | None = None


class ClaimIrregularity(Act, by=Role.PLAYER, duty=Duty.CLAIM_AND_REPORT):
    """A player tells the arbiter of an irregularity and stops the clocks (4.8, 6.11.2, A.5.2, 12.7)."""

    kind: Literal["touch", "illegal", "other"]
    note: Text = ""


class SenseMove(Act, sealed="sealer"):
    """A move stands on this seat's board: geometry alone, legal or not.

    See 4.7, D.2.3.1, D.2.3.2; origin `sensed`. `instead`: it replaces the last move that the record has on this board.
    `at_ms`: when the piece was let go (ms of this run). `on`: the placement from which the move was read (None where
    that is not known); if the record of this board has changed since, the news counts for nothing and the board is read
    again. `announcement`, `words`, `text`: the same move in words, where the program must announce it.
    """

    seat: Seat
    uci: Uci
    instead: bool = False
    at_ms: int | None = None
    on: Placement | None = None
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: Text = ""


class NoteBoard(Act, after_the_end=True, sealed="sealer"):
    """A sensing board went out of reach or came back, or it stands so that no single move leads there.

    `signal`: kings were set down on these `squares` in the middle, as a `result` is shown at the end of a game ("":
    one king alone); without squares they stand there no more.
    """

    seat: Seat
    what: Literal["up", "down", "stale", "odd", "signal"]
    squares: tuple[Square, ...] = ()
    detail: Text = ""
    result: Literal["", "1-0", "0-1", "1/2-1/2"] = ""


class NotePress(Act):
    """The program itself notes: the clock that counts, which is not ours, was pressed by this side.

    See 6.2.1.
    """

    seat: Seat


class SpeechEvent(Event, is_kind=False):
    """Base of all events that carry the words of a player."""

    seat: Seat
    speech: Speech

    @property
    def announcement(self) -> Announcement | None:
        """Return the announcement in the words; None where it was not understood."""
        return self.speech.announcement

    @property
    def words(self) -> tuple[str, ...]:
        """The ids of the words."""
        return self.speech.words

    @property
    def text(self) -> str:
        """The words in the spelling of the Laws."""
        return self.speech.text

    @property
    def utterance(self) -> str | None:
        """The name of the sound."""
        return self.speech.utterance

    @property
    def candidates(self) -> Candidates:
        """Return the announcements that the sound may have been; for the record and the arbiter alone."""
        return self.speech.candidates


class AnnouncementEvent(SpeechEvent, is_kind=False):
    """Base of events whose words announce a move."""

    def __post_init__(self) -> None:
        if self.speech.announcement is None:
            raise ValueError("its words announce nothing")

    @property
    def announcement(self) -> Announcement:
        """Return the announcement in the words."""
        assert self.speech.announcement is not None
        return self.speech.announcement


class Announced(AnnouncementEvent):
    """A player announced a move (D.2.1).

    `replaces`: a slip of the tongue was corrected before the press (D.2.8, L195).

    `by_board`: it was not said, but read off the player's own board, entered or sensed, where the program announces it.
    `differs`: whether another move already stands on that board; None where no move stands there, and in old records.
    Where the words were `doubtful`, the player hears them read back.
    """

    ply: int
    origin: Origin
    replaces: bool = False
    by_board: bool = False
    differs: bool | None = None


class SoundKept(Event):
    """An utterance of a seat is stored on disk (D.2.7).

    `sha256` and `length_ms` describe it; `fault`: why it could not be written.
    """

    seat: Seat
    utterance: str
    sha256: str | None
    length_ms: int
    fault: str | None = None


class NotUnderstood(SpeechEvent):
    """A sound gave no announcement.

    Only about what it left open is the player asked, or which of the two announcements it was (`speech.unclear`,
    `speech.either`). `ask`: whether the player is asked at all.
    """

    ply: int
    ask: bool = True


class SetAside(SpeechEvent):
    """A sound was not taken as meant for us: nothing follows from it, nobody is asked, and it is kept as it was heard.

    See D.2.7. `ply`: the move that it would be about; 0 where there is none.
    """

    ply: int


class AnnouncementRepeated(SpeechEvent):
    """The same words came again: a repetition, not a move. It may be fuller than the first time ("from").

    `joins`: the first words of a move that the player's board has announced already; the two are one announcement.
    """

    ply: int
    joins: bool = False


class Contested(AnnouncementEvent):
    """A player said other words for a completed move.

    They are neither a correction nor a new move; the arbiter decides (G14).
    """

    ply: int


class Made(Event):
    """The move is made and the turn passes (1.3, D.2.3, 4.7)."""

    seat: Seat
    ply: int
    origin: Origin


class Completed(Event):
    """The move is completed by the press, by ending the game or by the next move (6.2.1).

    The times shown are kept; None where another clock counts and nothing was read off it at that time.
    """

    seat: Seat
    ply: int
    origin: Origin
    white_ms: int | None
    black_ms: int | None


class Echoed(SpeechEvent):
    """The opponent repeated the announcement (D.2.1).

    `agrees`: None where the announcement was not understood. `again`: a right echo was said once more.
    """

    ply: int
    origin: Origin
    agrees: bool | None
    again: bool = False


class EchoRecalled(Event):
    """Words that were taken for a wrong echo were the player's own next announcement.

    There was no echo yet.
    """

    seat: Seat
    ply: int


class Executed(Event):
    """The move was carried out on the other player's board (D.2.1)."""

    board: Seat
    ply: int
    origin: Origin


class BoardMoved(Event):
    """A piece moved on one physical board.

    `differs`: the board's player has announced another move (1.3, D.2.1).
    """

    board: Seat
    ply: int
    uci: str
    origin: Origin
    differs: bool = False


class BoardSet(Event):
    """One physical board was seen or set up with this placement.

    `through`: the last ply that stands on it (D.2.1); None where nothing is said of that. `before`: what stands there
    without that ply; None where it is not known.
    """

    board: Seat
    placement: str
    turn: Seat
    origin: Origin
    through: int | None = None
    before: str | None = None


class ScoreWritten(Event):
    """One cell of one player's score was written (8.1, D.2.7).

    It comes only from that player's own dictation, announcement, echo or station.
    """

    seat: Seat
    index: int
    text: str
    source: str
    utterance: str | None = None


class BeliefRevised(Event):
    """The server now believes, from all it heard about the last plies, that this move was played (UCI).

    `confidence`: the probability that it was. No board and no score is changed by it (G13), and no player is told: it
    is for the record and the arbiter alone.
    """

    ply: int
    uci: str
    confidence: float


class GameMended(Event):
    """The server's own game was corrected at one ply (G13); boards and scores are untouched.

    None: which move it was is not known, whatever was said or entered (`unknown`). In older records, without
    `unknown`, None gave the ply back to what was said and entered.
    """

    ply: int
    uci: str | None
    unknown: bool = False


class OutOfStep(Event):
    """Only the server is wrong (G13).

    No clock stops, nobody is penalised, and the players are told nothing.
    """

    ply: int
    note: str


class AnnouncementOwed(Event):
    """A sighted player pressed without announcing.

    By the arbiter's ruling their time runs until they speak (G1).
    """

    seat: Seat
    ply: int


class AnnouncementSpoken(Event):
    """The machine announces a move into this player's ear.

    It has begun (`until_ms` None), its end is known (`until_ms`), or it was `over` before its time.
    """

    seat: Seat
    utterance: str
    until_ms: int | None = None
    over: bool = False


class AnnouncementWaited(Event):
    """A press took effect when the announcement of its move had been heard, `ms` after the press.

    `charge`: whose time these ms were: the mover's, or (`none`) nobody's, while both clocks stood.
    """

    seat: Seat
    ply: int
    ms: int
    charge: str


class Explored(Event):
    """A player asked about the position at a table for training, and is told what was found.

    Men are FEN letter and square, "Ng1". `takes`: pairs of who may take, and on which square. `words`: of the last
    move.
    """

    seat: Seat
    station: str
    about: str
    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()


class TrainingAsked(Event):
    """A player is asked about an announcement, at a table for training.

    Several moves fit (`which`), or none (`illegal`). `piece`, `choices`: the pieces in question, by their
    squares; empty for `illegal`.
    """

    seat: Seat
    ply: int
    ask: Literal["which", "illegal"]
    piece: str = ""
    choices: tuple[str, ...] = ()
    utterance: str | None = None
