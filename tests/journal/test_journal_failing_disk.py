"""A disk that is full, locked or read-only: nothing is acknowledged, the writer lives on, the record stays whole."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from server.journal.entry import Entry, Outcome, Run
from server.journal.failure import JournalFailed, JournalRefused
from server.journal.journal import Journal
from server.journal.sqlite.schema import connect_writer
from tests.waiting import PATIENCE_S

MakeEntry = Callable[..., Entry]
COMMAND = "0123456789abcdef0123456789abcdef"


async def test_a_full_disk_fails_the_append_and_the_writer_lives_on(path: Path, envelope: MakeEntry) -> None:
    writers: list[sqlite3.Connection] = []

    def small(where: Path) -> sqlite3.Connection:
        connection = connect_writer(where)
        connection.execute("PRAGMA max_page_count = 30")
        writers.append(connection)
        return connection

    journal = Journal.open(path, connect=small)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    body = b'"' + b"x" * 2_000 + b'"'
    acknowledged = 0
    with pytest.raises(JournalFailed) as failed:
        for seq in range(1, 1_000):
            await journal.append([envelope(seq, body=body)])
            acknowledged = seq
    assert not isinstance(failed.value, JournalRefused), "a full disk is not the caller's fault"
    assert 0 < acknowledged < 999
    assert [entry.seq for entry in await journal.read("t1")] == list(range(1, acknowledged + 1))

    with pytest.raises(JournalFailed):
        await journal.append(
            [envelope(acknowledged + 1, command=COMMAND, body=body * 10)], Outcome(COMMAND, "t1", "st1", b"{}")
        )
    assert await journal.outcome_of(COMMAND) is None

    # Room is made: the same connection goes on, and the same seq is still the next one.
    writers[-1].execute("PRAGMA max_page_count = 100000")
    await journal.append([envelope(acknowledged + 1, command=COMMAND)], Outcome(COMMAND, "t1", "st1", b"{}"))
    assert await journal.last_seq("t1") == acknowledged + 1
    await journal.close()


CHILD_WITH_A_LIMIT = """
import asyncio, resource, signal, sys
from pathlib import Path
from server.journal.entry import Entry, Run
from server.journal.failure import JournalFailed
from server.journal.journal import Journal

def envelope(seq):
    return Entry("t1", seq, "run1", "", "", "", "declared", 0, 0, 1, "k", b"x" * 3000)

async def main():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    journal = Journal.open(Path(sys.argv[1]))
    await journal.begin_run(Run("run1", 0, 0, "0"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
    seq = 0
    try:
        while seq < 1000:
            await journal.append([envelope(seq + 1)])
            seq += 1
    except JournalFailed as failed:
        print("failed", seq)
    for _ in range(3):
        try:
            await journal.append([envelope(seq + 1)])
            print("wrongly acknowledged")
        except JournalFailed:
            pass
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await journal.append([envelope(seq + 1)])
    print("went on", seq + 1, [entry.seq for entry in await journal.read("t1")] == list(range(1, seq + 2)))
    await journal.close()

asyncio.run(main())
"""


async def test_the_kernel_refuses_the_write_and_later_allows_it(path: Path, repo: Path) -> None:
    """A real failing write: the file may not grow (RLIMIT_FSIZE), as on a full disk; then it may again."""
    ended = subprocess.run(
        [sys.executable, "-c", CHILD_WITH_A_LIMIT, str(path)],
        cwd=repo,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    lines = ended.stdout.splitlines()
    assert ended.returncode == 0, ended.stderr
    assert len(lines) == 2, ended.stdout
    failed_after = int(lines[0].split()[1])
    assert failed_after > 3
    assert lines[1] == f"went on {failed_after + 1} True"
    journal = Journal.open(path)
    assert await journal.last_seq("t1") == failed_after + 1
    await journal.close()


async def test_a_lock_held_by_another_program_fails_the_append_until_it_is_let_go(
    path: Path, envelope: MakeEntry
) -> None:
    def impatient(where: Path) -> sqlite3.Connection:
        connection = connect_writer(where)
        connection.execute("PRAGMA busy_timeout = 20")
        return connection

    journal = Journal.open(path, connect=impatient)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalFailed):
            await journal.append([envelope(1)])
        with pytest.raises(JournalFailed):
            await journal.witness("run1", 0, 0)
        assert await journal.read("t1") == [], "reading goes on meanwhile"
        holder.execute("ROLLBACK")
    await journal.append([envelope(1)])
    assert await journal.last_seq("t1") == 1
    await journal.close()


async def test_a_connection_that_cannot_be_made_is_tried_again(path: Path, envelope: MakeEntry) -> None:
    working = True

    def connect(where: Path) -> sqlite3.Connection:
        if not working:
            raise sqlite3.OperationalError("unable to open database file")
        return connect_writer(where)

    journal = Journal.open(path, connect=connect)
    working = False
    with pytest.raises(JournalFailed):
        await journal.begin_run(Run("run1", 0, 0, "0"))
    working = True
    await journal.begin_run(Run("run1", 0, 0, "0"))
    await journal.append([envelope(1)])
    await journal.close()


async def test_everyone_in_a_failed_batch_is_told(path: Path, envelope: MakeEntry) -> None:
    def impatient(where: Path) -> sqlite3.Connection:
        connection = connect_writer(where)
        connection.execute("PRAGMA busy_timeout = 20")
        return connection

    journal = Journal.open(path, connect=impatient)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        results = await asyncio.gather(
            *(journal.append([envelope(1, table=f"t{number}")]) for number in range(30)), return_exceptions=True
        )
        holder.execute("ROLLBACK")
    assert all(isinstance(result, JournalFailed) for result in results)
    assert await journal.tables() == []
    await journal.close()


CHILD_WITHOUT_RIGHTS = """
import asyncio, os, sys
from pathlib import Path
from speech.complaint import Complaint
from server.journal.entry import Entry, Run
from server.journal.failure import JournalFailed
from server.journal.journal import Journal

if os.getuid() == 0:
    os.setuid(65534)
try:
    Journal.open(Path(sys.argv[1]))
    print("opened")
except Complaint as told:
    print("complaint", told)
"""


@pytest.mark.parametrize("read_only", ["folder", "file"])
async def test_a_read_only_folder_or_file_is_told_at_the_start(tmp_path: Path, repo: Path, read_only: str) -> None:
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="anna-eins-test-"))
    try:
        path = folder / "journal.sqlite"
        if read_only == "file":
            path.touch()
        if os.getuid() == 0:
            for place in folder, *folder.iterdir():
                os.chown(place, 65534, 65534)
        if read_only == "file":
            path.chmod(0o400)
        folder.chmod(0o500)
        ended = subprocess.run(
            [sys.executable, "-c", CHILD_WITHOUT_RIGHTS, str(path)],
            cwd=repo,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        assert ended.stdout.startswith("complaint"), ended.stdout + ended.stderr
        assert len(ended.stdout.splitlines()) == 1
    finally:
        folder.chmod(0o700)
        for place in folder.iterdir():
            place.unlink()
        folder.rmdir()
