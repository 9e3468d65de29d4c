"""How long the paths through the house are: files entered, and calls from one file to another.

Run it from the repo's root: `python -m tests.bench.paths [--pairs 10]`. It follows five things over the tests' own
table: an announcement by a tactile player, the press after it, opening the desk, its first answer, and a sealed move.
A call counts where the function that is called lies in another file of the product than the one nearest above it on the
stack; a coroutine counts once, not at each time it goes on. What the ears and voices do is left out: both are scripted
here. `--pairs`: also print between which two files most of these calls are made.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import FrameType
from typing import Any

import click
from rich.console import Console
from rich.table import Table as Shown

from server.game import acts as cmd
from server.game.laws.event_options import EventOptions
from tests.table.open_hall import Played, played
from tests.web.open_house import open_house

REPO = Path(__file__).resolve().parents[2]
ROOMS = tuple(f"{REPO / room}/" for room in ("server", "speech", "braille"))
FIRST_RESUME = 0
"""The argument of RESUME where a function begins; it is another where a coroutine goes on."""


class Way:
    """What is entered and called while it is followed."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.pairs: Counter[tuple[str, str]] = Counter()

    @property
    def calls(self) -> int:
        return self.pairs.total()


class Follower:
    """Follows one way at a time, in every thread that begins after it."""

    def __init__(self) -> None:
        self._way: Way | None = None
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def __enter__(self) -> Way:
        self._way = Way()
        return self._way

    def __exit__(self, *_: object) -> None:
        self._way = None

    def _note(self, frame: FrameType, event: str, _given: Any) -> None:
        way, code = self._way, frame.f_code
        if way is None or event != "call" or not code.co_filename.startswith(ROOMS) or code.co_name.startswith("<"):
            return
        if frame.f_lasti >= 0 and code.co_code[frame.f_lasti + 1] & 3 != FIRST_RESUME:
            return
        above = frame.f_back
        while above is not None and not above.f_code.co_filename.startswith(ROOMS):
            above = above.f_back
        if above is None or above.f_code.co_filename != code.co_filename:
            way.pairs[_short(above.f_code.co_filename) if above is not None else "", _short(code.co_filename)] += 1
            way.files.add(code.co_filename)


def _short(file: str) -> str:
    return file.removeprefix(f"{REPO}/")


async def along(follower: Follower, game: Played, work: Callable[[], Awaitable[Any]]) -> Way:
    """What is called while this is done, until everybody is told and everything is said."""
    with follower as way:
        await work()
        await game.told()
    return way


async def measure(follower: Follower) -> dict[str, Way]:
    """The five paths."""
    found: dict[str, Way] = {}
    with tempfile.TemporaryDirectory() as folder:
        async with played(Path(folder)) as game:
            await game.speak("white", "Bauer David vier")  # once, so that what is read once is read
            await game.press("white")
            await game.type("black", "Bauer David vier")
            await game.done("black", cmd.Execute(uci="d2d4"))
            await game.done("black", cmd.EnterMove(uci="d7d5"))
            await game.press("black")
            await game.type("white", "Bauer David fuenf")
            await game.told()
            found["announcement"] = await along(follower, game, lambda: game.speak("white", "Bauer Eva vier"))
            found["press"] = await along(follower, game, lambda: game.press("white"))
            found["opening the desk"] = await along(follower, game, lambda: game.done("arbiter", cmd.OpenDesk()))
    with tempfile.TemporaryDirectory() as folder:
        async with open_house(Path(folder) / "data") as house:
            arbiter = await house.arbiter()
            line = await arbiter.line()
            await line.do({"do": "start_game"})
            await line.do({"do": "open_desk"})
            with follower as way:
                status, _ = await arbiter.get("/api/desk")
            assert status == 200
            found["first GET of the desk"] = way
    with tempfile.TemporaryDirectory() as folder:
        async with played(Path(folder), regulations=EventOptions(guidelines=("I",))) as game:
            await game.done("arbiter", cmd.OrderSeal())
            await game.told()

            async def seal() -> None:
                await game.speak("white", "Bauer Eva vier")
                await game.done("white", cmd.StopSealed())

            found["sealing"] = await along(follower, game, seal)
    return found


@click.command()
@click.option("--pairs", default=0, help="Of each path, so many pairs of files with most calls between them.")
def main(pairs: int) -> None:
    """Print the table."""
    shown, found = Shown("path", "files entered", "calls from file to file"), asyncio.run(measure(Follower()))
    for name, way in found.items():
        shown.add_row(name, str(len(way.files)), f"{way.calls:,}")
    Console().print(shown)
    for name, way in found.items() if pairs else ():
        most = Shown("from", "to", "calls", title=name, title_justify="left")
        for (caller, called), calls in way.pairs.most_common(pairs):
            most.add_row(caller, called, str(calls))
        Console().print(most)


if __name__ == "__main__":
    main()
