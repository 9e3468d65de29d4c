"""This module keeps which station may do what: tokens as hashes in a small file of their own.

Tokens are never in the event journal.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import sqlite3
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

import msgspec

from server.journal.failure import JournalFailed
from server.journal.schema import Damaged, connect_writer, make_private, sync_folder
from speech.complaint import Complaint

APPLICATION_ID = 0x416E6E62
FORM = 1

_TOKEN = re.compile(r"[0-9a-f]{32}")
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


class Admission(msgspec.Struct, frozen=True):
    """An `Admission` says what the arbiter admitted a station to."""

    table: str
    """'' where it is that of the hall's arbiter, who opens tables; each table that this arbiter opens adds one more."""
    station: str
    role: str
    """`tactile`, `sighted`, `assistant`, `arbiter` or `display`."""
    seat: str
    """`white`, `black`, or '' where the station belongs to no seat."""
    duties: tuple[str, ...]
    """What an assistant may do, by article (`D.2.10.1` ...); empty for other roles."""
    admitted_wall_ms: int


def new_token() -> str:
    """Return a fresh token: 128 random bits as 32 hex digits.

    It goes into the station's cookie and nowhere else.
    """
    return secrets.token_hex(16)


def hash_of(token: str) -> bytes:
    """Return the SHA-256 under which a token is kept; empty for text that is no token at all."""
    return hashlib.sha256(bytes.fromhex(token)).digest() if _TOKEN.fullmatch(token) else b""


class Admissions:
    """The `Admissions` are all that stations were admitted to, by token.

    Looking up reads memory only; admitting and revoking are on disk before they return.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use `Admissions.open`; the connection here is already open."""
        self.path = path
        self._connection = connection
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="admissions")
        self._standing: dict[bytes, tuple[Admission, ...]] = {}
        self._ever = connection.execute("SELECT 1 FROM admissions LIMIT 1").fetchone() is not None
        for row in connection.execute(
            'SELECT a.token_sha256, a."table", station, role, seat, duties, admitted_wall_ms '
            "FROM admissions a WHERE a.revoked_wall_ms IS NULL "
            'UNION ALL SELECT a.token_sha256, r."table", station, role, COALESCE(as_seat, seat), duties, '
            "admitted_wall_ms "
            "FROM admissions a JOIN reach r USING (token_sha256) WHERE r.revoked_wall_ms IS NULL"
        ):
            duties = msgspec.json.decode(row[5], type=tuple[str, ...])
            one = Admission(row[1], row[2], row[3], row[4], duties, row[6])
            self._standing[row[0]] = (*self._standing.get(row[0], ()), one)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Make the file (mode 0600) or read it. Blocks for some ms: call it before the loop or in a thread.

        Raises:
            Complaint: the file cannot be opened, is damaged, or is of a newer program.
        """
        try:
            make_private(path)
            connection = connect_writer(path)
            connection.execute("PRAGMA wal_autocheckpoint = 100")
        except OSError as wrong:
            raise Complaint(f"The admissions {path} cannot be opened for writing ({wrong.strerror}).") from wrong
        except (sqlite3.Error, UnicodeError) as wrong:
            raise _unreadable(path, wrong) from wrong
        try:
            _make_or_check(connection, path)
            sync_folder(path.parent)
            return cls(path, connection)
        except (sqlite3.Error, msgspec.MsgspecError, UnicodeError) as wrong:
            connection.close()
            raise _unreadable(path, wrong) from wrong
        except BaseException:
            connection.close()
            raise

    def admission_of(self, token: str) -> Admission | None:
        """Return what this token is admitted to, or None.

        None stands for an unknown or revoked token, and for text that is no token.
        """
        return next(iter(self.admissions_of(token)), None)

    def admissions_of(self, token: str) -> tuple[Admission, ...]:
        """Return all that this token is admitted to: one table, or those of an arbiter of several."""
        return self._standing.get(hash_of(token), ())

    def of_table(self, table: str) -> list[Admission]:
        """Return the standing admissions of one table, by station."""
        found = (one for all_of_it in self._standing.values() for one in all_of_it if one.table == table)
        return sorted(found, key=lambda one: one.station)

    def tables(self) -> frozenset[str] | None:
        """Return the tables that a standing admission opens; None in a folder where nobody was ever admitted."""
        if not self._ever:
            return None
        return frozenset(one.table for all_of_it in self._standing.values() for one in all_of_it if one.table)

    async def admit(self, token: str, admission: Admission) -> None:
        """Keep an admission; the token works once this returns.

        Raises:
            ValueError: the token is not 32 hex digits, or was admitted before.
            JournalFailed: the disk failed; the token does not work.
        """
        key = hash_of(token)
        if not key:
            raise ValueError("a token is 32 hex digits")
        duties = msgspec.json.encode(admission.duties).decode()
        row = (key, admission.table, admission.station, admission.role, admission.seat, duties)
        try:
            await self._execute(
                "INSERT INTO admissions VALUES (?, ?, ?, ?, ?, ?, ?, NULL)", (*row, admission.admitted_wall_ms)
            )
        except sqlite3.IntegrityError as wrong:
            raise ValueError("this token was admitted before") from wrong
        self._standing[key] = (admission,)
        self._ever = True

    async def extend(self, token: str, table: str) -> None:
        """Let the token open one more table; it does so once this returns.

        Raises:
            ValueError: nothing stands under this token.
            JournalFailed: the disk failed; the token does not open it.
        """
        key = hash_of(token)
        standing = self._standing.get(key, ())
        if not standing:
            raise ValueError("this token is not admitted")
        if any(one.table == table for one in standing):
            return
        await self._execute(_REACHES, (key, table, None))
        self._standing[key] = (*self._standing.get(key, ()), msgspec.structs.replace(standing[0], table=table))

    async def carry(self, table: str, to: str, seats: Mapping[str, str]) -> None:
        """Let every token that opens one table open another too, for the new game of a cancelled one (7.2.1).

        `seats`: the seat that a station of each seat has at the other table; a seat that is not named stays the same.
        Raises JournalFailed.
        """
        for key, standing in tuple(self._standing.items()):
            one = next((one for one in standing if one.table == table), None)
            if one is None or any(other.table == to for other in standing):
                continue
            seat = seats.get(one.seat, one.seat)
            await self._execute(_REACHES, (key, to, seat))
            there = msgspec.structs.replace(one, table=to, seat=seat)
            self._standing[key] = (*self._standing.get(key, ()), there)

    async def revoke(self, table: str, station: str, wall_ms: int) -> int:
        """Take away every admission of a station at this table, and return how many there were.

        They are gone from memory at once and from the disk before this returns. What the same token opens elsewhere
        stays.

        Raises:
            JournalFailed: the disk failed; the tokens stay refused while this process lives, but not after a restart.
        """
        gone = 0
        for key, standing in tuple(self._standing.items()):
            left = tuple(one for one in standing if (one.table, one.station) != (table, station))
            gone += len(standing) - len(left)
            if left:
                self._standing[key] = left
            else:
                del self._standing[key]
        await self._execute(
            'UPDATE admissions SET revoked_wall_ms = ? WHERE "table" = ? AND station = ? AND revoked_wall_ms IS NULL',
            (wall_ms, table, station),
        )
        await self._execute(
            'UPDATE reach SET revoked_wall_ms = ? WHERE "table" = ? AND revoked_wall_ms IS NULL '
            "AND token_sha256 IN (SELECT token_sha256 FROM admissions WHERE station = ?)",
            (wall_ms, table, station),
        )
        return gone

    async def close(self) -> None:
        """Close the file; it may be closed twice."""
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.to_thread(self._connection.close)

    async def _execute(self, statement: str, values: tuple[object, ...]) -> None:
        def run() -> None:
            try:
                self._connection.execute(statement, values)
            except sqlite3.IntegrityError:
                raise
            except sqlite3.Error as wrong:
                raise JournalFailed(f"The admissions could not be written ({wrong}).") from wrong

        await asyncio.get_running_loop().run_in_executor(self._thread, run)


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
        raise Complaint(
            f"{path} is not an admissions file this Anna Eins can read: start the newer program, or move the file "
            "away and admit the stations again."
        )
    connection.execute(_REACH)
    if "as_seat" not in {row[1] for row in connection.execute("PRAGMA table_info(reach)")}:
        connection.execute(_SEAT)


def _unreadable(path: Path, wrong: Exception) -> Complaint:
    kind = Complaint if isinstance(wrong, sqlite3.OperationalError) else Damaged  # that is a lock, or a full disk
    return kind(f"The admissions {path} cannot be read ({wrong}): move the file away and admit the stations again.")
