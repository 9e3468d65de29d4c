"""The squares that must be free for castling, by the words of II.3.2.7 and not by python-chess."""

from __future__ import annotations

from typing import Literal

import chess

from server.game.values.position import Position

Side = Literal["c", "g"]


def castling_move(position: Position, side: Side) -> str | None:
    """Return the castling of a side as UCI (king takes rook, as in Chess960).

    None where no right is left. Whether it is legal is not asked.
    """
    board = position.board()
    rights = board.clean_castling_rights() & board.occupied_co[board.turn]
    king = board.king(board.turn)
    if king is None:
        return None
    rooks = [rook for rook in chess.scan_forward(rights) if (rook < king) == (side == "c")]
    return chess.square_name(king) + chess.square_name(rooks[0]) if rooks else None


def squares_in_the_way(position: Position, side: Side) -> tuple[str, ...] | None:
    """Return the squares whose pieces forbid castling (II.3.2.7, L231); None where no right is left.

    These squares must be empty, apart from the king and the castling rook: all from the king to its final square, and
    all from the rook to its final square. Other squares may be occupied.
    """
    castling = castling_move(position, side)
    if castling is None:
        return None
    move, board = chess.Move.from_uci(castling), position.board()
    king, rook = move.from_square, move.to_square
    rank = chess.square_rank(king)
    king_to, rook_to = final_squares(side, rank)
    path = chess.SquareSet(chess.between(king, king_to) | chess.between(rook, rook_to))
    path |= chess.SquareSet([king_to, rook_to])
    path -= chess.SquareSet([king, rook])
    return tuple(chess.square_name(square) for square in path if board.piece_at(square) is not None)


def final_squares(side: Side, rank: int) -> tuple[chess.Square, chess.Square]:
    """Return where king and rook stand after castling on a rank (0 or 7): c and d, or g and f (II.3.2.6)."""
    king_file, rook_file = (2, 3) if side == "c" else (6, 5)
    return chess.square(king_file, rank), chess.square(rook_file, rank)
