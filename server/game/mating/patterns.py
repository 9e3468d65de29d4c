"""Whether any mating picture can arise at all, given what every man may ever reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import chess

from server.game.mating.locked import Man, lasting_strikes, reaches, steps

_RING = chess.BB_KING_ATTACKS
_SLIDES = {
    chess.BISHOP: (-9, -7, 7, 9),
    chess.ROOK: (-8, -1, 1, 8),
    chess.QUEEN: (-9, -8, -7, -1, 1, 7, 8, 9),
}


def shut_out(board: chess.Board, side: chess.Color) -> bool:
    """Return whether the reach of the men rules out a mate by `side` in any series of moves.

    A picture is a square for the king to be mated on, a square for the other king, and for every square beside the
    mated king something that takes it away: that other king, a man of `side` that may ever attack it, or a man of the
    mated king standing on it (each man on one square only). And some man of `side` must attack the king. Whether all
    this can be so at the same moment is not asked, so False means only that this argument does not settle it. It is for
    positions with one king on each side in which the side not on move is not in check.
    """
    return not _picture(reaches(board), side)


def _picture(men: Sequence[Man], side: chess.Color) -> bool:
    mated = next(man for man in men if man.type == chess.KING and man.color != side)
    king = next(man for man in men if man.type == chess.KING and man.color == side)
    officers = [man for man in men if man.color == side and man.type != chess.KING]
    movers = [man for man in officers if not man.fixed]
    screens = [man.anywhere for man in men if man.color != side and man.type != chess.KING]
    walls = 0
    for man in men:
        if man.color != side and man.type != chess.KING and man.fixed:
            walls |= man.origin
    struck = 0
    for man in officers:
        struck |= man.strikes()
    struck &= chess.BB_ALL
    kings = list(chess.scan_forward(king.reach))
    for at in chess.scan_forward(mated.reach & struck):
        beside = _RING[at] & ~walls
        places = [w for w in kings if w != at and not _RING[at] & chess.BB_SQUARES[w]]
        if not places:
            continue
        through = _through(officers, at)
        if not _some_place(beside & ~(struck | through), places, screens):
            continue
        if len(movers) != 1 or movers[0].type in (chess.PAWN, chess.KING):
            return True
        if _lone_picture(men, side, movers[0], at, beside, places, screens):
            return True
    return False


def _some_place(left: int, places: Sequence[chess.Square], screens: Sequence[int]) -> bool:
    """Return whether, for some square of the mating king, all squares left over can be screened."""
    tried: set[int] = set()
    for place in places:
        rest = left & ~_RING[place]
        if rest not in tried:
            tried.add(rest)
            if _can_all_be_screened(rest, screens):
                return True
    return False


def _can_all_be_screened(squares: int, screens: Sequence[int]) -> bool:
    """Return whether different men can stand on all these squares (a matching, by augmenting paths)."""
    if not squares:
        return True
    held: dict[int, int] = {}

    def place(square: int, seen: set[int]) -> bool:
        for index, mask in enumerate(screens):
            if mask & square and index not in seen:
                seen.add(index)
                if index not in held or place(held[index], seen):
                    held[index] = square
                    return True
        return False

    return all(place(chess.BB_SQUARES[square], set()) for square in chess.scan_forward(squares))


def _through(officers: Sequence[Man], at: chess.Square) -> int:
    """Return the squares beside the king that are attacked through it.

    They lie behind the king on the line of a slider.
    """
    behind = 0
    for man in officers:
        lines = _SLIDES.get(chess.QUEEN if man.promoted else man.type)
        if lines is None:
            continue
        stand = man.promoted if man.type == chess.PAWN else man.reach
        for line in lines:
            near = _next(at, -line)
            far = _next(at, line)
            if near is not None and far is not None and stand & chess.BB_SQUARES[near]:
                behind |= chess.BB_SQUARES[far]
    return behind


def _next(square: chess.Square, line: int) -> chess.Square | None:
    """Return the next square along a line; None beyond the edge."""
    to = square + line
    if 0 <= to < 64 and chess.square_distance(square, to) == 1:
        return to
    return None


def _lone_picture(
    men: Sequence[Man],
    side: chess.Color,
    mover: Man,
    at: chess.Square,
    beside: int,
    places: Sequence[chess.Square],
    screens: Sequence[int],
) -> bool:
    """Return whether a picture can arise where a single officer can move.

    It stands on one square at a time, and is tried on each.
    """
    lasting = lasting_strikes([man for man in men if man.type != chess.KING], side)
    blocks = 0
    for man in men:
        if man.fixed and man.type != chess.KING:
            blocks |= man.origin
    king = chess.BB_SQUARES[at]
    for stand in chess.scan_forward(mover.reach & ~king):
        struck = _from(mover.type, stand, blocks)
        if not (struck | lasting) & king:
            continue
        free = [place for place in places if place != stand]
        if free and _some_place(beside & ~(struck | lasting), free, screens):
            return True
    # If it is captured, only the men that stand fixed are left.
    return bool(lasting & king) and _some_place(beside & ~lasting, places, screens)


def _from(piece_type: chess.PieceType, stand: chess.Square, blocks: int) -> int:
    """Return what a man on this square attacks at most: lines end only at men who stand there for ever."""
    if piece_type == chess.KNIGHT:
        return steps(chess.KNIGHT, chess.BB_SQUARES[stand])
    struck = 0
    for line in _SLIDES[piece_type]:
        for square in _along(stand, line):
            struck |= chess.BB_SQUARES[square]
            if blocks & chess.BB_SQUARES[square]:
                break
    return struck


def _along(square: chess.Square, line: int) -> Iterator[chess.Square]:
    to = _next(square, line)
    while to is not None:
        yield to
        to = _next(to, line)
