"""The pace at which a station may speak, on all of its lines together.

A message beyond the limit waits its turn, so that nothing is lost, least of all a press of the clock: it has a turn of
its own and waits for nothing that its station says on another line. So forty lines of one player reach the table as one
line would, and the opponent's press stands behind one command and one press of theirs at most.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiohttp import web

BURST = 60
A_SECOND = 30.0
LONGEST_WAIT_S = 10.0
"""Longest wait, however much a station has said: its player may have to come back on another line."""
SHOWN = 300
"""Messages of a station that had to wait, without a pause between them, after which the arbiter is told."""
PINGS, PINGS_A_SECOND = 30, 1.0
"""A station asks for an answer as a WebSocket does, as often as this on one line; more is no station's way."""
HELLO = 6
"""A hello weighs as much as so many messages: it is answered with the messages that a station missed."""


class Pace:
    """Bucket of `burst` messages that fills with `a_second` of them each second.

    The time is that of the event loop. `shown`: called once when the station floods for long, and again only after it
    has been quiet.
    """

    def __init__(
        self, burst: int = BURST, a_second: float = A_SECOND, shown: Callable[[], None] = lambda: None
    ) -> None:
        self._burst = burst
        self._a_second = a_second
        self._left = float(burst)
        self._at = asyncio.get_running_loop().time()
        self._shown = shown
        self._waited = 0
        self._turns = {press: asyncio.Lock() for press in (False, True)}

    def _take(self, weight: int = 1) -> float:
        """Take the worth of `weight` messages; return what is left, below zero where there was none."""
        now = asyncio.get_running_loop().time()
        left = min(self._burst, self._left + (now - self._at) * self._a_second) - weight
        self._left = max(left, -LONGEST_WAIT_S * self._a_second)
        self._at = now
        return self._left

    async def step(self, weight: int = 1) -> None:
        """Take the worth of `weight` messages; wait where there is none."""
        left = self._take(weight)
        if left >= 0:
            if left >= self._burst / 2:
                self._waited = 0
            return
        self._waited += 1
        if self._waited == SHOWN:
            self._shown()
        await asyncio.sleep(-left / self._a_second)

    def spend(self) -> bool:
        """Take one message's worth, and say whether there was none: for what is not worth waiting for."""
        return self._take() < 0

    def turn(self, *, press: bool) -> asyncio.Lock:
        """Return the station's turn at the table, to be held: one message has it at a time, and beside it one press."""
        return self._turns[press]


class Paces:
    """Paces of all stations, for their messages; the pace of sound is a seat's (`voice/intake.py`)."""

    def __init__(self) -> None:
        self._said: dict[tuple[str, str], Pace] = {}

    def of(self, table: str, station: str, shown: Callable[[], None]) -> Pace:
        """Return the pace of a station's messages; `shown`: tells the arbiter of a station that floods."""
        return self._said.setdefault((table, station), Pace(shown=shown))


PACES = web.AppKey("PACES", Paces)
