"""This module is the one thread that writes: everything queued becomes one transaction.

It is on disk before anyone is answered.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from server.journal.failure import JournalFailed, JournalRefused
from server.journal.reserve import Reserve, is_full
from server.journal.schema import Connect, connect_writer

LARGEST_BATCH = 512
"""The most jobs in one transaction, so that no caller waits behind an endless batch."""

CHECKPOINT_BYTES = 4 * 1024 * 1024
"""The write-ahead file is folded into the journal once it is larger than this."""

_REFUSALS = (
    sqlite3.IntegrityError,
    sqlite3.ProgrammingError,
    sqlite3.InterfaceError,
    sqlite3.DataError,
    OverflowError,
    TypeError,
    ValueError,
)
"""These errors are the caller's fault, not the disk's."""

Work = Callable[[sqlite3.Connection], None]
"""What one job does inside its own savepoint."""

_log = logging.getLogger(__name__)


class Job:
    """A `Job` is one thing to write, and the caller who waits for it."""

    def __init__(self, work: Work, future: asyncio.Future[None]) -> None:
        self.work = work
        self.future = future
        self.loop = future.get_loop()
        self.failure: Exception | None = None

    def answer(self) -> None:
        """Tell the caller, in the caller's own event loop, what came of it; a cancelled caller is not told."""
        if self.future.done():
            return
        if self.failure is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(self.failure)


class Writer:
    """The `Writer` commits jobs in groups over one SQLite connection.

    Where the disk fails, the batch fails; the thread lives on.
    """

    def __init__(self, path: Path, connect: Connect = connect_writer, reserve: Reserve | None = None) -> None:
        self._reserve = reserve
        self.commits = 0
        """Transactions this writer has committed."""
        self._path = path
        self._wal = path.with_name(path.name + "-wal")
        self._connect = connect
        self._connection: sqlite3.Connection | None = None
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Queue a job; never blocks."""
        self._queue.put(job)

    def finish(self) -> None:
        """Write all that is queued, end the thread and close the file; blocks until done."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        last = False
        while not last:
            batch: list[Job] = []
            job = self._queue.get()
            while True:
                if job is None:
                    last = True
                    break
                batch.append(job)
                if len(batch) >= LARGEST_BATCH:
                    break
                try:
                    job = self._queue.get_nowait()
                except queue.Empty:
                    break
            if batch:
                self._write(batch)
                _answer(batch)
                self._checkpoint()
        self._drop_connection()

    def _write(self, batch: list[Job]) -> None:
        wrong = self._tried(batch)
        if wrong is not None and self._reserve is not None and is_full(wrong) and self._reserve.give_up():
            _log.error("The disk is full (%s); the space that was kept back is given to the record", wrong)
            wrong = self._tried(batch)
        if wrong is None:
            return
        # Nothing of this batch was acknowledged, and nothing of it stays.
        failure = _failure_of(wrong)
        for job in batch:
            # Refusals too: they were judged against entries that are not on disk now.
            job.failure = failure

    def _tried(self, batch: list[Job]) -> Exception | None:
        """Write all jobs in one transaction, and return what went wrong with all of them."""
        try:
            if self._connection is None:
                self._connection = self._connect(self._path)
            connection = self._connection
            connection.execute("BEGIN IMMEDIATE")
            for job in batch:
                job.failure = None
                _write_one(connection, job)
            connection.execute("COMMIT")
            self.commits += 1
        except Exception as wrong:
            self._roll_back()
            return wrong
        return None

    def _roll_back(self) -> None:
        if self._connection is None:
            return
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error as wrong:
            _log.warning("The journal's connection is given up after a failed rollback: %s", wrong)
            self._drop_connection()

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            connection.close()
        except sqlite3.Error as wrong:
            _log.warning("The journal did not close cleanly: %s", wrong)

    def _checkpoint(self) -> None:
        if self._connection is None:
            return
        try:
            if self._wal.stat().st_size > CHECKPOINT_BYTES:
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except (OSError, sqlite3.Error) as wrong:
            # What was committed is safe in the write-ahead file; the next batch tries again.
            _log.warning("The journal's write-ahead file could not be folded in: %s", wrong)


def _write_one(connection: sqlite3.Connection, job: Job) -> None:
    """Write one job in its savepoint.

    A job that contradicts the record fails alone; a failing disk fails the batch.
    """
    connection.execute("SAVEPOINT job")
    try:
        job.work(connection)
    except JournalRefused as wrong:
        job.failure = wrong
    except _REFUSALS as wrong:
        job.failure = _chained(
            JournalRefused(f"The journal refused what contradicts its record or form: {wrong}."), wrong
        )
    if job.failure is not None:
        connection.execute("ROLLBACK TO job")
    connection.execute("RELEASE job")


def _failure_of(wrong: Exception) -> JournalFailed:
    return _chained(JournalFailed(f"The journal could not be written ({wrong}); nothing was acknowledged."), wrong)


def _chained(failure: JournalFailed, cause: Exception) -> JournalFailed:
    failure.__cause__ = cause
    return failure


def _answer(batch: Iterable[Job]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[Job]] = {}
    for job in batch:
        by_loop.setdefault(job.loop, []).append(job)
    for loop, jobs in by_loop.items():
        try:
            loop.call_soon_threadsafe(_answer_all, jobs)
        except RuntimeError:
            # The loop is closed: nobody is left to be told.
            _log.warning("%d entries were written after their callers had gone", len(jobs))


def _answer_all(jobs: list[Job]) -> None:
    for job in jobs:
        job.answer()
