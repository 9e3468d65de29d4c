"""This file says how events of the clock and of the schedule change the state.

They are: presses, settings and flags, cues, the clock set before the game, the press buttons, the displays' delay, and
appointment, presence, default time, sessions and low time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.state import GameState, HeldPress, SpokenNow
from server.game.values.clock import ChessClock
from server.game.values.words import ClockMaster, PressKeys, Seat

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
    """Let the held press take effect; the times kept with its ply are those after it."""
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
        return state  # an older announcement: another has begun since
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
    """Let play go on; a resignation that still waited for its result no longer counts."""
    if state.resigned is not None:
        left = tuple(one for one in state.mate_questions if one.why != "resigned")
        state = replace(state, resigned=None, mate_questions=left)
    state = replace(state, flag_seen=None)
    if state.setting is not None and state.setting.because != "desk":  # play goes on, so the boards must be right
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
    # The beginning of a resumption is a time of the earlier run: nobody can be called late because of it.
    return replace(state, clock=clock, announcing=(), adjournment=replace(state.adjournment, began_ms=None))


def _master_changed(state: GameState, event: ev.ClockMasterChanged) -> GameState:
    """Change which clock counts; when ours counts again, it stands for the player whose time it is.

    Presses of another clock did not move ours.
    """
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


COUNTED_S = 10
"""The countdown of the last seconds begins at this many seconds."""


def told_again(cued: tuple[tuple[Seat, int], ...], seat: Seat, *, all_of_them: bool) -> tuple[tuple[Seat, int], ...]:
    """Return what still counts as told for this seat.

    After its move the countdown may begin again; after a new time on its display every cue may be told again.
    """
    return tuple((one, s) for one, s in cued if one is not seat or not (all_of_them or s <= COUNTED_S))


def _cues_asked(state: GameState, event: ev.CuesAsked) -> GameState:
    others = tuple(one for one in state.cues if one.seat is not event.seat)
    wants = event.at_s or event.countdown != "off"
    return replace(state, cues=(*others, event) if wants else others)


def _set_up(state: GameState, event: ev.ClockSetUp) -> GameState:
    return replace(state, clock=ChessClock.set_to(event.control), proposed_clock=None)


def _without(state: GameState, seat: Seat) -> tuple[ev.ClockChoiceAsked, ...]:
    return tuple(one for one in state.choosing if one.seat is not seat)


def _display_delayed(state: GameState, event: ev.DisplayDelayed) -> GameState:
    others = tuple(one for one in state.display_delays if one[0] != event.station)
    return replace(state, display_delays=(*others, (event.station, event.delay_s)))


OWN_CLOCK: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.CuesAsked: _cues_asked,
    ev.TimeCued: lambda state, event: replace(state, cued=(*state.cued, (event.seat, event.left_s))),
    ev.ClockProposed: lambda state, event: replace(state, proposed_clock=(event.seat, event.control)),
    ev.ClockSetUp: _set_up,
    ev.ClockChoiceAsked: lambda state, event: replace(state, choosing=(*_without(state, event.seat), event)),
    ev.ClockChoiceEnded: lambda state, event: replace(state, choosing=_without(state, event.seat)),
    ev.PressKeysAsked: lambda state, event: replace(
        state, press_keys=PressKeys(event.where, learning=event.where is not None)
    ),
    ev.PressKeysTold: lambda state, event: replace(state, press_keys=PressKeys(event.where, event.white, event.black)),
    ev.DisplayDelayed: _display_delayed,
    ev.ClockKept: lambda state, event: replace(state, proposed_clock=None),
}


def _present(state: GameState, event: ev.PresenceNoted) -> GameState:
    others = tuple(seat for seat in state.attendance or () if seat is not event.seat)
    return replace(state, attendance=(*others, event.seat) if event.present else others)


def _voided(state: GameState, event: ev.InstantsVoided) -> GameState:
    state = replace(state, appointed_ms=None, default_due_ms=None, session_due_ms=None, announcing=(), clock_read=None)
    if state.adjournment is None:
        return state
    return replace(state, adjournment=replace(state.adjournment, began_ms=None))


def default_due(state: GameState, started_ms: int) -> int | None:
    """Return when the default time is over; None where nobody looks who is there.

    It counts where presence is noted, or where the clock started by itself.
    """
    by_appointment = state.appointed_ms is not None and started_ms >= state.appointed_ms
    if not by_appointment and state.attendance is None:
        return None
    return started_ms + state.regulations.default_time_s * 1000


def _clock_read(state: GameState, event: ev.ClockRead) -> GameState:
    """Record what another clock shows, also as the times of the move after which it was read."""
    state = replace(state, clock_read=(event.at, event.white_ms, event.black_ms))
    record = state.ply(event.ply)
    if record is None:
        return state
    timed = replace(record, white_ms=event.white_ms, black_ms=event.black_ms)
    return replace(state, plies=(*state.plies[: event.ply - 1], timed, *state.plies[event.ply :]))


WAITING: dict[type, Callable[[GameState, Any], GameState]] = {
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
