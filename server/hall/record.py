"""Opening the record of a hall: files of SQLite in the data folder, or a database of PostgreSQL.

On PostgreSQL one server at a time leads a hall. Another may stand by; it takes the hall over when the first ends or has
been seen to be silent for two and a half seconds.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from server.game.values.saying import Saying, saying
from server.journal.admissions import Admissions
from server.journal.admissions_file import open_admissions
from server.journal.damage.salvage import Salvaged, put_aside, salvage
from server.journal.failure import JournalFailed
from server.journal.journal import Journal
from server.journal.reserve import ENOUGH_BYTES, LOW_BYTES, Reserve
from server.journal.sqlite.reader import JournalReader
from server.journal.sqlite.schema import Damaged
from server.journal.store import RecordReader
from server.machine.data_folder import DataFolder, chosen_folder
from server.machine.install.adding import command_that_adds
from server.machine.tasks import passing
from speech.complaint import Complaint, Phrase, told_by

if TYPE_CHECKING:
    from server.journal.postgresql.database import Database
    from server.journal.postgresql.leases import Leases

RECORD_VARIABLE = "ANNA_EINS_RECORD"
"""The variable of the environment that names a record, so that its password stands in no list of processes."""
ADMISSIONS_LOST = (
    "The list of admitted devices was damaged and is kept as {kept}: every device has to join and be admitted again."
)
LOOK_S = 0.25
"""Seconds between two looks of a server that stands by."""
PATIENCE = 16
"""Looks for which another server that leads the hall is waited for: longer than a lease lasts."""


@dataclass
class Record:
    """Record of a hall, open to be written; `leases` is None where it lies in the data folder."""

    journal: Journal
    admissions: Admissions
    leases: Leases | None = None
    database: Database | None = None
    """Where servers share the hall, each with its tables: the database that they share it by."""
    found_damaged: tuple[Salvaged, ...] = ()
    """Files that were damaged and are put aside, each with its sentence for the arbiter."""

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
    shares: bool = False,
    told: Callable[[Phrase], None] = lambda phrase: None,
    salvages: bool = False,
) -> Record:
    """Open the record of a hall, in the data folder or, with an address, on PostgreSQL.

    `standby`: wait until no other server leads the hall; `told` hears that this server waits. `shares`: lead tables of
    the hall beside other servers that do so too. `salvages`: where a
    file is damaged, what can be proved whole of it is written anew, and the damaged one put aside. Raises Complaint:
    the record cannot be used, or another server leads the hall.
    """
    if address:
        return await _open_database(address, standby=standby, shares=shares, told=told)
    journal, found = await asyncio.to_thread(_journal_of, data, reserve, salvages)
    try:
        admissions, lost = await asyncio.to_thread(_admissions_of, data, salvages)
        damaged = tuple(one for one in (found, lost) if one is not None)
        return Record(journal, admissions, found_damaged=damaged)
    except BaseException:
        await journal.close()
        raise


def admissions_in(folder: Path, address: str = "") -> Admissions:
    """Return the admissions of a hall, beside the server that may have them open too. Blocks. Raises Complaint."""
    if not address:
        return open_admissions(folder / "admissions.sqlite")
    database = database_of(address)
    from server.journal.postgresql.admissions import AdmissionRows
    from server.journal.postgresql.schema import check_database

    check_database(database)
    try:
        return Admissions(AdmissionRows(database))
    except JournalFailed as wrong:
        raise Complaint(Phrase("record.not_taken_up", why=told_by(wrong))) from wrong


def is_address(named: str) -> bool:
    """Say whether this names a database rather than a folder."""
    return "://" in named


def reader_of(data: Path | None, address: str = "") -> RecordReader:
    """Return a reader of a record; a server may be writing it.

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
        raise Complaint(Phrase("record.no_package", command=command_that_adds("postgresql"))) from wrong
    return Database(address)


def _journal_of(data: DataFolder, reserve: Reserve | None, salvages: bool) -> tuple[Journal, Salvaged | None]:
    """Open the record; of a damaged one, what can be proved whole. Raises Complaint where nothing of it can."""
    try:
        return Journal.open(data.journal, reserve=reserve), None
    except Damaged as wrong:
        if not salvages:
            raise
        try:
            salvaged = salvage(data.journal)
        except (OSError, sqlite3.Error) as failed:
            raise wrong from failed
        if salvaged is None:
            raise
        return Journal.open(data.journal, reserve=reserve), salvaged


def _admissions_of(data: DataFolder, salvages: bool) -> tuple[Admissions, Salvaged | None]:
    """Open the admissions; where they are damaged, nobody is admitted any more. Raises Complaint."""
    try:
        return open_admissions(data.admissions), None
    except Damaged as wrong:
        if not salvages:
            raise
        try:
            kept = put_aside(data.admissions)
        except OSError as failed:
            raise wrong from failed
        return open_admissions(data.admissions), Salvaged(ADMISSIONS_LOST.format(kept=kept))


async def _open_database(address: str, *, standby: bool, shares: bool, told: Callable[[Phrase], None]) -> Record:
    database = database_of(address)
    from server.journal.postgresql.admissions import AdmissionRows
    from server.journal.postgresql.schema import check_database
    from server.journal.postgresql.store import PostgresStore

    await asyncio.to_thread(check_database, database)
    leases = await (_shared_hall(database) if shares else _led_hall(database, standby=standby, told=told))
    journal = Journal(PostgresStore(database, leases))
    try:
        admissions = await asyncio.to_thread(partial(Admissions, AdmissionRows(database, leases)))
        return Record(journal, admissions, leases, database if shares else None)
    except JournalFailed as wrong:
        await journal.close()
        raise Complaint(Phrase("record.not_taken_up", why=told_by(wrong))) from wrong
    except BaseException:
        await journal.close()
        raise


async def _shared_hall(database: Database) -> Leases:
    """Become one of the servers that share this hall. Raises Complaint where one server leads all of it."""
    from server.journal.postgresql.leases import Leases, Settled

    leases, looks = Leases(database), 0
    try:
        while (settled := await asyncio.to_thread(leases.share_hall)) is not Settled.LEADS:
            looks += settled is Settled.LED
            if looks >= PATIENCE:
                raise Complaint(Phrase("record.led_alone", record=database.shown))
            await asyncio.sleep(LOOK_S)
        return leases
    except JournalFailed as wrong:
        leases.close()
        raise Complaint(Phrase("record.unopened", record=database.shown, why=told_by(wrong))) from wrong
    except BaseException:
        leases.close()
        raise


async def _led_hall(database: Database, *, standby: bool, told: Callable[[Phrase], None]) -> Leases:
    """Become the one server that leads this hall. Raises Complaint where another does and this one does not wait."""
    from server.journal.postgresql.leases import Leases, Settled

    leases, looks, said = Leases(database), 0, ""
    try:
        while True:
            try:
                settled = await asyncio.to_thread(leases.lead_hall)
                if settled is Settled.LEADS:
                    return leases
                looks += settled is Settled.LED
                found = Phrase("record.stands_by", record=database.shown) if looks else None
            except JournalFailed as wrong:
                if not standby:
                    raise Complaint(Phrase("record.unopened", record=database.shown, why=told_by(wrong))) from wrong
                found = Phrase("record.stands_by_silent", record=database.shown)
            if standby and found is not None and found.key != said:
                told(found)
                said = found.key
            if looks > PATIENCE and not standby:
                raise Complaint(Phrase("record.led_by_other", record=database.shown))
            await asyncio.sleep(LOOK_S)
    except BaseException:
        leases.close()
        raise


class Room:
    """Watch over the room on the disk of the record, and over the space that is kept back for it.

    `told`: tells the arbiters, on record.
    """

    def __init__(self, reserve: Reserve, told: Callable[[Saying], None]) -> None:
        self._reserve = reserve
        self._tell = told
        self._holding: asyncio.Task[None] | None = None  # the reserve is being made again
        self._told: Saying | None = None  # what the arbiters were last told

    def look(self) -> None:
        """Tell the arbiters when the room on the disk gets scarce, and when the reserve is in use."""
        free = self._reserve.free()
        if self._reserve.given_up and free >= 2 * self._reserve.size and self._holding is None:
            self._holding = passing("The room kept back for the record", self._hold)
        told: Saying | None = None
        if self._reserve.given_up:
            told = saying("disk_full")
        elif free < LOW_BYTES:
            told = saying("disk_low")
        elif free < ENOUGH_BYTES:
            told = self._told  # about as little as before: nothing to tell again
        if told is not None and told != self._told:
            self._tell(told)
        self._told = told

    async def wait_for_reserve(self) -> None:
        """Return once the reserve is no longer being made."""
        if self._holding is not None:
            await self._holding

    async def _hold(self) -> None:
        try:
            await asyncio.to_thread(self._reserve.hold)
        finally:
            self._holding = None
