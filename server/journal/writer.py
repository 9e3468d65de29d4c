"""The one thread that writes: everything queued becomes one transaction of the store.

It is on disk before anyone is answered.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Iterable

from server.journal.failure import JournalFailed, JournalInDoubt
from server.journal.store import Store, Write

LARGEST_BATCH = 512
"""The most jobs in one transaction, so that no caller waits behind an endless batch."""

_log = logging.getLogger(__name__)


class Job:
    """One thing to write, and the caller who waits for it."""

    def __init__(self, write: Write, future: asyncio.Future[None]) -> None:
        self.write = write
        self.future = future
        self.loop = future.get_loop()
        self.failure: Exception | None = None
        self.given_up = False
        """The caller was told that it failed before it was begun; so it is not written."""

    def answer(self) -> None:
        """Tell the caller, in the caller's own event loop, what came of it; a cancelled caller is not told."""
        if self.future.done():
            return
        if self.failure is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(self.failure)


class Writer:
    """Thread that commits jobs in groups.

    Where the store fails, the batch fails; the thread lives on.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.commits = 0
        """Transactions this writer has committed."""
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Queue a job; never blocks."""
        self._queue.put(job)

    def finish(self) -> None:
        """Write all that is queued, end the thread and close the store; blocks until done."""
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
                if not job.given_up:
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
                self._store.rest()
        self._store.close()

    def _write(self, batch: list[Job]) -> None:
        try:
            failures = self._store.write([job.write for job in batch])
            self.commits += 1
        except Exception as wrong:
            told = f"The journal could not be written ({wrong}); nothing was acknowledged."
            # Nothing of this batch was acknowledged. Refusals too: they were judged against entries that are not on
            # disk now.
            failure = JournalInDoubt(told) if isinstance(wrong, JournalInDoubt) else JournalFailed(told)
            failure.__cause__ = wrong
            failures = [failure] * len(batch)
        for job, failed in zip(batch, failures, strict=True):
            job.failure = failed


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
