"""This module keeps the admissions in the database of the record, so that every server of a hall knows the stations."""

from __future__ import annotations

from typing import Any

import msgspec
import psycopg

from server.journal.admissions import Admission, TokenKnown
from server.journal.failure import JournalFailed
from server.journal.postgresql.database import ANSWER_S, Database, Sockets, in_short

_ADMITS = "INSERT INTO admissions VALUES (%s, %s, %s, %s, %s, %s, %s, NULL)"
_REACHES = (
    'INSERT INTO reach (token_sha256, "table", as_seat) VALUES (%s, %s, %s) '
    'ON CONFLICT (token_sha256, "table") DO UPDATE SET revoked_wall_ms = NULL, as_seat = EXCLUDED.as_seat'
)
_STANDING = (
    'SELECT token_sha256, "table", station, role, seat, duties, admitted_wall_ms '
    "FROM admissions WHERE revoked_wall_ms IS NULL "
    'UNION ALL SELECT token_sha256, r."table", station, role, coalesce(as_seat, seat), duties, admitted_wall_ms '
    "FROM admissions JOIN reach r USING (token_sha256) WHERE r.revoked_wall_ms IS NULL"
)


class AdmissionRows:
    """These are the admissions of a hall in its database; what it is told is on disk when the method returns."""

    def __init__(self, database: Database, server: int | None = None) -> None:
        """Take a database that `check` has seen. `server`: for which this is; None only reads."""
        self._server = server
        self._database = database
        self._sockets = Sockets()
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None

    def load(self) -> tuple[list[tuple[bytes, Admission]], bool]:
        """Return what stands, by the hash of its token, and whether anybody was ever admitted."""
        ever = bool(self._asked("SELECT 1 FROM admissions LIMIT 1"))
        return [
            (key, Admission(table, station, role, seat, msgspec.json.decode(duties, type=tuple[str, ...]), wall_ms))
            for key, table, station, role, seat, duties, wall_ms in self._asked(_STANDING)
        ], ever

    def admit(self, key: bytes, admission: Admission) -> None:
        """Keep an admission. Raises TokenKnown."""
        duties = msgspec.json.encode(admission.duties).decode()
        row = (key, admission.table, admission.station, admission.role, admission.seat, duties)
        self._asked(_ADMITS, *row, admission.admitted_wall_ms)

    def reach(self, key: bytes, table: str, seat: str | None) -> None:
        """Let a token open one more table, there with another seat if it is named."""
        self._asked(_REACHES, key, table, seat)

    def revoke(self, table: str, station: str, wall_ms: int) -> None:
        """Take away what a station was admitted to at a table."""
        self._asked(
            'UPDATE admissions SET revoked_wall_ms = %s WHERE "table" = %s AND station = %s '
            "AND revoked_wall_ms IS NULL",
            *(wall_ms, table, station),
        )
        self._asked(
            'UPDATE reach SET revoked_wall_ms = %s WHERE "table" = %s AND revoked_wall_ms IS NULL '
            "AND token_sha256 IN (SELECT token_sha256 FROM admissions WHERE station = %s)",
            *(wall_ms, table, station),
        )

    def close(self) -> None:
        """Close the connection; it may be closed twice."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._sockets.drop(connection)

    def _asked(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask; where the connection broke since the last question, ask once more on a new one."""
        kept = self._connection is not None
        try:
            return self._tried(question, values)
        except JournalFailed:
            if not kept:
                raise
        return self._tried(question, values)

    def _tried(self, question: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        try:
            if self._connection is None:
                self._connection = self._database.connect()
                self._sockets.add(self._connection)
            with self._sockets.within(ANSWER_S):
                cursor = self._connection.execute(question.encode(), values)
                return cursor.fetchall() if cursor.description is not None else []
        except psycopg.IntegrityError as wrong:
            raise TokenKnown from wrong
        except psycopg.Error as wrong:
            self.close()
            raise JournalFailed(f"The admissions could not be written ({in_short(wrong)}).") from wrong
