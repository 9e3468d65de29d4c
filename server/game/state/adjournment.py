"""The slice of an adjourned game: seal, presence, resumption (Guidelines I).

The slice is `Adjournment | None` (`values/adjournment.py`). What stops the clock or ends a wait changes others too.
"""

from __future__ import annotations

from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.clock import TimeState
from server.game.state.reducer import applies
from server.game.state.state import GameState
from server.game.values.adjournment import Adjournment
from server.game.values.words import ClockMaster, Seat


@applies(ev.SealOrdered)
def _ordered(adjournment: Adjournment | None, event: ev.SealOrdered, time: TimeState) -> Adjournment:
    answered = adjournment if event.reply else None
    return Adjournment(
        seat=event.seat,
        ply=event.ply,
        key=event.key,
        salt=event.salt,
        reply=event.reply,
        session_left_ms=event.session_left_ms,
        used_ms=time.clock.time_used(event.seat, event.at),
        present=answered.present if answered is not None else (False, False),
        began_ms=answered.began_ms if answered is not None else None,
    )


@applies(ev.MoveSealed)
def _sealed(adjournment: Adjournment | None, event: ev.MoveSealed) -> Adjournment | None:
    if adjournment is None:
        return None
    words = {"utterance": event.utterance, "understood": event.understood}
    return replace(adjournment, sealed=event.sealed, sha256=event.sha256, **words)


@applies(ev.PresenceMarked)
def _present(adjournment: Adjournment | None, event: ev.PresenceMarked) -> Adjournment | None:
    if adjournment is None:
        return None
    white, black = adjournment.present
    present = (event.present, black) if event.seat is Seat.WHITE else (white, event.present)
    return replace(adjournment, present=present)


@applies(ev.Adjourned)
def _adjourned(state: GameState, event: ev.Adjourned) -> GameState:
    """Stop the clock and turn it to the replier.

    With a sealed reply the absent player's time runs already.
    """
    stood = state.time.clock
    if not event.reply:
        stood = stood.after_pause(event.at)
    if state.time.clock_master is ClockMaster.SERVER and stood.turn is event.seat:
        stood = replace(stood, turn=event.seat.other, this_move_ms=0)
    state = replace(state, time=replace(state.time, clock=stood), schedule=replace(state.schedule, session_due_ms=None))
    if state.adjournment is None:
        return state
    sealed = replace(state.adjournment, stage="sealed", label=event.label, given=state.time.given)
    return replace(state, adjournment=sealed)


@applies(ev.ResumptionBegun)
def _begun(state: GameState, event: ev.ResumptionBegun) -> GameState:
    """Start the default time (I.10); a default time of zero leaves nothing to wait for."""
    default = state.table.regulations.default_time_s * 1000
    due = event.at + default + 1 if default else None
    state = replace(state, schedule=replace(state.schedule, default_due_ms=due))
    if state.adjournment is None:
        return state
    return replace(state, adjournment=replace(state.adjournment, began_ms=event.at))


@applies(ev.EnvelopeOpened, ev.EnvelopeMissing, ev.SealedRuled)
def _unsealed(state: GameState, event: ev.EnvelopeOpened | ev.EnvelopeMissing | ev.SealedRuled) -> GameState:
    """End the wait for the absent player.

    The stage becomes `faulty` where the opened move cannot be played, else `resumed`.
    """
    state = replace(state, schedule=replace(state.schedule, default_due_ms=None))
    if state.adjournment is None:
        return state
    adjournment = replace(state.adjournment, stage="resumed")
    if isinstance(event, ev.EnvelopeOpened):
        stage = "resumed" if event.found == "played" else "faulty"
        adjournment = replace(adjournment, stage=stage, content=event.content)
    return replace(state, adjournment=adjournment)
