"""A position as one line of cells, rank 8 first: a cell a man, empty squares as lower numbers (UKAAF, profile data)."""

from __future__ import annotations

import re

import chess

from braille.cells import PIECE_TYPES, read_number, write_number
from braille.profile import BLANK, Profile
from speech.complaint import Complaint

_NAMES = {piece_type: name for name, piece_type in PIECE_TYPES.items()}


def write_position(board: chess.BaseBoard, profile: Profile) -> str:
    """The men on the board: a group of cells a rank; empty ranks that follow each other are one number.

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


def read_position(cells: str, profile: Profile) -> chess.BaseBoard:
    """The board that a position line describes. Raises Complaint where it does not make 64 squares or has odd cells."""
    men = {
        sign.cells: chess.Piece(PIECE_TYPES[name], color)
        for color, side in ((chess.WHITE, profile.white), (chess.BLACK, profile.black))
        for name, sign in side.items()
    }
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
