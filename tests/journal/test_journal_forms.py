"""Old journals stay readable: a journal as each form of the file was written, opened by today's program."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server.journal.entry import Entry, Outcome, Run, Witness
from server.journal.journal import Journal
from server.journal.sqlite.schema import APPLICATION_ID, SCHEMA_VERSION

GOLDEN = Path(__file__).with_name("golden")
COMMAND = "00112233445566778899aabbccddeeff"


def written_by(form: int, path: Path) -> None:
    with closing(sqlite3.connect(path)) as old:
        old.executescript((GOLDEN / f"form{form}.sql").read_text(encoding="utf-8"))


@pytest.mark.parametrize("form", range(1, SCHEMA_VERSION + 1))
async def test_a_journal_of_each_form_is_read_and_written_on(path: Path, form: int) -> None:
    written_by(form, path)
    journal = Journal.open(path)
    assert await journal.runs() == [Run("r1", 0, 1_700_000_000_000, "0.1.0")]
    assert await journal.read("t1") == [
        Entry("t1", 1, "r1", "", "", "", "", 5, 1_700_000_000_005, 1, "opened", b'{"type":"opened"}'),
        Entry(
            *("t1", 2, "r1", COMMAND, "board-1", "white", "heard", 90, 1_700_000_000_090, 1, "announced"),
            body='{"words":"Läufer g eins"}'.encode(),
        ),
    ]
    assert await journal.outcome_of(COMMAND) == Outcome(COMMAND, "t1", "board-1", b'{"ok":true}')
    assert await journal.last_witness("r1") == Witness("r1", 1_000, 1_700_000_001_000)
    await journal.begin_run(Run("r2", 0, 0, "later"))
    await journal.append([Entry("t1", 3, "r2", "", "", "", "", 0, 0, 1, "resumed", b"{}")])
    assert await journal.last_seq("t1") == 3
    await journal.close()


async def test_todays_form_is_the_golden_one(path: Path, tmp_path: Path) -> None:
    """A change of the tables without a new form number, and a golden journal of it, is noticed here."""
    await Journal.open(path).close()
    golden = tmp_path / "golden.sqlite"
    written_by(SCHEMA_VERSION, golden)

    def form_of(file: Path) -> tuple[int, int, list[tuple[str, str, str]]]:
        with closing(sqlite3.connect(file)) as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            rows = connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_schema").fetchall()
        return application, version, sorted((kind, name, " ".join(sql.split())) for kind, name, sql in rows)

    assert form_of(golden) == form_of(path)
    assert form_of(path)[:2] == (APPLICATION_ID, SCHEMA_VERSION)
