"""The search for the most probable legal game behind two scores.

It is a beam search over positions, along the alignment of both scores. A line is a position and a place in each score.
At each ply it reads a cell of each (or finds none), and every legal move is weighed by what the cells cost (`slips`,
`plies`); lines are compared by that and by what is ahead of them (`alignment`). Lines that meet in one position at the
same places are one from there on; all ways that led there are kept, so that the confidence counts them (`posterior`).
Where the best line goes astray, the search goes back (`repair`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import chess
import msgspec

from server.scoresheets.cell import Cell
from server.scoresheets.positions import Spots
from server.scoresheets.reconcile.lattice import Edge, Ending, Lattice, Mark, Node, Place
from server.scoresheets.reconcile.plies import POOR, Plies, PlyReading
from server.scoresheets.reconcile.repair import (
    LOST,
    LOST_ALONE,
    LOST_WITHIN,
    MOST,
    MOST_AGAINST,
    WORTH,
    Followed,
    against,
    risen,
)
from server.scoresheets.slips import SlipCosts


class Breadth(msgspec.Struct, frozen=True):
    """Limits on how many lines are followed.

    `margin`: a line that costs this much more than the best is given up; `worth`: a move that costs this much more than
    the best of its ply is not followed (nats). `width`: lines at once; `open_width`: lines at once where they cost the
    same because nothing was written; `moves`: moves followed from one line at one ply where something was written.
    `each`: besides these, lines that left the best at the same ply; `most`: lines at once, with those.
    """

    width: int
    open_width: int
    margin: float
    worth: float
    moves: int
    each: int
    most: int


NARROW = Breadth(width=12, open_width=26, margin=8.0, worth=6.0, moves=6, each=1, most=24)
ANSWERED = Breadth(width=16, open_width=30, margin=9.0, worth=7.0, moves=8, each=2, most=40)
"""For the first search where the arbiter has answered a question: the arbiter has taken longer than the search does."""
BROAD = Breadth(width=44, open_width=60, margin=16.0, worth=12.0, moves=12, each=3, most=80)
"""For the second search, where the first led to a place from which the scores could not be read on."""

SHIFTED_WITHIN = 6.0
"""Distance from the best line (nats) within which lines are looked at for shifts."""
BACK = 18
"""How many plies before a lost place the broad second search begins."""
BEYOND = 2
"""How many plies after the lost place are still searched broadly."""
MOST_AGAIN = 2_400
"""Ways to read a ply that are looked at again in one decoding; after that nothing is searched again."""
MOST_LOOKED = 6_000
MOST_LOOKED_PER_PLY = 40
"""Ways to read a ply that are looked at altogether: `MOST_LOOKED`, and this many more for each ply of the longer score;
after that only the best three lines are followed."""
MOST_OTHERWISE = 6
MOST_REPLAYED = 2_400
"""The most other readings of single plies that are followed in one decoding, and the most plies read again to find
them."""


class Hypothesis(NamedTuple):
    """One ply added to a line, before it is known to which position it leads."""

    rank: float
    node: Node
    edge: Edge
    places: tuple[Place, Place]


def decode(
    first: Sequence[Cell],
    second: Sequence[Cell],
    start: chess.Board,
    costs: SlipCosts,
    answers: Mapping[int, chess.Move] | None = None,
) -> Lattice:
    """Return every probable line behind two scores.

    `answers`: plies that the arbiter has settled (from 1).
    """
    return _Decoder(Plies(first, second, costs, answers or {}), start).lattice()


class _Guard(NamedTuple):
    """Another reading for which the search is done again.

    It goes from this node of the ply before, by this move, and is not crowded out until some plies later.
    """

    ply: int
    parent: int
    move: chess.Move
    until: int


class _Decoder:
    def __init__(self, plies: Plies, start: chess.Board) -> None:
        self.plies = plies
        self.spots = Spots(start)
        self.usual, self.more = (ANSWERED, 2) if plies.answers else (NARROW, 1)  # and how often again
        self.lost = LOST if plies.both else LOST_ALONE
        self.layers: list[tuple[Node, ...]] = [(Node(self.spots.first, (Place(0), Place(0)), 0.0, plies.rest(0, 0)),)]
        self.endings: list[Ending] = []
        self.broad: set[int] = set()  # plies that are searched broadly
        self.looked = 0  # ways to read a ply, altogether
        self.furthest = 0  # the last ply that was searched once and undone
        self.again = 0  # lines looked at once more until there
        self.replayed = 0
        self.tried: set[tuple[int, chess.Move]] = set()
        self.guard: _Guard | None = None
        self.guarded: set[int] = set()  # lines of the last layer that go on with the guarded reading
        self.apart: list[int] = [0]

    def lattice(self) -> Lattice:
        """Grow all lines ply by ply; where the best turns out lost, search again from some plies before."""
        longest = 2 * self.plies.longest + 8
        settled = 0
        while True:
            if self.layers[-1] and len(self.layers) <= longest:
                self._grow_all()
            ended = not self.layers[-1] or len(self.layers) > longest
            if self._is_lost(settled, ended):
                if self._read_otherwise(ended) or self._search_broadly():
                    continue
                settled = len(self.layers) - 1
            if ended:
                break
        if not self.endings:
            last = len(self.layers) - 1 - (not self.layers[-1])
            self.endings = [
                Ending(last, index, self.plies.left_over(node.places)) for index, node in enumerate(self.layers[last])
            ]
        lost = Followed(self.plies, self.spots, self.layers, self._best_end()[1:]).astray(self.lost)
        usual = self.plies.costs.cells.move
        return Lattice(tuple(self.layers), tuple(self.endings), self.spots.first.board, usual, lost)

    def _best_end(self) -> tuple[float, int, int]:
        """Return the cost of the cheapest line that has ended, after how many plies, and at which node."""
        return min(
            (self.layers[each.plies][each.node].cost + each.cost, each.plies, each.node) for each in self.endings
        )

    def _is_lost(self, settled: int, ended: bool) -> bool:
        """Return whether the best line has become too expensive for its cells since this ply."""
        if not ended:
            rank = self.layers[-1][0].rank
            risen_now = risen(self.layers, rank, len(self.layers) - 1, settled)
            return risen_now > self.lost or against(self.plies, self.layers, settled) >= MOST_AGAINST
        if not self.endings:
            return len(self.layers) - 1 > settled
        cost, plies, _ = self._best_end()
        return risen(self.layers, cost, plies, settled) > self.lost

    def _grow_all(self) -> None:
        """Add one more layer."""
        nodes, ply = self.layers[-1], len(self.layers)
        self.breadth = BROAD if ply in self.broad else self.usual
        if self.looked > MOST_LOOKED + MOST_LOOKED_PER_PLY * self.plies.longest:
            self.breadth = msgspec.structs.replace(NARROW, width=3, open_width=3, each=0)
        if self.guard is not None and self.guard.ply == ply:
            self.breadth = msgspec.structs.replace(self.breadth, worth=WORTH, moves=MOST)
        self.ways: list[Hypothesis] = []
        self.cheapest = math.inf
        for index, node in enumerate(nodes):
            if self.plies.at_end(node.places):
                self.endings.append(Ending(ply - 1, index, 0.0))
            elif self._grow(index, node, ply, node.rank <= nodes[0].rank + SHIFTED_WITHIN):
                self.endings.append(Ending(ply - 1, index, self.plies.left_over(node.places)))
        kept = self._nodes_kept()
        for node in nodes:
            node.spot = self.spots.first  # positions are let go as soon as a ply is done
        self.spots.keep(node.spot for node in kept)
        self.layers.append(tuple(kept))

    def _read_otherwise(self, ended: bool) -> bool:
        """Try one other reading of one earlier ply; go back there if the scores can be read on better."""
        if (
            len(self.tried) >= MOST_OTHERWISE
            or self.replayed >= self.more * MOST_REPLAYED
            or self.again > self.more * MOST_AGAIN
        ):
            return False
        at, index, stuck = len(self.layers) - 1, 0, False
        if not self.layers[at]:  # no line could be followed: the cheapest up to there
            at -= 1
            stuck = at + 1 in self.plies.answers
        elif ended:
            if not self.endings:
                return False
            _, at, index = self._best_end()
        line = Followed(self.plies, self.spots, self.layers, (at, index), stuck)
        found = line.better(self.tried, self.more * MOST_REPLAYED - self.replayed)
        self.replayed += line.replayed
        if found is None:
            return False
        self.tried.add(found)
        ply, move = found
        self.guard, self.guarded = _Guard(ply, line.indexes[ply - 1], move, at + stuck), set()
        self._back_to(ply - 1)
        return True

    def _search_broadly(self) -> bool:
        """Undo some plies, to search them more broadly.

        Returns False where that was done here before, or often enough.
        """
        at = len(self.layers) - 1
        if self.again > self.more * MOST_AGAIN or not self.broad.isdisjoint(range(at - LOST_WITHIN, at + BEYOND + 1)):
            return False
        start = max(0, at - BACK)
        self.broad.update(range(start + 1, at + BEYOND + 1))
        self.guard = None
        self._back_to(start)
        return True

    def _back_to(self, ply: int) -> None:
        self.furthest = max(self.furthest, len(self.layers) - 1)
        del self.layers[ply + 1 :]
        self.endings = [each for each in self.endings if each.plies < ply]
        self.apart = []
        self._stand_again()

    def _stand_again(self) -> None:
        """Set up the positions of the last layer again."""
        ways: list[dict[int, Edge]] = []
        needed = set(range(len(self.layers[-1])))
        for layer in reversed(self.layers[1:]):
            ways.append({index: layer[index].edges[0] for index in needed})
            needed = {edge.parent for edge in ways[-1].values()}
        boards = {0: self.spots.first.board}
        for edges in reversed(ways):
            here = {}
            for index, edge in edges.items():
                board = here[index] = boards[edge.parent].copy(stack=False)
                board.push(edge.move)
            boards = here
        for index, board in boards.items():
            self.layers[-1][index].spot = self.spots.at(board)

    def _nodes_kept(self) -> list[Node]:
        """Return the nodes of the next ply.

        Only the cheapest ways are followed to a position, and the cheapest of those that left the best line at each
        earlier ply. (A slip that is a legal move may come to light thirty plies later; by then the lines that differ in
        some newer trifle would have crowded out the true one.)
        """
        grown: dict[tuple[object, ...], Node] = {}
        breadth = self.breadth
        ways = sorted(self.ways, key=lambda way: way.rank)
        apart = self._apart(ways[0].edge.parent) if ways else []
        ply = len(self.layers)
        left: Counter[int] = Counter()
        guarded = 0
        for way in ways:
            if way.rank > self.cheapest + breadth.margin:
                break
            leaves = apart[way.edge.parent] or ply
            kept_on = self.guard is not None and self._is_guarded(self.guard, way.edge)
            full = len(grown) >= breadth.width
            if full and (way.rank > self.cheapest + 1.0 or len(grown) >= breadth.open_width):
                crowded = left[leaves] >= breadth.each or len(grown) >= breadth.most
                if crowded and (guarded >= breadth.each or not kept_on):
                    continue
            spot = self.spots.after(way.node.spot, way.edge.move)
            key = (spot, way.places)
            reached = grown.get(key)
            if reached is None:
                reached = grown[key] = Node(spot, way.places, way.edge.whole, way.rank)
                left[leaves] += 1
                guarded += kept_on
            elif way.edge.whole < reached.cost:
                reached.cost = way.edge.whole
            reached.edges.append(way.edge)
        if self.guard is not None:
            guard = self.guard
            self.guarded = {
                index
                for index, node in enumerate(grown.values())
                if any(self._is_guarded(guard, edge) for edge in node.edges)
            }
            if ply >= guard.until:
                self.guard, self.guarded = None, set()
        self.apart = [apart[node.edges[0].parent] or ply for node in grown.values()]
        if self.apart:
            self.apart[0] = 0
        return list(grown.values())

    def _is_guarded(self, guard: _Guard, edge: Edge) -> bool:
        """Return whether a way goes on with the reading for which the search is done again."""
        if guard.ply == len(self.layers):
            return edge.parent == guard.parent and edge.move == guard.move
        return edge.parent in self.guarded

    def _apart(self, best: int) -> list[int]:
        """Return for each line of the last layer the ply at which it left this one; 0 for itself."""
        if best == 0 and len(self.apart) == len(self.layers[-1]):
            return self.apart
        found = []
        for index in range(len(self.layers[-1])):
            mine, other, at = index, best, len(self.layers) - 1
            leaves = 0
            while mine != other:
                leaves = at
                mine, other = self.layers[at][mine].edges[0].parent, self.layers[at][other].edges[0].parent
                at -= 1
            found.append(leaves)
        return found

    def _grow(self, index: int, node: Node, ply: int, shifts: bool) -> bool:
        """Follow a line by one ply; return whether its cells fit no legal move well."""
        plies = self.plies
        plain = (plies.plain(0, node.places[0]), plies.plain(1, node.places[1]))
        best = self._follow(index, node, ply, plain)
        blank = any(step.cell is None and not step.ended for step in plain)
        if shifts and (best > POOR or blank):
            for steps in plies.shifts(node.places, plain, best):
                self._follow(index, node, ply, steps)
        return best > POOR

    def _follow(self, index: int, node: Node, ply: int, steps: tuple[PlyReading, PlyReading]) -> float:
        """Add what these two cells can mean; return the cost of the best move."""
        marks: tuple[Mark, ...] = ()
        if steps[0].mark is not None:
            marks += (("first", steps[0].mark),) * steps[0].marks
        if steps[1].mark is not None:
            marks += (("second", steps[1].mark),) * steps[1].marks
        shift = steps[0].cost + steps[1].cost + self.plies.costs.cells.move
        places = (steps[0].after, steps[1].after)
        ahead = self.plies.ahead(places)
        if node.cost + shift + ahead > self.cheapest + self.breadth.margin:
            return math.inf
        self.looked += 1
        self.again += ply <= self.furthest
        found = self.plies.moves(node.spot, ply, steps, self.breadth.worth, self.breadth.moves)
        for move, emission in found:
            cost = emission + shift
            rank = node.cost + cost + ahead
            if rank > self.cheapest + self.breadth.margin:
                continue
            self.cheapest = min(self.cheapest, rank)
            self.ways.append(Hypothesis(rank, node, Edge(index, move, cost, node.cost + cost, marks), places))
        return min((emission for _, emission in found), default=math.inf)
