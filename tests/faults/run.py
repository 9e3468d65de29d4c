"""`make faults`: the program is killed, starved, damaged and cut off, so many times; one table says what held.

`python -m tests.faults.run [--only kills,disk] [--count 10000] [--minutes 5] [--seed 20]`. Each kind stops by itself
after so many tries or minutes. The exit status is 1 where an invariant broke: no acknowledged command lost or done
twice, a replay that is equal, nothing told that is not on disk, and one plain sentence in place of a traceback.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping

import click

from tests.faults import card, disk, flips, floods, kills, limits, outages, rollbacks, servers, sounds
from tests.faults import children as engines
from tests.faults.tally import Tally, shown

KINDS: Mapping[str, tuple[Callable[[int, float, int], Tally], int, int]] = {
    "writer": (kills.of_the_journal, 10_000, 8),
    "hall": (kills.of_the_hall, 1_000, 2),
    "disk": (disk.of_the_journal, 2_000, 10),
    "disk-hall": (disk.of_the_hall, 500, 2),
    "flips": (flips.flips, 1_000, 10),
    "rollbacks": (rollbacks.rollbacks, 400, 2),
    "sounds": (sounds.sounds, 1_000, 4),
    "children": (engines.children, 300, 2),
    "limits": (limits.limits, len(limits.CASES), 2),
}
"""How each kind is tried, how often, and how often in the tests."""
SELDOM: Mapping[str, tuple[Callable[[int, float, int], Tally], int]] = {
    "card": (card.card, 50),
    **{kind: (play, 10) for kind, play in floods.kinds().items()},
    **{kind: (play, 100) for kind, play in servers.KINDS.items()},
    "servers-outage": (servers.played("the database goes away", outages.outages), 100),
}
"""How often each fault is tried that takes many seconds; tests of their own try it once or a few times."""
EVERY = (*KINDS, *SELDOM)


@click.command()
@click.option("--only", default="", help=f"These kinds alone, with commas between them: {', '.join(EVERY)}.")
@click.option("--count", type=click.IntRange(1), help="So many tries of each kind.")
@click.option("--few", is_flag=True, help="A few tries of each kind, as the tests do.")
@click.option("--minutes", default=20.0, show_default=True, help="For each kind.")
@click.option("--seed", default=20, show_default=True)
@click.option("--flood", type=click.FloatRange(1), help="So many minutes of each flood of sound, in place of 40 s.")
def main(only: str, count: int | None, few: bool, minutes: float, seed: int, flood: float | None) -> None:
    """Make faults, and say what held."""
    logging.disable(logging.CRITICAL)  # what the program logs of its faults is not what is asked here
    rows = []
    long = floods.kinds(60 * flood) if flood else {}
    for kind in only.split(",") if only else KINDS if few else EVERY:
        tried, many, some = KINDS[kind] if kind in KINDS else (*SELDOM[kind], 1)
        tried = long.get(kind, tried)
        rows.append(tried(count or (some if few else many), minutes, seed))
        print(*rows[-1].row(), sep=" | ", file=sys.stderr, flush=True)
    sys.exit(shown("Faults", rows))


if __name__ == "__main__":
    main()
