"""An adjournment: the order to seal, the closed envelope, who is back.

See Guidelines I; L208-L224. The sealed move is encrypted here. The core never sees it before its envelope is opened.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from server.game.values.announcement import Announcement
from server.game.values.words import Origin, Seat

Stage = Literal["ordered", "sealed", "faulty", "resumed"]
"""`ordered`: the arbiter has ordered the seal. `sealed`: the envelope is closed, the clock stopped. `faulty`: it was
opened and cannot be played (I.8). `resumed`: it was opened and played.
"""


class SealedMove(msgspec.Struct, frozen=True, kw_only=True):
    """Contents of an envelope, as said, typed or entered.

    It is never corrected or completed (I.8). `announcement` is None where the words were not understood: then there is
    only the sound (`utterance`). `uci`: the move where it was entered by its squares.
    """

    announcement: Announcement | None = None
    uci: str | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    utterance: str | None = None
    origin: Origin = Origin.HEARD


class EnvelopeLabel(msgspec.Struct, frozen=True, kw_only=True):
    """Inscription on the envelope (I.2.1-I.2.6, L210).

    Date, time and venue come from outside. `placement`, `fen`: before the sealed move; `fen` is "" where the server
    does not know the game. `move_number`: of the sealed move. `offer_by`: whose draw offer is open. Times left and used
    are in ms; None where another clock counts, off which they are copied by hand.
    """

    white: str
    black: str
    placement: str
    fen: str
    white_ms: int | None
    black_ms: int | None
    white_used_ms: int | None
    black_used_ms: int | None
    sealed_by: Seat
    move_number: int
    offer_by: Seat | None = None


class SetUpList(msgspec.Struct, frozen=True, kw_only=True):
    """Set-up of both boards before the resumption (I.5, L213).

    Position, who is on move, times as on the label. `white_board`, `black_board`: the squares of that board on which
    something else stands now.
    """

    placement: str
    turn: Seat
    white_ms: int | None
    black_ms: int | None
    white_used_ms: int | None
    black_used_ms: int | None
    white_board: tuple[str, ...] = ()
    black_board: tuple[str, ...] = ()


class Adjournment(msgspec.Struct, frozen=True, kw_only=True):
    """Progress of an adjournment.

    `key`, `salt`: the public half of the arbiter's key, and what derives it from the arbiter's code. `seat` seals ply
    `ply`. `reply`: it is sealed in answer to an opened envelope, while the sealer of that one is away (I.9.3): then the
    clock of the absent player runs. `session_left_ms`: the time from the order to the nominal end of the session, where
    a player adjourns early (I.1.2), and `used_ms`: the time that player had used by then. `present`: whether White and
    Black are there at the resumption. `given`: what rulings had given White and Black (ms) at the sealing.
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
    given: tuple[int, int] = (0, 0)
    content: SealedMove | None = None
    present: tuple[bool, bool] = (False, False)
    began_ms: int | None = None

    @property
    def replier(self) -> Seat:
        """Return who must reply to the sealed move."""
        return self.seat.other

    @property
    def closed(self) -> bool:
        """Return whether the game waits for an envelope."""
        return self.stage in ("sealed", "faulty")

    def is_present(self, seat: Seat) -> bool:
        """Return whether that player is there for the resumption."""
        return self.present[seat is Seat.BLACK]
