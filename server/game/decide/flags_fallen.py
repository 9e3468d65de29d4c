"""Both flags have fallen and nobody knows which first: what the arbiter is offered (III.2, III.3.1; L232-L234)."""

from __future__ import annotations

from server.game.laws.quickplay import applies, both_flags_fallen, why_not
from server.game.state.state import GameState
from server.game.values.words import ClockMaster


def order_of_flags(state: GameState) -> str:
    """Which flag fell first, or what follows where that cannot be established. A digital clock knows it.

    III.3.1 is offered only where Guidelines III hold: announced beforehand, no blitz and no increment (III.2). Else
    the Laws do not say what follows, and the arbiter decides (Preface).
    """
    first = state.clock.first_flag
    if state.clock_master is ClockMaster.SERVER and first is not None:
        return f"both flags are down, first {first.value} (6.9)"
    control = state.clock.control
    holds = applies(state.rules, state.regulations, control)
    if not holds:
        unsaid = "the rule set does not say whether III.3.1 holds"
        why = unsaid if holds is None else f"III.3.1 does not hold here ({why_not(control)})"
        return f"both flags are down, first not known: {why}, the arbiter decides"
    last = _last_period(state)
    in_last, earlier = both_flags_fallen(last_period=True), both_flags_fallen(last_period=False)
    if last is None:
        return f"both flags are down, first not known: in the last period {in_last}, else {earlier} (III.3.1)"
    where, what = ("the last period", in_last) if last else ("not the last period", earlier)
    score = ", 1/2-1/2" if what == "drawn" else ""
    return f"both flags are down, first not known, {where}: {what}{score} (III.3.1)"


def _last_period(state: GameState) -> bool | None:
    """Whether both are in their last period; None where another clock counts the periods."""
    clock = state.clock
    last = len(clock.control.periods) - 1
    if last and state.clock_master is not ClockMaster.SERVER:
        return None
    return min(clock.white.period, clock.black.period) >= last
