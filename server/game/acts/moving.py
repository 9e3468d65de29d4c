"""The life of a move: announced, made, completed, echoed, executed (1.3, D.2.1, D.2.3, 6.2.1); boards and scores.

`candidates`: what the sound may have been, as the ears weigh it; for the record and the arbiter alone.
"""

from __future__ import annotations

from server.game.acts.event import Event
from server.game.values.announcement import Announcement
from server.game.values.candidates import Candidates
from server.game.values.words import Origin, Seat


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
