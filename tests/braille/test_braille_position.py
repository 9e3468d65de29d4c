"""The position line: the published start, any position there and back, complaints."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braille import brf
from braille.loading import load_profile, profile_names
from braille.position import write_page, write_position
from braille.profile import has_eight_dots
from speech.complaint import Complaint
from tests.braille.reading import read_page, read_position

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


def test_the_page_of_the_start_from_both_sides() -> None:
    page = write_page(chess.Board(), UKAAF)
    assert page[0] == "⠦\u2800⠷⠮⠧⠿⠥⠧⠮⠷" and page[3] == "⠢\u2800⠤⠤⠤⠤⠤⠤⠤⠤"
    assert page[7:] == ("⠂\u2800⠗⠎⠇⠟⠅⠇⠎⠗", "\u2800\u2800⠁⠃⠉⠙⠑⠋⠛⠓")
    turned = write_page(chess.Board(), UKAAF, black_below=True)
    assert turned[0] == "⠂\u2800⠗⠎⠇⠅⠟⠇⠎⠗" and turned[8] == "\u2800\u2800⠓⠛⠋⠑⠙⠉⠃⠁"


@given(st.lists(st.sampled_from([None] * 6 + list("KQRBNPkqrbnp")), min_size=64, max_size=64), st.booleans())
def test_any_placement_comes_back_from_a_page(men: list[str | None], black_below: bool) -> None:
    board = chess.BaseBoard.empty()
    for square, man in enumerate(men):
        if man:
            board.set_piece_at(square, chess.Piece.from_symbol(man))
    for profile in PROFILES:
        page = write_page(board, profile, black_below=black_below)
        assert [len(line) for line in page] == [10] * 9  # no square is a blank, which a finger could not count
        assert not any("\u2800" in line[2:] for line in page)
        assert read_page(page, profile).board_fen() == board.board_fen()


@pytest.mark.parametrize(
    ("line", "new"), [(0, ""), (0, "⠶\u2800⠤⠤⠤⠤⠤⠤⠤⠤"), (1, "⠶\u2800⠤⠤⠤"), (2, "⠖\u2800⠤⠤⠤⠤⠤⠤⠤⠐"), (8, "⠁⠃")]
)
def test_what_is_no_page_is_said(line: int, new: str) -> None:
    page = list(write_page(chess.Board(), UKAAF))
    page[line] = new
    with pytest.raises(Complaint):
        read_page(page, UKAAF)
    with pytest.raises(Complaint):
        read_page(page[:-1], UKAAF)
    with pytest.raises(Complaint):
        read_page([], UKAAF)
