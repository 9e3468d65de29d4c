"""What one seat says is taken at the pace of real time, whatever its device claims; exact, by a clock of the test."""

from __future__ import annotations

import asyncio
import random

import pytest

from server.voice.intake import (
    LEAST_MS,
    MOST_GOING_ON,
    MOST_WAITING,
    PACE,
    RECORDED_MS,
    TOLD_AFTER_MS,
    Intake,
    spans,
)
from speech.audio.frames import FRAME_SAMPLES, LONGEST_SAMPLES
from tests.waiting import idle

FRAME_MS = 20


class Watch:
    """A clock that goes on when nobody has anything else to do: the first to sleep wakes first."""

    def __init__(self) -> None:
        self.s = 0.0
        self._asleep: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self.s

    async def sleep(self, seconds: float) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asleep.append((self.s + seconds, len(self._asleep), mine))
        await mine

    async def run(self, *work: asyncio.Task[None], until_s: float = 1e9) -> None:
        """Let time pass until this work is done, or so late it is."""
        while not all(one.done() for one in work):
            await idle()
            if not self._asleep or all(one.done() for one in work):
                continue
            self._asleep.sort(key=lambda one: one[:2])
            due, _, sleeper = self._asleep[0]
            if due > until_s:
                self.s = until_s
                return
            del self._asleep[0]
            self.s = max(self.s, due)
            sleeper.set_result(None)


def seat(watch: Watch) -> tuple[Intake, list[str]]:
    told: list[str] = []
    return Intake(told.append, watch.now, watch.sleep), told


async def say(intake: Intake, seconds: float, station: str = "white", samples: int = FRAME_SAMPLES) -> None:
    for _ in range(round(seconds * 1000 / FRAME_MS)):
        await intake.take(station, samples)


@pytest.mark.law("L194")
async def test_what_was_recorded_while_the_line_was_away_is_taken_at_once_and_speech_waits_for_nothing() -> None:
    watch = Watch()
    intake, told = seat(watch)
    await watch.run(asyncio.create_task(say(intake, RECORDED_MS / 1000)))
    assert watch.s == 0, "thirty seconds at once"
    for _ in range(3_000):  # a minute of speech, each frame when it was said
        watch.s += FRAME_MS / 1000
        before = watch.s
        await watch.run(asyncio.create_task(intake.take("white", FRAME_SAMPLES)))
        assert watch.s == before
    assert told == []


@pytest.mark.parametrize("lines", [1, 3, 24])
async def test_however_many_lines_of_a_seat_say_as_much_as_one(lines: int) -> None:
    watch = Watch()
    intake, told = seat(watch)
    flood = [asyncio.create_task(say(intake, 120 / lines, f"line {number}")) for number in range(lines)]
    await watch.run(*flood)
    assert watch.s == pytest.approx((120 - RECORDED_MS / 1000) / PACE, rel=0.02)
    assert len(told) == 1, "once, not once a line"


async def test_a_line_that_is_opened_again_and_again_brings_thirty_seconds_once() -> None:
    """However often a device says that it was away: only the silence between gives it anything to bring."""
    watch = Watch()
    intake, told = seat(watch)
    for again in range(8):
        await watch.run(asyncio.create_task(say(intake, 30, f"line {again}")))
    assert watch.s == pytest.approx(7 * 30 / PACE, rel=0.02)
    assert told == ["line 1"]
    watch.s += 30
    before = watch.s
    await watch.run(asyncio.create_task(say(intake, 30)))
    assert watch.s == before, "half a minute of silence, half a minute that it may have recorded"


async def test_the_arbiters_are_told_within_seconds_and_again_only_after_quiet() -> None:
    watch = Watch()
    intake, told = seat(watch)
    flood = asyncio.create_task(say(intake, 300))
    await watch.run(flood, until_s=TOLD_AFTER_MS / 1000 + 1)
    assert told == ["white"]
    await watch.run(flood)
    assert told == ["white"]
    watch.s += RECORDED_MS / 1000
    await watch.run(asyncio.create_task(say(intake, 60)))
    assert told == ["white", "white"]


async def test_a_frame_without_sound_counts_and_a_gap_counts_as_what_the_ears_must_hear_of_it() -> None:
    watch = Watch()
    intake, told = seat(watch)
    await watch.run(asyncio.create_task(say(intake, 100, samples=1)))  # 5,000 messages of one sample
    assert watch.s == pytest.approx((5_000 * LEAST_MS - RECORDED_MS) / 1000 / PACE, rel=0.02)
    watch.s += 2 * RECORDED_MS / 1000
    began = watch.s
    for _ in range(4):
        await watch.run(asyncio.create_task(intake.take("white", spans(LONGEST_SAMPLES - 1, LONGEST_SAMPLES, 0))))
    assert watch.s - began == pytest.approx(2 * 30 / PACE, rel=0.02), "two at once leave nothing, then one in 30 s"
    assert told


def test_what_a_frame_spans_is_never_less_than_its_sound_and_never_more_than_an_utterance() -> None:
    chance = random.Random(34)
    for _ in range(2_000):
        first = chance.choice((0, 1, LONGEST_SAMPLES - 1, LONGEST_SAMPLES, 2**63, chance.randrange(LONGEST_SAMPLES)))
        length, there = chance.randint(1, FRAME_SAMPLES), chance.randrange(LONGEST_SAMPLES)
        assert length <= spans(first, first + length, there) <= max(length, LONGEST_SAMPLES - there)


async def test_of_one_seat_a_few_utterances_go_on_and_a_flood_of_them_cuts_the_oldest() -> None:
    intake, told = seat(Watch())
    cut: list[int] = []

    async def end(number: int) -> None:
        cut.append(number)

    for number in range(24):
        await intake.begin(number, "white", lambda number=number: end(number))  # type: ignore[misc]
    assert intake.going_on == MOST_GOING_ON and cut == list(range(24 - MOST_GOING_ON))
    assert told == ["white"]
    intake.over(23)
    await intake.begin(99, "white", lambda: end(99))
    assert len(cut) == 24 - MOST_GOING_ON, "there was room"


async def test_of_one_seat_a_few_wait_and_one_is_heard_in_the_order_in_which_they_came() -> None:
    intake, _ = seat(Watch())
    waiting: list[int] = []
    heard: list[int] = []
    go_on = asyncio.Semaphore(0)

    async def speak(number: int) -> None:
        await intake.wait()
        waiting.append(number)
        async with intake.in_turn():
            await go_on.acquire()
            heard.append(number)

    speaking = [asyncio.create_task(speak(number)) for number in range(12)]
    await idle()
    assert waiting == list(range(MOST_WAITING + 1)), "the others wait on their lines"
    for _ in speaking:
        go_on.release()
    await asyncio.gather(*speaking)
    assert heard == list(range(12))
