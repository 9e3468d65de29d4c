"""Legal moves, mate and stalemate, also in illegal positions, and irregularities.

See 1.4.1, 3.10; L006, L023, L043, L045. python-chess gives the capture of a king among the legal moves of a position
where a king was left in check. By 1.4.1 it is not one, so a game that goes on from an illegal position (A.5.2) is read
through this file.

It also finds what went wrong without anyone noticing (A.4.1.2, A.4.4, 7.3, 1.4.1; L006, L077, L152, L155).
"""

from __future__ import annotations

from typing import Literal

import chess

from server.game.laws.rule_set import RuleSet
from server.game.laws.supervision import ten_moves_made
from server.game.values.position import Position, legal
from server.game.values.words import Seat


def legal_moves(position: Position) -> tuple[chess.Move, ...]:
    """Return the legal moves: none of them takes a king."""
    board = position.board()
    return tuple(move for move in board.legal_moves if board.piece_type_at(move.to_square) != chess.KING)


def is_legal(position: Position, uci: str) -> bool:
    """Return whether a move is legal; a text that is not a move is not legal."""
    if not legal(position, uci):
        return False
    return position.board().piece_type_at(chess.Move.from_uci(uci).to_square) != chess.KING


def is_checkmate(position: Position) -> bool:
    """Return whether the player on move is checkmated: in check and without a legal move (5.1.1)."""
    return position.board().is_check() and not legal_moves(position)


def is_stalemate(position: Position) -> bool:
    """Return whether the player on move is stalemated: not in check and without a legal move.

    See 5.2.1, L045.
    """
    return not position.board().is_check() and not legal_moves(position)


Irregularity = Literal["both_kings_in_check", "pawn_on_last_rank"]


def both_kings_in_check(position: Position) -> bool:
    """Return whether the king of each side is attacked."""
    board = position.board()
    return _in_check(board, chess.WHITE) and _in_check(board, chess.BLACK)


def _in_check(board: chess.Board, color: chess.Color) -> bool:
    kings = chess.SquareSet(board.pieces_mask(chess.KING, color))
    return any(board.is_attacked_by(not color, king) for king in kings)


def pawns_on_last_rank(position: Position) -> tuple[str, ...]:
    """Return the squares of pawns on the last rank: White's on the eighth, Black's on the first."""
    board = position.board()
    white = board.pieces_mask(chess.PAWN, chess.WHITE) & chess.BB_RANK_8
    black = board.pieces_mask(chess.PAWN, chess.BLACK) & chess.BB_RANK_1
    return tuple(chess.square_name(square) for square in chess.SquareSet(white | black))


def irregularities(position: Position) -> tuple[Irregularity, ...]:
    """Return the irregular states named in A.4.4 / A.5.4 (L155).

    Whether the position can be reached at all is not asked (L024).
    """
    found: list[Irregularity] = []
    if both_kings_in_check(position):
        found.append("both_kings_in_check")
    if pawns_on_last_rank(position):
        found.append("pawn_on_last_rank")
    return tuple(found)


def drawn_after_waiting(seen: Position, after_next_completed: Position) -> bool:
    """Return whether the game is drawn because an irregular position still stands after one more move."""
    return bool(irregularities(seen)) and bool(irregularities(after_next_completed))


def castling_rights_of_set_up(set_up: Position, intended: Position) -> str:
    """Return the castling rights (as in a FEN) of a wrong set-up that stands after ten moves.

    See A.4.1.2 / A.5.1.2, L152.

    A misplaced king may not castle, a misplaced rook may not be castled with: a right is left only where king and rook
    both stand where they stand in the `intended` initial position. Both boards may be asked, each with its own set-up.
    """
    stands, wanted = set_up.board(), intended.board()
    wanted_rights = wanted.clean_castling_rights()
    rights = chess.BB_EMPTY
    for color in chess.COLORS:
        king = wanted.king(color)
        if king is None or stands.piece_at(king) != chess.Piece(chess.KING, color):
            continue
        rank = chess.BB_RANK_1 if color == chess.WHITE else chess.BB_RANK_8
        rights |= wanted_rights & rank & stands.pieces_mask(chess.ROOK, color)
    stands.chess960 = wanted.chess960
    stands.castling_rights = rights
    return stands.castling_xfen()


def reversed_colours(
    rule_set: RuleSet, white_moves: int, black_moves: int
) -> Literal["new_game", "continue", "arbiter"]:
    """Return the consequence for a game begun with reversed colours (7.3, L077).

    Until both players have made ten moves a new game is played, in the editions that say so.
    """
    match rule_set.options.reversed_colours:
        case None:
            return "arbiter"
        case "continue":
            return "continue"
        case _:
            return "continue" if ten_moves_made(white_moves, black_moves) else "new_game"


def captures_king(position: Position, uci: str) -> bool:
    """Return whether a move takes the opponent's king: an illegal move, never a win (1.4.1, L006)."""
    taken = position.board().piece_at(chess.Move.from_uci(uci).to_square)
    return taken == chess.Piece(chess.KING, position.turn is not Seat.WHITE)
