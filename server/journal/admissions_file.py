"""The admissions, in a small SQLite file of their own beside the journal."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Self

import msgspec

from server.journal.admissions import Admission, Admissions, TokenKnown, admissions_in
from server.journal.failure import JournalFailed
from server.journal.sqlite.schema import Damaged, connect_writer, make_private, sync_folder
from speech.complaint import Complaint, Phrase

APPLICATION_ID = 0x416E6E62
FORM = 1

_TABLES = """
CREATE TABLE IF NOT EXISTS admissions (
    token_sha256 BLOB PRIMARY KEY CHECK (length(token_sha256) = 32),
    "table" TEXT NOT NULL,
    station TEXT NOT NULL,
    role TEXT NOT NULL,
    seat TEXT NOT NULL,
    duties TEXT NOT NULL,
    admitted_wall_ms INTEGER NOT NULL,
    revoked_wall_ms INTEGER
) STRICT, WITHOUT ROWID
"""
# Which further tables an arbiter's token opens; an older file gets this table when it is opened.
_REACH = """
CREATE TABLE IF NOT EXISTS reach (
    token_sha256 BLOB NOT NULL CHECK (length(token_sha256) = 32),
    "table" TEXT NOT NULL,
    revoked_wall_ms INTEGER,
    PRIMARY KEY (token_sha256, "table")
) STRICT, WITHOUT ROWID
"""


# The seat is that of the admission unless another one is named; an older file gets the column when it is opened.
_SEAT = "ALTER TABLE reach ADD COLUMN as_seat TEXT"
_REACHES = 'INSERT OR REPLACE INTO reach (token_sha256, "table", revoked_wall_ms, as_seat) VALUES (?, ?, NULL, ?)'
STANDS = """a.station NOT IN (SELECT station FROM admissions WHERE "table" = '' AND revoked_wall_ms IS NOT NULL)"""
"""Who lost the whole hall has lost all of it, also what another server gave at the same moment."""
_STANDING = (  # of constants alone
    'SELECT a.token_sha256, a."table", station, role, seat, duties, admitted_wall_ms '  # noqa: S608
    f"FROM admissions a WHERE a.revoked_wall_ms IS NULL AND {STANDS} "
    'UNION ALL SELECT a.token_sha256, r."table", station, role, COALESCE(as_seat, seat), duties, '
    "admitted_wall_ms "
    f"FROM admissions a JOIN reach r USING (token_sha256) WHERE r.revoked_wall_ms IS NULL AND {STANDS}"
)


def open_admissions(path: Path) -> Admissions:
    """Return the admissions in a file. Blocks for some ms: call it before the loop or in a thread. Raises Complaint."""
    return Admissions(AdmissionsFile.open(path))


class AdmissionsFile:
    """File of the admissions; each change is on disk when the method returns."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Use `AdmissionsFile.open`; the connection here is already open."""
        self._connection = connection
        self._connection.text_factory = lambda raw: raw.decode("utf-8", "replace")  # one damaged name is no reason
        self.unread: tuple[str, ...] = ()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Make the file (mode 0600) or read it.

        Raises:
            Complaint: the file cannot be opened, is damaged, or is of a newer program.
        """
        try:
            make_private(path)
            connection = connect_writer(path)
            connection.execute("PRAGMA wal_autocheckpoint = 100")
        except OSError as wrong:
            raise Complaint(Phrase("files.unwritten", place=path, why=wrong.strerror)) from wrong
        except (sqlite3.Error, UnicodeError) as wrong:
            raise _unreadable(path, wrong) from wrong
        try:
            _make_or_check(connection, path)
            sync_folder(path.parent)
            made = cls(connection)
            made.load()
            return made
        except (sqlite3.Error, msgspec.MsgspecError, UnicodeError) as wrong:
            connection.close()
            raise _unreadable(path, wrong) from wrong
        except BaseException:
            connection.close()
            raise

    def load(self) -> tuple[list[tuple[bytes, Admission]], bool]:
        """Return the admissions in force, by the hash of their token, and whether anybody was ever admitted."""
        ever = self._connection.execute("SELECT 1 FROM admissions LIMIT 1").fetchone() is not None
        found, self.unread = admissions_in(self._connection.execute(_STANDING))
        return found, ever

    def admit(self, key: bytes, admission: Admission) -> None:
        """Keep an admission. Raises TokenKnown or JournalFailed."""
        duties = msgspec.json.encode(admission.duties).decode()
        row = (key, admission.table, admission.station, admission.role, admission.seat, duties)
        self._execute("INSERT INTO admissions VALUES (?, ?, ?, ?, ?, ?, ?, NULL)", (*row, admission.admitted_wall_ms))

    def reach(self, key: bytes, table: str, seat: str | None) -> None:
        """Let a token open one more table, there with another seat if it is named. Raises JournalFailed."""
        self._execute(_REACHES, (key, table, seat))

    def revoke(self, table: str, station: str, wall_ms: int) -> None:
        """Take away what a station was admitted to at a table. Raises JournalFailed."""
        self._execute(
            'UPDATE admissions SET revoked_wall_ms = ? WHERE "table" = ? AND station = ? AND revoked_wall_ms IS NULL',
            (wall_ms, table, station),
        )
        self._execute(
            'UPDATE reach SET revoked_wall_ms = ? WHERE "table" = ? AND revoked_wall_ms IS NULL '
            "AND token_sha256 IN (SELECT token_sha256 FROM admissions WHERE station = ?)",
            (wall_ms, table, station),
        )

    def revoke_everywhere(self, station: str, wall_ms: int) -> None:
        """Take away all that a station was admitted to. Raises JournalFailed."""
        self._execute(
            "UPDATE admissions SET revoked_wall_ms = ? WHERE station = ? AND revoked_wall_ms IS NULL",
            (wall_ms, station),
        )
        self._execute(
            "UPDATE reach SET revoked_wall_ms = ? WHERE revoked_wall_ms IS NULL "
            "AND token_sha256 IN (SELECT token_sha256 FROM admissions WHERE station = ?)",
            (wall_ms, station),
        )

    def version(self) -> object:
        """Return a number that is another one once another process has written. Raises JournalFailed."""
        try:
            return self._connection.execute("PRAGMA data_version").fetchone()
        except sqlite3.Error as wrong:
            raise JournalFailed(Phrase("admissions.unwritten", why=wrong)) from wrong

    def delete(self, table: str) -> None:
        """Delete every admission to a table that is deleted itself. Raises JournalFailed."""
        self._execute('DELETE FROM admissions WHERE "table" = ?', (table,))
        self._execute('DELETE FROM reach WHERE "table" = ?', (table,))

    def counts(self) -> tuple[int, int]:
        """Return how many devices were ever admitted, and how many of them were sent away. Raises JournalFailed."""
        try:
            row = self._connection.execute("SELECT count(*), count(revoked_wall_ms) FROM admissions").fetchone()
            return int(row[0]), int(row[1])
        except sqlite3.Error as wrong:
            raise JournalFailed(Phrase("admissions.unwritten", why=wrong)) from wrong

    def close(self) -> None:
        """Close the file; it may be closed twice."""
        self._connection.close()

    def _execute(self, statement: str, values: tuple[object, ...]) -> None:
        try:
            self._connection.execute(statement, values)
        except sqlite3.IntegrityError as wrong:
            raise TokenKnown from wrong
        except sqlite3.Error as wrong:
            raise JournalFailed(Phrase("admissions.unwritten", why=wrong)) from wrong


def _make_or_check(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application == 0 and objects == 0:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_TABLES)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORM}")
        connection.execute("COMMIT")
    elif application != APPLICATION_ID or form > FORM:
        raise Complaint(Phrase("admissions.unknown_form", file=path))
    connection.execute(_REACH)
    if "as_seat" not in {row[1] for row in connection.execute("PRAGMA table_info(reach)")}:
        connection.execute(_SEAT)


def _unreadable(path: Path, wrong: Exception) -> Complaint:
    kind = Complaint if isinstance(wrong, sqlite3.OperationalError) else Damaged  # that is a lock, or a full disk
    return kind(f"The admissions {path} cannot be read ({wrong}): move the file away and admit the stations again.")
