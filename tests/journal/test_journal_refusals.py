"""SQLite itself refuses to change the record, from whatever connection; a strange file gets one plain sentence."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from server.journal.entry import Entry, Outcome, Run
from server.journal.journal import Journal
from speech.complaint import Complaint

MakeEntry = Callable[..., Entry]
COMMAND = "0123456789abcdef0123456789abcdef"


@pytest.fixture
async def kept(path: Path, envelope: MakeEntry) -> Path:
    journal = Journal.open(path)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    await journal.append([envelope(1, command=COMMAND)], Outcome(COMMAND, "t1", "st1", b"{}"))
    await journal.append([envelope(2)])
    await journal.witness("run1", 1, 1)
    await journal.witness("run1", 2, 2)
    await journal.close()
    return path


ROW = "'t1', {seq}, 'run1', '', '', '', '', 0, 0, 1, 'forged', x'7b7d', NULL"


@pytest.mark.law("L066")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = x'00' WHERE seq = 1",
        "UPDATE outcomes SET body = x'00'",
        "UPDATE witnesses SET mono_ms = 0",
        "UPDATE runs SET started_mono_ms = 7",
        "DELETE FROM events WHERE seq = 2",
        "DELETE FROM events",
        "DELETE FROM outcomes",
        "DELETE FROM witnesses",
        "DELETE FROM runs",
        f"INSERT OR REPLACE INTO events VALUES ({ROW.format(seq=1)})",
        f"INSERT OR REPLACE INTO events VALUES ({ROW.format(seq=2)})",
        f"INSERT INTO events VALUES ({ROW.format(seq=4)})",
        f"INSERT INTO events VALUES ({ROW.format(seq=1)}) ON CONFLICT DO UPDATE SET kind = 'forged'",
        f"INSERT OR REPLACE INTO outcomes VALUES ('{COMMAND}', 't9', 'st9', x'00', NULL)",
        "INSERT OR REPLACE INTO witnesses VALUES (1, 'run1', 0, 0, NULL)",
        "INSERT OR REPLACE INTO runs VALUES ('run1', 9, 9, 'forged', NULL)",
    ],
)
async def test_another_program_cannot_change_the_record(kept: Path, statement: str) -> None:
    with closing(sqlite3.connect(kept)) as other:
        before = [list(other.execute(f"SELECT * FROM {name}")) for name in ("events", "outcomes", "witnesses", "runs")]
        with pytest.raises(sqlite3.IntegrityError):
            other.execute(statement)
        other.commit()
    with closing(sqlite3.connect(kept)) as fresh:
        after = [list(fresh.execute(f"SELECT * FROM {name}")) for name in ("events", "outcomes", "witnesses", "runs")]
    assert after == before


async def test_a_reader_cannot_write(kept: Path) -> None:
    from server.journal.sqlite.schema import connect_reader

    with closing(connect_reader(kept)) as reader, pytest.raises(sqlite3.OperationalError):
        reader.execute(f"INSERT INTO events VALUES ({ROW.format(seq=3)})")


async def test_the_files_are_the_owners_alone(path: Path, envelope: MakeEntry) -> None:
    path.touch(mode=0o644)
    path.chmod(0o644)
    journal = Journal.open(path)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    files = sorted(file.name for file in path.parent.iterdir())
    assert "journal.sqlite-wal" in files
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    await journal.close()


def one_plain_sentence(path: Path) -> str:
    with pytest.raises(Complaint) as told:
        Journal.open(path)
    sentence = str(told.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    assert "Traceback" not in sentence
    return sentence


async def test_a_journal_of_a_newer_program_is_left_alone(kept: Path) -> None:
    with closing(sqlite3.connect(kept)) as other:
        other.execute("PRAGMA user_version = 99")
    before = kept.read_bytes()
    assert "newer" in one_plain_sentence(kept)
    assert kept.read_bytes() == before


def test_text_that_is_no_database_is_named_damaged(path: Path) -> None:
    path.write_bytes(b"these are not the events you are looking for" * 100)
    assert "damaged" in one_plain_sentence(path)


def test_another_programs_database_is_not_taken_over(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE cookies (name)")
    assert "not a journal" in one_plain_sentence(path)
    with closing(sqlite3.connect(path)) as other:
        assert [row[0] for row in other.execute("SELECT name FROM sqlite_schema")] == ["cookies"]


@pytest.mark.parametrize("where", [0.3, 0.6, 0.95])
async def test_a_page_overwritten_with_noise_is_noticed(path: Path, envelope: MakeEntry, where: float) -> None:
    journal = Journal.open(path)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    await journal.append([envelope(seq, body=b'{"words":"' + b"x" * 400 + b'"}') for seq in range(1, 400)])
    await journal.close()
    data = bytearray(path.read_bytes())
    page = int(len(data) * where) // 4096 * 4096
    data[page : page + 4096] = b"\xa5" * 4096
    path.write_bytes(data)
    assert "damaged" in one_plain_sentence(path)


def test_a_folder_in_the_files_place_or_no_folder_at_all(path: Path) -> None:
    assert "cannot be written" in one_plain_sentence(path / "missing" / "journal.sqlite")
    path.mkdir()
    assert "cannot be written" in one_plain_sentence(path)
