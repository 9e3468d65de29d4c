"""Asking whether a player can ever mate, without looking: it is answered beside the table (5.1.2, 6.9, 7.5.5).

No search runs while a command waits: how long an answer to a player takes may not depend on the position.
"""

from __future__ import annotations

from server.game.acts.events import MateAsked
from server.game.decide.draft import Draft
from server.game.values.words import Seat


def ask_of_mate(draft: Draft, seat: Seat, why: str, ply: int, *, note: str = "") -> None:
    """Ask whether `seat` can ever mate from the position after `ply`; where that is not known, no position is named."""
    state = draft.state
    position = None if state.out_of_step else state.position_after(ply)
    draft.emit(
        MateAsked(
            at=draft.now,
            number=state.mates_asked + 1,
            seat=seat,
            ply=ply,
            position=position,
            why=why,
            note=note,
        )
    )
