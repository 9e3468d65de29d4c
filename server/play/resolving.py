"""Which move an announcement means on a given board. For the record and the arbiter, never for a player's ear."""

from __future__ import annotations

import chess
import msgspec

from server.play.announcement import Announcement

PIECES = {
    "pawn": chess.PAWN,
    "knight": chess.KNIGHT,
    "bishop": chess.BISHOP,
    "rook": chess.ROOK,
    "queen": chess.QUEEN,
    "king": chess.KING,
}


class Resolution(msgspec.Struct, frozen=True):
    """The move meant (UCI), or None with the possibilities. `candidates` holds every move that fits the words."""

    uci: str | None
    candidates: tuple[str, ...] = ()


def resolve(announcement: Announcement, board: chess.Board) -> Resolution:
    """The move meant: the said departure square; else the only own piece of that kind that can legally arrive; else the
    only one by geometry (pins and checks ignored); else the only one on the board; else none, with the possibilities.

    >>> resolve(Announcement(piece="knight", to_square="f3"), chess.Board()).uci
    'g1f3'
    """
    if announcement.castling is not None:
        return _castling(announcement.castling, board)
    if announcement.to_square is None:
        return Resolution(None)
    target = chess.parse_square(announcement.to_square)
    promotion = PIECES[announcement.promotion] if announcement.promotion else None
    if announcement.from_square is not None:
        return _from_said(announcement, board, target, promotion)
    kind = PIECES[announcement.piece_meant or "pawn"]
    own = [square for square in board.pieces(kind, board.turn) if square != target]
    moves = [chess.Move(square, target, promotion) for square in own]
    for fitting in (
        [move for move in moves if board.is_legal(move)],
        [move for move in moves if board.is_pseudo_legal(move)],
        moves,
    ):
        if len(fitting) == 1:
            return Resolution(fitting[0].uci(), (fitting[0].uci(),))
        if fitting:
            return Resolution(None, tuple(move.uci() for move in fitting))
    return Resolution(None)


def _from_said(
    announcement: Announcement, board: chess.Board, target: chess.Square, promotion: chess.PieceType | None
) -> Resolution:
    assert announcement.from_square is not None
    source = chess.parse_square(announcement.from_square)
    if source == target:
        return Resolution(None)
    uci = chess.Move(source, target, promotion).uci()
    return Resolution(uci, (uci,))


def _castling(side: str, board: chess.Board) -> Resolution:
    """c-side or g-side castling: as king move e1g1 in standard chess, as king takes rook in Chess960 (II.3.2.6)."""
    king = board.king(board.turn)
    if king is None:
        return Resolution(None)
    for move in board.generate_castling_moves():
        if board.is_kingside_castling(move) == (side == "short"):
            return Resolution(move.uci(), (move.uci(),))
    rank = chess.square_rank(king)
    if board.chess960:
        rooks = [s for s in board.pieces(chess.ROOK, board.turn) if chess.square_rank(s) == rank]
        outer = [s for s in rooks if (s > king) == (side == "short")]
        if not outer:
            return Resolution(None)
        corner = max(outer) if side == "short" else min(outer)
        uci = chess.Move(king, corner).uci()
    else:
        uci = chess.Move(king, chess.square(6 if side == "short" else 2, rank)).uci()
    return Resolution(uci, (uci,))
