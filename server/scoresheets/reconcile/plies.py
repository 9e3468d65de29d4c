"""The ways to read one ply of two scores.

It says which cell of each score stands for the ply, and what moves the cells can mean at what cost. Only where the
cells do not fit is a shift considered: a ply left out, a cell too many, two swapped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import chess

from server.scoresheets.cell import Cell
from server.scoresheets.positions import Spot
from server.scoresheets.reconcile.alignment import Ahead
from server.scoresheets.reconcile.lattice import Place, ShiftKind
from server.scoresheets.slips import PricedCell, ShiftCosts, SlipCosts, SlipReader

POOR = 3.5
"""A ply whose best move costs more than this is looked at for a shift (nats)."""
VERY_POOR = 6.5
"""The same limit for the same shift in both scores, and for a ply of which nothing was written (nats)."""
MOST_MISSING = 6
"""The most plies left out in a row."""
LEFT_OVER = 6.5
"""The cost of a cell that is left unread at the end."""


class PlyReading(NamedTuple):
    """One way to read a ply in one score.

    It holds the cell (None: none), the place after it, its cost, the kind of shift, and how many cells the shift has.
    """

    cell: PricedCell | None
    after: Place
    cost: float
    mark: ShiftKind | None = None
    marks: int = 0
    ended: bool = False


def _written_after(score: Sequence[Cell]) -> list[int]:
    """Return for each place of a score how many cells from there on are not blank."""
    counts = [0]
    for cell in reversed(score):
        counts.append(counts[-1] + (not cell.blank))
    return counts[::-1]


class Plies:
    """`Plies` are two scores to be read ply by ply.

    `answers`: plies that the arbiter has settled (from 1).
    """

    def __init__(
        self, first: Sequence[Cell], second: Sequence[Cell], costs: SlipCosts, answers: Mapping[int, chess.Move]
    ) -> None:
        reader = SlipReader(costs)
        self.scores = tuple([reader.price_cell(cell) for cell in score] for score in (first, second))
        self.costs = costs
        self.answers = answers
        self.both = bool(first) and bool(second)
        self.rest = Ahead(self.scores[0], self.scores[1], costs)
        self.longest = max(len(first), len(second))
        self._unread = tuple(_written_after(score) for score in (first, second))

    def at_end(self, places: tuple[Place, Place]) -> bool:
        return all(place.at >= len(score) for place, score in zip(places, self.scores, strict=True))

    def ahead(self, places: tuple[Place, Place]) -> float:
        """Return the least cost of the cells not yet read; a cell owed from a swap is read first."""
        one, other = places
        if not (one.owed or other.owed):
            return self.rest(one.at, other.at, 0 if one.gap else 1 if other.gap else None)
        after = self.rest(one.at + 1 + one.owed, other.at + 1 + other.owed)
        return after + self.rest.beside(one.at, other.at)

    def left_over(self, places: tuple[Place, Place]) -> float:
        left = sum(rest[min(place.at, len(rest) - 1)] for place, rest in zip(places, self._unread, strict=True))
        return LEFT_OVER * left

    def plain(self, score: int, place: Place) -> PlyReading:
        """Return the step that reads the next cell as it stands."""
        cells = self.scores[score]
        if place.at >= len(cells):
            return PlyReading(None, Place(place.at), 0.0, ended=True)
        after = Place(place.at + 2 if place.owed else place.at + 1)
        cell = cells[place.at]
        return PlyReading(None, after, self.costs.cells.blank) if cell.cell.blank else PlyReading(cell, after, 0.0)

    def shifts(
        self, places: tuple[Place, Place], plain: tuple[PlyReading, PlyReading], best: float
    ) -> Iterator[tuple[PlyReading, PlyReading]]:
        firsts, seconds = (list(self._shifts(score, places[score])) for score in (0, 1))
        unwritten = best > (
            POOR if self.both else VERY_POOR
        )  # whether a ply of which nothing was written is thought of
        for one in firsts:
            if one.cell or plain[1].cell or unwritten:
                yield one, plain[1]
        for other in seconds:
            if other.cell or plain[0].cell or unwritten:
                yield plain[0], other
        if best > VERY_POOR:
            for one in firsts:
                for other in seconds:
                    if one.mark == other.mark:
                        yield one, other

    def _shifts(self, score: int, place: Place) -> Iterator[PlyReading]:
        """Yield the ways in which one score may be out of step here."""
        cells, costs = self.scores[score], self.costs.shifts
        if place.at >= len(cells) or place.owed:
            return
        if place.gap < MOST_MISSING:
            missing = costs.missing_more if place.gap else costs.missing
            yield PlyReading(None, Place(place.at, gap=place.gap + 1), missing, "missing", 1)
        yield from self._extra(cells, place, costs)
        if place.at + 1 < len(cells) and not cells[place.at].cell.blank and not cells[place.at + 1].cell.blank:
            yield PlyReading(cells[place.at + 1], Place(place.at, owed=True), costs.swapped, "swapped", 1)

    def _extra(self, cells: list[PricedCell], place: Place, costs: ShiftCosts) -> Iterator[PlyReading]:
        cost = 0.0
        for more in (1, 2):
            if place.at + more >= len(cells):
                return
            skipped = cells[place.at + more - 1]
            cost += costs.extra_blank if skipped.cell.blank else costs.extra if more == 1 else costs.extra_more
            cell = cells[place.at + more]
            if not cell.cell.blank:
                yield PlyReading(cell, Place(place.at + more + 1), cost, "extra", more)

    def moves(
        self, spot: Spot, ply: int, steps: tuple[PlyReading, PlyReading], worth: float, most: int
    ) -> list[tuple[chess.Move, float]]:
        """Return the legal moves that these cells may mean, with what they cost.

        A move that costs more than the best by `worth` is left out; where something was written, at most `most` are
        returned.
        """
        cells = [step.cell for step in steps if step.cell is not None]
        answer = self.answers.get(ply)
        if answer is not None:
            # A settled ply is what the answer says; its cells still tell where the scores are.
            if not spot.board.is_legal(answer):
                return []
            return [(answer, sum(cell.cost(spot.describe(answer)) for cell in cells))]
        exact = self._exact(spot, cells)
        if len(exact) == 1:
            found = [(exact[0], self.costs.cells.exact * len(cells))]
        else:
            prices = [spot.prices(cell) for cell in cells]
            summed = [sum(each) for each in zip(*prices, strict=True)] if prices else [0.0] * len(spot.moves)
            least = min(summed, default=0.0) + worth
            found = [(move, cost) for (move, _), cost in zip(spot.moves, summed, strict=True) if cost <= least]
            if exact:
                found = [each for each in found if each[0] in exact]
            if cells and len(found) > most:
                found = sorted(found, key=lambda each: each[1])[:most]
        if any(cell.says_check for cell in cells):
            return [(move, cost + self._cost_unchecked(spot, move, cells)) for move, cost in found]
        return found

    def _exact(self, spot: Spot, cells: list[PricedCell]) -> tuple[chess.Move, ...]:
        """Return the moves that both cells say; where there are any, nothing else is weighed.

        One cell alone settles nothing.
        """
        if len(cells) < 2:
            return ()
        mine = spot.exact(cells[0].cell)
        if not mine:
            return ()
        theirs = spot.exact(cells[1].cell)
        return tuple(move for move in mine if move in theirs)

    def _cost_unchecked(self, spot: Spot, move: chess.Move, cells: list[PricedCell]) -> float:
        says = sum(cell.says_check for cell in cells)
        if not says or spot.checks(move):
            return 0.0
        return says * self.costs.signs.check_without_check
