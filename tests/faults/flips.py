"""Bits flip in the files of a hall: the server says what is damaged, shuts the table, or reads what it read before."""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

from server.journal.admissions import Admission
from server.machine.clock import ScriptedClock
from speech.complaint import Complaint
from tests.faults.played_hall import drawn_act, opened, record_of, sent
from tests.faults.tally import Tally
from tests.table.open_hall import reopened

FILES = ("journal.sqlite", "journal.sqlite", "journal.sqlite-wal", "admissions.sqlite")
ACTS = 60
STATIONS = ("white", "black", "arbiter", "display")


async def make_hall(folder: Path, copied: Path, seed: int) -> None:
    """A game of sixty acts with four devices; copied while it is open, so that part of it is only written ahead."""
    chance = random.Random(seed)
    async with reopened(folder) as (hall, clock):
        table = await opened(hall)
        for number, station in enumerate(STATIONS):
            seat = station if station in ("white", "black") else ""
            role = "sighted" if seat else station
            await hall.admissions.admit(f"{number:032x}", Admission(table.id, station, role, seat, (), 0))
        for _ in range(ACTS):
            await sent(table, f"{chance.getrandbits(128):032x}", *drawn_act(table, chance))
            clock.advance(1_000)
        await asyncio.to_thread(
            shutil.copytree, folder, copied, ignore=shutil.ignore_patterns("*.lock", "*.reserve", "*-shm")
        )


async def read(folder: Path) -> tuple[str, Any]:
    """What a server finds in a folder: what it tells the arbiter is wrong, or all that it takes up."""
    async with reopened(folder, ScriptedClock(wall_ms=1_700_000_999_000)) as (hall, _):
        if hall.shut:
            return "its table shut", None
        if wrong := await hall.journal.changed_rows():
            return "told to the arbiter", wrong
        tables = {name: record_of(table) for name, table in hall.tables.items()}
        admitted = [hall.admissions.admissions_of(f"{number:032x}") for number in range(len(STATIONS))]
        entries = [entry for entry in await hall.journal.read("t1") if entry.run != hall.run]
        return "the same", (tables, admitted, entries)


def flips(count: int, minutes: float, seed: int) -> Tally:
    """Flip one bit, open the folder, look."""
    tally, chance = Tally("bit flip"), random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        made = Path(place) / "made"
        asyncio.run(make_hall(Path(place) / "first", made, seed))
        before = asyncio.run(read(shutil.copytree(made, Path(place) / "whole")))
        assert before[0] == "the same", before
        for _ in tally.trials(count, minutes):
            folder = shutil.copytree(made, Path(place) / "flipped")
            file = folder / chance.choice(FILES)
            data = bytearray(file.read_bytes())
            where, bit = chance.randrange(len(data)), chance.randrange(8)
            data[where] ^= 1 << bit
            file.write_bytes(data)
            try:
                found, what = asyncio.run(read(folder))
            except Complaint as told:
                found, what = "one sentence, nothing starts", None
                tally.check("\n" not in str(told), f"{file.name} byte {where}: more than a sentence")
            except Exception as fault:
                found, what = "a fault", None
                tally.check(False, f"{file.name} byte {where} bit {bit}: {type(fault).__name__}: {fault}")
            if found == "the same" and what != before[1]:
                found = differs(before[1], what, file.name)
                tally.check(found == "the last commit cut off", f"{file.name} byte {where} bit {bit}: {found}")
            tally.seen[found] += 1
            shutil.rmtree(folder)
    return tally


def differs(before: Any, after: Any, file: str) -> str:
    """What differs. Of what is written ahead the last commit may be missing, as after a write that was cut off."""
    if before[1] != after[1]:
        return "another admission, and nobody is told"
    if file.endswith("-wal") and after[2] == before[2][: len(after[2])]:
        lost = len({entry.command for entry in before[2]} - {entry.command for entry in after[2]})
        return "the last commit cut off" if lost <= 1 else f"the last {lost} commands are lost, and nobody is told"
    return "another record, and nobody is told"
