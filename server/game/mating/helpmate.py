"""The search for a mate with both sides helping: best first by a measure, no position twice."""

from __future__ import annotations

import heapq

import chess

from server.game.mating.answer import why_never
from server.game.mating.heuristics import Measure
from server.game.mating.patterns import shut_out
from server.game.values.position import board_key

# What one test of the walls costs, in positions generated.
WALLS_COST = 25


class _Node:
    """Position met in the search, and the move that led to it."""

    __slots__ = ("before", "board", "depth", "move")

    def __init__(self, board: chess.Board, before: _Node | None, move: chess.Move | None) -> None:
        self.board = board
        self.before = before
        self.move = move
        self.depth: int = before.depth + 1 if before else 0


class Cooperation:
    """One search for a mate by `side` under one measure; it can be continued.

    `again` delays a position each time that kings and officers stood like this before, which breaks off long
    wanderings. With `walls`, positions after a capture or a pawn move are dropped where the reach of the men rules out
    every mate. `spent` counts the positions generated. After `run`: `mate` is the line found; `ended` says whether
    every position that can arise was met (those dropped can lead to no mate), which proves that there is none.
    """

    def __init__(
        self, board: chess.Board, side: chess.Color, measure: Measure, *, again: int = 0, walls: bool = False
    ) -> None:
        self.side = side
        self.measure = measure
        self.again = again
        self.walls = walls
        self.spent = 0
        self.mate: tuple[str, ...] | None = None
        self._met = {board_key(board)}
        self._looks: dict[tuple[int, int], int] = {}
        self._heap: list[tuple[int, int, _Node]] = [(0, 0, _Node(board.copy(stack=False), None, None))]

    @property
    def ended(self) -> bool:
        """Return whether nothing is left to look at."""
        return self.mate is None and not self._heap

    def run(self, nodes: int) -> bool:
        """Go on for about this many positions; return whether the search is over (a mate, or nothing left)."""
        until = self.spent + nodes
        while self._heap and self.mate is None and self.spent < until:
            _, _, node = heapq.heappop(self._heap)
            self._open(node)
        return self.mate is not None or not self._heap

    def _open(self, node: _Node) -> None:
        board = node.board
        for move in list(board.generate_legal_moves()):
            after = board.copy(stack=False)
            after.push(move)
            self.spent += 1
            key = board_key(after)
            if key in self._met:
                continue
            self._met.add(key)
            reached = _Node(after, node, move)
            if after.turn != self.side and after.is_check() and not any(after.generate_legal_moves()):
                self.mate = _line(reached)
                return
            zeroing = board.is_zeroing(move)
            if zeroing and self._hopeless(after):
                continue
            heapq.heappush(self._heap, (self._rank(reached), -self.spent, reached))

    def _rank(self, node: _Node) -> int:
        """Return a node's measure, depth and repetitions of kings and officers in one number.

        Smaller comes first.
        """
        board = node.board
        look = (board.kings, board.occupied_co[self.side] & ~board.pawns)
        often = self._looks[look] = self._looks.get(look, -1) + 1
        return 2 * self.measure(board, self.side) + node.depth + self.again * often

    def _hopeless(self, board: chess.Board) -> bool:
        if why_never(board, self.side):
            return True
        if self.walls:
            self.spent += WALLS_COST
            return shut_out(board, self.side)
        return False


def _line(node: _Node) -> tuple[str, ...]:
    moves: list[str] = []
    at: _Node | None = node
    while at is not None and at.move is not None:
        moves.append(at.board.uci(at.move, chess960=at.board.chess960))
        at = at.before
    return tuple(reversed(moves))
