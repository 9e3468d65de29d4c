"""An adjournment as a value: the order to seal, the closed envelope, who is there again (Guidelines I; L208-L224).

What was sealed is ciphertext here. The core never sees a sealed move before its envelope is opened.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from server.game.values.announcement import Announcement
from server.game.values.words import Origin, Seat

Stage = Literal["ordered", "sealed", "faulty", "resumed"]
"""Ordered to seal; sealed and stopped; opened and not to be played (I.8); opened and played."""


class SealedMove(msgspec.Struct, frozen=True, kw_only=True):
    """What an envelope holds, as it was said, typed or entered. Never mended, never completed (I.8).

    `announcement` None where the words were not understood: then the sound (`utterance`) is all there is.
    `uci`: the squares where squares were entered.
    """

    announcement: Announcement | None = None
    uci: str | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    utterance: str | None = None
    origin: Origin = Origin.HEARD


class EnvelopeLabel(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on the envelope (I.2.1-I.2.6, L210); date, time and venue come from outside.

    `placement`, `fen`: before the sealed move; `fen` "" where the server does not know the game. `move_number`: of the
    sealed move. `offer_by`: whose draw offer is current. Times in ms: left and used.
    """

    white: str
    black: str
    placement: str
    fen: str
    white_ms: int
    black_ms: int
    white_used_ms: int
    black_used_ms: int
    sealed_by: Seat
    move_number: int
    offer_by: Seat | None = None


class SetUpList(msgspec.Struct, frozen=True, kw_only=True):
    """What is set up before the resumption on both boards (I.5, L213): position, who is on move, times.

    `white_board`, `black_board`: the squares of that board on which something else stands.
    """

    placement: str
    turn: Seat
    white_ms: int
    black_ms: int
    white_used_ms: int
    black_used_ms: int
    white_board: tuple[str, ...] = ()
    black_board: tuple[str, ...] = ()


class Adjournment(msgspec.Struct, frozen=True, kw_only=True):
    """Where an adjournment stands. `key`, `salt`: the public half of the arbiter's key, and what makes it of his code.

    `seat` seals ply `ply`. `reply`: in answer to an opened envelope, while its sealer is away (I.9.3): then the
    clock of the absent player runs. `session_left_ms`: to the nominal end of the session at the order, where a player
    adjourns early (I.1.2), and `used_ms`: what he had used then. `present`: White and Black at the resumption.
    `began_ms`: when the resumption was started (ms of its run).
    """

    seat: Seat
    ply: int
    key: str
    salt: str
    stage: Stage = "ordered"
    reply: bool = False
    session_left_ms: int | None = None
    used_ms: int = 0
    sealed: str = ""
    sha256: str = ""
    utterance: str | None = None
    understood: bool = False
    label: EnvelopeLabel | None = None
    content: SealedMove | None = None
    present: tuple[bool, bool] = (False, False)
    began_ms: int | None = None

    @property
    def replier(self) -> Seat:
        """Who must reply to the sealed move."""
        return self.seat.other

    @property
    def closed(self) -> bool:
        """Whether the game waits for an envelope."""
        return self.stage in ("sealed", "faulty")

    def is_present(self, seat: Seat) -> bool:
        """Whether that player is there for the resumption."""
        return self.present[seat is Seat.BLACK]
