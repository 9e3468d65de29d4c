"""The chain of a table's record finds whatever was changed, and says so of that table alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from server.journal.chain import last_link
from server.journal.entry import Entry, Outcome, Run, Witness
from server.journal.failure import JournalFailed
from server.journal.journal import Journal
from server.journal.sqlite.reader import JournalReader
from server.journal.sqlite.schema import prepare_journal
from speech.complaint import Complaint
from tests.journal.conftest import InFile, Place

MakeEntry = Callable[..., Entry]
COMMAND = "0123456789abcdef0123456789abcdef"
FORM1 = Path(__file__).with_name("golden") / "form1.sql"


@pytest.fixture
async def two_tables(place: Place, envelope: MakeEntry) -> Place:
    """A record with three events of t1 and forty of t2, in each database."""
    journal = place.open()
    await journal.begin_run(Run("run1", 0, 1_700_000_000_000, "0"))
    await journal.append(
        [envelope(1, command=COMMAND), envelope(2, command=COMMAND)], Outcome(COMMAND, "t1", "s", b"1")
    )
    await journal.append([envelope(3)])
    for seq in range(1, 41):
        await journal.append([envelope(seq, table="t2", body=b'{"words":"' + b"x" * 90 + b'"}')])
    await journal.witness("run1", 1_000, 1_700_000_001_000)
    await journal.witness("run1", 2_000, 1_700_000_002_000)
    await journal.close()
    return place


@pytest.mark.law("L066")
@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE events SET body = {changed} WHERE \"table\" = 't1' AND seq = 2", "event 2 was changed"),
        ("UPDATE events SET mono_ms = mono_ms + 1 WHERE \"table\" = 't1' AND seq = 3", "event 3 was changed"),
        ("DELETE FROM events WHERE \"table\" = 't1' AND seq = 2", "event 2 is missing"),
        ("UPDATE events SET link = NULL WHERE \"table\" = 't1' AND seq = 3", "event 3 has no link"),
        ("UPDATE events SET link = {zeros} WHERE \"table\" = 't1' AND seq = 1", "event 1 or one before it"),
    ],
)
async def test_a_change_is_found_at_its_table_and_the_other_is_whole(
    two_tables: Place, statement: str, found: str
) -> None:
    two_tables.tamper(statement)
    journal = two_tables.open()
    _, chain = await journal.record("t1")
    assert found in chain.wrong
    other, whole = await journal.record("t2")
    assert (whole.wrong, whole.since, whole.events, whole.last) == ("", 1, 40, last_link(other))
    await journal.close()


async def test_times_and_answers_that_were_changed_are_not_believed(
    two_tables: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database sends a few of them at a time: a record of many rounds has hundreds of thousands."""
    monkeypatch.setattr("server.journal.postgresql.reader.ROWS_AT_ONCE", 3)
    two_tables.tamper("UPDATE witnesses SET mono_ms = 9999 WHERE number = 2")
    two_tables.tamper("UPDATE outcomes SET body = {changed}")
    journal = two_tables.open()
    assert await journal.last_witness("run1") == Witness("run1", 1_000, 1_700_000_001_000)
    with pytest.raises(JournalFailed, match="was changed"):
        await journal.outcome_of(COMMAND)
    assert await journal.changed_rows() == [
        f"the answer to command {COMMAND} was changed",
        "a witness of run run1 was changed",
    ]
    await journal.close()


async def test_an_older_record_is_without_a_chain_until_it_goes_on(path: Path) -> None:
    with closing(sqlite3.connect(path)) as old:
        old.executescript(FORM1.read_text(encoding="utf-8"))
    with JournalReader.open(path) as reader:  # a command that only reads leaves the file in its old form
        assert reader.record("t1")[1].since == 0
    journal = Journal.open(path)
    entries, chain = await journal.record("t1")
    assert (chain.since, chain.events, chain.wrong) == (0, 2, "") and chain.last == last_link(entries)
    await journal.begin_run(Run("r2", 0, 0, "later"))
    await journal.append([Entry("t1", 3, "r2", "", "", "", "", 0, 0, 1, "resumed", b"{}")])
    assert (await journal.record("t1"))[1].since == 3
    await journal.close()
    InFile(path).tamper("UPDATE events SET kind = 'forged' WHERE seq = 1")
    journal = Journal.open(path)
    assert (await journal.record("t1"))[1].wrong == "event 3 or one before it was changed"
    await journal.close()
    with closing(sqlite3.connect(path)) as again, pytest.raises(sqlite3.IntegrityError):
        again.execute("DELETE FROM events")  # the refusals are back


async def test_a_change_in_what_is_written_ahead_is_not_taken_for_a_write_that_was_cut_off(
    path: Path, envelope: MakeEntry, tmp_path: Path
) -> None:
    """SQLite drops what stands behind a flipped bit; a file that ends in the middle of a write is as after a kill."""
    journal = Journal.open(path)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    for seq in range(1, 9):
        await journal.append([envelope(seq)])
    ahead = path.with_name(path.name + "-wal")
    data, kept = ahead.read_bytes(), path.read_bytes()
    await journal.close()

    def events_after(changed: bytes) -> int:
        copy = tmp_path / "copy.sqlite"
        copy.write_bytes(kept)
        copy.with_name("copy.sqlite-wal").write_bytes(changed)
        prepare_journal(copy)
        with JournalReader.open(copy) as reader:
            return len(reader.read("t1"))

    assert events_after(data) == 8
    assert [events_after(data[:-cut]) for cut in (1, 5_000)] == [7, 6]
    torn = bytearray(data)
    torn[-100] ^= 1
    assert events_after(bytes(torn)) == 7, "the last commit alone may have been cut off"
    for place in (len(data) // 2, 2, 18, 40, 60, 5_000):
        flipped = bytearray(data)
        flipped[place] ^= 1
        with pytest.raises(Complaint, match=r"written ahead was changed, and \d+ commits stand behind.*--restore-from"):
            events_after(bytes(flipped))
    assert events_after(b"") == events_after(data[:100])  # nothing was written ahead, or not one whole commit
