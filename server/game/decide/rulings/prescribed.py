"""The numbered steps that the Laws prescribe for an incident, each an act with its values filled in.

Nothing is decided here: the arbiter changes what they like, and gives all of it with one act (`incidents.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec

from server.game import acts as cmd
from server.game.decide.rulings.irregular_ply import (
    goes_back,
    penalty_of,
    ply_ruled_on,
    queen_forced,
    result_of,
)
from server.game.state.rulings import AlertKept
from server.game.state.state import GameState
from server.game.values.saying import Saying
from server.game.values.words import ClockMaster, Seat


class PrescribedStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of an incident: its name (of its words), its act, whom it is about, and whether it is done already.

    `body` None: there is no act for it, as for a board that its player sets. `uci`: the move that it is about.
    """

    name: str
    body: cmd.AnyAct | None
    who: Seat | None = None
    done: bool = False
    uci: str | None = None


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """One way to settle an incident: the name of its words, and its steps in their order."""

    name: str
    steps: tuple[PrescribedStep, ...]


def ways_of(state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return the ways to settle an alert's incident, the likeliest first, without the clocks; () for no incident."""
    prescribe = PRESCRIBED.get(kept.alert.kind)
    return () if prescribe is None or state.over else prescribe(state, kept)


def steps_of(state: GameState, kept: AlertKept) -> tuple[PrescribedStep, ...]:
    """Return the steps of an alert's incident: of the likeliest way, where that is no ruling between two; else ()."""
    ways = ways_of(state, kept)
    return ways[0].steps if ways and (len(ways) == 1 or ways[0].name == "settle_all") else ()


Prescribes = Callable[[GameState, AlertKept], tuple[Way, ...]]


def _stop(state: GameState) -> tuple[PrescribedStep, ...]:
    """Return the stop of both clocks, which another clock than ours does not need from here."""
    if state.time.clock_master is not ClockMaster.SERVER:
        return ()
    return (PrescribedStep(name="stop", body=cmd.Pause(reason="incident"), done=state.time.clock.running is None),)


def _irregular(kind: str, state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return the prescribed steps for a ply that is irregular in this way (7.5, 4.3)."""
    ply, done = kept.alert.ply, kept.done
    seat = state.seat_of(ply)
    about = ply_ruled_on(state, ply, seat, kind) if ply else None
    if about is None:
        return ()
    ruled = "ruled" in done
    penalty = penalty_of(state, seat, kind, ruled=ruled)
    queen = queen_forced(state, about, kind)
    ruling = cmd.RuleIrregularity(ply=ply, seat=seat, kind=kind, give=False)  # type: ignore[arg-type]
    found = [*_stop(state), PrescribedStep(name=f"rule_{kind}", body=ruling, who=seat, done=ruled, uci=about.uci)]
    if goes_back(state, kind) and not penalty.loses:
        back = cmd.RestoreTo(ply=ply - 1)
        found.append(PrescribedStep(name="back", body=back, who=seat, done="back" in done, uci=about.uci))
    if penalty.loses:
        _, result = result_of(about, queen=queen)
        ends = cmd.RuleResult(result=result, reason="illegal_move", article=penalty.article)  # type: ignore[arg-type]
        found.append(PrescribedStep(name="result", body=ends))
    elif penalty.bonus_ms:
        give = cmd.AddTime(seat=seat.other, ms=penalty.bonus_ms, reason="illegal_move", article=penalty.article)
        found.append(PrescribedStep(name="give", body=give, who=seat.other, done="given" in done))
    return (Way(name="settle_all", steps=tuple(found)),)


def _claim(state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return both rulings on an open claim; the time that 9.5.3 gives comes with the ruling."""
    if state.draws.claim is None:
        return ()
    correct, wrong = (
        PrescribedStep(name=f"claim_{ruling}", body=cmd.RuleClaim(ruling=ruling), who=kept.seat)
        for ruling in ("correct", "wrong")
    )
    return tuple(Way(name=one.name, steps=(one,)) for one in (correct, wrong))


def _flag(state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return the call of a fallen flag (6.8)."""
    clock = state.time.clock
    fallen = clock.first_flag or next((seat for seat in Seat if clock.side(seat).flagged), None)
    if fallen is None or state.time.clock_master is not ClockMaster.SERVER:
        return ()
    call = PrescribedStep(name="call_flag", body=cmd.CallFlag(seat=fallen), who=fallen)
    return (Way(name="call_flag", steps=(call,)),)


def _time(state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return the result that 6.9 says, where what was found names one and nothing else has to be looked at first."""
    found = _all_sayings_in(kept.alert.said)
    if {one.key for one in found} & OPEN_STILL or state.draws.claim is not None:
        return ()
    results = {"1/2-1/2" if one.key == "drawn_by" else str(one.values["result"]) for one in found if one.key in ENDS}
    if len(results) != 1:
        return ()
    body = cmd.RuleResult(result=results.pop(), reason="flag", article="6.9")  # type: ignore[arg-type]
    return (Way(name="result", steps=(PrescribedStep(name="result", body=body),)),)


def _all_sayings_in(said: Saying | None) -> tuple[Saying, ...]:
    """Return a saying and all sayings in it."""
    if said is None:
        return ()
    inside = (one for value in said.values.values() for one in (value if isinstance(value, tuple) else (value,)))
    return (said, *(deep for one in inside if isinstance(one, Saying) for deep in _all_sayings_in(one)))


ENDS = ("lost_by", "drawn_by")
OPEN_STILL = frozenset({"flag_not_fallen", "look_at_clock", "rule_first", "arbiter_decides", "server_lost"})
"""Findings of a claim on time after which the arbiter has to look before there is a result."""


def _device(state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return the penalty of the event for a device that is found on a player (11.3.2.2)."""
    if kept.seat is None:
        return ()
    penalty = state.table.regulations.device_penalty
    amount = DEVICE_TIME_MS if penalty in ("more_time_for_opponent", "less_time_for_offender") else 0
    body = cmd.Penalise(seat=kept.seat, penalty=penalty, amount=amount, reason="11.3.2")
    return (Way(name="settle_all", steps=(*_stop(state), PrescribedStep(name="penalise", body=body, who=kept.seat))),)


def _clock_wrong(state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return the clock set right (6.10.2): what ran for one player in this move is the other's, whose move it is."""
    if state.time.clock_master is not ClockMaster.SERVER or not state.table.started:
        return ()
    clock, mover = state.time.clock, state.on_move
    times = {seat: clock.side(seat).remaining_ms for seat in Seat}
    if clock.turn is not mover:
        times[clock.turn] += clock.this_move_ms
        times[mover] = max(0, times[mover] - clock.this_move_ms)
    body = cmd.SetClock(white_ms=times[Seat.WHITE], black_ms=times[Seat.BLACK], turn=mover, reason="6.10.2")
    return (Way(name="settle_all", steps=(*_stop(state), PrescribedStep(name="correct_clock", body=body, who=mover))),)


def _set_up(state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return the ruling on a wrong set-up (7.2, 7.3); or the board set as the game stands, where a piece was gone."""
    body = cmd.RuleSetUp(what="position", board=kept.seat)
    ruled = Way(name="settle_all", steps=(*_stop(state), PrescribedStep(name="set_up", body=body, who=kept.seat)))
    if kept.seat is None or state.position is None:
        return (ruled,)
    right = cmd.SetBoard(board=kept.seat, placement=state.position.placement, turn=state.on_move)
    return (ruled, Way(name="board_right", steps=(PrescribedStep(name="board_right", body=right, who=kept.seat),)))


def _medical(state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return the pause for medical attention (12.2.6)."""
    stands = state.time.clock.running is None
    body = cmd.Pause(medical=kept.seat)
    return (
        Way(name="settle_all", steps=(PrescribedStep(name="medical_pause", body=body, who=kept.seat, done=stands),)),
    )


def _absent(state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return the loss of who is not there after the default time (6.7.1); before it, that they came or are away."""
    missing = state.schedule.absent
    if missing:
        who = missing[0] if len(missing) == 1 else None
        lost = PrescribedStep(name="forfeit", body=cmd.RuleAbsence(forfeit=True), who=who)
        return (Way(name="settle_all", steps=(*_stop(state), lost)),)
    if kept.seat is None or (state.adjournment is not None and state.adjournment.closed):
        return ()
    came = kept.alert.kind == "late_arrival"
    body = cmd.NotePresent(seat=kept.seat, present=came)
    return (Way(name="settle_all", steps=(PrescribedStep(name="came" if came else "away", body=body, who=kept.seat),)),)


def _ways_after_interruption(state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return the clocks stopped, and their times as the record has them, to be confirmed or put right (6.10.1)."""
    clock = state.time.clock
    if state.time.clock_master is not ClockMaster.SERVER or not state.table.started:
        return ()
    white, black = (clock.side(seat).remaining_ms for seat in Seat)
    body = cmd.SetClock(white_ms=white, black_ms=black, turn=clock.turn, reason="6.10.1")
    return (Way(name="settle_all", steps=(*_stop(state), PrescribedStep(name="correct_clock", body=body))),)


def _boards(state: GameState, kept: AlertKept) -> tuple[Way, ...]:
    """Return the steps left once the desk has decided: both boards stand, and the clocks run (D.2.9)."""
    if state.desk is None or state.desk.decided is None:
        return ()
    stand = tuple(
        PrescribedStep(name="board_stands", body=cmd.ConfirmBoard(board=seat), who=seat)
        for seat in Seat
        if state.setting is not None and seat in state.setting.awaited
    )
    return (Way(name="boards_stand", steps=(*stand, PrescribedStep(name="resume", body=cmd.Resume()))),)


DEVICE_TIME_MS = 120_000
"""Time to be filled in where the event punishes a device by time; the event names no amount."""
PRESCRIBED: dict[str, Prescribes] = {
    "not_legal": partial(_irregular, "illegal"),
    "takes_king": partial(_irregular, "illegal"),
    "unpromoted": partial(_irregular, "unpromoted"),
    "press_without_move": partial(_irregular, "no_move"),
    "touch_move": partial(_irregular, "touch"),
    "irregularity_claimed": partial(_irregular, "illegal"),
    "draw_claimed": _claim,
    "flag": _flag,
    "flag_called": _time,
    "time_claimed": _time,
    "device_found": _device,
    "clock_wrong": _clock_wrong,
    "set_up_wrong": _set_up,
    "medical_call": _medical,
    "late_arrival": _absent,
    "default_time_over": _absent,
    "interrupted": _ways_after_interruption,
    "board_differs": _boards,
}
"""Prescribed steps, by the kind of alert that opened the incident."""
