"""What happened to the scores besides their cells: on what they are kept, who must complete his, who may look."""

from __future__ import annotations

from server.game.acts.event import Event
from server.game.laws.scoresheet_2 import Scoresheet
from server.game.values.words import Seat


class ScoresheetRecorded(Event, frozen=True, kw_only=True):
    """On what a player keeps his score, what the edition says of it, and that this program is not certified (8.1.1)."""

    seat: Seat
    sheet: Scoresheet
    says: str
    article: str
    certified: bool = False


class ScoreDue(Event, frozen=True, kw_only=True):
    """A flag has fallen: these players must complete their scores up to this ply (8.5.1, 8.5.2).

    `when`: before_play (the clocks are stopped by the arbiter) or before_moving.
    """

    seats: tuple[Seat, ...]
    ply: int
    when: str
    article: str


class ScoreLent(Event, frozen=True, kw_only=True):
    """The arbiter lets a player have his opponent's score read to him, on his own move (8.5.2)."""

    to: Seat
    ply: int


class ScoreReturned(Event, frozen=True, kw_only=True):
    """The opponent's score is given back: by the player, or by his move (8.5.2)."""

    seat: Seat


RecordingEvent = ScoresheetRecorded | ScoreDue | ScoreLent | ScoreReturned
