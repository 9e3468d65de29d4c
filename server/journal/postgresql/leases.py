"""A lease says which server leads a table: a row in the database, and a number that rises when another takes it.

A server is alive while it renews its row once a second; its connection holds a lock as long as its process lives. Only
the clock of the database counts, so that the clocks of the laptops need not agree.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import psycopg

from server.journal.failure import JournalFailed, LedElsewhere
from server.journal.postgresql.database import Database, Sockets, in_short
from speech.complaint import Phrase

LEASE_MS = 3_000
"""A server that was silent for so long has lost its tables to any other that wants them."""
GONE_MS = 1_500
"""One whose connection is gone too, as when its process was killed, has lost them after this time."""
RENEW_MS = 1_000
ANSWER_S = 2.0
"""Seconds after which a question about leases is given up."""
LOCK = 0x416E6E61
"""The advisory lock under which servers settle who leads the hall."""

Connection = psycopg.Connection[tuple[Any, ...]]

_CONNECTED = (
    f"EXISTS (SELECT 1 FROM pg_locks k WHERE k.locktype = 'advisory' AND k.classid = {LOCK}::oid "
    "AND k.objid = s.number::oid AND k.objsubid = 2 AND k.granted)"
)
_ALIVE = (
    f"NOT s.ended AND s.renewed > clock_timestamp() - interval '{LEASE_MS} milliseconds' "
    f"AND ({_CONNECTED} OR s.renewed > clock_timestamp() - interval '{GONE_MS} milliseconds')"
)
_TODAY = "s.renewed > clock_timestamp() - interval '1 day'"
_TAKE_NEW = (
    'INSERT INTO leases ("table", server, fence) SELECT new, %s, 1 FROM unnest(%s::text[]) AS new '
    "WHERE EXISTS (SELECT 1 FROM servers WHERE number = %s AND NOT ended FOR SHARE) "
    'ON CONFLICT DO NOTHING RETURNING "table", fence'
)
_TAKE = f"""
INSERT INTO leases AS l ("table", server, fence) VALUES (%s, %s, 1)
ON CONFLICT ("table") DO UPDATE SET server = EXCLUDED.server, fence = l.fence + 1, wanted = NULL
WHERE l.server = EXCLUDED.server OR NOT EXISTS (SELECT 1 FROM servers s WHERE s.number = l.server AND {_ALIVE})
RETURNING fence
"""


CHANNEL = "anna_eins_hall"
"""On this channel of the database servers tell one another that there is something to look at; it says no more."""


class Led(msgspec.Struct, frozen=True):
    """This is who leads a table now, and who shall lead it next (None: nobody else)."""

    table: str
    server: int
    alive: bool
    addresses: tuple[str, ...]
    wanted: int | None = None


class Neighbour(msgspec.Struct, frozen=True):
    """This is a server of the hall that is alive, with its addresses and the number of tables that it leads."""

    number: int
    addresses: tuple[str, ...]
    tables: int


class Seen(msgspec.Struct, frozen=True):
    """This is what a look at the servers of a hall shows.

    `led`: by table. `servers`: those that are alive, by number. `addresses`: of all that were alive within a day.
    """

    led: tuple[Led, ...]
    servers: tuple[Neighbour, ...]
    addresses: tuple[str, ...]


class Leases:
    """These are the leases of one server, from `register` to `end`; every method blocks, and one waits for another.

    `fence_of`, `take_new` and `forget` belong to the writing thread. Methods raise JournalFailed where the database
    does not answer.
    """

    def __init__(self, database: Database) -> None:
        """Take a database that `check` has seen."""
        self._database = database
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
        self.server = int(self._asked(question, list(addresses), shares)[0][0])
        self._show_life()

    def tell_addresses(self, addresses: Sequence[str]) -> None:
        """Say at which addresses browsers reach this server: `https://10.0.0.2:8443`."""
        self._asked("UPDATE servers SET addresses = %s WHERE number = %s", list(addresses), self.server)
        self.notify()

    def notify(self) -> None:
        """Let the other servers look at what has changed."""
        self._asked(f"NOTIFY {CHANNEL}")

    def share_hall(self) -> bool:
        """Become one of the servers that share this hall, and lead all tables that nobody leads.

        False: another server leads the hall alone.
        """
        self._asked(f"SELECT pg_advisory_lock({LOCK})")
        try:
            if self._asked(f"SELECT 1 FROM servers s WHERE {_ALIVE} AND NOT shares LIMIT 1"):
                return False
            self.end_the_dead()
            self.register(shares=True)
            question = (
                "UPDATE leases SET server = %s, fence = fence + 1, wanted = NULL "
                f"WHERE NOT EXISTS (SELECT 1 FROM servers s WHERE s.number = leases.server AND {_ALIVE}) "
                'RETURNING "table", fence'
            )
            self._fences = dict(self._asked(question, self.server))
            return True
        finally:
            self._asked(f"SELECT pg_advisory_unlock({LOCK})")

    def end_the_dead(self) -> None:
        """Declare ended who was silent for too long: none of them can come back as if nothing had been."""
        self._asked(f"UPDATE servers AS s SET ended = true WHERE NOT ended AND NOT ({_ALIVE})")

    def lead_hall(self, addresses: Sequence[str] = ()) -> bool:
        """Become the one server that leads all tables of the hall, and say whether no other did.

        The number of every lease rises, also of a table that has no event yet, so that no earlier server can write.
        """
        self._asked(f"SELECT pg_advisory_lock({LOCK})")
        try:
            if self.others():
                return False
            # Who was silent for too long must not come back as if nothing had been.
            self._asked("UPDATE servers SET ended = true WHERE NOT ended")
            self.register(addresses)
            raised = 'UPDATE leases SET server = %s, fence = fence + 1, wanted = NULL RETURNING "table", fence'
            self._fences = dict(self._asked(raised, self.server))
            return True
        finally:
            self._asked(f"SELECT pg_advisory_unlock({LOCK})")

    def renew(self) -> frozenset[str] | None:
        """Renew the lease of all tables, and return those that this server still leads.

        None: another server has declared this one dead, and leads the hall.
        """
        question = "UPDATE servers SET renewed = clock_timestamp() WHERE number = %s AND NOT ended RETURNING number"
        if not self._asked(question, self.server):
            self._fences.clear()
            return None
        before = dict(self._fences)  # what the writing thread takes from now on need not be in the answer
        rows = self._asked('SELECT "table", fence FROM leases WHERE server = %s', self.server)
        held = frozenset(table for table, fence in rows if before.get(table) == fence)
        self.forget(before.keys() - held)
        return held

    def take(self, table: str) -> bool:
        """Take a table that is new, or whose server ended or fell silent, and say whether this server leads it."""
        rows = self._asked(_TAKE, table, self.server)
        if rows:
            self._fences[table] = int(rows[0][0])
        return bool(rows)

    def hand_over(self, table: str, server: int) -> bool:
        """Let another server lead a table, at once, and say whether it does; this one can write nothing of it then.

        False: that server is not alive, or this one does not lead the table.
        """
        moved = self._asked(
            "UPDATE leases SET server = %s, fence = fence + 1, wanted = NULL "
            'WHERE "table" = %s AND server = %s '
            f"AND EXISTS (SELECT 1 FROM servers s WHERE s.number = %s AND {_ALIVE}) RETURNING fence",
            *(server, table, self.server, server),
        )
        if moved:
            self.forget({table})
            self.notify()
        return bool(moved)

    def want(self, tables: Sequence[str], server: int) -> int:
        """Ask that a server that is alive shall lead these tables, and return how many another one leads now."""
        asked = self._asked(
            'UPDATE leases SET wanted = %s WHERE "table" = ANY (%s) AND server <> %s '
            f"AND EXISTS (SELECT 1 FROM servers s WHERE s.number = %s AND {_ALIVE}) RETURNING 1",
            *(server, list(tables), server, server),
        )
        if asked:
            self.notify()
        return len(asked)

    def want_no_more(self, table: str) -> None:
        """Forget that another server shall lead a table of this one."""
        self._asked('UPDATE leases SET wanted = NULL WHERE "table" = %s AND server = %s', table, self.server)

    def adopt(self, table: str) -> bool:
        """Know the lease of a table that was handed over to this server, and say whether it was."""
        question = 'SELECT fence FROM leases WHERE "table" = %s AND server = %s'
        rows = self._asked(question, table, self.server)
        if rows:
            self._fences[table] = int(rows[0][0])
        return bool(rows)

    def seen(self) -> Seen:
        """Return the servers and who leads what, as they stand at one moment: one question to the database."""
        question = (
            f"SELECT s.number, s.addresses, {_ALIVE}, {_TODAY}, "
            'ARRAY(SELECT l."table" FROM leases l WHERE l.server = s.number ORDER BY l."table"), '
            'ARRAY(SELECT l.wanted FROM leases l WHERE l.server = s.number ORDER BY l."table") '
            f"FROM servers s WHERE {_TODAY} OR EXISTS (SELECT 1 FROM leases l WHERE l.server = s.number) "
            "ORDER BY s.number"
        )
        led: list[Led] = []
        servers: list[Neighbour] = []
        addresses: set[str] = set()
        for number, at, alive, today, tables, wanted in self._asked(question):
            led += [Led(table, number, alive, tuple(at), to) for table, to in zip(tables, wanted, strict=True)]
            if alive:
                servers.append(Neighbour(number, tuple(at), len(tables)))
            if today:
                addresses.update(at)
        return Seen(tuple(sorted(led, key=lambda one: one.table)), tuple(servers), tuple(sorted(addresses)))

    def neighbours(self) -> tuple[Neighbour, ...]:
        """Return the servers that are alive, this one too, by number."""
        return self.seen().servers

    def common_ms(self) -> int:
        """Return what the clock of the database says, in ms since 1970-01-01 UTC."""
        return int(self._asked("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")[0][0])

    def led(self) -> tuple[Led, ...]:
        """Return who leads each table, by table."""
        return self.seen().led

    def others(self) -> dict[int, tuple[str, ...]]:
        """Return the other servers that are alive, with their addresses."""
        question = f"SELECT s.number, s.addresses FROM servers s WHERE {_ALIVE} AND s.number <> %s ORDER BY 1"
        return {row[0]: tuple(row[1]) for row in self._asked(question, self.server)}

    def end(self) -> None:
        """Give all tables up; another server may take them at once."""
        self._fences.clear()
        if self.server:
            self._asked("UPDATE servers SET ended = true WHERE number = %s", self.server)

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
            raise LedElsewhere("Another server leads this table by now; nothing was acknowledged.")
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

    def _asked(self, question: str, *values: object) -> list[tuple[Any, ...]]:
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
                self.close()
                raise JournalFailed(Phrase("record.unread", why=in_short(wrong))) from wrong
