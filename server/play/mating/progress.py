"""How far from a mate a position looks when both sides help: smaller is nearer. It guides the search and proves nothing."""

from __future__ import annotations

from collections.abc import Callable

import chess

Measure = Callable[[chess.Board, chess.Color], int]

_RING = chess.BB_KING_ATTACKS
_DISTANCE = [[chess.square_distance(a, b) for b in chess.SQUARES] for a in chess.SQUARES]
_EDGE = [
    min(chess.square_file(s), 7 - chess.square_file(s), chess.square_rank(s), 7 - chess.square_rank(s))
    for s in chess.SQUARES
]
_CORNER = [
    min(chess.square_file(s), 7 - chess.square_file(s)) + min(chess.square_rank(s), 7 - chess.square_rank(s))
    for s in chess.SQUARES
]


def open_squares(board: chess.Board, side: chess.Color, king: chess.Square) -> int:
    """How many squares beside the king its own men do not fill and `side` does not strike."""
    occupied = board.occupied ^ chess.BB_SQUARES[king]
    count = 0
    for square in chess.scan_forward(_RING[king] & ~board.occupied_co[not side]):
        if not board.attackers_mask(side, square, occupied):
            count += 1
    return count


def net(board: chess.Board, side: chess.Color) -> int:
    """Closing in: squares left to the king, its way to the edge, the way of the heavy men and of the other king to it."""
    king, own = board.king(not side), board.king(side)
    assert king is not None and own is not None
    mine = board.occupied_co[side]
    score = 10 * open_squares(board, side, king) + 4 * _EDGE[king] + 2 * _DISTANCE[king][own]
    near = 8
    for man in chess.scan_forward(mine & (board.queens | board.rooks | board.bishops | board.knights)):
        near = min(near, _DISTANCE[king][man])
    return score + 2 * near


def plan(board: chess.Board, side: chess.Color) -> int:
    """Promote first where there is neither queen nor rook, then close in."""
    if board.occupied_co[side] & (board.queens | board.rooks):
        return net(board, side)
    return 150 + 12 * _to_promotion(board, side) + net(board, side) // 8


def unlock(board: chess.Board, side: chess.Color) -> int:
    """Open the position first: fewer pawns, then as `plan`."""
    pawns = chess.popcount(board.pawns)
    return 25 * pawns + plan(board, side)


def shut_in(board: chess.Board, side: chess.Color) -> int:
    """For light pieces: the king to the corner, its own pawns, knights, bishops and rooks around it."""
    king, own = board.king(not side), board.king(side)
    assert king is not None and own is not None
    theirs, mine = board.occupied_co[not side], board.occupied_co[side]
    light = mine & (board.bishops | board.knights)
    score = 6 * _CORNER[king] + 3 * _DISTANCE[king][own] + 10 * open_squares(board, side, king)
    score += 2 * min((_DISTANCE[king][man] for man in chess.scan_forward(light)), default=8)
    screens = theirs & (board.knights | board.bishops | board.rooks)
    if light and not light & board.knights:
        # Only squares of the other colour need a screen, and the corner must be of the bishop's colour.
        dark = bool(light & chess.BB_DARK_SQUARES)
        other = chess.BB_LIGHT_SQUARES if dark else chess.BB_DARK_SQUARES
        screens = theirs & (board.knights | board.rooks | board.bishops & other)
        if dark:
            corner = min(_DISTANCE[king][chess.A1], _DISTANCE[king][chess.H8])
        else:
            corner = min(_DISTANCE[king][chess.A8], _DISTANCE[king][chess.H1])
        score += 5 * corner
    near = sorted(_DISTANCE[king][man] for man in chess.scan_forward(screens))[:2]
    score += 4 * sum(near) + 20 * (2 - len(near))
    if len(near) < 2 and theirs & board.pawns:
        score += 4 * _to_promotion(board, not side)
    return score


def _to_promotion(board: chess.Board, color: chess.Color) -> int:
    """Steps of the readiest pawn to the last rank; each man in its way counts, most of all an enemy pawn. 14 without pawns."""
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
                cost += min((_DISTANCE[square][man] for man in chess.scan_forward(mine & ~board.pawns)), default=0)
            elif mask & board.occupied:
                cost += 1
            square += forward
        best = min(best, cost)
    return best
