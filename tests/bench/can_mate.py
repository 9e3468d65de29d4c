"""How many questions "can this player ever mate?" are answered, and how long an answer takes.

    python -m tests.bench.can_mate [--nodes N] [--show]

Three sets, both players asked in each position: the last positions of the 250 real games of the shared folder; every
25th position of every other game; the last positions of random games played on from them (endings with few men, locked
pawns, bare kings). Every "yes" is replayed here once more. `--show` prints what stayed unknown.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import chess
from rich.console import Console
from rich.table import Table

REPO = Path(__file__).resolve().parent.parent.parent

from server.game.mating import DEFAULT, Answer, Budget, can_ever_mate
from server.game.values.position import Position
from server.game.values.words import Seat


def games() -> Iterator[list[chess.Board]]:
    """Every position of each real game."""
    shared = Path(os.environ.get("ANNA_EINS_SHARED", REPO.parent / "shared"))
    for line in (shared / "data/games/real-games.san").read_text("utf-8").splitlines():
        board = chess.Board()
        boards = [board.copy(stack=False)]
        for san in line.split():
            board.push_san(san)
            boards.append(board.copy(stack=False))
        yield boards


def random_ends(starts: Iterable[chess.Board], seed: int, plies: int) -> Iterator[chess.Board]:
    """Random games played on, capturing half of the time where one can: their last positions."""
    dice = random.Random(seed)
    for start in starts:
        board = start.copy(stack=False)
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            captures = [move for move in moves if board.is_capture(move)]
            board.push(dice.choice(captures if captures and dice.random() < 0.5 else moves))
        yield board


def replays(board: chess.Board, answer: Answer, side: chess.Color) -> bool:
    """Whether the witness is a series of legal moves to a mate by this side."""
    played = board.copy(stack=False)
    for uci in answer.witness:
        move = played.parse_uci(uci)
        if move not in played.legal_moves:
            return False
        played.push(move)
    return played.is_checkmate() and played.turn != side


def measure(
    boards: Iterable[chess.Board], budget: Budget, show: Console | None
) -> tuple[Counter[str], list[float], int]:
    """Verdicts, seconds an answer, and the longest witness in plies."""
    verdicts: Counter[str] = Counter()
    seconds: list[float] = []
    longest = 0
    for board in boards:
        position = Position.from_board(board)
        for seat in Seat:
            begun = time.perf_counter()
            answer = can_ever_mate(position, seat, budget)
            seconds.append(time.perf_counter() - begun)
            verdicts[answer.verdict] += 1
            longest = max(longest, len(answer.witness))
            if answer.verdict == "yes" and not replays(board, answer, seat is Seat.WHITE):
                raise SystemExit(f"a witness does not mate: {position.fen} {seat}")
            if answer.verdict == "unknown" and show:
                show.print(f"unknown: {position.fen} {seat}")
    return verdicts, seconds, longest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=DEFAULT.nodes)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    out = Console(width=120)
    played = list(games())
    ends = [boards[-1] for boards in played]
    sets = {
        "last positions of 250 real games": ends,
        "every 25th position of every other game": [board for boards in played[::2] for board in boards[::25]],
        "random games from them, 150 plies on": list(random_ends(ends, 1, 150)),
        "random games from them, 300 plies on": list(random_ends(ends, 2, 300)),
    }
    table = Table(title=f"can_ever_mate, budget {arguments.nodes} positions, {platform.machine()}")
    for column in ("set", "asked", "yes", "no", "unknown", "decided", "median ms", "95 % ms", "longest ms", "plies"):
        table.add_column(column, justify="left" if column == "set" else "right")
    for name, boards in sets.items():
        verdicts, seconds, longest = measure(boards, Budget(arguments.nodes), out if arguments.show else None)
        asked = verdicts.total()
        seconds.sort()
        table.add_row(
            name,
            *(str(value) for value in (asked, verdicts["yes"], verdicts["no"], verdicts["unknown"])),
            f"{100 * (asked - verdicts['unknown']) / asked:.2f} %",
            f"{1000 * statistics.median(seconds):.1f}",
            f"{1000 * seconds[int(0.95 * asked)]:.1f}",
            f"{1000 * seconds[-1]:.0f}",
            str(longest),
        )
    out.print(table)


if __name__ == "__main__":
    main()
