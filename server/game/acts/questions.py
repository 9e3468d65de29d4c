"""Events of what one person asked for and was told alone."""

from __future__ import annotations

from server.game.acts.base import Event
from server.game.values.pairing import OwnPairing
from server.game.values.words import Seat


class Answered(Event):
    """A player asked a question and was answered alone (D.2.6.1, D.2.10.4: only at the player's request)."""

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
    age_ms: int | None = None  # how old the reading of another clock is
    placement: str = ""
    score: tuple[str, ...] = ()
    to_control: int | None = None  # moves that the player still has to make in this period
    period: int | None = None  # the period of the player's clock, from 1; None where another clock counts
    periods: int = 0
    first_flag: Seat | None = None  # whose display reached zero first
    move: int | None = None  # where only this move of the score was asked for
    refused: str = ""  # the code of the player's last command that was not carried out, with its `article`; "": none
    article: str = ""
    more: bool = False  # whether this is the rest of the words that can be said
    took_ms: tuple[int | None, ...] = ()  # of that move, White's and Black's, where the game is released for review
    pairing: OwnPairing | None = None  # of the player's own game, or of their next one when this one is over


class SpokenPrivately(Event):
    """Something was said into a private ear.

    It is kept as text and as sound on disk, for the arbiter to check. `listener`: the room, or a station of the
    arbiter's, where it was no seat's ear.
    """

    seat: Seat | None
    text: str
    utterance: str | None
    sha256: str | None
    length_ms: int
    listener: str = ""


class SpeechCut(Event):
    """Words for a private ear were cut off after `heard_ms` of their sound.

    `again`: they are said once more.

    `why`: voice, urgent, link, repeat, or a key that the listener pressed: talk, stop, press, off.
    """

    seat: Seat | None
    text: str
    utterance: str
    heard_ms: int
    length_ms: int
    why: str
    again: bool
    listener: str = ""


ENDED = "ended."
"""Before the reason of a result, where a player who asks for the rule is told why the game ended."""


class CommandRefused(Event):
    """A spoken command was refused, and only the speaker is told why: `code`, with the article."""

    seat: Seat
    station: str
    code: str
    article: str
    utterance: str | None = None


class ArbiterCalled(Event):
    """A player calls the arbiter (6.11.2)."""

    seat: Seat | None
    reason: str


class CastlingMeant(Event):
    """The player on move said "I am about to castle".

    Touching king and rook after that means castling (II.3.2.7).
    """

    seat: Seat
    ply: int


class Adjusting(Event):
    """A player said that they adjust pieces (4.2.1, L026)."""

    seat: Seat


class SheetAsked(Event):
    """A player asked to be shown the arbiter's scoresheet (A.4.3).

    `answer`: `show`, or from the sixth request on `distraction`.
    """

    seat: Seat
    number: int
    answer: str
    article: str


class RecordingExempted(Event):
    """A player need not record for the rest of this period of their clock, counted from 0 (8.4)."""

    seat: Seat
    period: int
