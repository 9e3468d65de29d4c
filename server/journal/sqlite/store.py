"""SQLite is the store of a hall on one laptop: one file, one writing connection, and readers beside it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Self

from server.journal.chain import last_link, link, outcome_in
from server.journal.entry import Entry, Run, Witness
from server.journal.failure import CommandRepeated, JournalFailed, JournalRefused
from server.journal.reserve import Reserve, is_full
from server.journal.sqlite.reader import SELECT_EVENTS, SELECT_OUTCOME, JournalReader
from server.journal.sqlite.schema import Connect, connect_reader, connect_writer, prepare_journal
from server.journal.store import Adopt, Append, Write, row_of, with_digest
from speech.complaint import Complaint, Phrase

CHECKPOINT_BYTES = 4 * 1024 * 1024
"""The write-ahead file is folded into the journal once it is larger than this."""

_REFUSALS = (
    sqlite3.IntegrityError,
    sqlite3.ProgrammingError,
    sqlite3.InterfaceError,
    sqlite3.DataError,
    OverflowError,
    TypeError,
    ValueError,
)
"""Errors that are the caller's fault, not the disk's."""

_INSERT_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_OUTCOME = "INSERT INTO outcomes VALUES (?, ?, ?, ?, ?)"
_INSERT_WITNESS = "INSERT INTO witnesses SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM witnesses"
_INSERT_RUN = "INSERT INTO runs VALUES (?, ?, ?, ?, ?)"
_SELECT_LINK = 'SELECT link FROM events WHERE "table" = ? AND seq = ?'

_log = logging.getLogger(__name__)


class SqliteStore:
    """Writer of one file. `reserve`: space that is given to the record when the disk is full."""

    answers_within_s: float | None = None

    def __init__(self, path: Path, connect: Connect = connect_writer, reserve: Reserve | None = None) -> None:
        """Use `SqliteStore.open`; the file was already seen by `prepare_journal`."""
        self._path = path
        self._wal = path.with_name(path.name + "-wal")
        self._connect = connect
        self._reserve = reserve
        self._connection: sqlite3.Connection | None = None

    @classmethod
    def open(cls, path: Path, connect: Connect = connect_writer, reserve: Reserve | None = None) -> Self:
        """Make or check the file; this blocks for some ms.

        Raises Complaint: the file cannot be opened, is damaged, of a newer program, or no journal.
        """
        prepare_journal(path, connect)
        return cls(path, connect, reserve)

    @property
    def where(self) -> str:
        """Return the file's path."""
        return str(self._path)

    def write(self, batch: Sequence[Write]) -> list[JournalFailed | None]:
        """Write a group; where the disk is full, the space that was kept back is given up for it."""
        try:
            return self._try_batch(batch)
        except Exception as wrong:
            if self._reserve is None or not is_full(wrong) or not self._reserve.give_up():
                raise
            _log.error("The disk is full (%s); the space that was kept back is given to the record", wrong)
        return self._try_batch(batch)

    def rest(self) -> None:
        """Fold the write-ahead file into the journal once it is long."""
        if self._connection is None:
            return
        try:
            if self._wal.stat().st_size > CHECKPOINT_BYTES:
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except (OSError, sqlite3.Error) as wrong:
            # What was committed is safe in the write-ahead file; the next batch tries again.
            _log.warning("The journal's write-ahead file could not be folded in: %s", wrong)

    def reader(self) -> JournalReader:
        """Return a connection that reads while the writer writes. Raises JournalFailed."""
        try:
            return JournalReader(connect_reader(self._path))
        except (sqlite3.Error, UnicodeError) as wrong:
            raise JournalFailed(Phrase("record.unread", why=wrong)) from wrong

    def break_off(self) -> None:
        """Do nothing: SQLite answers or fails by itself."""

    def close(self) -> None:
        """Close the file."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            connection.close()
        except sqlite3.Error as wrong:
            _log.warning("The journal did not close cleanly: %s", wrong)

    def _try_batch(self, batch: Sequence[Write]) -> list[JournalFailed | None]:
        try:
            if self._connection is None:
                self._connection = self._connect(self._path)
            connection = self._connection
            connection.execute("BEGIN IMMEDIATE")
            failures = [_write_one(connection, one) for one in batch]
            connection.execute("COMMIT")
        except Exception:
            self._roll_back()
            raise
        return failures

    def _roll_back(self) -> None:
        if self._connection is None:
            return
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error as wrong:
            _log.warning("The journal's connection is given up after a failed rollback: %s", wrong)
            self.close()


def delete_table(path: Path, table: str) -> tuple[int, str]:
    """Delete the record of a table for good, and return how many events it had and its last link.

    No server may have the file open. What was written is overwritten in the file. Raises Complaint: there is no
    such table, or the file cannot be written; then nothing is deleted.
    """
    with closing(connect_writer(path)) as connection:
        try:
            rows = connection.execute(SELECT_EVENTS, (table, 0)).fetchall()
            if not rows:
                raise Complaint(Phrase("no_such_table", name=table))
            link = last_link(Entry(*row) for row in rows)
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("BEGIN IMMEDIATE")
            for name in ("events", "outcomes"):  # the refusal to delete is put back in the same transaction
                trigger = f"{name}_no_delete"
                (made,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (trigger,)).fetchone()
                connection.execute(f"DROP TRIGGER {trigger}")
                connection.execute(f'DELETE FROM {name} WHERE "table" = ?', (table,))  # noqa: S608
                connection.execute(made)
            connection.execute("COMMIT")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as wrong:
            raise Complaint(Phrase("files.unwritten", place=path, why=wrong)) from wrong
    return len(rows), link


def _write_one(connection: sqlite3.Connection, one: Write) -> JournalFailed | None:
    """Write one change in its savepoint, and return why it was refused.

    What contradicts the record fails alone; a failing disk fails the batch.
    """
    failure: JournalFailed | None = None
    connection.execute("SAVEPOINT one")
    try:
        _carry_out(connection, one)
    except JournalRefused as wrong:
        failure = wrong
    except _REFUSALS as wrong:
        failure = JournalRefused(f"The journal refused what contradicts its record or form: {wrong}.")
        failure.__cause__ = wrong
    if failure is not None:
        connection.execute("ROLLBACK TO one")
    connection.execute("RELEASE one")
    return failure


def _carry_out(connection: sqlite3.Connection, one: Write) -> None:
    match one:
        case Append(entries, outcome):
            if outcome is not None:
                answered = connection.execute(SELECT_OUTCOME, (outcome.command,)).fetchone()
                if answered is not None:
                    raise CommandRepeated(outcome_in(answered, "on the disk"))
            _add(connection, entries)
            if outcome is not None:
                connection.execute(_INSERT_OUTCOME, with_digest(outcome))
        case Adopt(runs, entries, witness):
            connection.executemany(_INSERT_RUN, [with_digest(run) for run in runs])
            _add(connection, entries)
            if witness is not None:
                connection.execute(_INSERT_WITNESS, with_digest(witness))
        case Run():
            connection.execute(_INSERT_RUN, with_digest(one))
        case Witness():
            connection.execute(_INSERT_WITNESS, with_digest(one))


def _add(connection: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    """Add events, each with its link."""
    last: dict[str, bytes] = {}
    for entry in entries:
        before = last[entry.table] if entry.table in last else _link_before(connection, entry)
        last[entry.table] = link(before, entry)
        connection.execute(_INSERT_EVENT, (*row_of(entry), last[entry.table]))


def _link_before(connection: sqlite3.Connection, entry: Entry) -> bytes:
    kept = connection.execute(_SELECT_LINK, (entry.table, entry.seq - 1)).fetchone()
    if kept is None:
        return b""  # the first event; after any other one the file itself refuses it
    if kept[0] is not None:
        return bytes(kept[0])
    # An older program wrote all that there is: the first link stands for the whole of it.
    return bytes.fromhex(last_link(Entry(*row) for row in connection.execute(SELECT_EVENTS, (entry.table, 0))))
