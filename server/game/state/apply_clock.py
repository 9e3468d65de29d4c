"""How the clock changes the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.game.acts import events as ev
from server.game.state.applying_own_clock import told_again
from server.game.state.applying_waiting import default_due
from server.game.state.state import GameState, HeldPress, SpokenNow
from server.game.values.words import ClockMaster, Seat

NO_REASON_NEEDED = (
    "sealed",
    "arrived",
    "resigned",
    "draw_agreed",
)  # the Laws have the player stop it, or the game is over (6.11.4)


def _started(state: GameState, event: ev.GameStarted) -> GameState:
    clock = state.clock.started(event.at) if state.clock_master is ClockMaster.SERVER else state.clock
    due = default_due(state, event.at)
    begun = (state.positions[0], state.clock.control)
    return replace(state, started=True, begun=begun, clock=clock, default_due_ms=due, appointed_ms=None, choosing=())


def _pressed(state: GameState, event: ev.ClockPressed) -> GameState:
    if not event.effective:
        return state
    state = replace(state, cued=told_again(state.cued, event.seat, all_of_them=False))
    if not event.held:
        return replace(state, clock=state.clock.pressed(event.seat, event.at))
    held = HeldPress(event.seat, event.ply, event.at, event.held)
    if event.held == "none":  # both stand until the announcement has been heard
        return replace(state, held=held, clock=state.clock.pressed(event.seat, event.at).paused(event.at))
    return replace(state, held=held)


def _waited(state: GameState, event: ev.AnnouncementWaited) -> GameState:
    """The held press takes effect; the times kept with its ply are those after it."""
    stood = event.charge == "none"
    clock = state.clock.started(event.at) if stood else state.clock.pressed(event.seat, event.at)
    state = replace(state, clock=clock, held=None)
    record = state.ply(event.ply)
    if record is None or not record.completed:
        return state
    reading = clock.reading(event.at)
    periods = (clock.white.period, clock.black.period)
    timed = replace(record, white_ms=reading.white_ms, black_ms=reading.black_ms, periods=periods)
    return replace(state, plies=(*state.plies[: event.ply - 1], timed, *state.plies[event.ply :]))


def _announcement(state: GameState, event: ev.AnnouncementSpoken) -> GameState:
    known = next((one for one in state.announcing if one.seat is event.seat), None)
    others = tuple(one for one in state.announcing if one.seat is not event.seat)
    if known is not None and event.utterance != known.utterance and (event.over or event.until_ms is not None):
        return state  # an older one: another has begun since
    if event.over:
        return replace(state, announcing=others)
    since = known.since if known is not None and known.utterance == event.utterance else event.at
    return replace(state, announcing=(*others, SpokenNow(event.seat, event.utterance, since, event.until_ms)))


def _paused(state: GameState, event: ev.ClockPaused) -> GameState:
    asks = event.seat is not None and event.reason not in NO_REASON_NEEDED
    stopped_by = event.seat if asks else state.stopped_by
    if event.medical is not None and stopped_by is event.medical:
        stopped_by = None  # the reason was valid (6.11.4)
    return replace(state, clock=state.clock.paused(event.at), stopped_by=stopped_by)


def _resumed(state: GameState, event: ev.ClockResumed) -> GameState:
    """Play goes on: a resignation that still waited for its result was none, as the arbiter finds."""
    if state.resigned is not None:
        left = tuple(one for one in state.mate_questions if one.why != "resigned")
        state = replace(state, resigned=None, mate_questions=left)
    state = replace(state, flag_seen=None)
    if state.setting is not None and state.setting.because != "desk":  # play goes on: so the boards stand
        state = replace(state, setting=None)
    if state.clock_master is not ClockMaster.SERVER:
        return state
    return replace(state, clock=state.clock.started(event.at))


def _clock_set(state: GameState, event: ev.ClockSet) -> GameState:
    clock = state.clock.corrected(
        event.white_ms,
        event.black_ms,
        event.turn,
        event.at,
        moves=event.moves,
        periods=event.periods,
        move_ms=event.move_ms,
    )
    state = replace(state, clock=clock, owed=None, cued=())
    if not event.anew:
        return state
    left = {Seat.WHITE: event.white_ms, Seat.BLACK: event.black_ms}
    below = tuple((seat, seconds) for seat, seconds in state.low_told if left[seat] <= seconds * 1000)
    return replace(state, clock=replace(clock, this_move_ms=0), low_told=below)


def _time_added(state: GameState, event: ev.TimeAdded) -> GameState:
    cued = told_again(state.cued, event.seat, all_of_them=True)
    return replace(state, clock=state.clock.added(event.seat, event.ms, event.at), cued=cued)


def _increment_set(state: GameState, event: ev.IncrementSet) -> GameState:
    return replace(state, clock=state.clock.with_increment(event.increment_ms, event.at))


def _period_begun(state: GameState, event: ev.PeriodBegun) -> GameState:
    return replace(state, clock=state.clock.next_period(event.seat, event.at), cued=())


def _flag_fell(state: GameState, event: ev.FlagFell) -> GameState:
    return replace(state, clock=state.clock.flagged(event.seat, event.at))


def _interrupted(state: GameState, event: ev.Interrupted) -> GameState:
    clock = state.clock.stood_at(event.white_ms, event.black_ms, event.turn, event.move_ms)
    if state.adjournment is None:
        return replace(state, clock=clock, announcing=())
    # The beginning of a resumption is a time of the earlier run: nobody can be told late by it.
    return replace(state, clock=clock, announcing=(), adjournment=replace(state.adjournment, began_ms=None))


def _master_changed(state: GameState, event: ev.ClockMasterChanged) -> GameState:
    """Another clock's presses did not move ours: when it leads again, it stands for the player whose time it is."""
    clock = state.clock
    if event.clock_master is not ClockMaster.SERVER:
        clock = clock.paused(event.at)
    elif state.clock_master is not ClockMaster.SERVER:
        last = state.ply(state.made_plies)
        clock = replace(clock, turn=last.seat if last is not None and not last.completed else state.on_move)
    return replace(state, clock_master=event.clock_master, clock=clock)


CHANGES: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.GameStarted: _started,
    ev.ClockPressed: _pressed,
    ev.AnnouncementSpoken: _announcement,
    ev.AnnouncementWaited: _waited,
    ev.ClockPaused: _paused,
    ev.ClockResumed: _resumed,
    ev.ClockSet: _clock_set,
    ev.TimeAdded: _time_added,
    ev.IncrementSet: _increment_set,
    ev.PeriodBegun: _period_begun,
    ev.FlagFell: _flag_fell,
    ev.Interrupted: _interrupted,
    ev.ClockMasterChanged: _master_changed,
}
