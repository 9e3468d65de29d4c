"""Who of a hall's servers lives, as one that looks at them can know.

A server says every second in the database that it lives. Another one may hold it for dead only where it could look
itself all the while and saw nothing new. What nobody could see counts for nothing: the time for which the database or
the way to it was away, or for which the one that looks stood still. No clock is compared with another one.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

LEASE_MS = 3_000
"""A server that was seen to be silent for so long has lost its tables to any other that wants them."""
GONE_MS = 1_500
"""One whose connection was seen to end too, as when its process was killed, has lost them after this time."""
BACK_MS = 5_000
"""So long every server has after an outage to connect and to say that it lives."""
BLINK_MS = 1_500
"""Of the time between two looks no more than this counts: longer than a look that comes in time."""


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
                known = _Known(sign.mark, self._seen_ms, LEASE_MS, True)
            elif known.since is None:
                known.since = self._seen_ms
            known.connected = known.connected or sign.connected
            if known.connected and not sign.connected:
                known.allowed = min(known.allowed, GONE_MS)
            self._servers[sign.number] = known

    def break_off(self) -> None:
        """Know that the database did not answer: for as long as that nobody could say that they live."""
        self._answered = None
        for known in self._servers.values():
            known.since, known.allowed, known.connected = None, BACK_MS, False

    def is_alive(self, number: int) -> bool:
        """Say whether a server was seen to live, and was not silent since for too long."""
        known = self._servers.get(number)
        return known is not None and known.alive and not self.is_dead(number)

    def is_dead(self, number: int) -> bool:
        """Say whether a server was seen to be silent for so long that another one may lead its tables."""
        known = self._servers.get(number)
        return known is not None and known.since is not None and self._seen_ms - known.since >= known.allowed

    def mark_of(self, number: int) -> object:
        """Return the last mark that was seen of a server."""
        return self._servers[number].mark
