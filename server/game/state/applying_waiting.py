"""How appointment, presence, default time, sessions and low time change the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.game.acts import events as ev
from server.game.state.state import GameState


def _present(state: GameState, event: ev.PresenceNoted) -> GameState:
    others = tuple(seat for seat in state.attendance or () if seat is not event.seat)
    return replace(state, attendance=(*others, event.seat) if event.present else others)


def _voided(state: GameState, event: ev.InstantsVoided) -> GameState:
    state = replace(state, appointed_ms=None, default_due_ms=None, session_due_ms=None, announcing=(), clock_read=None)
    if state.adjournment is None:
        return state
    return replace(state, adjournment=replace(state.adjournment, began_ms=None))


def default_due(state: GameState, started_ms: int) -> int | None:
    """When the default time is over: only where somebody looks who is there, or the clock started by itself."""
    by_appointment = state.appointed_ms is not None and started_ms >= state.appointed_ms
    if not by_appointment and state.attendance is None:
        return None
    return started_ms + state.regulations.default_time_s * 1000


def _clock_read(state: GameState, event: ev.ClockRead) -> GameState:
    """What another clock shows; kept as the times of the move after which it was read off."""
    state = replace(state, clock_read=(event.at, event.white_ms, event.black_ms))
    record = state.ply(event.ply)
    if record is None:
        return state
    timed = replace(record, white_ms=event.white_ms, black_ms=event.black_ms)
    return replace(state, plies=(*state.plies[: event.ply - 1], timed, *state.plies[event.ply :]))


CHANGES: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.StartScheduled: lambda state, event: replace(state, appointed_ms=event.due_ms),
    ev.PresenceNoted: _present,
    ev.DefaultTimeOver: lambda state, event: replace(state, default_due_ms=None, absent=event.absent),
    ev.AbsenceRuled: lambda state, event: replace(state, absent=()),
    ev.SessionStarted: lambda state, event: replace(state, session_due_ms=event.at + event.length_ms),
    ev.SessionEnded: lambda state, event: replace(state, session_due_ms=None),
    ev.LowTime: lambda state, event: replace(state, low_told=(*state.low_told, (event.seat, event.threshold_s))),
    ev.InstantsVoided: _voided,
    ev.StopRuled: lambda state, event: replace(state, stopped_by=None),
    ev.ClockRead: _clock_read,
}
