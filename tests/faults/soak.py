"""`make soak`: many tables play for long. Do clocks drift, does the memory grow, is a press still answered in time?

`python -m tests.faults.soak [--tables 500] [--hours 24] [--minutes 20] [--lines 50,100 --real-minutes 2]`. The first
part plays `--hours` by a scaled clock in this process, as far as it comes in `--minutes`: a half-move a table each ten
minutes, an utterance of three seconds each minute. The second part is real: a server, and for each number of `--lines`
so many tables with three stations each on real lines from another process, a press each twenty seconds, sound for 5 %
of the time, for `--real-minutes`; with `--servers N` on a PostgreSQL that so many servers share. Its first row that
misses the goal says at how many tables it breaks. The exit status is 1 where a clock drifted by more than 1 ms an hour,
a flag came later than 10 ms, or the scaled memory grew.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import resource
import secrets
import sys
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path
from typing import Any

import aiohttp
import chess
import click
import msgspec
from rich.console import Console
from rich.table import Table

from server.game import acts as cmd
from server.game.acts import AnyEvent, Command
from server.game.game import Game
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat, SeatKind, SeatPlan
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.journal.postgresql.database import Database
from server.journal.postgresql.reader import PostgresReader
from server.journal.sqlite.reader import JournalReader
from server.machine.clock import ScriptedClock
from speech.audio.frames import encode_frames
from tests.bench.under_load import ANSWER, SERVER, Line, at, seated
from tests.faults.tally import memory
from tests.postgresql import Cluster, running
from tests.table.open_hall import STATIONS, WrittenEars, WrittenVoice, reopened
from tests.waiting import idle

HOUR_MS = 3_600_000
DRIFT_MS = 1.0
FLAG_MS = 10
PRESS_MS = 50.0
GROWN_MB_AN_HOUR = 5.0
"""A record itself grows: about 50 kB a table and hour are on the disk, and part of them in memory."""
PLY_MS = 600_000
SPEAKS_MS = 60_000
LONG = "172800+30"
SHORT = "20"
PRESS_EVERY_S = 20.0
FLAGS = 3
"""Tables of the real part whose flag falls while the others play."""
UTTERANCE_S, UTTERANCE_EVERY_S = 3.0, 60.0


# by a scaled clock


class Slow:
    """One table of the scaled part: a game of random moves, and the time that must have been used."""

    def __init__(self, table: LiveTable, chance: random.Random, now: int) -> None:
        self.table = table
        self.chance = chance
        self.began = now
        self.moves_at = now + chance.randrange(PLY_MS)
        self.speaks_at = now + chance.randrange(SPEAKS_MS)
        self.board = chess.Board()

    async def do(self, station: str, body: cmd.StationAct) -> None:
        """A command that may be refused: moves are random, and games end."""
        await self.table.submit(Command(id=secrets.token_hex(16), table=self.table.id, station=station, body=body))

    async def turn(self, now: int) -> int:
        """Do what is due; how many acts that were."""
        acts = 0
        if now >= self.speaks_at:
            self.speaks_at += SPEAKS_MS
            await self.table.hear("white", secrets.randbits(60), "?".encode("utf-16-le"), now)
            acts += 1
        if now >= self.moves_at and not self.table.state.over:
            self.moves_at += PLY_MS
            moves = list(self.board.legal_moves)
            if not moves or self.board.is_game_over():
                return acts
            move = self.chance.choice(moves)
            mover, other = ("white", "black") if self.board.turn else ("black", "white")
            number, san = self.board.fullmove_number, self.board.san(move)
            self.board.push(move)
            await self.do(mover, cmd.EnterMove(uci=move.uci()))
            await self.do(mover, cmd.WriteScore(index=number, text=san))
            await self.do(mover, cmd.Press())
            await self.do(other, cmd.Execute())
            acts += 4
        return acts

    def drift_ms(self, now: int) -> float:
        """By how much what both clocks have used differs from the time that went by; 0 where they were stopped."""
        clock = self.table.state.time.clock
        if clock.running is None:
            return 0.0
        return abs(clock.time_used(Seat.WHITE, now) + clock.time_used(Seat.BLACK, now) - (now - self.began))


async def opened(hall: Hall, name: str, control: str) -> LiveTable:
    """A table whose clock runs."""
    plan = SeatPlan(SeatKind.SIGHTED, language="en")
    body = cmd.OpenTable(white=plan, black=plan, control=TimeControl.parse(control), start_fen=chess.STARTING_FEN)
    table = await hall.open_table(body, name)
    for station in STATIONS:
        await table.admit(station)
    for act in (cmd.RecordAdaptation(**{k: v for k, v in ANSWER.items() if k in ("name", "value")}), cmd.StartGame()):  # type: ignore[arg-type]
        outcome = await table.submit(Command(id=secrets.token_hex(16), table=name, station="arbiter", body=act))
        assert outcome.outcome.ok, outcome
    return table


async def pass_second(clock: ScriptedClock) -> None:
    """A second goes by; each task that sleeps until a moment in it gets that moment."""
    end = clock.mono_ms() + 1_000
    while (now := clock.mono_ms()) < end:
        due = clock.next_due()
        clock.advance(end - now if due is None else max(0, min(end, due) - now))
        await idle()


async def scaled(tables: int, hours: float, minutes: float, seed: int) -> tuple[list[str], list[str]]:
    """Play; the row of figures and what broke."""
    chance, broken = random.Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        async with reopened(Path(folder) / "data", ears=WrittenEars(), voice=WrittenVoice()) as (hall, clock):
            slow = []
            for number in range(tables):
                table = await opened(hall, f"t{number}", LONG)
                slow.append(Slow(table, random.Random(chance.random()), clock.mono_ms()))
            begun, wall, acts, late, hour = clock.mono_ms(), time.monotonic(), 0, 0, 0
            flags: dict[str, int] = {}
            levels = [memory()]
            while (now := clock.mono_ms()) - begun < hours * HOUR_MS and time.monotonic() - wall < 60 * minutes:
                if (now - begun) // HOUR_MS >= hour:
                    name = f"flag{hour}"
                    await opened(hall, name, SHORT)
                    flags[name] = clock.mono_ms() + int(SHORT) * 1_000
                    levels.append(memory())
                    hour += 1
                due = [one for one in slow if now >= min(one.moves_at, one.speaks_at)]
                for done in await asyncio.gather(*(one.turn(now) for one in due)):
                    acts += done
                await pass_second(clock)
            await asyncio.sleep(0.5)
            now = clock.mono_ms()
            played = (now - begun) / HOUR_MS
            drift = max(one.drift_ms(now) for one in slow) / max(played, 1e-9)
            fell = 0
            for name, due_ms in flags.items():
                if now > due_ms + 1_000:
                    found = [one.mono_ms for one in await hall.journal.read(name) if one.kind == "flag_fell"]
                    fell += len(found)
                    late = max([late, *(one - due_ms for one in found)])
            running = sum(one.table.state.time.clock.running is not None for one in slow)
            took = time.monotonic() - wall
    grown = (levels[-1] - levels[2]) / max(1, len(levels) - 3) if len(levels) > 3 else float("nan")
    if drift > DRIFT_MS:
        broken.append(f"a clock drifted by {drift:.2f} ms an hour")
    if late > FLAG_MS:
        broken.append(f"a flag fell {late} ms late")
    if fell < len(flags) - 1:
        broken.append(f"{fell} of {len(flags)} flags fell")
    if grown > GROWN_MB_AN_HOUR * tables / 500:
        broken.append(f"{grown:.1f} MB more each hour after the first")
    return [
        f"{tables}; {played:.1f} h of {hours:g} in {took / 60:.1f} min",
        f"{acts}, {running} clocks running",
        f"{drift:.2f}",
        f"{late} ({fell})",
        f"{levels[0]:.0f}, {levels[min(2, len(levels) - 1)]:.0f}, {levels[-1]:.0f}",
        f"{grown:.1f}",
    ], broken


# by the real clock


async def press_on(line: Line, ply: int, times: list[float], refused: list[str]) -> None:
    """One press; how long its answer took."""
    try:
        times.append(await line.do({"do": "press"}, about_ply=ply))
    except Exception as wrong:
        refused.append(str(wrong) or type(wrong).__name__)


async def play(lines: list[Line], until: float, times: list[float], refused: list[str]) -> None:
    """Both players press in turn, each twenty seconds one of them."""
    await asyncio.sleep(random.random() * PRESS_EVERY_S)
    ply = 0
    while time.monotonic() < until:
        ply += 1
        await press_on(lines[(ply - 1) % 2], ply, times, refused)
        await asyncio.sleep(PRESS_EVERY_S)


async def microphone(line: Line, base: str) -> aiohttp.ClientWebSocketResponse:
    """The line of a microphone. They are opened one after the other: a crowd of new connections has to wait."""
    return await line.session.ws_connect(f"{base}/audio", headers={"Origin": base})


async def speak(socket: aiohttp.ClientWebSocketResponse, until: float) -> int:
    """Three seconds of sound each minute; how many frames were sent."""
    pcm = random.Random(1).randbytes(int(UTTERANCE_S * 16_000) * 2)
    sent = 0
    await asyncio.sleep(random.random() * UTTERANCE_EVERY_S)
    with suppress(aiohttp.ClientError, ConnectionError):
        while time.monotonic() < until:
            utterance = secrets.randbits(60)
            for frame in encode_frames(pcm, utterance):
                await socket.send_bytes(frame)
                sent += 1
                await asyncio.sleep(0.02)
            await socket.send_str(json.dumps({"end": utterance}))
            await asyncio.sleep(UTTERANCE_EVERY_S - UTTERANCE_S)
    await socket.close()
    return sent


class Place:
    """Where the record of the real part lies, and how large it is: the files of one server, or a PostgreSQL."""

    def __init__(self, folder: Path, cluster: Cluster | None) -> None:
        self.folder = folder
        self.cluster = cluster
        self.name = cluster.fresh() if cluster is not None else ""

    def environment(self) -> dict[str, str]:
        address = {"BENCH_RECORD": self.cluster.address(self.name)} if self.cluster is not None else {}
        return {**os.environ, "PYTHONPATH": str(Path().absolute()), **address}

    def size(self) -> int:
        """Bytes of the record on the disk; of PostgreSQL without its log, which it keeps for itself."""
        if self.cluster is None:
            return sum(one.stat().st_size for one in (self.folder / "data0").glob("journal.sqlite*"))
        return int(str(self.cluster.do(f"SELECT pg_database_size('{self.name}')")[0][0]))

    def processes(self) -> list[int]:
        """Those of PostgreSQL."""
        if self.cluster is None:
            return []
        first = int((self.cluster.folder / "data" / "postmaster.pid").read_text().split()[0])
        return [first, *(int(one) for one in Path(f"/proc/{first}/task/{first}/children").read_text().split())]

    def reader(self) -> JournalReader | PostgresReader:
        if self.cluster is None:
            return JournalReader.open(self.folder / "data0" / "journal.sqlite")
        return PostgresReader(Database(self.cluster.address(self.name)))


async def real(tables: int, minutes: float, servers: int, cluster: Cluster | None) -> tuple[list[str], bool, list[str]]:
    """So many tables on real lines; the row, whether a press is within the goal, and what broke."""
    times: list[float] = []
    refused: list[str] = []
    holding: list[asyncio.Task[None]] = []
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), cluster)
        controls = [LONG] * tables + [SHORT] * FLAGS
        begun = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", SERVER, f"{folder}/data{n}", "-", *controls[n::servers]),
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=1 << 24,
                env=place.environment(),
            )
            for n in range(servers)
        ]
        pids = [one.pid for one in begun]
        try:
            async with AsyncExitStack() as stack:
                bases: list[str] = []
                lines: list[Line] = []
                short: list[Line] = []  # those of tables at which nobody presses
                for n, process in enumerate(begun):
                    pressed = 3 * controls[n::servers].count(LONG)
                    assert process.stdout is not None
                    house = json.loads(await process.stdout.readline())
                    for number, secret in enumerate(house["links"]):
                        page = "arbiter" if number % 3 == 0 else "sighted"
                        line = await seated(stack, house["base"], secret, page)
                        holding.append(asyncio.create_task(line.hold()))
                        (lines if number < pressed else short).append(line)
                        bases += [house["base"]] if number < pressed else []
                for arbiter in (*lines[::3], *short[::3]):
                    await arbiter.do(ANSWER)
                    await arbiter.do({"do": "start_game"})
                sockets = [await microphone(lines[n], bases[n]) for n in range(1, 3 * tables, 3)]
                gc.freeze()
                gc.disable()  # a search of the clients' own memory must not count as the server's time
                began, size = time.monotonic(), place.size()
                used, database = [sum(map(processor, some)) for some in (pids, place.processes())]
                held = sum(map(memory, pids))
                until = began + 60 * minutes
                playing = [play(lines[n + 1 : n + 3], until, times, refused) for n in range(0, 3 * tables, 3)]
                speaking = [speak(one, until) for one in sockets]
                frames = await asyncio.gather(*speaking, *playing)
                took = time.monotonic() - began
                share = (sum(map(processor, pids)) - used) / took
                beside = (sum(map(processor, place.processes())) - database) / took
                grown = (place.size() - size) / tables / (took / 60)
                after = sum(map(memory, pids))
                for task in holding:
                    task.cancel()
                await asyncio.gather(*holding, return_exceptions=True)
            drift, late, fell = await asyncio.to_thread(on_record, place)
        finally:
            gc.enable()
            for process in begun:
                process.terminate()
                await process.wait()
    broken = []
    if drift > DRIFT_MS * max(1.0, minutes / 60):
        broken.append(f"{tables} tables: a clock drifted by {drift:.1f} ms")
    if late > FLAG_MS:
        broken.append(f"{tables} tables: a flag fell {late} ms late")
    if refused:
        broken.append(f"{tables} tables: {len(refused)} presses refused or lost: {refused[0]}")
    within = bool(times) and at(times, 0.99) <= PRESS_MS
    return (
        [
            f"{tables}; {minutes:g} min",
            f"{len(times)} presses, {sum(one or 0 for one in frames)} frames",
            f"{drift:.1f}",
            f"{late} ({fell} of {FLAGS})",
            f"{held:.0f}, {after:.0f}",
            f"{at(times, 0.5):.0f} / {at(times, 0.99):.0f}" if times else "-",
            f"{100 * share:.0f}" + (f" + {100 * beside:.0f}" if cluster is not None else ""),
            f"{grown:.0f}",
        ],
        within,
        broken,
    )


def processor(pid: int) -> float:
    """Seconds of processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def on_record(place: Place) -> tuple[float, int, int]:
    """By how many ms clocks and the wall clock parted at most, how late a flag was on record, and how many fell."""
    drift, late, fell = 0.0, 0, 0
    with place.reader() as journal:
        for name in journal.tables():
            entries = journal.read(name)
            events: list[Any] = [msgspec.json.decode(entry.body, type=AnyEvent) for entry in entries]
            began = next((entry for entry in entries if entry.kind == "game_started"), None)
            flag = next((entry for entry in entries if entry.kind == "flag_fell"), None)
            last = next((entry for entry in reversed(entries) if entry.kind == "clock_pressed"), None)
            if began is None:
                continue
            if flag is not None:
                fell += 1
                late = max(late, flag.wall_ms - began.wall_ms - int(SHORT) * 1_000)
            elif last is not None:
                clock = Game.replay(events).time.clock
                used = clock.time_used(Seat.WHITE, last.mono_ms) + clock.time_used(Seat.BLACK, last.mono_ms)
                drift = max(drift, abs(used - (last.wall_ms - began.wall_ms)))
    return drift, late, fell


def shown(title: str, headings: tuple[str, ...], rows: list[list[str]]) -> None:
    """Print one table."""
    table = Table(title=f"{title} ({os.cpu_count()} cores, load {os.getloadavg()[0]:.1f})")
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row)
    Console(width=150).print(table)


@click.command()
@click.option("--tables", default=500, show_default=True, help="Of the scaled part; 0: leave it out.")
@click.option("--hours", default=24.0, show_default=True, help="By the scaled clock.")
@click.option("--minutes", default=60.0, show_default=True, help="The scaled part stops after so long.")
@click.option("--lines", default="50,100,200,300,500", show_default=True, help='Tables of the real part; "": none.')
@click.option("--real-minutes", default=30.0, show_default=True, help="For each number of tables.")
@click.option("--servers", default=0, show_default=True, help="So many share the real part on PostgreSQL; 0: SQLite.")
@click.option("--seed", default=20, show_default=True)
def main(tables: int, hours: float, minutes: float, lines: str, real_minutes: float, servers: int, seed: int) -> None:
    """Let many tables play for long, and say what held."""
    broken: list[str] = []
    if tables:
        row, wrong = asyncio.run(scaled(tables, hours, minutes, seed))
        broken += wrong
        figures = ("drift, ms an hour", "flag late, ms (fell)", "MB: begun, 1 h, end", "MB an hour")
        shown("By a scaled clock", ("tables", "acts", *figures), [row])
    rows, most, breaks = [], 0, 0
    most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))
    stack = ExitStack()
    cluster = stack.enter_context(running()) if servers else None
    for count in [int(one) for one in lines.split(",") if one]:
        row, within, wrong = asyncio.run(real(count, real_minutes, servers or 1, cluster))
        rows.append(row)
        broken += wrong
        print(*row, sep=" | ", file=sys.stderr, flush=True)
        if within and not breaks:
            most = count
        elif not within and not breaks:
            breaks = count
    stack.close()
    if rows:
        headings = ("tables", "sent", "drift, ms", "flag late, ms (fell)", "MB: begun, end")
        shown("On real lines", (*headings, "press p50 / p99, ms", "processor, %", "bytes a table a minute"), rows)
        print(
            f"A press is within {PRESS_MS:g} ms at p99 with {most} tables"
            + (f", no more with {breaks}." if breaks else ".")
        )
    for one in broken:
        print(f"BROKEN {one}")
    sys.exit(int(bool(broken)))


if __name__ == "__main__":
    main()
