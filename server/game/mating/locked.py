"""The squares that each man could ever get to, and so the men that are locked in place for ever.

It allows more than can happen, never less. The men start where they stand, reaching nothing and safe from capture; then
every move that might ever be possible is allowed, until nothing is added. A square is closed only while the man on it
can neither move nor be captured. Turns, pins and checks by men that can move are ignored. So a square outside a man's
reach can never be reached in any game from here. This is the one thing that must be right, because every "no" of the
walls test (`shut_out`) rests on it.
"""

from __future__ import annotations

import chess

_FILE_A, _FILE_H = chess.BB_FILE_A, chess.BB_FILE_H
_LAST = {chess.WHITE: chess.BB_RANK_8, chess.BLACK: chess.BB_RANK_1}


def _orthogonal(men: int) -> int:
    return (men << 8 | men >> 8 | (men & ~_FILE_H) << 1 | (men & ~_FILE_A) >> 1) & chess.BB_ALL


def _diagonal(men: int) -> int:
    east, west = (men & ~_FILE_H) << 1, (men & ~_FILE_A) >> 1
    both = east | west
    return (both << 8 | both >> 8) & chess.BB_ALL


def _jumps(men: int) -> int:
    near = (men & ~_FILE_H) << 1 | (men & ~_FILE_A) >> 1
    far = (men & ~(_FILE_H | chess.BB_FILE_G)) << 2 | (men & ~(_FILE_A | chess.BB_FILE_B)) >> 2
    return (near << 16 | near >> 16 | far << 8 | far >> 8) & chess.BB_ALL


def pawn_strikes(men: int, color: chess.Color) -> int:
    """Return the squares that pawns on these squares attack."""
    beside = (men & ~_FILE_H) << 1 | (men & ~_FILE_A) >> 1
    return (beside << 8 if color else beside >> 8) & chess.BB_ALL


def steps(piece_type: chess.PieceType, men: int) -> int:
    """Return the squares one step (or jump) away from these squares, on an empty board; not for pawns."""
    if piece_type == chess.KNIGHT:
        return _jumps(men)
    if piece_type == chess.BISHOP:
        return _diagonal(men)
    if piece_type == chess.ROOK:
        return _orthogonal(men)
    return _orthogonal(men) | _diagonal(men)


class Man:
    """One man of the position asked about, followed through everything that may become of it.

    `reach`: the squares it may ever stand on unpromoted. `promoted`: those it may stand on after promotion. `taken`:
    whether it may ever be captured.
    """

    __slots__ = ("color", "origin", "promoted", "reach", "taken", "type")

    def __init__(self, origin: chess.Square, color: chess.Color, piece_type: chess.PieceType) -> None:
        self.origin = chess.BB_SQUARES[origin]
        self.color = color
        self.type = piece_type
        self.reach = self.origin
        self.promoted = 0
        self.taken = False

    @property
    def fixed(self) -> bool:
        """Return whether it stands where it stands for ever."""
        return self.reach == self.origin and not self.promoted and not self.taken

    @property
    def anywhere(self) -> int:
        """Return every square it may ever stand on."""
        return self.reach | self.promoted

    def strikes(self) -> int:
        """Return every square it may ever attack.

        A slider that attacks a square from afar could also stand next to it, because the way is empty: one step is
        enough.
        """
        if self.type == chess.PAWN:
            struck = pawn_strikes(self.reach, self.color)
            return struck | steps(chess.QUEEN, self.promoted) | _jumps(self.promoted) if self.promoted else struck
        return steps(self.type, self.reach)


def reaches(board: chess.Board) -> list[Man]:
    """Return every man on the board with all that it may ever reach, in the order of the squares."""
    men = [Man(square, piece.color, piece.piece_type) for square, piece in sorted(board.piece_map().items())]
    _en_passant_now(board, men)
    _castling(board, men)
    while _grow(men):
        pass
    return men


def fixed_squares(men: list[Man], color: chess.Color) -> int:
    """Return the squares on which men of this colour stand for ever."""
    return _union(man.origin for man in men if man.color == color and man.fixed)


def lasting_strikes(men: list[Man], color: chess.Color) -> int:
    """Return the squares that men of this colour attack for ever because they never leave.

    Of sliders these are the squares next to them.
    """
    struck = 0
    for man in men:
        if man.color == color and man.fixed:
            struck |= man.strikes()
    return struck


def _union(masks: object) -> int:
    joined = 0
    for mask in masks:  # type: ignore[attr-defined]
        joined |= mask
    return joined


def _grow(men: list[Man]) -> bool:
    """Add to every man what one more move could add; return whether anything was added."""
    closed = {color: fixed_squares(men, color) for color in chess.COLORS}
    struck = {color: lasting_strikes(men, color) for color in chess.COLORS}
    standing = {
        color: _union(man.anywhere for man in men if man.color == color and man.type != chess.KING)
        for color in chess.COLORS
    }
    grown = False
    for man in men:
        enemy = not man.color
        if man.type == chess.PAWN:
            ahead = man.reach << 8 & chess.BB_ALL if man.color else man.reach >> 8
            # A pawn in front of it may be taken; the square in front is closed by a fixed man of either colour.
            strikes = pawn_strikes(man.reach, man.color) & standing[enemy]
            ahead &= ~(closed[man.color] | closed[enemy] | _past(man, men))
            entered = man.reach | ahead | strikes
            promoted = man.promoted | entered & _LAST[man.color]
            if promoted:
                moved = steps(chess.QUEEN, promoted) | _jumps(promoted)
                strikes |= moved
                promoted |= moved & ~closed[man.color]
            if promoted != man.promoted:
                man.promoted = promoted
                grown = True
        else:
            strikes = steps(man.type, man.reach)
            if man.type == chess.KING:
                strikes &= ~struck[enemy]
            entered = man.reach | strikes & ~closed[man.color]
        if entered != man.reach:
            man.reach = entered
            grown = True
        for other in men:
            if other.color == enemy and not other.taken and other.type != chess.KING and strikes & other.anywhere:
                other.taken = grown = True
    return grown


def _past(pawn: Man, men: list[Man]) -> int:
    """Return the squares a pawn cannot push to, because an enemy pawn comes the other way on its file.

    While neither can leave the file and the enemy pawn cannot be captured they never pass each other, so the pawn stays
    short of the square from which the enemy pawn started.
    """
    file = _file_of(pawn.origin)
    if pawn.reach & ~file:
        return 0
    past = 0
    for other in men:
        if other.type == chess.PAWN and other.color != pawn.color and other.origin & file:
            if other.taken or other.promoted or other.reach & ~file:
                continue
            if pawn.color and other.origin > pawn.origin:
                past |= file & ~(other.origin - 1)
            elif not pawn.color and other.origin < pawn.origin:
                past |= file & (other.origin * 2 - 1)
    return past


def _file_of(square: int) -> int:
    return next(file for file in chess.BB_FILES if file & square)


def _en_passant_now(board: chess.Board, men: list[Man]) -> None:
    """Add the capture en passant that may be possible at once.

    Later ones are captures on a square the pawn reached.
    """
    if board.ep_square is None:
        return
    mark = chess.BB_SQUARES[board.ep_square]
    passed = mark >> 8 if chess.square_rank(board.ep_square) == 5 else mark << 8
    for man in men:
        if man.type == chess.PAWN and man.color == board.turn and pawn_strikes(man.origin, man.color) & mark:
            man.reach |= mark
            for other in men:
                other.taken |= other.origin == passed


def _castling(board: chess.Board, men: list[Man]) -> None:
    """Add the squares that castling takes king and rook to (in Chess960 over each other)."""
    rights = board.clean_castling_rights()
    for man in men:
        if man.type == chess.ROOK and man.origin & rights:
            king = board.king(man.color)
            if king is None:
                continue
            home = chess.BB_RANK_1 if man.color else chess.BB_RANK_8
            short = man.origin > chess.BB_SQUARES[king]
            man.reach |= home & (chess.BB_FILE_F if short else chess.BB_FILE_D)
            for other in men:
                if other.type == chess.KING and other.color == man.color:
                    other.reach |= home & (chess.BB_FILE_G if short else chess.BB_FILE_C)
