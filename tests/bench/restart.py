"""How long a server needs to take up its tables again: `python -m tests.bench.restart [TABLES]`.

One game of a hundred plies is played and copied to so many tables; then the folder is opened as after a crash. The
processor's time is measured, because other programs may share the machine: until the hall serves, until the table that
would come last is there for somebody who asks for it then, and until all are.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

import chess
import msgspec
from rich.console import Console

from server.app import SERVES_WITHIN_MS
from server.game import acts as cmd
from server.game.values.words import SeatKind
from server.hall.hall import Hall
from server.journal.entry import Entry, Run
from server.journal.journal import Journal
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from tests.table.open_hall import played

PLIES = 100
TABLES = 60
GOAL_S = 2.0


async def one_game(folder: Path) -> tuple[list[Run], list[Entry]]:
    """Return the record of a game that is under way, with both scores written."""
    chance, board = random.Random(3), chess.Board()
    async with played(folder, white=SeatKind.SIGHTED) as game:
        for ply in range(PLIES):
            move = chance.choice(list(board.legal_moves))
            mover, other = ("white", "black") if board.turn else ("black", "white")
            await game.do(mover, cmd.EnterMove(uci=move.uci()))
            await game.do(mover, cmd.WriteScore(index=ply // 2 + 1, text=board.san(move)))
            await game.press(mover)
            await game.do(other, cmd.Execute())
            board.push(move)
            game.clock.advance(3_000)
        return await game.hall.journal.runs(), await game.hall.journal.read("t1")


async def filled(data: DataFolder, tables: int, runs: list[Run], entries: list[Entry]) -> None:
    """Write the same record for each table."""
    journal = Journal.open(data.journal)
    for number in range(tables):
        copied = [msgspec.structs.replace(one, table=f"b{number}", command="") for one in entries]
        await journal.adopt(runs if number == 0 else (), copied, None)
    await journal.close()


async def measured(tables: int) -> None:
    """Print what opening takes."""
    with tempfile.TemporaryDirectory() as place:
        runs, entries = await one_game(Path(place) / "one")
        with DataFolder.open(Path(place) / "many", lock=True) as data:
            await filled(data, tables, runs, entries)
            began, wall = time.process_time(), time.perf_counter()

            def shown(said: str) -> float:
                used, took = time.process_time() - began, time.perf_counter() - wall
                Console().print(f"{said}: {used:.2f} s of the processor, {took:.2f} s in all.")
                return used

            hall = await Hall.open(data, SystemClock(), serves_within_ms=SERVES_WITHIN_MS)
            used = shown(f"{tables} tables of {len(entries)} events. The hall serves, with {len(hall.tables)} of them")
            for last in hall.waiting[-1:]:
                await hall.wait_for(last)
                shown("The last of the others, asked for at once, is there")
            await hall.wait_for_all()
            shown("All tables are there")
            assert len(hall.tables) == tables and not hall.shut
            await hall.close()
    Console().print(f"Goal: it serves within {GOAL_S:g} s: {'met' if used < GOAL_S else 'missed'}.")


if __name__ == "__main__":
    asyncio.run(measured(int(sys.argv[1]) if len(sys.argv) > 1 else TABLES))
