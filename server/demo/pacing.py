"""Time passes in the demonstration for real, or by a scripted clock as fast as the work allows."""

from __future__ import annotations

import asyncio
from typing import Protocol

from server.hall.hall import WITNESS_MS
from server.machine.clock import Clock, ScriptedClock, SystemClock

STEP_MS = 500
LOOK_AGAIN_S = 0.001


class Pace(Protocol):
    """A pace lets time pass on the players' clocks: for real, or fast (the two classes below)."""

    clock: Clock

    async def passes(self, ms: int) -> None:
        """Return when `ms` have passed on the clock of the game."""


class RealPace:
    """Time passes as it really does."""

    def __init__(self) -> None:
        self.clock: Clock = SystemClock()

    async def passes(self, ms: int) -> None:
        """Wait for `ms`."""
        await asyncio.sleep(ms / 1000)


class FastPace:
    """Pace that moves the scripted clock in steps of at most half a second.

    Each step comes only when the witness of the last is on disk; otherwise the server would rightly think that the
    machine had slept, and stand the clocks.
    """

    def __init__(self) -> None:
        self.scripted = ScriptedClock()
        self.clock: Clock = self.scripted

    async def passes(self, ms: int) -> None:
        """Advance the scripted clock."""
        end = self.scripted.mono_ms() + ms
        while (left := end - self.scripted.mono_ms()) > 0:
            await self._wait_for_witness()
            self.scripted.advance(min(left, STEP_MS))
            await asyncio.sleep(0)
        await self._wait_for_witness()

    async def _wait_for_witness(self) -> None:
        """Return when the witness sleeps again and will wake within its second."""
        while True:
            due = self.scripted.next_due()
            if due is not None and self.scripted.mono_ms() < due <= self.scripted.mono_ms() + WITNESS_MS:
                return
            await asyncio.sleep(LOOK_AGAIN_S)
