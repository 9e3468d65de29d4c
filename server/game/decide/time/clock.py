"""The clock is set before the game, by a player alone where the arbiter approves it (D.2.6.1, 6.3.1, L057); one side
of it is corrected at once (6.10.2, L067)."""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts import events as ev
from server.game.acts.commands import Refusal
from server.game.decide.adaptations import adapted
from server.game.decide.draft import Draft
from server.game.decide.rulings.conduct import locked
from server.game.decide.rulings.resumption import times_stand
from server.game.laws.adaptations import ON
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat, Station

ADAPTATION = "player_sets_clock"


def set_up_clock(draft: Draft, seat: Seat, station: Station | None, body: cmd.SetUpClock) -> Refusal | None:
    """By the arbiter, or where he has recorded that a player may, it counts at once; else it waits for him.

    Before the game only: periods are specified in advance (6.3.1).
    """
    state = draft.state
    if state.started:
        return Refusal("clock_is_fixed", "6.3.1")
    try:
        control = TimeControl.parse(body.control)
    except ValueError:
        return Refusal("no_time_control", "6.3.1")
    by_player = station is not None and station.role is Role.PLAYER
    if not by_player or adapted(state, ADAPTATION) == ON:
        draft.emit(ev.ClockSetUp(at=draft.now, control=control, seat=seat if by_player else None))
        return None
    draft.emit(ev.ClockProposed(at=draft.now, seat=seat, control=control))
    what = f"{seat.value} has set the clock to {control.text}: approve it, or leave it at {state.clock.control.text}"
    draft.alert("clock_proposed", 0, what, grey=False)
    return None


def approve_clock(draft: Draft, body: cmd.ApproveClock) -> Refusal | None:
    """The arbiter's word on what a player has set."""
    state = draft.state
    if state.proposed_clock is None:
        return Refusal("nothing_proposed", "6.3.1")
    if state.started:
        return Refusal("clock_is_fixed", "6.3.1")
    seat, control = state.proposed_clock
    if body.approved:
        draft.emit(ev.ClockSetUp(at=draft.now, control=control, seat=seat))
    else:
        draft.emit(ev.ClockKept(at=draft.now, seat=seat))
    return None


def correct_clock(draft: Draft, body: cmd.CorrectClock) -> Refusal | None:
    """One side gets the time and the counter that the arbiter gives; what the other uses meanwhile stays used."""
    state, now = draft.state, draft.now
    if (fixed := locked(state, body.reason) or times_stand(state, body.reason)) is not None:
        return fixed
    times = {seat: body.ms if seat is body.seat else state.clock.remaining(seat, now) for seat in Seat}
    moves = {seat: state.clock.side(seat).moves for seat in Seat}
    counted = None
    if body.completed is not None:
        moves[body.seat] = body.completed
        counted = (moves[Seat.WHITE], moves[Seat.BLACK])
    draft.emit(
        ev.ClockSet(
            at=now,
            white_ms=times[Seat.WHITE],
            black_ms=times[Seat.BLACK],
            turn=body.turn or state.clock.turn,
            reason=body.reason,
            moves=counted,
            by_hand=True,
        )
    )
    return None
