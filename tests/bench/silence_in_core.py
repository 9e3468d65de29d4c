"""How long the core takes to answer the same command in positions that differ in what a player may not know.

For each pair: the median time of `decide` where the hidden fact holds, over the median where it does not, both in this
one run, by turns, with nothing remembered from the time before. A ratio far from 1 could tell a player something by the
time that the answer takes; what it is measured against is the journal's fsync (milliseconds) that follows each command.

Run it from the repo's root: `python -m tests.bench.silence_in_core [--rounds 60]`. Machines differ; ratios count.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import click
import msgspec
from rich.console import Console
from rich.table import Table

from server.game import acts as cmd
from server.game.acts import Command
from server.game.decide import endings
from server.game.decide.decide import decide
from server.game.values import position
from server.game.values.words import Origin, Seat
from tests.game.core_table import CoreTable, said

Steps = Callable[[CoreTable], object]


class Pair(msgspec.Struct, frozen=True):
    """One command after the same steps, in a position with the hidden fact and in one without it."""

    name: str
    fact: str
    without: str
    steps: Steps
    station: str
    body: cmd.AnyAct


def nothing(table: CoreTable) -> None:
    """The command comes first."""


def announced(table: CoreTable) -> None:
    """The move is announced: what follows is the press."""
    table.say("white", "Nf3")


def pressed(table: CoreTable) -> None:
    """The move is pressed: what follows is Black's."""
    announced(table)
    table.press("white")


def flagged(table: CoreTable) -> None:
    """White's display stands at zero."""
    table.wait(6_000_000)


KNIGHT = "4k3/8/8/8/8/8/3N4/4K3 w - - 0 1"
SAY = cmd.Say(announcement=said("Nf3"), words=("w",), text="Nf3", origin=Origin.HEARD)
PINNED = "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1"
FREE = "4k3/8/8/8/5b2/8/3N4/4K3 w - - 0 1"
SEARCHED = "4k3/1p1p1p2/1P1P1P2/8/8/2p1p1p1/2P1P1P1/4K2B w - - 0 1"
PLAIN = "4k3/1p1p1p2/8/8/8/8/2P1P1P1/Q3K2B w - - 0 1"
PAIRS = (
    Pair("announcement", PINNED, FREE, nothing, "white", SAY),
    Pair("press, pinned", PINNED, FREE, announced, "white", cmd.Press()),
    Pair(
        "press, mates",
        "6nk/6pp/7N/8/8/8/3N4/4K3 w - - 0 1",
        "6nk/6p1/7N/8/8/8/3N4/4K3 w - - 0 1",
        lambda table: table.say("white", "Nf7"),
        "white",
        cmd.Press(),
    ),
    Pair(
        "press, dead",
        "4k3/8/8/8/8/8/3p4/3BK3 w - - 0 1",
        "4k3/8/8/8/8/8/3p4/3RK3 w - - 0 1",
        lambda table: table.say("white", "Kd2"),
        "white",
        cmd.Press(),
    ),
    Pair("echo, not legal", PINNED, FREE, pressed, "black", SAY),
    Pair("resignation, cannot mate", KNIGHT, "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", pressed, "black", cmd.Resign()),
    Pair("resignation, to be searched", SEARCHED, PLAIN, nothing, "white", cmd.Resign()),
    Pair("claim on time, to be searched", SEARCHED, PLAIN, flagged, "black", cmd.ClaimTime()),
    Pair("offer", PINNED, FREE, announced, "white", cmd.OfferDraw()),
    Pair("claim of a draw", PINNED, FREE, nothing, "white", cmd.Propose(what="claim_draw")),
    Pair(
        "claim with its move, right",
        "4k3/8/8/8/8/8/3N4/4K3 w - - 99 90",
        "4k3/8/8/8/8/8/3N4/4K3 w - - 9 90",
        nothing,
        "white",
        cmd.ClaimDraw(kind="fifty_moves", intended=said("Nf3"), words=("w",), text="Nf3"),
    ),
    Pair(
        "touch before the answer",
        PINNED,
        FREE,
        pressed,
        "arbiter",
        cmd.ReportTouch(seat=Seat.BLACK, square="e8", how="lifted"),
    ),
)


def prepared(pair: Pair, fen: str) -> CoreTable:
    """The table as it is when the command comes."""
    table = CoreTable(fen=fen, mates=False)
    pair.steps(table)
    return table


def micros_of(table: CoreTable, pair: Pair) -> float:
    """Microseconds of one decision that finds nothing remembered."""
    position._board_at.cache_clear()
    position._after.cache_clear()
    endings._walled_off.cache_clear()
    command = Command(id="f" * 32, table="t", station=pair.station, body=pair.body)
    began = time.perf_counter_ns()
    decide(table.state, command, table.now)
    return (time.perf_counter_ns() - began) / 1_000


def measure(pair: Pair, rounds: int) -> tuple[list[float], list[float]]:
    """Both positions by turns, so that a busy machine burdens both alike."""
    with_it, without = prepared(pair, pair.fact), prepared(pair, pair.without)
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        found[0].append(micros_of(with_it, pair))
        found[1].append(micros_of(without, pair))
    return found


@click.command()
@click.option("--rounds", default=60, show_default=True, help="How often each command is decided.")
def main(rounds: int) -> None:
    """Measure and print."""
    table = Table(title="Silence in time: the core's part of an answer")
    for heading in ("command", "median µs, fact", "median µs, without", "ratio", "spread of one (90 % / 10 %)"):
        table.add_column(heading, justify="left" if heading == "command" else "right")
    for pair in PAIRS:
        fact, without = measure(pair, rounds)
        ordered = sorted(without)
        spread = ordered[int(len(ordered) * 0.9)] / ordered[int(len(ordered) * 0.1)]
        middle = statistics.median(fact), statistics.median(without)
        table.add_row(
            pair.name, f"{middle[0]:.0f}", f"{middle[1]:.0f}", f"{middle[0] / middle[1]:.2f}", f"{spread:.2f}"
        )
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
