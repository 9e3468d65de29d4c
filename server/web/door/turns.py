"""Requests take turns: device after device, and never so many at once that a press of the clock waits for them.

What is asked while few ask is answered at once. Where more is asked, one request of each device in turn comes next, so
that a device that asks a hundred times waits for its own questions and not the others.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

from server.web.pace import Pace

EACH, EACH_A_SECOND = 300, 30.0
"""One device asks so many times at once, as when it loads its pages, and then so many times a second."""
MOST_DEVICES = 5_000


class Turns:
    """Turns of `burst` requests at once, and of `a_second` of them each second after that.

    The time is that of the event loop.
    """

    def __init__(self, burst: int, a_second: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._burst = burst
        self._a_second = a_second
        self._left = float(burst)
        self._at = self._loop.time()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None
        self._paces: OrderedDict[str, Pace] = OrderedDict()

    @property
    def waiting(self) -> int:
        """Return how many requests wait for their turn."""
        return sum(len(one) for one in self._waiting.values())

    async def turn(self, device: str) -> None:
        """Return when it is this device's turn; at once where nobody waits and the burst is not used up."""
        await self._pace(device).step()
        self._fill()
        if not self._waiting and self._left >= 1:
            self._left -= 1
            return
        mine: asyncio.Future[None] = self._loop.create_future()
        self._waiting.setdefault(device, deque()).append(mine)
        if self._timer is None:
            self._timer = self._loop.call_later(1 / self._a_second, self._next)
        await mine

    def _pace(self, device: str) -> Pace:
        pace = self._paces.setdefault(device, Pace(EACH, EACH_A_SECOND))
        self._paces.move_to_end(device)
        while len(self._paces) > MOST_DEVICES:
            self._paces.popitem(last=False)
        return pace

    def _fill(self) -> None:
        now = self._loop.time()
        self._left = min(self._burst, self._left + (now - self._at) * self._a_second)
        self._at = now

    def _next(self) -> None:
        """Let one request of each device in turn come, as long as there is anything left."""
        self._timer = None
        self._fill()
        # A loop that was held up has much left by now; it is not spent all at once.
        left = min(self._left, 2.0)
        while self._waiting and left >= 1:
            device, own = self._waiting.popitem(last=False)
            one = own.popleft()
            if own:
                self._waiting[device] = own  # behind all others
            if not one.done():  # its connection may be gone
                one.set_result(None)
                self._left -= 1
                left -= 1
        if self._waiting:
            self._timer = self._loop.call_later(1 / self._a_second, self._next)
