"""Three tables append to one journal and say what was acknowledged; the process is killed, not ended."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from server.journal.entry import Entry, Outcome, Run
from server.journal.journal import Journal

TABLES = ("t1", "t2", "t3")


def command_of(table: str, run: str, seq: int, command: str) -> tuple[list[Entry], Outcome]:
    """The two events of a command after event `seq`, and its answer."""
    entries = [
        Entry(table, seq + 1, run, command, "s", "white", "declared", seq, seq, 1, "pressed", b'{"n":1}'),
        Entry(table, seq + 2, run, command, "s", "white", "inferred", seq, seq, 1, "completed", b'{"n":2}'),
    ]
    return entries, Outcome(command, table, "s", f'{{"seq":{seq + 2}}}'.encode())


async def append_for_ever(path: Path, run: str, say: Callable[[str], None]) -> None:
    """Open the journal and append at all tables; `say` gets `TABLE SEQ COMMAND` of what was acknowledged."""
    journal = await asyncio.to_thread(Journal.open, path)
    await journal.begin_run(Run(run, 0, 0, "test"))

    async def play(table: str) -> None:
        seq = await journal.last_seq(table)
        while True:
            command = os.urandom(16).hex()
            await journal.append(*command_of(table, run, seq, command))
            seq += 2
            say(f"{table} {seq} {command}")

    await asyncio.gather(*(play(table) for table in TABLES))
