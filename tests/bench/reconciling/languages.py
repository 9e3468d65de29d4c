"""In which language scores are read: confusion tables, before seven languages of scores were added and now.

    python -m tests.bench.reconciling.languages [--games N] [--seed N]

Every second real game, written as noise.py has people write it, in the letters of each language. Before: our six
languages, the most readable cells and then the longest legal beginning decide, of equals the first in order. Now: all
languages and `languages_told`; `asked` where several read a score equally well and not alike. A column is right too
where its letters read the whole score as the true ones do. Three lengths: a whole game, twelve moves, and six.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Mapping, Sequence

import chess

from server.desk.loading import score_writings, writings
from server.scoresheets.cell import Writing, legal_readings
from server.scoresheets.language import languages_told, read_sheet
from server.scoresheets.letters import san_in_letters
from server.scoresheets.sheet import Sheet, sheet_of
from tests.bench.reconciling.noise import HEAVY, LIGHT, Level, pair
from tests.bench.reconciling.real_games import MEASURED_ON

CLEAN = Level(0.0, 0.0, 0.0)
PLIES = (1000, 24, 12)


def told_before(sheet: Sheet, known: Mapping[str, Writing]) -> str:
    """The language as it was told before: readable cells, then the longest legal beginning, then the order."""

    def merit(language: str) -> tuple[int, int]:
        cells = read_sheet(sheet, known[language])
        board, legal = chess.Board(), 0
        for cell in cells:
            moves = legal_readings(board, cell)
            if not moves:
                break
            legal += 1
            board.push(moves[0])
        return sum(cell.readable for cell in cells), legal

    return max(known, key=merit)


def in_letters(cells: Sequence[str], language: str, known: Mapping[str, Writing]) -> Sheet:
    """Cells in English letters, in those of another language."""
    return sheet_of([cell if cell == "-" else san_in_letters(cell, known[language].alphabet) for cell in cells])


def same(sheet: Sheet, one: str, other: str, known: Mapping[str, Writing]) -> bool:
    """Whether both languages read the whole score alike."""
    read = [[cell.forms for cell in read_sheet(sheet, known[tag])] for tag in (one, other)]
    return read[0] == read[1]


def table(title: str, rows: Mapping[str, Counter[str]]) -> None:
    """Print a confusion table: a row for what was written, and what it was read as."""
    print(f"\n{title}")
    for language, row in rows.items():
        whole = sum(row.values())
        others = ", ".join(f"{tag} {count}" for tag, count in row.most_common() if tag != language)
        print(f"  {language}: right {row[language]} of {whole}{'; ' + others if others else ''}")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--games", type=int, default=30)
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    ours, known = writings(), score_writings()
    for name, level in (("clean", CLEAN), ("light noise", LIGHT), ("heavy noise", HEAVY)):
        chance = random.Random(f"{name} {options.seed}")
        games = [pair(game, level, chance).cells[0] for game in MEASURED_ON[: options.games]]
        for plies in PLIES:
            before: dict[str, Counter[str]] = {}
            now: dict[str, Counter[str]] = {}
            for language in known:
                for cells in games:
                    sheet = in_letters(cells[:plies], language, known)
                    told = languages_told(sheet, chess.Board(), known)
                    found = told[0] if len(told) == 1 else "asked" if language in told else "asked without it"
                    if found in known and same(sheet, language, found, known):
                        found = language
                    elif found == "asked" and any(same(sheet, language, tag, known) for tag in told):
                        found = "asked"
                    now.setdefault(language, Counter())[found] += 1
                    if language in ours:
                        was = told_before(sheet, ours)
                        was = language if same(sheet, language, was, known) else was
                        before.setdefault(language, Counter())[was] += 1
            length = "whole games" if plies == PLIES[0] else f"{plies} half-moves"
            table(f"{name}, {length}, before", before)
            table(f"{name}, {length}, now", now)


if __name__ == "__main__":
    main()
