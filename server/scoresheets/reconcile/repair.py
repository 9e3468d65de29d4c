"""The place where a line went astray, and the other reading of an earlier ply that mends it.

The costs say it: what is ahead of a line (`alignment`) hardly changes on the true line, however many slips there are;
a wrong line costs more and more. Most lines are wrong in one ply of which little could be read, or in which a slip was
a legal move; many plies may follow before that comes to light (limited discrepancy search, Harvey and Ginsberg 1995).
What cannot be mended is asked about.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import chess

from server.scoresheets.positions import Spot, Spots
from server.scoresheets.reconcile.lattice import Astray, Edge, Node, cell_read
from server.scoresheets.reconcile.plies import Plies, PlyReading

LOST = 13.0
LOST_ALONE = 7.5
LOST_WITHIN = 6
"""Where the best line has come to cost so much more (nats) within so many plies than the rest of the scores had
promised, the true line was given up before. The second figure is for one score alone."""
AGAINST = 3.6
AGAINST_WITHIN = 12
MOST_AGAINST = 2
"""The line cannot be right either where, at so many of so many plies, both scores say the same and it has another move
that costs so much more (nats): two players seldom make the same slip."""
BEYOND_DOUBT = 2.0
MOST_ASKED = 3
MOST_NAMED = 6
"""A line that stays lost by `BEYOND_DOUBT` more (nats) is asked about: at most `MOST_ASKED` plies, each with at most
`MOST_NAMED` moves."""
STUCK = 40.0
"""The cost of a line that does not allow a settled ply."""
LOOKED_BACK = 80
"""How many plies before that are tried, each by itself, with another reading."""
UNSURE = 1.5
"""A ply is tried where the reading that was followed costs more than this (nats)."""
WITHIN = 6.0
"""The other reading may cost at most this much more (nats), and the rest must then be read better by `WORTH_ANOTHER`.
"""
WORTH_ANOTHER = 2.0
WORTH = 9.0
MOST = 80
"""How much more than the best a move may cost to be tried, and how many moves of one ply are tried."""

Layers = Sequence[tuple[Node, ...]]


class Followed:
    """One line ply by ply, with what another reading of one ply would make of the rest.

    `indexes[n]`: its node after n plies.
    """

    def __init__(self, plies: Plies, spots: Spots, layers: Layers, end: tuple[int, int], stuck: bool = False) -> None:
        """`end`: plies and node at the end. `stuck`: a settled ply follows that the line does not allow."""
        self._plies, self._board_spots, self._layers = plies, spots, layers
        self.length, index = end
        self._last = self.length + stuck
        self.replayed = 0
        self.edges: list[Edge] = []
        self.indexes = [index]
        for ply in range(self.length, 0, -1):
            self.edges.append(layers[ply][index].edges[0])
            index = self.edges[-1].parent
            self.indexes.append(index)
        self.indexes.reverse()
        self.edges.reverse()
        self._steps = [self._read(ply) for ply in range(1, self.length + 1)]
        if stuck:
            places = layers[self.length][self.indexes[-1]].places
            self._steps.append((plies.plain(0, places[0]), plies.plain(1, places[1])))
        board = spots.first.board.copy(stack=False)
        self._spots: list[Spot] = []
        for edge in self.edges:
            self._spots.append(spots.at(board.copy(stack=False)))
            board.push(edge.move)
        self._found: dict[int, dict[chess.Move, float]] = {}

    def _read(self, ply: int) -> tuple[PlyReading, PlyReading]:
        """Return the cells that the line read at a ply."""
        before = self._layers[ply - 1][self.indexes[ply - 1]].places
        after = self._layers[ply][self.indexes[ply]].places
        steps = []
        for score, one, other in zip(self._plies.scores, before, after, strict=True):
            at = cell_read(one, other)
            cell = score[at] if at is not None and not score[at].cell.blank else None
            steps.append(PlyReading(cell, other, 0.0))
        return steps[0], steps[1]

    def _moves(self, spot: Spot, ply: int) -> list[tuple[chess.Move, float]]:
        return self._plies.moves(spot, ply, self._steps[ply - 1], WORTH, MOST)

    def _prices(self, ply: int) -> dict[chess.Move, float]:
        found = self._found.get(ply)
        if found is None:
            found = self._found[ply] = dict(self._moves(self._spots[ply - 1], ply))
            found.setdefault(self.edges[ply - 1].move, max(found.values(), default=0.0))
        return found

    def others(self, ply: int) -> list[tuple[chess.Move, float]]:
        """Return other readings of a ply, with how much more they cost.

        There are none where the reading that was followed is sure.
        """
        prices, move = self._prices(ply), self.edges[ply - 1].move
        own = prices[move]
        if own < UNSURE and any(step.cell is not None for step in self._steps[ply - 1]):
            return []
        return [(each, cost - own) for each, cost in prices.items() if each != move and cost <= own + WITHIN]

    def better(self, tried: set[tuple[int, chess.Move]], most: int) -> tuple[int, chess.Move] | None:
        """Return the ply, and the move there, with which the line becomes cheapest; None where none pays.

        `most`: plies that may be read again for it; the likeliest readings come first. `replayed`: how many were.
        """
        others = [
            (dearer, ply, move)
            for ply in range(max(1, self.length - LOOKED_BACK), self._last)
            for move, dearer in self.others(ply)
            if (ply, move) not in tried
        ]
        best: tuple[float, int, chess.Move] | None = None
        for dearer, ply, move in sorted(others, key=lambda each: (each[0], -each[1])):
            if self.replayed >= most:
                break
            found = self._cost_of_other_move(ply, move, dearer)
            if found <= -WORTH_ANOTHER and (best is None or found < best[0]):
                best = found, ply, move
        return None if best is None else best[1:]

    def _cost_of_other_move(self, ply: int, move: chess.Move, dearer: float) -> float:
        """Return how much more the line costs with another move at a ply.

        What follows is read as well as it can be.
        """
        spot = self._board_spots.after(self._spots[ply - 1], move)
        for after in range(ply + 1, self._last + 1):
            own = None
            if after <= self.length:
                if spot is self._spots[after - 1]:
                    return dearer
                own = self.edges[after - 1].move
            self.replayed += 1
            found = self._moves(spot, after)
            if not found:
                return math.inf
            best, cost = min(found, key=lambda each: (each[1], each[0] != own))
            dearer += cost - (STUCK if own is None else self._prices(after)[own])
            if dearer > WITHIN:
                return math.inf
            spot = self._board_spots.after(spot, best)
        return dearer

    def astray(self, lost: float) -> tuple[Astray, ...]:
        """Return where the line became too expensive, and which ply is best asked about.

        That is the ply whose reading was the least certain.
        """
        ranks = [self._layers[ply][index].rank for ply, index in enumerate(self.indexes)]
        dear = [0.0, *(max(0.0, now - before) for before, now in pairwise(ranks))]
        answers = [ply for ply in self._plies.answers if 0 < ply <= self.length]
        for ply in answers:
            dear[ply] = 0.0  # a settled ply says nothing of the others
        found: list[Astray] = []
        settled = 0
        for ply in range(1, self.length + 1):
            if sum(dear[max(settled, ply - LOST_WITHIN) + 1 : ply + 1]) <= lost + BEYOND_DOUBT:
                continue
            settled = ply
            since = max(1, ply - LOOKED_BACK)
            if sum(since <= each <= ply for each in answers) < MOST_ASKED:
                found += self._asked_about(since, ply, [each.ply for each in found])
        return tuple(found)

    def _asked_about(self, since: int, ply: int, named: Sequence[int]) -> list[Astray]:
        best: tuple[float, int, list[tuple[chess.Move, float]]] | None = None
        for each in range(since, ply + 1):
            others = self.others(each) if each not in self._plies.answers and each not in named else []
            nearest = min((dearer for _, dearer in others), default=math.inf)
            if others and (best is None or nearest < best[0]):
                best = nearest, each, others
        if best is None:
            return []
        near = sorted(best[2], key=lambda each: each[1])[: MOST_NAMED - 1]
        return [Astray(best[1], ply, (self.edges[best[1] - 1].move, *(move for move, _ in near)))]


def risen(layers: Layers, now: float, at: int, settled: int) -> float:
    """Return how much more (nats) the best line costs since the last plies up to `at`.

    `now`: its rank at `at`.
    """
    since = max(at - LOST_WITHIN, settled)
    return now - layers[since][0].rank if since < at else 0.0


def against(plies: Plies, layers: Layers, settled: int) -> int:
    """Return at how many of the last plies the best line has another move than both scores agree on."""
    if not plies.both:
        return 0
    alike = plies.costs.cells.move + 2 * plies.costs.cells.exact + 1e-6
    found = index = 0
    for ply in range(len(layers) - 1, max(len(layers) - 1 - AGAINST_WITHIN, settled), -1):
        node = layers[ply][index]
        edge = node.edges[0]
        before = layers[ply - 1][edge.parent].places
        plain = not edge.marks and not any(place.owed for place in (*before, *node.places))
        if plain and edge.cost > alike + AGAINST and plies.rest.beside(before[0].at, before[1].at) <= alike:
            found += 1
        index = edge.parent
    return found
