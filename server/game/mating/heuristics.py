"""Estimates of how far a position is from a mate when both sides help: smaller is nearer.

One measure closes in on a king: how much is missing until some man of the mating side gives mate beside it. Another is
for light pieces against a king in the corner: how far the men are from such a picture. They guide the search and prove
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

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
    """Return the squares an officer on this square attacks, with these squares occupied."""
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
    """Return the squares from which such a man attacks the king at once.

    They are beside it, or a knight's leap away.
    """
    if piece_type == chess.KNIGHT:
        return _LEAPS[king]
    return _RING[king] & struck_from(piece_type, king, 0)


_STANDS = {kind: [_lines_to(kind, king) for king in chess.SQUARES] for kind in (2, 3, 4, 5)}


def missing(board: chess.Board, side: chess.Color, kinds: tuple[chess.PieceType, ...]) -> int:
    """Return the least work left for a mate by a man of one of these kinds.

    The man must stand beside the king or a knight's leap away. Counted for each such square: moves until the man stands
    there, whether it is guarded there (or how far the other king is), enemy men who could take it, and squares left to
    the king. `FAR` where there is no such man.
    """
    king, own = board.king(not side), board.king(side)
    assert king is not None and own is not None
    mine, theirs = board.occupied_co[side], board.occupied_co[not side]
    open_board = board.occupied ^ chess.BB_SQUARES[king]
    strikes = _strikes(board, side, open_board)
    once, twice = _struck_once_and_twice(struck for _, _, struck in strikes)
    answering = chess.scan_forward(theirs ^ chess.BB_SQUARES[king])
    answers_once, answers_twice = _struck_once_and_twice(map(board.attacks_mask, answering))
    beside = _RING[king]
    best = FAR
    for kind, square, struck in (one for one in strikes if one[0] in kinds):
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


def _strikes(
    board: chess.Board, side: chess.Color, occupied: chess.Bitboard
) -> list[tuple[chess.PieceType, chess.Square, chess.Bitboard]]:
    """Return each man of a side, where it stands and the squares it strikes while these are occupied."""
    found: list[tuple[chess.PieceType, chess.Square, chess.Bitboard]] = []
    for square in chess.scan_forward(board.occupied_co[side]):
        kind = board.piece_type_at(square)
        assert kind is not None
        struck = chess.BB_PAWN_ATTACKS[side][square] if kind == chess.PAWN else struck_from(kind, square, occupied)
        found.append((kind, square, struck))
    return found


def _struck_once_and_twice(strikes: Iterable[chess.Bitboard]) -> tuple[chess.Bitboard, chess.Bitboard]:
    """Return the squares that one man or more strikes, and those that two or more strike."""
    once = twice = 0
    for struck in strikes:
        twice |= once & struck
        once |= struck
    return once, twice


def _pictures() -> tuple[tuple[chess.Square, chess.Square, tuple[chess.Square, ...]], ...]:
    """Return the mates in a corner.

    Each is given as the corner, the square its own man fills, and the places of the other king. The other king takes
    the squares that are left.
    """
    pictures = []
    for corner in (chess.A1, chess.H1, chess.A8, chess.H8):
        beside = list(chess.scan_forward(chess.BB_KING_ATTACKS[corner]))
        for screen in (square for square in beside if DISTANCE[square][corner] == 1 and not _diagonal(square, corner)):
            left = [square for square in beside if square != screen]
            kings = tuple(
                place
                for place in chess.SQUARES
                if DISTANCE[place][corner] > 1 and all(DISTANCE[place][square] == 1 for square in left)
            )
            pictures.append((corner, screen, kings))
    return tuple(pictures)


def _diagonal(a: chess.Square, b: chess.Square) -> bool:
    return chess.square_file(a) != chess.square_file(b) and chess.square_rank(a) != chess.square_rank(b)


def _leaps_to(target: chess.Square) -> list[int]:
    """Return how many moves a knight needs from every square to one from which it attacks the target."""
    leaps = [99] * 64
    edge, count = chess.BB_KNIGHT_ATTACKS[target], 0
    while edge:
        following = 0
        for square in chess.scan_forward(edge):
            leaps[square] = count
            following |= chess.BB_KNIGHT_ATTACKS[square]
        edge = following & sum(chess.BB_SQUARES[square] for square in chess.SQUARES if leaps[square] == 99)
        count += 1
    return leaps


PICTURES = _pictures()
_LEAPS_TO = [_leaps_to(square) for square in chess.SQUARES]


def shut_in(board: chess.Board, side: chess.Color) -> int:
    """Return the steps missing to the nearest corner mate.

    In it the king is in the corner, its own man beside it, and the other king in front of it.
    """
    king, own = board.king(not side), board.king(side)
    assert king is not None and own is not None
    mine, theirs = board.occupied_co[side], board.occupied_co[not side]
    knights = mine & board.knights
    # Two knights against a bare king: the second one takes the square that no man fills.
    alone = not mine & board.bishops and not theirs & ~board.kings & ~board.queens
    best = 999
    for corner, screen, places in PICTURES:
        # A bishop can attack only a corner of its own colour.
        corner_mask = chess.BB_SQUARES[corner]
        colour = chess.BB_DARK_SQUARES if corner_mask & chess.BB_DARK_SQUARES else chess.BB_LIGHT_SQUARES
        if not knights and not mine & board.bishops & colour:
            continue
        missing = DISTANCE[king][corner] + min(DISTANCE[own][place] for place in places)
        filled = _to_screen(board, theirs, screen, not side)
        missing += min(filled, _to_guard(knights, screen)) if alone else filled
        best = min(best, 4 * missing + _to_strike(board, mine, corner, colour))
    return best


def _to_guard(knights: chess.Bitboard, square: chess.Square) -> int:
    """Return how many moves it takes until a knight attacks the square."""
    return min((_LEAPS_TO[square][man] for man in chess.scan_forward(knights)), default=30)


def _to_strike(board: chess.Board, mine: chess.Bitboard, corner: chess.Square, colour: chess.Bitboard) -> int:
    """Return how far the nearest light piece is from attacking the corner.

    For a bishop the square touching the corner is best.
    """
    touching = chess.BB_DIAG_ATTACKS[corner][chess.BB_DIAG_MASKS[corner]]
    best = 8
    for man in chess.scan_forward(mine & board.bishops & colour):
        struck = board.attacks_mask(man)
        if chess.BB_KING_ATTACKS[corner] & touching & (struck | chess.BB_SQUARES[man]):
            best = min(best, 0)
        else:
            best = min(best, 2)
    for man in chess.scan_forward(mine & board.knights):
        best = min(best, _LEAPS_TO[corner][man])
    return best


def _to_screen(board: chess.Board, theirs: chess.Bitboard, screen: chess.Square, color: chess.Color) -> int:
    """Return roughly how many moves it takes until some man of this colour stands on the square.

    A queen there would only capture the mating man.
    """
    mask = chess.BB_SQUARES[screen]
    best = 30
    for man in chess.scan_forward(theirs & ~board.kings & ~board.queens):
        start = chess.BB_SQUARES[man]
        if start & board.pawns:
            best = min(best, _pawn_to_screen(board, man, screen, color))
        elif start & mask:
            return 0
        elif start & board.knights:
            best = min(best, 1 + _LEAPS_TO[screen][man])
        elif start & board.rooks or bool(start & chess.BB_DARK_SQUARES) == bool(mask & chess.BB_DARK_SQUARES):
            best = min(best, 1 if mask & board.attacks_mask(man) else 2)
    return best


def _pawn_to_screen(board: chess.Board, pawn: chess.Square, screen: chess.Square, color: chess.Color) -> int:
    """Return the steps of a pawn to the square: on its file, or by promoting first.

    Men in its way count double.
    """
    ahead = (
        chess.square_rank(screen) - chess.square_rank(pawn)
        if color
        else chess.square_rank(pawn) - chess.square_rank(screen)
    )
    if chess.square_file(pawn) == chess.square_file(screen) and ahead >= 0 and chess.square_rank(screen) not in (0, 7):
        return ahead
    file = chess.BB_FILES[chess.square_file(pawn)]
    before = file & (-(chess.BB_SQUARES[pawn] << 1) if color else chess.BB_SQUARES[pawn] - 1)
    steps = 7 - chess.square_rank(pawn) if color else chess.square_rank(pawn)
    return 4 + steps + 2 * chess.popcount(before & board.occupied)


Measure = Callable[[chess.Board, chess.Color], int]

_LIGHT = (chess.KNIGHT, chess.BISHOP)
_CORNER = [
    min(chess.square_file(s), 7 - chess.square_file(s)) + min(chess.square_rank(s), 7 - chess.square_rank(s))
    for s in chess.SQUARES
]


def net(board: chess.Board, side: chess.Color) -> int:
    """Return a measure for closing in with the heaviest men and driving the king towards the edge."""
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
    """Return a measure for promoting first where there is neither queen nor rook, then closing in."""
    if board.occupied_co[side] & (board.queens | board.rooks):
        return net(board, side)
    return 2 * FAR + 6 * _to_promotion(board, side)


def strip(board: chess.Board, side: chess.Color) -> int:
    """Return a measure for taking the other side's men one by one, then as `plan`."""
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
    """Return a measure for opening the position first, with fewer pawns, then as `plan`."""
    return 20 * chess.popcount(board.pawns) + plan(board, side) // 2


def _to_promotion(board: chess.Board, color: chess.Color) -> int:
    """Return the steps to the last rank of the pawn closest to promoting; 14 without pawns.

    Each man in its way counts, a pawn most.
    """
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
