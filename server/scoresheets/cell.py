"""A cell of a written score read as the set of moves it can mean in a position.

The reader is exact: it repairs nothing, and what is illegal it does not turn into something legal. A cell that leaves
something open (`Nd7` where two knights can go, `BxN`, `e8` without its piece) means every legal move it fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import chess
import msgspec

from server.scoresheets.forms import Form, forms_of_cell, is_blank
from server.scoresheets.letters import Alphabet
from speech.words.said import Said

OFFERED = re.compile(r"\s*\(=\)\s*$")  # a dictated cell with the mark of a draw offer (8.1.5)
KINDS = {name: kind for kind, name in enumerate(chess.PIECE_NAMES) if name is not None}


class Writing(msgspec.Struct, frozen=True):
    """Way in which one score is written: its alphabet, and readers for cells without letters.

    `spoken`: the words of an announcement -> what was said, or None where it is not one (the tactile player's score is
    the player's own dictation, D.2.7). `braille`: braille cells -> the form they write, or None.
    """

    alphabet: Alphabet
    spoken: Callable[[str], Said | None] | None = None
    braille: Callable[[str], Form | None] | None = None


class Cell(msgspec.Struct, frozen=True):
    """Cell of a score, read without a board.

    `blank`: nothing is written. `forms` empty and not blank: unreadable. `alphabet`: the letters of the score.
    `by_ear`: read from spoken words or braille cells, not from letters.
    """

    text: str | None
    blank: bool
    forms: tuple[Form, ...]
    alphabet: Alphabet | None = None
    by_ear: bool = False

    @property
    def readable(self) -> bool:
        """Return whether the cell can be read as a move at all, legal or not."""
        return bool(self.forms)


def take(text: str | None, writing: Writing) -> Cell:
    """Read one cell without a board: first as written notation, then as braille, then as spoken words."""
    if text is None or is_blank(text):
        return Cell(None, True, ())
    found = forms_of_cell(text, writing.alphabet)
    in_letters = bool(found)
    if not found and writing.braille is not None and (form := writing.braille(text)) is not None:
        found = (form,)
    words = OFFERED.sub("", text)
    if not found and sounds(words) and writing.spoken is not None and (said := writing.spoken(words)) is not None:
        found = (form_of(said),) if said_enough(said) else ()
    return Cell(text, False, found, writing.alphabet, by_ear=bool(found) and not in_letters)


def sounds(text: str) -> bool:
    """Return whether a cell can be spoken words: two or more, without a digit.

    What looks like notation is never tried as words, where capitals make no difference.
    """
    return len(text.split()) > 1 and not any(letter.isdigit() for letter in text)


def said_enough(said: Said) -> bool:
    """Return whether an announcement names at least an arrival square or a castling."""
    return said.castling is not None or said.to_square is not None


def form_of(said: Said) -> Form:
    """Return an announcement as a form. A spoken pawn move need not name the departure square (D.2.1)."""
    if said.castling is not None:
        return Form(castling=said.castling)
    from_file, from_rank = _parts(said.from_square)
    to_file, to_rank = _parts(said.to_square)
    piece = KINDS[said.piece] if said.piece is not None else None
    if piece is None and said.from_square is None:
        piece = chess.PAWN
    return Form(
        piece=piece,
        from_file=from_file,
        from_rank=from_rank,
        to_file=to_file,
        to_rank=to_rank,
        promotion=KINDS[said.promotion] if said.promotion is not None else None,
    )


def _parts(square: str | None) -> tuple[int | None, int | None]:
    if square is None:
        return None, None
    index = chess.parse_square(square)
    return chess.square_file(index), chess.square_rank(index)


def legal_readings(board: chess.Board, cell: Cell) -> tuple[chess.Move, ...]:
    """Return every legal move of the position that the cell can mean, each once.

    They come in the order of the legal moves.
    """
    return tuple(dict.fromkeys(move for form in cell.forms for move in _legal(board, form)))


def _legal(board: chess.Board, form: Form) -> list[chess.Move]:
    if form.castling is not None:
        kingside = form.castling == "short"
        return [move for move in board.generate_castling_moves() if board.is_kingside_castling(move) == kingside]
    own = board.occupied_co[board.turn]
    if form.piece is not None:
        own &= board.pieces_mask(form.piece, board.turn)
    departure = own & _region(form.from_file, form.from_rank)
    arrival = _region(form.to_file, form.to_rank)
    steps = [move for move in board.generate_legal_moves(departure, arrival) if _fits(board, move, form)]
    return steps + _castling_by_squares(board, form)


def _castling_by_squares(board: chess.Board, form: Form) -> list[chess.Move]:
    """Return the castling that the two squares of a king's move name.

    A king's two-square step is castling only where the cell gives both squares (`e1g1`), never as `Kg1`.
    """
    squares = (form.from_file, form.from_rank, form.to_file, form.to_rank)
    if None in squares or form.piece not in (None, chess.KING):
        return []
    return [
        move
        for move in board.generate_castling_moves()
        if squares
        == (
            chess.square_file(move.from_square),
            chess.square_rank(move.from_square),
            chess.square_file(move.to_square),
            chess.square_rank(move.to_square),
        )
    ]


def _region(file: int | None, rank: int | None) -> chess.Bitboard:
    region = chess.BB_ALL
    if file is not None:
        region &= chess.BB_FILES[file]
    if rank is not None:
        region &= chess.BB_RANKS[rank]
    return region


def _fits(board: chess.Board, move: chess.Move, form: Form) -> bool:
    if board.is_castling(move):
        return False
    if form.promotion is not None and move.promotion != form.promotion:
        return False
    if form.must_capture and not board.is_capture(move):
        return False
    if form.captured is not None:
        taken = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)
        return taken == form.captured
    return True
