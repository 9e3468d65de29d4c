"""Intake of one seat's sound, from all lines of its stations together: bounded, and at the pace of speech.

No mouth says more than time passes. So a seat's sound is taken at the pace of real time, and beside that what was
recorded while a line was away: half a minute, which must pass in silence before it can be brought again. What is beyond
that waits on its line, and nothing is lost. A few utterances of a seat go on at a time, a few wait, and one is heard;
what begins beyond that cuts off the oldest, whose line is dead or whose device floods.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from speech.audio.frames import LONGEST_SAMPLES, WIRE_RATE

RECORDED_MS = 30_000.0
"""Most sound that a line may bring at once when it comes back: no utterance is longer."""
PACE = 1.05
"""Sound in a second, in seconds: the clock of a sound card is never quite ours."""
LEAST_MS = 10
"""A message counts as so much sound at least, however little is in it; ours have 20 ms."""
MOST_GOING_ON = 3
"""Utterances of one seat at a time: a device, the one whose line has just broken, and an assistant's."""
MOST_WAITING = 4
TOLD_AFTER_MS = 3_000
"""Time for which a seat's sound is held back, without a pause in between, before the arbiters are told."""
CUT_MS = 1_000
"""An utterance that was cut off counts as so much of that."""
_A_MS = WIRE_RATE // 1_000

End = Callable[[], Awaitable[None]]


def spans(first_sample: int, end_sample: int, there: int) -> int:
    """Return how much sound a frame is to the ears: its own, or the gap that it leaves behind what is there.

    >>> spans(0, 320, 0), spans(159_680, 160_000, 320), spans(0, 320, 160_000)
    (320, 159680, 320)
    """
    return max(end_sample - first_sample, min(end_sample, LONGEST_SAMPLES) - there)


class Intake:
    """Intake of one seat. `told`: tells the arbiters of a station that floods, once until it has been quiet.

    `now` in seconds; it may stand still while the machine sleeps.
    """

    def __init__(
        self,
        told: Callable[[str], None],
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._told = told
        self._now = now
        self._sleep = sleep
        self._left = RECORDED_MS
        self._at = now()
        self._held_back = 0.0
        self._lines = asyncio.Lock()
        self._going_on: dict[object, End] = {}
        self._places = asyncio.Semaphore(MOST_WAITING + 1)
        self._hearing = asyncio.Lock()
        self.gone_ms: int | None = None
        """When the last of the seat's lines to end was gone (ms of this run)."""

    def away_since(self, came_ms: int) -> int:
        """Return since when the seat had no line before the one that came, RECORDED_MS at most (ms of this run)."""
        return came_ms if self.gone_ms is None else max(min(self.gone_ms, came_ms), came_ms - int(RECORDED_MS))

    @property
    def going_on(self) -> int:
        """Return how many utterances of the seat go on."""
        return len(self._going_on)

    async def take(self, station: str, samples: int = 0) -> None:
        """Return when so much sound may be taken: at once, but where more came than time has passed.

        The lines of a seat take turns.
        """
        async with self._lines:
            while (short := self._short()) > 0:
                self._note(station, short)
                await self._sleep(short / 1_000)
            self._left -= max(samples / _A_MS, LEAST_MS)

    def _short(self) -> float:
        """Return for how many ms the next sound must wait."""
        now = self._now()
        self._left = min(RECORDED_MS, self._left + (now - self._at) * 1_000 * PACE)
        self._at = now
        if self._left >= RECORDED_MS / 2:
            self._held_back = 0
        return 0.0 if self._left >= 0 else -self._left / PACE + 1

    def _note(self, station: str, ms: float) -> None:
        before, self._held_back = self._held_back, self._held_back + ms
        if before < TOLD_AFTER_MS <= self._held_back:
            self._told(station)

    async def begin(self, one: object, station: str, end: End) -> None:
        """Begin an utterance; `end` cuts it off where too many of the seat go on."""
        self._going_on.pop(one, None)
        while len(self._going_on) >= MOST_GOING_ON:
            oldest = next(iter(self._going_on))
            self._note(station, CUT_MS)
            await self._going_on.pop(oldest)()
        self._going_on[one] = end

    def over(self, one: object) -> None:
        """Note that an utterance does not go on any more."""
        self._going_on.pop(one, None)

    async def wait(self) -> None:
        """Return when one more utterance of the seat may wait to be heard; `in_turn` gives its place back."""
        await self._places.acquire()

    @asynccontextmanager
    async def in_turn(self) -> AsyncIterator[None]:
        """Hear an utterance that has waited: one of a seat at a time."""
        try:
            async with self._hearing:
                yield
        finally:
            self._places.release()
