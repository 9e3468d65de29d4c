"""Every line followed through two scores, as a lattice of positions.

It has the positions ply by ply, and all ways from one to the next. `decoder` grows it, `posterior` sums over it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import chess
import msgspec

from server.scoresheets.positions import Spot

ShiftKind = Literal["missing", "extra", "swapped"]
Mark = tuple[Literal["first", "second"], ShiftKind]


class Place(NamedTuple):
    """Place of a line in one score.

    It holds the next cell, whether a cell is still owed from a swap, and how many plies were just left out.
    """

    at: int
    owed: bool = False
    gap: int = 0


class Edge(NamedTuple):
    """Way in which a line came to a node.

    It holds the node of the ply before, the move, its cost, the cost altogether, and the shifts.
    """

    parent: int
    move: chess.Move
    cost: float
    whole: float
    marks: tuple[Mark, ...] = ()


class Node:
    """Position reached after a number of plies, with its places in both scores.

    It holds every way that led there. `rank`: its cost and what the cells not yet read will cost at least; lines are
    compared by it.
    """

    __slots__ = ("cost", "edges", "places", "rank", "spot")

    def __init__(self, spot: Spot, places: tuple[Place, Place], cost: float, rank: float) -> None:
        self.rank = rank
        self.spot = spot
        self.places = places
        self.cost = cost
        self.edges: list[Edge] = []

    def with_edges(self, edges: list[Edge]) -> Node:
        """Return the same node, reached at other costs."""
        node = Node(self.spot, self.places, self.cost, self.rank)
        node.edges = edges
        return node


class Ending(msgspec.Struct, frozen=True):
    """Line that has come to the end of both scores.

    It says after how many plies, at which node, and what was left unread.
    """

    plies: int
    node: int
    cost: float


class Astray(msgspec.Struct, frozen=True):
    """Place where a line became too expensive for its cells: at ply `seen`.

    `ply`: the earlier ply that could best have another move; it also holds the moves possible there, its own first.
    """

    ply: int
    seen: int
    moves: tuple[chess.Move, ...]


class Lattice(msgspec.Struct, frozen=True):
    """Every line that was followed.

    `layers[n]`: the nodes after n plies. `endings`: never empty. `start`: the position of layer 0. `usual`: what each
    ply costs in any case, contained in all costs (nats). `lost`: where the likeliest line went astray and no better one
    was found.
    """

    layers: tuple[tuple[Node, ...], ...]
    endings: tuple[Ending, ...]
    start: chess.Board
    usual: float
    lost: tuple[Astray, ...] = ()


def cell_read(before: Place, after: Place) -> int | None:
    """Return which cell of a score was read on the way from one place to the next."""
    if after.owed:
        return after.at + 1
    if before.owed:
        return before.at
    return after.at - 1 if after.at > before.at else None
