"""What the settings of the desk are chosen on: other games, other slips and other seeds than it is measured on.

    python -m tests.bench.reconciling.tuning --learn             # write config/reconciling/playing.toml
    python -m tests.bench.reconciling.tuning --slip 0.4,0.7 --strength 0.5,0.7

Games: every second one of `shared/data/games` (`TUNED_ON`); the bench measures on the others. Slips: what stands in the
25 pairs of handwritten sheets in place of what was most probably played (`counted`), laid on those games. Nothing of
`noise.py` is used here, and nothing of this in the bench.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import chess
import msgspec
import numpy as np
from rapidfuzz.distance import Levenshtein

HERE = Path(__file__).resolve().parent
REPO = HERE.parent.parent.parent

from server.desk.loading import load_playing, load_slip_costs, writings
from server.scoresheets.cell import Cell, legal_readings
from server.scoresheets.language import read_sheet
from server.scoresheets.likelihood import EARLY, GROUPS, STARTS, Before, Playing, cases
from server.scoresheets.reconcile.decoder import decode
from server.scoresheets.reconcile.posterior import weigh
from server.scoresheets.sheet import parse_sheet, sheet_of
from server.scoresheets.slips import SlipCosts
from tests.bench.reconciling.real_games import DATA, TUNED_ON

PLAYING = REPO / "config/reconciling/playing.toml"
HELD = 2.0
"""How strongly the weights of single squares are held to nought; of the other cases a tenth."""

Slip = tuple[str, str]
"""Signs of a move, and what stood in their place."""


def plain(text: str) -> str:
    """A cell without the signs that bind nothing."""
    return text.translate(str.maketrans("", "", "x+#= "))


def counted() -> tuple[Counter[Slip], float]:
    """The slips in the handwritten sheets, where the likely game is sure, and their share of the written cells."""
    slips: Counter[Slip] = Counter()
    wrong = written = 0
    for path in sorted((DATA / "scoresheets").glob("*-0.txt")):
        texts = [path.read_text(), path.with_name(path.name.replace("-0", "-1")).read_text()]
        cells = [read_sheet(parse_sheet(text), writings()["en"]) for text in texts]
        found = weigh(decode(cells[0], cells[1], chess.Board(), load_slip_costs()))
        board = chess.Board()
        for ply, move in enumerate(found.moves):
            for score, at in zip(cells, found.cells[ply], strict=True):
                cell = score[at] if at is not None else None
                if cell is None or cell.blank or found.confidence[ply] < 0.9:
                    continue
                written += 1
                if move in legal_readings(board, cell):
                    continue
                wrong += 1
                should, stands = plain(board.san(move)), plain(cell.text or "")
                for step in Levenshtein.opcodes(should, stands):
                    if step.tag != "equal":
                        put = stands[step.dest_start : step.dest_end]
                        slips[should[step.src_start : step.src_end], put] += 1
            board.push(move)
    return slips, wrong / written


def slipped(san: str, slips: Counter[Slip], chance: random.Random) -> str:
    """A cell with one of the counted slips that fits it."""
    fitting = [(slip, count) for slip, count in slips.items() if slip[0] and slip[0] in san]
    if not fitting:
        return san
    (should, stands), _ = chance.choices(fitting, [count for _, count in fitting])[0]
    return san.replace(should, stands, 1)


def scores_of(
    game: Sequence[chess.Move], slips: Counter[Slip], changed: float, blank: float, chance: random.Random
) -> tuple[list[str], list[str]]:
    """Two scores of a game, with these shares of slipped and of blank cells; the second now and then skips a ply."""
    scores: tuple[list[str], list[str]] = ([], [])
    for score in scores:
        board = chess.Board()
        for move in game:
            san = board.san_and_push(move)
            draw = chance.random()
            score.append("-" if draw < blank else slipped(san, slips, chance) if draw < blank + changed else san)
    if changed > 0.1 and chance.random() < 0.16:
        del scores[1][chance.randrange(4, len(game) - 4)]
    return scores


def learn() -> dict[str, list[float]]:
    """The weights of `GROUPS` under which the games are likeliest (a conditional logit, held to nought)."""
    rows: list[list[int]] = []
    starts, chosen = [], []
    for game in TUNED_ON:
        board, before = chess.Board(), Before()
        for move in game:
            here = cases(board, before)
            starts.append(len(rows))
            chosen.append(len(rows) + [each for each, _ in here].index(move))
            rows += [places for _, places in here]
            before = before.then(board, move)
            board.push(move)
    places, first, played = np.array(rows), np.array(starts), np.array(chosen)
    size = sum(GROUPS.values())
    position = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(places))))
    held = np.full(size, HELD / 10)
    held[STARTS["early_to"] :] = HELD
    seen = np.bincount(places[played].ravel(), minlength=size)
    weights, slope, spread = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, 251):  # Adam (Kingma and Ba 2015), all positions at once
        scores = weights[places].sum(1)
        most = np.maximum.reduceat(scores, first)[position]
        share = np.exp(scores - most)
        share /= np.add.reduceat(share, first)[position]
        expected = np.bincount(places.ravel(), weights=np.repeat(share, places.shape[1]), minlength=size)
        gradient = expected - seen + 2 * held * weights
        slope = 0.9 * slope + 0.1 * gradient
        spread = 0.999 * spread + 0.001 * gradient**2
        weights -= 0.1 * (slope / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-9)
    return {name: [round(float(x), 2) for x in weights[at : at + GROUPS[name]]] for name, at in STARTS.items()}


def write(groups: dict[str, list[float]], strength: float) -> None:
    """`config/reconciling/playing.toml`."""
    lines = [
        "# How likely people are to play a move (server/scoresheets/likelihood.py): a weight for each case "
        "of each group,",
        f"# in nats, counted on {len(TUNED_ON)} real games by `tests/bench/reconciling/tuning.py --learn`; the bench",
        f"# measures on others. `early`: up to move {EARLY}. Squares: from pawn to king, a1 first.",
        "",
        f"strength = {strength}  # how much of a surprise counts beside what is written",
        "",
        "[groups]",
    ]
    for name, weights in groups.items():
        if len(weights) <= 8:
            lines.append(f"{name} = {weights}")
            continue
        lines.append(f"{name} = [")
        for at in range(0, len(weights), 16):
            lines.append("    " + ", ".join(f"{weight:g}" for weight in map(float, weights[at : at + 16])) + ",")
        lines.append("]")
    PLAYING.write_text("\n".join(lines) + "\n")


def figures(slips: Counter[Slip], costs: SlipCosts, playing: Playing | None, seed: int, often: int) -> str:
    """Light noise: games whole, plies of one score alone; noise as in the sheets and more: plies right."""
    chance = random.Random(f"tuning {seed}")
    whole = games = light_plies = alone = heavy = heavy_plies = 0
    began = time.process_time()
    for number, game in enumerate(TUNED_ON * often):
        noisy = _cells(scores_of(game, slips, 0.03, 0.01, chance))
        moves = weigh(decode(*noisy, chess.Board(), costs), playing).moves
        whole, games = whole + (moves == tuple(game)), games + 1
        if number % 3 == 0:
            light_plies += len(game)
            alone += _right(weigh(decode(noisy[0], (), chess.Board(), costs), playing).moves, game)
            noisy = _cells(scores_of(game, slips, 0.2, 0.02, chance))
            heavy_plies += len(game)
            heavy += _right(weigh(decode(*noisy, chess.Board(), costs), playing).moves, game)
    return (
        f"light, whole games {whole / games:.4f} of {games}; one alone {alone / light_plies:.4f}; "
        f"heavy {heavy / heavy_plies:.4f} of {heavy_plies}; {time.process_time() - began:.0f} s"
    )


def _cells(scores: tuple[list[str], list[str]]) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    first, second = (read_sheet(sheet_of(score), writings()["en"]) for score in scores)
    return first, second


def _right(found: Sequence[chess.Move], truth: Sequence[chess.Move]) -> int:
    return sum(one == other for one, other in zip(found, truth, strict=False))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learn", action="store_true", help="count how people play and write it down")
    parser.add_argument("--slip", default="", help="costs of a slip to try")
    parser.add_argument("--strength", default="", help="strengths of how people play to try; 0: not at all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--often", type=int, default=2, help="how often each game is written down")
    chosen = parser.parse_args()
    if chosen.learn:
        write(learn(), 0.7)
        return
    slips, share = counted()
    print(f"{sum(slips.values())} slips counted, in {share:.3f} of the written cells; {slips.most_common(12)}")
    costs, playing = load_slip_costs(), load_playing()
    for slip in _numbers(chosen.slip) or [costs.cells.slip]:
        tried = msgspec.structs.replace(costs, cells=msgspec.structs.replace(costs.cells, slip=slip))
        for strength in _numbers(chosen.strength) or [playing.strength]:
            playing.strength = strength
            how = figures(slips, tried, playing if strength else None, chosen.seed, chosen.often)
            print(f"slip {slip}, strength {strength}: {how}", flush=True)


def _numbers(text: str) -> list[float]:
    return [float(each) for each in text.split(",") if each]


if __name__ == "__main__":
    main()
