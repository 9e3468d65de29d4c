"""How far from a mate a position looks when both sides help: smaller is nearer. It guides and proves nothing."""

from __future__ import annotations

from collections.abc import Callable

import chess

from server.game.mating.heuristics import DISTANCE, EDGE, FAR, missing

Measure = Callable[[chess.Board, chess.Color], int]

_HEAVY = (chess.QUEEN, chess.ROOK)
_LIGHT = (chess.KNIGHT, chess.BISHOP)
_CORNER = [
    min(chess.square_file(s), 7 - chess.square_file(s)) + min(chess.square_rank(s), 7 - chess.square_rank(s))
    for s in chess.SQUARES
]


def net(board: chess.Board, side: chess.Color) -> int:
    """Closing in with the heaviest men; the king towards the edge."""
    king = board.king(not side)
    assert king is not None
    mine = board.occupied_co[side]
    own = board.king(side)
    assert own is not None
    # With few officers the king must come along.
    walk = 2 * DISTANCE[king][own] if chess.popcount(mine & ~board.pawns) <= 3 else 0
    if mine & board.queens:
        return missing(board, side, (chess.QUEEN,)) + EDGE[king] + walk
    if mine & board.rooks:
        return 8 + missing(board, side, (chess.ROOK,)) + 3 * EDGE[king] + walk
    return FAR + missing(board, side, _LIGHT) + 3 * _CORNER[king]


def plan(board: chess.Board, side: chess.Color) -> int:
    """Promote first where there is neither queen nor rook, then close in."""
    if board.occupied_co[side] & (board.queens | board.rooks):
        return net(board, side)
    return 2 * FAR + 6 * _to_promotion(board, side)


def strip(board: chess.Board, side: chess.Color) -> int:
    """Take the other side's men off one by one, then as `plan`."""
    theirs, mine = board.occupied_co[not side], board.occupied_co[side]
    prey = theirs & ~board.kings
    if not prey:
        return plan(board, side)
    near = 8
    for man in chess.scan_forward(prey):
        for hunter in chess.scan_forward(mine):
            near = min(near, DISTANCE[hunter][man])
    return 2 * FAR + 20 * chess.popcount(prey) + 2 * near + plan(board, side) // 4


def unlock(board: chess.Board, side: chess.Color) -> int:
    """Open the position first: fewer pawns, then as `plan`."""
    return 20 * chess.popcount(board.pawns) + plan(board, side) // 2


def _to_promotion(board: chess.Board, color: chess.Color) -> int:
    """Steps of the readiest pawn to the last rank; each man in its way counts, a pawn most. 14 without pawns."""
    best = 14
    mine = board.occupied_co[color]
    for pawn in chess.scan_forward(mine & board.pawns):
        forward = 8 if color else -8
        square, cost = pawn + forward, 0
        while 0 <= square < 64:
            mask = chess.BB_SQUARES[square]
            cost += 1
            if mask & board.pawns:
                cost += 3 if mask & mine else 2
                cost += min((DISTANCE[square][man] for man in chess.scan_forward(mine & ~board.pawns)), default=0)
            elif mask & board.occupied:
                cost += 1
            square += forward
        best = min(best, cost)
    return best
