"""A position is a frozen value that is valid for any placement of the pieces (3.10.3, L024)."""

from __future__ import annotations

from functools import lru_cache

import chess
import msgspec

from server.game.values.words import Seat


class Position(msgspec.Struct, frozen=True):
    """Parts of a FEN: placement, side to move, castling rights, en passant square and counters.

    The position may be illegal or
    unreachable: a board can hold anything. A `chess.Board` is built where needed.
    """

    placement: str
    turn: Seat
    castling: str
    en_passant: str
    halfmoves: int
    move_number: int
    chess960: bool = False

    @classmethod
    def from_fen(cls, fen: str, *, chess960: bool = False) -> Position:
        """Return the position of a FEN. Raises ValueError for text that is no FEN."""
        return cls.from_board(chess.Board(fen, chess960=chess960))

    @classmethod
    def from_board(cls, board: chess.Board) -> Position:
        """Return the position on a python-chess board.

        En passant is kept only where a capture is legal (9.2.3).
        """
        placement, _turn, castling, en_passant, halfmoves, number = board.fen(en_passant="legal").split()
        turn = Seat.WHITE if board.turn == chess.WHITE else Seat.BLACK
        return cls(placement, turn, castling, en_passant, int(halfmoves), int(number), board.chess960)

    @property
    def known(self) -> bool:
        """Return whether this is a known position, not `UNKNOWN`."""
        return self.halfmoves >= 0

    @property
    def fen(self) -> str:
        """Return the FEN of this position."""
        side = "w" if self.turn is Seat.WHITE else "b"
        return f"{self.placement} {side} {self.castling} {self.en_passant} {self.halfmoves} {self.move_number}"

    def board(self, mover: Seat | None = None) -> chess.Board:
        """Return a python-chess board standing at this position; with `mover` this side is to move on it."""
        board = _board_at(self).copy()
        if mover is not None:
            board.turn = chess.WHITE if mover is Seat.WHITE else chess.BLACK
        return board

    def has_man_on(self, square: str, seat: Seat) -> bool:
        """Return whether a man of this side stands on a square."""
        return self.board().color_at(chess.parse_square(square)) is (chess.WHITE if seat is Seat.WHITE else chess.BLACK)

    def after(self, uci: str) -> Position:
        """Return the position after a move, legal or not, of whichever piece stands on its departure square.

        Castling that is not legal still moves its rook, a capture en passant still takes its pawn: players do it with
        their hands.
        Raises ValueError where the departure square is empty or the text is no move.
        """
        return _after(self, uci)

    def _after_move(self, uci: str) -> Position:
        board = self.board()
        move = chess.Move.from_uci(uci)
        piece = board.piece_at(move.from_square)
        if piece is None:
            raise ValueError(f"no piece stands on {chess.square_name(move.from_square)}")
        if board.is_pseudo_legal(move) and not onto_own(board, move):
            board.push(move)
            return Position.from_board(board)
        zeroing = piece.piece_type == chess.PAWN or board.piece_at(move.to_square) is not None
        rook = _rook_of_castling(board, move, piece)
        passed = passed_pawn(board, move, piece)
        board.set_piece_at(move.from_square, None)
        if rook is not None:
            king_to, rook_to = (chess.G1, chess.F1) if rook > move.from_square else (chess.C1, chess.D1)
            rank = 8 * chess.square_rank(move.from_square)
            board.set_piece_at(rook, None)
            board.set_piece_at(king_to + rank, piece)
            board.set_piece_at(rook_to + rank, chess.Piece(chess.ROOK, piece.color))
        else:
            if passed is not None:
                board.set_piece_at(passed, None)
            board.set_piece_at(move.to_square, chess.Piece(move.promotion or piece.piece_type, piece.color))
        board.castling_rights &= ~_moved_from_home(move, piece)
        board.turn = not board.turn
        board.halfmove_clock = 0 if zeroing else board.halfmove_clock + 1
        if board.turn == chess.WHITE:
            board.fullmove_number += 1
        return Position.from_board(board)

    def with_placement(self, placement: str, turn: Seat) -> Position:
        """Return the same game with other pieces on the board (a snapshot).

        Castling rights survive only where king and rook still stand on their squares.
        """
        board = self.board()
        board.set_board_fen(placement)
        board.turn = chess.WHITE if turn is Seat.WHITE else chess.BLACK
        board.ep_square = None
        return Position.from_board(board)


UNKNOWN = Position("8/8/8/8/8/8/8/8", Seat.WHITE, "-", "-", -1, 1)
"""Stand-in for a position after a ply of which the server does not know the result (D.2.9)."""


# The same few positions are needed again and again while a command is decided and its events are applied.
@lru_cache(maxsize=512)
def _board_at(position: Position) -> chess.Board:
    return chess.Board(position.fen, chess960=position.chess960)


@lru_cache(maxsize=512)
def _after(position: Position, uci: str) -> Position:
    return position._after_move(uci)


def _moved_from_home(move: chess.Move, piece: chess.Piece) -> chess.Bitboard:
    """Return the rooks' squares that lose the right to castle.

    Both where the king has moved (3.8.2.1, L020). An illegal move counts too where it stands (A.5.2); in Chess960 the
    squares alone may not show it.
    """
    gone = chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]
    if piece.piece_type == chess.KING:
        gone |= chess.BB_RANK_1 if piece.color == chess.WHITE else chess.BB_RANK_8
    return gone


def _rook_of_castling(board: chess.Board, move: chess.Move, king: chess.Piece) -> chess.Square | None:
    """Return the rook that goes along where a king move means castling.

    The king moves two squares to that side, or takes its own rook (Chess960).
    """
    rank = chess.square_rank(move.from_square)
    if king.piece_type != chess.KING or rank != chess.square_rank(move.to_square):
        return None
    rook = chess.Piece(chess.ROOK, king.color)
    if board.chess960:
        return move.to_square if board.piece_at(move.to_square) == rook else None
    if chess.square_file(move.from_square) != 4 or abs(move.from_square - move.to_square) != 2:
        return None
    corner = chess.square(7 if chess.square_file(move.to_square) == 6 else 0, rank)
    return corner if board.piece_at(corner) == rook else None


def passed_pawn(board: chess.Board, move: chess.Move, pawn: chess.Piece) -> chess.Square | None:
    """Return the square of the pawn that a move of the form of a capture en passant takes.

    Whether the capture is allowed is not asked.
    """
    if pawn.piece_type != chess.PAWN or board.piece_at(move.to_square) is not None:
        return None
    rank, to_rank = chess.square_rank(move.from_square), chess.square_rank(move.to_square)
    if (rank, to_rank) != ((4, 5) if pawn.color == chess.WHITE else (3, 2)):
        return None
    if abs(chess.square_file(move.from_square) - chess.square_file(move.to_square)) != 1:
        return None
    passed = chess.square(chess.square_file(move.to_square), rank)
    return passed if board.piece_at(passed) == chess.Piece(chess.PAWN, not pawn.color) else None


def onto_own(board: chess.Board, move: chess.Move) -> bool:
    """Return whether a piece goes to where one of its own colour stands (3.1).

    In Chess960 king to own rook is how castling is written. Otherwise it is no castling, though python-chess takes it
    for one.
    """
    return not board.chess960 and board.color_at(move.to_square) == board.color_at(move.from_square) is not None


def legal(position: Position, uci: str) -> bool:
    """Return whether the move is legal here (Article 3)."""
    try:
        move = chess.Move.from_uci(uci)
    except ValueError:
        return False
    board = position.board()
    return board.is_legal(move) and not onto_own(board, move)


BoardKey = tuple[int | bool | None, ...]


def board_key(board: chess.Board) -> BoardKey:
    """Return what makes two positions the same for their legal moves (9.2.3).

    It is faster than any text of them.
    """
    return (
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.turn,
        board.castling_rights,
        board.ep_square,
    )
