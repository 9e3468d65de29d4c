"""A journal with a run begun, and envelopes to put in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from server.journal.entry import Entry, Run
from server.journal.journal import Journal

MakeEntry = Callable[..., Entry]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
async def journal(path: Path) -> AsyncIterator[Journal]:
    journal = Journal.open(path)
    await journal.begin_run(Run("run1", 0, 1_700_000_000_000, "0.1.0"))
    yield journal
    await journal.close()


@pytest.fixture
def envelope() -> MakeEntry:
    def make(seq: int, table: str = "t1", command: str = "", run: str = "run1", body: bytes = b"{}") -> Entry:
        return Entry(table, seq, run, command, "st1", "white", "declared", seq * 10, seq * 10, 1, "pressed", body)

    return make
