"""Appending and reading: gapless, once, together, in order; in SQLite and in PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from server.journal.entry import Entry, Outcome, Run, Witness
from server.journal.failure import CommandRepeated, JournalFailed, JournalRefused
from server.journal.journal import Journal
from server.journal.sqlite.schema import connect_writer
from server.journal.sqlite.store import SqliteStore
from tests.journal.conftest import Place
from tests.waiting import PATIENCE_S

MakeEntry = Callable[..., Entry]
COMMAND = "0123456789abcdef0123456789abcdef"


@pytest.mark.law("L066")
async def test_what_is_appended_is_read_back_whole_and_in_order(journal: Journal, envelope: MakeEntry) -> None:
    first = [envelope(1, command=COMMAND, body='{"words":"Läufer"}'.encode()), envelope(2, command=COMMAND)]
    await journal.append(first, Outcome(COMMAND, "t1", "st1", b'{"ok":true}'))
    await journal.append([envelope(3)])
    await journal.append([envelope(1, table="other")])
    assert await journal.read("t1") == [*first, envelope(3)]
    assert await journal.read("t1", after_seq=2) == [envelope(3)]
    assert await journal.read("nobody") == []
    assert await journal.tables() == ["other", "t1"]
    assert await journal.last_seq("t1") == 3
    assert await journal.last_seq("nobody") == 0


@pytest.mark.parametrize("seqs", [[2], [0], [-1], [1, 3], [1, 1], [2, 1]])
async def test_a_gap_or_a_repeat_in_seq_is_refused_whole(
    journal: Journal, envelope: MakeEntry, seqs: list[int]
) -> None:
    with pytest.raises(JournalRefused):
        await journal.append([envelope(seq) for seq in seqs])
    assert await journal.read("t1") == []
    await journal.append([envelope(1)])
    assert await journal.last_seq("t1") == 1


async def test_a_refused_command_leaves_neither_event_nor_outcome(journal: Journal, envelope: MakeEntry) -> None:
    with pytest.raises(JournalRefused):
        await journal.append(
            [envelope(1, command=COMMAND), envelope(3, command=COMMAND)], Outcome(COMMAND, "t1", "st1", b"{}")
        )
    assert await journal.outcome_of(COMMAND) is None


async def test_one_bad_entry_does_not_take_its_neighbours_with_it(journal: Journal, envelope: MakeEntry) -> None:
    results = await asyncio.gather(
        journal.append([envelope(1)]),
        journal.append([envelope(7, table="gap")]),
        journal.append([envelope(1, table="huge", body="text is no body")]),  # type: ignore[arg-type]
        journal.append([envelope(1, run="unknown", table="run")]),
        journal.append([envelope(1, table="fine")]),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [
        type(None),
        JournalRefused,
        JournalRefused,
        JournalRefused,
        type(None),
    ]
    assert await journal.tables() == ["fine", "t1"]


async def test_events_of_two_commands_are_not_one_append(journal: Journal, envelope: MakeEntry) -> None:
    with pytest.raises(JournalRefused):
        await journal.append([envelope(1, command=COMMAND), envelope(2, command="f" * 32)])
    with pytest.raises(JournalRefused):
        await journal.append([envelope(1)], Outcome(COMMAND, "t1", "st1", b"{}"))
    assert await journal.tables() == []


@pytest.mark.parametrize("command", ["short", "G" * 32, "A" * 32, "0" * 33])
async def test_a_command_id_that_is_not_128_bits_of_hex_is_refused(
    journal: Journal, envelope: MakeEntry, command: str
) -> None:
    with pytest.raises(JournalRefused):
        await journal.append([envelope(1, command=command)])


async def test_a_repeated_command_gets_the_first_answer_and_changes_nothing(
    journal: Journal, envelope: MakeEntry
) -> None:
    answer = Outcome(COMMAND, "t1", "st1", b'{"first":1}')
    await journal.append([envelope(1, command=COMMAND)], answer)
    with pytest.raises(CommandRepeated) as repeated:
        await journal.append([envelope(2, command=COMMAND)], Outcome(COMMAND, "t1", "st1", b'{"second":2}'))
    assert repeated.value.outcome == answer
    assert await journal.outcome_of(COMMAND) == answer
    assert await journal.last_seq("t1") == 1


async def test_a_command_sent_twice_at_the_same_moment_is_answered_once(journal: Journal, envelope: MakeEntry) -> None:
    first, second = Outcome(COMMAND, "t1", "a", b"1"), Outcome(COMMAND, "t1", "b", b"2")
    results = await asyncio.gather(
        journal.append([envelope(1, command=COMMAND)], first),
        journal.append([envelope(1, command=COMMAND)], second),
        return_exceptions=True,
    )
    assert results[0] is None
    assert isinstance(results[1], CommandRepeated)
    assert results[1].outcome == first


async def test_a_refusal_has_an_outcome_and_no_event(journal: Journal) -> None:
    await journal.append([], Outcome(COMMAND, "t1", "st1", b'{"refused":"9.1.1"}'))
    assert (await journal.outcome_of(COMMAND)) == Outcome(COMMAND, "t1", "st1", b'{"refused":"9.1.1"}')
    assert await journal.tables() == []


async def test_outcomes_runs_witnesses_and_events_survive_reopening(place: Place, envelope: MakeEntry) -> None:
    journal = place.open()
    await journal.begin_run(Run("run1", 5, 6, "0.1.0"))
    await journal.append([envelope(1, command=COMMAND)], Outcome(COMMAND, "t1", "st1", b"{}"))
    await journal.witness("run1", 1_000, 2_000)
    await journal.witness("run1", 2_000, 3_000)
    await journal.close()

    journal = place.open()
    await journal.begin_run(Run("run2", 0, 9, "0.2.0"))
    assert await journal.outcome_of(COMMAND) == Outcome(COMMAND, "t1", "st1", b"{}")
    assert await journal.runs() == [Run("run1", 5, 6, "0.1.0"), Run("run2", 0, 9, "0.2.0")]
    assert await journal.last_witness("run1") == Witness("run1", 2_000, 3_000)
    assert await journal.last_witness("run2") is None
    with pytest.raises(JournalRefused):
        await journal.begin_run(Run("run1", 0, 0, "0.2.0"))
    await journal.append([envelope(2, run="run2")])
    assert [entry.run for entry in await journal.read("t1")] == ["run1", "run2"]
    await journal.close()


async def test_two_hundred_appends_at_once_share_few_transactions(journal: Journal, envelope: MakeEntry) -> None:
    before = journal.commits
    await asyncio.gather(*(journal.append([envelope(1, table=f"t{number}")]) for number in range(200)))
    assert 1 <= journal.commits - before <= 20, f"{journal.commits - before} transactions for 200 appends"
    assert len(await journal.tables()) == 200
    before = journal.commits
    await journal.append([envelope(2, table="t0")])
    await journal.append([envelope(3, table="t0")])
    assert journal.commits - before == 2, "appends that wait for one another are transactions of their own"


async def test_every_commit_of_the_writer_is_synchronous_and_write_ahead(path: Path) -> None:
    pragmas: list[tuple[str, int, int]] = []

    def looked_at(where: Path) -> sqlite3.Connection:
        connection = connect_writer(where)
        pragmas.append(
            (
                connection.execute("PRAGMA journal_mode").fetchone()[0],
                connection.execute("PRAGMA synchronous").fetchone()[0],
                connection.execute("PRAGMA foreign_keys").fetchone()[0],
            )
        )
        return connection

    journal = Journal.open(path, connect=looked_at)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    await journal.close()
    assert set(pragmas) == {("wal", 2, 1)}


async def test_reading_goes_on_while_writing(journal: Journal, envelope: MakeEntry) -> None:
    lengths = list[int]()

    async def write() -> None:
        """Go on until the reader has seen the record grow, however slow it is."""
        seq = 0
        async with asyncio.timeout(PATIENCE_S):
            while len(set(lengths)) <= 3:
                await journal.append([envelope(seq := seq + 1)])

    writing = asyncio.create_task(write())
    while not writing.done():
        entries = await journal.read("t1")
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        lengths.append(len(entries))
    await writing
    assert lengths == sorted(lengths)
    assert len(set(lengths)) > 3, "the reader saw the record grow"


async def test_a_cancelled_caller_harms_nobody(journal: Journal, envelope: MakeEntry) -> None:
    task = asyncio.create_task(journal.append([envelope(1)]))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await journal.last_seq("t1") in (0, 1)
    await journal.append([envelope(1, table="t2")])
    assert await journal.last_seq("t1") == 1, "what was queued before is written before"


async def test_closing_drains_what_is_queued_and_refuses_what_comes_later(place: Place, envelope: MakeEntry) -> None:
    journal = place.open()
    await journal.begin_run(Run("run1", 0, 0, "0"))
    waiting = [asyncio.create_task(journal.append([envelope(1, table=f"t{number}")])) for number in range(50)]
    await asyncio.sleep(0)
    await journal.close()
    await asyncio.gather(*waiting)
    with pytest.raises(JournalFailed):
        await journal.append([envelope(2, table="t0")])
    with pytest.raises(JournalFailed):
        await journal.read("t0")
    await journal.close()
    again = place.open()
    assert len(await again.tables()) == 50
    await again.close()


async def test_closed_cleanly_the_record_is_one_file(path: Path, envelope: MakeEntry) -> None:
    journal = Journal.open(path)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    await journal.append([envelope(1)])
    await journal.close()
    assert not path.with_name("journal.sqlite-wal").exists()


async def test_the_queue_is_bounded(envelope: MakeEntry, monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """While the disk stands still no more than the bound is queued; the rest waits outside and is written later."""
    monkeypatch.setattr("server.journal.journal.LONGEST_QUEUE", 8)
    bounded = Journal(SqliteStore.open(path))
    await bounded.begin_run(Run("run1", 0, 0, "0"))
    queued = 0
    submit = bounded._writer.submit

    def counted(job: object) -> None:
        nonlocal queued
        queued += 1
        submit(job)  # type: ignore[arg-type]

    monkeypatch.setattr(bounded._writer, "submit", counted)
    with sqlite3.connect(path, isolation_level=None) as holder:
        holder.execute("BEGIN IMMEDIATE")
        tasks = [asyncio.create_task(bounded.append([envelope(1, table=f"t{number}")])) for number in range(20)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert queued == 8
        holder.execute("ROLLBACK")
    holder.close()
    await asyncio.gather(*tasks)
    assert queued == 20
    await bounded.close()
