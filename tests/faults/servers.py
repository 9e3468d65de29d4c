"""Two servers share a hall on PostgreSQL, and one of them, or its way, or the database's disk, fails under a game.

After each fault nothing that was acknowledged is lost, no event of the first server stands after one of the second, the
chain is whole, and the clocks stand where they stood at the fault, but for what the arbiter is told to be uncertain.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

import aiohttp

from server.game import acts as cmd
from server.game.acts import ClockResumed, GameStarted, HandedOver, Interrupted, TakenOver, event_in
from server.game.game import Game
from server.game.values.words import Seat
from server.journal.chain import Chain
from server.journal.entry import Entry
from server.journal.postgresql.database import Database
from server.journal.postgresql.leases import Leases
from server.journal.postgresql.reader import PostgresReader
from tests.faults.tally import Tally
from tests.postgresql import Cluster, running
from tests.web.cable import Cable, cable
from tests.whole.running_server import begin
from tests.whole.wire_client import ServerGone, WireClient

REPO = Path(__file__).parents[2]
PATIENCE_S = 90.0
DISK_MB = 200
LATE = cmd.NoteIncident(kind="other", text="on the way when it fails")
SLACK_MS = 150
"""Between an event of this process and the server's own reading of its clock."""


class Shared:
    """A hall with two servers; the demonstration table is played by its arbiter, who goes where it is led."""

    def __init__(self, folder: Path, cluster: Cluster, name: str, line: Cable) -> None:
        self.folder = folder
        self.cluster = cluster
        self.name = name
        self.line = line
        self.database = Database(cluster.address(name))
        self.leases = Leases(self.database)
        self.arbiter = WireClient("arbiter")
        self.servers: dict[int, tuple[asyncio.subprocess.Process, str]] = {}  # by number: process, address
        self.acknowledged: list[str] = []
        self.made = 0
        self.dead: dict[str, int] = {}
        """Runs of servers that failed, and the first event that another server wrote after that."""

    async def start(self, *, cut: bool = False) -> int:
        """Start one more server, and return its number in the database. `cut`: its way there is the cable."""
        self.made += 1
        port = int(self.line.base.rpartition(":")[2]) if cut else None
        process = await begin(
            *(REPO, "serve", "--data", str(self.folder / f"server{self.made}"), "--port", "0", "--demo-table"),
            *("--share", "--record", self.cluster.address(self.name, port=port)),
        )
        assert process.stdout is not None
        told = ""
        async with asyncio.timeout(PATIENCE_S):
            while "Arbiter of all tables" not in told:
                line = (await process.stdout.readline()).decode()
                assert line, f"a server ended with {await process.wait()} after saying {told!r}"
                told += line
        found = re.search(r"On this computer:\s+http://localhost:(\d+)", told)
        secret = re.search(r"#join=(\S+)", told)
        assert found is not None and secret is not None
        base = f"http://127.0.0.1:{found[1]}"
        if not self.arbiter.base:
            self.arbiter.base = base
            async with asyncio.timeout(PATIENCE_S):
                while True:  # the link is used up when it is taken, so it is told again only where it was not
                    try:
                        await self.arbiter.post("/api/join", {"secret": secret[1]})
                        break
                    except AssertionError:
                        secret = re.search(r"Table demo\n.*#join=(\S+)", told)
                        assert secret is not None
                        await asyncio.sleep(0.5)
        number = await self.number_of(base)
        assert number is not None
        self.servers[number] = process, base
        return number

    async def number_of(self, base: str) -> int | None:
        """The number of the server at this address that lives; None for none."""
        port = base.rpartition(":")[2]
        asked = await asyncio.to_thread(self.leases.neighbours)
        found = (one.number for one in asked if any(address.endswith(f":{port}") for address in one.addresses))
        return next(found, None)

    async def back(self, number: int) -> int:
        """Wait until a server that others held for dead is one of the hall again; its new number."""
        process, base = self.servers[number]
        async with asyncio.timeout(PATIENCE_S):
            while (now := await self.number_of(base)) in (None, number):
                assert process.returncode is None, "it ended, although it lived"
                await asyncio.sleep(0.1)
        assert now is not None
        self.servers[now] = self.servers.pop(number)
        return now

    async def led_by(self) -> int:
        """Who leads the table, as the database has it."""
        led = await asyncio.to_thread(self.leases.leaders)
        return led[0].server if led else 0

    async def led_anew(self, before: int) -> tuple[int, float]:
        """Wait until another server plays the table, and return it and the seconds."""
        began = time.monotonic()
        async with asyncio.timeout(PATIENCE_S):
            while (now := await self.led_by()) == before:
                await asyncio.sleep(0.05)
            await self.come(now)
        return now, time.monotonic() - began

    async def come(self, number: int) -> None:
        """The arbiter's page comes to this server, as often as it is told to wait."""
        for reader in self.arbiter._readers:  # a server that sleeps says no farewell, and nobody waits for it
            reader.cancel()
        await asyncio.gather(*self.arbiter._readers, return_exceptions=True)
        self.arbiter._readers, self.arbiter._lines = [], []
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    await self.arbiter.connect(f"{self.servers[number][1]}")
                    return
                except (ServerGone, aiohttp.ClientError, ConnectionError, AssertionError):
                    await asyncio.sleep(0.1)

    async def act(self, body: cmd.Act) -> bool:
        """The arbiter acts; True once it is acknowledged, and then it may not be lost."""
        number = self.arbiter.command(body)
        try:
            answer = await self.arbiter.send(number)
        except (ServerGone, TimeoutError):
            return False
        if answer.outcome.ok:
            self.acknowledged.append(number)
        return answer.outcome.ok

    async def sure(self, body: cmd.Act) -> bool:
        """The arbiter acts until it is acknowledged: a busy machine may be silent for longer than a lease."""
        end = time.monotonic() + PATIENCE_S
        while not await self.act(body):
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.2)
            if self.arbiter._gone:
                await self.come(await self.led_by())
        return True

    async def note(self) -> bool:
        return await self.sure(cmd.NoteIncident(kind="other", text=f"note {len(self.acknowledged)}"))

    def record(self) -> tuple[list[Entry], Chain]:
        with PostgresReader(self.database) as reader:
            return reader.record("demo")

    async def end(self, number: int, *, gently: bool = False) -> int | None:
        """End a server for good."""
        process, _ = self.servers.pop(number)
        if process.returncode is None:
            process.send_signal(signal.SIGCONT)
            process.send_signal(signal.SIGTERM if gently else signal.SIGKILL)
        return await process.wait()

    async def close(self) -> None:
        await self.arbiter.close()
        for number in tuple(self.servers):
            await self.end(number)
        self.leases.close()


@asynccontextmanager
async def shared(
    cluster: Cluster, *, cut: bool = False, every_way_cut: bool = False
) -> AsyncIterator[tuple[Shared, int, int]]:
    """Two servers; the first leads the table, and its way to the database is a cable where that is to be `cut`."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="anna-servers-")))
        line = await stack.enter_async_context(cable(f"http://localhost:{cluster.port}"))
        hall = Shared(folder, cluster, cluster.fresh(), line)
        stack.push_async_callback(hall.close)
        first = await hall.start(cut=cut or every_way_cut)
        second = await hall.start(cut=every_way_cut)
        await hall.come(first)
        assert await hall.sure(cmd.StartGame())
        yield hall, first, second


def stood_right(tally: Tally, entries: list[Entry], failed_wall: int) -> None:
    """The clocks of the last interruption stand where they stood at the fault, but for what is told to be uncertain."""
    events = [event_in(one.body) for one in entries]
    at = max((n for n, one in enumerate(events) if isinstance(one, Interrupted)), default=None)
    tally.check(at is not None, "no interruption is on record")
    if at is None:
        return
    began = max(n for n, one in enumerate(events[:at]) if isinstance(one, GameStarted | ClockResumed))
    before = Game.replay(events[: began + 1]).time.clock
    stopped = events[at]
    assert isinstance(stopped, Interrupted)
    left = before.remaining(Seat.WHITE, events[began].at)
    true = left - (failed_wall - entries[began].wall_ms)
    off = stopped.white_ms - true
    tally.measure("clock uncertain", stopped.uncertain_ms / 1000)
    tally.measure("of it after the fault", (entries[at].wall_ms - failed_wall) / 1000)
    tally.check(
        -SLACK_MS <= off <= stopped.uncertain_ms + SLACK_MS,
        f"the clock is {off} ms off, and {stopped.uncertain_ms} ms were told",
    )


def kept(tally: Tally, hall: Shared) -> list[Entry]:
    """Check what holds after every fault, and return the record."""
    entries, chain = hall.record()
    tally.check(not chain.wrong, f"the chain is broken: {chain.wrong}")
    lost = set(hall.acknowledged) - {one.command for one in entries}
    tally.check(not lost, f"{len(lost)} acknowledged commands are lost")
    late = [one for one in entries if one.seq > hall.dead.get(one.run, one.seq)]
    tally.check(not late, "an event of the first server stands after one of the second")
    return entries


async def _fail(tally: Tally, count: int, minutes: float, seed: int, kind: str) -> None:
    chance = random.Random(seed)
    with running(memory_folder()) as cluster:
        async with shared(cluster, cut=kind == "database cut") as (hall, leads, _):
            for number in tally.trials(count, minutes):
                for _ in range(chance.randint(1, 4)):
                    tally.check(await hall.note(), "a note was refused before the fault")
                asking = asyncio.create_task(hall.act(LATE)) if chance.random() < 0.5 else None
                await asyncio.sleep(chance.random() * 1.2)
                process = hall.servers[leads][0]
                there = (await asyncio.to_thread(hall.record))[0][-1]
                failed = time.time_ns() // 1_000_000
                if kind == "killed":
                    process.kill()
                elif kind == "asleep":
                    process.send_signal(signal.SIGSTOP)
                else:
                    hall.line.pull()
                if asking is not None and kind == "killed":
                    await asking
                before = leads
                leads, took = await hall.led_anew(before)
                if asking is not None:
                    asking.cancel()
                    await asyncio.gather(asking, return_exceptions=True)
                tally.measure("taken over", took)
                tally.seen[f"taken over within {5 if took <= 5 else 10 if took <= 10 else 60} s"] += 1
                for known in hall.acknowledged[-3:]:
                    answer = await hall.arbiter.send(known)
                    tally.check(answer.outcome.ok, "asked again, it is answered otherwise")
                tally.check(await hall.note(), "the second server takes no note")
                after = (await asyncio.to_thread(hall.record))[0][there.seq :]
                hall.dead[there.run] = next(one.seq for one in after if one.run != there.run)
                if kind == "asleep":
                    await asyncio.sleep(float(os.environ.get("ANNA_EINS_SLEEP_S", "0")))
                    process.send_signal(signal.SIGCONT)
                if kind == "database cut":
                    hall.line.put_back()
                if kind != "killed":
                    before = await hall.back(before)
                    tally.seen["came back under another number"] += 1
                await hall.end(before)
                tally.check(await hall.led_by() == leads, "the table left the second server")
                entries = await asyncio.to_thread(kept, tally, hall)
                stood_right(tally, entries, failed)
                tally.check(await hall.sure(cmd.Resume()), "the game does not go on")
                if number + 1 == count:
                    continue
                await hall.start()
                if kind == "database cut":  # the next one that is cut off must be the one behind the cable
                    leads = await _behind_the_cable(hall, leads)


async def _behind_the_cable(hall: Shared, leads: int) -> int:
    """Start a server behind the cable and hand the table to it; return its number."""
    fresh = await hall.start(cut=True)
    spare = next(number for number in hall.servers if number not in (leads, fresh))
    await hall.end(spare, gently=True)
    await asyncio.to_thread(hall.leases.want, ["demo"], fresh)
    now, _ = await hall.led_anew(leads)
    return now


async def _hand_over(tally: Tally, count: int, minutes: float, seed: int) -> None:
    """A table goes back and forth while its clock runs and its arbiter acts."""
    chance = random.Random(seed)
    with running(memory_folder()) as cluster:
        async with shared(cluster) as (hall, leads, other):
            for _ in tally.trials(count, minutes):
                tally.check(await hall.note(), "a note was refused before the table was handed over")
                asking = asyncio.create_task(hall.act(LATE)) if chance.random() < 0.5 else None
                await asyncio.to_thread(hall.leases.want, ["demo"], other)
                now, took = await hall.led_anew(leads)
                if asking is not None:
                    asking.cancel()
                    await asyncio.gather(asking, return_exceptions=True)
                leads, other = now, leads
                tally.check(await hall.note(), "the second server takes no note")
                tally.seen[f"handed over within {1 if took <= 1 else 5} s"] += 1
                entries = await asyncio.to_thread(lambda: kept(tally, hall))
                went_on_right(tally, entries)


def went_on_right(tally: Tally, entries: list[Entry]) -> None:
    """The clock ran on over the last handover, as long as the wall of this one machine says."""
    events = [event_in(one.body) for one in entries]
    taken = max(n for n, one in enumerate(events) if isinstance(one, TakenOver))
    over = max(n for n, one in enumerate(events[:taken]) if isinstance(one, HandedOver))
    event = events[taken]
    assert isinstance(event, TakenOver)
    off = (event.at - events[over].at) - (entries[taken].wall_ms - entries[over].wall_ms)
    tally.check(abs(off) <= event.uncertain_ms, f"the clock is {off} ms off, and {event.uncertain_ms} ms were told")
    tally.check(not any(isinstance(one, Interrupted) for one in events), "a clock stood still for it")
    tally.seen[f"±{10 if event.uncertain_ms <= 10 else 50 if event.uncertain_ms <= 50 else 1000} ms told"] += 1


async def _idle_cut(tally: Tally, count: int, minutes: float, seed: int) -> None:
    """The server that leads no table loses everything that joins it to the others: the game goes on."""
    chance = random.Random(seed)
    with running(memory_folder()) as cluster:
        async with shared(cluster) as (hall, leads, other):
            await hall.end(other)
            for _ in tally.trials(count, minutes):
                idle = await hall.start(cut=True)
                hall.line.pull()
                await asyncio.sleep(3.2 + chance.random())
                tally.check(await hall.note(), "the game does not go on while the other server is cut off")
                tally.check(await hall.led_by() == leads, "the table went to a server that is cut off")
                hall.line.put_back()
                tally.check(await hall.note(), "the game does not go on after it")
                await hall.end(idle)
                entries = await asyncio.to_thread(kept, tally, hall)
                tally.check(not any(one.kind == "interrupted" for one in entries), "a clock stood still for it")
                tally.seen["went on"] += 1


async def _stalled(tally: Tally, count: int, minutes: float, seed: int) -> None:
    """The server that leads stands still for less than two seconds, as one that waits for a processor: it keeps all."""
    chance = random.Random(seed)
    with running(memory_folder()) as cluster:
        async with shared(cluster) as (hall, leads, _):
            for _ in tally.trials(count, minutes):
                process = hall.servers[leads][0]
                process.send_signal(signal.SIGSTOP)
                await asyncio.sleep(0.3 + 1.4 * chance.random())
                process.send_signal(signal.SIGCONT)
                await asyncio.sleep(1 + chance.random())
                tally.check(await hall.led_by() == leads, "the table went to another server")
                tally.check(await hall.note(), "the game does not go on")
                tally.seen["kept its table"] += 1


@contextmanager
def small_disk() -> Iterator[Path]:
    """A disk in memory of its own size. Raises CalledProcessError where this process may mount none."""
    place = Path(tempfile.mkdtemp(prefix="anna-small-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=755", "tmpfs", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)
        place.rmdir()


async def _disk_full(tally: Tally, count: int, minutes: float, seed: int) -> None:
    """The database's disk is full, until there is room again; PostgreSQL itself may go down and come up meanwhile."""
    chance = random.Random(seed)
    with small_disk() as place, running(place) as cluster:
        async with shared(cluster) as (hall, leads, _):
            for _ in tally.trials(count, minutes):
                ballast = place / "ballast"
                with suppress(OSError), ballast.open("wb", buffering=0) as file:
                    while file.write(b"\0" * 65_536):
                        pass
                refused = False
                async with asyncio.timeout(PATIENCE_S):
                    while not refused:  # until what PostgreSQL had made room for is used up
                        sent = [hall.act(cmd.NoteIncident(kind="other", text="x" * 390)) for _ in range(20)]
                        refused = not all(await asyncio.gather(*sent))
                await asyncio.sleep(chance.random() * 2)
                ballast.unlink()
                if (cluster.folder / "data" / "postmaster.pid").exists() is False:
                    cluster.start()
                async with asyncio.timeout(PATIENCE_S):
                    while True:
                        try:
                            leads = await hall.led_by()
                            await hall.come(leads)
                            if await hall.note():
                                break
                        except (KeyError, OSError, RuntimeError):
                            pass
                        await asyncio.sleep(0.2)
                entries = await asyncio.to_thread(lambda: kept(tally, hall))
                tally.seen["refused, and went on with room"] += 1
                state = Game.replay([event_in(one.body) for one in entries])
                if state.time.clock.running is None:
                    tally.check(await hall.sure(cmd.Resume()), "the game does not go on")


def memory_folder() -> Path | None:
    """A folder in memory, where there is one: no disk is waited for there."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() else None


def played(name: str, work: Callable[[Tally, int, float, int], object]) -> Callable[[int, float, int], Tally]:
    """How a fault of this name is played."""

    def tried(count: int, minutes: float, seed: int) -> Tally:
        tally = Tally(name)
        asyncio.run(work(tally, count, minutes, seed))  # type: ignore[arg-type]
        return tally

    return tried


KINDS = {
    "servers-killed": played("the server that leads is killed", lambda t, c, m, s: _fail(t, c, m, s, "killed")),
    "servers-asleep": played("the server that leads sleeps", lambda t, c, m, s: _fail(t, c, m, s, "asleep")),
    "servers-database": played("its way to the database is cut", lambda t, c, m, s: _fail(t, c, m, s, "database cut")),
    "servers-stalled": played("the server that leads stands still for up to 1.7 s", _stalled),
    "servers-idle": played("the other server is cut off", _idle_cut),
    "servers-disk": played("the database's disk is full", _disk_full),
    "servers-handover": played("a table is handed over", _hand_over),
}
"""How each fault of two servers is played; each needs a PostgreSQL on this machine."""
