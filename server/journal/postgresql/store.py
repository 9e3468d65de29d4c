"""PostgreSQL as the store of the journal: a group of changes goes over the line at once, as one transaction.

Every event and every answer carries the number of this server's lease of its table (its fence). The database refuses
what carries an older one, so a server that slept while another took its tables over can write nothing any more.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Self

import psycopg

from server.journal.chain import last_link, link, outcome_in
from server.journal.entry import Entry, Outcome, Run, Witness
from server.journal.failure import CommandRepeated, JournalFailed, JournalInDoubt, JournalRefused, LedElsewhere
from server.journal.postgresql.database import ANSWER_S, Database, Sockets, in_short
from server.journal.postgresql.leases import NOT_LED, Leases
from server.journal.postgresql.reader import SELECT_EVENTS, SELECT_OUTCOME, PostgresReader
from server.journal.postgresql.schema import FENCED, REFUSED, check_database
from server.journal.store import Adopt, Append, Write, row_of, with_digest
from speech.complaint import Complaint, Phrase, told_by

_INSERT_EVENT = f"INSERT INTO events VALUES ({', '.join(['%s'] * 14)})"
_INSERT_OUTCOME = "INSERT INTO outcomes VALUES (%s, %s, %s, %s, %s, %s)"
_INSERT_WITNESS = "INSERT INTO witnesses (run, mono_ms, wall_ms, digest) VALUES (%s, %s, %s, %s)"
_INSERT_RUN = (
    "INSERT INTO runs (run, started_mono_ms, started_wall_ms, program_version, digest) VALUES (%s, %s, %s, %s, %s)"
)
_SELECT_LINK = 'SELECT link FROM events WHERE "table" = %s AND seq = %s'

_REFUSALS = (
    psycopg.IntegrityError,
    psycopg.DataError,
    psycopg.ProgrammingError,
    OverflowError,
    TypeError,
    ValueError,
)
"""Errors that are the caller's fault, not the database's."""

_log = logging.getLogger(__name__)

Connection = psycopg.Connection[tuple[Any, ...]]


class PostgresStore:
    """Writer of the record in one database, over one connection that it opens anew after a break."""

    answers_within_s: float | None = ANSWER_S

    def __init__(self, database: Database, leases: Leases) -> None:
        """Take a database that `check_database` has seen, and the leases of this server."""
        self._database = database
        self.leases = leases
        self._sockets = Sockets()
        self._connection: Connection | None = None
        self._last: dict[str, tuple[int, bytes]] = {}
        """Last event of each table that this server wrote, and its link."""

    @classmethod
    def open(cls, database: Database, addresses: Sequence[str] = ()) -> Self:
        """Check the database, and become a server of its hall, at these addresses; it leads no table yet.

        This blocks for some ms. Raises Complaint.
        """
        check_database(database)
        leases = Leases(database)
        try:
            leases.register(addresses)
        except JournalFailed as wrong:
            raise Complaint(Phrase("record.unopened", record=database.shown, why=told_by(wrong))) from wrong
        return cls(database, leases)

    @property
    def where(self) -> str:
        """Return the address, without its password."""
        return self._database.shown

    def write(self, batch: Sequence[Write]) -> list[JournalFailed | None]:
        """Write a group in one transaction: all at once, and where something of it is refused, one by one."""
        connection = self._open_connection()
        try:
            try:
                self._together(connection, batch)
                return [None] * len(batch)
            except Exception as wrong:
                if connection.closed or not _is_refusal(wrong):
                    raise
            self._last.clear()
            return self._one_by_one(connection, batch)
        except Exception as wrong:
            # The number of what was written last is not certain, so the next group asks for it.
            self._last.clear()
            self._drop()
            raise JournalInDoubt(in_short(wrong) if isinstance(wrong, psycopg.Error) else str(wrong)) from wrong

    def rest(self) -> None:
        """Do nothing: PostgreSQL folds its own files."""

    def reader(self) -> PostgresReader:
        """Return a reader, which connects at its first question."""
        return PostgresReader(self._database, self._sockets)

    def break_off(self) -> None:
        """Cut the connections; what waits for them fails, and the next group opens a new one."""
        self._sockets.shut_down()

    def close(self) -> None:
        """Close the writing connection, and give up all tables, so that another server need not wait for them."""
        self._drop()
        try:
            self.leases.end()
        except JournalFailed as wrong:
            _log.warning("The tables could not be given up: %s", wrong)
        self.leases.close()

    def _open_connection(self) -> Connection:
        if self._connection is None or self._connection.closed:
            try:
                self._connection = self._database.connect()
            except psycopg.Error as wrong:
                raise JournalFailed(in_short(wrong)) from wrong
            self._sockets.add(self._connection)
        return self._connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._sockets.drop(connection)

    def _together(self, connection: Connection, batch: Sequence[Write]) -> None:
        """Send all of a group without waiting in between; the answer to an earlier command is found as a refusal."""
        self._prepare(connection, batch)
        last = dict(self._last)
        with connection.pipeline(), connection.transaction():
            for one in batch:
                self._send(connection, one, last)
        self._last = last

    def _one_by_one(self, connection: Connection, batch: Sequence[Write]) -> list[JournalFailed | None]:
        failures: list[JournalFailed | None] = []
        with connection.transaction():
            for one in batch:
                failure: JournalFailed | None = None
                try:
                    with connection.transaction():
                        self._carry_out(connection, one)
                except JournalRefused as wrong:
                    failure = wrong
                except Exception as wrong:
                    if connection.closed or not _is_refusal(wrong):
                        raise
                    failure = self._refusal(wrong, one)
                if failure is not None:
                    self._last.clear()
                failures.append(failure)
        return failures

    def _carry_out(self, connection: Connection, one: Write) -> None:
        if isinstance(one, Append) and one.outcome is not None:
            answered = connection.execute(SELECT_OUTCOME, (one.outcome.command,)).fetchone()
            if answered is not None:
                raise CommandRepeated(outcome_in(answered, "in the database"))
        self._prepare(connection, [one])
        last = dict(self._last)
        self._send(connection, one, last)
        self._last = last

    def _refusal(self, wrong: Exception, one: Write) -> JournalRefused:
        if isinstance(wrong, psycopg.Error) and wrong.sqlstate == FENCED:
            self.leases.forget(_tables_of(one))
            told: JournalRefused = LedElsewhere(NOT_LED)
        else:
            short = in_short(wrong) if isinstance(wrong, psycopg.Error) else str(wrong)
            told = JournalRefused(f"The journal refused what contradicts its record or form: {short}.")
        told.__cause__ = wrong
        return told

    def _prepare(self, connection: Connection, batch: Sequence[Write]) -> None:
        """Have the lease of each new table, and the link before each table's first event."""
        self.leases.take_new(connection, (table for one in batch for table in _tables_of(one)))
        for one in batch:
            if isinstance(one, Append | Adopt):
                for entry in one.entries:
                    if entry.table not in self._last:
                        self._last[entry.table] = (entry.seq - 1, self._link_before(connection, entry))

    def _link_before(self, connection: Connection, entry: Entry) -> bytes:
        if entry.seq <= 1:
            return b""
        kept = connection.execute(_SELECT_LINK, (entry.table, entry.seq - 1)).fetchone()
        if kept is None:
            return b""  # the database itself refuses it
        if kept[0] is not None:
            return bytes(kept[0])
        # An older program wrote all that there is: the first link stands for the whole of it.
        rows = connection.execute(SELECT_EVENTS, (entry.table, 0))
        return bytes.fromhex(last_link(Entry(*row) for row in rows))

    def _send(self, connection: Connection, one: Write, last: dict[str, tuple[int, bytes]]) -> None:
        match one:
            case Append(entries, outcome):
                self._add(connection, entries, last)
                if outcome is not None:
                    fence = self.leases.fence_of(outcome.table)
                    connection.execute(_INSERT_OUTCOME, (*with_digest(outcome), fence))
            case Adopt(runs, entries, witness):
                for run in runs:
                    connection.execute(_INSERT_RUN, with_digest(run))
                self._add(connection, entries, last)
                if witness is not None:
                    connection.execute(_INSERT_WITNESS, with_digest(witness))
            case Run():
                connection.execute(_INSERT_RUN, with_digest(one))
            case Witness():
                connection.execute(_INSERT_WITNESS, with_digest(one))

    def _add(self, connection: Connection, entries: Sequence[Entry], last: dict[str, tuple[int, bytes]]) -> None:
        """Add events, each with its link."""
        for entry in entries:
            seq, before = last.get(entry.table, (0, b""))
            if entry.seq != seq + 1:
                raise ValueError("seq is not the next of its table")
            row = row_of(entry)
            last[entry.table] = (entry.seq, link(before, entry))
            connection.execute(_INSERT_EVENT, (*row, last[entry.table][1], self.leases.fence_of(entry.table)))


def _tables_of(one: Write) -> set[str]:
    if not isinstance(one, Append | Adopt):
        return set()
    outcome: Outcome | None = one.outcome if isinstance(one, Append) else None
    return {entry.table for entry in one.entries} | ({outcome.table} if outcome is not None else set())


def _is_refusal(wrong: Exception) -> bool:
    if isinstance(wrong, psycopg.Error) and wrong.sqlstate in (FENCED, REFUSED):
        return True
    return isinstance(wrong, (JournalRefused, *_REFUSALS))
