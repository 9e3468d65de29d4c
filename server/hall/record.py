"""This module opens the record of a hall: files of SQLite in the data folder, or a database of PostgreSQL.

On PostgreSQL one server at a time leads a hall. Another may stand by; it takes the hall over when the first ends or has
been silent for three seconds.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from server.journal.admissions import Admissions
from server.journal.admissions_file import open_admissions
from server.journal.failure import JournalFailed
from server.journal.journal import Journal
from server.journal.reader import JournalReader
from server.journal.reserve import Reserve
from server.journal.store import Reader
from server.machine.data_folder import DataFolder, chosen_folder
from speech.complaint import Complaint

if TYPE_CHECKING:
    from server.journal.postgresql.database import Database
    from server.journal.postgresql.leases import Leases

RECORD_VARIABLE = "ANNA_EINS_RECORD"
"""The variable of the environment that names a record, so that its password stands in no list of processes."""
LOOK_S = 0.25
"""Seconds between two looks of a server that stands by."""
PATIENCE = 16
"""Looks for which another server that may live is waited for: longer than a lease lasts."""


@dataclass
class Record:
    """This is the record of a hall, open to be written; `leases` is None where it lies in the data folder."""

    journal: Journal
    admissions: Admissions
    leases: Leases | None = None

    async def close(self) -> None:
        """Close both; another server may then lead the hall at once."""
        await self.journal.close()
        await self.admissions.close()


async def open_record(
    data: DataFolder,
    address: str = "",
    reserve: Reserve | None = None,
    *,
    standby: bool = False,
    told: Callable[[str], None] = lambda text: None,
) -> Record:
    """Open the record of a hall, in the data folder or, with an address, on PostgreSQL.

    `standby`: wait until no other server leads the hall; `told` hears that this server waits. Raises Complaint: the
    record cannot be used, or another server leads the hall.
    """
    if address:
        return await _open_database(address, standby=standby, told=told)
    journal = await asyncio.to_thread(Journal.open, data.journal, reserve=reserve)
    try:
        return Record(journal, await asyncio.to_thread(open_admissions, data.admissions))
    except BaseException:
        await journal.close()
        raise


def is_address(named: str) -> bool:
    """Say whether this names a database rather than a folder."""
    return "://" in named


def reader_of(data: Path | None, address: str = "") -> Reader:
    """Return what reads a record; a server may be writing it.

    `data`: the folder that was named; without one an address counts, that of `ANNA_EINS_RECORD` too. Raises Complaint.
    """
    address = address or ("" if data is not None else os.environ.get(RECORD_VARIABLE, ""))
    if not address:
        return JournalReader.open(chosen_folder(data) / "journal.sqlite")
    database = database_of(address)
    from server.journal.postgresql.reader import PostgresReader

    return PostgresReader.open(database)


def database_of(address: str) -> Database:
    """Return the database of an address. Raises Complaint where it is none, or what is needed is not installed."""
    try:
        from server.journal.postgresql.database import Database
    except ImportError as wrong:
        raise Complaint(
            "The record on PostgreSQL needs the package psycopg, which is not installed: "
            "python -m pip install 'anna-eins[postgresql]'."
        ) from wrong
    return Database(address)


async def _open_database(address: str, *, standby: bool, told: Callable[[str], None]) -> Record:
    database = database_of(address)
    from server.journal.postgresql.admissions import AdmissionRows
    from server.journal.postgresql.schema import check
    from server.journal.postgresql.store import PostgresStore

    await asyncio.to_thread(check, database)
    leases = await _led_hall(database, standby=standby, told=told)
    journal = Journal(PostgresStore(database, leases))
    try:
        for table in await journal.tables():
            if not await asyncio.to_thread(leases.take, table):
                raise Complaint(f"Another server leads table {table} of {database.shown}.")
        return Record(journal, await asyncio.to_thread(partial(Admissions, AdmissionRows(database))), leases)
    except JournalFailed as wrong:
        await journal.close()
        raise Complaint(f"The record {database.shown} cannot be taken up: {wrong}") from wrong
    except BaseException:
        await journal.close()
        raise


async def _led_hall(database: Database, *, standby: bool, told: Callable[[str], None]) -> Leases:
    """Become the one server that leads this hall. Raises Complaint where another does and this one does not wait."""
    from server.journal.postgresql.leases import Leases

    leases, looks, patience = Leases(database), 0, 0
    try:
        while True:
            try:
                if patience:
                    await asyncio.to_thread(leases.others)
                    patience -= 1
                elif await asyncio.to_thread(leases.lead_hall):
                    return leases
            except JournalFailed as wrong:
                if not standby:
                    raise Complaint(f"The record {database.shown} cannot be opened: {wrong}") from wrong
                patience = PATIENCE  # when it is back, the server that leads has time to say that it lives
            if standby and not looks:
                told(f"Standing by: another server leads the hall of {database.shown}.")
            looks += 1
            if looks > PATIENCE and not standby:
                raise Complaint(
                    f"Another server leads the hall of {database.shown}: end it first, or start with --standby to take "
                    "over when it fails."
                )
            await asyncio.sleep(LOOK_S)
    except BaseException:
        leases.close()
        raise
