"""Braille is read back here by another way than it was written, so that a test need not believe the writer.

The program itself reads what a player typed with `braille.cells.read_cells` and weighs it (`server/scoresheets`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import chess

from braille.cells import PIECE_TYPES, Written, read_cells, read_number, written_move
from braille.profile import BLANK, FILES, RANKS, Profile
from braille.score import Played
from speech.complaint import Complaint


def read_move(cells: str, board: chess.Board, profile: Profile) -> chess.Move:
    """Return the legal move that a row of cells writes on this board.

    Raises Complaint (see `read_cells`, `match`).
    """
    return match(read_cells(cells, profile), board)


def match(move: Written, board: chess.Board) -> chess.Move:
    """Return the one legal move that was written.

    Signs of capture, check, mate and en passant may be left out (L169, L174); one that is there must be true. Raises
    Complaint where no legal move fits, where several do, and where a sign says something that did not happen.
    """
    fitting = [one.move for one in _candidates(board.fen(), board.chess960) if _arrives(move, one)]
    if not fitting:
        raise Complaint("No legal move in this position is written like that.")
    if len(fitting) > 1:
        names = ", ".join(sorted(board.san(candidate) for candidate in fitting))
        raise Complaint(f"More than one legal move is written like that ({names}); write where the piece came from.")
    found = written_move(board, fitting[0])
    for sign in ("capture", "mate", "en_passant"):
        if getattr(move, sign) and not getattr(found, sign):
            raise Complaint(f"{board.san(fitting[0])} is written with a sign for {sign.replace('_', ' ')} it has not.")
    if move.check and not (found.check or found.mate):
        raise Complaint(f"{board.san(fitting[0])} is written with a sign for check but gives none.")
    return fitting[0]


class _Candidate(NamedTuple):
    """A legal move as far as a row of cells can tell it: how it castles, or its piece, squares and promotion."""

    move: chess.Move
    castling: str
    piece: chess.PieceType | None
    start: str
    end: str


@lru_cache(maxsize=256)
def _candidates(fen: str, chess960: bool) -> tuple[_Candidate, ...]:
    """Return the legal moves of a position: each of them is read back there, so they are looked for once."""
    board = chess.Board(fen, chess960=chess960)
    return tuple(
        _Candidate(
            move,
            ("short" if board.is_kingside_castling(move) else "long") if board.is_castling(move) else "",
            board.piece_type_at(move.from_square),
            chess.square_name(move.from_square),
            chess.square_name(move.to_square),
        )
        for move in board.legal_moves
    )


def _arrives(move: Written, candidate: _Candidate) -> bool:
    if candidate.castling or move.castling:
        return candidate.castling == move.castling
    return (
        move.to_square == candidate.end
        and candidate.piece == PIECE_TYPES[move.piece]
        and move.from_file in (None, candidate.start[0])
        and move.from_rank in (None, candidate.start[1])
        and candidate.move.promotion == (PIECE_TYPES[move.promotion] if move.promotion else None)
    )


def read_moves(cells: str, profile: Profile, board: chess.Board | None = None) -> Played:
    """Return the moves of a braille score, read back from cells; line ends and blanks separate alike.

    `board`: the position before the first move. Raises Complaint at the first cells that are no legal move, number or
    result, and where a move number is not the next one.
    """
    here = chess.Board() if board is None else board.copy(stack=False)
    usual = here.fen() == chess.STARTING_FEN
    start_fen = None if usual else here.fen()
    results = {spelling: name for name, sign in profile.results.items() for spelling in (sign.cells, *sign.also)}
    moves: list[str] = []
    offers: list[int] = []
    result: str | None = None
    broken_off = False
    for token in re.split(f"[{BLANK}\\s]+", cells.strip(f"{BLANK} \r\n")):
        if not token:
            continue
        if result is not None or broken_off:
            raise Complaint(f'"{token}" stands after the end of the score.')
        number = read_number(token, profile)
        if number is not None:
            if number != here.fullmove_number:
                raise Complaint(f"Move number {number} stands where {here.fullmove_number} should.")
        elif token in results:
            result = results[token]
        elif token == profile.signs.break_off.cells:
            broken_off = True
        else:
            written = read_cells(token.removeprefix(profile.signs.black_first.cells), profile)
            move = match(written, here)
            if written.draw_offer:
                offers.append(len(moves))
            moves.append(move.uci())
            here.push(move)
    return Played(
        headers={},
        moves=tuple(moves),
        result=result,
        start_fen=start_fen,
        chess960=here.chess960,
        draw_offers=tuple(offers),
        broken_off=broken_off,
    )


def read_page(lines: Sequence[str], profile: Profile) -> chess.BaseBoard:
    """Return the board that a page describes, whichever side is below.

    Raises Complaint for what is no page of this code.
    """
    letters = lines[-1].strip(BLANK) if lines else ""
    files = "".join(profile.files[file] for file in FILES)
    below = {files: FILES, "".join(reversed(files)): FILES[::-1]}.get(letters)
    if below is None or len(lines) != 9:
        raise Complaint("A board in braille has eight ranks and a line with the letters of its files.")
    men = _men(profile)
    board = chess.BaseBoard.empty()
    for line, rank in zip(lines[:8], RANKS[::-1] if below == FILES else RANKS, strict=True):
        number, _, squares = line.partition(BLANK)
        if read_number(number, profile) != int(rank) or len(squares) != 8:
            raise Complaint(f"Rank {rank} of this board in braille has not its number and eight squares.")
        for file, cell in zip(below, squares, strict=True):
            if cell in men:
                board.set_piece_at(chess.parse_square(file + rank), men[cell])
            elif cell != profile.empty.cells:
                raise Complaint(f'"{cell}" on {file}{rank} is neither a man nor an empty square.')
    return board


def read_position(cells: str, profile: Profile) -> chess.BaseBoard:
    """Return the board that a position line describes.

    Raises Complaint where it does not make 64 squares or has odd cells.
    """
    men = _men(profile)
    squares: list[chess.Piece | None] = []
    for group in re.split(f"[{BLANK} \r\n]+", cells.strip(f"{BLANK} \r\n")):
        whole = read_number(group, profile)
        if whole is not None:
            if whole % 8 or not 0 < whole <= 64:
                raise Complaint(f"{whole} empty squares do not fill whole ranks in this position line.")
            squares += [None] * whole
            continue
        start = len(squares)
        for cell in group:
            empty = read_number(cell, profile)
            if cell in men:
                squares.append(men[cell])
            elif empty is not None:
                squares += [None] * empty
            else:
                raise Complaint(f'"{cell}" is neither a man nor a number of empty squares in this position line.')
        if len(squares) - start != 8:
            raise Complaint("A rank of this position line has not eight squares.")
    if len(squares) != 64:
        raise Complaint(f"This position line has {len(squares)} squares, not 64.")
    board = chess.BaseBoard.empty()
    for number, man in enumerate(squares):
        board.set_piece_at(chess.square(number % 8, 7 - number // 8), man)
    return board


def _men(profile: Profile) -> dict[str, chess.Piece]:
    return {
        sign.cells: chess.Piece(PIECE_TYPES[name], color)
        for color, side in ((chess.WHITE, profile.white), (chess.BLACK, profile.black))
        for name, sign in side.items()
    }
