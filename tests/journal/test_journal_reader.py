"""Reading a journal from a command, with and without a server beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from server.journal.entry import Entry, Outcome, Run
from server.journal.failure import JournalFailed
from server.journal.journal import Journal
from server.journal.sqlite.reader import JournalReader
from speech.complaint import Complaint

MakeEntry = Callable[..., Entry]
COMMAND = "0123456789abcdef0123456789abcdef"


async def test_it_reads_beside_a_server_that_goes_on_writing(path: Path, envelope: MakeEntry) -> None:
    journal = Journal.open(path)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    await journal.append([envelope(1, command=COMMAND)], Outcome(COMMAND, "t1", "st1", b"{}"))
    with JournalReader.open(path) as reader:
        assert reader.read("t1") == [envelope(1, command=COMMAND)]
        await journal.append([envelope(2)])
        assert reader.read("t1", after_seq=1) == [envelope(2)]
        assert reader.tables() == ["t1"]
        assert reader.last_seq("t1") == 2
        assert reader.outcome_of(COMMAND) == Outcome(COMMAND, "t1", "st1", b"{}")
        assert [run.run for run in reader.runs()] == ["run1"]
        assert reader.last_witness("run1") is None
    await journal.close()


async def test_it_reads_the_journal_of_a_server_that_has_ended_and_the_next_one_writes_on(
    path: Path, envelope: MakeEntry
) -> None:
    journal = Journal.open(path)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    await journal.append([envelope(1)])
    await journal.close()
    with JournalReader.open(path) as reader:
        assert reader.read("t1") == [envelope(1)]
        journal = Journal.open(path)
        await journal.append([envelope(2)])
        assert reader.last_seq("t1") == 2
        await journal.close()
    again = Journal.open(path)
    assert await again.last_seq("t1") == 2
    await again.close()


def test_what_is_no_journal_is_told(path: Path) -> None:
    with pytest.raises(Complaint, match="no record"):
        JournalReader.open(path)
    assert not path.exists(), "reading makes nothing"
    path.write_bytes(b"noise" * 1_000)
    with pytest.raises(Complaint, match="damaged"):
        JournalReader.open(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE cookies (name)")
    with pytest.raises(Complaint, match="not a journal"):
        JournalReader.open(path)


async def test_a_file_that_breaks_while_it_is_read_is_a_failure_and_not_a_crash(
    path: Path, envelope: MakeEntry
) -> None:
    journal = Journal.open(path)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    await journal.append([envelope(seq, body=b"x" * 500) for seq in range(1, 200)])
    await journal.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xa5" * (size - size // 2))
    with JournalReader.open(path) as reader, pytest.raises(JournalFailed):
        reader.read("t1")
