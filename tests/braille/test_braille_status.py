"""Lines for displays of 14 to 40 cells: the move first, whole words and times, the times only where they are given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from braille.cells import Written, cells_of_move
from braille.loading import load_profile, profile_names
from braille.status import WIDTHS, Status, status_lines, time_cells

PROFILES = [load_profile(name) for name in profile_names()]
COMPUTER = load_profile("computer")
UKAAF = load_profile("ukaaf")
RXF4 = Written("rook", to_square="f4", capture=True, check=True)


def test_a_line_for_each_display() -> None:
    status = Status(12, False, RXF4, "", 3_930_999, 59_000, own_runs=True)
    assert status_lines(status, COMPUTER, 40) == ("⠂⠆⠨⠀⡗⠭⠋⠲⠬⠀⠂⠱⠴⠢⠱⠒⠴⠡⠀⠴⠱⠢⠔",)  # 12. Rxf4+ 1:05:30* 0:59
    assert status_lines(status, COMPUTER, 20) == ("⠂⠆⠨⠀⡗⠭⠋⠲⠬⠀⠂⠱⠴⠢⠱⠒⠴⠡", "⠴⠱⠢⠔")
    assert status_lines(status, COMPUTER, 14) == ("⠂⠆⠨⠀⡗⠭⠋⠲⠬", "⠂⠱⠴⠢⠱⠒⠴⠡⠀⠴⠱⠢⠔")
    assert status_lines(Status(12, True, RXF4), UKAAF, 14) == ("⠂⠆⠀⠤⠗⠸⠋⠲",)
    due = Status(1, True, Written(to_square="e5"), "echo")
    assert status_lines(due, COMPUTER, 14) == ("⠂⠨⠀⠨⠨⠨⠑⠢⠀⠑⠉⠓⠕",)  # 1. ...e5 echo
    assert status_lines(Status(), UKAAF, 40) == ()


def test_a_move_too_long_beside_its_number_comes_before_it() -> None:
    long = Written("knight", "b", "1", "c3", capture=True, mate=True, draw_offer=True)
    lines = status_lines(Status(100, False, long), COMPUTER, 14)
    assert lines == (cells_of_move(long, COMPUTER), "⠂⠴⠴⠨")


def test_times_are_never_below_zero_nor_rounded_up() -> None:
    assert time_cells(999, COMPUTER) == time_cells(-5000, COMPUTER) == "⠴⠱⠴⠴"
    assert time_cells(7_199_999, COMPUTER) == "⠂⠱⠢⠔⠱⠢⠔"
    assert time_cells(90_000, UKAAF) == "⠼⠁⠒⠼⠉⠚"  # 1:30 in Unified English Braille


@given(
    st.sampled_from(PROFILES),
    st.sampled_from(WIDTHS),
    st.integers(1, 999),
    st.booleans(),
    st.sampled_from(["", "echo", "press now", "Ansage wiederholen"]),
    st.integers(-1, 10**8),
    st.sampled_from([True, False, None]),
)
def test_nothing_is_broken_and_the_move_is_first(profile, width, number, black, due, ms, runs) -> None:  # type: ignore[no-untyped-def]
    status = Status(number, black, RXF4, due, ms, None, runs)
    lines = status_lines(status, profile, width)
    assert all(0 < len(line) <= width for line in lines)
    assert cells_of_move(RXF4, profile) in lines[0]
    times = [cell for line in lines for cell in line.split("\u2800") if cell.startswith(time_cells(ms, profile))]
    assert times, "the time stands whole on one line"


@pytest.mark.law("L203")
def test_times_and_number_that_were_not_given_are_not_there() -> None:
    for width in WIDTHS:
        assert status_lines(Status(None, True, RXF4), COMPUTER, width) == ("⡗⠭⠋⠲⠬",)
        assert status_lines(Status(3, True, RXF4), COMPUTER, width) == ("⠒⠨⠀⠨⠨⠨⡗⠭⠋⠲⠬",)


def test_a_display_has_fourteen_cells() -> None:
    with pytest.raises(ValueError, match="at least 14 cells"):
        status_lines(Status(), UKAAF, 13)
