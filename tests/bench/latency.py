"""From a station's command to its answer and to the arbiter's screen, against a bare echo with one commit on that disk.

Run it from the repo's root: `python -m tests.bench.latency [--folder DIR] [--moves 100] [--rounds 3]`. The server, the
floor and the stations are three processes. The ways are measured in turn, command by command, so that a busy machine
burdens all alike; machines differ, ratios count.

The floor is an aiohttp WebSocket handler that inserts one row of 400 bytes, commits (WAL, `synchronous=FULL`) and
sends the message back. A command does more: it is validated, decided, its events and its outcome are one transaction,
and every station that may know is told.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp
import click
from rich.console import Console
from rich.table import Table

from server.demo.seating import Stations, stations_of_table
from server.game.acts import Completed, Press, ScoreWritten, StartGame, WriteScore
from server.game.values.words import Seat
from server.game.views.messages import Recorded

REST_S = 0.08
"""Between two moves: a connection may send thirty messages a second for long, and this measures no queue."""
FLOOR = """
import sqlite3, sys
from aiohttp import WSMsgType, web
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.execute("PRAGMA synchronous = FULL")
db.execute("CREATE TABLE events (number INTEGER PRIMARY KEY, body BLOB)")
def handler(commits):
    async def echo(request):
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        async for message in socket:
            if commits:
                db.execute("BEGIN IMMEDIATE")
                db.execute("INSERT INTO events (body) VALUES (?)", (b"x" * 400,))
                db.execute("COMMIT")
            await socket.send_str(message.data)
        return socket
    return echo
app = web.Application()
app.add_routes([web.get("/echo", handler(False)), web.get("/commit", handler(True))])
web.run_app(app, host="127.0.0.1", port=0, handle_signals=True, access_log=None)
"""
SERVE = "from server.cli import main; main()"
ECHO, COMMIT = "bare echo", "bare echo + 1 commit"
PRESS, PRESS_TOLD = "press: its outcome", "press: the arbiter's screen"
WRITE, WRITE_TOLD = "score cell: its outcome", "score cell: the arbiter's screen"
Times = dict[str, list[float]]


@asynccontextmanager
async def child(wanted: str, *arguments: str):  # type: ignore[no-untyped-def]
    """A process of this Python that prints `wanted` (a pattern) when it serves; the match."""
    path = os.pathsep.join(filter(None, (str(Path.cwd()), os.environ.get("PYTHONPATH"))))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", "-c", *arguments),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert process.stdout is not None
    try:
        told = ""
        async with asyncio.timeout(60):
            while (found := re.search(wanted, told)) is None:
                line = await process.stdout.readline()
                if not line:
                    raise RuntimeError(f"the process ended after saying {told!r}")
                told += line.decode()
        yield found
    finally:
        process.send_signal(signal.SIGTERM)
        await process.communicate()


async def timed(times: list[float], work: Awaitable[object]) -> None:
    begun = time.perf_counter()
    await work
    times.append((time.perf_counter() - begun) * 1000)


async def commanded(stations: Stations, times: Times, seat: Seat, ply: int) -> None:
    """One press; then, by the sighted player, the score cell of that ply."""
    presser = stations.tactile if seat is Seat.WHITE else stations.sighted

    def told(kind: type, number: str) -> Callable[[], bool | None]:
        seen, there = len(stations.arbiter.messages), False

        def look() -> bool | None:
            nonlocal seen, there
            new, seen = stations.arbiter.messages[seen:], len(stations.arbiter.messages)
            events = [one.event for one in new if isinstance(one, Recorded)]
            there = there or any(isinstance(event, kind) and getattr(event, number) == ply for event in events)
            return there or None

        return look

    await asyncio.gather(
        timed(times[PRESS], presser.do(Press(), about_ply=ply)),
        timed(times[PRESS_TOLD], stations.arbiter.until(told(Completed, "ply"))),
    )
    await asyncio.gather(
        timed(times[WRITE], stations.sighted.do(WriteScore(index=ply, text="Nf3"))),
        timed(times[WRITE_TOLD], stations.arbiter.until(told(ScoreWritten, "index"))),
    )


async def echoed(line: aiohttp.ClientWebSocketResponse, text: str) -> None:
    await line.send_str(text)
    await line.receive_str()


async def one_round(folder: Path, moves: int, times: Times) -> None:
    """A game of so many moves by each side on a fresh server, and beside every command one of each floor."""
    folder.mkdir()
    async with AsyncExitStack() as stack:
        floor = await stack.enter_async_context(child(r"http://\S+:(\d+)", FLOOR, str(folder / "floor.sqlite")))
        options = ("serve", "--data", str(folder / "data"), "--port", "0", "--demo-table")
        link = await stack.enter_async_context(child(r"open this once: http://\S+?:(\d+)/#join=(\S+)", SERVE, *options))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        bare = await session.ws_connect(f"http://127.0.0.1:{floor[1]}/echo")
        commit = await session.ws_connect(f"http://127.0.0.1:{floor[1]}/commit")
        stations = await stack.enter_async_context(
            stations_of_table(f"http://127.0.0.1:{link[1]}", link[2], Seat.WHITE)
        )
        await stations.arbiter.do(StartGame())
        text = "x" * 120  # about as long as a command
        for ply in range(1, 2 * moves + 1):
            await timed(times[ECHO], echoed(bare, text))
            await timed(times[COMMIT], echoed(commit, text))
            await commanded(stations, times, Seat.WHITE if ply % 2 else Seat.BLACK, ply)
            await asyncio.sleep(REST_S)


def shown(times: Times) -> Table:
    """The table of results; ratios are to the bare echo with one commit."""
    count = len(times[COMMIT])
    table = Table(title=f"Command to delivery, {count} commands of each kind, ms ({os.cpu_count()} cores)")
    for heading in ("", "p50", "p99", "ratio p50", "ratio p99"):
        table.add_column(heading, justify="right" if heading else "left")

    def parts(values: list[float]) -> tuple[float, float]:
        return statistics.median(values), sorted(values)[int(len(values) * 0.99)]

    floor = parts(times[COMMIT])
    for name, values in times.items():
        own = parts(values)
        ratios = [f"{one / base:.2f}" for one, base in zip(own, floor, strict=True)]
        table.add_row(name, *(f"{one:.2f}" for one in own), *ratios)
    return table


@click.command()
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), help="A folder on the disk to measure.")
@click.option("--moves", default=60, show_default=True, help="Moves by each side in a round.")
@click.option("--rounds", default=3, show_default=True, help="Rounds, each with a fresh server.")
def main(folder: Path | None, moves: int, rounds: int) -> None:
    """Measure and print."""
    place = Path(tempfile.mkdtemp(prefix="anna-eins-bench-", dir=folder))
    times: Times = {name: [] for name in (ECHO, COMMIT, PRESS, PRESS_TOLD, WRITE, WRITE_TOLD)}
    try:
        for number in range(rounds):
            asyncio.run(one_round(place / str(number), moves, times))
        Console(width=110).print(shown(times))
    finally:
        shutil.rmtree(place)


if __name__ == "__main__":
    main()
