"""A real process that appends for three tables at once and prints every acknowledged event; it is killed, not ended.

Arguments: the journal's path and the name of this run. A line on standard output is `TABLE SEQ COMMAND`.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from server.journal.entry import Entry, Outcome, Run
from server.journal.journal import Journal


async def play(journal: Journal, run: str, table: str) -> None:
    seq = await journal.last_seq(table)
    while True:
        command = os.urandom(16).hex()
        envelopes = [
            Entry(table, seq + 1, run, command, "s", "white", "declared", seq, seq, 1, "pressed", b'{"n":1}'),
            Entry(table, seq + 2, run, command, "s", "white", "inferred", seq, seq, 1, "completed", b'{"n":2}'),
        ]
        await journal.append(envelopes, Outcome(command, table, "s", f'{{"seq":{seq + 2}}}'.encode()))
        seq += 2
        # One write call a line: a line is either whole or not there when the process dies.
        os.write(1, f"{table} {seq} {command}\n".encode())


async def main(path: Path, run: str) -> None:
    journal = await asyncio.to_thread(Journal.open, path)
    await journal.begin_run(Run(run, 0, 0, "test"))
    await asyncio.gather(*(play(journal, run, table) for table in ("t1", "t2", "t3")))


asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
