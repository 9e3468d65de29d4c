"""Salvage of a damaged journal: all that can be proved whole is written into a new one, and nothing else.

Every event has its link in the chain of its table, and every other row its digest. So a table is taken over only where
its chain leads from its first event to the last, and where no command that was carried out at it is without its events:
the answers stand elsewhere in the file than the events. The damaged file stays beside the new one as it was.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import msgspec

from server.journal.chain import chain_after, digest, link
from server.journal.damage.pages import Row, Value, rows_in
from server.journal.entry import Entry, Outcome, Run, Witness, carried_out
from server.journal.sqlite.schema import prepare_journal, sync_folder

Linked = tuple[Entry, bytes | None]
T = TypeVar("T", bound=msgspec.Struct)
_LINKED = len(Entry.__struct_fields__) + 1
_ADOPTED = "INSERT INTO {} VALUES ({})"


class Salvaged(msgspec.Struct, frozen=True):
    """Outcome of a salvage; the damaged file was put aside.

    `shut`: the tables that cannot be proved whole, each with what was found.
    """

    told: str
    shut: dict[str, str] = msgspec.field(default_factory=dict)


class _Found:
    """Rows found in a damaged file, by their kind; a row whose digest is not its own is left out."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.events: dict[str, dict[int, list[Linked]]] = defaultdict(lambda: defaultdict(list))
        self.outcomes: dict[str, Outcome] = {}
        self.runs: dict[int, Run] = {}
        self.witnesses: dict[int, Witness] = {}
        for row in rows:
            self._take(row)

    def _take(self, row: Row) -> None:
        values = row.values
        if len(values) in (_LINKED, _LINKED - 1):  # the shorter ones were written before there was a chain
            entry = _struct(Entry, values[: _LINKED - 1])
            held = values[-1] if len(values) == _LINKED else None
            if entry is not None and (held is None or isinstance(held, bytes)):
                known = self.events[entry.table][entry.seq]
                known += [(entry, held)] * ((entry, held) not in known)
        elif values and values[0] is None:  # it is the row's own number
            witness = _row_proved(Witness, values[1:])
            if witness is not None:
                self.witnesses[row.number] = witness
        elif (outcome := _row_proved(Outcome, values)) is not None:
            self.outcomes[outcome.command] = outcome
        elif (run := _row_proved(Run, values)) is not None:
            self.runs[row.number] = run

    def table(self, id: str) -> tuple[list[Linked], str]:
        """Return the events of a table in order, and what is wrong with them; '' where nothing is."""
        chain: list[Linked] = []
        before = b""
        for seq in sorted(self.events[id]):
            found = self.events[id][seq]
            one = next((one for one in found if one[1] == link(before, one[0])), found[0])
            chain.append(one)
            before = link(before, one[0])
        done = {entry.command for found in self.events[id].values() for entry, _ in found}
        answered = [one for one in self.outcomes.values() if one.table == id and one.command not in done]
        lost = sum(carried_out(one.body) for one in answered)
        said = chain_after([entry for entry, _ in chain], [held for _, held in chain])
        return chain, said.wrong or (f"the events of {lost} of its commands cannot be found" if lost else "")


def salvage(path: Path) -> Salvaged | None:
    """Put a damaged journal aside, and a new one with what is whole of it in its place.

    Returns None, and leaves the file where it is, where no table can be proved whole. Raises OSError, sqlite3.Error and
    Complaint where the new file cannot be written.
    """
    found = _Found(rows_in(path))
    tables = {id: found.table(id) for id in sorted(found.events)}
    whole = tuple(id for id, (_, wrong) in tables.items() if not wrong)
    if not whole:
        return None
    new = path.with_name(path.name + ".new")
    for left in (new, new.with_name(new.name + "-wal"), new.with_name(new.name + "-shm")):
        left.unlink(missing_ok=True)
    prepare_journal(new)
    with closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        events = [one for id in whole for one in tables[id][0]]
        _write(connection, "runs", [(run, digest(run)) for run in _runs(found, events)])
        _write(connection, "events", events)
        _write(connection, "outcomes", [(one, digest(one)) for one in found.outcomes.values()])
        witnesses = [found.witnesses[number] for number in sorted(found.witnesses)]
        for number, one in enumerate(witnesses, 1):
            values = (number, *msgspec.structs.astuple(one), digest(one))
            connection.execute(_ADOPTED.format("witnesses", "?, ?, ?, ?, ?"), values)
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    kept = put_aside(path)
    new.replace(path)
    sync_folder(path.parent)
    shut = {id: wrong for id, (_, wrong) in tables.items() if wrong}
    told = (
        f"The journal was damaged and is kept as {kept}. What could be proved whole by its chain of hashes was written "
        f"anew: {len(whole)} of {len(tables)} tables; the clocks stand at the last sign of life that could be read."
    )
    return Salvaged(told, shut)


def put_aside(path: Path) -> str:
    """Give a damaged file, with what was written ahead of it, a name that says so, and return it. Raises OSError."""
    number = 1
    while (kept := path.with_name(f"{path.name}.damaged{number}")).exists():
        number += 1
    path.replace(kept)
    ahead = path.with_name(path.name + "-wal")
    if ahead.exists():
        ahead.replace(kept.with_name(kept.name + "-wal"))
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    return kept.name


def _runs(found: _Found, events: Sequence[Linked]) -> list[Run]:
    """Return the runs in their order; one whose own row cannot be read began with its first event, for all we know."""
    runs = [found.runs[number] for number in sorted(found.runs)]
    known = {run.run for run in runs}
    for entry, _ in sorted(events, key=lambda one: one[0].wall_ms):
        if entry.run not in known:
            known.add(entry.run)
            runs.append(Run(entry.run, entry.mono_ms, entry.wall_ms, ""))
    return runs


def _write(connection: sqlite3.Connection, table: str, rows: Sequence[tuple[msgspec.Struct, bytes | None]]) -> None:
    for row, proof in rows:
        values = (*msgspec.structs.astuple(row), proof)
        connection.execute(_ADOPTED.format(table, ", ".join("?" * len(values))), values)


def _struct(kind: type[T], values: Sequence[Value]) -> T | None:
    fields = msgspec.structs.fields(kind)
    if len(fields) != len(values) or any(type(one) is not of.type for one, of in zip(values, fields, strict=True)):
        return None
    return kind(*values)


def _row_proved(kind: type[T], values: Sequence[Value]) -> T | None:
    """Return the row that these values are, with their digest or, from an older program, without one."""
    size = len(kind.__struct_fields__)
    row = _struct(kind, values[:size])
    if row is None or len(values) > size + 1 or (len(values) > size and values[size] != digest(row)):  # type: ignore[arg-type]
        return None
    return row
