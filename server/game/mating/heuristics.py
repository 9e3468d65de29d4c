"""Closing in on a king: how much is missing until some man of the mating side gives mate beside it, if both help."""

from __future__ import annotations

import chess

_RING = chess.BB_KING_ATTACKS
_LEAPS = chess.BB_KNIGHT_ATTACKS
DISTANCE = [[chess.square_distance(a, b) for b in chess.SQUARES] for a in chess.SQUARES]
EDGE = [
    min(chess.square_file(s), 7 - chess.square_file(s), chess.square_rank(s), 7 - chess.square_rank(s))
    for s in chess.SQUARES
]
FAR = 60


def struck_from(piece_type: chess.PieceType, square: chess.Square, occupied: chess.Bitboard) -> chess.Bitboard:
    """What an officer on this square strikes, with these squares occupied."""
    if piece_type == chess.KNIGHT:
        return _LEAPS[square]
    if piece_type == chess.KING:
        return _RING[square]
    struck = 0
    if piece_type != chess.ROOK:
        struck = chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
    if piece_type != chess.BISHOP:
        struck |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
        struck |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    return struck


def _lines_to(piece_type: chess.PieceType, king: chess.Square) -> chess.Bitboard:
    """The squares from which such a man strikes the king at once: beside it, or a knight's leap away."""
    if piece_type == chess.KNIGHT:
        return _LEAPS[king]
    return _RING[king] & struck_from(piece_type, king, 0)


_STANDS = {kind: [_lines_to(kind, king) for king in chess.SQUARES] for kind in (2, 3, 4, 5)}


def missing(board: chess.Board, side: chess.Color, kinds: tuple[chess.PieceType, ...]) -> int:
    """The least work left for a mate by a man of one of these kinds, standing beside the king or a knight's leap away.

    Counted for each such square: moves until the man stands there, whether it is guarded there (or how far the other
    king is), enemy men who could take it, and squares left to the king. `FAR` where no such man is there.
    """
    king, own = board.king(not side), board.king(side)
    assert king is not None and own is not None
    mine, theirs = board.occupied_co[side], board.occupied_co[not side]
    open_board = board.occupied ^ chess.BB_SQUARES[king]
    men: list[tuple[chess.PieceType, chess.Square, chess.Bitboard]] = []
    once = twice = 0
    for square in chess.scan_forward(mine):
        kind = board.piece_type_at(square)
        assert kind is not None
        if kind == chess.PAWN:
            struck = chess.BB_PAWN_ATTACKS[side][square]
        else:
            struck = struck_from(kind, square, open_board)
            if kind in kinds:
                men.append((kind, square, struck))
        twice |= once & struck
        once |= struck
    answers_once = answers_twice = 0
    for square in chess.scan_forward(theirs ^ chess.BB_SQUARES[king]):
        struck = board.attacks_mask(square)
        answers_twice |= answers_once & struck
        answers_once |= struck
    beside = _RING[king]
    best = FAR
    for kind, square, struck in men:
        others = twice | once & ~struck
        start = chess.BB_SQUARES[square]
        stands = _STANDS[kind][king] if kind == chess.KNIGHT else struck_from(kind, king, open_board)
        for stand in chess.scan_forward(stands):
            mask = chess.BB_SQUARES[stand]
            work = 0
            if mask & start:
                pass
            elif mask & struck:
                work = 3
            elif struck & struck_from(kind, stand, open_board):
                work = 6
            else:
                work = 9 + DISTANCE[square][stand]
            if mask & mine & ~start:
                work += 3
            if kind == chess.KNIGHT:
                if mask & (others | once) & answers_once:
                    work += 3
            elif not mask & beside:
                if chess.between(stand, king) & answers_once:
                    work += 4
            elif not mask & others:
                work += 2 + 2 * min(DISTANCE[own][stand] - 1, 3)
            if mask & answers_once:
                work += 3 + (3 if mask & answers_twice else 0)
            if work >= best:
                continue
            taken = theirs & ~mask | others | struck_from(kind, stand, open_board | mask)
            work += 4 * chess.popcount(beside & ~taken & ~mask)
            best = min(best, work)
    return best
