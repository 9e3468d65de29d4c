"""This file makes what a station is shown or told of the clock. Pure.

It is part of `views`, which alone decides who gets it.
"""

from __future__ import annotations

from msgspec.structs import replace

from server.game import acts as ev
from server.game.decide.adaptations import adapted
from server.game.decide.time.clock import AUTOMATIC
from server.game.laws.adaptations import ON
from server.game.state.state import GameState
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat, SeatKind, Station
from server.game.views import messages as msg


def sees_clock(state: GameState, station: Station) -> bool:
    """Return whether a station shows the clock.

    A tactile player hears the clock only when asking for it (12.6, D.2.10.4); the others look at it.
    """
    return station.role is Role.ASSISTANT or (
        station.seat is not None and state.plan(station.seat).kind is not SeatKind.TACTILE
    )


def clock_shown(state: GameState, at: int) -> msg.ClockShown:
    reading = state.time.clock.reading(at)
    return msg.ClockShown(
        white_ms=reading.white_ms,
        black_ms=reading.black_ms,
        running=reading.running,
        first_flag=reading.first_flag,
        at=at,
    )


def clock_told(
    event: ev.AnyEvent, state: GameState, station: Station
) -> msg.Started | msg.Paused | msg.Resumed | msg.TimeGiven | msg.ClockCorrected | msg.ClockMasterShown | None:
    """Return what a seat is told in words of what became of the clock; None where a move says it, or nothing does."""
    seat = station.seat
    match event:
        case ev.ClockSet(by_hand=True) if seat is not None and not sees_clock(state, station):
            return correction_shown(state, seat, event.at)
        case ev.ClockSet(by_hand=True):
            return msg.ClockCorrected()
        case ev.TimeAdded():
            return msg.TimeGiven(own=event.seat is seat, ms=event.ms)
        case ev.ClockMasterChanged():
            return msg.ClockMasterShown(clock_master=event.clock_master)
        case ev.GameStarted():
            return msg.Started(appointed=event.appointed)
        case ev.ClockPaused() | ev.Interrupted():
            return msg.Paused(medical=isinstance(event, ev.ClockPaused) and event.medical is not None)
        case ev.ClockResumed():
            return msg.Resumed()
    return None


def answer_shown(event: ev.Answered, seat: Seat, control: TimeControl) -> msg.AnswerGiven:
    """Return the answer to a question and nothing beyond it (D.2.10.4).

    `control`: how the clock is set, which is part of all that it shows.
    There is no time with the moves, and no move number with the time.
    """
    read = event.age_ms is not None  # a reading of another clock: how much time was used is not known
    own = (event.white_ms, None if read else event.white_used_ms)
    other = (event.black_ms, None if read else event.black_used_ms)
    if seat is Seat.BLACK:
        own, other = other, own
    what = event.what
    times = msg.AnswerGiven(
        what=what,
        own_ms=own[0],
        opponent_ms=other[0],
        own_used_ms=own[1],
        opponent_used_ms=other[1],
        own_runs=None if event.running is None else event.running is seat,
        flag_first="" if event.first_flag is None else "own" if event.first_flag is seat else "opponent",
        age_ms=event.age_ms,
    )
    several = {"period": event.period, "periods": event.periods} if event.periods > 1 else {}
    moves = {"moves": event.moves, "to_control": event.to_control, **several}
    match what:
        case "clock":
            return replace(times, **moves, control=control.text)
        case "time":
            return times
        case "opponent_time":
            return msg.AnswerGiven(what=what, opponent_ms=other[0], opponent_used_ms=other[1], age_ms=event.age_ms)
        case "moves":
            return msg.AnswerGiven(what=what, **moves)  # type: ignore[arg-type]
    return msg.AnswerGiven(
        what=event.what,
        words=event.words,
        score=event.score,
        placement=event.placement,
        move=event.move,
        refused=event.refused,
        article=event.article,
        more=event.more,
        took_ms=event.took_ms,
        pairing=event.pairing,
    )


def correction_shown(state: GameState, seat: Seat, at: int) -> msg.ClockCorrected:
    """Return what a player who cannot look at the displays is told when they were set (D.2.10.4).

    The player asks for the times. Where the clock may tell its time unasked, the message says what the displays show.
    """
    if adapted(state, AUTOMATIC) != ON:
        return msg.ClockCorrected()
    running = state.time.clock.running
    return msg.ClockCorrected(
        own_ms=max(0, state.time.clock.remaining(seat, at)),
        opponent_ms=max(0, state.time.clock.remaining(seat.other, at)),
        own_runs=None if running is None else running is seat,
    )


def setting_shown(
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


def choice_shown(event: ev.ClockChoiceAsked | ev.ClockChoiceEnded, state: GameState) -> msg.AnyMessage | None:
    """Return for the player who sets the clock by voice the setting in question, or that none was set.

    Of a chosen setting the player is told when it takes effect or waits for approval.
    """
    if isinstance(event, ev.ClockChoiceAsked):
        return msg.ClockSetting(stage="asked", own=True, control=event.control.text)
    if event.outcome in ("chosen", "dropped"):
        return None
    return msg.ClockSetting(stage="unset", own=True, control=state.time.clock.control.text)
