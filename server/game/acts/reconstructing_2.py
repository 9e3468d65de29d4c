"""A game reconstructed on a further board under the arbiter's control (8.5.3, 8.6, 11.11)."""

from __future__ import annotations

import msgspec

from server.game.acts.event import Event
from server.game.values.words import Seat


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What is put down before a reconstruction begins: both boards, both times, whose clock ran, the moves, the scores.

    `game`: what the server believed; None where it did not know. White's first in `moves` and `periods`.
    """

    white_board: str
    black_board: str
    game: str | None
    made_plies: int
    white_ms: int
    black_ms: int
    running: Seat | None
    turn: Seat
    moves: tuple[int, int]
    periods: tuple[int, int]
    white_score: tuple[str | None, ...]
    black_score: tuple[str | None, ...]


class ReconstructionBegun(Event, frozen=True, kw_only=True):
    """The arbiter has the game reconstructed on another board; the clocks stand (8.5.3)."""

    snapshot: Snapshot
    reason: str


class ReconstructionMoved(Event, frozen=True, kw_only=True):
    """A move on the board of the reconstruction; neither player's board is touched."""

    uci: str
    legal: bool


class ReconstructionUndone(Event, frozen=True, kw_only=True):
    """The last move on the board of the reconstruction is taken back."""


class ReconstructionEnded(Event, frozen=True, kw_only=True):
    """The reconstruction is over. `completed_plies`: how many it showed; None where nobody can show who overstepped:

    then the next move is the first of the next period (8.6). `evidence`: what the arbiter rests it on.
    """

    completed_plies: int | None
    evidence: str
    article: str


ReconstructionEvent = ReconstructionBegun | ReconstructionMoved | ReconstructionUndone | ReconstructionEnded
