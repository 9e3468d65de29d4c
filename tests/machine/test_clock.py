"""The time base: real clocks that move, scripted ones that move when told to, and steps that are noticed."""

from __future__ import annotations

import asyncio
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.machine.clock import SOURCE, STEP_MS, Clock, ScriptedClock, SystemClock, step_between


async def test_the_systems_clock_sleeps_until_the_moment_and_never_less() -> None:
    clock: Clock = SystemClock()
    assert 0 <= clock.mono_ms() < 1_000, "the run begins where the clock is made"
    assert abs(clock.wall_ms() - time.time_ns() // 1_000_000) < 1_000
    for wait in (1, 7, 30):
        until = clock.mono_ms() + wait
        await clock.sleep_until(until)
        assert until <= clock.mono_ms() < until + 1_000
    before = clock.mono_ms()
    await clock.sleep_until(before - 5)
    assert clock.mono_ms() - before < 500


def test_the_monotonic_side_is_the_clock_that_goes_on_in_suspend() -> None:
    on = {"linux": "CLOCK_BOOTTIME", "darwin": "CLOCK_MONOTONIC", "win32": "performance counter"}
    assert on[sys.platform] == SOURCE


async def test_a_long_sleep_is_taken_in_naps_so_that_waking_from_suspend_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """asyncio's timer stands still in suspend; the machine here is suspended for an hour during the first nap."""
    clock = SystemClock()
    naps: list[float] = []
    real = asyncio.sleep

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        clock._origin_ns -= 3_600_000_000_000
        await real(0)

    monkeypatch.setattr(asyncio, "sleep", nap)
    await clock.sleep_until(clock.mono_ms() + 3_600_000)
    assert len(naps) == 1
    assert naps[0] <= 1.0


async def test_scripted_sleepers_wake_at_their_moment_in_their_order() -> None:
    clock = ScriptedClock(mono_ms=100)
    woken: list[tuple[str, int]] = []

    async def sleeper(name: str, until: int) -> None:
        await clock.sleep_until(until)
        woken.append((name, clock.mono_ms()))

    tasks = [
        asyncio.create_task(sleeper(name, until))
        for name, until in (("late", 300), ("early", 200), ("also", 200), ("past", 50))
    ]
    await asyncio.sleep(0)
    assert woken == [("past", 100)]
    assert clock.next_due() == 200
    clock.advance(99)
    await asyncio.sleep(0)
    assert len(woken) == 1
    clock.advance(1)
    await asyncio.gather(*tasks[1:3])
    assert woken[1:] == [("early", 200), ("also", 200)]
    clock.advance(1_000)
    await tasks[0]
    assert woken[3:] == [("late", 1_200)]
    assert clock.next_due() is None


async def test_a_cancelled_sleeper_is_forgotten() -> None:
    clock = ScriptedClock()
    task = asyncio.create_task(clock.sleep_until(10))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert clock.next_due() is None
    other = asyncio.create_task(clock.sleep_until(20))
    await asyncio.sleep(0)
    clock.advance(20)
    other.cancel()
    with pytest.raises(asyncio.CancelledError):
        await other


def test_scripted_clocks_agree_and_never_go_back() -> None:
    clock = ScriptedClock(5, 1_000)
    clock.advance(250)
    assert (clock.mono_ms(), clock.wall_ms()) == (255, 1_250)
    clock.set_wall(77)
    assert (clock.mono_ms(), clock.wall_ms()) == (255, 77)
    with pytest.raises(ValueError, match="never goes back"):
        clock.advance(-1)


@pytest.mark.parametrize(
    ("mono", "wall", "busy", "stepped", "what"),
    [
        (1_000, 1_000, 20, False, "a second as it should be"),
        (1_300, 1_290, 900, False, "a busy machine"),
        (1_000, 3_000, 0, False, "exactly two seconds is within"),
        (1_000, 3_001, 0, True, "the wall clock set forward, or suspended where the monotonic clock stands"),
        (1_000, -1_001, 0, True, "the wall clock set back"),
        (3_000, 3_000, 0, False, "a witness two seconds late"),
        (3_001, 3_001, 0, True, "suspended where the monotonic clock goes on, or the process stopped"),
        (3_001, 3_001, 1_000, True, "a second of work, then suspended"),
        (6_000, 6_000, 5_000, False, "idle for the second that was due, then five seconds of work"),
        (9_000, 9_000, 9_000, False, "nothing but work"),
        (60_000, 60_000, 4_000, True, "three seconds late by work, and asleep for the rest"),
        (6_000, 9_000, 6_000, True, "the wall clock set forward while the program works"),
        (-1, -1, 0, True, "the monotonic clock went back: another run"),
    ],
)
def test_steps(mono: int, wall: int, busy: int, stepped: bool, what: str) -> None:
    start = (50_000, 1_700_000_000_000, 700)
    assert step_between(start, (start[0] + mono, start[1] + wall, start[2] + busy), 1_000) is stepped, what


@given(st.integers(0, 10**9), st.integers(0, STEP_MS), st.integers(-STEP_MS, STEP_MS), st.integers(1, 60_000))
def test_no_step_within_the_bounds_wherever_the_clocks_stand(at: int, late: int, drift: int, expected: int) -> None:
    mono = expected + late
    assert not step_between((at, at * 3, 0), (at + mono, at * 3 + mono + drift, 0), expected)
    assert step_between((at, at * 3, 0), (at + mono, at * 3 + mono + drift + 2 * STEP_MS + 1, 0), expected)


def test_work_counts_as_busy_and_sleep_does_not() -> None:
    clock = SystemClock()
    begun, worked = clock.busy_ms(), time.process_time_ns()
    while time.process_time_ns() - worked < 40_000_000:
        pass
    busy = clock.busy_ms() - begun
    assert busy >= 39
    asleep = clock.busy_ms(), clock.mono_ms()
    while clock.mono_ms() - asleep[1] < 100:
        time.sleep(0.1)
    assert clock.busy_ms() - asleep[0] < clock.mono_ms() - asleep[1], "a sleeping program is not busy"


async def test_a_scripted_clock_forgets_who_sleeps_no_more() -> None:
    clock = ScriptedClock()
    for number in range(1_000):
        sleeping = asyncio.create_task(clock.sleep_until(1_000_000 + number))
        await asyncio.sleep(0)
        sleeping.cancel()
        await asyncio.gather(sleeping, return_exceptions=True)
    assert len(clock._sleepers) <= 256
