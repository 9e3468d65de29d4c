"""A record is put back as it was earlier: what is shorter than its witness is shut until the arbiter says yes."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from server.journal.witnessed import Witnesses
from tests.faults.flips import TABLES
from tests.faults.played_hall import drawn_act, opened, sent
from tests.faults.tally import Tally
from tests.table.open_hall import reopened

ACTS = 20
NAMES = ("journal.sqlite", "journal.sqlite-wal")


def journal(older: Path, data: Path) -> None:
    """The journal alone, with what was written ahead of it."""
    for name in NAMES:
        (data / name).unlink(missing_ok=True)
        if (older / name).exists():
            shutil.copy(older / name, data / name)


def folder(older: Path, data: Path) -> None:
    """The whole folder."""
    shutil.rmtree(data)
    shutil.copytree(older, data)


def written_ahead(older: Path, data: Path) -> None:
    """What was written ahead, beside the newer journal."""
    (data / NAMES[1]).unlink(missing_ok=True)
    shutil.copy(older / NAMES[0], data / NAMES[0])


def last_events(_older: Path, data: Path) -> None:
    """The last event of a table is deleted, and its link with it."""
    with closing(sqlite3.connect(data / NAMES[0], isolation_level=None)) as other:
        for (trigger,) in other.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            other.execute(f"DROP TRIGGER {trigger}")
        last = "(SELECT max(seq) FROM events WHERE \"table\" = 't1')"
        other.execute(f"DELETE FROM events WHERE \"table\" = 't1' AND seq = {last}")


WAYS: tuple[Callable[[Path, Path], None], ...] = (journal, folder, written_ahead, last_events)


async def tried(place: Path, chance: random.Random, way: Callable[[Path, Path], None], tally: Tally) -> None:
    """Play, set the folder aside, play on, put it back in this way, and look."""
    data, older = place / "data", place / "older"

    def witnesses() -> Witnesses:
        return Witnesses("the record", (place / "stick",))

    for begin in (True, False):
        async with reopened(data, witnesses=witnesses()) as (hall, clock):
            tables = [await opened(hall, name) for name in TABLES] if begin else [hall.tables[name] for name in TABLES]
            for number in range(chance.randrange(1, ACTS)):
                table = tables[number % 2]
                await sent(table, f"{chance.getrandbits(128):032x}", *drawn_act(table, chance))
                clock.advance(1_000)
        if begin:
            shutil.copytree(data, older)
    marks = witnesses()
    marks.load()
    way(older, data)
    async with reopened(data, witnesses=witnesses()) as (hall, _):
        tally.seen[f"{len(hall.rolled_back)} of {len(TABLES)} shut after {way.__name__}"] += 1
        for name in TABLES:
            known = await hall.journal.read(name)
            open_too = [one for one in known if one.run != hall.run] if name in hall.tables else known
            tally.check(
                (marks.rolled_back(name, open_too) is not None) == (name in hall.rolled_back),
                f"{way.__name__}: {name} is shorter than its witness, and plays",
            )
        for name in tuple(hall.rolled_back):
            await hall.go_on_with(name)
        tally.check(set(hall.tables) == set(TABLES) and not hall.shut, f"{way.__name__}: not all play after the yes")


def rollbacks(count: int, minutes: float, seed: int) -> Tally:
    """So many rollbacks, in every way in turn."""
    tally, chance = Tally("record put back"), random.Random(seed)
    for number in tally.trials(count, minutes):
        with tempfile.TemporaryDirectory() as place:
            try:
                asyncio.run(tried(Path(place), chance, WAYS[number % len(WAYS)], tally))
            except Exception as fault:
                tally.check(False, f"{WAYS[number % len(WAYS)].__name__}: {type(fault).__name__}: {fault}")
    return tally
