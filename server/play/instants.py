"""The next instant at which a table changes by itself: flag, appointed start, default time, session, low time. Pure.

Instants are ms of this run. Those of an earlier run are void: the arbiter is told and asked again, nothing is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from server.play.state import GameState
from server.play.values import Seat

Kind = Literal["start", "default", "low_time", "flag", "session"]
# What comes first of things that fall on the same millisecond: an order, so that a replayed command gives the same.
ORDER: tuple[Kind, ...] = ("start", "default", "low_time", "flag", "session")


class Instant(msgspec.Struct, frozen=True):
    """Something that is due `at` ms of this run; `seat` and `threshold_s` where low time is meant."""

    at: int
    kind: Kind
    seat: Seat | None = None
    threshold_s: int = 0


def next_instant(state: GameState) -> Instant | None:
    """The earliest thing due, None where the table changes only by what people do."""
    return min(_instants(state), key=lambda one: (one.at, ORDER.index(one.kind), -one.threshold_s), default=None)


def pending(state: GameState) -> tuple[str, ...]:
    """What is due at an instant that only this run's clock can know, by name."""
    due = {
        "appointed_start": state.appointed_ms,
        "default_time": state.default_due_ms,
        "session": state.session_due_ms,
    }
    return () if state.over else tuple(name for name, at in due.items() if at is not None)


def _instants(state: GameState) -> Iterator[Instant]:
    if state.over:
        return
    if state.appointed_ms is not None and not state.started:
        yield Instant(state.appointed_ms, "start")
    if state.default_due_ms is not None:
        yield Instant(state.default_due_ms, "default")
    if state.session_due_ms is not None:
        yield Instant(state.session_due_ms, "session")
    flag = state.clock.flag_at()
    if flag is not None:
        yield Instant(flag, "flag")
        yield from _low_times(state, flag)


def _low_times(state: GameState, flag: int) -> Iterator[Instant]:
    """Thresholds below the base time of the period, each once a game; one already passed is due at once (L138)."""
    clock = state.clock
    side, since = clock.side(clock.turn), clock.since
    assert since is not None
    base = clock.control.periods[min(side.period, len(clock.control.periods) - 1)].base_ms
    for seconds in state.regulations.low_time_s or ():
        if seconds * 1000 < base and (clock.turn, seconds) not in state.low_told:
            yield Instant(max(since, flag - seconds * 1000), "low_time", clock.turn, seconds)
