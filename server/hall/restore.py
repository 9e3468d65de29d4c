"""Tables are taken up from copies on another laptop, before the hall opens.

The data folder must not know these tables yet.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import msgspec

from server.game import acts as cmd
from server.game.values.words import Role
from server.hall.backup import LARGEST_FILE, Restored, open_copy, read_copy
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.hall.record import open_record
from server.journal.failure import JournalFailed
from server.machine.data_folder import DataFolder
from server.machine.tasks import passing
from server.table.table import Observer
from speech.complaint import Complaint, Phrase, told_by

COPIED = "copied"
"""The kind of the incident: the pages say it with `choice.incident.copied`, and its text is the time."""
AT_THE_TERMINAL = "Table {table} was taken up from a copy on another machine; the copy reaches to {until}."
NOT_RESTORED = (
    "Not in it: what happened after that, recorded sound, players' voices, keys of boards, and which devices were "
    "admitted. Compare both boards, both scores and the clocks with it before the game goes on."
)


class Copied(msgspec.Struct, frozen=True):
    """Table taken up from a copy, and the wall time (ms) up to which the copy reaches.

    `missing`: what is missing of the copy itself, in a sentence, and `part` in figures ("9/12"); "" where it is whole.
    """

    table: str
    until_ms: int
    missing: str = ""
    part: str = ""


def load_copy(path: Path, code: str) -> Restored:
    """Return the record in a saved copy, and what is missing where it is not whole.

    Raises Complaint: there is no such file, it is not a copy, the code is not its code, or it is damaged.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as wrong:
        raise Complaint(Phrase("files.unread", place=path, why=wrong.strerror)) from wrong
    if len(data) > LARGEST_FILE:
        raise Complaint(Phrase("copy.too_large", file=path))
    return open_copy(read_copy(data), code)


async def take_up(data: DataFolder, restored: Restored, address: str = "") -> Copied:
    """Write the record of a copy into this hall's record, whole or not at all.

    `address`: of the record on PostgreSQL; "" for the files of the data folder.

    Raises Complaint where the table is here already, or the record cannot be written.
    """
    record = await open_record(data, address)
    journal = record.journal
    try:
        if restored.table in await journal.tables():
            place = journal.where if address else data.root
            raise Complaint(Phrase("copy.there_already", table=restored.table, place=place))
        known = {run.run for run in await journal.runs()}
        runs = [run for run in restored.runs if run.run not in known]
        await journal.adopt(runs, restored.entries, restored.witness)
    except JournalFailed as wrong:
        raise Complaint(Phrase("copy.not_recorded", why=told_by(wrong))) from wrong
    finally:
        await record.close()
    part = f" ({len(restored.entries)}/{restored.of or '?'})" if restored.missing else ""
    return Copied(restored.table, restored.until_ms, restored.missing, part)


async def note(hall: Hall, copied: Copied) -> str:
    """Note in the incident log that a table comes from a copy, and return what the terminal says.

    The log keeps a kind and a time, which the page says in the arbiter's language. It is noted at once, and again when
    the first arbiter is admitted here: an admitted device is told only of what comes later, and all the devices of the
    first laptop are unknown to this one.
    """
    until = datetime.fromtimestamp(copied.until_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    incident = cmd.NoteIncident(kind=COPIED, text=until + copied.part)
    await hall.wait_for(copied.table)
    said = " ".join(
        one for one in (AT_THE_TERMINAL.format(table=copied.table, until=until), copied.missing, NOT_RESTORED) if one
    )
    if copied.table in hall.rolled_back:  # a stick knows that the game went further: it waits for the arbiter's yes
        noting: list[asyncio.Task[None]] = []

        def came_back(table: LiveTable) -> None:
            if table.id == copied.table and not noting:
                noting.append(passing("What a copy does not hold", lambda: _note_at(table, incident), table.note_fault))

        hall.on_table(came_back)
        return said
    await _note_at(hall.table(copied.table), incident)
    return said


async def _note_at(table: LiveTable, incident: cmd.NoteIncident) -> None:
    """Note it at once, and again when the first arbiter is admitted here."""
    known = {station.id for station in table.state.stations.admitted}
    telling: list[asyncio.Task[None]] = []

    async def tell() -> None:
        await table.own(table.program_command(incident))

    def look() -> None:
        arbiters = [one for one in table.state.stations.admitted if one.role is Role.ARBITER and one.id not in known]
        if arbiters and not telling:
            telling.append(passing("What a copy does not hold", tell, table.note_fault))

    await table.own(table.program_command(incident))
    table.observers.append(Observer("A table that was restored", change=look))
