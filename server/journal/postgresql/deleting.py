"""A table is deleted from the database of the record by the role that owns it, while no server of the hall runs."""

from __future__ import annotations

import psycopg
from psycopg import errors

from server.journal.chain import last_link
from server.journal.entry import Entry
from server.journal.postgresql.database import Database, complaint
from server.journal.postgresql.reader import SELECT_EVENTS
from server.journal.postgresql.schema import check_database
from speech.complaint import Complaint, Phrase

ALIVE = (
    "SELECT 1 FROM servers WHERE NOT ended AND renewed BETWEEN clock_timestamp() - interval '10 seconds' "
    "AND clock_timestamp() + interval '1 minute' LIMIT 1"
)
_COUNTS = "SELECT count(*), count(revoked_wall_ms) FROM admissions"
REFUSING = ("events", "outcomes")
GONE_TOO = ("admissions", "reach")


def delete_table(database: Database, table: str) -> tuple[int, str, tuple[int, int]]:
    """Delete a table for good; return how many events it had, its last link, and how many were admitted and sent away.

    Its lease stays with a higher number, so that a server that sleeps writes nothing of it. Raises Complaint: there is
    no such table, a server runs, or this role does not own the record; then nothing is deleted.
    """
    check_database(database, reading=True)
    try:
        with database.connect() as connection:
            with connection.transaction():
                for name in REFUSING:  # refused to everybody but the owner; in force again with the same commit
                    connection.execute(f"ALTER TABLE {name} DISABLE TRIGGER only_added_to".encode())
                if connection.execute(ALIVE.encode()).fetchone() is not None:
                    raise Complaint(Phrase("record.led_by_other", record=database.shown))
                rows = connection.execute(SELECT_EVENTS.encode(), (table, 0)).fetchall()
                if not rows:
                    raise Complaint(Phrase("no_such_table", name=table))
                link = last_link(Entry(*row) for row in rows)
                connection.execute('UPDATE leases SET fence = fence + 1 WHERE "table" = %s', (table,))
                for name in (*REFUSING, *GONE_TOO):
                    connection.execute(f'DELETE FROM {name} WHERE "table" = %s'.encode(), (table,))
                for name in REFUSING:
                    connection.execute(f"ALTER TABLE {name} ENABLE TRIGGER only_added_to".encode())
                counted = connection.execute(_COUNTS.encode()).fetchone()
            connection.execute(f"VACUUM FULL {', '.join((*REFUSING, *GONE_TOO))}".encode())  # out of its files too
    except errors.InsufficientPrivilege as wrong:
        raise Complaint(Phrase("record.owner_deletes", record=database.shown)) from wrong
    except psycopg.Error as wrong:
        raise complaint(database, wrong) from wrong
    admitted, gone = counted or (0, 0)
    return len(rows), link, (int(admitted), int(gone))
