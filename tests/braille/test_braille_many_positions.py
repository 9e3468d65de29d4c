"""Every legal move of thousands of positions in every profile: no two moves of a position, nor any two at all, have the
same cells, and each row comes back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import chess
import pytest

from braille import brf
from braille.cells import Written, cells_of_move, read_cells, written_move
from braille.loading import load_profile, profile_names
from braille.profile import has_eight_dots

POSITIONS = 2_500


def positions() -> Iterator[chess.Board]:
    """Of seeded games that prefer promotions, castling and en passant; every third ply of at most 150."""
    chance = random.Random(2_511)
    while True:
        board = chess.Board()
        for ply in range(150):
            moves = list(board.legal_moves)
            if not moves:
                break
            if ply % 3 == 0:
                yield board
            rare = [move for move in moves if move.promotion or board.is_castling(move) or board.is_en_passant(move)]
            pawns = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
            pool = rare if rare and chance.random() < 0.7 else pawns if pawns and chance.random() < 0.4 else moves
            board.push(chance.choice(pool))


@cache
def all_written() -> tuple[Written, ...]:
    """What is written of every legal move, each once; within a position no two moves are written alike."""
    found: dict[Written, None] = {}
    moves = 0
    for number, board in enumerate(positions()):
        if number == POSITIONS:
            break
        here = [written_move(board, move) for move in board.legal_moves]
        assert len(set(here)) == len(here), board.fen()
        moves += len(here)
        found.update(dict.fromkeys(here))
    assert moves > 20 * POSITIONS and len(found) > 2_000
    return tuple(found)


@pytest.mark.law("L163", "L168", "L169", "L170", "L171")
@pytest.mark.parametrize("name", profile_names())
def test_no_two_moves_have_the_same_cells_and_each_comes_back(name: str) -> None:
    profile, rows = load_profile(name), dict[str, Written]()
    for move in all_written():
        cells = cells_of_move(move, profile)
        assert cells not in rows, f"{cells} writes {rows[cells]} and {move}"
        rows[cells] = move
        assert read_cells(cells, profile) == move
        if not has_eight_dots(profile):
            assert brf.from_brf(brf.to_brf(cells)) == cells
