"""Two scores laid side by side, and a bound on what reading the rest of both must cost.

No board is looked at: it is a cheap dynamic programme over cells that look alike, from the ends backwards. A line that
is out of step with the rest of the scores still has to pay for coming into step again; one that has just paid for a
skipped ply does not. Lines are compared by what they have cost and what is still ahead of them, as in A* (Hart,
Nilsson and Raphael 1968), so that the true line is not lost at the expensive ply at which a shift is seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from server.scoresheets.slips import PricedCell, SlipCosts

FURTHEST = 14
"""How many cells two scores may run apart, besides their difference in length."""

Row = tuple[list[float], list[float], list[float]]
"""Cost still ahead of a cell of the first score and each near cell of the second, three times: in any case, while the
first score leaves plies out, and while the second does."""


class Ahead:
    """`Ahead` tells what reading two scores to their ends costs at least (nats), from any two cells on.

    A shift is counted as the decoder counts it. A cell that can be read costs nothing but its ply; two cells that
    cannot be the same move cost as much as their most similar parts do.
    """

    def __init__(self, first: Sequence[PricedCell], second: Sequence[PricedCell], costs: SlipCosts) -> None:
        self._cells = first, second
        self._costs = costs
        self._known: dict[tuple[PricedCell, PricedCell], float] = {}
        self._alone = tuple([costs.cells.move + self._least(cell) for cell in score] for score in self._cells)
        self._rest = tuple(self._sum_ahead(score) for score in self._alone)
        self._width = FURTHEST + abs(len(first) - len(second))
        self._rows: list[Row] = []
        if first and second:
            self._lay()

    def __call__(self, first: int, second: int, skipping: int | None = None) -> float:
        """Return the cost still ahead from these cells on (0-based).

        `skipping`: the score of which plies were just left out.
        """
        firsts, seconds = (len(score) for score in self._cells)
        if first >= firsts or second >= seconds:
            return max(self._rest[0][min(first, firsts)], self._rest[1][min(second, seconds)])
        row = self._rows[first][0 if skipping is None else 1 + skipping]
        at = second - max(0, first - self._width)
        return row[at] if 0 <= at < len(row) else math.inf

    def beside(self, first: int, second: int) -> float:
        """Return the least cost of one ply for which these two cells stand.

        Where one score has ended, the other cell counts alone.
        """
        if first >= len(self._cells[0]):
            return self._alone[1][second] if second < len(self._cells[1]) else 0.0
        if second >= len(self._cells[1]):
            return self._alone[0][first]
        pair = self._cells[0][first], self._cells[1][second]
        found = self._known.get(pair)
        if found is None:
            found = self._known[pair] = self._costs.cells.move + self._unlike(*pair)
        return found

    @staticmethod
    def _sum_ahead(alone: list[float]) -> list[float]:
        sums = [0.0]
        for cost in reversed(alone):
            sums.append(sums[-1] + cost)
        return sums[::-1]

    def _lay(self) -> None:
        """Fill `_rows`, from the ends of both scores backwards."""
        opened, more = zip(*(self._skips(score) for score in (0, 1)), strict=True)
        firsts, seconds = (len(score) for score in self._cells)
        swapped = self._costs.shifts.swapped
        alike = 2 * (self._costs.cells.move + 2 * self._costs.cells.exact) + 1e-6
        self._rows = [([], [], [])] * firsts
        for i in range(firsts - 1, -1, -1):
            low, high = max(0, i - self._width), min(seconds - 1, i + self._width)
            empty = [math.inf] * (high - low + 1)
            at_all, first_out, second_out = self._rows[i] = (empty, list(empty), list(empty))
            for j in range(high, low - 1, -1):
                read_second, read_first = self(i, j + 1, 0), self(i + 1, j, 1)
                both = self(i + 1, j + 1) + self.beside(i, j)
                best = min(both, read_second + opened[1][j], read_first + opened[0][i])
                if i + 1 < firsts and j + 1 < seconds:
                    crossed = self.beside(i, j + 1) + self.beside(i + 1, j)
                    if crossed <= alike:
                        best = min(best, crossed + swapped + self(i + 2, j + 2))
                at_all[j - low] = best
                first_out[j - low] = min(best, read_second + more[1][j])
                second_out[j - low] = min(best, read_first + more[0][i])

    def _skips(self, score: int) -> tuple[list[float], list[float]]:
        """Return the least cost of a cell that stands for no ply of the other score, or for none at all.

        The two lists are for the first such cell and for each further one.
        """
        shifts = self._costs.shifts
        opened, more = [], []
        for cell, alone in zip(self._cells[score], self._alone[score], strict=True):
            blank = cell.cell.blank
            opened.append(min(shifts.missing + alone, shifts.extra_blank if blank else shifts.extra))
            more.append(min(shifts.missing_more + alone, shifts.extra_blank if blank else shifts.extra_more))
        return opened, more

    def _least(self, cell: PricedCell) -> float:
        """Return the least cost of a cell, whatever was played."""
        cells = self._costs.cells
        if cell.cell.blank:
            return cells.blank
        if cell.cell.forms:
            return cells.exact
        return min(cells.garbled, cells.slip + sum(min(part) for part in cell.parts()))

    def _unlike(self, one: PricedCell, other: PricedCell) -> float:
        """Return the least cost of two cells for the same move."""
        cells = self._costs.cells
        if one.cell.blank or other.cell.blank:
            return self._least(one) + self._least(other)
        if any(mine.alike(theirs) for mine in one.cell.forms for theirs in other.cell.forms):
            return 2 * cells.exact
        parts = sum(
            min([a + b for a, b in zip(mine, theirs, strict=True)])
            for mine, theirs in zip(one.parts(), other.parts(), strict=True)
        )
        both = cells.slip + cells.exact + parts
        return min(both, cells.garbled + min(self._least(one), self._least(other)))
