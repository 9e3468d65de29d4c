"""This limits how fast one connection may speak.

A message beyond the limit waits its turn, so that nothing is lost, least of all a press of the clock.
"""

from __future__ import annotations

import asyncio

BURST = 60
A_SECOND = 30.0


class Pace:
    """This is a bucket of `burst` messages that fills with `a_second` of them each second.

    The time is that of the event loop.
    """

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
