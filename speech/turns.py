"""Who is heard next, where several want what serves only so many at a time: an engine, or the second ear.

Everybody has a fair share, by table and then by seat: whoever used least of late goes first. So a seat that never stops
speaking delays another table's words by what is being done just now and no more. Who only listens or trains comes after
all who play. For whom something is asked goes with the tasks (`heard_for`), so that every engine is fair by itself.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar

import msgspec

HALF_S = 30.0
"""After so many seconds half of what was used is forgotten."""
MARGIN_S = 0.5
"""Seconds more than somebody who waits, after whose use a turn gives way where that can be."""
LOOK_S = 0.25
FORGOTTEN_S = 0.001


class Speaker(msgspec.Struct, frozen=True):
    """Person whose words are heard.

    `last`: after all who play, as a spectator, or somebody who trains alone.
    """

    table: str = ""
    seat: str = ""
    last: bool = False


_heard: ContextVar[Speaker] = ContextVar("whose words are heard", default=Speaker())  # noqa: B039  it is frozen


def who_is_heard() -> Speaker:
    """Return for whom the current task works."""
    return _heard.get()


@contextmanager
def heard_for(speaker: Speaker) -> Iterator[None]:
    """Work for this speaker, and so does every task that is begun meanwhile."""
    before = _heard.set(speaker)
    try:
        yield
    finally:
        _heard.reset(before)


class _Turn:
    """One who waits, or whose turn it is. `give_way`: asks to end the turn soon, None where that cannot be."""

    def __init__(self, number: int, give_way: Callable[[], bool] | None) -> None:
        self.speaker = who_is_heard()
        self.number = number
        self.give_way = give_way
        self.came: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.since = 0.0


class Turns:
    """Turns at a service for `places` users at a time; `now` in seconds."""

    def __init__(self, places: int = 1, now: Callable[[], float] = time.monotonic) -> None:
        self._places = places
        self._now = now
        self._numbers = itertools.count()
        self._held: list[_Turn] = []
        self._waiting: list[_Turn] = []
        self._used: dict[tuple[str, ...], tuple[float, float]] = {}
        self._looking: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def turn(self, give_way: Callable[[], bool] | None = None) -> AsyncIterator[None]:
        """Wait for a turn and hold it.

        `give_way`: asked where somebody waits who used less, until it says that the turn will be ended soon; it may be
        asked for anew.
        """
        one = _Turn(next(self._numbers), give_way)
        self._waiting.append(one)
        self._look()
        try:
            await one.came
            yield
        finally:
            self._end(one)

    def _end(self, one: _Turn) -> None:
        if one in self._held:
            self._held.remove(one)
            self._charge(one)
        else:
            self._waiting.remove(one)
        self._look()

    def _look(self) -> None:
        """Give the free places away; where there is none, ask whoever used too much to give way."""
        while self._waiting and len(self._held) < self._places:
            best = min(self._waiting, key=self._claim)
            self._waiting.remove(best)
            self._held.append(best)
            best.since = self._now()
            if not best.came.done():  # else it has just been given up
                best.came.set_result(None)
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        if self._waiting and any(one.give_way is not None for one in self._held):
            self._ask_to_give_way()
            self._looking = asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def _ask_to_give_way(self) -> None:
        waits = min(self._waiting, key=self._claim)
        most = max((one for one in self._held if one.give_way is not None), key=self._claim)
        if most.give_way is not None and self._owes(most, waits):
            gives_way = most.give_way()
            most.give_way = None if gives_way else most.give_way

    def _owes(self, one: _Turn, other: _Turn) -> bool:
        """Return whether one used so much more than another, or comes so much later, that it gives way."""
        if one.speaker.last != other.speaker.last:
            return one.speaker.last
        account = int(one.speaker.table == other.speaker.table)  # of their tables; at the same table of their seats
        return self._use(one)[account] - self._use(other)[account] > MARGIN_S

    def _claim(self, one: _Turn) -> tuple[bool, float, float, int]:
        return (one.speaker.last, *self._use(one), one.number)

    def _use(self, one: _Turn) -> tuple[float, float]:
        """Return what the table and the seat of a turn used of late, in seconds."""
        now, (table, seat) = self._now(), _accounts(one.speaker)
        return self._used_by(table, now), self._used_by(seat, now)

    def _used_by(self, account: tuple[str, ...], now: float) -> float:
        seconds, at = self._used.get(account, (0.0, now))
        running = sum(now - one.since for one in self._held if account in _accounts(one.speaker))
        return seconds * math.exp2((at - now) / HALF_S) + running

    def _charge(self, one: _Turn) -> None:
        now = self._now()
        for account in _accounts(one.speaker):
            self._used[account] = (self._used_by(account, now) + now - one.since, now)
        if len(self._used) > 1_000:
            self._used = {name: one for name, one in self._used.items() if self._used_by(name, now) > FORGOTTEN_S}


def _accounts(speaker: Speaker) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (speaker.table,), (speaker.table, speaker.seat)
