"""One ear's queue, run in time.

What happens goes in, what must be done comes out, and a timer wakes the queue where no event does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from speech.channels.ear import Act, Ear, Event, Tick, step, wake_at


class Clock(Protocol):
    """Clock of this run in milliseconds, which can also be waited on.

    It stays a Protocol: the system's and the scripted clock both belong to the server, which `speech` may not import.
    """

    def mono_ms(self) -> int:
        """Return whole milliseconds that never go back."""
        ...

    async def sleep_until(self, mono_ms: int) -> None:
        """Wait until `mono_ms()` has reached this value."""
        ...


class Channel:
    """An `Ear` that runs in time.

    `perform` is called for every act, in order, before `tell` returns.
    """

    def __init__(self, clock: Clock, perform: Callable[[Act], None]) -> None:
        self.ear = Ear()
        self._clock = clock
        self._perform = perform
        self._timer: asyncio.Task[None] | None = None
        self._due: int | None = None

    def tell(self, event: Event) -> None:
        """Take an event that happened now."""
        self.ear, acts = step(self.ear, event, self._clock.mono_ms())
        for act in acts:
            self._perform(act)
        self._set_timer()

    def _set_timer(self) -> None:
        due = wake_at(self.ear)
        if due == self._due and self._timer is not None and not self._timer.done():
            return
        if self._timer is not None:
            self._timer.cancel()
        self._due = due
        self._timer = None if due is None else asyncio.create_task(self._wake(due))

    async def _wake(self, due: int) -> None:
        await self._clock.sleep_until(due)
        self._timer = None
        self.tell(Tick())

    async def close(self) -> None:
        """Stop the timer, so that nothing more happens by itself."""
        if self._timer is not None:
            self._timer.cancel()
            await asyncio.gather(self._timer, return_exceptions=True)
