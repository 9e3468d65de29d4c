"""Whether a player can ever mate: asked by a decision, answered beside the table (5.1.2, 6.9, 7.5.5)."""

from __future__ import annotations

from typing import Literal

from server.game.acts.event import Event
from server.game.values.position import Position
from server.game.values.words import Seat


class MateAsked(Event, frozen=True, kw_only=True):
    """Can this seat ever mate from the position after this ply? None: the position is not known.

    `why`: resigned, time_claimed, flag_called or illegal; `note`: what the arbiter has been told of it.
    """

    number: int
    seat: Seat
    ply: int
    position: Position | None
    why: str
    note: str = ""


class MateAnswered(Event, frozen=True, kw_only=True):
    """Whether it can; a yes carries its proof, the moves (UCI) that mate. For the arbiter alone (11.12)."""

    number: int
    seat: Seat
    ply: int
    verdict: Literal["yes", "no", "unknown"]
    witness: tuple[str, ...] = ()
    reason: str = ""
