"""The record of a hall is copied from one database to the other, and both are compared.

A server may go on writing the first meanwhile. The same copy may be made again later: it adds what came since, and so a
hall is moved with only the last seconds of it standing still.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from server.hall.record import Record, is_address, open_record, reader_of
from server.journal.chain import last_link
from server.journal.entry import Entry, Outcome
from server.journal.failure import CommandRepeated, JournalFailed
from server.journal.store import RecordReader
from server.machine.data_folder import DataFolder
from server.machine.tasks import lasting
from speech.complaint import Complaint, Phrase, told_by

if TYPE_CHECKING:
    from server.journal.postgresql.leases import Leases

AT_ONCE = 500
"""Commands whose answers are awaited together."""


class CopiedTable(msgspec.Struct, frozen=True):
    """Table as it stands in both records."""

    table: str
    events: int
    added: int
    """How many of them this copy added."""
    last: str
    """Its last link, the same in both."""


async def copy_record(source: str, target: str) -> list[CopiedTable]:
    """Copy all tables, answers, witnesses and admissions, and prove that both records are equal.

    Raises Complaint: one of them cannot be used, the second holds something else, or they are not equal.
    """
    if is_address(source) and is_address(target) and source == target:
        raise Complaint(Phrase("copying.name_two"))
    try:
        with reader_of(None if is_address(source) else Path(source), source if is_address(source) else "") as reader:
            if is_address(target):
                return await _copy_tables(reader, source, await open_record(DataFolder(Path()), target))
            with DataFolder.open(Path(target), lock=True) as data:
                return await _copy_tables(reader, source, await open_record(data))
    except JournalFailed as wrong:
        raise Complaint(Phrase("copying.unfinished", why=told_by(wrong))) from wrong


async def _copy_tables(reader: RecordReader, source: str, record: Record) -> list[CopiedTable]:
    leading = None if record.leases is None else lasting("The lease of the hall", partial(_lead_on, record.leases))
    try:
        tables = reader.tables()  # before the answers: no event is copied without its answer
        outcomes = {one.command: one for one in reader.outcomes()}
        known = {run.run for run in await record.journal.runs()}
        for run in reader.runs():
            if run.run not in known:
                await record.journal.begin_run(run)
        done = [await _copy_table(reader, record, table, outcomes) for table in tables]
        await _copy_answers(record, [one for one in outcomes.values() if one.table])
        await _copy_witnesses(reader, record)
        await _copy_admissions(source, record)
        for one in outcomes.values():
            if await record.journal.outcome_of(one.command) != one:
                raise Complaint(Phrase("copying.unlike_answer", command=one.command))
        return done
    finally:
        if leading is not None:
            leading.cancel()
            await asyncio.gather(leading, return_exceptions=True)
        await record.close()


async def _lead_on(leases: Leases) -> None:
    """Renew the lease of the hall while it is copied, so that no server takes it over before the copy is done.

    Where the database does not answer, or another server was quicker, the copy itself fails.
    """
    while True:
        with contextlib.suppress(JournalFailed):
            await asyncio.to_thread(leases.renew)
        await asyncio.sleep(leases.again_ms / 1000)


async def _copy_table(reader: RecordReader, record: Record, table: str, outcomes: dict[str, Outcome]) -> CopiedTable:
    entries, chain = reader.record(table)
    if chain.wrong:
        raise Complaint(Phrase("copying.not_whole", table=table, why=chain.wrong))
    before = await record.journal.read(table)
    if before != entries[: len(before)]:
        raise Complaint(Phrase("copying.other_table", table=table))
    groups = _by_command(entries[len(before) :])
    for at in range(0, len(groups), AT_ONCE):
        await asyncio.gather(
            *(record.journal.append(group, outcomes.get(group[0].command)) for group in groups[at : at + AT_ONCE])
        )
    _, there = await record.journal.record(table)
    if (there.last, there.events, there.wrong) != (last_link(entries), len(entries), ""):
        raise Complaint(Phrase("copying.unlike_events", table=table, there=there.events, of=len(entries)))
    return CopiedTable(table, there.events, len(entries) - len(before), there.last)


def _by_command(entries: Sequence[Entry]) -> list[list[Entry]]:
    groups: list[list[Entry]] = []
    for entry in entries:
        if groups and entry.command and groups[-1][0].command == entry.command:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return groups


async def _copy_answers(record: Record, outcomes: Sequence[Outcome]) -> None:
    """Copy the answers of commands that led to no event; the others are there."""
    for at in range(0, len(outcomes), AT_ONCE):
        answers = await asyncio.gather(
            *(record.journal.append([], one) for one in outcomes[at : at + AT_ONCE]), return_exceptions=True
        )
        for answer in answers:
            if answer is not None and not isinstance(answer, CommandRepeated):
                raise answer


async def _copy_witnesses(reader: RecordReader, record: Record) -> None:
    last: dict[str, int] = {}
    for one in reader.witnesses():
        if one.run not in last:
            there = await record.journal.last_witness(one.run)
            last[one.run] = -1 if there is None else there.mono_ms
        if one.mono_ms > last[one.run]:
            await record.journal.witness(one.run, one.mono_ms, one.wall_ms)


async def _copy_admissions(source: str, record: Record) -> None:
    if is_address(source):
        from server.hall.record import database_of
        from server.journal.postgresql.admissions import AdmissionRows

        rows = AdmissionRows(database_of(source))
        standing, _ = rows.load()
        rows.close()
    else:
        from server.journal.admissions_file import AdmissionsFile

        path = DataFolder(Path(source)).admissions
        if not path.is_file():
            return
        file = AdmissionsFile.open(path)
        standing, _ = file.load()
        file.close()
    await record.admissions.adopt(standing)
