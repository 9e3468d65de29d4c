"""The journal's demands on a database: write groups of changes, and answer questions.

Two databases do it: SQLite in a file (`sqlite/`) and PostgreSQL (`postgresql/`). What is written
is given as plain values, so that both write the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Protocol, Self

import msgspec

from server.journal.chain import Chain, digest
from server.journal.entry import Entry, Outcome, Run, Witness
from server.journal.failure import JournalFailed


class Append(msgspec.Struct, frozen=True):
    """Events of one command and its outcome, which are written together or not at all."""

    entries: tuple[Entry, ...]
    outcome: Outcome | None


class Adopt(msgspec.Struct, frozen=True):
    """Record of a table from elsewhere, with the runs that wrote it and its answers."""

    runs: tuple[Run, ...]
    entries: tuple[Entry, ...]
    witness: Witness | None


Write = Append | Adopt | Run | Witness
"""One caller's write to the journal, made in one go."""


RowPlace = tuple[int, int | str | None]
"""A place among the rows in no chain: the kind of rows, and the key of the last one read; None: before the first."""
FIRST_ROWS: RowPlace = (0, None)


class RecordReader(Protocol):
    """Answers to questions about the record; a reader belongs to one thread.

    Every method raises JournalFailed where the record cannot be read.
    """

    def read(self, table: str, after_seq: int = 0) -> list[Entry]:
        """Return the events of a table after `after_seq`, in order."""
        ...

    def record(self, table: str) -> tuple[list[Entry], Chain]:
        """Return the whole record of a table, and what its chain says about it."""
        ...

    def changed_rows(self, place: RowPlace) -> tuple[list[str], RowPlace | None]:
        """Return the changes to rows in no chain from a place on, a sentence each, and where to go on, if at all."""
        ...

    def tables(self) -> list[str]:
        """Return the tables that have events, in alphabetical order."""
        ...

    def latest_tables(self) -> list[str]:
        """Return the tables that have events, the one with the newest event first."""
        ...

    def tables_without_events(self) -> list[str]:
        """Return the tables at which commands were carried out, although no event of them is there."""
        ...

    def last_seq(self, table: str) -> int:
        """Return the seq of a table's last event; 0 for a table that has none."""
        ...

    def last_link(self, table: str) -> tuple[int, str]:
        """Return the seq of a table's last event and its link, 64 hex digits; (0, "") where no link was kept."""
        ...

    def outcome_of(self, command: str) -> Outcome | None:
        """Return the answer a command got; None when it has none."""
        ...

    def runs(self) -> list[Run]:
        """Return every run in the order they began."""
        ...

    def last_witness(self, run: str) -> Witness | None:
        """Return the last moment at which this run was known to be alive."""
        ...

    def outcomes(self) -> list[Outcome]:
        """Return every answer, by the id of its command."""
        ...

    def witnesses(self) -> list[Witness]:
        """Return every witness in the order they were written."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None
    ) -> None: ...


class Store(Protocol):
    """Database under one journal.

    `write` is called by one thread alone, `reader` by others; `break_off` by any.
    """

    @property
    def where(self) -> str:
        """Return the name of this database for people: a file, or an address without its password."""
        ...

    @property
    def answers_within_s(self) -> float | None:
        """Return after how many seconds a silent database counts as lost; None: it is never silent."""
        ...

    def write(self, batch: Sequence[Write]) -> list[JournalFailed | None]:
        """Write all of a group in one transaction, which is on disk when this returns.

        What contradicts the record is left out, and its failure stands in its place in the answer. Any exception means
        that nothing of the group is known to be on disk.
        """
        ...

    def rest(self) -> None:
        """Do what can wait until the callers of a group have their answers."""
        ...

    def reader(self) -> RecordReader:
        """Return a new reader. Raises JournalFailed."""
        ...

    def break_off(self) -> None:
        """End what hangs: a write and every question that wait for the database fail now."""
        ...

    def close(self) -> None:
        """Close the writing connection."""
        ...


def row_of(row: Entry | Outcome | Witness | Run) -> tuple[object, ...]:
    """Return the columns of a row. Raises TypeError for a body that is not bytes: the databases differ there."""
    if isinstance(row, Entry | Outcome) and not isinstance(row.body, bytes):
        raise TypeError("a body is bytes")
    return msgspec.structs.astuple(row)


def with_digest(row: Outcome | Witness | Run) -> tuple[object, ...]:
    """Return the columns of a row that belongs to no chain, and its digest after them."""
    return (*row_of(row), digest(row))
