"""Both flags have fallen and nobody knows which first: what the arbiter is offered (III.3.1; L234)."""

from __future__ import annotations

from server.play.rules.quickplay import both_flags_fallen
from server.play.state import GameState
from server.play.values import ClockMaster


def order_of_flags(state: GameState) -> str:
    """Which flag fell first, or what follows where that cannot be established. A digital clock knows it."""
    first = state.clock.first_flag
    if state.clock_master is ClockMaster.SERVER and first is not None:
        return f"both flags are down, first {first.value} (III.3.1)"
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
