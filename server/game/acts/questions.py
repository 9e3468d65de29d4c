"""What was asked for and told to one person alone."""

from __future__ import annotations

from server.game.acts.base import Event
from server.game.values.words import Seat


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
    age_ms: int | None = None  # of the reading of another clock
    placement: str = ""
    score: tuple[str, ...] = ()
    to_control: int | None = None  # moves that he still has to make in his period
    period: int | None = None  # of his clock, from 1; None where another clock counts
    periods: int = 0
    first_flag: Seat | None = None  # whose display came to zero first
    move: int | None = None  # of the score this move alone
    refused: str = ""  # the code of his last command that was not carried out, with its `article`; "": there is none
    article: str = ""
    more: bool = False  # of the words that can be said: the rest of them


class SpokenPrivately(Event, frozen=True, kw_only=True):
    """What was said into a private ear, as text and as sound on disk, for the arbiter to check.

    `listener`, where it was no seat's: room, or a station of the arbiter's.
    """

    seat: Seat | None
    text: str
    utterance: str | None
    sha256: str | None
    length_ms: int
    listener: str = ""


class SpeechCut(Event, frozen=True, kw_only=True):
    """What was said into a private ear was cut off: so much of its sound had been heard. `again`: it is said anew.

    `why`: voice, urgent, link, repeat, or a key of the listener's: talk, stop, press, off.
    """

    seat: Seat | None
    text: str
    utterance: str
    heard_ms: int
    length_ms: int
    why: str
    again: bool
    listener: str = ""


class CommandRefused(Event, frozen=True, kw_only=True):
    """A command that was spoken was refused, and its speaker alone is told why: `code`, with the article."""

    seat: Seat
    station: str
    code: str
    article: str
    utterance: str | None = None


class ArbiterCalled(Event, frozen=True, kw_only=True):
    """A player calls the arbiter (6.11.2)."""

    seat: Seat | None
    reason: str


class CastlingMeant(Event, frozen=True, kw_only=True):
    """The player on move said "I am about to castle": what he then touches of king and rook means it (II.3.2.7)."""

    seat: Seat
    ply: int


class Adjusting(Event, frozen=True, kw_only=True):
    """A player said that he adjusts pieces (4.2.1, L026)."""

    seat: Seat


class SheetAsked(Event, frozen=True, kw_only=True):
    """A player asked to be shown the arbiter's scoresheet: `show`, or from the sixth on a `distraction` (A.4.3)."""

    seat: Seat
    number: int
    answer: str
    article: str


class RecordingExempted(Event, frozen=True, kw_only=True):
    """A player need not record for the rest of this period of his clock, counted from 0 (8.4)."""

    seat: Seat
    period: int


AskingEvent = (
    Answered
    | SpokenPrivately
    | SpeechCut
    | CommandRefused
    | ArbiterCalled
    | CastlingMeant
    | Adjusting
    | SheetAsked
    | RecordingExempted
)
