"""Which move an announcement means on a given board. For the record and the arbiter, never for a player's ear."""

from __future__ import annotations

import chess
import msgspec

from server.game.values.announcement import Announcement
from server.game.values.position import onto_own, passed_pawn

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


def resolve(announcement: Announcement, board: chess.Board, *, by_geometry: bool = False) -> Resolution:
    """The move meant: the said departure square; else the only own piece of that kind that can legally arrive; else the
    only one by geometry (pins and checks ignored); else the only one on the board; else none, with the possibilities.

    `by_geometry` leaves legality out altogether: for whatever a player may see, since a knight that moves by itself on
    his screen would tell him that the other one is pinned.

    >>> resolve(Announcement(piece="knight", to_square="f3"), chess.Board()).uci
    'g1f3'
    """
    if announcement.castling is not None:
        return _castling(announcement.castling, board, by_geometry=by_geometry)
    if announcement.to_square is None:
        return Resolution(None)
    target = chess.parse_square(announcement.to_square)
    promotion = PIECES[announcement.promotion] if announcement.promotion else None
    if announcement.from_square is not None:
        return _from_said(announcement, board, target, promotion)
    kind = PIECES[announcement.piece or "pawn"]
    own = [square for square in board.pieces(kind, board.turn) if square != target]
    moves = [move for square in own if not _reads_as_castling(board, move := chess.Move(square, target, promotion))]
    ways = (
        [] if by_geometry else [move for move in moves if board.is_legal(move) and not onto_own(board, move)],
        [move for move in moves if _arrives(board, move)],
        moves,
    )
    for fitting in ways:
        if len(fitting) == 1:
            return Resolution(fitting[0].uci(), (fitting[0].uci(),))
        if fitting:
            return Resolution(None, tuple(move.uci() for move in fitting))
    return Resolution(None)


def fits(announcement: Announcement, board: chess.Board, uci: str) -> bool:
    """Whether the words may be said of this move of the piece that stands there: by what both name, never by legality.

    >>> fits(Announcement(piece="knight", to_square="f3"), chess.Board(), "g1f3")
    True
    >>> fits(Announcement(to_square="f3"), chess.Board(), "g1f3")
    False
    """
    move = chess.Move.from_uci(uci)
    if _reads_as_castling(board, move) or (announcement.castling is not None and board.is_castling(move)):
        return announcement.castling == ("short" if board.is_kingside_castling(move) else "long")
    piece = board.piece_type_at(move.from_square)
    shown = {
        "piece": chess.piece_name(piece) if piece is not None else None,
        "from_square": uci[:2],
        "to_square": uci[2:4],
        "promotion": chess.piece_name(move.promotion) if move.promotion is not None else None,
    }
    return announcement.agrees_with(msgspec.convert(shown, Announcement))


def _arrives(board: chess.Board, move: chess.Move) -> bool:
    """Whether a piece can arrive by the way it moves and what stands in between; pins, checks and rights are not asked.

    A capture en passant has its form alone: whether the double step was the move before is the rules' business.
    """
    piece = board.piece_at(move.from_square)
    taken = board.piece_at(move.to_square)
    assert piece is not None
    takes = taken is not None and taken.color != piece.color
    if piece.piece_type != chess.PAWN:
        return (taken is None or takes) and move.to_square in board.attacks(move.from_square)
    if chess.square_file(move.from_square) != chess.square_file(move.to_square):
        captures = takes or passed_pawn(board, move, piece) is not None
        return captures and move.to_square in board.attacks(move.from_square)
    step = 8 if piece.color == chess.WHITE else -8
    first = move.from_square + step
    if taken is not None or move.to_square == first:
        return taken is None
    at_home = chess.square_rank(move.from_square) == (1 if piece.color == chess.WHITE else 6)
    return at_home and move.to_square == first + step and board.piece_at(first) is None


def _from_said(
    announcement: Announcement, board: chess.Board, target: chess.Square, promotion: chess.PieceType | None
) -> Resolution:
    assert announcement.from_square is not None
    source = chess.parse_square(announcement.from_square)
    if source == target:
        return Resolution(None)
    move = chess.Move(source, target, promotion)
    if _reads_as_castling(board, move):
        return Resolution(None)
    return Resolution(move.uci(), (move.uci(),))


def _reads_as_castling(board: chess.Board, move: chess.Move) -> bool:
    """Whether the squares are how castling is written in Chess960: castling has words of its own (II.3.2.6)."""
    if not board.chess960 or board.piece_type_at(move.from_square) != chess.KING:
        return False
    return board.piece_at(move.to_square) == chess.Piece(chess.ROOK, board.turn)


def _castling(side: str, board: chess.Board, *, by_geometry: bool) -> Resolution:
    """c-side or g-side castling: as king move e1g1 in standard chess, as king takes rook in Chess960 (II.3.2.6).

    Where two rooks stand on that side in Chess960, only the rights tell which one castles; by geometry it stays open.
    """
    king = board.king(board.turn)
    if king is None:
        return Resolution(None)
    rank = chess.square_rank(king)
    if board.chess960:
        rooks = [s for s in board.pieces(chess.ROOK, board.turn) if chess.square_rank(s) == rank]
        outer = [s for s in rooks if (s > king) == (side == "short")]
        if not outer:
            return Resolution(None)
        if by_geometry and len(outer) > 1:
            return Resolution(None, tuple(chess.Move(king, rook).uci() for rook in outer))
        with_right = [s for s in outer if board.clean_castling_rights() & chess.BB_SQUARES[s]]
        corner = max(with_right or outer) if side == "short" else min(with_right or outer)
        uci = chess.Move(king, corner).uci()
    else:
        to = chess.square(6 if side == "short" else 2, rank)
        if to == king:  # it stands there already, on this board: the words are no move of it
            return Resolution(None)
        uci = chess.Move(king, to).uci()
    return Resolution(uci, (uci,))
