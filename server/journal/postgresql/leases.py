"""A lease says which server leads a table: a row in the database, and a number that rises when another takes it.

A server is alive while it renews its row once a second; its connection holds a lock as long as its process lives. Only
the clock of the database counts, so that the clocks of the laptops need not agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import psycopg

from server.journal.failure import JournalFailed, LedElsewhere
from server.journal.postgresql.database import Database, Sockets, in_short

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
_TAKE_NEW = (
    'INSERT INTO leases ("table", server, fence) SELECT new, %s, 1 FROM unnest(%s::text[]) AS new '
    "WHERE EXISTS (SELECT 1 FROM servers WHERE number = %s AND NOT ended FOR SHARE) "
    'ON CONFLICT DO NOTHING RETURNING "table", fence'
)
_TAKE = f"""
INSERT INTO leases AS l ("table", server, fence) VALUES (%s, %s, 1)
ON CONFLICT ("table") DO UPDATE SET server = EXCLUDED.server, fence = l.fence + 1
WHERE l.server = EXCLUDED.server OR NOT EXISTS (SELECT 1 FROM servers s WHERE s.number = l.server AND {_ALIVE})
RETURNING fence
"""


class Led(msgspec.Struct, frozen=True):
    """This is who leads a table now."""

    table: str
    server: int
    alive: bool
    addresses: tuple[str, ...]


class Leases:
    """These are the leases of one server, from `register` to `end`; every method blocks, in one thread at a time.

    `fence_of`, `take_new` and `forget` belong to the writing thread. Methods raise JournalFailed where the database
    does not answer.
    """

    def __init__(self, database: Database) -> None:
        """Take a database that `check` has seen."""
        self._database = database
        self._sockets = Sockets()
        self._connection: Connection | None = None
        self._fences: dict[str, int] = {}
        self.lasts_ms, self.again_ms = LEASE_MS, RENEW_MS
        self.server = 0
        """The number of this server in the database; 0 before it is registered."""

    def register(self, addresses: Sequence[str] = ()) -> None:
        """Become a server of this hall, under a number of its own."""
        question = "INSERT INTO servers (addresses) VALUES (%s) RETURNING number"
        self.server = int(self._asked(question, list(addresses))[0][0])
        self._show_life()

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
            raised = 'UPDATE leases SET server = %s, fence = fence + 1 RETURNING "table", fence'
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

    def hand_over(self, table: str, server: int) -> None:
        """Let another server lead a table, at once; this one can write nothing of it any more."""
        self._asked(
            'UPDATE leases SET server = %s, fence = fence + 1 WHERE "table" = %s AND server = %s',
            server,
            table,
            self.server,
        )
        self.forget({table})

    def led(self) -> list[Led]:
        """Return who leads each table, by table."""
        question = (
            f'SELECT l."table", l.server, {_ALIVE}, s.addresses FROM leases l JOIN servers s ON s.number = l.server '
            'ORDER BY l."table" COLLATE "C"'
        )
        return [Led(row[0], row[1], row[2], tuple(row[3])) for row in self._asked(question)]

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
            raise JournalFailed(f"The record on PostgreSQL does not answer ({in_short(wrong)}).") from wrong
