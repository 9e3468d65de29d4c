"""Fixed instants of departure: messages to players leave so long after their command came, whatever it brought about.

How long a command takes depends on the position: an illegal move gives the arbiter an alert, a repeated position is
looked for. So the work is done first, all of it, and what goes to anybody but the arbiter waits for the instant. A
player who measures how long an answer takes, or how soon the opponent's clock starts, learns nothing of the position
(12.6, 11.3.1). Work that takes longer, on a slow or busy machine, waits for the next such instant.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence

from server.machine.clock import Clock

ANSWER_AFTER_MS = 15
"""The instant after a command's arrival, and its multiples; well above what a command takes (docs/holding-up.md)."""
SLACK_MS = 2
"""Margin before an instant, in ms: work that ends within it waits for the next, as the arbiter's pictures go first."""
Step = Callable[[], None]
_log = logging.getLogger(__name__)


def instant_of(arrived: int, now: int, after_ms: int) -> int:
    """Return when a command that arrived at `arrived` is answered, all its work being done at `now` (ms).

    >>> instant_of(100, 103, 15), instant_of(100, 112, 15), instant_of(100, 114, 15)
    (115, 115, 130)
    """
    took = now + SLACK_MS - arrived
    return arrived + after_ms * max(1, -(-took // after_ms))


class Departures:
    """Queue of what one table has to tell, held back command by command, in the order of the commands."""

    def __init__(self, clock: Clock, after_ms: int) -> None:
        """Set up; `after_ms` 0: all leaves at once, where the clock of a test or a demonstration is scripted."""
        self.at_once = not after_ms
        self._clock = clock
        self._after_ms = after_ms
        self._steps: list[Step] = []
        self._waiting: deque[tuple[int, Sequence[Step]]] = deque()
        self._more = asyncio.Event()

    def add(self, step: Step) -> None:
        """Add one thing to what leaves with the command that is being carried out; nobody is told of it yet."""
        if self.at_once:
            step()
        else:
            self._steps.append(step)

    def leave(self, arrived: int, *first: Step) -> None:
        """Let all that was added leave together, at the next instant of a command that arrived at `arrived` (ms).

        `first`: what is done before it.
        """
        steps, self._steps = (*first, *self._steps), []
        if self.at_once:
            _do(steps)
        elif steps:
            self._waiting.append((instant_of(arrived, self._clock.mono_ms(), self._after_ms), steps))
            self._more.set()

    async def run(self) -> None:
        """Let leave what is due, until cancelled."""
        while True:
            self._more.clear()
            if not self._waiting:
                await self._more.wait()
                continue
            await self._clock.sleep_until(self._waiting[0][0])
            _, steps = self._waiting.popleft()
            _do(steps)

    def close(self) -> None:
        """Let all leave at once: the table closes."""
        while self._waiting:
            _do(self._waiting.popleft()[1])


def _do(steps: Sequence[Step]) -> None:
    for step in steps:
        try:
            step()
        except Exception:  # what is on disk is told to the others even if one thing fails
            _log.exception("Something could not be told")
