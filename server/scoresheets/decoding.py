"""The most probable legal game behind two scores: a beam over positions, along the alignment of both.

A line is a position and a place in each score. At each ply it reads a cell of each (or finds none), and every legal
move is weighed by what the cells cost (`slips`). Only where the cells do not fit is a shift thought of: a ply left out,
a cell too many, two swapped; and only towards where the alignment goes. Lines that meet in one position at the same
places are one from there on; all ways that led there are kept, so that the confidence counts them (`weighing`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import chess
import msgspec

from server.scoresheets.aligning import Alignment, align
from server.scoresheets.reading import Cell
from server.scoresheets.slips import PricedCell, ShiftCosts, SlipCosts, SlipReader
from server.scoresheets.spots import Spot, Spots

ShiftKind = Literal["missing", "extra", "swapped"]
Mark = tuple[Literal["first", "second"], ShiftKind]


class Breadth(msgspec.Struct, frozen=True):
    """How much is followed. `margin`: a line this much dearer than the best is given up; `worth`: a move this much
    dearer than the best of its ply is not followed (nats). `width`: lines at once; `open_width`: where they cost the
    same because nothing was written; `moves`: from one line at one ply where something was written.
    """

    width: int
    open_width: int
    margin: float
    worth: float
    moves: int


NARROW = Breadth(width=12, open_width=30, margin=8.0, worth=6.0, moves=6)
BROAD = Breadth(width=44, open_width=60, margin=20.0, worth=12.0, moves=12)
"""For the second time, where the first led to a place from which the scores could not be read on."""

POOR = 3.5
"""A ply whose best move costs more than this is looked at for a shift (nats)."""
VERY_POOR = 6.5
"""... for the same shift in both scores, and for a ply of which nothing was written."""
SHIFTED_WITHIN = 6.0
"""Only lines so near to the best are looked at for shifts (nats)."""
MOST_MISSING = 6
"""Plies left out in a row."""
MOST_FOLLOWED = 3_200
"""Lines looked at in one decoding, both times together; after that only the best three are followed."""
LEFT_OVER = 6.5
"""What a cell costs that is left unread at the end."""
LOST = 12.0
LOST_ALONE = 7.5
"""A ply this dear (nats) says that the line had gone wrong before; the second, where there is one score alone."""


class Place(NamedTuple):
    """Where a line is in one score: the next cell, and whether it is owed from a swap, how many plies were just
    left out."""

    at: int
    owed: bool = False
    gap: int = 0


class Edge(NamedTuple):
    """How a line came to a node: from which node of the ply before, by which move, at what cost, at what
    cost altogether, with what shifts."""

    parent: int
    move: chess.Move
    cost: float
    whole: float
    marks: tuple[Mark, ...] = ()


class Node:
    """A position reached after a number of plies, with the places in both scores, and every way that led there.

    `rank`: its cost and what the cells not yet read will cost at least; lines are compared by it.
    """

    __slots__ = ("cost", "edges", "places", "rank", "spot")

    def __init__(self, spot: Spot, places: tuple[Place, Place], cost: float, rank: float) -> None:
        self.rank = rank
        self.spot = spot
        self.places = places
        self.cost = cost
        self.edges: list[Edge] = []

    def with_edges(self, edges: list[Edge]) -> Node:
        """The same node, reached at other costs."""
        node = Node(self.spot, self.places, self.cost, self.rank)
        node.edges = edges
        return node


class Way(NamedTuple):
    """One ply added to a line, before it is known to which position it leads."""

    rank: float
    node: Node
    edge: Edge
    places: tuple[Place, Place]


class Ending(msgspec.Struct, frozen=True):
    """A line that has come to the end of both scores: after how many plies, at which node, what was left unread."""

    plies: int
    node: int
    cost: float


class Lattice(msgspec.Struct, frozen=True):
    """Every line that was followed. `layers[n]`: the nodes after n plies. `endings`: never empty.

    `start`: the position of layer 0. `usual`: what every ply costs for being one, in all costs (nats).
    """

    layers: tuple[tuple[Node, ...], ...]
    endings: tuple[Ending, ...]
    start: chess.Board
    usual: float


class Step(NamedTuple):
    """One way to read a ply: the cell of one score (None: none), the place after it, its cost, and what shift it
    is, how many cells of it."""

    cell: PricedCell | None
    after: Place
    cost: float
    mark: ShiftKind | None = None
    marks: int = 0
    ended: bool = False


def decode(
    first: Sequence[Cell],
    second: Sequence[Cell],
    start: chess.Board,
    costs: SlipCosts,
    answers: Mapping[int, chess.Move] | None = None,
) -> Lattice:
    """Every probable line behind two scores. `answers`: plies that the arbiter has settled (from 1)."""
    decoder = _Decoder(first, second, start, costs, answers or {})
    lattice = decoder.lattice(NARROW)
    dear = LOST if decoder.both else LOST_ALONE
    return decoder.lattice(BROAD) if _lost(lattice, dear, costs.cells.move) else lattice


def _lost(lattice: Lattice, dear: float, move: float) -> bool:
    """Whether the best line went through a ply that could not be read, or stopped before the end."""
    ending = min(lattice.endings, key=lambda each: lattice.layers[each.plies][each.node].cost + each.cost)
    if ending.cost > dear:
        return True
    index = ending.node
    for plies in range(ending.plies, 0, -1):
        edge = min(lattice.layers[plies][index].edges, key=lambda each: each.whole)
        if edge.cost > dear + move:
            return True
        index = edge.parent
    return False


def _written_after(score: Sequence[Cell]) -> list[int]:
    """For each place of a score how many cells from there on are not blank."""
    counts = [0]
    for cell in reversed(score):
        counts.append(counts[-1] + (not cell.blank))
    return counts[::-1]


class _Decoder:
    def __init__(
        self,
        first: Sequence[Cell],
        second: Sequence[Cell],
        start: chess.Board,
        costs: SlipCosts,
        answers: Mapping[int, chess.Move],
    ) -> None:
        reader = SlipReader(costs)
        self.scores = tuple([reader.priced(cell) for cell in score] for score in (first, second))
        self.unread = tuple(_written_after(score) for score in (first, second))
        self.costs = costs
        self.spots = Spots(start)
        self.both = bool(first) and bool(second)
        self.alignment: Alignment = align(first, second)
        self.answers = answers
        self.followed = 0

    def lattice(self, breadth: Breadth) -> Lattice:
        """Grow all lines ply by ply."""
        self.breadth = breadth
        nodes = [Node(self.spots.first, (Place(0), Place(0)), 0.0, 0.0)]
        layers = [tuple(nodes)]
        endings: list[Ending] = []
        longest = 2 * max(len(score) for score in self.scores) + 8
        while nodes and len(layers) <= longest:
            self.ways: list[Way] = []
            self.cheapest = math.inf
            self.followed += len(nodes)
            for index, node in enumerate(nodes):
                if self._at_end(node.places):
                    endings.append(Ending(len(layers) - 1, index, 0.0))
                elif self._grow(index, node, len(layers), node.rank <= nodes[0].rank + SHIFTED_WITHIN):
                    endings.append(Ending(len(layers) - 1, index, self._left_over(node.places)))
            kept = self._kept()
            for node in nodes:
                node.spot = self.spots.first  # positions are let go as soon as a ply is done
            self.spots.keep(node.spot for node in kept)
            nodes = kept
            layers.append(tuple(nodes))
        if not endings:
            last = len(layers) - 1 - (not layers[-1])
            endings = [Ending(last, index, self._left_over(node.places)) for index, node in enumerate(layers[last])]
        return Lattice(tuple(layers), tuple(endings), self.spots.first.board, self.costs.cells.move)

    def _kept(self) -> list[Node]:
        """The nodes of the next ply: only the cheapest ways are followed to a position."""
        grown: dict[tuple[object, ...], Node] = {}
        breadth = self.breadth
        for way in sorted(self.ways, key=lambda way: way.rank):
            if way.rank > self.cheapest + breadth.margin:
                break
            full = len(grown) >= (breadth.width if self.followed < MOST_FOLLOWED else 3)
            if full and (way.rank > self.cheapest + 1.0 or len(grown) >= breadth.open_width):
                break
            spot = self.spots.after(way.node.spot, way.edge.move)
            key = (spot, way.places)
            reached = grown.get(key)
            if reached is None:
                reached = grown[key] = Node(spot, way.places, way.edge.whole, way.rank)
            elif way.edge.whole < reached.cost:
                reached.cost = way.edge.whole
            reached.edges.append(way.edge)
        return list(grown.values())

    def _at_end(self, places: tuple[Place, Place]) -> bool:
        return all(place.at >= len(score) for place, score in zip(places, self.scores, strict=True))

    def _ahead(self, places: tuple[Place, Place]) -> float:
        """What the cells not yet read will cost at least: a ply each of the longer rest."""
        plies = max(len(score) - place.at for score, place in zip(self.scores, places, strict=True))
        return plies * (self.costs.cells.move + 2 * self.costs.cells.exact)

    def _left_over(self, places: tuple[Place, Place]) -> float:
        left = sum(rest[min(place.at, len(rest) - 1)] for place, rest in zip(places, self.unread, strict=True))
        return LEFT_OVER * left

    def _grow(self, index: int, node: Node, ply: int, shifts: bool) -> bool:
        """Follow a line by one ply; returns whether its cells fit no legal move well."""
        plain = (self._plain(0, node.places[0]), self._plain(1, node.places[1]))
        best = self._follow(index, node, ply, plain)
        blank = any(step.cell is None and not step.ended for step in plain)
        if shifts and (best > POOR or blank):
            here = plain[1].after.at - plain[0].after.at
            for one, other in self._shifted(node.places, plain, best):
                offset = other.after.at + other.after.owed - one.after.at - one.after.owed
                apart = self.both and offset != here and not (one.ended or other.ended)
                if apart and not self.alignment.allows(one.after.at, offset):
                    continue
                self._follow(index, node, ply, (one, other))
        return best > POOR

    def _plain(self, score: int, place: Place) -> Step:
        """The next cell as it stands."""
        cells = self.scores[score]
        if place.at >= len(cells):
            return Step(None, Place(place.at), 0.0, ended=True)
        after = Place(place.at + 2 if place.owed else place.at + 1)
        cell = cells[place.at]
        return Step(None, after, self.costs.cells.blank) if cell.cell.blank else Step(cell, after, 0.0)

    def _shifted(
        self, places: tuple[Place, Place], plain: tuple[Step, Step], best: float
    ) -> Iterator[tuple[Step, Step]]:
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

    def _shifts(self, score: int, place: Place) -> Iterator[Step]:
        """The ways in which one score may be out of step here."""
        cells, costs = self.scores[score], self.costs.shifts
        if place.at >= len(cells) or place.owed:
            return
        if place.gap < MOST_MISSING:
            missing = costs.missing_more if place.gap else costs.missing
            yield Step(None, Place(place.at, gap=place.gap + 1), missing, "missing", 1)
        yield from self._extra(cells, place, costs)
        if place.at + 1 < len(cells) and not cells[place.at].cell.blank and not cells[place.at + 1].cell.blank:
            yield Step(cells[place.at + 1], Place(place.at, owed=True), costs.swapped, "swapped", 1)

    def _extra(self, cells: list[PricedCell], place: Place, costs: ShiftCosts) -> Iterator[Step]:
        cost = 0.0
        for more in (1, 2):
            if place.at + more >= len(cells):
                return
            skipped = cells[place.at + more - 1]
            cost += costs.extra_blank if skipped.cell.blank else costs.extra if more == 1 else costs.extra_more
            cell = cells[place.at + more]
            if not cell.cell.blank:
                yield Step(cell, Place(place.at + more + 1), cost, "extra", more)

    def _follow(self, index: int, node: Node, ply: int, steps: tuple[Step, Step]) -> float:
        """Add what these two cells can mean; returns the cost of the best move."""
        marks: tuple[Mark, ...] = ()
        if steps[0].mark is not None:
            marks += (("first", steps[0].mark),) * steps[0].marks
        if steps[1].mark is not None:
            marks += (("second", steps[1].mark),) * steps[1].marks
        shift = steps[0].cost + steps[1].cost + self.costs.cells.move
        places = (steps[0].after, steps[1].after)
        ahead = self._ahead(places)
        found = self._moves(node.spot, ply, steps)
        for move, emission in found:
            cost = emission + shift
            rank = node.cost + cost + ahead
            if rank > self.cheapest + self.breadth.margin:
                continue
            self.cheapest = min(self.cheapest, rank)
            self.ways.append(Way(rank, node, Edge(index, move, cost, node.cost + cost, marks), places))
        return min((emission for _, emission in found), default=math.inf)

    def _moves(self, spot: Spot, ply: int, steps: tuple[Step, Step]) -> list[tuple[chess.Move, float]]:
        """The legal moves that these cells may mean, with what they cost."""
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
            least = min(summed, default=0.0) + self.breadth.worth
            found = [(move, cost) for (move, _), cost in zip(spot.moves, summed, strict=True) if cost <= least]
            if exact:
                found = [each for each in found if each[0] in exact]
            if cells and len(found) > self.breadth.moves:
                found = sorted(found, key=lambda each: each[1])[: self.breadth.moves]
        if any(cell.says_check for cell in cells):
            return [(move, cost + self._unchecked(spot, move, cells)) for move, cost in found]
        return found

    def _exact(self, spot: Spot, cells: list[PricedCell]) -> tuple[chess.Move, ...]:
        """The moves that both cells say: then nothing else is weighed. One cell alone settles nothing."""
        if len(cells) < 2:
            return ()
        mine = spot.exact(cells[0].cell)
        if not mine:
            return ()
        theirs = spot.exact(cells[1].cell)
        return tuple(move for move in mine if move in theirs)

    def _unchecked(self, spot: Spot, move: chess.Move, cells: list[PricedCell]) -> float:
        says = sum(cell.says_check for cell in cells)
        if not says or spot.checks(move):
            return 0.0
        return says * self.costs.signs.check_without_check
