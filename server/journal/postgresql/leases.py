"""A lease says which server leads a table: a row in the database, and a number that rises when another takes it.

A server is alive while it renews its row twice a second; its connection holds a lock as long as its process lives. Who
is silent loses its tables only to one that could look all the while (`watch.py`), so that nobody ends because the
database was away. Whoever takes them declares it ended first, and only if it has not renewed its row since.
"""

from __future__ import annotations

import enum
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import psycopg

from server.journal.failure import JournalFailed, LedElsewhere
from server.journal.postgresql.database import Database, Sockets, in_short
from server.journal.postgresql.watch import LEASE_MS, Sign, Watch
from speech.complaint import Phrase

RENEW_MS = 500
ANSWER_S = 2.0
"""Seconds after which a question about leases is given up."""
LOCK = 0x416E6E61
"""The advisory lock under which servers settle who leads the hall."""

Connection = psycopg.Connection[tuple[Any, ...]]

_CONNECTED = (
    f"EXISTS (SELECT 1 FROM pg_locks k WHERE k.locktype = 'advisory' AND k.classid = {LOCK}::oid "
    "AND k.objid::bigint = s.number AND k.objsubid = 2 AND k.granted)"
)
# One server's row, whatever anybody wrote into it, must end no other: a time that no calendar has is a mark like any
# other as text, and an address that is none is left out.
_MARK = "s.renewed::text"
_ADDRESSES = "ARRAY(SELECT a FROM unnest(s.addresses) AS a WHERE a IS NOT NULL)"
_RECENT = f"s.renewed > clock_timestamp() - interval '{LEASE_MS} milliseconds'"
_TODAY = "s.renewed > clock_timestamp() - interval '1 day'"
_STANDS = "EXISTS (SELECT 1 FROM servers s WHERE s.number = %s AND NOT s.ended FOR SHARE)"
_ENDED = "NOT EXISTS (SELECT 1 FROM servers s WHERE s.number = {}.server AND NOT s.ended)"
LAST_FENCE = 2**63 - 1
"""A lease with this number cannot rise: its table is led by nobody any more, and no other is concerned."""
_TAKE_NEW = (
    'INSERT INTO leases ("table", server, fence) SELECT new, %s, 1 FROM unnest(%s::text[]) AS new '
    f'WHERE {_STANDS} ON CONFLICT DO NOTHING RETURNING "table", fence'
)
_TAKE = f"""
INSERT INTO leases AS l ("table", server, fence) SELECT %s, %s, 1 WHERE {_STANDS}
ON CONFLICT ("table") DO UPDATE SET server = EXCLUDED.server, fence = l.fence + 1, wanted = NULL
WHERE (l.server = EXCLUDED.server OR {_ENDED.format("l")}) AND l.fence < {LAST_FENCE}
RETURNING fence
"""
_END = (
    "UPDATE servers AS s SET ended = true FROM unnest(%s::bigint[], %s::text[]) AS dead (number, mark) "
    f"WHERE s.number = dead.number AND {_MARK} = dead.mark AND NOT s.ended RETURNING s.number"
)
"""Declares ended who has not renewed its row since it was last seen."""


NOT_LED = "This server does not lead this table any more; nothing was acknowledged."
CHANNEL = "anna_eins_hall"
"""Channel of the database on which servers tell one another that there is something to look at."""


class Led(msgspec.Struct, frozen=True):
    """The server that leads a table now, and the one to lead it next (None: nobody else).

    `alive`: that server was seen to live. `dead`: it ended, or was seen to be silent for too long. Neither, while
    nobody can know.
    """

    table: str
    server: int
    alive: bool
    addresses: tuple[str, ...]
    wanted: int | None = None
    dead: bool = False


class Neighbour(msgspec.Struct, frozen=True):
    """A server of the hall that is alive, with its addresses and the number of tables that it leads."""

    number: int
    addresses: tuple[str, ...]
    tables: int


class ServersSeen(msgspec.Struct, frozen=True):
    """Result of one look at the servers of a hall.

    `led`: by table. `servers`: those that are alive, by number. `addresses`: of all that were alive within a day.
    `silent`: of these nobody can know yet whether they live. `dead`: they were silent for too long, and have not ended.
    `alone`: one that is alive or silent and leads the whole hall; 0 for none. `due_ms`: after how long another look can
    show that one more is dead; None where none is silent.
    """

    led: tuple[Led, ...]
    servers: tuple[Neighbour, ...]
    addresses: tuple[str, ...]
    silent: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    alone: int = 0
    due_ms: int | None = None


class Settled(enum.Enum):
    """Answer to whether a server leads the hall alone or shares it."""

    LEADS = "leads"
    LED = "led"
    """Another one is alive and leads the hall."""
    UNKNOWN = "unknown"
    """Another one is silent, and it has to be looked at for longer."""


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Leases:
    """Leases of one server, from `register` to `end`; every method blocks, and one waits for another.

    `fence_of`, `take_new` and `forget` belong to the writing thread. Methods raise JournalFailed where the database
    does not answer.
    """

    def __init__(self, database: Database, now_ms: Callable[[], int] = _now_ms) -> None:
        """Take a database that `check_database` has seen. `now_ms`: a clock that never goes back."""
        self._database = database
        self._now_ms = now_ms
        self._watch = Watch()
        self._addresses: tuple[str, ...] = ()
        self._sockets = Sockets()
        self._connection: Connection | None = None
        self._asking = threading.RLock()
        self._fences: dict[str, int] = {}
        self.lasts_ms, self.again_ms = LEASE_MS, RENEW_MS
        self.server = 0
        """The number of this server in the database; 0 before it is registered."""

    def register(self, addresses: Sequence[str] = (), *, shares: bool = False) -> None:
        """Become a server of this hall, under a number of its own. `shares`: beside others, each with its tables."""
        question = "INSERT INTO servers (addresses, shares) VALUES (%s, %s) RETURNING number"
        before, self._addresses = self.server, tuple(addresses)
        self.server = int(self._ask(question, list(addresses), shares)[0][0])
        self._show_life()
        if before:
            self._ask("SELECT pg_advisory_unlock_shared(%s, %s)", LOCK, before)

    def tell_addresses(self, addresses: Sequence[str]) -> None:
        """Say at which addresses browsers reach this server: `https://10.0.0.2:8443`."""
        self._addresses = tuple(addresses)
        self._ask("UPDATE servers SET addresses = %s WHERE number = %s", list(addresses), self.server)
        self.notify()

    def notify(self) -> None:
        """Let the other servers look at what has changed."""
        self._ask(f"NOTIFY {CHANNEL}")

    def share_hall(self) -> Settled:
        """Become one of the servers that share this hall, and lead all tables that nobody leads.

        LED: another server leads the hall alone.
        """
        with self._settling():
            seen = self.servers_seen()
            entry = self._may_lead(seen, [one.number for one in seen.servers if one.number == seen.alone])
            if entry is Settled.LEADS:
                self.register(shares=True)
                question = (
                    "UPDATE leases SET server = %s, fence = fence + 1, wanted = NULL "
                    f'WHERE {_ENDED.format("leases")} AND fence < {LAST_FENCE} RETURNING "table", fence'
                )
                self._fences = dict(self._ask(question, self.server))
            return entry

    def come_back(self) -> Settled:
        """Share the hall again under another number, without a table, after others declared this server ended.

        LED: another server leads the hall alone by now.
        """
        with self._settling():
            seen = self.servers_seen()
            if not seen.alone:
                self._fences.clear()
                self.register(self._addresses, shares=True)
                return Settled.LEADS
            return Settled.LED if any(one.number == seen.alone for one in seen.servers) else self._may_lead(seen, [])

    def end_the_dead(self) -> bool:
        """Declare ended who was silent for too long, and say whether none of them has said meanwhile that it lives.

        Nobody of them can come back as if nothing had been: it has to come back under another number.
        """
        with self._asking:
            dead = self.servers_seen().dead
            marks = [self._watch.mark_of(number) for number in dead]
            return len(self._ask(_END, list(dead), marks)) == len(dead)

    def lead_hall(self, addresses: Sequence[str] = ()) -> Settled:
        """Become the one server that leads all tables of the hall. LED: another server leads it, or a part of it.

        The number of every lease rises, also of a table that has no event yet, so that no earlier server can write.
        """
        with self._settling():
            seen = self.servers_seen()
            entry = self._may_lead(seen, [one.number for one in seen.servers])
            if entry is Settled.LEADS:
                self.register(addresses)
                raised = (
                    "UPDATE leases SET server = %s, fence = fence + 1, wanted = NULL "
                    f'WHERE fence < {LAST_FENCE} RETURNING "table", fence'
                )
                self._fences = dict(self._ask(raised, self.server))
            return entry

    @contextmanager
    def _settling(self) -> Iterator[None]:
        """Let no other server settle at the same time who leads the hall."""
        with self._asking:
            self._ask(f"SELECT pg_advisory_lock({LOCK})")
            try:
                yield
            finally:
                self._ask(f"SELECT pg_advisory_unlock({LOCK})")

    def _may_lead(self, seen: ServersSeen, leading: Sequence[int]) -> Settled:
        """Say whether this server may lead what others led: none of `leading` lives, and all that are silent ended."""
        if leading:
            return Settled.LED
        return Settled.LEADS if not seen.silent and self.end_the_dead() else Settled.UNKNOWN

    def renew(self) -> frozenset[str] | None:
        """Renew the lease of all tables, and return those that this server still leads.

        None: another server saw this one silent for too long, and declared it ended.
        """
        question = "UPDATE servers SET renewed = clock_timestamp() WHERE number = %s AND NOT ended RETURNING number"
        if not self._ask(question, self.server):
            self._fences.clear()
            return None
        before = dict(self._fences)  # what the writing thread takes from now on need not be in the answer
        rows = self._ask('SELECT "table", fence FROM leases WHERE server = %s', self.server)
        held = frozenset(table for table, fence in rows if before.get(table) == fence)
        self.forget(before.keys() - held)
        return held

    def take(self, table: str) -> bool:
        """Take a table that is new, or whose server has ended, and say whether this server leads it."""
        rows = self._ask(_TAKE, table, self.server, self.server)
        if rows:
            self._fences[table] = int(rows[0][0])
        return bool(rows)

    def hand_over(self, table: str, server: int) -> bool:
        """Let another server lead a table, at once, and say whether it does; this one can write nothing of it then.

        False: that server has ended, or this one does not lead the table.
        """
        moved = self._ask(
            "UPDATE leases SET server = %s, fence = fence + 1, wanted = NULL "
            'WHERE "table" = %s AND server = %s '
            f"AND fence < {LAST_FENCE} AND {_STANDS} RETURNING fence",
            *(server, table, self.server, server),
        )
        if moved:
            self.forget({table})
            self.notify()
        return bool(moved)

    def want(self, tables: Sequence[str], server: int) -> int:
        """Ask that a server that has not ended shall lead these tables; return how many another one leads now."""
        asked = self._ask(
            f'UPDATE leases SET wanted = %s WHERE "table" = ANY (%s) AND server <> %s AND {_STANDS} RETURNING 1',
            *(server, list(tables), server, server),
        )
        if asked:
            self.notify()
        return len(asked)

    def want_no_more(self, table: str) -> None:
        """Forget that another server shall lead a table of this one."""
        self._ask('UPDATE leases SET wanted = NULL WHERE "table" = %s AND server = %s', table, self.server)

    def adopt(self, table: str) -> bool:
        """Know the lease of a table that was handed over to this server, and say whether it was."""
        question = 'SELECT fence FROM leases WHERE "table" = %s AND server = %s'
        rows = self._ask(question, table, self.server)
        if rows:
            self._fences[table] = int(rows[0][0])
        return bool(rows)

    def servers_seen(self) -> ServersSeen:
        """Return the servers and who leads what, as they stand at one moment: one question to the database."""
        question = (
            f"SELECT s.number, {_ADDRESSES}, s.shares, s.ended, {_MARK}, {_CONNECTED}, {_RECENT}, {_TODAY}, "
            'ARRAY(SELECT l."table" FROM leases l WHERE l.server = s.number ORDER BY l."table"), '
            'ARRAY(SELECT l.wanted FROM leases l WHERE l.server = s.number ORDER BY l."table") '
            f"FROM servers s WHERE {_TODAY} OR NOT s.ended "
            "OR EXISTS (SELECT 1 FROM leases l WHERE l.server = s.number) ORDER BY s.number"
        )
        led: list[Led] = []
        servers: list[Neighbour] = []
        silent: list[int] = []
        dead: list[int] = []
        addresses: set[str] = set()
        alone = 0
        with self._asking:
            asked = self._now_ms()
            rows = self._ask(question)
            signs = (Sign(row[0], *row[4:7]) for row in rows if not row[3])
            self._watch.look(asked, self._now_ms(), signs)
            for number, at, shares, ended, _, _, _, today, tables, wanted in rows:
                alive, is_dead = self._watch.is_alive(number), self._watch.is_dead(number) and number != self.server
                led += [
                    Led(table, number, alive, tuple(at), to, ended or is_dead)
                    for table, to in zip(tables, wanted, strict=True)
                ]
                if alive:
                    servers.append(Neighbour(number, tuple(at), len(tables)))
                elif is_dead:
                    dead.append(number)
                elif not ended and number != self.server:
                    silent.append(number)
                if not (ended or is_dead or shares):
                    alone = number
                if today:
                    addresses.update(at)
            due = self._watch.due_ms()
        led.sort(key=lambda one: one.table)
        return ServersSeen(tuple(led), tuple(servers), tuple(sorted(addresses)), tuple(silent), tuple(dead), alone, due)

    def neighbours(self) -> tuple[Neighbour, ...]:
        """Return the servers that are alive, this one too, by number."""
        return self.servers_seen().servers

    def common_ms(self) -> int:
        """Return the time on the database's clock, in ms since 1970-01-01 UTC."""
        return int(self._ask("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")[0][0])

    def leaders(self) -> tuple[Led, ...]:
        """Return who leads each table, by table."""
        return self.servers_seen().led

    def end(self) -> None:
        """Give all tables up; another server may take them at once."""
        self._fences.clear()
        if self.server:
            self._ask("UPDATE servers SET ended = true WHERE number = %s", self.server)

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._sockets.drop(connection)

    def _show_life(self) -> None:
        """Hold a lock that the database frees when this process ends."""
        if self._connection is not None and self.server:
            self._connection.execute("SELECT pg_advisory_lock_shared(%s, %s)", (LOCK, self.server))

    def leads(self, table: str) -> bool:
        """Say whether this server leads a table, as far as it knows."""
        return table in self._fences

    # for the writing thread

    def fence_of(self, table: str) -> int:
        """Return the number that every row of this table carries. Raises LedElsewhere."""
        fence = self._fences.get(table)
        if fence is None:
            raise LedElsewhere(NOT_LED)
        return fence

    def take_new(self, connection: Connection, tables: Iterable[str]) -> None:
        """Take tables that nobody has led yet, unless another server leads the hall by now."""
        unknown = sorted({table for table in tables if table and table not in self._fences})
        if unknown:
            taken = connection.execute(_TAKE_NEW, (self.server, unknown, self.server)).fetchall()
            self._fences |= dict(taken)

    def forget(self, tables: Iterable[str]) -> None:
        """Know that this server does not lead these tables any more."""
        for table in tables:
            self._fences.pop(table, None)

    def _ask(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with self._asking:
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = self._database.connect()
                    self._sockets.add(self._connection)
                    self._show_life()
                with self._sockets.within(ANSWER_S):
                    cursor = self._connection.execute(question.encode(), values)
                    return cursor.fetchall() if cursor.description is not None else []
            except psycopg.Error as wrong:
                self._watch.break_off()
                self.close()
                raise JournalFailed(Phrase("record.unread", why=in_short(wrong))) from wrong
