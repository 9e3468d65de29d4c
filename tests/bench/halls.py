"""What an Olympiad or a federation's day takes, by a simulation that rests on measured figures; what breaks first?

    python -m tests.bench.halls [--measure]

A day is played by chance: each board has its half-moves, each of them an announcement, an echo, a press and what it
costs on its server (one event loop), in the ears (as many as there are cores beside it) and at the database (one for
all halls). The first table sets the simulation beside what `tests.faults.soak --lines` measured, so that one sees how
far to trust it; the second shows the halls. `--measure` first measures here what an utterance costs the ears, and how
many commands many databases of one PostgreSQL take together.
"""

from __future__ import annotations

import asyncio
import heapq
import os
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

import click
import psutil
from rich.console import Console
from rich.table import Table

from server.journal.journal import Journal
from server.journal.postgresql.database import Database
from server.journal.postgresql.store import PostgresStore
from speech.hearing.hearing import Hearing, recognisers
from speech.words.loading import load_scheme
from tests.bench.journal import appends
from tests.postgresql import running
from tests.speech.hearing.spoken_announcements import announcements, phrase, rendered, with_noise

LATE_MS = 50.0
"""The goal of a press at p99."""
EARS_FULL = 0.8
"""Ears that are busier than this have no room for a time trouble that comes a little later at some boards."""


@dataclass(frozen=True)
class Figures:
    """What was measured on two cores (docs/scaling.md), in ms of one processor where nothing else is said."""

    press_ms: float = 11.0  # with its share of sound, heartbeats and the three lines: 22 % more for 20 presses a second
    command_ms: float = 3.0  # a press alone, from its arrival until its answer leaves, at rest
    pause_ms: float = 0.1  # a search for garbage, for each table
    pause_every: int = 100  # presses between two such searches
    idle: float = 0.04  # of a processor, whatever is played
    quiet_s: float = 0.045  # the ears, for each second of sound they are sure of
    doubtful_s: float = 1.7  # and of sound as loud as the noise, where both recognisers listen
    doubted: float = 0.2  # such is one in five: assumed
    utterance_s: float = 2.0
    database: float = 2_250.0  # commands a second that one PostgreSQL takes of twenty halls
    table_mb: float = 0.23
    command_bytes: float = 1_500.0  # of the record, for each press and what belongs to it


class Line:
    """A queue with some that serve: each work goes to the one that is free first."""

    def __init__(self, many: int = 1) -> None:
        self.free = [0.0] * many
        self.worked = 0.0

    def put(self, now: float, seconds: float) -> float:
        """When a work that comes now is done. Works come in order of time."""
        begins = max(now, heapq.heappop(self.free))
        heapq.heappush(self.free, begins + seconds)
        self.worked += seconds
        return begins + seconds


@dataclass(frozen=True)
class Day:
    """Halls of one kind, `every_s`: between two half-moves of a board; `cores`: of a laptop, one for its server."""

    name: str
    boards: int
    every_s: float
    halls: int = 1
    cores: int = 8
    spoken: bool = True


@dataclass(frozen=True)
class Came:
    """What came of it: p99 of a press in ms and of the ears in s, and shares of what there is."""

    press_ms: float
    ears_s: float
    loop: float
    ears: float
    database: float
    mb: float
    mb_an_hour: float


def at(values: Sequence[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))] if values else 0.0


def played(day: Day, figures: Figures, seconds: float = 1_800.0, seed: int = 1) -> Came:
    """One hall of the day, and what all of them together ask of the database."""
    chance = random.Random(seed)
    loop, ears = Line(), Line(max(1, day.cores - 1))
    works: list[tuple[float, str, float]] = []
    for _ in range(day.boards):
        now = chance.uniform(0, day.every_s)
        while now < seconds:
            works.append((now, "press", figures.command_ms / 1000))
            for _ in range(8):  # what it sets off, and sound that comes in: in pieces, as the loop does it
                spread = chance.uniform(0, min(2.0, day.every_s / 2))
                works.append((now + spread, "rest", (figures.press_ms - figures.command_ms) / 8_000))
            for _ in range(2 if day.spoken else 0):
                doubt = chance.random() < figures.doubted
                cost = figures.utterance_s * (figures.doubtful_s if doubt else figures.quiet_s)
                works.append((now + chance.uniform(0, day.every_s / 2), "heard", cost))
            now += chance.uniform(0.2, 1.8) * day.every_s
    works.sort()
    presses, heard, count = [], [], 0
    for now, kind, cost in works:
        if kind == "heard":
            heard.append(max(0.0, ears.put(now, cost) - now - figures.utterance_s))  # they listen while it is spoken
            continue
        done = loop.put(now, cost)
        if kind == "press":
            presses.append(1000 * (done - now))
            count += 1
            if count % figures.pause_every == 0:
                loop.put(now, figures.pause_ms * day.boards / 1000)
    commands = 4 * len(presses) / seconds  # announcement, echo, press, and another one
    return Came(
        at(presses, 0.99),
        at(heard, 0.99),
        figures.idle + loop.worked / seconds,
        ears.worked / seconds / len(ears.free),
        commands * day.halls / figures.database,
        150 + figures.table_mb * day.boards,
        len(presses) / seconds * 3_600 * figures.command_bytes / 1e6,
    )


def most(day: Day, figures: Figures, holds: Callable[[Came], bool]) -> int:
    """How many boards of such a hall still hold, to ten of them."""
    low, high = 0, 2_000
    while high - low > 10:
        middle = (low + high) // 2
        one = Day(day.name, middle, day.every_s, day.halls, day.cores, day.spoken)
        low, high = (middle, high) if holds(played(one, figures, 600)) else (low, middle)
    return low


def worked() -> float:
    """Seconds of processor time of this process and all that it started, also of what has ended."""
    found = sum(os.times()[:4])
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            found += sum(child.cpu_times()[:4])
    return found


async def ears_cost() -> tuple[float, float]:
    """Seconds of a processor for each second of sound: what the ears are sure of, and what is in doubt."""
    german = load_scheme("d21", "de")
    sounds = await rendered([phrase(words, german) for words in announcements(12, 5)])
    found = []
    hearing = Hearing(recognisers("auto"))
    await hearing.start()
    try:
        await hearing.hear(sounds[0], german)
        for some in (sounds, [with_noise(pcm, 0.0, n) for n, pcm in enumerate(sounds)]):
            before = worked()
            for pcm in some:
                await hearing.hear(pcm, german)
            found.append((worked() - before) / (sum(map(len, some)) / 32_000))
    finally:
        await hearing.close()
    return found[0], found[1]


def one_line(address: str, seconds: float) -> int:
    """Commands that one hall with ten tables writes to its own database."""
    measured = asyncio.run(appends(lambda: Journal(PostgresStore.open(Database(address))), 10, seconds, False, 0.0))
    return len(measured.latencies_ms)


def database_takes(halls: int, seconds: float = 5.0) -> float:
    """Commands a second that one PostgreSQL takes of so many halls, each with its own database and process."""
    with running() as cluster, ProcessPoolExecutor(halls) as pool:
        addresses = [cluster.address(cluster.fresh()) for _ in range(halls)]
        return sum(pool.map(one_line, addresses, [seconds] * halls)) / seconds


def shown(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(title=title)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == headings[0] else "right")
    for row in rows:
        table.add_row(*row)
    Console(width=150).print(table)


MEASURED = ((100, 19, 9), (200, 15, 16), (300, 26, 21), (500, 27, 31), (800, 199, 54))
"""On PostgreSQL with one server: tables, press p99 in ms, share of a processor in %; a press each twenty seconds."""
DAYS = (
    Day("Olympiad, 200 boards, a half-move each 90 s", 200, 90),
    Day("the same in time trouble, each 10 s", 200, 10),
    Day("the same without speech", 200, 10, spoken=False),
    Day("Olympiad on 4 cores, each 90 s", 200, 90, cores=4),
    Day("federation, 50 boards a hall, each 60 s", 50, 60, halls=100, cores=4),
    Day("the same in time trouble, each 10 s", 50, 10, halls=100, cores=4),
)


@click.command()
@click.option("--measure", is_flag=True, help="Measure ears and database here first.")
def main(measure: bool) -> None:
    """Simulate, and print."""
    figures = Figures()
    if measure:
        quiet, doubtful = asyncio.run(ears_cost())
        print(f"Ears: {quiet:.3f} s of a processor a second of sound, {doubtful:.3f} where they are in doubt.")
        for halls in (1, 5, 20):
            began = time.monotonic()
            print(f"PostgreSQL: {database_takes(halls):.0f} commands a second of {halls} halls", end=" ")
            print(f"(load {os.getloadavg()[0]:.0f}, {time.monotonic() - began:.0f} s)", flush=True)
    rows = []
    for tables, p99, share in MEASURED:
        came = played(Day("", tables, 20, spoken=False), figures)
        rows.append([str(tables), f"{p99}", f"{came.press_ms:.0f}", f"{share} %", f"{100 * came.loop:.0f} %"])
    shown("Measured and simulated", ("tables", "p99, ms", "simulated", "processor", "simulated"), rows)
    rows = []
    for day in DAYS:
        came = played(day, figures)
        shares = {"server": came.loop, "ears": came.ears, "database": came.database}
        rows.append(
            [
                f"{day.name} ({day.cores} cores)",
                f"{came.press_ms:.0f}",
                f"{came.ears_s:.1f}" if came.ears < 1 else "ever later",
                *(f"{100 * share:.0f} %" for share in shares.values()),
                f"{came.mb:.0f}",
                f"{came.mb_an_hour:.0f}",
                max(shares, key=lambda name: shares[name]),
            ]
        )
    headings = ("day", "press p99, ms", "heard p99, s", "server", "ears", "database", "MB", "MB an hour", "fullest")
    shown("Halls", headings, rows)
    for day in DAYS[:2]:
        held = most(day, figures, lambda came: came.press_ms <= LATE_MS)
        heard = most(day, figures, lambda came: came.ears <= EARS_FULL)
        print(f"{day.name}: presses hold with {held} boards, ears on {day.cores} cores with {heard}.")


if __name__ == "__main__":
    main()
