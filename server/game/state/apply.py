"""`apply(state, event) -> state`: how each event changes the state. Pure, and total over every event."""

from __future__ import annotations

from server.game import acts as ev
from server.game.state import apply_adjournment, apply_clock, apply_desk, apply_moves, apply_rulings, apply_scores
from server.game.state.state import GameState

CHANGES = (
    apply_moves.CHANGES
    | apply_clock.CHANGES
    | apply_clock.OWN_CLOCK
    | apply_clock.WAITING
    | apply_rulings.CHANGES
    | apply_adjournment.CHANGES
    | apply_scores.CHANGES
    | apply_desk.CHANGES
)


def apply(state: GameState, event: ev.AnyEvent) -> GameState:
    """The state after an event. Events that only concern a channel or the record leave it as it was."""
    change = CHANGES.get(type(event))
    return state if change is None else change(state, event)
