"""This file says how the events of an adjournment change the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.state import GameState
from server.game.values.adjournment import Adjournment
from server.game.values.words import ClockMaster, Seat


def _ordered(state: GameState, event: ev.SealOrdered) -> GameState:
    answered = state.adjournment if event.reply else None
    adjournment = Adjournment(
        seat=event.seat,
        ply=event.ply,
        key=event.key,
        salt=event.salt,
        reply=event.reply,
        session_left_ms=event.session_left_ms,
        used_ms=state.clock.used(event.seat, event.at),
        present=answered.present if answered is not None else (False, False),
        began_ms=answered.began_ms if answered is not None else None,
    )
    return replace(state, adjournment=adjournment)


def _with(state: GameState, **changes: Any) -> GameState:
    """Return the state with these changes to its adjournment.

    Without one nothing changes (`apply` is total).
    """
    if state.adjournment is None:
        return state
    return replace(state, adjournment=replace(state.adjournment, **changes))


def _sealed(state: GameState, event: ev.MoveSealed) -> GameState:
    return _with(
        state, sealed=event.sealed, sha256=event.sha256, utterance=event.utterance, understood=event.understood
    )


def _adjourned(state: GameState, event: ev.Adjourned) -> GameState:
    """Stop the clock and turn it to the replier.

    With a sealed reply the absent player's time runs already.
    """
    clock = state.clock
    if not event.reply:
        clock = clock.paused(event.at)
    if state.clock_master is ClockMaster.SERVER and clock.turn is event.seat:
        clock = replace(clock, turn=event.seat.other, this_move_ms=0)
    return _with(replace(state, clock=clock, session_due_ms=None), stage="sealed", label=event.label)


def _present(state: GameState, event: ev.PresenceMarked) -> GameState:
    white, black = state.adjournment.present if state.adjournment is not None else (False, False)
    return _with(state, present=(event.present, black) if event.seat is Seat.WHITE else (white, event.present))


def _begun(state: GameState, event: ev.ResumptionBegun) -> GameState:
    """Start the default time (I.10); a default time of zero leaves nothing to wait for."""
    default = state.regulations.default_time_s * 1000
    return _with(replace(state, default_due_ms=event.at + default + 1 if default else None), began_ms=event.at)


def _opened(state: GameState, event: ev.EnvelopeOpened) -> GameState:
    stage = "resumed" if event.found == "played" else "faulty"
    return _with(replace(state, default_due_ms=None), stage=stage, content=event.content)


def _resumed(state: GameState, event: ev.EnvelopeMissing | ev.SealedRuled) -> GameState:
    return _with(replace(state, default_due_ms=None), stage="resumed")


CHANGES: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.SealOrdered: _ordered,
    ev.MoveSealed: _sealed,
    ev.Adjourned: _adjourned,
    ev.PresenceMarked: _present,
    ev.ResumptionBegun: _begun,
    ev.EnvelopeOpened: _opened,
    ev.EnvelopeMissing: _resumed,
    ev.SealedRuled: _resumed,
}
