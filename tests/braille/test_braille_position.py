"""The position line: the published start, any position there and back, complaints."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braille import brf
from braille.loading import load_profile, profile_names
from braille.position import read_position, write_position
from braille.profile import has_eight_dots
from speech.complaint import Complaint

UKAAF = load_profile("ukaaf")
PROFILES = [load_profile(name) for name in profile_names()]
START = "⠷⠮⠧⠿⠥⠧⠮⠷ ⠯⠯⠯⠯⠯⠯⠯⠯ ⠒⠆ ⠏⠏⠏⠏⠏⠏⠏⠏ ⠗⠎⠇⠟⠅⠇⠎⠗"


def test_the_start_is_the_published_line_and_brf() -> None:
    line = write_position(chess.Board(), UKAAF)
    assert line == START.replace(" ", "\u2800")
    assert len(line) == 38
    assert brf.to_brf(line) == "(!V=UV!( &&&&&&&& 32 PPPPPPPP RSLQKLSR"
    assert read_position(START, UKAAF).board_fen() == chess.STARTING_BOARD_FEN


@given(st.lists(st.sampled_from([None] * 6 + list("KQRBNPkqrbnp")), min_size=64, max_size=64))
def test_any_placement_comes_back(men: list[str | None]) -> None:
    board = chess.BaseBoard.empty()
    for square, man in enumerate(men):
        if man:
            board.set_piece_at(square, chess.Piece.from_symbol(man))
    for profile in PROFILES:
        line = write_position(board, profile)
        if not has_eight_dots(profile):
            line = brf.from_brf(brf.to_brf(line))
        assert read_position(line, profile).board_fen() == board.board_fen()


@pytest.mark.parametrize("line", ["", "⠿", START + "⠁", START.replace("⠒⠆", "⠦"), START.replace("⠒⠆", "⠢"), "⢷" * 8])
def test_what_is_no_position_is_said(line: str) -> None:
    with pytest.raises(Complaint):
        read_position(line, UKAAF)
