"""What a kind of fault did: how often it was tried, what was seen, and what broke, with Wilson's 95 % interval."""

from __future__ import annotations

import math
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from speech.hearing.shares import rare

TOLD = 5
"""So many of the breaks of one kind are told in full."""


def rank(ordered: Sequence[float], part: float) -> float:
    """The smallest figure that so large a part of all is not above.

    >>> rank([1.0, 2.0, 3.0], 0.95), rank([1.0], 0.5)
    (3.0, 1.0)
    """
    return ordered[math.ceil(part * len(ordered)) - 1]


class Tally:
    """One row. `seen`: what was seen in so many tries; `broken`: each invariant that did not hold, in a sentence.

    `figures`: what was measured in each try, in seconds.
    """

    def __init__(self, fault: str) -> None:
        self.fault = fault
        self.tried = 0
        self.seen: Counter[str] = Counter()
        self.broken: list[str] = []
        self.figures: dict[str, list[float]] = {}
        self.seconds = 0.0

    def trials(self, count: int, minutes: float) -> Iterator[int]:
        """Count up to so many tries, and stop earlier when the time is up."""
        began = time.monotonic()
        for number in range(count):
            if time.monotonic() - began > 60 * minutes:
                return
            self.tried += 1
            yield number
            self.seconds = time.monotonic() - began

    def check(self, holds: bool, otherwise: str) -> None:
        """Note an invariant that does not hold in this try."""
        if not holds:
            self.broken.append(f"try {self.tried}: {otherwise}")

    def measure(self, what: str, seconds: float) -> None:
        """Note a figure of this try, of which the row has the 95th percentile."""
        self.figures.setdefault(what, []).append(seconds)

    def row(self) -> tuple[str, ...]:
        """Return the figures as they stand in the table; each broken try counts once."""
        broken = len({one.partition(":")[0] for one in self.broken})
        told = [f"{count} {seen}" for seen, count in self.seen.most_common()]
        told += [f"{name} p95 {rank(sorted(found), 0.95):.1f} s" for name, found in self.figures.items()]
        what = ", ".join(told)
        return self.fault, str(self.tried), rare(min(broken, self.tried), self.tried), what, f"{self.seconds:.0f}"


def memory(pid: int | str = "self") -> float:
    """Return what a process holds in memory, in MB (Linux)."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def shown(title: str, rows: Sequence[Tally]) -> int:
    """Print the table and what broke; return the exit status, 1 where anything broke."""
    table = Table(title=f"{title} ({os.cpu_count()} cores, load {os.getloadavg()[0]:.1f})")
    for heading, justify in (
        ("what", "left"),
        ("tried", "right"),
        ("broke (95 % below)", "right"),
        ("seen", "left"),
        ("s", "right"),
    ):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for one in rows:
        table.add_row(*one.row())
    console = Console(width=150)
    console.print(table)
    for one in rows:
        for told in one.broken[:TOLD]:
            console.print(f"BROKEN {one.fault}, {told}", markup=False, soft_wrap=True)
    return int(any(one.broken for one in rows))
