"""The processes that this one started: their memory and their work, from /proc (Linux)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path


def children() -> list[int]:
    """Their process ids."""
    found: list[int] = []
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        found += [int(pid) for pid in (task / "children").read_text("utf-8").split()]
    return found


def pss_mb(pid: int) -> float:
    """Proportional set size of a process, MB: a page that several share counts once in all."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


def worked_s(pids: Sequence[int]) -> float:
    """Processor time that they have used, seconds, to 10 ms each."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
