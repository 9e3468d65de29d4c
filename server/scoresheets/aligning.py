"""Two scores laid side by side: which cells of the one stand beside which of the other, before any board is looked at.

A cheap dynamic programme over cells that look alike. What it is for: where one score has skipped or repeated
something, the rows of both run apart, and only there must the decoding think of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from server.scoresheets.reading import Cell

FURTHEST = 24
"""Cells by which two scores may run apart, beside what one is longer."""

NEAR = 8
"""Cells around a place in which the other side of a shift is looked for."""

GAP = 3.0
GAP_BLANK = 0.9
UNLIKE = 1.6
BLANK = 0.7


class Alignment:
    """Which cells stand beside each other: `pairs` of places (0-based), in order."""

    def __init__(self, pairs: Sequence[tuple[int, int]], first: int) -> None:
        self.pairs = tuple(pairs)
        near: list[list[int]] = [[] for _ in range(first + 1)]
        for one, other in pairs:
            for at in range(max(0, one - NEAR), min(first, one + NEAR) + 1):
                near[at].append(other - one)
        self._near = [(min(offsets), max(offsets)) if offsets else None for offsets in near]

    def allows(self, first: int, offset: int) -> bool:
        """Whether the second score may run ahead by so many cells around this cell of the first."""
        near = self._near[min(first, len(self._near) - 1)]
        return near is None or near[0] <= offset <= near[1]


def align(first: Sequence[Cell], second: Sequence[Cell]) -> Alignment:
    """Lay two scores side by side."""
    if not first or not second:
        return Alignment((), len(first))
    width = FURTHEST + abs(len(first) - len(second))
    infinite = float("inf")
    back: list[dict[int, int]] = []
    row: dict[int, float] = {}
    for i in range(len(first) + 1):
        before, row, steps = row, {}, {}
        gap_first = _gap(first[i - 1]) if i else infinite
        low, high = max(0, i - width), min(len(second), i + width)
        for j in range(low, high + 1):
            if i == j == 0:
                row[0] = 0.0
                continue
            best, step = before.get(j, infinite) + gap_first, 1
            left = row.get(j - 1, infinite)
            if left < infinite:
                cost = left + _gap(second[j - 1])
                if cost < best:
                    best, step = cost, 2
            corner = before.get(j - 1, infinite) if i and j else infinite
            if corner < infinite:
                cost = corner + _unlike(first[i - 1], second[j - 1])
                if cost <= best:
                    best, step = cost, 0
            row[j], steps[j] = best, step
        back.append(steps)
    return Alignment(_path(back, len(first), len(second)), len(first))


def _path(back: list[dict[int, int]], i: int, j: int) -> list[tuple[int, int]]:
    pairs = []
    while i > 0 or j > 0:
        step = back[i].get(j, 1)
        if step == 0:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif step == 1:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def _gap(cell: Cell) -> float:
    return GAP_BLANK if cell.blank else GAP


def _unlike(one: Cell, other: Cell) -> float:
    """How unlike two cells are, 0 to `UNLIKE`: as far as each says anything."""
    if not one.forms or not other.forms:
        return BLANK
    best = UNLIKE
    for mine in one.forms:
        for theirs in other.forms:
            if mine.castling or theirs.castling:
                best = min(best, 0.0 if mine.castling == theirs.castling else UNLIKE)
                continue
            parts = (
                (mine.piece, theirs.piece),
                (mine.to_file, theirs.to_file),
                (mine.to_rank, theirs.to_rank),
            )
            wrong = sum(a is not None and b is not None and a != b for a, b in parts)
            best = min(best, (0.0, 0.7, UNLIKE, UNLIKE)[wrong])
            if best == 0.0:
                return best
    return best
