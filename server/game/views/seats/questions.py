"""Answers to a player's questions, and when the program may ask a player anything."""

from __future__ import annotations

from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.state import GameState
from server.game.values.time_control import TimeControl
from server.game.values.words import Duty, Mode, Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.seats.shown import shown, silent

silent(
    *(ev.SpokenPrivately, ev.SpeechCut, ev.CastlingMeant, ev.Adjusting, ev.SheetAsked, ev.RecordingExempted),
)


def may_ask(state: GameState, seat: Seat, at: int) -> bool:
    """Return whether a player may be asked anything now.

    Not in time trouble, and not where the program is only a clock.
    """
    if state.table.mode is Mode.CLOCK:
        return False
    clock, event = state.time.clock, state.table.regulations
    period = clock.control.periods[clock.side(seat).period]
    long = period.increment_ms >= event.long_increment_s * 1000
    limit_s = event.trouble_with_increment_s if long else event.trouble_s
    return clock.remaining(seat, at) >= limit_s * 1000


def has_acted(seat: Seat | None, station: Station) -> bool:
    """Return whether this seat's act was done here: by its player, or by an assistant whose duty it is (D.2.10.5)."""
    return seat is station.seat and (station.role is Role.PLAYER or Duty.CLAIM_AND_REPORT in station.duties)


@shown(ev.ArbiterCalled)
def _called(event: ev.ArbiterCalled, station: Station) -> msg.ActTaken | None:
    if not has_acted(event.seat, station):
        return None
    return msg.ActTaken(what="medical" if event.reason == "medical" else "arbiter")


@shown(ev.CommandRefused)
def _refused(event: ev.CommandRefused, station: Station) -> msg.NotDone | None:
    return msg.NotDone(code=event.code, article=event.article) if event.station == station.id else None


@shown(ev.Answered)
def _answered(event: ev.Answered, state: GameState, seat: Seat, station: Station) -> msg.AnswerGiven | None:
    return answer_shown(event, seat, state.time.clock.control) if event.station == station.id else None


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
