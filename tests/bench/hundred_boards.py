"""A hundred sensing boards at fifty tables of one server, each sending its whole board once a second.

    python -m tests.bench.hundred_boards [seconds]

Each board plays a real game: every message of its hands goes the way of LiveChess (JSON decoded, a placement) or of a
board that knows occupancy alone, to the watch, the desk, the table and the disk. Prints what the event loop waited, the
processor's share, and what reached the record; then how many snapshots a second the watch alone can take.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

import chess
import msgspec

from server.app import START_FEN
from server.boards.drivers.livechess import of_message
from server.boards.event import Snapshot
from server.boards.squares import of_board
from server.boards.watch import BoardWatch
from server.boards.watched_board import WatchedBoard
from server.game import acts as cmd
from server.game.values.position import Position
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat, SeatKind, SeatPlan
from server.hall.hall import Hall
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.table.table import Table
from tests.bench.noisy_boards import real_games
from tests.table.hands import Hands

TABLES = 50


class Loop:
    """How late the event loop wakes a task that sleeps 10 ms."""

    def __init__(self) -> None:
        self.late: list[float] = []

    async def watch(self) -> None:
        """Until cancelled."""
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.01)
            self.late.append(1000 * (time.perf_counter() - began - 0.01))


def messages(sans: list[str], seed: int) -> list[tuple[str, str]]:
    """What both boards of a table say in turn: a placement after every hand, as (seat, FEN placement)."""
    board, said = chess.Board(), []
    hands = {seat: Hands(seed, occupancy=False, snapshots=True) for seat in ("white", "black")}
    for san in sans:
        move = board.parse_san(san)
        for seat in ("white", "black") if board.turn else ("black", "white"):
            for _ in hands[seat].play(board, move):
                said.append((seat, hands[seat].on.board_fen()))
        board.push(move)
    return said


async def open_table(hall: Hall, number: int) -> Table:
    """Two sighted players whose boards sense."""
    plan = SeatPlan(kind=SeatKind.SIGHTED, language="en")
    table = await hall.open_table(
        cmd.OpenTable(white=plan, black=plan, control=TimeControl.parse("5400+30"), start_fen=START_FEN),
        f"t{number}",
    )
    await table.own(table.program_command(cmd.StartGame()))
    return table


async def play(seconds: int) -> None:
    """The hundred boards in real time."""
    games = list(real_games(TABLES))
    clock, loop = SystemClock(), Loop()
    with tempfile.TemporaryDirectory() as folder, DataFolder.open(Path(folder) / "data", lock=True) as data:
        hall = await Hall.open(data, clock)
        tables = [await open_table(hall, number) for number in range(TABLES)]
        desks = {
            (number, seat.value): WatchedBoard(table, clock, seat)
            for number, table in enumerate(tables)
            for seat in Seat
        }
        said = [messages(games[number], number) for number in range(TABLES)]
        shown = dict.fromkeys(desks, chess.STARTING_BOARD_FEN)
        watching = asyncio.create_task(loop.watch())
        cpu, began, sent = time.process_time(), time.perf_counter(), 0
        for second in range(seconds):
            for number in range(TABLES):
                if second < len(said[number]):
                    seat, placement = said[number][second]
                    shown[number, seat] = placement
            for key, desk in desks.items():
                text = msgspec.json.encode(
                    {"response": "feed", "id": 1, "param": {"serialnr": "1", "board": shown[key]}, "time": second}
                )
                for event in of_message(text, "1", clock.mono_ms())[0]:
                    desk.take(event)
                sent += 1
                await asyncio.sleep(0)
            await asyncio.sleep(max(0.0, began + second + 1 - time.perf_counter()))
        wall, used = time.perf_counter() - began, time.process_time() - cpu
        watching.cancel()
        plies = sum(table.state.made_plies for table in tables)
        touches = sum(len(table.state.rulings.touches) for table in tables)
        lost = sum(desk.lost for desk in desks.values())
        for desk in desks.values():
            await desk.close()
        await hall.close()
    late = sorted(loop.late)
    print(f"{sent} snapshots of {len(desks)} boards in {wall:.0f} s ({sent / wall:.0f} a second)")
    print(f"moves on record {plies}, touches {touches}, findings dropped {lost}")
    print(f"processor {100 * used / wall:.0f} % of one core (of this process)")
    print(
        f"the event loop woke late by {statistics.median(late):.1f} ms (median), "
        f"{late[round(0.99 * len(late)) - 1]:.1f} ms (99 %), {late[-1]:.1f} ms (most)"
    )


def alone() -> None:
    """Snapshots a second through the watch alone, with and without names."""
    print(f"\n{'the watch alone':<30}{'snapshots':>10}{'a second':>10}")
    for occupancy in (False, True):
        position = Position.from_board(chess.Board())
        watch, hands = BoardWatch(occupancy=occupancy), Hands(3, occupancy=occupancy, snapshots=True)
        board, squares = chess.Board(), [of_board(chess.Board())]
        for san in list(real_games(3))[2]:
            move = board.parse_san(san)
            squares += [event.squares for event in hands.play(board, move) if isinstance(event, Snapshot)]
            board.push(move)
        taken, began, now = 0, time.perf_counter(), 1_000
        while time.perf_counter() - began < 2:
            for one in squares:
                now += 1_000
                watch, _ = watch.take(Snapshot(now, one), position)
                watch, _ = watch.look(now + 900, position, position)
                taken += 1
        print(f"{'occupancy' if occupancy else 'pieces':<30}{taken:>10}{taken / (time.perf_counter() - began):>10.0f}")


if __name__ == "__main__":
    asyncio.run(play(int(sys.argv[1]) if len(sys.argv) > 1 else 30))
    alone()
