"""Claims on time, and the flag as the arbiter calls it.

See 6.8, 6.9, A.4.5, A.5.5, III.3.1; L064, L065, L154, L156. The clocks stand at once; what 6.9 says follows when it is
known whether the other side can ever mate, which is worked out outside the decision (`mate_questions`).

It also says what the arbiter is offered where both flags have fallen and nobody knows which first (III.2, III.3.1;
L232-L234).
"""

from __future__ import annotations

from server.game.acts import ClockPaused, FlagCalled, Refusal, TimeClaimed
from server.game.decide.draft import Draft
from server.game.decide.endings import (
    announced_end,
    announced_ply,
    ask_of_mate,
    believed_positions,
    never_mates_after,
    void,
)
from server.game.laws.quickplay import applies, both_flags_fallen, why_not
from server.game.laws.results import lost_by
from server.game.mating import Answer
from server.game.state.state import GameState
from server.game.values.saying import Saying, join_sayings, saying
from server.game.values.words import ClockMaster, Role, Seat


def claim_time(draft: Draft, seat: Seat, *, at: int | None = None, early: bool = False) -> None:
    """Take a claim on time (6.8): the clocks stop, and the arbiter is told what 6.9 says.

    One word is enough. `at`: when it was said; `early`: no flag was down at that time.
    """
    draft.emit(TimeClaimed(at=draft.now if at is None else at, seat=seat))
    draft.emit(ClockPaused(at=draft.now, by=Role.PLAYER, seat=seat, reason="claim"))
    said = saying("claims_time", who=seat)
    if early and draft.state.time.clock.side(seat.other).flagged:
        said = join_sayings(said, saying("no_flag_then"))
    _tell(draft, seat.other, "time_claimed", said)


def call_flag(draft: Draft, seat: Seat) -> Refusal | None:
    """Record that the arbiter has observed a fallen flag (6.8, A.4.5, A.5.5; L156)."""
    if not draft.state.table.started:
        return Refusal("not_started", "6.6")
    draft.emit(FlagCalled(at=draft.now, seat=seat))
    draft.emit(ClockPaused(at=draft.now, by=Role.ARBITER, seat=None, reason="flag"))
    _tell(draft, seat, "flag_called", saying("flag_called", who=seat))
    return None


def call_both_flags(draft: Draft, seat: Seat) -> Refusal | None:
    """Record that the arbiter sees both flags down and not which fell first (III.3.1).

    That happens with a clock with hands, or one that nobody looked at. Where this clock knows the order, 6.9 is applied
    to the first.
    """
    state = draft.state
    if not state.table.started:
        return Refusal("not_started", "6.6")
    draft.emit(FlagCalled(at=draft.now, seat=seat, both=True))
    draft.emit(ClockPaused(at=draft.now, by=Role.ARBITER, seat=None, reason="flag"))
    said = saying("flags_both")
    if state.time.clock_master is ClockMaster.SERVER:
        standing = next((side for side in Seat if not state.time.clock.side(side).flagged), None)
        if standing is not None or state.time.clock.first_flag is not None:
            _tell(draft, standing or seat, "flags_called", said)
            return None
    found = void(state) or order_of_flags(state)
    draft.alert("flags_called", state.made_plies, saying("with_finding", said=said, found=found), grey=False)
    return None


def _tell(draft: Draft, loser: Seat, why: str, said: Saying) -> None:
    state, announced = draft.state, announced_ply(draft.state)
    end = announced_end(state, announced)
    if end is not None and (state.on_move is loser or end.result != lost_by(loser)):
        draft.alert("ended_before", end.ply, saying("announced_end", end=end.since))
    if state.time.clock_master is ClockMaster.SERVER and not state.time.clock.side(loser).flagged:
        found = saying("flag_not_fallen", who=loser)
        draft.alert(why, state.made_plies, saying("with_finding", said=said, found=found), grey=False)
        return
    first = state.time.clock.first_flag
    if state.time.clock_master is ClockMaster.SERVER and first is not None:
        loser = first  # this clock knows the order: the first flag loses, no matter who claims (6.9, III.3.1)
    follows = saying("flag_follows")
    draft.alert(why, state.made_plies, saying("with_finding", said=said, found=follows), grey=False)
    ask_of_mate(draft, loser.other, why, state.made_plies, said=said, announced=announced)


def proposal(state: GameState, loser: Seat, answer: Answer, through: int, announced: int) -> Saying:
    """Return what 6.9 says of a fallen flag, for the arbiter to confirm: lost, drawn, void, or open.

    See G11. `through`: the last ply that was made when the flag was claimed or called; `announced`: the one that was
    announced then, after which the winner may have too few men to mate.
    """
    winner, parts = loser.other, list[Saying]()
    if state.time.clock_master is not ClockMaster.SERVER:
        parts.append(saying("look_at_clock"))
    ended = void(state, through)
    if ended:
        return join_sayings(*parts, ended)
    claim = state.draws.claim
    waiting = (*state.draws.postponed, *((claim,) if claim is not None and claim.kind == "quickplay" else ()))
    parts += [saying("rule_first", who=seat) for seat in dict.fromkeys(one.seat for one in waiting)]
    if state.time.clock.side(winner).flagged:
        parts.append(order_of_flags(state))
        if state.table.rules.options.rapid_time_claim_needs_time_left:
            parts.append(saying("no_time_for_claim"))
    if believed_positions(state) is None:
        return join_sayings(*parts, saying("server_lost", who=winner))
    if answer.verdict == "yes":
        parts.append(saying("lost_by", who=loser, result=lost_by(loser)))
        never = never_mates_after(state, announced, winner, "6.9")
        parts += [never] if never is not None else []
    elif answer.verdict == "no":
        parts.append(saying("drawn_by", who=winner, why=answer.said or ""))
    else:
        parts.append(saying("arbiter_decides", who=winner, article="6.9", why=answer.said or ""))
    return join_sayings(*parts)


def order_of_flags(state: GameState) -> Saying:
    """Return which flag fell first, or what follows where that cannot be established.

    A digital clock knows the order. III.3.1 is offered only where Guidelines III hold: announced beforehand, no blitz
    and no increment (III.2). Otherwise the Laws do not say what follows, and the arbiter decides (Preface).
    """
    first = state.time.clock.first_flag
    if state.time.clock_master is ClockMaster.SERVER and first is not None:
        return saying("flags_first", who=first)
    control = state.time.clock.control
    holds = applies(state.table.rules, state.table.regulations, control)
    if holds is None:
        return saying("flags_unstated")
    if not holds:
        return saying("flags_not_guided", article=why_not(control))
    last = _last_period(state)
    if last is None:
        return saying("flags_either")
    return saying("flags_last" if both_flags_fallen(last_period=last) == "drawn" else "flags_earlier")


def _last_period(state: GameState) -> bool | None:
    """Return whether both are in their last period; None where another clock counts the periods."""
    clock = state.time.clock
    last = len(clock.control.periods) - 1
    if last and state.time.clock_master is not ClockMaster.SERVER:
        return None
    return min(clock.white.period, clock.black.period) >= last
