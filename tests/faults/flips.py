"""Bits flip in the files of a hall: a table is read as it was, or shut and named; what is damaged is told."""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from server.journal.admissions import Admission
from server.journal.entry import Entry
from server.journal.sqlite.written_ahead import commits_cut_off
from server.machine.clock import ScriptedClock
from speech.complaint import Complaint
from tests.faults.played_hall import drawn_act, opened, record_of, sent
from tests.faults.tally import Tally
from tests.table.open_hall import reopened

FILES = ("journal.sqlite", "journal.sqlite", "journal.sqlite-wal", "admissions.sqlite")
ACTS = 30
RIGHT = frozenset(
    {
        *("the same", "a table shut", "both tables shut", "the last commit cut off"),
        *("told, all tables whole", "told, all tables whole, nobody admitted"),
    }
)
TABLES = ("t1", "t2")
STATIONS = ("white", "black", "arbiter", "display")


async def make_hall(folder: Path, copied: Path, seed: int) -> None:
    """Two games of thirty acts with four devices; copied while they are open, so that a part is only written ahead."""
    chance = random.Random(seed)
    async with reopened(folder) as (hall, clock):
        tables = [await opened(hall, name) for name in TABLES]
        for number, station in enumerate(STATIONS):
            seat = station if station in ("white", "black") else ""
            role = "sighted" if seat else station
            await hall.admissions.admit(f"{number:032x}", Admission("t1", station, role, seat, (), 0))
        for number in range(2 * ACTS):
            table = tables[number // 7 % 2]
            await sent(table, f"{chance.getrandbits(128):032x}", *drawn_act(table, chance))
            clock.advance(1_000)
        await asyncio.to_thread(
            shutil.copytree, folder, copied, ignore=shutil.ignore_patterns("*.lock", "*.reserve", "*-shm")
        )


class Read(msgspec.Struct):
    """What a server takes up from a folder.

    `told`: what it tells the arbiter of. `shown`: what stations are told, where nothing was damaged; `admitted`,
    `entries`: the admissions and the record as they were before this start.
    """

    told: str
    shut: tuple[str, ...]
    shown: dict[str, Any]
    admitted: list[Any]
    entries: dict[str, list[Entry]]


async def read(folder: Path) -> Read:
    """Open the folder, and look."""
    async with reopened(folder, ScriptedClock(wall_ms=1_700_000_999_000)) as (hall, _):
        told = "damage" if hall.found_damaged else "changed rows" if await hall.journal.changed_rows() else ""
        shown = {} if told else {name: record_of(table) for name, table in hall.tables.items()}
        admitted = [hall.admissions.admissions_of(f"{number:032x}") for number in range(len(STATIONS))]
        if any("admitted devices" in one.told for one in hall.found_damaged):
            admitted = []
        entries = {
            name: [entry for entry in await hall.journal.read(name) if entry.run != hall.run] for name in hall.tables
        }
        return Read(told, tuple(sorted(hall.shut)), shown, admitted, entries)


def flips(count: int, minutes: float, seed: int) -> Tally:
    """Flip one bit, open the folder, look."""
    tally, chance = Tally("bit flip"), random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        made = Path(place) / "made"
        asyncio.run(make_hall(Path(place) / "first", made, seed))
        before = asyncio.run(read(shutil.copytree(made, Path(place) / "whole")))
        assert not before.told and not before.shut and set(before.entries) == set(TABLES), before
        for _ in tally.trials(count, minutes):
            folder = shutil.copytree(made, Path(place) / "flipped")
            file = folder / chance.choice(FILES)
            data = bytearray(file.read_bytes())
            where, bit = chance.randrange(len(data)), chance.randrange(8)
            data[where] ^= 1 << bit
            file.write_bytes(data)
            at = f"{file.name} byte {where} bit {bit}"
            try:
                cut = commits_cut_off(folder / "journal.sqlite-wal")  # before it is folded in
                found = differs(before, asyncio.run(read(folder)), file.name, cut)
                tally.check(found in RIGHT, f"{at}: {found}")
            except Complaint as told:
                found = "one sentence, nothing starts"
                tally.check("\n" not in str(told), f"{at}: more than a sentence")
            except Exception as fault:
                found = "a fault"
                tally.check(False, f"{at}: {type(fault).__name__}: {fault}")
            tally.seen[found] += 1
            shutil.rmtree(folder)
    return tally


def differs(before: Read, after: Read, file: str, cut: int) -> str:
    """What differs. Of what is written ahead the last commit may be missing, as after a write that was cut off.

    `cut`: the commits that the flip cut off. The last one may hold no event, but a witness of the clocks: then the
    record is the same, and the clocks stand a second earlier. A flip in the name of a table makes a row of a table that
    never was, which is shut and named.
    """
    if after.admitted and after.admitted != before.admitted:
        return "another admission, and nobody is told"
    if not set(TABLES) <= set(after.entries) | set(after.shut):
        return "a table is lost, and nobody is told"
    if not set(after.entries) <= set(TABLES):
        return "a table that never was"
    lost = 0
    for name, entries in after.entries.items():
        whole = before.entries[name]
        if entries != whole[: len(entries)]:
            return "another record, and nobody is told"
        lost += len({entry.command for entry in whole} - {entry.command for entry in entries})
    if lost > 1 or (lost and not file.endswith("-wal")):
        return f"the last {lost} commands are lost, and nobody is told"
    if after.shut:
        return "a table shut" if after.entries else "both tables shut"
    if lost or (cut == 1 and not after.told):
        return "the last commit cut off"
    if after.told:
        return "told, all tables whole" if after.admitted else "told, all tables whole, nobody admitted"
    return "the same" if after.shown == before.shown else "other messages, and nobody is told"
