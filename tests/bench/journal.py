"""How long an append takes, alone and with 100 tables, against one bare SQLite commit on the same disk, in one run.

Run it from the repo's root: `python -m tests.bench.journal [--folder DIR] [--seconds 2] [--postgresql]`. Disks differ;
ratios count. With `--postgresql` a cluster of its own is started in that folder, and the same is measured there too.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from server.journal.entry import Entry, Outcome, Run
from server.journal.journal import Journal
from server.journal.sqlite.schema import connect_writer, prepare_journal
from tests.postgresql import Cluster, running

BODY = b'{"type":"announced","said":{"piece":"knight","from_square":"g1","to_square":"f3"},"about_ply":1}'

WAYS = ((1, False, 0.0), (1, True, 0.0), (100, False, 0.5), (100, True, 0.5), (100, False, 0.0), (100, True, 0.0))
"""Tables, whether the outcome is looked up first, mean rest between two entries of a table in seconds."""


class Measured(msgspec.Struct, frozen=True):
    """Latencies in ms of one way of writing, and how many transactions they took."""

    name: str
    latencies_ms: list[float]
    wall_s: float
    commits: int


def entry(table: str, seq: int) -> tuple[Entry, Outcome]:
    command = f"{hash((table, seq)) & (2**128 - 1):032x}"
    envelope = Entry(table, seq, "bench", command, "s", "white", "declared", seq, seq, 1, "announced", BODY)
    return envelope, Outcome(command, table, "s", b'{"ok":true}')


def bare_commits(path: Path, seconds: float) -> Measured:
    """The floor: the same two rows, one commit each, no thread, no loop."""
    prepare_journal(path)
    connection = connect_writer(path)
    connection.execute("INSERT INTO runs VALUES ('bench', 0, 0, '0', NULL)")
    latencies = []
    start = time.perf_counter()
    seq = 0
    while time.perf_counter() - start < seconds:
        seq += 1
        envelope, outcome = entry("bare", seq)
        began = time.perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)", msgspec.structs.astuple(envelope)
        )
        connection.execute("INSERT INTO outcomes VALUES (?, ?, ?, ?, NULL)", msgspec.structs.astuple(outcome))
        connection.execute("COMMIT")
        latencies.append((time.perf_counter() - began) * 1000)
    wall = time.perf_counter() - start
    connection.close()
    return Measured("bare SQLite commit", latencies, wall, seq)


def bare_fsync(path: Path, seconds: float) -> Measured:
    """What the disk itself takes: append 4 KiB to a file and fsync it."""
    latencies = []
    start = time.perf_counter()
    with path.open("wb", buffering=0) as file:
        while time.perf_counter() - start < seconds:
            began = time.perf_counter()
            file.write(b"x" * 4096)
            os.fsync(file.fileno())
            latencies.append((time.perf_counter() - began) * 1000)
    return Measured("4 KiB and fsync", latencies, time.perf_counter() - start, len(latencies))


def on_postgresql(cluster: Cluster) -> Journal:
    """A journal in a fresh database."""
    from server.journal.postgresql.database import Database
    from server.journal.postgresql.store import PostgresStore

    return Journal(PostgresStore.open(Database(cluster.address(cluster.fresh()))))


async def appends(
    opened: Callable[[], Journal], tables: int, seconds: float, look_up: bool, rest_s: float = 0.0
) -> Measured:
    """Every table appends one after the other, as tables do: ask for the outcome, decide, append, rest (`rest_s`)."""
    journal = await asyncio.to_thread(opened)
    await journal.begin_run(Run("bench", 0, 0, "0"))
    latencies: list[float] = []
    before = journal.commits
    start = time.perf_counter()

    async def one(name: str) -> None:
        seq = 0
        chance = random.Random(name)
        while time.perf_counter() - start < seconds:
            seq += 1
            if rest_s:
                await asyncio.sleep(chance.uniform(0, 2 * rest_s))
            envelope, outcome = entry(name, seq)
            began = time.perf_counter()
            if look_up:
                await journal.outcome_of(outcome.command)
            await journal.append([envelope], outcome)
            latencies.append((time.perf_counter() - began) * 1000)

    await asyncio.gather(*(one(f"t{number}") for number in range(tables)))
    wall = time.perf_counter() - start
    commits = journal.commits - before
    await journal.close()
    name = f"{tables} table{'s' if tables > 1 else ''}"
    name += f", one each {rest_s:.1f} s" if rest_s else ", no rest"
    name += ", looked up first" if look_up else ""
    return Measured(name, latencies, wall, commits)


def shown(measured: Sequence[Measured], floor: Measured) -> Table:
    """The table of results; ratios are to the bare commit."""
    table = Table(title="Journal: latency until it is on disk")
    for heading in ("what", "median ms", "99 % ms", "ratio of medians", "a second", "ratio", "entries a commit"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    floor_median = statistics.median(floor.latencies_ms)
    floor_rate = len(floor.latencies_ms) / floor.wall_s
    for one in measured:
        median = statistics.median(one.latencies_ms)
        rate = len(one.latencies_ms) / one.wall_s
        table.add_row(
            one.name,
            f"{median:.2f}",
            f"{sorted(one.latencies_ms)[int(len(one.latencies_ms) * 0.99)]:.2f}",
            f"{median / floor_median:.2f}",
            f"{rate:.0f}",
            f"{rate / floor_rate:.2f}",
            f"{len(one.latencies_ms) / one.commits:.1f}",
        )
    return table


def merged(rounds: Sequence[Measured]) -> Measured:
    """The same way of writing, measured in several rounds."""
    latencies = [latency for one in rounds for latency in one.latencies_ms]
    wall, commits = sum(one.wall_s for one in rounds), sum(one.commits for one in rounds)
    return Measured(rounds[0].name, latencies, wall, commits)


def one_round(place: Path, seconds: float, cluster: Cluster | None) -> list[Measured]:
    """Every way of writing once, each on files of its own."""
    place.mkdir()
    ways = [(tables, seconds, look_up, rest_s) for tables, look_up, rest_s in WAYS]
    return [
        bare_commits(place / "bare.sqlite", seconds),
        bare_fsync(place / "plain", seconds),
        *(
            asyncio.run(appends(partial(Journal.open, place / f"{number}.sqlite"), *way))
            for number, way in enumerate(ways)
        ),
        *(
            msgspec.structs.replace(measured, name=f"PostgreSQL: {measured.name}")
            for measured in (asyncio.run(appends(partial(on_postgresql, cluster), *way)) for way in ways if cluster)
        ),
    ]


@click.command()
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), help="A folder on the disk to measure.")
@click.option("--seconds", default=1.0, show_default=True, help="How long each way of writing goes on in a round.")
@click.option("--rounds", default=5, show_default=True, help="Rounds; a busy machine then burdens all ways alike.")
@click.option("--postgresql", is_flag=True, help="Measure PostgreSQL too.")
def main(folder: Path | None, seconds: float, rounds: int, postgresql: bool) -> None:
    """Measure and print."""
    place = Path(tempfile.mkdtemp(prefix="anna-eins-bench-", dir=folder))
    try:
        with running(place.parent) if postgresql else nullcontext() as cluster:
            made = [one_round(place / str(number), seconds, cluster) for number in range(rounds)]
        measured = [merged(ways) for ways in zip(*made, strict=True)]
        Console(width=130).print(shown(measured, measured[0]))
    finally:
        shutil.rmtree(place)


if __name__ == "__main__":
    main()
