"""This module writes a position in braille cells, as one line or as a page, and reads it back.

Both begin with rank 8 and give each man one cell. The line writes empty squares as numbers (UKAAF). On the page
every square has its cell, so that a finger finds files and ranks by their place, as on a board.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import chess

from braille.cells import PIECE_TYPES, read_number, write_number
from braille.profile import BLANK, FILES, RANKS, Profile
from speech.complaint import Complaint

_NAMES = {piece_type: name for name, piece_type in PIECE_TYPES.items()}


def write_position(board: chess.BaseBoard, profile: Profile) -> str:
    """Return the men on the board as one line: a group of cells for each rank.

    Empty ranks that follow each other are one number.

    >>> write_position(chess.Board(), ukaaf)
    '⠷⠮⠧⠿⠥⠧⠮⠷⠀⠯⠯⠯⠯⠯⠯⠯⠯⠀⠒⠆⠀⠏⠏⠏⠏⠏⠏⠏⠏⠀⠗⠎⠇⠟⠅⠇⠎⠗'
    """
    groups: list[str] = []
    empty_ranks = 0
    for rank in range(7, -1, -1):
        men = [board.piece_at(chess.square(file, rank)) for file in range(8)]
        if not any(men):
            empty_ranks += 1
            continue
        if empty_ranks:
            groups.append(write_number(8 * empty_ranks, profile))
        empty_ranks = 0
        group, empty = "", 0
        for man in men:
            if man is None:
                empty += 1
                continue
            side = profile.white if man.color == chess.WHITE else profile.black
            group += (write_number(empty, profile) if empty else "") + side[_NAMES[man.piece_type]].cells
            empty = 0
        groups.append(group + (write_number(empty, profile) if empty else ""))
    if empty_ranks:
        groups.append(write_number(8 * empty_ranks, profile))
    return BLANK.join(groups)


def _men(profile: Profile) -> dict[str, chess.Piece]:
    return {
        sign.cells: chess.Piece(PIECE_TYPES[name], color)
        for color, side in ((chess.WHITE, profile.white), (chess.BLACK, profile.black))
        for name, sign in side.items()
    }


def write_page(board: chess.BaseBoard, profile: Profile, *, black_below: bool = False) -> tuple[str, ...]:
    """Return the board as nine lines: the eight ranks, rank 8 first, then the file letters.

    Each rank has its number and a blank before it. `black_below`: as Black sits, rank 1 first and the h-file at the
    left.

    >>> write_page(chess.Board(), ukaaf)[-3:]
    ('⠆⠀⠏⠏⠏⠏⠏⠏⠏⠏', '⠂⠀⠗⠎⠇⠟⠅⠇⠎⠗', '⠀⠀⠁⠃⠉⠙⠑⠋⠛⠓')
    """
    ranks, files = (range(8), range(7, -1, -1)) if black_below else (range(7, -1, -1), range(8))

    def cell(file: int, rank: int) -> str:
        man = board.piece_at(chess.square(file, rank))
        if man is None:
            return profile.empty.cells
        return (profile.white if man.color == chess.WHITE else profile.black)[_NAMES[man.piece_type]].cells

    lines = [write_number(rank + 1, profile) + BLANK + "".join(cell(file, rank) for file in files) for rank in ranks]
    return (*lines, BLANK * 2 + "".join(profile.files[FILES[file]] for file in files))


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
