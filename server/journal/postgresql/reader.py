"""Reading the record on PostgreSQL, beside the server that writes it or without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

import psycopg

from server.journal.chain import Chain, chain_after, digest, outcome_in
from server.journal.entry import Entry, Outcome, Run, Witness, carried_out
from server.journal.failure import JournalFailed
from server.journal.postgresql.database import Database, Sockets, failing
from server.journal.postgresql.schema import check_database
from server.journal.store import RowPlace

_EVENT = '"table", seq, run, command, station, seat, origin, mono_ms, wall_ms, version, kind, body'
_OUTCOME = 'command, "table", station, body, digest'
SELECT_EVENTS = f'SELECT {_EVENT} FROM events WHERE "table" = %s AND seq > %s ORDER BY seq'
SELECT_OUTCOME = f"SELECT {_OUTCOME} FROM outcomes WHERE command = %s"
_RUN = "run, started_mono_ms, started_wall_ms, program_version, digest"
_WITNESS = "run, mono_ms, wall_ms, digest"

_ROWS: tuple[tuple[type[Outcome | Witness | Run], str, str, str, int | str, str], ...] = (
    (Run, _RUN, "runs", "number", 0, "run {} was changed"),
    (Outcome, _OUTCOME, "outcomes", "command", "", "the answer to command {} was changed"),
    (Witness, _WITNESS, "witnesses", "number", 0, "a witness of run {} was changed"),
)
"""The kinds of rows in no chain: their columns, table, key and what every key comes after, and what is said of one."""
ROWS_AT_ONCE = 5_000


class PostgresReader:
    """One connection that only reads; a broken one is opened anew at the next question.

    It blocks, so in a server it belongs in a thread; two threads must not use it at once. Every method raises
    JournalFailed where the database does not answer.
    """

    def __init__(self, database: Database, sockets: Sockets | None = None) -> None:
        """Use `PostgresReader.open` in commands; here the database was already checked."""
        self._database = database
        self._sockets = sockets or Sockets()
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None

    @classmethod
    def open(cls, database: Database) -> Self:
        """Open a record to read it; servers may be writing it at the same time. Raises Complaint."""
        check_database(database, reading=True)
        return cls(database)

    def read(self, table: str, after_seq: int = 0) -> list[Entry]:
        """Return the events of a table after `after_seq`, in order."""
        return [Entry(*row) for row in self._ask(SELECT_EVENTS, table, after_seq)]

    def record(self, table: str) -> tuple[list[Entry], Chain]:
        """Return the whole record of a table, and what its chain says about it."""
        rows = self._ask(f'SELECT {_EVENT}, link FROM events WHERE "table" = %s ORDER BY seq', table)
        entries = [Entry(*row[:-1]) for row in rows]
        return entries, chain_after(entries, [row[-1] for row in rows])

    def changed_rows(self, place: RowPlace) -> tuple[list[str], RowPlace | None]:
        """Return the changes among some rows that are in no chain, a sentence each, and the place of the next ones."""
        part, after = place
        kind, columns, table, key, first, said = _ROWS[part]
        question = f"SELECT {key}, {columns} FROM {table} WHERE {key} > %s ORDER BY {key} LIMIT {ROWS_AT_ONCE}"
        rows = self._ask(question, first if after is None else after)
        changed = [said.format(row[1]) for row in rows if row[-1] not in (None, digest(kind(*row[1:-1])))]
        if len(rows) == ROWS_AT_ONCE:
            return changed, (part, rows[-1][0])
        return changed, (part + 1, None) if part + 1 < len(_ROWS) else None

    def tables(self) -> list[str]:
        """Return the tables that have events, in alphabetical order."""
        return [row[0] for row in self._ask('SELECT DISTINCT "table" COLLATE "C" FROM events ORDER BY 1')]

    def latest_tables(self) -> list[str]:
        """Return the tables that have events, the one with the newest event first."""
        question = (
            'SELECT t FROM (SELECT DISTINCT "table" AS t FROM events) AS named ORDER BY '
            '(SELECT wall_ms FROM events WHERE "table" = t ORDER BY seq DESC LIMIT 1) DESC, t COLLATE "C"'
        )
        return [row[0] for row in self._ask(question)]

    def tables_without_events(self) -> list[str]:
        """Return the tables at which commands were carried out, although no event of them is there."""
        question = 'SELECT "table", body FROM outcomes WHERE "table" NOT IN (SELECT DISTINCT "table" FROM events)'
        return sorted({table for table, body in self._ask(question) if carried_out(body)})

    def last_seq(self, table: str) -> int:
        """Return the seq of a table's last event; 0 for a table that has none."""
        return int(self._ask('SELECT coalesce(max(seq), 0) FROM events WHERE "table" = %s', table)[0][0])

    def last_link(self, table: str) -> tuple[int, str]:
        """Return the seq of a table's last event and its link, 64 hex digits; (0, "") where no link was kept."""
        rows = self._ask('SELECT seq, link FROM events WHERE "table" = %s ORDER BY seq DESC LIMIT 1', table)
        return (0, "") if not rows or rows[0][1] is None else (int(rows[0][0]), bytes(rows[0][1]).hex())

    def outcome_of(self, command: str) -> Outcome | None:
        """Return the answer a command got; None when it has none."""
        rows = self._ask(SELECT_OUTCOME, command)
        return outcome_in(rows[0], "in the database") if rows else None

    def outcomes(self) -> list[Outcome]:
        """Return every answer, by the id of its command."""
        return [Outcome(*row[:-1]) for row in self._ask(f"SELECT {_OUTCOME} FROM outcomes ORDER BY command")]

    def witnesses(self) -> list[Witness]:
        """Return every witness in the order they were written."""
        return [Witness(*row[:-1]) for row in self._ask(f"SELECT {_WITNESS} FROM witnesses ORDER BY number")]

    def runs(self) -> list[Run]:
        """Return every run in the order they began."""
        return [Run(*row[:-1]) for row in self._ask(f"SELECT {_RUN} FROM runs ORDER BY number")]

    def last_witness(self, run: str) -> Witness | None:
        """Return the last moment at which this run was known to be alive."""
        question = f"SELECT {_WITNESS} FROM witnesses WHERE run = %s ORDER BY number DESC LIMIT 100"
        for *row, kept in self._ask(question, run):
            witness = Witness(*row)
            if kept in (None, digest(witness)):  # the clocks must not stand at a time that was changed
                return witness
        return None

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._sockets.drop(connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _ask(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows; where a connection broke since the last question, it is asked again on a new one."""
        with failing():
            if self._connection is not None:
                try:
                    return self._on(self._connection, question, values)
                except JournalFailed:
                    raise
                except psycopg.OperationalError:
                    self.close()
            self._connection = self._database.connect(read_only=True)
            self._sockets.add(self._connection)
            with self._closed_when_broken():
                return self._on(self._connection, question, values)

    @contextmanager
    def _closed_when_broken(self) -> Iterator[None]:
        try:
            yield
        except psycopg.OperationalError:
            self.close()
            raise

    @staticmethod
    def _on(
        connection: psycopg.Connection[tuple[Any, ...]], question: str, values: tuple[object, ...]
    ) -> list[tuple[Any, ...]]:
        return connection.execute(question.encode(), values).fetchall()
