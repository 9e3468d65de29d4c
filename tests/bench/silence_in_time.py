"""How well a player can tell by a stopwatch whether a move was legal: real server, real lines, real disk.

Run it from the repo's root: `python -m tests.bench.silence_in_time [--pairs 1000] [--acts press,echo,offer,claim]
[--plies 12,62,120] [--load 2] [--after 15]`. The same words are said in two games that differ in one bishop: in one
the knight may move, in the other it is pinned. Both tables are set up anew for each pair, in an order drawn by chance.
For each act it prints the time to one's own answer and to what the opponent is shown, and how often the pinned one is
the slower of two (AUC): .5 says that time tells nothing, 1 that it tells all. `--load`: so many processes that do
nothing but work. `--after 0` shows what it was before answers left at a fixed instant.

The server, the players and the load are processes of their own. `same bytes`: whether both tables said the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table as Grid

from server.app import invite_to, listening
from server.demo.seating import Stations, stations_of_table
from server.demo.station_client import StationClient
from server.game import acts as cmd
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat, SeatKind, SeatPlan
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.protocol import Outcome, Outgoing
from server.settings import Settings
from server.table.connections import SentLog
from server.table.departure import ANSWER_AFTER_MS

PLAIN, PINNED = (f"4k2r/8/8/8/{bishop}/8/3N4/R3K3 w - - 0 1" for bishop in ("5b2", "1b6"))
WALKS = {Seat.WHITE: "a1 a2 a3 a4 a5 a6 a7", Seat.BLACK: "h8 h7 h6 h5 h4 h3 g3 g8"}
"""Two rooks walk in rings of seven and eight squares: 112 plies until a position comes again."""
KNIGHT = cmd.Say(announcement=Announcement("knight", None, "f3"))
ACTS: dict[str, tuple[str, Seat, cmd.StationAct]] = {
    "press": ("said", Seat.WHITE, cmd.Press()),
    "echo": ("pressed", Seat.BLACK, KNIGHT),
    "offer": ("said", Seat.WHITE, cmd.OfferDraw()),
    "claim": ("before", Seat.WHITE, cmd.ClaimDraw(kind="fifty_moves", intended=KNIGHT.announcement)),
}
"""What is done, by whom, and how far the knight's move has come before it."""
REST_S = 0.03
TABLES = {"plain": PLAIN, "pinned": PINNED, "control": PLAIN}
BUSY = "import sys, time\nend = time.time() + float(sys.argv[1])\nwhile time.time() < end: pass"
LONGEST_S = 3_600


# the server


async def serve(root: Path, after_ms: int) -> None:
    """Serve two games; a line on standard input (`said plain 12`) sets the table up as it was then."""
    with DataFolder.open(root, lock=True) as data:
        hall = await Hall.open(data, SystemClock(), answer_after_ms=after_ms)
        plans = SeatPlan(SeatKind.TACTILE, language="de"), SeatPlan(SeatKind.SIGHTED, language="en")
        tables = {
            name: await hall.open_table(
                cmd.OpenTable(white=plans[0], black=plans[1], control=TimeControl.parse("36000"), start_fen=fen), name
            )
            for name, fen in TABLES.items()
        }
        async with listening(hall, Settings(port=0), data) as house:
            print(*(f"{one.table}={one.arbiter}" for one in invite_to(house.app, house.local)), flush=True)
            stood: dict[str, GameState] = {}
            lines = asyncio.StreamReader()
            await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
            while line := (await lines.readline()).decode().split():
                if line[0] == "play":
                    for name, table in tables.items():
                        await play(table, name, sorted(int(ply) for ply in line[1:]), stood)
                else:
                    set_up(tables[line[1]], stood[" ".join(line)])
                print("done", flush=True)
        await hall.close()


async def play(table: LiveTable, name: str, plies: Sequence[int], stood: dict[str, GameState]) -> None:
    """Play on to the last of these plies, and keep how the table stood at each, with the knight's move half done."""
    record = cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore")
    for body in (record, cmd.StartGame()):
        assert (await table.own(table.program_command(body))).outcome.ok
    table.beliefs.look = table.mates.look = lambda: None  # type: ignore[method-assign]
    for ply in range(1, plies[-1] + 1):
        if ply in plies:
            before = stood[f"before {name} {ply}"] = table.state
            await do(table, Seat.WHITE, KNIGHT)
            stood[f"said {name} {ply}"] = table.state
            await do(table, Seat.WHITE, cmd.Press())
            stood[f"pressed {name} {ply}"] = table.state
            set_up(table, before)
        seat = Seat.WHITE if ply % 2 else Seat.BLACK
        walk = WALKS[seat].split()
        move = cmd.Say(announcement=Announcement("rook", None, walk[(ply + 1) // 2 % len(walk)]))
        await do(table, seat, move)
        await do(table, seat, cmd.Press())
        await do(table, seat.other, move)
    del table.beliefs.look, table.mates.look


async def do(table: LiveTable, seat: Seat, body: cmd.StationAct) -> None:
    """Give a command of a player, and see that it is done."""
    station = table.state.stations.at(Role.PLAYER, seat)[-1].id
    outcome = await table.submit(msgspec.structs.replace(table.program_command(body), station=station))
    assert outcome.outcome.ok, (body, outcome)


def set_up(table: LiveTable, state: GameState) -> None:
    """Let the table stand as it did then; its lines stay, and nothing is known of the time since."""
    table.state = table._shown = table._told = state
    table.beliefs._weighed = ""
    for station in table._sent:
        table._sent[station] = SentLog()


# the players


class Watched(StationClient):
    """A station that notes when each message came, before it looks at it."""

    came: list[tuple[float, Outgoing]]

    def _take(self, came: Outgoing) -> None:
        self.__dict__.setdefault("came", []).append((time.perf_counter(), came))
        super()._take(came)


class Case(msgspec.Struct):
    """What was measured of one act at one ply, by table: ms, and the forms of what was said."""

    own: dict[str, list[float]] = msgspec.field(default_factory=lambda: {name: [] for name in TABLES})
    opponent: dict[str, list[float]] = msgspec.field(default_factory=lambda: {name: [] for name in TABLES})
    said: dict[str, set[str]] = msgspec.field(default_factory=lambda: {name: set() for name in TABLES})

    def told(self, name: str) -> str:
        """The AUC of this table against the plain one: of one's own answer, and of what the opponent is shown."""
        return ", ".join(f"{auc(of['plain'], of[name]):.3f}" for of in (self.own, self.opponent) if of["plain"])


def auc(plain: Sequence[float], pinned: Sequence[float]) -> float:
    """The chance that one of `pinned` is larger than one of `plain`; .5 where they are alike."""
    ordered = sorted([(value, 0) for value in plain] + [(value, 1) for value in pinned])
    rank = sum(place for place, (_, which) in enumerate(ordered, 1) if which)
    return (rank - len(pinned) * (len(pinned) + 1) / 2) / (len(plain) * len(pinned))


def form(message: Outgoing) -> str:
    """A message without what differs from one time to the next: numbers, names and times."""
    return re.sub(r'"id":"[0-9a-f]+"|\d+', "*", msgspec.json.encode(message).decode())


async def one(stations: Stations, seat: Seat, body: cmd.StationAct, case: Case, which: str) -> None:
    """Do the act once, and note when it was answered and when the opponent was shown something."""
    mine, other = (stations.tactile, stations.sighted) if seat is Seat.WHITE else (stations.sighted, stations.tactile)
    assert isinstance(mine, Watched) and isinstance(other, Watched)
    mine.came, other.came = [], []
    begun = time.perf_counter()
    outcome = await mine.do(body)
    assert outcome.outcome.ok, outcome
    await asyncio.sleep(REST_S)
    case.own[which].append(1000 * next(at - begun for at, came in mine.came if isinstance(came, Outcome)))
    if other.came:
        case.opponent[which].append(1000 * (other.came[0][0] - begun))
    case.said[which].add(" ".join(form(came) for _, came in (*mine.came, *other.came)))


@asynccontextmanager
async def busy(processes: int) -> AsyncIterator[None]:
    """So many processes that only work, and end by themselves if nobody ends them."""
    load = [await asyncio.create_subprocess_exec(sys.executable, "-c", BUSY, str(LONGEST_S)) for _ in range(processes)]
    try:
        yield
    finally:
        for each in load:
            each.kill()
        await asyncio.gather(*(each.wait() for each in load))


async def measure(root: Path, pairs: int, acts: Sequence[str], plies: Sequence[int], load: int, after: int) -> Grid:
    """Measure every act at every ply, in an order drawn by chance, and return the table of results."""
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.silence_in_time", "--serve", str(root), "--after", str(after)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert server.stdin is not None and server.stdout is not None
    reader, writer = server.stdout, server.stdin

    async def ask(line: str) -> None:
        writer.write(line.encode() + b"\n")
        answer = await reader.readline()
        assert answer == b"done\n", answer

    cases = {(act, ply): Case() for act in acts for ply in plies}
    try:
        seats: dict[str, Stations] = {}
        async with AsyncExitStack() as stack:
            for link in (await reader.readline()).decode().split():
                base, _, secret = link.partition("=")[2].partition("/#join=")
                seats[link.partition("=")[0]] = there = await stack.enter_async_context(
                    stations_of_table(base, secret, Seat.WHITE)
                )
                for client in (there.tactile, there.sighted):
                    client.__class__ = Watched
            await ask("play " + " ".join(str(ply) for ply in plies))
            await stack.enter_async_context(busy(load))
            drawn = random.Random(1)
            todo = [(key, name) for key in cases for name in seats for _ in range(pairs)]
            drawn.shuffle(todo)
            for (act, ply), name in todo:
                stage, seat, body = ACTS[act]
                await ask(f"{stage} {name} {ply}")
                await one(seats[name], seat, body, cases[act, ply], name)
    finally:
        with contextlib.suppress(ProcessLookupError):
            writer.close()
        await server.wait()
    return shown(cases, load, after)


def shown(cases: dict[tuple[str, int], Case], load: int, after: int) -> Grid:
    """The table of results."""
    grid = Grid(title=f"Told by a stopwatch; {load or 'no'} processes of load; answers after {after} ms")
    for heading in ("act", "ply", "each", "legal, pinned p50", "p99", "AUC own, opponent's", "control", "same bytes"):
        grid.add_column(heading, justify="left" if heading == "act" else "right")
    for (act, ply), case in cases.items():
        every = sorted(took for each in case.own.values() for took in each)
        grid.add_row(
            *(act, str(ply), str(len(case.own["plain"]))),
            ", ".join(f"{statistics.median(case.own[name]):.2f}" for name in ("plain", "pinned")),
            f"{every[int(0.99 * len(every))]:.1f}",
            *(case.told(name) for name in ("pinned", "control")),
            "yes" if case.said["plain"] == case.said["pinned"] else "no",
        )
    return grid


@click.command()
@click.option("--pairs", default=1000, show_default=True)
@click.option("--acts", default=",".join(ACTS), show_default=True)
@click.option("--plies", default="12,62,120", show_default=True)
@click.option("--load", default=0, show_default=True, help="Processes that only work.")
@click.option("--after", default=ANSWER_AFTER_MS, show_default=True, help="When players are answered, ms.")
@click.option("--serve", "root", type=click.Path(path_type=Path), hidden=True)
def main(pairs: int, acts: str, plies: str, load: int, after: int, root: Path | None) -> None:
    """Measure and print."""
    if root is not None:
        asyncio.run(serve(root, after))
        return
    numbers = [int(ply) | 1 for ply in plies.split(",")]  # White's moves
    with tempfile.TemporaryDirectory() as folder:
        grid = asyncio.run(measure(Path(folder) / "data", pairs, acts.split(","), numbers, load, after))
    Console(width=120).print(grid)


if __name__ == "__main__":
    main()
