"""Commands and events about the scores other than writing their cells.

See 8.1.1, 8.5, 8.6. They say on what a score is kept, who must complete it, who may look at the opponent's (8.5.2), and
how a game is reconstructed on a further board under the arbiter's control (8.5.3, 8.6, 11.11).
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.game.acts.base import Act, Event, Text, Uci
from server.game.laws.scoresheet import Scoresheet
from server.game.values.words import Role, Seat


class RecordScoresheet(Act, by=Role.ARBITER, group="claims", article="8.1"):
    """The arbiter records on what a player keeps the score (8.1.1, 8.1.6, D.2.7)."""

    seat: Seat
    sheet: Scoresheet


class LendScore(Act, by=Role.ARBITER, group="claims", article="8.5.2"):
    """The arbiter lets a player who must complete the score hear the opponent's score when on move.

    See 8.5.2.
    """

    to: Seat


class ReturnScore(Act, by=Role.PLAYER):
    """The player gives the opponent's score back (8.5.2)."""


class BeginReconstruction(Act, by=Role.ARBITER, group="rebuild", article="8.5.3"):
    """The arbiter has the game reconstructed.

    Boards, times and moves are recorded and the clocks stand (8.5.3).
    """

    reason: Text = ""


class ReconstructMove(Act, by=Role.ARBITER, group="rebuild", article="8.5.3"):
    """The next move on the board of the reconstruction, from the start position on."""

    uci: Uci


class UndoReconstruction(Act, by=Role.ARBITER, group="rebuild", article="8.5.3"):
    """The last move on the board of the reconstruction is taken back."""


class EndReconstruction(Act, by=Role.ARBITER, group="rebuild", article="8.6"):
    """The reconstruction ends: `completed_plies` sets both move counters.

    None: the scores cannot show whose time was overstepped, so the next move is the first of the next period (8.6).
    """

    completed_plies: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None
    evidence: Text = ""


class ScoresheetRecorded(Event):
    """The material on which a player keeps the score, and what the edition says of it (8.1.1).

    `certified`: whether this program is a certified scoresheet; it is not.
    """

    seat: Seat
    sheet: Scoresheet
    says: str
    article: str
    certified: bool = False


class ScoreDue(Event):
    """A flag has fallen: these players must complete their scores up to this ply (8.5.1, 8.5.2).

    `when`: before_play (the clocks are stopped by the arbiter) or before_moving.
    """

    seats: tuple[Seat, ...]
    ply: int
    when: str
    article: str


class ScoreLent(Event):
    """The arbiter lets a player hear the opponent's score, when on move (8.5.2)."""

    to: Seat
    ply: int


class ScoreReturned(Event):
    """The opponent's score is given back, by the player or through the player's move (8.5.2)."""

    seat: Seat


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """Everything recorded before a reconstruction or at the desk.

    Both boards, both times, whose clock ran, the moves and the scores. `game`: what the server believed; None
    where it did not know. In `moves` and `periods` White's comes first.
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


class ReleaseReview(Act, by=Role.ARBITER, after_the_end=True, group="game", article="8.3"):
    """The arbiter releases a finished game to its players: their review of it, and its files to take home (8.3).

    `released` False: they may not review it any more.
    """

    released: bool = True


class ReviewReleased(Event):
    """The players may review their finished game, or may not any more (8.3)."""

    released: bool


class ReconstructionBegun(Event):
    """The arbiter has the game reconstructed on another board; the clocks stand (8.5.3)."""

    snapshot: Snapshot
    reason: str


class ReconstructionMoved(Event):
    """A move was made on the board of the reconstruction; neither player's board is touched."""

    uci: str
    legal: bool


class ReconstructionUndone(Event):
    """The last move on the board of the reconstruction was taken back."""


class ReconstructionEnded(Event):
    """The reconstruction is over.

    `completed_plies`: how many it showed; None where nobody can show whose time was overstepped: then the next move is
    the first of the next period (8.6). `evidence`: what the arbiter bases it on.
    """

    completed_plies: int | None
    evidence: str
    article: str
