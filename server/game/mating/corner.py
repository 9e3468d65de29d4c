"""Light pieces against a king in the corner: how far the men are from such a picture. It guides the search only."""

from __future__ import annotations

import chess

from server.game.mating.heuristics import DISTANCE


def _pictures() -> tuple[tuple[chess.Square, chess.Square, tuple[chess.Square, ...]], ...]:
    """Corner, the square beside it that a man of the mated king fills, and where the other king takes the rest."""
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
    """Moves of a knight from every square to one from which it strikes the target."""
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
    """The steps missing to the nearest picture: king in the corner, its own man beside it, the other king before it."""
    king, own = board.king(not side), board.king(side)
    assert king is not None and own is not None
    mine, theirs = board.occupied_co[side], board.occupied_co[not side]
    knights = mine & board.knights
    # Two knights against a bare king: the second takes the square that nobody fills.
    alone = not mine & board.bishops and not theirs & ~board.kings & ~board.queens
    best = 999
    for corner, screen, places in PICTURES:
        # A bishop can only strike a corner of its own colour.
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
    """Moves until a knight strikes the square."""
    return min((_LEAPS_TO[square][man] for man in chess.scan_forward(knights)), default=30)


def _to_strike(board: chess.Board, mine: chess.Bitboard, corner: chess.Square, colour: chess.Bitboard) -> int:
    """How far the nearest light piece is from striking the corner: a bishop best from the square touching it."""
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
    """Moves, roughly, until some man of this colour stands on the square; a queen there would only take what mates."""
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
    """A pawn walks there on its file, or promotes first; men in its way count double."""
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
