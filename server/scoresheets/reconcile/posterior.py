"""The weights of the lines of a lattice: the likely game, and the best question (D.2.9).

Lines are weighed by exp(-cost). A fixed number of whole lines is drawn from them evenly (not at random: the same
scores give the same answer), and a question is worth the plies that its answer is expected to put right.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence

import chess
import msgspec

from server.scoresheets.likelihood import Before, Playing
from server.scoresheets.reconcile.lattice import Astray, Lattice, Mark, cell_read

LINES = 64
"""How many whole lines are drawn to weigh questions by."""

TEMPER = 0.85
"""Costs are multiplied by this: slips are less independent than they are counted."""

LEAST_WEIGHT = -6.0
"""Lines with less weight than this (log of their share) are not looked at for how people play."""

MOST_LOOKED_AT = 200
"""The most positions that are looked at for how people play, in one comparison."""

LEAST_SHARE = 0.06
"""The least share of the lines that a move must have to be named in a question."""

AFTER_DOUBT = 0.05
"""Share by which a doubtful ply lowers the confidence of those after it: the line may have gone wrong altogether."""

LOST_GAIN = 2.0
"""Plies that an answer is expected to put right where the line went astray; it cannot be counted on the drawn lines,
which all went astray."""
GONE_ASTRAY = 0.6
"""The factor that is left of the confidence there."""


Line = tuple[int, ...]
"""The moves of a line, each as one number (`_number`)."""


class Weighed(msgspec.Struct, frozen=True):
    """Likely game with how sure it is.

    It holds P(right) for each ply, the shifts on its way: (ply, score and kind), the lines drawn, and where the likely
    game went astray (as `Lattice.lost`). `cells`: for each ply the cell of White's and of Black's score that stands for
    it (0-based), None where none does.
    """

    moves: tuple[chess.Move, ...]
    confidence: tuple[float, ...]
    cells: tuple[tuple[int | None, int | None], ...]
    shifts: tuple[tuple[int, Mark], ...]
    lines: tuple[Line, ...]
    lost: tuple[Astray, ...] = ()


class Worth(msgspec.Struct, frozen=True):
    """Ply worth asking about.

    It says how many plies the answer is expected to put right, and names the moves, likeliest first.
    """

    ply: int
    gain: float
    candidates: tuple[chess.Move, ...]


def weigh(lattice: Lattice, playing: Playing | None = None) -> Weighed:
    """Return the likeliest line, and how sure it is beside the others.

    `playing`: how likely each move is played.
    """
    if playing is not None:
        lattice = as_played(lattice, playing)
    forward = _forward(lattice)
    moves, marks, cells = _best(lattice)
    lines = tuple(_draw_line(lattice, forward, at) for at in range(LINES))
    exact = _marginals(lattice, forward)
    confidence = []
    doubt = 0.0
    for ply, move in enumerate(moves):
        found = exact[ply].get(move, 0.0) if ply < len(exact) else 0.0
        if any(astray.ply <= ply + 1 <= astray.seen for astray in lattice.lost):
            found *= GONE_ASTRAY
        confidence.append(round(min(max(found * (1 - AFTER_DOUBT * doubt), 0.001), 0.999), 3))
        doubt = max(doubt, 1 - found)
    return Weighed(moves, tuple(confidence), cells, marks, lines, lattice.lost)


def as_played(lattice: Lattice, playing: Playing) -> Lattice:
    """Return the lattice with how likely people play each move added to its costs.

    Only lines of some weight are looked at, and only plies at which several lines part: there a move costs as much as
    it surprises, elsewhere the same for all.
    """
    forward, backward = _forward(lattice), _backward(lattice)
    whole = backward[0][0]
    stood: dict[int, tuple[chess.Board, Before]] = {0: (lattice.start.copy(stack=False), Before())}
    layers = [lattice.layers[0]]
    left = MOST_LOOKED_AT
    for at, layer in enumerate(lattice.layers[1:], 1):
        alive = {
            index
            for index, costs in enumerate(zip(forward[at], backward[at], strict=True))
            if whole - sum(costs) > LEAST_WEIGHT
        }
        parting = sum(edge.parent in stood for index in alive for edge in layer[index].edges) > 1
        surprises: dict[int, dict[chess.Move, float]] = {}
        nodes, standing = [], {}
        for index, node in enumerate(layer):
            edges = []
            for edge in node.edges:
                cost = edge.cost
                if parting and index in alive and edge.parent in stood:
                    if edge.parent not in surprises and left > 0:
                        left -= 1
                        surprises[edge.parent] = playing.surprises(*stood[edge.parent])
                    known = surprises.get(edge.parent)
                    if known is not None and edge.move in known:
                        cost += playing.strength * (known[edge.move] - lattice.usual)
                edges.append(edge._replace(cost=cost))
            nodes.append(node.with_edges(edges))
            ways = [edge for edge in edges if edge.parent in stood]
            if index in alive and ways:
                way = min(ways, key=lambda each: forward[at - 1][each.parent] + each.cost)
                board, before = stood[way.parent]
                after = board.copy(stack=False)
                after.push(way.move)
                standing[index] = after, before.then(board, way.move)
        layers.append(tuple(nodes))
        stood = standing
    return msgspec.structs.replace(lattice, layers=tuple(layers))


def questions(weighed: Weighed, most: int, least_gain: float) -> tuple[Worth, ...]:
    """Return the plies whose answers are expected to put most right, at most so many, in turn."""
    uncertain = [ply for ply, sure in enumerate(weighed.confidence) if sure < 0.985]
    picked = [Worth(astray.ply, LOST_GAIN, astray.moves) for astray in weighed.lost][:most]
    likely = tuple(_number(move) for move in weighed.moves)
    drawn = _Drawn(weighed.lines, uncertain)
    groups = [(1 << len(weighed.lines)) - 1]
    before = (
        sum(line[ply] == likely[ply] for ply in uncertain for line in weighed.lines if ply < len(line)) / drawn.count
    )
    while len(picked) < most:
        best: tuple[float, int, list[int]] | None = None
        asked = {worth.ply - 1 for worth in picked}
        for ply, parting in drawn.open(asked):
            parted = [part for group in groups for one in parting if (part := group & one)]
            if len(parted) == len(groups):
                continue
            gain = drawn.right(parted) - before
            if best is None or gain > best[0]:
                best = gain, ply, parted
        if best is None or best[0] < least_gain:
            break
        gain, ply, groups = best
        picked.append(Worth(ply + 1, round(gain, 3), _candidates(weighed.lines, ply)))
        before += gain
    return tuple(picked)


class _Drawn:
    """The drawn lines as sets, one bit a line: for each ply the lines that have each move there.

    Plies at which the same lines part are counted together, and a set of lines is counted once: in games that go round
    in circles a thousand plies part only a few sets.
    """

    def __init__(self, lines: Sequence[Line], plies: Sequence[int]) -> None:
        self.count = max(1, len(lines))
        self._plies: dict[tuple[tuple[int, ...], int], list[int]] = {}
        for ply in plies:
            moves: dict[int, int] = {}
            ended = 0
            for number, line in enumerate(lines):
                if ply < len(line):
                    moves[line[ply]] = moves.get(line[ply], 0) | 1 << number
                else:
                    ended |= 1 << number
            self._plies.setdefault((tuple(sorted(moves.values())), ended), []).append(ply)
        self._known: dict[int, int] = {}

    def open(self, asked: Collection[int]) -> list[tuple[int, tuple[int, ...]]]:
        """Return the plies (from 0) worth looking at beside these, each with the sets into which it parts the lines."""
        found = [
            (next((ply for ply in plies if ply not in asked), None), (*moves, ended))
            for (moves, ended), plies in self._plies.items()
        ]
        return sorted((ply, parting) for ply, parting in found if ply is not None)

    def right(self, groups: Sequence[int]) -> float:
        """Return how many plies are expected to be right, where each group of lines has its commonest moves."""
        return sum(self._of(group) for group in groups) / self.count

    def _of(self, group: int) -> int:
        found = self._known.get(group)
        if found is None:
            found = self._known[group] = sum(
                len(plies) * max(((group & each).bit_count() for each in moves), default=0)
                for (moves, _), plies in self._plies.items()
            )
        return found


def _candidates(lines: Sequence[Line], ply: int) -> tuple[chess.Move, ...]:
    counted = Counter(line[ply] for line in lines if ply < len(line))
    order = sorted(counted, key=lambda number: (-counted[number], number))
    kept = [number for rank, number in enumerate(order) if rank < 2 or counted[number] >= LEAST_SHARE * len(lines)]
    return tuple(chess.Move(number & 63, number >> 6 & 63, number >> 12 or None) for number in kept)


def _number(move: chess.Move) -> int:
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12


def _forward(lattice: Lattice) -> list[list[float]]:
    """Return -log of the summed weight of all ways to each node."""
    forward: list[list[float]] = [[0.0] * len(lattice.layers[0])]
    for layer in lattice.layers[1:]:
        before = forward[-1]
        forward.append([_sum([before[edge.parent] + TEMPER * edge.cost for edge in node.edges]) for node in layer])
    return forward


def _sum(costs: Sequence[float]) -> float:
    least = min(costs, default=math.inf)
    if least == math.inf:
        return math.inf
    return least - math.log(sum(math.exp(least - cost) for cost in costs))


def _backward(lattice: Lattice) -> list[list[float]]:
    """Return -log of the summed weight of all ways from each node to an end of the game."""
    backward = [[math.inf] * len(layer) for layer in lattice.layers]
    for ending in lattice.endings:
        row = backward[ending.plies]
        row[ending.node] = _sum([row[ending.node], TEMPER * ending.cost])
    for at in range(len(lattice.layers) - 1, 0, -1):
        layer, parents = lattice.layers[at], backward[at - 1]
        incoming: list[list[float]] = [[] for _ in parents]
        for index, node in enumerate(layer):
            for edge in node.edges:
                incoming[edge.parent].append(TEMPER * edge.cost + backward[at][index])
        for index, costs in enumerate(incoming):
            if costs:
                parents[index] = _sum([parents[index], *costs])
    return backward


def _marginals(lattice: Lattice, forward: list[list[float]]) -> list[dict[chess.Move, float]]:
    """Return for each ply the probability of each move."""
    backward = _backward(lattice)
    whole = backward[0][0]
    marginals: list[dict[chess.Move, float]] = []
    for at in range(1, len(lattice.layers)):
        shares: dict[chess.Move, float] = {}
        for index, node in enumerate(lattice.layers[at]):
            beyond = backward[at][index]
            if beyond == math.inf:
                continue
            for edge in node.edges:
                cost = forward[at - 1][edge.parent] + TEMPER * edge.cost + beyond - whole
                shares[edge.move] = shares.get(edge.move, 0.0) + math.exp(-cost)
        marginals.append(shares)
    return marginals


Best = tuple[tuple[chess.Move, ...], tuple[tuple[int, Mark], ...], tuple[tuple[int | None, int | None], ...]]


def _best(lattice: Lattice) -> Best:
    """Return the cheapest line, its shifts, and which cells it read."""
    costs: list[list[float]] = [[0.0] * len(lattice.layers[0])]
    for layer in lattice.layers[1:]:
        costs.append([min(costs[-1][edge.parent] + edge.cost for edge in node.edges) for node in layer])
    ending = min(lattice.endings, key=lambda each: costs[each.plies][each.node] + each.cost)
    at, index = ending.plies, ending.node
    moves: list[chess.Move] = []
    shifts: list[tuple[int, Mark]] = []
    cells: list[tuple[int | None, int | None]] = []
    while at > 0:
        edge = min(lattice.layers[at][index].edges, key=lambda each: costs[at - 1][each.parent] + each.cost)
        moves.append(edge.move)
        parent, here = lattice.layers[at - 1][edge.parent].places, lattice.layers[at][index].places
        cells.append((cell_read(parent[0], here[0]), cell_read(parent[1], here[1])))
        shifts += [(at, mark) for mark in reversed(edge.marks)]
        index, at = edge.parent, at - 1
    return tuple(reversed(moves)), tuple(reversed(shifts)), tuple(reversed(cells))


def _draw_line(lattice: Lattice, forward: list[list[float]], number: int) -> Line:
    """Return one whole line, drawn backwards in proportion to its weight.

    The numbers spread the drawn lines evenly over all.
    """
    state = (number * 2654435761 + 12345) % 2**32
    endings = lattice.endings
    ends = [forward[each.plies][each.node] + TEMPER * each.cost for each in endings]
    chosen = _choose_by_cost(ends, (number + 0.5) / LINES)
    at, index = endings[chosen].plies, endings[chosen].node
    moves: list[int] = []
    while at > 0:
        edges = lattice.layers[at][index].edges
        if len(edges) == 1:
            edge = edges[0]
        else:
            state = (state * 1664525 + 1013904223) % 2**32
            edge = edges[_choose_by_cost([forward[at - 1][e.parent] + TEMPER * e.cost for e in edges], state / 2**32)]
        moves.append(_number(edge.move))
        index, at = edge.parent, at - 1
    return tuple(reversed(moves))


def _choose_by_cost(costs: Sequence[float], share: float) -> int:
    least = min(costs)
    weights = [math.exp(least - cost) for cost in costs]
    goal = share * sum(weights)
    for index, weight in enumerate(weights):
        goal -= weight
        if goal <= 0:
            return index
    return len(costs) - 1
