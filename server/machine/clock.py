"""The time base: `now`, and how a jump of it is noticed.

Only `server/table/table.py` reads a clock in play.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

STEP_MS = 2_000
"""A wall clock that strays this far from the monotonic one, or a witness this late, is a step (design, "Time")."""

LONGEST_NAP_MS = 1_000
"""asyncio's own timer stands still while the machine is suspended; a short nap notices soon after waking."""

EXACT_NS = 3_000_000
"""asyncio's timer goes by whole milliseconds from the moment it is set; the end of a sleep is slept in a thread."""
EXACT_THREADS = 4

SCHEDULED = Path("/proc/thread-self/schedstat")
"""Linux: how long this thread ran, how long it waited for a processor (ns), and how often it ran."""

Instant = tuple[int, int, int]
"""(mono_ms, wall_ms, busy_ms): one moment on all clocks."""


class Clock(Protocol):
    """A clock gives three times: one that never goes back (this run's), one that people read, and how long it worked.

    There are two clocks: the system's, and the scripted one of tests and of `demo --fast`.
    """

    def mono_ms(self) -> int:
        """Return whole milliseconds of this run; never compared across runs."""
        ...

    def wall_ms(self) -> int:
        """Return whole milliseconds since 1970-01-01 UTC; anyone may set this clock forward or back."""
        ...

    def busy_ms(self) -> int:
        """Return for how many ms this program has computed, or waited for a processor; it stands while it sleeps."""
        ...

    async def sleep_until(self, mono_ms: int) -> None:
        """Return when `mono_ms()` has reached `mono_ms`, never earlier; at once when it has already."""
        ...


if sys.platform == "linux":
    SOURCE = "CLOCK_BOOTTIME"
    """The name of the monotonic clock."""

    def _now_ns() -> int:
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)

elif sys.platform == "darwin":
    SOURCE = "CLOCK_MONOTONIC"  # `time.monotonic` stands still there while the machine sleeps, this one does not

    def _now_ns() -> int:
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)

else:
    SOURCE = "performance counter"  # finer than `time.monotonic` of Windows, and goes on during sleep

    def _now_ns() -> int:
        return time.perf_counter_ns()


class SystemClock:
    """Clocks of the machine; the run begins (mono 0) where this object is made.

    The monotonic side is the clock of each system that goes on while the machine is suspended.
    """

    def __init__(self) -> None:
        self._exact = ThreadPoolExecutor(EXACT_THREADS, thread_name_prefix="clock")
        self._origin_ns = _now_ns()

    def mono_ms(self) -> int:
        """Return whole milliseconds since this object was made."""
        return (_now_ns() - self._origin_ns) // 1_000_000

    def wall_ms(self) -> int:
        """Return whole milliseconds since 1970-01-01 UTC."""
        return time.time_ns() // 1_000_000

    def busy_ms(self) -> int:
        """Return the processor time of the whole program, and how long the calling thread waited for a processor.

        Neither goes on while the machine is suspended or the process is stopped. Linux alone tells of the waiting.
        """
        return (time.process_time_ns() + _waited_ns()) // 1_000_000

    async def sleep_until(self, mono_ms: int) -> None:
        """Sleep until this run's clock has reached `mono_ms`, and wake within a fraction of a millisecond of it.

        It sleeps through asyncio, in naps of at most a second, and the rest in a thread: how far from the end the sleep
        was begun must not be seen in when it ends (`server/table/departure.py`).
        """
        while (left := self._left_ns(mono_ms)) > EXACT_NS:  # noqa: ASYNC110  time is what is waited for
            await asyncio.sleep(min((left - EXACT_NS) / 1e9 + 1e-4, LONGEST_NAP_MS / 1000))
        if left > 0:
            await asyncio.get_running_loop().run_in_executor(self._exact, self._rest_until, mono_ms)

    def _left_ns(self, mono_ms: int) -> int:
        return mono_ms * 1_000_000 + self._origin_ns - _now_ns()

    def _rest_until(self, mono_ms: int) -> None:
        while (left := self._left_ns(mono_ms)) > 0:
            time.sleep(left / 1e9)


def _waited_ns() -> int:
    """Return how long the calling thread was ready to run and another ran; 0 where the machine does not tell."""
    try:
        return int(SCHEDULED.read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0


class TableClock:
    """Time of a table that another server led before: it goes on where that one's time was.

    Its `mono_ms` is ahead of this run's by as much as was found when the table was taken over.
    """

    def __init__(self, clock: Clock, ahead_ms: int) -> None:
        self._clock = clock
        self.ahead_ms = ahead_ms

    def mono_ms(self) -> int:
        """Return whole milliseconds since the run in which the table's time began."""
        return self._clock.mono_ms() + self.ahead_ms

    def wall_ms(self) -> int:
        """Return whole milliseconds since 1970-01-01 UTC."""
        return self._clock.wall_ms()

    def busy_ms(self) -> int:
        """Return for how many ms this program has computed, or waited for a processor."""
        return self._clock.busy_ms()

    async def sleep_until(self, mono_ms: int) -> None:
        """Return when the table's time has reached `mono_ms`."""
        await self._clock.sleep_until(mono_ms - self.ahead_ms)


class ScriptedClock:
    """Clock that moves only when told to, for tests and for `demo --fast`."""

    def __init__(self, mono_ms: int = 0, wall_ms: int = 1_700_000_000_000) -> None:
        self._mono_ms = mono_ms
        self._wall_ms = wall_ms
        self._busy_ms = 0
        self._order = itertools.count()
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []
        self._room = 256  # with so many sleepers, those that were cancelled are forgotten

    def mono_ms(self) -> int:
        """Return the scripted milliseconds of this run."""
        return self._mono_ms

    def wall_ms(self) -> int:
        """Return the scripted wall clock, in ms."""
        return self._wall_ms

    def busy_ms(self) -> int:
        """Return the scripted milliseconds of work."""
        return self._busy_ms

    def advance(self, ms: int, *, busy: bool = False) -> None:
        """Move both clocks `ms` on and wake every sleeper whose moment has come, the earliest first.

        A sleeper runs when the loop next turns, and then reads the time advanced to. To let each sleeper see its own
        moment, advance to `next_due()` and let the loop turn between. `busy`: the program worked all the while.
        Raises ValueError where `ms` is below zero.
        """
        if ms < 0:
            raise ValueError("a clock of this run never goes back")
        self._mono_ms += ms
        self._wall_ms += ms
        self._busy_ms += ms if busy else 0
        while self._sleepers and self._sleepers[0][0] <= self._mono_ms:
            _, _, future = heapq.heappop(self._sleepers)
            if not future.done():
                future.get_loop().call_soon(_wake, future)

    def set_wall(self, wall_ms: int) -> None:
        """Step the wall clock alone, as an operator or a time server would."""
        self._wall_ms = wall_ms

    def next_due(self) -> int | None:
        """Return the earliest moment (mono ms) anyone sleeps until; None when nobody sleeps."""
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None

    async def sleep_until(self, mono_ms: int) -> None:
        """Return once `advance` has brought this clock to `mono_ms`; at once when it is there already."""
        if mono_ms <= self._mono_ms:
            return
        if len(self._sleepers) >= self._room:
            self._sleepers = [one for one in self._sleepers if not one[2].done()]
            heapq.heapify(self._sleepers)
            self._room = max(256, 2 * len(self._sleepers))
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (mono_ms, next(self._order), future))
        await future


def _wake(future: asyncio.Future[None]) -> None:
    # A sleeper may have been cancelled between `advance` and the turn of the loop.
    if not future.done():
        future.set_result(None)


async def came_first(clock: Clock, due: int, event: asyncio.Event) -> bool:
    """Sleep until `due` (mono ms) or until the event is set.

    Returns whether the instant came and the event did not.
    """
    sleeping = asyncio.ensure_future(clock.sleep_until(due))
    waking = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait((sleeping, waking), return_when=asyncio.FIRST_COMPLETED)
        return sleeping.done() and not waking.done()
    finally:
        sleeping.cancel()
        waking.cancel()


def moment_of(clock: Clock) -> Instant:
    """Return this moment on all clocks."""
    return clock.mono_ms(), clock.wall_ms(), clock.busy_ms()


def step_between(previous: Instant, current: Instant, expected_ms: int) -> bool:
    """Say whether time jumped between two witnesses of one run that are due `expected_ms` apart.

    True when the wall clock moved more than `STEP_MS` differently from the monotonic one (set by hand, or suspended
    where the monotonic clock stands still), when the second witness came more than `STEP_MS` late (suspended where
    the monotonic clock goes on, or the process was stopped), or when the monotonic clock went back. A witness that is
    late because the program worked, or waited for a processor, is no jump: no request may stop a game by being costly.
    Work within the time that was due anyway excuses nothing, so that a busy second does not hide a sleep.
    """
    mono, wall, busy = (now - then for now, then in zip(current, previous, strict=True))
    late = mono - expected_ms - max(0, busy - expected_ms)
    return mono < 0 or abs(wall - mono) > STEP_MS or late > STEP_MS
