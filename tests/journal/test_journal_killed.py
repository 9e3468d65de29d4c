"""Kill -9 at any moment: what was acknowledged is there, whole, in order, with its outcome."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from server.journal.journal import Journal

KILLS = 24
CHILD = Path(__file__).with_name("appending_child.py")


def killed_at_a_random_moment(path: Path, run: str, after_s: float, repo: Path) -> list[tuple[str, int, str]]:
    """Start the child, wait for its first acknowledgement, let it go on for `after_s`, kill it; what it printed."""
    child = subprocess.Popen(
        [sys.executable, str(CHILD), str(path), run],
        cwd=repo,
        env={**os.environ, "PYTHONPATH": str(repo)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    said = b""
    try:
        readable, _, _ = select.select([child.stdout], [], [], 20)
        assert readable, "the child acknowledged nothing in 20 s"
        end = time.monotonic() + after_s
        while (left := end - time.monotonic()) > 0:
            if select.select([child.stdout], [], [], left)[0]:
                said += os.read(child.stdout.fileno(), 65536)
    finally:
        child.send_signal(signal.SIGKILL)
        rest, errors = child.communicate()
    assert child.returncode == -signal.SIGKILL, errors.decode()
    lines = (said + rest).decode().splitlines()
    assert lines, errors.decode()
    return [(table, int(seq), command) for table, seq, command in (line.split() for line in lines)]


@pytest.mark.law("L066")
async def test_nothing_acknowledged_is_missing_after_a_kill(path: Path, repo: Path) -> None:
    chance = random.Random(20)
    acknowledged: dict[str, int] = {}
    total = 0
    for kill in range(KILLS):
        said = killed_at_a_random_moment(path, f"run{kill}", chance.uniform(0, 0.06), repo)
        total += len(said)
        journal = Journal.open(path)
        for table, seq, _ in said:
            acknowledged[table] = max(acknowledged.get(table, 0), seq)
        for table, seq in acknowledged.items():
            entries = await journal.read(table)
            assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
            assert len(entries) >= seq, f"kill {kill}: {table} acknowledged {seq}, has {len(entries)}"
            assert len(entries) % 2 == 0, "both events of a command, or none"
            assert all(a.command == b.command for a, b in zip(entries[::2], entries[1::2], strict=True))
        for _, seq, command in said:
            outcome = await journal.outcome_of(command)
            assert outcome is not None
            assert outcome.body == f'{{"seq":{seq}}}'.encode()
        assert len(await journal.runs()) == kill + 1
        await journal.close()
    assert total > KILLS, "the children did work before they were killed"
