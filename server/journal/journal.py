"""This module is the journal: append-only events of all tables in one SQLite file.

Events are durable before they are acknowledged.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar

import msgspec

from server.journal.chain import Chain, digest, last_link, link
from server.journal.entry import Entry, Outcome, Run, Witness
from server.journal.failure import CommandRepeated, JournalFailed, JournalRefused
from server.journal.reader import SELECT_EVENTS, SELECT_OUTCOME, JournalReader, outcome_in
from server.journal.reserve import Reserve
from server.journal.schema import Connect, connect_reader, connect_writer, prepare
from server.journal.writer import Job, Work, Writer

LONGEST_QUEUE = 4_096
"""Entries that may wait for the disk; with more, a caller waits before its entry is queued."""

READERS = 2
"""Threads that read, so that a long replay does not hold up the look-up of an outcome."""

T = TypeVar("T")

_INSERT_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_OUTCOME = "INSERT INTO outcomes VALUES (?, ?, ?, ?, ?)"
_INSERT_WITNESS = "INSERT INTO witnesses SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM witnesses"
_INSERT_RUN = "INSERT INTO runs VALUES (?, ?, ?, ?, ?)"
_SELECT_LINK = 'SELECT link FROM events WHERE "table" = ? AND seq = ?'


class Journal:
    """A `Journal` takes entries and gives them back; the event loop never touches SQLite.

    >>> journal = Journal.open(Path("DATA/journal.sqlite"))     # before the loop, or in a thread
    >>> await journal.begin_run(Run("r1", 0, wall_ms, "0.1.0"))
    >>> await journal.append([entry], outcome)               # on disk when this returns
    """

    def __init__(self, path: Path, connect: Connect = connect_writer, reserve: Reserve | None = None) -> None:
        """Use `Journal.open`; the file was already seen by `prepare`."""
        self.path = path
        self._writer = Writer(path, connect, reserve)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="journal-reader")
        self._reading = threading.local()
        self._opened: list[JournalReader] = []
        self._room = asyncio.Semaphore(LONGEST_QUEUE)
        self._closed = False

    @classmethod
    def open(cls, path: Path, connect: Connect = connect_writer, reserve: Reserve | None = None) -> Self:
        """Make or check the file and start the writer.

        This blocks for some ms: call it before the loop or in a thread. `reserve`: space that is given to the record
        when the disk is full.

        Raises:
            Complaint: the file cannot be opened, is damaged, of a newer program, or no journal.
        """
        prepare(path, connect)
        return cls(path, connect, reserve)

    @property
    def commits(self) -> int:
        """Return how many transactions were committed since the journal was opened."""
        return self._writer.commits

    async def append(self, entries: Sequence[Entry], outcome: Outcome | None = None) -> None:
        """Write the events of one command, and its outcome, in one transaction; return once they are on disk.

        If the caller is cancelled while waiting, the entry may or may not be written: ask `outcome_of`.

        Raises:
            JournalFailed: the disk failed or the journal is closed; nothing of this call is recorded.
            JournalRefused: a seq is not the next of its table, the run is unknown, or the events are of two commands.
            CommandRepeated: the command has an outcome already (it is in the exception).
        """
        commands = {entry.command for entry in entries}
        if outcome is not None:
            commands.add(outcome.command)
        if len(commands) > 1:
            raise JournalRefused("One append holds the events of one command, and no others.")

        def work(connection: sqlite3.Connection) -> None:
            if outcome is not None:
                answered = connection.execute(SELECT_OUTCOME, (outcome.command,)).fetchone()
                if answered is not None:
                    raise CommandRepeated(outcome_in(answered))
            _add(connection, entries)
            if outcome is not None:
                connection.execute(_INSERT_OUTCOME, _with_digest(outcome))

        if entries or outcome is not None:
            await self._write(work)

    async def adopt(self, runs: Sequence[Run], entries: Sequence[Entry], witness: Witness | None) -> None:
        """Add the record of a table from elsewhere, with the runs that wrote it: all of it, or nothing.

        Raises JournalFailed, or JournalRefused where the table has events here, a run is known, or events are missing.
        """

        def work(connection: sqlite3.Connection) -> None:
            connection.executemany(_INSERT_RUN, [_with_digest(run) for run in runs])
            _add(connection, entries)
            if witness is not None:
                connection.execute(_INSERT_WITNESS, _with_digest(witness))

        await self._write(work)

    async def begin_run(self, run: Run) -> None:
        """Record a run before its first event.

        Raises JournalFailed, or JournalRefused for a run known already.
        """
        await self._write(lambda connection: _execute(connection, _INSERT_RUN, _with_digest(run)))

    async def witness(self, run: str, mono_ms: int, wall_ms: int) -> None:
        """Record that the program is alive, once a second for all tables together.

        Raises JournalFailed.
        """
        row = _with_digest(Witness(run, mono_ms, wall_ms))
        await self._write(lambda connection: _execute(connection, _INSERT_WITNESS, row))

    async def outcome_of(self, command: str) -> Outcome | None:
        """Return the answer a command got, in this run or an earlier one; None when it has none.

        Raises JournalFailed.
        """
        return await self._read(lambda reader: reader.outcome_of(command))

    async def read(self, table: str, after_seq: int = 0) -> list[Entry]:
        """Return the events of a table after `after_seq`, in order. Raises JournalFailed."""
        return await self._read(lambda reader: reader.read(table, after_seq))

    async def record(self, table: str) -> tuple[list[Entry], Chain]:
        """Return the whole record of a table, and what its chain says about it. Raises JournalFailed."""
        return await self._read(lambda reader: reader.record(table))

    async def changed_rows(self) -> list[str]:
        """Return what was changed of the rows that are in no chain, a sentence each. Raises JournalFailed."""
        return await self._read(lambda reader: reader.changed_rows())

    async def last_seq(self, table: str) -> int:
        """Return the seq of a table's last event; 0 for a table that has none. Raises JournalFailed."""
        return await self._read(lambda reader: reader.last_seq(table))

    async def tables(self) -> list[str]:
        """Return the tables that have events, in alphabetical order. Raises JournalFailed."""
        return await self._read(lambda reader: reader.tables())

    async def tables_without_events(self) -> list[str]:
        """Return the tables at which commands were carried out, although the record has no event of them.

        Raises JournalFailed.
        """
        return await self._read(lambda reader: reader.tables_without_events())

    async def runs(self) -> list[Run]:
        """Return every run in the order they began. Raises JournalFailed."""
        return await self._read(lambda reader: reader.runs())

    async def last_witness(self, run: str) -> Witness | None:
        """Return the last moment at which this run was known to be alive. Raises JournalFailed."""
        return await self._read(lambda reader: reader.last_witness(run))

    async def close(self) -> None:
        """Write all that is queued, then close; later calls raise JournalFailed.

        The journal may be closed twice.
        """
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._finish)

    def _finish(self) -> None:
        # Readers first: the last connection to close folds the write-ahead file in, and only the writer may write.
        self._readers.shutdown()
        for reader in self._opened:
            reader.close()
        self._writer.finish()

    async def _write(self, work: Work) -> None:
        if self._closed:
            raise JournalFailed("The journal is closed; nothing was acknowledged.")
        async with self._room:
            if self._closed:
                raise JournalFailed("The journal is closed; nothing was acknowledged.")
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._writer.submit(Job(work, future))
            await future

    async def _read(self, ask: Callable[[JournalReader], T]) -> T:
        if self._closed:
            raise JournalFailed("The journal is closed.")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._ask, ask)

    def _ask(self, ask: Callable[[JournalReader], T]) -> T:
        reader: JournalReader | None = getattr(self._reading, "reader", None)
        if reader is None:
            try:
                reader = JournalReader(connect_reader(self.path))
            except (sqlite3.Error, UnicodeError) as wrong:
                raise JournalFailed(f"The journal could not be read ({wrong}).") from wrong
            self._reading.reader = reader
            self._opened.append(reader)
        return ask(reader)


def _execute(connection: sqlite3.Connection, statement: str, values: tuple[object, ...]) -> None:
    connection.execute(statement, values)


def _with_digest(row: Outcome | Witness | Run) -> tuple[object, ...]:
    return (*msgspec.structs.astuple(row), digest(row))


def _add(connection: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    """Add events, each with its link."""
    last: dict[str, bytes] = {}
    for entry in entries:
        before = last[entry.table] if entry.table in last else _link_before(connection, entry)
        last[entry.table] = link(before, entry)
        connection.execute(_INSERT_EVENT, (*msgspec.structs.astuple(entry), last[entry.table]))


def _link_before(connection: sqlite3.Connection, entry: Entry) -> bytes:
    kept = connection.execute(_SELECT_LINK, (entry.table, entry.seq - 1)).fetchone()
    if kept is None:
        return b""  # the first event; after any other one the file itself refuses it
    if kept[0] is not None:
        return bytes(kept[0])
    # An older program wrote all that there is: the first link stands for the whole of it.
    return bytes.fromhex(last_link(Entry(*row) for row in connection.execute(SELECT_EVENTS, (entry.table, 0))))
