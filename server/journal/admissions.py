"""This module knows which station may do what; it keeps a hash of each token, never the token.

Tokens are never in the event journal. A file beside the journal keeps the admissions, or the database of the record.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, Protocol, TypeVar

import msgspec

from server.journal.failure import JournalFailed

P = ParamSpec("P")
T = TypeVar("T")

_TOKEN = re.compile(r"[0-9a-f]{32}")


class Admission(msgspec.Struct, frozen=True):
    """An `Admission` says what the arbiter admitted a station to."""

    table: str
    """'' where it is that of the hall's arbiter, who opens tables; each table that this arbiter opens adds one more."""
    station: str
    role: str
    """`tactile`, `sighted`, `assistant`, `arbiter` or `display`."""
    seat: str
    """`white`, `black`, or '' where the station belongs to no seat."""
    duties: tuple[str, ...]
    """What an assistant may do, by article (`D.2.10.1` ...); empty for other roles."""
    admitted_wall_ms: int


def new_token() -> str:
    """Return a fresh token: 128 random bits as 32 hex digits.

    It goes into the station's cookie and nowhere else.
    """
    return secrets.token_hex(16)


def hash_of(token: str) -> bytes:
    """Return the SHA-256 under which a token is kept; empty for text that is no token at all."""
    return hashlib.sha256(bytes.fromhex(token)).digest() if _TOKEN.fullmatch(token) else b""


class TokenKnown(Exception):
    """The token was admitted before."""


class AdmissionStore(Protocol):
    """An `AdmissionStore` keeps admissions, by the hash of their token.

    What it is told is on disk when the method returns. It blocks, and belongs to one thread. Every method raises
    JournalFailed where the disk or the database fails.
    """

    def load(self) -> tuple[list[tuple[bytes, Admission]], bool]:
        """Return what stands, and whether anybody was ever admitted."""
        ...

    def admit(self, key: bytes, admission: Admission) -> None:
        """Keep an admission. Raises TokenKnown."""
        ...

    def reach(self, key: bytes, table: str, seat: str | None) -> None:
        """Let a token open one more table, there with another seat if it is named."""
        ...

    def revoke(self, table: str, station: str, wall_ms: int) -> None:
        """Take away what a station was admitted to at a table."""
        ...

    def close(self) -> None:
        """Close it; it may be closed twice."""
        ...


class Admissions:
    """The `Admissions` are all that stations were admitted to, by token.

    Looking up reads memory only; admitting and revoking are on disk before they return.
    """

    def __init__(self, store: AdmissionStore) -> None:
        """Take an open store. Blocks for some ms: call it before the loop or in a thread. Raises JournalFailed."""
        self._store = store
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="admissions")
        self._standing: dict[bytes, tuple[Admission, ...]] = {}
        self._ever = False
        self._writes = 0
        self._unwritten: dict[tuple[str, str], int] = {}
        """Revocations, by table and station with their wall time in ms, that are not on disk yet."""
        self._take(*store.load())

    async def reload(self) -> None:
        """Take up what another server admitted or revoked meanwhile. Raises JournalFailed.

        What was read before something was written here is read again: it would not have a device just admitted. A
        revocation that the disk did not take is written first, and holds also where that fails again.
        """
        for (table, station), wall_ms in tuple(self._unwritten.items()):
            with contextlib.suppress(JournalFailed):
                await self._write_off(table, station, wall_ms)
        while True:
            before = self._writes
            found = await self._kept(self._store.load)
            if before == self._writes:
                return self._take(*found)

    def _take(self, rows: list[tuple[bytes, Admission]], ever: bool) -> None:
        standing: dict[bytes, tuple[Admission, ...]] = {}
        for key, one in rows:
            if (one.table, one.station) not in self._unwritten:
                standing[key] = (*standing.get(key, ()), one)
        self._standing, self._ever = standing, ever

    def admission_of(self, token: str) -> Admission | None:
        """Return what this token is admitted to, or None.

        None stands for an unknown or revoked token, and for text that is no token.
        """
        return next(iter(self.admissions_of(token)), None)

    def admissions_of(self, token: str) -> tuple[Admission, ...]:
        """Return all that this token is admitted to: one table, or those of an arbiter of several."""
        return self._standing.get(hash_of(token), ())

    def of_table(self, table: str) -> list[Admission]:
        """Return the standing admissions of one table, by station."""
        found = (one for all_of_it in self._standing.values() for one in all_of_it if one.table == table)
        return sorted(found, key=lambda one: one.station)

    def tables(self) -> frozenset[str] | None:
        """Return the tables that a standing admission opens; None in a folder where nobody was ever admitted."""
        if not self._ever:
            return None
        return frozenset(one.table for all_of_it in self._standing.values() for one in all_of_it if one.table)

    async def admit(self, token: str, admission: Admission) -> None:
        """Keep an admission; the token works once this returns.

        Raises:
            ValueError: the token is not 32 hex digits, or was admitted before.
            JournalFailed: the disk failed; the token does not work.
        """
        key = hash_of(token)
        if not key:
            raise ValueError("a token is 32 hex digits")
        try:
            await self._written(self._store.admit, key, admission)
        except TokenKnown as wrong:
            raise ValueError("this token was admitted before") from wrong
        self._standing[key] = (admission,)
        self._ever = True

    async def extend(self, token: str, table: str) -> None:
        """Let the token open one more table; it does so once this returns.

        Raises:
            ValueError: nothing stands under this token.
            JournalFailed: the disk failed; the token does not open it.
        """
        key = hash_of(token)
        standing = self._standing.get(key, ())
        if not standing:
            raise ValueError("this token is not admitted")
        if any(one.table == table for one in standing):
            return
        await self._written(self._store.reach, key, table, None)
        self._standing[key] = (*self._standing.get(key, ()), msgspec.structs.replace(standing[0], table=table))

    async def carry(self, table: str, to: str, seats: Mapping[str, str]) -> None:
        """Let every token that opens one table open another too, for the new game of a cancelled one (7.2.1).

        `seats`: the seat that a station of each seat has at the other table; a seat that is not named stays the same.
        Raises JournalFailed.
        """
        for key, standing in tuple(self._standing.items()):
            one = next((one for one in standing if one.table == table), None)
            if one is None or any(other.table == to for other in standing):
                continue
            seat = seats.get(one.seat, one.seat)
            await self._written(self._store.reach, key, to, seat)
            there = msgspec.structs.replace(one, table=to, seat=seat)
            self._standing[key] = (*self._standing.get(key, ()), there)

    async def adopt(self, rows: Sequence[tuple[bytes, Admission]]) -> None:
        """Take up the admissions of another record, by the hash of their token. Raises JournalFailed."""
        for key, one in rows:
            standing = self._standing.get(key, ())
            if one in standing:
                continue
            if standing:
                await self._written(self._store.reach, key, one.table, one.seat)
            else:
                with contextlib.suppress(TokenKnown):  # it was revoked here
                    await self._written(self._store.admit, key, one)
        await self.reload()

    async def revoke(self, table: str, station: str, wall_ms: int) -> int:
        """Take away every admission of a station at this table, and return how many there were.

        They are gone from memory at once and from the disk before this returns. What the same token opens elsewhere
        stays.

        Raises:
            JournalFailed: the disk failed; the tokens stay refused while this process lives, but not after a restart.
        """
        gone = 0
        self._unwritten[table, station] = wall_ms
        for key, standing in tuple(self._standing.items()):
            left = tuple(one for one in standing if (one.table, one.station) != (table, station))
            gone += len(standing) - len(left)
            if left:
                self._standing[key] = left
            else:
                del self._standing[key]
        await self._write_off(table, station, wall_ms)
        return gone

    async def _write_off(self, table: str, station: str, wall_ms: int) -> None:
        await self._written(self._store.revoke, table, station, wall_ms)
        self._unwritten.pop((table, station), None)

    async def close(self) -> None:
        """Close the store; it may be closed twice."""
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.to_thread(self._store.close)

    async def _written(self, ask: Callable[P, T], *values: P.args, **names: P.kwargs) -> T:
        """Write, and let a `reload` that may have read before it read again."""
        self._writes += 1
        return await self._kept(ask, *values, **names)

    async def _kept(self, ask: Callable[P, T], *values: P.args, **names: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(ask, *values, **names))
