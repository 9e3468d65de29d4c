"""What a hundred stations cost a server on which nothing happens: twenty-five tables, their clocks running.

Run it from the repo's root: `python -m tests.bench.idle_stations [--tables 25] [--seconds 20]`. The server is a process
of its own, with the engines that wait for a voice; its processor time is the kernel's. Each table has a tactile and a
sighted player, an assistant and an arbiter, as browsers hold them: each answers the server's beats, and the arbiter
holds a copy of the record. The goal (issue 7) is less than 5 % of one core.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
import tempfile
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import click
import msgspec
from rich.console import Console
from rich.table import Table

SETTLE_S = 5.0
GOAL = 0.05
ANSWER = {"do": "record_adaptation", "name": "sighted_press_without_announcement", "value": "note", "approved": True}
"""The one question that must be answered before a game."""
SERVER = """
import asyncio, json, sys
from pathlib import Path
from server.app import listening
from server.machine.data_folder import DataFolder
from server.hall.engines import open_engines
from server.hall.hall import Hall
from server.game.acts import OpenTable
from server.game.values.time_control import TimeControl
from server.game.values.words import Duty, Seat, SeatKind, SeatPlan
from server.machine.clock import SystemClock
from server.web.door.access import Place
from server.web.door.access import ACCESS
from server.settings import Settings

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

async def main():
    settings = Settings(port=0)
    with DataFolder.open(Path(sys.argv[1]), lock=True) as data:
        hall = await Hall.open(data, SystemClock())
        async with open_engines(data, settings) as (ears, voice):
            hall.use(ears=ears, voice=voice)
            for number in range(int(sys.argv[2])):
                await hall.open_table(OpenTable(
                    white=SeatPlan(kind=SeatKind.TACTILE, name="Anna", language="de"),
                    black=SeatPlan(kind=SeatKind.SIGHTED, name="Hector", language="en"),
                    control=TimeControl.parse("5400+30"), start_fen=START, rated=False), f"t{number}")
            async with listening(hall, settings, data) as house:
                access = house.app[ACCESS]
                for id in hall.tables:
                    for place in (Place(table=id, page="arbiter"),
                                  Place(table=id, page="tactile", seat=Seat.WHITE),
                                  Place(table=id, page="sighted", seat=Seat.BLACK),
                                  Place(table=id, page="assistant", seat=Seat.WHITE, duties=(Duty.EXECUTE,))):
                        made = access.invite(place, admits=True, lasting=True)
                        print(json.dumps({"base": house.local, "secret": made.secret, "page": place.page}), flush=True)
                print("{}", flush=True)
                await asyncio.Event().wait()

asyncio.run(main())
"""


class Station:
    """One browser's line: it answers beats and counts what comes."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, page: str) -> None:
        self.socket = socket
        self.page = page
        self.messages = 0
        self.bytes = 0
        self.kinds: Counter[str] = Counter()

    async def hold(self) -> None:
        """Until cancelled."""
        async for message in self.socket:
            self.messages += 1
            self.bytes += len(message.data)
            said = msgspec.json.decode(message.data)
            self.kinds[said["kind"]] += 1
            if said["kind"] == "beat" and said["ask"]:
                await self.socket.send_json({"kind": "beat", "n": said["n"]})


async def seated(session: aiohttp.ClientSession, one: dict[str, str]) -> Station:
    """A station by its link, with its line."""
    own = {"Origin": one["base"]}
    async with session.post(one["base"] + "/api/join", json={"secret": one["secret"]}, headers=own) as answer:
        page = (await answer.json())["page"]
    socket = await session.ws_connect(f"{one['base']}/ws?{page.partition('?')[2]}&page={one['page']}", headers=own)
    await socket.send_json({"kind": "hello", "after": 0, "beats": True})
    if one["page"] == "arbiter":
        await socket.send_json({"kind": "hold", "id": "", "after": 0})
        for body in (ANSWER, {"do": "start_game"}):
            await socket.send_json({"kind": "do", "id": secrets.token_hex(16), "body": body})
    return Station(socket, one["page"])


def used_s(pid: int) -> float:
    """Processor time of a process and its children that have ended nothing yet (s), from /proc."""
    ticks = 0
    for one in (pid, *_children(pid)):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    found = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return found + [grandchild for child in found for grandchild in _children(child)]


async def measured(tables: int, seconds: float) -> None:
    """Serve, seat everybody, wait, and print what the waiting cost."""
    with tempfile.TemporaryDirectory() as folder:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", SERVER, f"{folder}/data", str(tables)), stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        try:
            links = []
            while one := json.loads(await process.stdout.readline()):
                links.append(one)
            async with AsyncExitStack() as stack:
                nobody = await cost(process.pid, seconds / 2)
                stations, holding = [], []
                for one in links:
                    jar = aiohttp.CookieJar(unsafe=True)
                    session = await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=jar))
                    stations.append(await seated(session, one))
                    holding.append(asyncio.create_task(stations[-1].hold()))
                await asyncio.sleep(SETTLE_S)
                before = [(one.messages, one.bytes) for one in stations]
                idle = await cost(process.pid, seconds)
                after = [(one.messages, one.bytes) for one in stations]
                for task in holding:
                    task.cancel()
                await asyncio.gather(*holding, return_exceptions=True)
        finally:
            process.terminate()
            await process.wait()
    messages = sum(new[0] - old[0] for old, new in zip(before, after, strict=True)) / seconds
    octets = sum(new[1] - old[1] for old, new in zip(before, after, strict=True)) / seconds
    shown = Table("stations", "of one core", "messages/s", "kB/s", title="A server on which nothing happens")
    shown.add_row("0", f"{nobody:.1%}", "", "")
    shown.add_row(str(len(stations)), f"{idle:.1%}", f"{messages:.0f}", f"{octets / 1000:.1f}")
    kinds = [one.kinds.get("copy_seal", 0) for one in stations if one.page == "arbiter"]
    assert min(kinds) > 0, "a clock does not run"
    Console().print(shown)
    Console().print(f"Goal: under {GOAL:.0%} of one core: {'met' if idle < GOAL else 'missed'}.")


async def cost(pid: int, seconds: float) -> float:
    """Processor time over wall time, of one core."""
    loop = asyncio.get_running_loop()
    began, used = loop.time(), used_s(pid)
    await asyncio.sleep(seconds)
    return (used_s(pid) - used) / (loop.time() - began)


@click.command()
@click.option("--tables", default=25, show_default=True, help="Four stations each.")
@click.option("--seconds", default=20.0, show_default=True, help="How long nothing happens.")
def main(tables: int, seconds: float) -> None:
    """What idle stations cost."""
    asyncio.run(measured(tables, seconds))


if __name__ == "__main__":
    main()
