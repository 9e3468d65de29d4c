"""How long a braille player waits: from an event to the cells under the fingers; and a score of 300 moves to BRF.

    python -m tests.bench.braille_speed

The display is BRLTTY on an emulated Baum display, the station is `anna-eins station --braille` as a program of its own,
the server the real one. Times are from the opponent's command, or from the display's own key, to the last cell.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import chess

from braille import brf
from braille.letters import spell
from braille.loading import load_profile
from braille.score import Played, braille_lines, brf_pages
from tests.web.braille_game import GAME, ByLine, Hall, played_by, read_back, visitor

GAMES = 3


def row(name: str, times: list[float]) -> str:
    """One line of the table: milliseconds."""
    ordered = sorted(times)
    high = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return f"{name:<46}{len(times):>6}{statistics.median(times):>10.1f}{high:>10.1f}{ordered[-1]:>10.1f}"


async def one_game(folder: Path, found: dict[str, list[float]]) -> None:
    """The game of the docs without its incidents, each way timed."""
    async with played_by(folder) as table:
        white = table.white
        desk = await (await visitor(table.house, "arbiter", None)).line()
        hall = Hall(table.house, table.clock, desk, ByLine(await (await table.visitor("sighted")).line()))
        await hall.done(do="start_game")
        await white.reads("Die Partie hat begonnen.")
        board = chess.Board()
        for ply, san in enumerate(GAME.split(), 1):
            move = board.parse_san(san)
            await hall.passes(1_000)
            began = time.perf_counter()
            if board.turn is chess.BLACK:
                await hall.black.move(move)
                await white.reads("* Wiederholung")
                found["opponent's move announced -> cells"].append(time.perf_counter() - began)
                await hall.black.press()
                await hall.completed(ply)
            cells = white.cells(board, move)
            if san == "Nbd7":
                cells = cells[:3] + "⠦" + cells[3:]
            began = time.perf_counter()
            for place, cell in enumerate(cells):
                began = time.perf_counter()
                white.display.type_dots(cell)
                await asyncio.to_thread(white.display.wait_until, lambda shown: shown == cells[: place + 1])  # noqa: B023
                found["dots pressed -> cells"].append(time.perf_counter() - began)
            began = time.perf_counter()
            white.display.enter()
            await white.reads(read_back(board, move), last=cells)
            found["Enter -> own words on record, read back"].append(time.perf_counter() - began)
            if board.turn is chess.WHITE:
                await white.key(b"\n")
                await hall.completed(ply)
                await hall.black.echo(move)
            board.push(move)
        for _ in range(10):
            await hall.passes(1_000)
            began = time.perf_counter()
            await white.key(b" ")
            await white.reads("*")
            found["space bar -> times"].append(time.perf_counter() - began)


def long_game(plies: int, seed: int = 8) -> Played:
    """A legal game of so many half-moves, drawn; without the end that the Laws would have given it."""
    draw, board = Random(seed), chess.Board()
    moves: list[str] = []
    while len(moves) < plies:
        move = draw.choice(sorted(board.legal_moves, key=chess.Move.uci))
        board.push(move)
        if board.is_checkmate() or board.is_stalemate() or not any(board.legal_moves):
            board.pop()
            continue
        moves.append(move.uci())
    return Played({"White": "Anna", "Black": "Hector"}, tuple(moves), "1/2-1/2")


def to_brf() -> None:
    """300 moves to pages to emboss."""
    game = long_game(600)
    print(f"\n{'a score of 300 moves':<46}{'times':>6}{'median ms':>10}{'95 %':>10}{'most':>10}")
    for name in ("ukaaf", "de", "he"):
        profile, times, pages = load_profile(name), [], 0
        for _ in range(9):
            began = time.perf_counter()
            made = brf_pages(game, profile, lambda text: spell(text, profile.letters))  # noqa: B023
            text = brf.document(made)
            times.append(1000 * (time.perf_counter() - began))
            pages = text.count("\f")
        print(row(f"to BRF, {name}, {pages} pages", times))
    profile, times = load_profile("computer"), []
    for _ in range(9):
        began = time.perf_counter()
        braille_lines(game, profile, lambda text: spell(text, profile.letters))
        times.append(1000 * (time.perf_counter() - began))
    print(row("to lines of eight-dot cells, computer", times))


async def main() -> None:
    """Print both tables."""
    found: dict[str, list[float]] = {
        name: []
        for name in (
            "opponent's move announced -> cells",
            "Enter -> own words on record, read back",
            "dots pressed -> cells",
            "space bar -> times",
        )
    }
    for number in range(GAMES):
        with tempfile.TemporaryDirectory() as folder:
            await one_game(Path(folder), found)
        print(f"game {number + 1} of {GAMES}", file=sys.stderr)
    print(f"{'event to cells on the display':<46}{'times':>6}{'median ms':>10}{'95 %':>10}{'most':>10}")
    for name, times in found.items():
        print(row(name, [1000 * one for one in times]))
    to_brf()


if __name__ == "__main__":
    asyncio.run(main())
