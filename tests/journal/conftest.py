"""A journal with a run begun, on SQLite and on PostgreSQL, and envelopes to put in it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pytest

from server.journal.entry import Entry, Run
from server.journal.journal import Journal
from tests.postgresql import Cluster

MakeEntry = Callable[..., Entry]

BOTH = ("sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql")))


class Place(Protocol):
    """Where a record lies, whichever database keeps it."""

    def open(self) -> Journal:
        """Open it as a server does, which leads whatever nobody else leads."""
        ...

    def tamper(self, statement: str) -> None:
        """Change it as somebody does who first takes the refusals away; `{changed}` and `{zeros}` are bytes."""
        ...


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture(params=BOTH)
def place(request: pytest.FixtureRequest, path: Path) -> Place:
    """A fresh place for a record, in both databases one after the other."""
    if request.param == "sqlite":
        return InFile(path)
    return InDatabase(request.getfixturevalue("cluster"))


class InFile:
    """A file of SQLite."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self) -> Journal:
        return Journal.open(self.path)

    def tamper(self, statement: str) -> None:
        tampered(self.path, statement.format(changed="x'7b20'", zeros="zeroblob(32)"))


def tampered(path: Path, *statements: str) -> None:
    """Change the file as somebody does who first takes the refusals away."""
    with closing(sqlite3.connect(path)) as other:
        for (name,) in other.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            other.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            other.execute(statement)
        other.commit()


class InDatabase:
    """A database of PostgreSQL."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.name = cluster.fresh()
        self.address = cluster.address(self.name)

    def open(self) -> Journal:
        from server.journal.postgresql.database import Database
        from server.journal.postgresql.store import PostgresStore

        store = PostgresStore.open(Database(self.address))
        for one in store.leases.leaders():
            store.leases.take(one.table)
        return Journal(store)

    def tamper(self, statement: str) -> None:
        changed = statement.format(changed="'[]'::bytea", zeros=r"'\x" + "00" * 32 + "'")
        for what in ("DISABLE", "ENABLE"):
            for table in ("events", "outcomes", "witnesses", "runs"):
                self.cluster.do(f"ALTER TABLE anna_eins.{table} {what} TRIGGER USER", self.name)
            if what == "DISABLE":
                self.cluster.do(f"SET search_path = anna_eins; {changed}", self.name)


@pytest.fixture
async def journal(place: Place) -> AsyncIterator[Journal]:
    journal = place.open()
    await journal.begin_run(Run("run1", 0, 1_700_000_000_000, "0.1.0"))
    yield journal
    await journal.close()


@pytest.fixture
def envelope() -> MakeEntry:
    def make(seq: int, table: str = "t1", command: str = "", run: str = "run1", body: bytes = b"{}") -> Entry:
        return Entry(table, seq, run, command, "st1", "white", "declared", seq * 10, seq * 10, 1, "pressed", body)

    return make
