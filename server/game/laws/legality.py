"""Legal moves, mate and stalemate, also in illegal positions (1.4.1, 3.10; L006, L023, L043, L045).

python-chess gives the capture of a king among the legal moves of a position where a king was left in check. By 1.4.1 it
is none, so a game that goes on from an illegal position (A.5.2) is read through this file.
"""

from __future__ import annotations

import chess

from server.game.values.position import Position, legal


def legal_moves(position: Position) -> tuple[chess.Move, ...]:
    """The legal moves: none of them takes a king."""
    board = position.board()
    return tuple(move for move in board.legal_moves if board.piece_type_at(move.to_square) != chess.KING)


def is_legal(position: Position, uci: str) -> bool:
    """Whether a move is legal; text that is no move is not."""
    if not legal(position, uci):
        return False
    return position.board().piece_type_at(chess.Move.from_uci(uci).to_square) != chess.KING


def is_checkmate(position: Position) -> bool:
    """Whether the player on move is checkmated: in check and without a legal move (5.1.1)."""
    return position.board().is_check() and not legal_moves(position)


def is_stalemate(position: Position) -> bool:
    """Whether the player on move is stalemated: not in check and without a legal move (5.2.1, L045)."""
    return not position.board().is_check() and not legal_moves(position)
