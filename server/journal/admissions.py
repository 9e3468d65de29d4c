"""Which station may do what, with a hash of each token, never the token.

Tokens are never in the event journal. A file beside the journal keeps the admissions, or the database of the record.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar

import msgspec

from server.game.values.words import Seat
from server.journal.failure import JournalFailed
from speech.complaint import Complaint, Phrase

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)
_TOKEN = re.compile(r"[0-9a-f]{32}")


class Admission(msgspec.Struct, frozen=True):
    """Place to which the arbiter admitted a station."""

    table: str
    """'' where it is that of the hall's arbiter, who opens tables; each table that this arbiter opens adds one more."""
    station: str
    role: str
    """`tactile`, `sighted`, `assistant`, `arbiter` or `display`."""
    seat: str
    """`white`, `black`, or '' where the station belongs to no seat."""
    duties: tuple[str, ...]
    """Acts open to an assistant, by article (`D.2.10.1` ...); empty for other roles."""
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


class SentAway(Complaint):
    """The station was sent away while it was being admitted to more."""

    def __init__(self) -> None:
        super().__init__(Phrase("sent_away"))


LINK, LINK_LIFE_MS = "link", 10 * 60_000
"""The role of an admission that is no station's yet: a link from the terminal, which makes an arbiter of the hall of
whoever opens it first, and for how long."""


SEATS = frozenset(("", *Seat))
OF_A_SEAT = frozenset(("tactile", "sighted", "assistant"))


def admissions_in(rows: Iterable[Sequence[Any]]) -> tuple[list[tuple[bytes, Admission]], tuple[str, ...]]:
    """Return the admissions in the rows of a store, by the hash of their token, and the stations that cannot be read.

    A damaged cell takes the place of one device, which has to join again; all the others stand.
    """
    found, unread = [], set()
    for key, *cells in rows:
        try:
            duties = msgspec.json.decode(cells[4], type=tuple[str, ...])
            values = zip(Admission.__struct_fields__, (*cells[:4], duties, cells[5]), strict=True)
            one = msgspec.convert(dict(values), Admission)
            if one.seat not in SEATS or (one.role in OF_A_SEAT and not one.seat):
                raise msgspec.ValidationError(f"{one.seat!r} is no seat of a {one.role}")
            found.append((msgspec.convert(key, bytes), one))
        except (msgspec.MsgspecError, TypeError, UnicodeError) as wrong:
            _log.error("The admission of %r cannot be read: %s", cells[1], wrong)
            unread.add(str(cells[1])[:60])
    return found, tuple(sorted(unread))


class AdmissionStore(Protocol):
    """Store of admissions, by the hash of their token.

    What it is told is on disk when the method returns. It blocks, and belongs to one thread. Every method raises
    JournalFailed where the disk or the database fails. `unread`: stations whose admission was found damaged.
    """

    unread: tuple[str, ...]

    def load(self) -> tuple[list[tuple[bytes, Admission]], bool]:
        """Return the admissions in force, and whether anybody was ever admitted."""
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

    def revoke_everywhere(self, station: str, wall_ms: int) -> None:
        """Take away all that a station was admitted to, at every table and in the hall."""
        ...

    def version(self) -> object:
        """Return a mark that changes once somebody else has written."""
        ...

    def counts(self) -> tuple[int, int]:
        """Return how many devices were ever admitted, and how many of them were sent away."""
        ...

    def close(self) -> None:
        """Close it; it may be closed twice."""
        ...


class Admissions:
    """All that stations were admitted to, by token.

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
        self._unwritten_everywhere: dict[str, int] = {}
        self._gone: set[tuple[str | None, str]] = set()
        """Revocations of this run, by table (None: every one) and station: nothing on its way undoes one."""
        self._links: set[str] = set()
        """Links from the terminal by which somebody is just coming in."""
        self.on_gone: Callable[[Sequence[Admission]], None] = lambda gone: None
        """Told of what stood here and was revoked elsewhere: at another server, or from the terminal."""
        self._version = store.version()
        self.unread: tuple[str, ...] = ()
        """Stations whose admission is damaged: each has to join again."""
        self._take(*store.load())
        self.unread = store.unread

    async def reload(self) -> None:
        """Take up what another server admitted or revoked meanwhile. Raises JournalFailed.

        What was read before something was written here is read again: it would not have a device just admitted. A
        revocation that the disk did not take is written first, and holds also where that fails again.
        """
        for (table, station), wall_ms in tuple(self._unwritten.items()):
            with contextlib.suppress(JournalFailed):
                await self._write_off(table, station, wall_ms)
        for station, wall_ms in tuple(self._unwritten_everywhere.items()):
            with contextlib.suppress(JournalFailed):
                await self._write_off_everywhere(station, wall_ms)
        while True:
            before = self._writes
            found = await self._keep(self._store.load)
            if before == self._writes:
                break
        stood = self._places()
        self._take(*found)
        stands = self._places()
        gone = tuple(one for place, one in stood.items() if place not in stands)
        if gone:
            self.on_gone(gone)

    async def counts(self) -> tuple[int, int]:
        """Return how many devices were ever admitted, and how many of them were sent away. Raises JournalFailed."""
        return await self._keep(self._store.counts)

    async def look(self) -> None:
        """Take up what somebody else has written since the last look, and write what the disk did not take.

        Raises JournalFailed.
        """
        version = await self._keep(self._store.version)
        if version != self._version or self._unwritten or self._unwritten_everywhere:
            await self.reload()
            self._version = version  # not before: what could not be read is looked at again

    def _places(self) -> dict[tuple[str, str], Admission]:
        return {(one.table, one.station): one for standing in self._standing.values() for one in standing}

    def everything_of(self, station: str) -> tuple[Admission, ...]:
        """Return all that a station is admitted to; nothing for a name that nobody has."""
        return tuple(one for one in self._places().values() if one.station == station)

    def everybody(self) -> tuple[tuple[Admission, ...], ...]:
        """Return all that stands, station by station: the arbiters of the hall first, and of each what came first."""
        found: dict[str, dict[str, Admission]] = {}
        for standing in self._standing.values():
            for one in standing:
                if one.role != LINK:
                    found.setdefault(one.station, {})[one.table] = one
        each = (tuple(sorted(one.values(), key=lambda at: at.table)) for one in found.values())
        return tuple(sorted(each, key=lambda all_of_it: (all_of_it[0].table != "", all_of_it[0].admitted_wall_ms)))

    @contextlib.asynccontextmanager
    async def using_link(self, token: str, wall_ms: int) -> AsyncIterator[bool]:
        """Say whether a link from the terminal holds; it is used up unless what is done with it fails.

        Nobody else comes in by it meanwhile. One that the disk does not take away is refused while this process lives.
        """
        one = self.admission_of(token)
        if one is None or one.role != LINK or one.station in self._links:
            yield False
            return
        self._links.add(one.station)
        try:
            yield 0 <= wall_ms - one.admitted_wall_ms < LINK_LIFE_MS
            with contextlib.suppress(JournalFailed):  # `look` writes it
                await self.revoke_everywhere(one.station, wall_ms)
        finally:
            self._links.discard(one.station)

    def _check_stands(self, *places: tuple[str, str]) -> None:
        """Raise SentAway where a station was sent away while more was being written for it."""
        if any(place in self._gone or (None, place[1]) in self._gone for place in places):
            raise SentAway

    def _take(self, rows: list[tuple[bytes, Admission]], ever: bool) -> None:
        standing: dict[bytes, tuple[Admission, ...]] = {}
        for key, one in rows:
            if (one.table, one.station) not in self._unwritten and one.station not in self._unwritten_everywhere:
                standing[key] = (*standing.get(key, ()), one)
        self._standing, self._ever = standing, ever

    def admission_of(self, token: str) -> Admission | None:
        """Return the admission of this token, or None.

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
            SentAway: its station was sent away meanwhile.
            JournalFailed: the disk failed; the token does not work.
        """
        key = hash_of(token)
        if not key:
            raise ValueError("a token is 32 hex digits")
        place = (admission.table, admission.station)
        self._check_stands(place)
        try:
            await self._write(self._store.admit, key, admission)
        except TokenKnown as wrong:
            raise ValueError("this token was admitted before") from wrong
        if place in self._gone or (None, place[1]) in self._gone:  # sent away meanwhile: after that it was written
            await self._write(self._store.revoke, *place, admission.admitted_wall_ms)
            raise SentAway
        self._standing[key] = (admission,)
        self._ever = True

    async def extend(self, token: str, table: str) -> None:
        """Let the token open one more table; it does so once this returns.

        Raises:
            ValueError: nothing stands under this token.
            SentAway: its station was sent away meanwhile.
            JournalFailed: the disk failed; the token does not open it.
        """
        key = hash_of(token)
        standing = self._standing.get(key, ())
        if not standing:
            raise ValueError("this token is not admitted")
        if any(one.table == table for one in standing):
            return
        place = (table, standing[0].station)
        self._check_stands(place)
        await self._write(self._store.reach, key, table, None)
        if place in self._gone or (None, place[1]) in self._gone or not self._standing.get(key):
            await self._write(self._store.revoke, *place, standing[0].admitted_wall_ms)
            raise SentAway
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
            await self._write(self._store.reach, key, to, seat)
            if not self._standing.get(key) or (None, one.station) in self._gone:  # sent away meanwhile
                await self._write(self._store.revoke, to, one.station, one.admitted_wall_ms)
                continue
            there = msgspec.structs.replace(one, table=to, seat=seat)
            self._standing[key] = (*self._standing.get(key, ()), there)

    async def adopt(self, rows: Sequence[tuple[bytes, Admission]]) -> None:
        """Take up the admissions of another record, by the hash of their token. Raises JournalFailed."""
        for key, one in rows:
            standing = self._standing.get(key, ())
            if one in standing:
                continue
            if standing:
                await self._write(self._store.reach, key, one.table, one.seat)
            else:
                with contextlib.suppress(TokenKnown):  # it was revoked here
                    await self._write(self._store.admit, key, one)
        await self.reload()

    async def revoke(self, table: str, station: str, wall_ms: int) -> int:
        """Take away every admission of a station at this table, and return how many there were.

        They are gone from memory at once and from the disk before this returns. What the same token opens elsewhere
        stays.

        Raises:
            JournalFailed: the disk failed; the tokens stay refused while this process lives, but not after a restart.
        """
        gone = self.strike(table, station, wall_ms)
        await self._write_off(table, station, wall_ms)
        return gone

    def strike(self, table: str, station: str, wall_ms: int) -> int:
        """Take away what `revoke` does, from memory alone and at once; `look` writes it where nobody else does."""
        gone = 0
        self._gone.add((table, station))
        self._unwritten[table, station] = wall_ms
        for key, standing in tuple(self._standing.items()):
            left = tuple(one for one in standing if (one.table, one.station) != (table, station))
            gone += len(standing) - len(left)
            if left:
                self._standing[key] = left
            else:
                del self._standing[key]
        return gone

    async def _write_off(self, table: str, station: str, wall_ms: int) -> None:
        await self._write(self._store.revoke, table, station, wall_ms)
        self._unwritten.pop((table, station), None)

    async def revoke_everywhere(self, station: str, wall_ms: int) -> tuple[Admission, ...]:
        """Take away all that a station was admitted to, at every table and in the hall, and return what it was.

        It is gone from memory at once and from the disk before this returns. Raises JournalFailed as `revoke` does.
        """
        gone = self.strike_everywhere(station, wall_ms)
        await self._write_off_everywhere(station, wall_ms)
        return gone

    def strike_everywhere(self, station: str, wall_ms: int) -> tuple[Admission, ...]:
        """Take away what `revoke_everywhere` does, from memory alone and at once, and return what it was."""
        gone = self.everything_of(station)
        self._gone.add((None, station))
        self._unwritten_everywhere[station] = wall_ms
        for key, standing in tuple(self._standing.items()):
            if any(one.station == station for one in standing):
                del self._standing[key]
        return gone

    async def _write_off_everywhere(self, station: str, wall_ms: int) -> None:
        await self._write(self._store.revoke_everywhere, station, wall_ms)
        self._unwritten_everywhere.pop(station, None)

    async def close(self) -> None:
        """Close the store; it may be closed twice."""
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.to_thread(self._store.close)

    async def _write(self, ask: Callable[P, T], *values: P.args, **names: P.kwargs) -> T:
        """Write, and let a `reload` that may have read before it read again."""
        self._writes += 1
        return await self._keep(ask, *values, **names)

    async def _keep(self, ask: Callable[P, T], *values: P.args, **names: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(ask, *values, **names))
