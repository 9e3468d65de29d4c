"""A claim in a game that no arbiter supervises (Guidelines III.6)."""

from __future__ import annotations

from server.game.acts.event import Event
from server.game.acts.reconstructing_2 import Snapshot
from server.game.values.words import Seat


class PlayConcluded(Event, frozen=True, kw_only=True):
    """The claim ended play (III.6.1): both boards, both times and both scores as they stood then.

    `missing`: the plies that the claimant's score lacks; the claim that no effort is made needs an up-to-date one.
    """

    seat: Seat
    ground: str
    snapshot: Snapshot
    missing: tuple[int, ...] = ()


class PositionVerified(Event, frozen=True, kw_only=True):
    """The opponent verified the final position, and the score where it was submitted, or did not agree (III.6.1)."""

    seat: Seat
    agrees: bool
    note: str
