"""The clock as a station is shown it or told of it. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from server.game import acts as ev
from server.game.decide.adaptations import adaptation_value
from server.game.decide.time.clock import AUTOMATIC
from server.game.laws.adaptations import ON
from server.game.state.state import GameState
from server.game.values.words import Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.seats.shown import shown, silent

silent(ev.CuesAsked)


def sees_clock(state: GameState, station: Station) -> bool:
    """Return whether a station shows the clock.

    A tactile player hears the clock only when asking for it (12.6, D.2.10.4); the others look at it.
    """
    return station.role is Role.ASSISTANT or (
        station.seat is not None and state.plan(station.seat).kind is not SeatKind.TACTILE
    )


def clock_shown(state: GameState, at: int) -> msg.ClockShown:
    """Return both displays of the clock that counts, of another one as it was read last."""
    reading, age_ms = state.clock_known(at)
    if reading is None:
        return msg.ClockShown(white_ms=None, black_ms=None, running=None, first_flag=None, at=at)
    return msg.ClockShown(
        white_ms=reading.white_ms,
        black_ms=reading.black_ms,
        running=reading.running,
        first_flag=reading.first_flag,
        at=at,
        age_ms=age_ms,
    )


InWords = msg.Started | msg.Paused | msg.Resumed | msg.TimeGiven | msg.ClockCorrected | msg.ClockMasterShown
"""Messages that tell in words what became of the clock."""


def beside_clock(told: InWords | None, state: GameState, station: Station, at: int) -> msg.AnyMessage | None:
    """Return both displays and, with them, what is told in words; the words alone to those who see no clock."""
    return replace(clock_shown(state, at), told=told) if sees_clock(state, station) else told


@shown(ev.ClockPressed, ev.PeriodBegun)
def _displays(event: ev.ClockPressed | ev.PeriodBegun, state: GameState, station: Station) -> msg.AnyMessage | None:
    """Return the displays to those who see them: a move says it, or nothing does."""
    return beside_clock(None, state, station, event.at)


@shown(ev.ClockSet)
def _set(event: ev.ClockSet, state: GameState, station: Station, seat: Seat) -> msg.AnyMessage | None:
    told = None
    if event.by_hand:
        told = msg.ClockCorrected() if sees_clock(state, station) else correction_shown(state, seat, event.at)
    return beside_clock(told, state, station, event.at)


@shown(ev.TimeAdded)
def _added(event: ev.TimeAdded, state: GameState, station: Station, seat: Seat) -> msg.AnyMessage | None:
    return beside_clock(msg.TimeGiven(own=event.seat is seat, ms=event.ms), state, station, event.at)


@shown(ev.ClockPaused)
def _paused(event: ev.ClockPaused, state: GameState, station: Station) -> msg.AnyMessage | None:
    return beside_clock(msg.Paused(medical=event.medical is not None), state, station, event.at)


@shown(ev.ClockResumed)
def _resumed(event: ev.ClockResumed, state: GameState, station: Station) -> msg.AnyMessage | None:
    return beside_clock(msg.Resumed(), state, station, event.at)


@shown(ev.IncrementSet)
def _increment(event: ev.IncrementSet) -> msg.IncrementShown:
    return msg.IncrementShown(increment_ms=event.increment_ms)


@shown(ev.FlagFell)
def _flag(event: ev.FlagFell, state: GameState, station: Station, seat: Seat) -> msg.AnyMessage | None:
    """Return the displays, or the cue of those who do not see them where the arbiter has approved it (6.8)."""
    if sees_clock(state, station):
        return clock_shown(state, event.at)
    return msg.FlagShown(own=event.seat is seat) if adaptation_value(state, "flag_cue_private") == ON else None


@shown(ev.TimeCued)
def _cue(event: ev.TimeCued, state: GameState, station: Station, seat: Seat) -> msg.TimeCue | None:
    if station.role is not Role.PLAYER or sees_clock(state, station) or event.seat is not seat or event.late:
        return None
    return msg.TimeCue(left_s=event.left_s, way=event.way)


def correction_shown(state: GameState, seat: Seat, at: int) -> msg.ClockCorrected:
    """Return what a player who cannot look at the displays is told when they were set (D.2.10.4).

    The player asks for the times. Where the clock may tell its time unasked, the message says what the displays show.
    """
    if adaptation_value(state, AUTOMATIC) != ON:
        return msg.ClockCorrected()
    running = state.time.clock.running
    return msg.ClockCorrected(
        own_ms=max(0, state.time.clock.remaining(seat, at)),
        opponent_ms=max(0, state.time.clock.remaining(seat.other, at)),
        own_runs=None if running is None else running is seat,
    )


@shown(ev.ClockProposed, ev.ClockKept, ev.ClockSetUp)
def _setting(
    event: ev.ClockProposed | ev.ClockKept | ev.ClockSetUp, state: GameState, station: Station
) -> msg.AnyMessage | None:
    """Return what a station is told of the clock being set before the game.

    Players who see the clock see how it is set; the others are told, and of a proposal only the player who made it.
    """
    own = event.seat is station.seat
    if isinstance(event, ev.ClockSetUp) and sees_clock(state, station) and not own:
        return clock_shown(state, event.at)
    if not isinstance(event, ev.ClockSetUp) and not own:
        return None
    stage = {ev.ClockProposed: "proposed", ev.ClockKept: "kept", ev.ClockSetUp: "set"}[type(event)]
    control = state.time.clock.control if isinstance(event, ev.ClockKept) else event.control
    return msg.ClockSetting(stage=stage, own=own, control=control.text)


@shown(ev.ClockChoiceAsked, ev.ClockChoiceEnded)
def _choice(
    event: ev.ClockChoiceAsked | ev.ClockChoiceEnded, state: GameState, station: Station, seat: Seat
) -> msg.ClockSetting | None:
    """Return for the player who sets the clock by voice the setting in question, or that none was set.

    Of a chosen setting the player is told when it takes effect or waits for approval.
    """
    if station.role is not Role.PLAYER or event.seat is not seat:
        return None
    if isinstance(event, ev.ClockChoiceAsked):
        return msg.ClockSetting(stage="asked", own=True, control=event.control.text)
    if event.outcome in ("chosen", "dropped"):
        return None
    return msg.ClockSetting(stage="unset", own=True, control=state.time.clock.control.text)
