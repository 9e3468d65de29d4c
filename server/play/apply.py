"""`apply(state, event) -> state`: how each event changes the state. Pure, and total over every event."""

from __future__ import annotations

from server.play import (
    applying_adjournment,
    applying_clock,
    applying_desk,
    applying_moves,
    applying_own_clock,
    applying_recording,
    applying_rulings,
    applying_waiting,
)
from server.play import events as ev
from server.play.state import GameState

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
