"""A position in braille cells, as one line or as a page.

Both begin with rank 8 and give each man one cell. The line writes empty squares as numbers (UKAAF). On the page
every square has its cell, so that a finger finds files and ranks by their place, as on a board.
"""

from __future__ import annotations

import chess

from braille.cells import PIECE_TYPES, write_number
from braille.profile import BLANK, FILES, Profile

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
