"""The figures of the reconciliation desk, with the baselines in the same run.

    python -m tests.bench.reconciling [--quick] [--games N] [--seed N]

Times are processor times of this process (one core). Games: every second one of `shared/data/games`; the others, and
other slips, served for choosing the settings (`tuning.py`). Noise: `noise.py`; boards that drift apart:
`two_boards.py`. None of their shares is read by the program.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import chess
import msgspec

HERE = Path(__file__).resolve().parent
REPO = HERE.parent.parent.parent

from server.desk.loading import load_explaining_costs, load_playing, load_slip_costs, writings
from server.scoresheets.cell import Cell, legal_readings, take
from server.scoresheets.language import read_sheet
from server.scoresheets.reconcile.boards import History
from server.scoresheets.reconcile.compare import LEAST_GAIN, compare
from server.scoresheets.reconcile.decoder import decode
from server.scoresheets.reconcile.posterior import questions, weigh
from server.scoresheets.reconcile.settlement import Settlement, settle
from server.scoresheets.sheet import parse_sheet, sheet_of
from tests.bench.reconciling.baselines import by_text, plain_beam
from tests.bench.reconciling.noise import HEAVY, LIGHT, Level, Pair, pair
from tests.bench.reconciling.real_games import DATA, MEASURED_ON, Game
from tests.bench.reconciling.two_boards import Drift, Fault, drift, random_game
from tests.scoresheets.test_agreement_by_the_law import KINDS, _injected, _sheet

COSTS = load_slip_costs()
PLAYING = load_playing()
WAYS = writings()


class Row(msgspec.Struct):
    """One line of the table."""

    figure: str
    goal: str
    found: str
    baselines: str = ""


def right(found: Sequence[chess.Move], truth: Sequence[chess.Move]) -> int:
    """Plies right, by index."""
    return sum(one == other for one, other in zip(found, truth, strict=False))


def decoded(cells: Sequence[Sequence[Cell]], answers: dict[int, chess.Move] | None = None) -> tuple[chess.Move, ...]:
    return weigh(decode(cells[0], cells[1], chess.Board(), COSTS, answers), PLAYING).moves


def cells_of(noisy: Pair) -> list[tuple[Cell, ...]]:
    return [read_sheet(sheet_of(score), WAYS["en"]) for score in noisy.cells]


def asking(cells: Sequence[Sequence[Cell]], truth: Game, allowance: int) -> tuple[int, int]:
    """Plies right after asking one question after the other, and how many were asked."""
    answers: dict[int, chess.Move] = {}
    while True:
        weighed = weigh(decode(cells[0], cells[1], chess.Board(), COSTS, answers), PLAYING)
        worth = questions(weighed, 1, LEAST_GAIN) if len(answers) < allowance else ()
        fresh = [each for each in worth if each.ply not in answers and each.ply <= len(truth)]
        if not fresh:
            return right(weighed.moves, truth), len(answers)
        answers[fresh[0].ply] = truth[fresh[0].ply - 1]


def noisy_games(games: Sequence[Game], seed: str, level: Level) -> list[Pair]:
    chance = random.Random(seed)
    return [pair(game, level, chance) for game in games]


def heavy(games: Sequence[Game], seed: int, beams: int) -> list[Row]:
    found = asked = total = questions_asked = 0
    text = beam = beam_plies = 0
    beam_s = 0.0
    for number, noisy in enumerate(noisy_games(games, f"heavy {seed}", HEAVY)):
        truth = list(noisy.moves)
        cells = cells_of(noisy)
        total += len(truth)
        found += right(decoded(cells), truth)
        after, count = asking(cells, truth, int(0.04 * total) - questions_asked)
        asked, questions_asked = asked + after, questions_asked + count
        text += right(by_text(*noisy.cells), truth)
        if number < beams:
            began = time.process_time()
            beam += right(plain_beam(*noisy.cells), truth)
            beam_s += time.process_time() - began
            beam_plies += len(truth)
    baselines = f"text {text / total:.3f}; plain beam {beam / beam_plies:.3f} ({beam_s / beams:.1f} s a pair)"
    return [
        Row("heavy noise: plies right, unaided", "0.97", f"{found / total:.4f} of {total}", baselines),
        Row("... asking on <= 4 % of plies", "0.995", f"{asked / total:.4f}, {questions_asked / total:.3f} of plies"),
    ]


def light(games: Sequence[Game], seed: int) -> list[Row]:
    pairs = noisy_games(games, f"light {seed}", LIGHT)
    whole = bare = contested = 0
    for noisy in pairs:
        cells = cells_of(noisy)
        lattice = decode(cells[0], cells[1], chess.Board(), COSTS)
        whole += weigh(lattice, PLAYING).moves == noisy.moves
        bare += weigh(lattice).moves == noisy.moves
        contested += _contested(cells, noisy.moves)
    text = sum(tuple(by_text(*noisy.cells)) == noisy.moves for noisy in pairs)
    alone = plies = text_alone = 0
    for noisy in pairs:
        plies += len(noisy.moves)
        alone += right(decoded([cells_of(noisy)[0], ()]), noisy.moves)
        text_alone += right(by_text(noisy.cells[0], ()), noisy.moves)
    return [
        Row(
            "light noise: games completely right",
            "0.98",
            f"{whole / len(pairs):.3f} of {len(pairs)}",
            f"text {text / len(pairs):.3f}; not knowing how people play {bare / len(pairs):.3f}; "
            f"in {contested} games a slip is a legal move",
        ),
        Row(
            "one score alone, light noise: plies right",
            "0.95",
            f"{alone / plies:.4f}",
            f"text {text_alone / plies:.3f}",
        ),
    ]


def _contested(cells: Sequence[Sequence[Cell]], moves: Sequence[chess.Move]) -> bool:
    """Whether somewhere the scores have two different legal moves, so that no reader of them can know which it was."""
    board = chess.Board()
    for ply, move in enumerate(moves):
        meant = [legal_readings(board, score[ply]) for score in cells if ply < len(score)]
        if len(meant) == 2 and all(meant) and not set(meant[0]) & set(meant[1]):
            return True
        board.push(move)
    return False


def law(games: Sequence[Game], seed: int) -> list[Row]:
    chance = random.Random(f"law {seed}")
    good = 0
    for number, game in enumerate(games):
        languages = [chance.choice(sorted(WAYS)) for _ in range(2)]
        sheets = [_sheet(game, WAYS[language], chance) for language in languages]
        kind = KINDS[number % len(KINDS)]
        expected = _injected(kind, game, sheets, [WAYS[language] for language in languages], chance)
        cells = [read_sheet(sheet_of(sheet), WAYS[tag]) for sheet, tag in zip(sheets, languages, strict=True)]
        answer = compare(cells[0], cells[1], chess.Board(), costs=COSTS, playing=PLAYING)
        good += (answer.verdict, answer.agree_plies) == expected
    return [Row("agree_plies and verdict by the law", "1", f"{good} of {len(games)}")]


def sheets(data: Path) -> list[Row]:
    legal, counts, shifted = 0, [], []
    pairs = sorted((data / "scoresheets").glob("*-0.txt"))
    for path in pairs:
        texts = [path.read_text(), path.with_name(path.name.replace("-0", "-1")).read_text()]
        cells = [read_sheet(parse_sheet(text), WAYS["en"]) for text in texts]
        answer = compare(cells[0], cells[1], chess.Board(), costs=COSTS, playing=PLAYING)
        board = chess.Board()
        for uci in answer.game:
            board.push(board.parse_uci(uci))
        legal += bool(answer.game)
        counts.append(len(answer.questions))
        if answer.shifts:
            shifted.append(path.name[:3])
    return [
        Row("pairs of handwritten sheets: a legal joint game", "all", f"{legal} of {len(pairs)}"),
        Row("... named as shifted", "all", ", ".join(shifted) or "none"),
        Row("... questions per game, median", "under 3", f"{statistics.median(counts)}, most {max(counts)}"),
    ]


def lengthened(game: Game, chance: random.Random) -> Game:
    """A game of 60 moves: a real one, gone on with at random."""
    board, out = chess.Board(), []
    for move in game:
        board.push(move)
        out.append(move)
    while len(out) < 120:
        moves = list(board.legal_moves)
        if not moves:
            return []
        out.append(chance.choice(moves))
        board.push(out[-1])
    return out


def speed(games: Sequence[Game], seed: int, count: int) -> list[Row]:
    chance = random.Random(f"speed {seed}")
    longest = sorted(games, key=len, reverse=True)
    times: list[float] = []
    for game in longest:
        long = lengthened(game[:120], chance)
        if len(long) != 120 or len(times) == count:
            continue
        noisy = pair(long, HEAVY, chance)
        cells = cells_of(noisy)
        began = time.process_time()
        compare(cells[0], cells[1], chess.Board(), costs=COSTS, playing=PLAYING)
        times.append(1000 * (time.process_time() - began))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        Row("a 60-move pair, heavy noise: ms, median", "300", f"{statistics.median(times):.0f}"),
        Row("... worst", "1000", f"{max(times):.0f} of {len(times)}"),
        Row("memory of the whole process, MB", "200", f"{memory:.0f}"),
    ]


DRIFTS: tuple[tuple[Fault, ...], ...] = (
    ("misheard",),
    ("misheard", "misheard"),
    ("never played",),
    ("misexecuted",),
    ("misrecorded",),
    ("misheard", "misrecorded"),
    ("misheard", "misexecuted"),
    ("misheard", "misrecorded", "misexecuted"),
)
"""What goes wrong together, anywhere in the game; nothing that can happen is left out (`two_boards.py`)."""


def two_boards(games: Sequence[Game], seed: int, count: int) -> list[Row]:
    """Half of the games are random ones. A case that no board shows is no case for the desk."""
    return [_drifted(games, faults, seed, count) for faults in DRIFTS]


def _drifted(games: Sequence[Game], faults: tuple[Fault, ...], seed: int, count: int) -> Row:
    chance = random.Random(f"{faults} {seed}")
    right = settled = unseen = traceless = 0
    cells: list[int] = []
    slowest = 0.0
    while len(cells) < count:
        game = chance.choice(games) if chance.random() < 0.5 else random_game(chance, chance.randrange(12, 90))
        drifted = drift(game, faults, chance) if len(game) > 11 else None
        if drifted is None:
            continue
        if not drifted.seen:
            unseen += 1
            continue
        answer, read, longest = _read_out(drifted)
        slowest = max(slowest, longest)
        named = answer.provisional and drifted.agree_plies + 1 in answer.unread
        if drifted.traceless and answer.verdict != "differ" and named:
            traceless += 1
        right += (answer.verdict, answer.agree_plies, answer.position.split()[0]) == (
            drifted.verdict,
            drifted.agree_plies,
            drifted.placement,
        ) and tuple(board.deviates for board in answer.boards) == drifted.wrong
        settled += answer.settled
        cells.append(2 * read)
    few = sum(one <= 12 for one in cells)
    cells.sort()
    return Row(
        f"{' and '.join(faults)}: right; within 12 cells",
        "all; 0.90",
        f"{right} of {count}, {traceless} more leave no trace and are named; {few / count:.2f}, "
        f"median {cells[count // 2]}, "
        f"most {cells[-1]}; {settled} wholly read; {1000 * slowest:.0f} ms; unseen {unseen}",
    )


def _read_out(drifted: Drift) -> tuple[Settlement, int, float]:
    """Every line that is asked for is read in both scores; the answer, how many lines, and the longest time."""
    costs, blank = load_explaining_costs(), Cell(None, True, ())
    history, scores = History(drifted.server), [_written(score) for score in drifted.scores]
    lines: dict[int, tuple[Cell, Cell]] = {}
    longest = 0.0
    while True:
        began = time.process_time()
        answer = settle(history, drifted.boards, lines, costs)
        longest = max(longest, time.process_time() - began)
        if not answer.asks:
            return answer, len(lines), longest
        for ply in answer.asks:
            white, black = (score[ply - 1] if ply <= len(score) else blank for score in scores)
            lines[ply] = (white, black)


def _written(score: Sequence[str]) -> list[Cell]:
    return [take(text, WAYS["en"]) for text in score]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer games, under three minutes")
    parser.add_argument("--games", type=int, help="how many of the real games (default all, quick 40)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--boards", action="store_true", help="only the boards that drift apart")
    chosen = parser.parse_args()
    games = MEASURED_ON
    few = games[: chosen.games or (40 if chosen.quick else len(games))]
    boards = two_boards(games, chosen.seed, 40 if chosen.quick else 80)
    rows = (
        boards
        if chosen.boards
        else [
            *speed(games, chosen.seed, 12 if chosen.quick else 40),
            *heavy(few, chosen.seed, 2 if chosen.quick else 6),
            *light(few, chosen.seed),
            *law(few, chosen.seed),
            *sheets(DATA),
            *boards,
        ]
    )
    for row in rows:
        print(f"{row.figure:50} goal {row.goal:10} {row.found}" + (f"   [{row.baselines}]" if row.baselines else ""))


if __name__ == "__main__":
    main()
