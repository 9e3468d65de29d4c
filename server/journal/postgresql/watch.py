"""Who of a hall's servers lives, as one that looks at them can know.

A server says twice a second in the database that it lives. Another one may hold it for dead only where it could look
itself all the while and saw nothing new. What nobody could see counts for nothing: the time for which the database or
the way to it was away, or for which the one that looks stood still. No clock is compared with another one.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

LEASE_MS = 2_500
"""Silence after which a server has lost its tables to any other that wants them."""
GONE_MS = 1_000
"""Time after which leases of a dead server expire, whose connection is gone: one that lives connects again sooner."""
BACK_MS = 5_000
"""Time that every server has after an outage to connect and to say that it lives."""
BLINK_MS = 1_000
"""Most that the time between two looks counts: longer than a look that comes in time."""


class Sign(msgspec.Struct, frozen=True):
    """Signs of life of one server, from one look at the database.

    `mark`: another one each time it says that it lives. `connected`: its lease's connection is open. `recent`: the
    database has it that the mark is new, which is all that a first look can go by.
    """

    number: int
    mark: object
    connected: bool
    recent: bool


class _Known(msgspec.Struct):
    mark: object
    since: int | None
    allowed: int
    alive: bool
    connected: bool = False
    gone: int | None = None

    def time_left(self, seen_ms: int) -> int | None:
        """Return after how much time of looking it is dead, if nothing new is seen of it; None: it cannot be."""
        found = [] if self.since is None else [self.since + self.allowed - seen_ms]
        if self.gone is not None:
            found.append(self.gone + GONE_MS - seen_ms)
        return min(found, default=None)


class Watch:
    """One server's knowledge of which others live; times are of its own clock, in ms."""

    def __init__(self) -> None:
        self._servers: dict[int, _Known] = {}
        self._seen_ms = 0  # the time in which this server could see; it stands while it could not
        self._answered: int | None = None

    def look(self, asked: int, answered: int, signs: Iterable[Sign]) -> None:
        """Take in one look at all servers that have not ended."""
        if self._answered is not None:
            self._seen_ms += min(max(0, asked - self._answered), BLINK_MS)
        self._answered = answered
        before, self._servers = self._servers, {}
        for sign in signs:
            known = before.get(sign.number)
            if known is None:
                known = _Known(sign.mark, self._seen_ms, LEASE_MS, sign.recent)
            elif known.mark != sign.mark:
                known = _Known(sign.mark, self._seen_ms, LEASE_MS, True, known.connected)
            elif known.since is None:
                known.since = self._seen_ms
            if sign.connected:
                known.connected, known.gone = True, None
            elif known.connected and known.gone is None:
                known.gone = self._seen_ms
            self._servers[sign.number] = known

    def break_off(self) -> None:
        """Know that the database did not answer: for as long as that nobody could say that they live."""
        self._answered = None
        for known in self._servers.values():
            known.since, known.gone, known.allowed, known.connected = None, None, BACK_MS, False

    def is_alive(self, number: int) -> bool:
        """Say whether a server was seen to live, and was not silent since for too long."""
        known = self._servers.get(number)
        return known is not None and known.alive and not self.is_dead(number)

    def is_dead(self, number: int) -> bool:
        """Say whether a server was seen to be silent for so long that another one may lead its tables."""
        known = self._servers.get(number)
        left = None if known is None else known.time_left(self._seen_ms)
        return left is not None and left <= 0

    def due_ms(self) -> int | None:
        """Return after how long the next one would be dead if nothing new were seen of it; None where none can be."""
        left = (known.time_left(self._seen_ms) for known in self._servers.values())
        return min((one for one in left if one is not None and one > 0), default=None)

    def mark_of(self, number: int) -> object:
        """Return the last mark that was seen of a server."""
        return self._servers[number].mark
