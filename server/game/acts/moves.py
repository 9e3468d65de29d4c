"""What a player, or his assistant for him, may ask: speak, enter, press, execute, write, ask, adjust.

What a board that senses tells the table: the program's own commands, made of a driver's events.

The life of a move: announced, made, completed, echoed, executed (1.3, D.2.1, D.2.3, 6.2.1); boards and scores.

`candidates`: what the sound may have been, as the ears weigh it; for the record and the arbiter alone.

The machine's announcements and the waits for them (D.2.4, adaptation announcement_on_movers_time).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body, Event, Placement, Square, Text, Uci
from server.game.values.announcement import Announcement
from server.game.values.candidates import Candidates
from server.game.values.words import Origin, Seat


class Say(Body, frozen=True, kw_only=True):
    """A player spoke or typed an announcement, an echo, or something that was not understood.

    `announcement` None: a sound without understanding. `act` auto lets the rules of the table decide whether it is an
    echo or the player's own move. `at_ms`: the time of the sound (ms of this run), given by the server, never a client.
    `seat`: for whom an assistant speaks (D.2.10.2). `text`: the words in the Laws' spelling, as the score keeps them.
    `candidates`: what the sound may have been, from the ears and never from a client.
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
    candidates: Candidates = ()


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
    """One cell of the player's own score (8.1): ply index from 1, text as written.

    `words`: the ids of the words where the text is an announcement in words, filled in by the server (8.1.4).
    """

    index: Annotated[int, msgspec.Meta(ge=1, le=1200)]
    text: Text
    words: tuple[str, ...] = ()


class Ask(Body, frozen=True, kw_only=True):
    """The player asks: time, opponent_time, moves, last, score. Answered to him alone (D.2.6.1, D.2.10.4).

    `clock`: all that a clock shows: both times, whose runs, moves completed and to the control, period, first flag.

    `help`: the words that can be said now; asked once more soon after, the rest of them.
    `opponent_score`: only while the arbiter lends it to him (8.5.2).
    `position`: his own board, at the tactile board and where the arbiter approved `position_readout` (G9).
    `set_up`: the men of the start position, for an assistant or the arbiter who checks a board (2.3, L010).
    `move`: of his own score this one move alone; `score_next`, `score_previous`, `score_here`: the one
    after or before the last read, or that one again.
    `article`: why his last command was not carried out; `refused` and `article` are filled in by the server alone.
    """

    what: Literal[
        "time", "opponent_time", "moves", "last", "score", "opponent_score", "position", "set_up", "clock", "help",
        "article", "score_next", "score_previous", "score_here",
    ]  # fmt: skip
    move: Annotated[int, msgspec.Meta(ge=1, le=600)] | None = None
    refused: Text = ""
    article: Text = ""


class Explore(Body, frozen=True, kw_only=True):
    """A question about the position, at a table for training alone; refused in every other game (12.6, 11.3.1).

    `board`, `white`, `black`; men of a `rank`, `file`, `square` or kind of `piece`; `rays`: where the piece on
    `square` reaches; `attackers` of `square`; `moves`: the legal ones of the piece there; `captures`; `last`.
    """

    about: Literal[
        "board", "white", "black", "rank", "file", "square", "piece", "rays", "attackers", "captures", "moves", "last"
    ]
    square: Square | None = None
    file: Literal["a", "b", "c", "d", "e", "f", "g", "h"] | None = None
    rank: Literal["1", "2", "3", "4", "5", "6", "7", "8"] | None = None
    piece: Literal["pawn", "knight", "bishop", "rook", "queen", "king"] | None = None


class CallArbiter(Body, frozen=True, kw_only=True):
    """Stop the clocks and call the arbiter (6.11.2). `medical`: the player needs medical attention (12.2.6).

    `stop` False where he is called by a recognised word alone: no clock stops for what may have been misheard.
    """

    reason: Text = ""
    stop: bool = True
    medical: bool = False


class DemandTwoBoards(Body, frozen=True, kw_only=True):
    """A player demands two boards (D.1, L176); `seat` where the arbiter records it for him."""

    seat: Seat | None = None


class Adjust(Body, frozen=True, kw_only=True):
    """ "I adjust" (4.2.1)."""


class AboutToCastle(Body, frozen=True, kw_only=True):
    """ "I am about to castle", in Chess960 before king or rook is touched (II.3.2.7)."""


class AskForSheet(Body, frozen=True, kw_only=True):
    """A player asks to be shown the arbiter's scoresheet, on his own move (A.4.3). His own score he hears by `ask`."""


class ReportTouch(Body, frozen=True, kw_only=True):
    """A piece was lifted, touched, placed or released on this seat's board, in the order of arrival (4.2, D.2.2)."""

    seat: Seat
    square: Square
    how: Literal["lifted", "touched", "placed", "released"]
    piece: Annotated[str, msgspec.Meta(pattern=r"^[pnbrqkPNBRQK]\Z")] | None = None
    origin: Literal["sensed", "entered"] = "entered"


class ClaimIrregularity(Body, frozen=True, kw_only=True):
    """A player tells the arbiter of an irregularity and stops the clocks (4.8, 6.11.2, A.5.2, 12.7)."""

    kind: Literal["touch", "illegal", "other"]
    note: Text = ""


class SenseMove(Body, frozen=True, kw_only=True):
    """A move stands on this seat's board: geometry alone, legal or not (4.7, D.2.3.1, D.2.3.2; origin `sensed`).

    `instead`: of the last move that the record has on this board. `at_ms`: when the piece was let go (ms of this run).
    `on`: the placement on which it was read (None where that is not known): news of a board that the record knows
    otherwise by now is none, and the board is read again.
    `announcement`, `words`, `text`: the same move in words, where the program is to announce it.
    """

    seat: Seat
    uci: Uci
    instead: bool = False
    at_ms: int | None = None
    on: Placement | None = None
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: Text = ""


class NoteBoard(Body, frozen=True, kw_only=True):
    """A sensing board went out of reach or came back; or it stands so that no single move leads there."""

    seat: Seat
    what: Literal["up", "down", "stale", "odd"]
    squares: tuple[Square, ...] = ()
    detail: Text = ""


class NotePress(Body, frozen=True, kw_only=True):
    """The program's own: the clock that leads, another than ours, was pressed by this side (6.2.1)."""

    seat: Seat


class Announced(Event, frozen=True, kw_only=True):
    """A move was announced (D.2.1). `replaces`: a slip of the tongue corrected before the press (D.2.8, L195).

    `by_board`: not said, but read off the player's own board, entered or sensed, where the program announces it.
    `differs`: whether another move stands on that board by then; None where none stands there, and in old records.
    """

    seat: Seat
    ply: int
    announcement: Announcement
    words: tuple[str, ...]
    text: str
    origin: Origin
    utterance: str | None = None
    replaces: bool = False
    candidates: Candidates = ()
    by_board: bool = False
    differs: bool | None = None


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
    candidates: Candidates = ()


class SetAside(Event, frozen=True, kw_only=True):
    """A sound taken for nothing that was meant for us: nothing follows of it, and it is kept as it was heard (D.2.7).

    `ply`: the move it would be about, 0 where none.
    """

    seat: Seat
    ply: int
    utterance: str
    words: tuple[str, ...] = ()
    candidates: Candidates = ()


class AnnouncementRepeated(Event, frozen=True, kw_only=True):
    """The same words again: a repetition, not a move. It may be fuller than the first time ("from")."""

    seat: Seat
    ply: int
    words: tuple[str, ...] = ()
    text: str = ""
    utterance: str | None = None
    announcement: Announcement | None = None
    candidates: Candidates = ()


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
    """The move is completed by the press, by ending the game or by the next move (6.2.1). The readings are kept.

    None where another clock leads and nothing was read off it just then.
    """

    seat: Seat
    ply: int
    origin: Origin
    white_ms: int | None
    black_ms: int | None


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
    candidates: Candidates = ()


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
    """A piece moved on one physical board. `differs`: the board's player has announced another move (1.3, D.2.1)."""

    board: Seat
    ply: int
    uci: str
    origin: Origin
    differs: bool = False


class BoardSet(Event, frozen=True, kw_only=True):
    """One physical board was seen or set up as this placement.

    `through`: the last ply that stands on it (D.2.1), None where nothing is said of that. `before`: what stands there
    without that ply, None where it is not known.
    """

    board: Seat
    placement: str
    turn: Seat
    origin: Origin
    through: int | None = None
    before: str | None = None


class ScoreWritten(Event, frozen=True, kw_only=True):
    """One cell of one player's score (8.1, D.2.7): from his own dictation, announcement, echo or station only."""

    seat: Seat
    index: int
    text: str
    source: str
    utterance: str | None = None


class BeliefRevised(Event, frozen=True, kw_only=True):
    """All that was heard of the last plies together says that this move was played (UCI), not the one believed so far.

    `confidence`: P that it is. No board and no score is changed by it (G13), and no player is told.
    """

    ply: int
    uci: str
    confidence: float


class GameMended(Event, frozen=True, kw_only=True):
    """The server's own game was mended at one ply (G13); boards and scores are untouched. None: unknown again."""

    ply: int
    uci: str | None


class OutOfStep(Event, frozen=True, kw_only=True):
    """Only the server is wrong (G13): no stop, no penalty, no word to the players."""

    ply: int
    note: str


class AnnouncementOwed(Event, frozen=True, kw_only=True):
    """A sighted player pressed without announcing; by the arbiter's settlement his time runs until he speaks (G1)."""

    seat: Seat
    ply: int


class AnnouncementSpoken(Event, frozen=True, kw_only=True):
    """The machine announces a move into this ear: begun (`until_ms` None), timed, or `over` before its time."""

    seat: Seat
    utterance: str
    until_ms: int | None = None
    over: bool = False


class AnnouncementWaited(Event, frozen=True, kw_only=True):
    """A press took effect when the announcement of its move had been heard, `ms` after it.

    `charge`: whose those ms were: the mover's, or (`none`) nobody's, while both clocks stood.
    """

    seat: Seat
    ply: int
    ms: int
    charge: str


class Explored(Event, frozen=True, kw_only=True):
    """At a table for training only: a question about the position, and what it found, for the asker alone.

    Men are FEN letter and square, "Ng1"; `takes`: who may take on which square; `words`: of the last move.
    """

    seat: Seat
    station: str
    about: str
    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()


class TrainingAsked(Event, frozen=True, kw_only=True):
    """At a table for training only: several legal moves fit the words (`which`), or none does (`illegal`).

    `piece`, `choices`: which of these pieces, by their squares; empty for `illegal`.
    """

    seat: Seat
    ply: int
    ask: Literal["which", "illegal"]
    piece: str = ""
    choices: tuple[str, ...] = ()
    utterance: str | None = None
