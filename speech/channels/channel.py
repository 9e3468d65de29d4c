"""One ear's queue in time: what happens goes in, what is to be done comes out, and a timer where nobody tells."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from speech.channels.ear import Act, Ear, Event, Tick, step, wake_at


class Clock(Protocol):
    """Milliseconds of this run, and waiting for one."""

    def mono_ms(self) -> int:
        """Whole milliseconds that never go back."""
        ...

    async def sleep_until(self, mono_ms: int) -> None:
        """Return when `mono_ms()` has come there."""
        ...


class Channel:
    """An `Ear` that lives: `perform` is called for every act, in order, before `tell` returns."""

    def __init__(self, clock: Clock, perform: Callable[[Act], None]) -> None:
        self.ear = Ear()
        self._clock = clock
        self._perform = perform
        self._timer: asyncio.Task[None] | None = None
        self._due: int | None = None

    def tell(self, event: Event) -> None:
        """Something happened now."""
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
        """Nothing more happens by itself."""
        if self._timer is not None:
            self._timer.cancel()
            await asyncio.gather(self._timer, return_exceptions=True)
