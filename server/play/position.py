"""A frozen chess position, valid for any placement (3.10.3, L024)."""

from __future__ import annotations

import chess
import msgspec

from server.play.values import Seat


class Position(msgspec.Struct, frozen=True):
    """Placement, side to move, castling rights, en passant square and counters: a FEN in parts.

    It may be illegal or unreachable: boards hold whatever stands on them. A `chess.Board` is built where needed.
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
        """The position of a FEN. Raises ValueError for text that is no FEN."""
        return cls.from_board(chess.Board(fen, chess960=chess960))

    @classmethod
    def from_board(cls, board: chess.Board) -> Position:
        """The position on a python-chess board; en passant is kept only where a capture is legal (9.2.3)."""
        placement, _turn, castling, en_passant, halfmoves, number = board.fen(en_passant="legal").split()
        turn = Seat.WHITE if board.turn == chess.WHITE else Seat.BLACK
        return cls(placement, turn, castling, en_passant, int(halfmoves), int(number), board.chess960)

    @property
    def fen(self) -> str:
        """The FEN of this position."""
        side = "w" if self.turn is Seat.WHITE else "b"
        return f"{self.placement} {side} {self.castling} {self.en_passant} {self.halfmoves} {self.move_number}"

    def board(self) -> chess.Board:
        """A python-chess board standing at this position."""
        return chess.Board(self.fen, chess960=self.chess960)

    def after(self, uci: str) -> Position:
        """The position after a move, legal or not, of whichever piece stands on its departure square.

        Raises ValueError where the departure square is empty.
        """
        board = self.board()
        move = chess.Move.from_uci(uci)
        piece = board.piece_at(move.from_square)
        if piece is None:
            raise ValueError(f"no piece stands on {chess.square_name(move.from_square)}")
        if board.is_pseudo_legal(move):
            board.push(move)
            return Position.from_board(board)
        board.set_piece_at(move.from_square, None)
        board.set_piece_at(move.to_square, chess.Piece(move.promotion or piece.piece_type, piece.color))
        board.ep_square = None
        board.castling_rights = board.clean_castling_rights()
        board.turn = not board.turn
        board.halfmove_clock += 1
        if board.turn == chess.WHITE:
            board.fullmove_number += 1
        return Position.from_board(board)

    def with_placement(self, placement: str, turn: Seat) -> Position:
        """The same game with other pieces on the board (a snapshot); rights survive only where king and rook stand."""
        board = self.board()
        board.set_board_fen(placement)
        board.turn = chess.WHITE if turn is Seat.WHITE else chess.BLACK
        board.ep_square = None
        board.castling_rights = board.clean_castling_rights()
        return Position.from_board(board)


def legal(position: Position, uci: str) -> bool:
    """Whether the move is legal here (Article 3)."""
    try:
        return position.board().is_legal(chess.Move.from_uci(uci))
    except ValueError:
        return False
