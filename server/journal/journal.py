"""The journal: append-only events of all tables, in one database.

Events are durable before they are acknowledged.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

from server.journal.chain import Chain
from server.journal.entry import Entry, Outcome, Run, Witness
from server.journal.failure import JournalFailed, JournalInDoubt, JournalRefused, NoAnswer
from server.journal.reserve import Reserve
from server.journal.sqlite.schema import Connect, connect_writer
from server.journal.sqlite.store import SqliteStore
from server.journal.store import FIRST_ROWS, Adopt, Append, RecordReader, RowPlace, Store, Write
from server.journal.writer import Job, Writer
from speech.complaint import Phrase

LONGEST_QUEUE = 4_096
"""Entries that may wait for the disk; with more, a caller waits before its entry is queued."""

READERS = 2
"""Threads that read, so that a long replay does not hold up the look-up of an outcome."""

T = TypeVar("T")


class Journal:
    """Journal of all tables; the event loop never touches its database.

    >>> journal = Journal.open(Path("DATA/journal.sqlite"))     # before the loop, or in a thread
    >>> await journal.begin_run(Run("r1", 0, wall_ms, "0.1.0"))
    >>> await journal.append([entry], outcome)               # on disk when this returns
    """

    def __init__(self, store: Store) -> None:
        """Take a store that is open already; `Journal.open` opens a file."""
        self.where = store.where
        """The name of the database for people: a file, or an address without its password."""
        self._store = store
        self._writer = Writer(store)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="journal-reader")
        self._reading = threading.local()
        self._opened: list[RecordReader] = []
        self._room = asyncio.Semaphore(LONGEST_QUEUE)
        self._closed = False

    @classmethod
    def open(cls, path: Path, connect: Connect = connect_writer, reserve: Reserve | None = None) -> Self:
        """Make or check a file of SQLite and start the writer.

        This blocks for some ms: call it before the loop or in a thread. `reserve`: space that is given to the record
        when the disk is full.

        Raises:
            Complaint: the file cannot be opened, is damaged, of a newer program, or no journal.
        """
        return cls(SqliteStore.open(path, connect, reserve))

    @property
    def commits(self) -> int:
        """Return how many transactions were committed since the journal was opened."""
        return self._writer.commits

    async def append(self, entries: Sequence[Entry], outcome: Outcome | None = None) -> None:
        """Write the events of one command, and its outcome, in one transaction; return once they are on disk.

        If the caller is cancelled while waiting, the entry may or may not be written: ask `outcome_of`.

        Raises:
            JournalFailed: the disk failed or the journal is closed; nothing of this call is recorded.
            JournalInDoubt: the database fell silent meanwhile; `read` tells it once it answers again.
            JournalRefused: a seq is not the next of its table, the run is unknown, or the events are of two commands.
            CommandRepeated: the command has an outcome already (it is in the exception).
        """
        commands = {entry.command for entry in entries}
        if outcome is not None:
            commands.add(outcome.command)
        if len(commands) > 1:
            raise JournalRefused("One append holds the events of one command, and no others.")
        if entries or outcome is not None:
            await self._write(Append(tuple(entries), outcome))

    async def adopt(self, runs: Sequence[Run], entries: Sequence[Entry], witness: Witness | None) -> None:
        """Add the record of a table from elsewhere, with the runs that wrote it: all of it, or nothing.

        Raises JournalFailed, or JournalRefused where the table has events here, a run is known, or events are missing.
        """
        await self._write(Adopt(tuple(runs), tuple(entries), witness))

    async def begin_run(self, run: Run) -> None:
        """Record a run before its first event.

        Raises JournalFailed, or JournalRefused for a run known already.
        """
        await self._write(run)

    async def witness(self, run: str, mono_ms: int, wall_ms: int) -> None:
        """Record that the program is alive, for all tables together.

        Raises JournalFailed.
        """
        await self._write(Witness(run, mono_ms, wall_ms))

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
        """Return the changes to rows that are in no chain, a sentence each. Raises JournalFailed."""
        found: list[str] = []
        place: RowPlace | None = FIRST_ROWS
        while place is not None:  # a record of many rounds is more than a database sends within its time
            changed, place = await self._read(partial(_changed_rows, place))
            found += changed
        return found

    async def last_seq(self, table: str) -> int:
        """Return the seq of a table's last event; 0 for a table that has none. Raises JournalFailed."""
        return await self._read(lambda reader: reader.last_seq(table))

    async def last_link(self, table: str) -> tuple[int, str]:
        """Return the seq of a table's last event and its link; (0, "") where no link was kept. Raises JournalFailed."""
        return await self._read(lambda reader: reader.last_link(table))

    async def tables(self) -> list[str]:
        """Return the tables that have events, in alphabetical order. Raises JournalFailed."""
        return await self._read(lambda reader: reader.tables())

    async def latest_tables(self) -> list[str]:
        """Return the tables that have events, the one with the newest event first. Raises JournalFailed."""
        return await self._read(lambda reader: reader.latest_tables())

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
        await asyncio.to_thread(self.finish)

    def finish(self) -> None:
        """Close it where no event loop runs: what was written ahead is folded in. Blocks."""
        self._closed = True
        # Readers first: the last connection to close folds the write-ahead file in, and only the writer may write.
        self._readers.shutdown()
        for reader in self._opened:
            reader.close()
        self._writer.finish()

    async def _write(self, write: Write) -> None:
        if self._closed:
            raise JournalFailed(Phrase("record.closed"))
        async with self._room:
            if self._closed:
                raise JournalFailed(Phrase("record.closed"))
            job = Job(write, asyncio.get_running_loop().create_future())
            self._writer.submit(job)
            try:
                async with asyncio.timeout(self._store.answers_within_s):
                    await job.future
            except TimeoutError as wrong:
                job.given_up = True
                self._store.break_off()
                raise JournalInDoubt("The database of the record does not answer; nothing was acknowledged.") from wrong

    async def _read(self, ask: Callable[[RecordReader], T]) -> T:
        if self._closed:
            raise JournalFailed(Phrase("record.closed"))
        asking = asyncio.get_running_loop().run_in_executor(self._readers, self._ask, ask)
        try:
            async with asyncio.timeout(self._store.answers_within_s):
                return await asking
        except TimeoutError as wrong:
            self._store.break_off()
            raise NoAnswer(Phrase("record.silent")) from wrong

    def _ask(self, ask: Callable[[RecordReader], T]) -> T:
        reader: RecordReader | None = getattr(self._reading, "reader", None)
        if reader is None:
            reader = self._store.reader()
            self._reading.reader = reader
            self._opened.append(reader)
        return ask(reader)


def _changed_rows(place: RowPlace, reader: RecordReader) -> tuple[list[str], RowPlace | None]:
    return reader.changed_rows(place)
