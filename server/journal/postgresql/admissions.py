"""The admissions in the database of the record, so that every server of a hall knows the stations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import psycopg

from server.journal.admissions import Admission, TokenKnown, admissions_in
from server.journal.admissions_file import STANDS
from server.journal.failure import JournalFailed, LedElsewhere
from server.journal.postgresql.database import ANSWER_S, Database, Sockets, in_short
from server.journal.postgresql.leases import CHANNEL, Leases
from speech.complaint import Phrase

_ADMITS = "INSERT INTO admissions VALUES (%s, %s, %s, %s, %s, %s, %s, NULL)"
_REACHES = (
    'INSERT INTO reach (token_sha256, "table", as_seat) VALUES (%s, %s, %s) '
    'ON CONFLICT (token_sha256, "table") DO UPDATE SET revoked_wall_ms = NULL, as_seat = EXCLUDED.as_seat'
)
_STANDING = (
    'SELECT token_sha256, "table", station, role, seat, duties, admitted_wall_ms '
    f"FROM admissions a WHERE revoked_wall_ms IS NULL AND {STANDS} "
    'UNION ALL SELECT token_sha256, r."table", station, role, coalesce(as_seat, seat), duties, admitted_wall_ms '
    f"FROM admissions a JOIN reach r USING (token_sha256) WHERE r.revoked_wall_ms IS NULL AND {STANDS}"
)

_REVOKES = 'UPDATE admissions SET revoked_wall_ms = %s WHERE "table" = %s AND station = %s AND revoked_wall_ms IS NULL'
_REVOKES_REACH = (
    'UPDATE reach SET revoked_wall_ms = %s WHERE "table" = %s AND revoked_wall_ms IS NULL '
    "AND token_sha256 IN (SELECT token_sha256 FROM admissions WHERE station = %s)"
)
_REVOKES_EVERYWHERE = "UPDATE admissions SET revoked_wall_ms = %s WHERE station = %s AND revoked_wall_ms IS NULL"
_REVOKES_EVERY_REACH = (
    "UPDATE reach SET revoked_wall_ms = %s WHERE revoked_wall_ms IS NULL "
    "AND token_sha256 IN (SELECT token_sha256 FROM admissions WHERE station = %s)"
)
_VERSION = (
    "SELECT count(*), count(revoked_wall_ms), "
    "(SELECT count(*) FROM reach), (SELECT count(revoked_wall_ms) FROM reach) FROM admissions"
)
_STANDS = b"SELECT 1 FROM servers WHERE number = %s AND NOT ended FOR SHARE"
Work = Callable[[psycopg.Connection[tuple[Any, ...]]], list[tuple[Any, ...]]]


class AdmissionRows:
    """Admissions of a hall, in its database; each change is on disk when the method returns."""

    def __init__(self, database: Database, leases: Leases | None = None) -> None:
        """Take a database that `check_database` has seen. `leases`: of the server that this is for; None only reads."""
        self._leases = leases
        self._database = database
        self._sockets = Sockets()
        self.unread: tuple[str, ...] = ()
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None

    def load(self) -> tuple[list[tuple[bytes, Admission]], bool]:
        """Return the admissions in force, by the hash of their token, and whether anybody was ever admitted."""
        ever = bool(self._ask("SELECT 1 FROM admissions LIMIT 1"))
        found, self.unread = admissions_in(self._ask(_STANDING))
        return found, ever

    def admit(self, key: bytes, admission: Admission) -> None:
        """Keep an admission. Raises TokenKnown."""
        duties = msgspec.json.encode(admission.duties).decode()
        row = (key, admission.table, admission.station, admission.role, admission.seat, duties)
        self._write_changes((_ADMITS, (*row, admission.admitted_wall_ms)))

    def reach(self, key: bytes, table: str, seat: str | None) -> None:
        """Let a token open one more table, there with another seat if it is named."""
        self._write_changes((_REACHES, (key, table, seat)))

    def revoke(self, table: str, station: str, wall_ms: int) -> None:
        """Take away what a station was admitted to at a table."""
        whose = (wall_ms, table, station)
        self._write_changes((_REVOKES, whose), (_REVOKES_REACH, whose))

    def revoke_everywhere(self, station: str, wall_ms: int) -> None:
        """Take away all that a station was admitted to, at every table and in the hall."""
        whose = (wall_ms, station)
        self._write_changes((_REVOKES_EVERYWHERE, whose), (_REVOKES_EVERY_REACH, whose))

    def version(self) -> object:
        """Return how much was ever admitted and revoked: another value once anybody has written."""
        return self._ask(_VERSION)

    def counts(self) -> tuple[int, int]:
        """Return how many devices were ever admitted, and how many of them were sent away."""
        ((admitted, gone),) = self._ask("SELECT count(*), count(revoked_wall_ms) FROM admissions")
        return int(admitted), int(gone)

    def close(self) -> None:
        """Close the connection; it may be closed twice."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._sockets.drop(connection)

    def _write_changes(self, *statements: tuple[str, tuple[object, ...]]) -> None:
        """Write all of this in one transaction, unless this server was declared ended, and let the others hear of it.

        That is the fence of the admissions: a server that slept while another took its tables over admits nobody any
        more, and sends nobody away. Raises LedElsewhere then.
        """

        def write(connection: psycopg.Connection[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
            with connection.transaction():
                if self._leases is not None and connection.execute(_STANDS, (self._leases.server,)).fetchone() is None:
                    raise LedElsewhere("Other servers hold this one for dead; nobody was admitted or sent away.")
                for statement, values in statements:
                    connection.execute(statement.encode(), values)
                connection.execute(f"NOTIFY {CHANNEL}".encode())
            return []

        self._again(write)

    def _ask(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        return self._again(lambda connection: connection.execute(question.encode(), values).fetchall())

    def _again(self, work: Work) -> list[tuple[Any, ...]]:
        """Do it; where the connection broke since the last time, do it once more on a new one."""
        kept = self._connection is not None
        try:
            return self._try_work(work)
        except LedElsewhere:
            raise
        except JournalFailed:
            if not kept:
                raise
        return self._try_work(work)

    def _try_work(self, work: Work) -> list[tuple[Any, ...]]:
        try:
            if self._connection is None:
                self._connection = self._database.connect()
                self._sockets.add(self._connection)
            with self._sockets.within(ANSWER_S):
                return work(self._connection)
        except psycopg.IntegrityError as wrong:
            raise TokenKnown from wrong
        except psycopg.Error as wrong:
            self.close()
            raise JournalFailed(Phrase("admissions.unwritten", why=in_short(wrong))) from wrong
