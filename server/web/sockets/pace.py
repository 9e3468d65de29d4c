"""How fast one connection may speak: beyond that it waits its turn, so that nothing, least of all a press, is lost."""

from __future__ import annotations

import asyncio

BURST = 60
A_SECOND = 30.0


class Pace:
    """A bucket of `burst` messages that fills with `a_second` of them each second (the loop's time)."""

    def __init__(self, burst: int = BURST, a_second: float = A_SECOND) -> None:
        self._burst = burst
        self._a_second = a_second
        self._left = float(burst)
        self._at = asyncio.get_running_loop().time()

    async def step(self) -> None:
        """Take one message's worth; wait where there is none."""
        now = asyncio.get_running_loop().time()
        self._left = min(self._burst, self._left + (now - self._at) * self._a_second) - 1
        self._at = now
        if self._left < 0:
            await asyncio.sleep(-self._left / self._a_second)
