"""`apply(state, event) -> state`: how each event changes the state. Pure, and total over every event."""

from __future__ import annotations

from server.game.acts import events as ev
from server.game.state import apply_adjournment as applying_adjournment
from server.game.state import apply_clock as applying_clock
from server.game.state import apply_desk as applying_desk
from server.game.state import apply_moves as applying_moves
from server.game.state import apply_rulings as applying_rulings
from server.game.state import apply_scores as applying_recording
from server.game.state import applying_own_clock, applying_waiting
from server.game.state.state import GameState

CHANGES = (
    applying_moves.CHANGES
    | applying_clock.CHANGES
    | applying_rulings.CHANGES
    | applying_adjournment.CHANGES
    | applying_waiting.CHANGES
    | applying_recording.CHANGES
    | applying_own_clock.CHANGES
    | applying_desk.CHANGES
)


def apply(state: GameState, event: ev.AnyEvent) -> GameState:
    """The state after an event. Events that only concern a channel or the record leave it as it was."""
    change = CHANGES.get(type(event))
    return state if change is None else change(state, event)
