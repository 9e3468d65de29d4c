"""Reading the journal, beside a server that writes it or without one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from server.journal.chain import Chain, chain_after, digest, outcome_in
from server.journal.entry import Entry, Outcome, Run, Witness, carried_out
from server.journal.failure import JournalFailed
from server.journal.sqlite.schema import CHAINED_SINCE, check_form, connect_reader, damage_of
from server.journal.store import RowPlace
from speech.complaint import Complaint, Phrase

SELECT_OUTCOME = 'SELECT command, "table", station, body, digest FROM outcomes WHERE command = ?'
SELECT_EVENTS = (
    'SELECT "table", seq, run, command, station, seat, origin, mono_ms, wall_ms, version, kind, body '
    'FROM events WHERE "table" = ? AND seq > ? ORDER BY seq'
)


_ROWS: tuple[tuple[type[Outcome | Witness | Run], str, str], ...] = (
    (Run, "SELECT run, started_mono_ms, started_wall_ms, program_version, digest FROM runs", "run {} was changed"),
    (Outcome, 'SELECT command, "table", station, body, digest FROM outcomes', "the answer to command {} was changed"),
    (Witness, "SELECT run, mono_ms, wall_ms, digest FROM witnesses", "a witness of run {} was changed"),
)


class JournalReader:
    """One read-only connection.

    It blocks, so in a server it belongs in a thread; two threads must not use it at once. Every method raises
    JournalFailed where the file cannot be read.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Use `JournalReader.open` in commands; the connection here is read-only."""
        self._connection = connection
        self._chained = connection.execute("PRAGMA user_version").fetchone()[0] >= CHAINED_SINCE

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a journal to read it; a server may be writing it at the same time.

        Raises:
            Complaint: there is no journal there, it is damaged, of a newer program, or another program's file.
        """
        if not path.is_file():
            raise Complaint(Phrase("record.none_in", folder=path.parent))
        try:
            connection = connect_reader(path)
        except sqlite3.OperationalError as wrong:
            raise Complaint(Phrase("files.unread", place=path, why=wrong)) from wrong
        try:
            check_form(connection, path)
        except sqlite3.OperationalError as wrong:
            connection.close()
            raise Complaint(Phrase("files.unread", place=path, why=wrong)) from wrong
        except (sqlite3.DatabaseError, UnicodeError) as wrong:
            connection.close()
            raise damage_of(path, "SQLite cannot read it" if isinstance(wrong, UnicodeError) else str(wrong)) from wrong
        except BaseException:
            connection.close()
            raise
        return cls(connection)

    def read(self, table: str, after_seq: int = 0) -> list[Entry]:
        """Return the events of a table after `after_seq`, in order."""
        with _failing():
            return [Entry(*row) for row in self._connection.execute(SELECT_EVENTS, (table, after_seq))]

    def record(self, table: str) -> tuple[list[Entry], Chain]:
        """Return the whole record of a table, and what its chain says about it."""
        question = SELECT_EVENTS.replace(" FROM", ", link FROM" if self._chained else ", NULL FROM", 1)
        with _failing():
            rows = self._connection.execute(question, (table, 0)).fetchall()
            entries = [Entry(*row[:-1]) for row in rows]
            return entries, chain_after(entries, [row[-1] for row in rows])

    def changed_rows(self, _place: RowPlace) -> tuple[list[str], RowPlace | None]:
        """Return the changes to rows that are in no chain, a sentence each: all at once."""
        if not self._chained:
            return [], None
        found = []
        with _failing():
            for kind, question, said in _ROWS:
                rows = self._connection.execute(question)
                found += [said.format(row[0]) for row in rows if row[-1] not in (None, digest(kind(*row[:-1])))]
        return found, None

    def tables(self) -> list[str]:
        """Return the tables that have events, in alphabetical order."""
        with _failing():
            rows = self._connection.execute('SELECT DISTINCT CAST("table" AS BLOB) FROM events ORDER BY "table"')
            return [row[0].decode(errors="replace") for row in rows]  # a damaged name must not hide the others

    def latest_tables(self) -> list[str]:
        """Return the tables that have events, the one with the newest event first."""
        question = (
            'SELECT CAST(t AS BLOB) FROM (SELECT DISTINCT "table" AS t FROM events) ORDER BY '
            '(SELECT wall_ms FROM events WHERE "table" = t ORDER BY seq DESC LIMIT 1) DESC, t'
        )
        with _failing():
            return [row[0].decode(errors="replace") for row in self._connection.execute(question)]

    def tables_without_events(self) -> list[str]:
        """Return the tables at which commands were carried out, although no event of them is there."""
        question = 'SELECT "table", body FROM outcomes WHERE "table" NOT IN (SELECT DISTINCT "table" FROM events)'
        with _failing():
            return sorted({row[0] for row in self._connection.execute(question) if carried_out(row[1])})

    def last_seq(self, table: str) -> int:
        """Return the seq of a table's last event; 0 for a table that has none."""
        with _failing():
            row = self._connection.execute(
                'SELECT coalesce(max(seq), 0) FROM events WHERE "table" = ?', (table,)
            ).fetchone()
            return int(row[0])

    def last_link(self, table: str) -> tuple[int, str]:
        """Return the seq of a table's last event and its link, 64 hex digits; (0, "") where no link was kept."""
        question = 'SELECT seq, link FROM events WHERE "table" = ? ORDER BY seq DESC LIMIT 1'
        with _failing():
            row = self._connection.execute(question, (table,)).fetchone() if self._chained else None
            return (0, "") if row is None or row[1] is None else (int(row[0]), bytes(row[1]).hex())

    def outcome_of(self, command: str) -> Outcome | None:
        """Return the answer a command got; None when it has none."""
        question = SELECT_OUTCOME if self._chained else SELECT_OUTCOME.replace("digest", "NULL")
        with _failing():
            row = self._connection.execute(question, (command,)).fetchone()
            return None if row is None else outcome_in(row, "on the disk")

    def outcomes(self) -> list[Outcome]:
        """Return every answer, by the id of its command."""
        question = 'SELECT command, "table", station, body FROM outcomes ORDER BY command'
        with _failing():
            return [Outcome(*row) for row in self._connection.execute(question)]

    def witnesses(self) -> list[Witness]:
        """Return every witness in the order they were written."""
        with _failing():
            rows = self._connection.execute("SELECT run, mono_ms, wall_ms FROM witnesses ORDER BY number")
            return [Witness(*row) for row in rows]

    def runs(self) -> list[Run]:
        """Return every run in the order they began."""
        question = "SELECT run, started_mono_ms, started_wall_ms, program_version FROM runs ORDER BY rowid"
        with _failing():
            return [Run(*row) for row in self._connection.execute(question)]

    def last_witness(self, run: str) -> Witness | None:
        """Return the last moment at which this run was known to be alive."""
        kept = "digest" if self._chained else "NULL"
        question = f"SELECT run, mono_ms, wall_ms, {kept} FROM witnesses WHERE run = ? ORDER BY number DESC"  # noqa: S608
        with _failing():
            for *row, kept in self._connection.execute(question, (run,)):
                witness = Witness(*row)
                if kept in (None, digest(witness)):  # the clocks must not stand at a time that was changed
                    return witness
        return None

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()


@contextmanager
def _failing() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as wrong:
        raise JournalFailed(Phrase("record.unread", why=wrong)) from wrong
    except UnicodeError as wrong:  # what SQLite says may quote damaged bytes
        raise JournalFailed(Phrase("record.unread", why=Phrase("record.damaged"))) from wrong
