"""The boards compared with the game, and the moves to undo (D.2.9, L197, L198).

It follows the server's game as the boards should have followed it: for each ply the squares that it changes.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess
import msgspec

from server.scoresheets.cell import Cell, legal_readings
from speech.complaint import Complaint, Phrase

Squares = dict[chess.Square, chess.Piece | None]
"""Pieces on some squares; None: nothing."""


class History(msgspec.Struct, frozen=True):
    """Server's game: a FEN and the moves after it (UCI).

    A move is None where the server does not know it. `heard`: what was said of each ply, as a cell; None or missing
    where nothing is known but the move. Words mean another move where an earlier one was misheard.
    """

    moves: tuple[str | None, ...]
    start: str = chess.STARTING_FEN
    chess960: bool = False
    heard: tuple[Cell | None, ...] = ()


class Followed(msgspec.Struct, frozen=True):
    """History as moves and positions: `boards[n]` is the position after n plies."""

    moves: tuple[chess.Move | None, ...]
    boards: tuple[chess.Board, ...]

    @property
    def plies(self) -> int:
        """Return how many plies the server has."""
        return len(self.moves)


def follow(history: History) -> Followed:
    """Return the positions of a history.

    A move that is not known or not legal changes nothing but the turn. Raises Complaint where the start is no position.
    """
    try:
        board = chess.Board(history.start, chess960=history.chess960)
    except ValueError as wrong:
        raise Complaint(Phrase("export.no_start", fen=repr(history.start[:90]))) from wrong
    moves: list[chess.Move | None] = []
    boards = [board]
    for uci in history.moves:
        move = legal_move(board, uci)
        board = board.copy(stack=False)
        board.push(move if move is not None else chess.Move.null())
        moves.append(move)
        boards.append(board)
    return Followed(tuple(moves), tuple(boards))


def legal_move(board: chess.Board, uci: str | None) -> chess.Move | None:
    """Return a UCI text as a legal move of the position, else None."""
    if uci is None:
        return None
    try:
        return board.parse_uci(uci)
    except ValueError:
        return None


def effects(before: chess.Board, move: chess.Move | None) -> Squares:
    """Return the squares that a legal move changes, with what stands there afterwards."""
    if move is None:
        return {}
    piece = before.piece_at(move.from_square)
    if piece is None:
        return {}
    if before.is_castling(move):
        rank = chess.square_rank(move.from_square)
        short = before.is_kingside_castling(move)
        rook_from = _castling_rook(before, move)
        changed: Squares = {move.from_square: None, rook_from: None}
        changed[chess.square(6 if short else 2, rank)] = piece
        changed[chess.square(5 if short else 3, rank)] = chess.Piece(chess.ROOK, piece.color)
        return changed
    changed = {move.from_square: None}
    if before.is_en_passant(move):
        changed[chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))] = None
    changed[move.to_square] = chess.Piece(move.promotion, piece.color) if move.promotion else piece
    return changed


def _castling_rook(before: chess.Board, move: chess.Move) -> chess.Square:
    """Return the square of the rook of a castling move.

    python-chess writes the move with the king's or the rook's square.
    """
    own_rooks = before.rooks & before.occupied_co[before.turn]
    if own_rooks & chess.BB_SQUARES[move.to_square]:
        return move.to_square
    rank = chess.square_rank(move.from_square)
    return chess.square(7 if before.is_kingside_castling(move) else 0, rank)


def shown_on(placement: str) -> chess.BaseBoard:
    """Return a placement (or a FEN) as a board. Raises Complaint."""
    words = placement.split()
    try:
        return chess.BaseBoard(words[0] if words else "")
    except ValueError as wrong:
        raise Complaint(Phrase("no_placement", placement=repr(placement[:90]))) from wrong


def unlike(one: chess.BaseBoard, other: chess.BaseBoard) -> chess.Bitboard:
    """Return the squares on which two boards differ."""
    colours = one.occupied_co[chess.WHITE] ^ other.occupied_co[chess.WHITE]
    return (
        colours
        | (one.occupied ^ other.occupied)
        | (one.pawns ^ other.pawns)
        | (one.knights ^ other.knights)
        | (one.bishops ^ other.bishops)
        | (one.rooks ^ other.rooks)
        | (one.queens ^ other.queens)
        | (one.kings ^ other.kings)
    )


def shown_where_differing(shown: chess.BaseBoard, expected: chess.BaseBoard) -> Squares:
    """Return the men of a board on the squares where it differs."""
    return {
        square: shown.piece_at(square)
        for square in chess.SQUARES
        if shown.piece_at(square) != expected.piece_at(square)
    }


def placement_with_marks(expected: chess.BaseBoard, squares: Sequence[tuple[str, str | None]]) -> str:
    """Return the placement of a board that is as expected except for the marked squares.

    A mark is ("e4", "P"), or ("e2", None) for an empty square. Raises Complaint for what is no square or no piece
    letter of a FEN.
    """
    board = chess.BaseBoard(expected.board_fen())
    for name, letter in squares:
        try:
            square = chess.parse_square(name)
            board.set_piece_at(square, chess.Piece.from_symbol(letter) if letter else None)
        except ValueError as wrong:
            raise Complaint(Phrase("scores.no_square", name=repr(name), letter=repr(letter))) from wrong
    return board.board_fen()


class SquareDifference(msgspec.Struct, frozen=True):
    """One square on which a board is wrong.

    `is_` and `should_be` are piece letters of a FEN (White's capital), None for empty.
    """

    square: str
    is_: str | None = msgspec.field(name="is")
    should_be: str | None


class BoardDifference(msgspec.Struct, frozen=True):
    """Whether a board deviates from its position, and on which squares.

    The squares come in the order a1, b1 .. h8.
    """

    deviates: bool
    squares: tuple[SquareDifference, ...] = ()


def compare_board(placement: str, position: chess.Board, name: str) -> BoardDifference:
    """Return the squares by which a board (a placement, or a whole FEN) deviates from a position.

    Raises Complaint.
    """
    words = placement.split()
    try:
        shown = chess.BaseBoard(words[0] if words else "")
    except ValueError as wrong:
        raise Complaint(Phrase("scores.no_placement", name=name, placement=repr(placement[:90]))) from wrong
    squares = tuple(
        SquareDifference(chess.square_name(square), _letter(shown, square), _letter(position, square))
        for square in chess.SQUARES
        if shown.piece_at(square) != position.piece_at(square)
    )
    return BoardDifference(bool(squares), squares)


def _letter(board: chess.BaseBoard, square: chess.Square) -> str | None:
    piece = board.piece_at(square)
    return piece.symbol() if piece is not None else None


def steps_back(cells: Sequence[Cell], plies: int, position: chess.Board) -> tuple[str | None, ...]:
    """Return the moves of one score after the agreed plies, the last one first, as UCI.

    None stands for a cell that does not name exactly one move. After a cell that cannot be read the turn is passed on
    and the next cell is taken in the position so far, so a later entry is only what the writer most plainly meant.
    """
    board = position.copy(stack=False)
    undone: list[str | None] = []
    for cell in cells[plies:]:
        moves = legal_readings(board, cell)
        if len(moves) == 1:
            undone.append(moves[0].uci())
            board.push(moves[0])
        else:
            undone.append(None)
            board.push(chess.Move.null())
    return tuple(reversed(undone))
