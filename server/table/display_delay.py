"""A table's displays are shown the game late: only what is old enough, and how the game stood then.

A display's messages are kept as every station's are, with the moment at which each arose; those that are old enough
are sent. Nothing younger leaves the server, no matter who asks or how often (`game/views/displays.py`).
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Mapping

from server.game.state.state import GameState
from server.game.values.words import Role, Station
from server.game.views.displays import delay_of, display_greeting, longest_delay
from server.machine.clock import Clock, came_first
from server.protocol import Greeted, Numbered, Outgoing
from server.table.connections import SentLog


class HeldBack:
    """Messages of one table's displays, held back until they are old enough.

    All times are ms of this run; what an earlier run recorded lies before its beginning.
    """

    def __init__(self, clock: Clock, push: Callable[[str, Outgoing], None], kept: Mapping[str, SentLog]) -> None:
        """Take `push`, which sends to all lines of a station, and each station's messages, `kept`, in order."""
        self._clock = clock
        self._push = push
        self._kept = kept
        self._changed = asyncio.Event()
        self._arose: dict[str, list[int]] = {}  # for each display, when its messages arose
        self._sent: dict[str, int] = {}  # how many of them it was sent
        self._stood: deque[tuple[int, GameState]] = deque()  # states and since when; the newest last

    def stands(self, state: GameState, since: int) -> None:
        """Note the state of the game from `since` on, and forget states that no display is shown any more."""
        since = max(since, self._stood[-1][0]) if self._stood else since
        if not state.stations.display_delays:
            self._stood.clear()
        self._stood.append((since, state))
        while len(self._stood) > 1 and self._stood[1][0] <= since - longest_delay(state):
            self._stood.popleft()

    def arises(self, station: Station, at: int) -> None:
        """Note one more message of this display."""
        arose = self._arose.setdefault(station.id, [])
        arose.append(max(at, arose[-1]) if arose else at)  # an earlier run's wall clock may have been set back
        self._changed.set()

    def delays_change(self) -> None:
        """Greet every display again after a delay has changed.

        Each sees what it may see now, and what it was sent too early comes again later.
        """
        self._changed.set()
        for station in self._displays:
            free = self._free(station, self._clock.mono_ms())
            self._sent[station.id] = min(self._sent.get(station.id, 0), free)
            self.greet(station)

    def greet(self, station: Station) -> None:
        """Send a connected display what it may see now, as if it had just come."""
        self._push(station.id, self.greeting_of(station))

    def greeting_of(self, station: Station) -> Greeted:
        """Return the greeting of a display that comes."""
        state, now = self._stood[-1][1], self._clock.mono_ms()
        then = now - delay_of(state, station)
        since, stood = next((one for one in reversed(self._stood) if one[0] <= then), self._stood[0])
        return Greeted(self._free(station, now), display_greeting(stood, max(then, since), state, station))

    def send_due(self) -> None:
        """Send each display whatever is old enough for it."""
        now = self._clock.mono_ms()
        for station in self._displays:
            free, before = self._free(station, now), self._sent.get(station.id, 0)
            self._sent[station.id] = max(before, free)
            if free > before:
                for number, message in enumerate(self._kept[station.id].between(before, free), before + 1):
                    self._push(station.id, Numbered(number, message))

    async def release(self) -> None:
        """Sleep until a display may see its next message, send it, and go on until cancelled."""
        while True:
            self._changed.clear()
            due = self._next_due()
            if due is None:
                await self._changed.wait()
            else:
                await came_first(self._clock, due, self._changed)
            self.send_due()

    @property
    def _displays(self) -> tuple[Station, ...]:
        if not self._stood:
            return ()
        return tuple(one for one in self._stood[-1][1].stations.admitted if one.role is Role.DISPLAY)

    def _free(self, station: Station, now: int) -> int:
        """Return how many of the display's messages may be seen now."""
        return bisect_right(self._arose.get(station.id, ()), now - delay_of(self._stood[-1][1], station))

    def _next_due(self) -> int | None:
        now, found = self._clock.mono_ms(), list[int]()
        for station in self._displays:
            arose, free = self._arose.get(station.id, []), self._free(station, now)
            if free < len(arose):
                found.append(arose[free] + delay_of(self._stood[-1][1], station))
        return min(found, default=None)
