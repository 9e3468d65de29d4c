"""Every line that was followed through two scores: positions ply by ply, and all ways from one to the next.

`decoding` grows it, `weighing` sums over it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import chess
import msgspec

from server.scoresheets.positions import Spot

ShiftKind = Literal["missing", "extra", "swapped"]
Mark = tuple[Literal["first", "second"], ShiftKind]


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


class Ending(msgspec.Struct, frozen=True):
    """A line that has come to the end of both scores: after how many plies, at which node, what was left unread."""

    plies: int
    node: int
    cost: float


class Astray(msgspec.Struct, frozen=True):
    """Where a line became too dear for its cells: at ply `seen`; `ply`: the one before it that could best be another
    move, and which moves, its own first."""

    ply: int
    seen: int
    moves: tuple[chess.Move, ...]


class Lattice(msgspec.Struct, frozen=True):
    """Every line that was followed. `layers[n]`: the nodes after n plies. `endings`: never empty.

    `start`: the position of layer 0. `usual`: what every ply costs for being one, in all costs (nats). `lost`: where
    the likeliest line went astray and no better was found.
    """

    layers: tuple[tuple[Node, ...], ...]
    endings: tuple[Ending, ...]
    start: chess.Board
    usual: float
    lost: tuple[Astray, ...] = ()


def read(before: Place, after: Place) -> int | None:
    """Which cell of a score was read on the way from one place to the next."""
    if after.owed:
        return after.at + 1
    if before.owed:
        return before.at
    return after.at - 1 if after.at > before.at else None
