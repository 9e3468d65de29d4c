"""The next instant at which a table changes by itself. Pure.

An instant is a flag, a start, the end of default time or of a session, low time, a cue, an announcement, a question.
Instants are ms of this run. Those of an earlier run no longer count: the arbiter is told and asked again, and nothing
is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from server.game.decide.time.clock import choices_due, cues_due
from server.game.laws.adaptations import SPOKEN_BEFORE_THE_CLOCK_CAP_MS
from server.game.state.clock import HeldPress
from server.game.state.state import GameState
from server.game.values.words import Seat

Kind = Literal["start", "announcement", "default", "low_time", "flag", "session", "cue", "choice"]
# This is the order of things that fall on the same millisecond, so that a replayed command gives the same.
ORDER: tuple[Kind, ...] = ("start", "announcement", "default", "low_time", "flag", "session", "cue", "choice")


class Instant(msgspec.Struct, frozen=True):
    """Event that is due `at` ms of this run.

    `seat` and `threshold_s` belong to low time and cues.
    """

    at: int
    kind: Kind
    seat: Seat | None = None
    threshold_s: int = 0


def next_instant(state: GameState) -> Instant | None:
    """Return the earliest thing due; None where the table changes only by what people do."""
    return min(_instants(state), key=lambda one: (one.at, ORDER.index(one.kind), -one.threshold_s), default=None)


def pending(state: GameState) -> tuple[str, ...]:
    """Return the names of what is due at an instant that only this run's clock can know."""
    adjournment = state.adjournment
    due = {
        "appointed_start": state.schedule.appointed_ms,
        "default_time": state.schedule.default_due_ms,
        "session": state.schedule.session_due_ms,
        "clock_reading": state.time.clock_read,
        "resumption": adjournment.began_ms if adjournment is not None and adjournment.closed else None,
    }
    return () if state.over else tuple(name for name, at in due.items() if at is not None)


def _instants(state: GameState) -> Iterator[Instant]:
    if state.over:
        return
    if state.schedule.appointed_ms is not None and not state.table.started:
        yield Instant(state.schedule.appointed_ms, "start")
    if state.schedule.default_due_ms is not None:
        yield Instant(state.schedule.default_due_ms, "default")
    if state.schedule.session_due_ms is not None:
        yield Instant(state.schedule.session_due_ms, "session")
    if state.time.held is not None:
        yield Instant(_wait_ends(state, state.time.held), "announcement")
    for until, seat in choices_due(state):
        yield Instant(until, "choice", seat)
    flag = state.time.clock.flag_at()
    if flag is not None:
        yield Instant(flag, "flag")
        yield from _low_times(state, flag)
        for at, seconds in cues_due(state, flag):
            yield Instant(at, "cue", state.time.clock.turn, seconds)


def _wait_ends(state: GameState, held: HeldPress) -> int:
    """Return when the wait for an announcement ends: with it, or at the cap after the press (D.2.4)."""
    cap = held.since + SPOKEN_BEFORE_THE_CLOCK_CAP_MS
    spoken = next((one for one in state.time.announcing if one.seat is held.seat.other), None)
    if spoken is None:
        return held.since
    return cap if spoken.until_ms is None else min(cap, max(held.since, spoken.until_ms))


def _low_times(state: GameState, flag: int) -> Iterator[Instant]:
    """Yield thresholds below the base time of the period, each once a game.

    One already passed is due at once (L138).
    """
    clock = state.time.clock
    since = clock.since
    assert since is not None
    for seconds in state.table.regulations.low_time_s or ():
        if seconds * 1000 < clock.base_ms(clock.turn) and (clock.turn, seconds) not in state.time.low_told:
            yield Instant(max(since, flag - seconds * 1000), "low_time", clock.turn, seconds)
