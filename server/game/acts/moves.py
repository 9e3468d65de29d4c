"""What a player, or his assistant for him, may ask: speak, enter, press, execute, write, ask, adjust."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body, Square, Text, Uci
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
