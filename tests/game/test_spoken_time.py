"""A time under a minute is said as it will be at the end of the phrase, whatever the phrase's length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game.values.clock import ChessClock, still_true, time_at_end
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat

CLOCK = ChessClock.set_to(TimeControl.parse("100")).after_start(0)


@pytest.mark.law("L192")
@pytest.mark.parametrize(
    ("begins", "length", "told"),
    [
        (30_000, 2_500, 70_000),  # over a minute: as it is
        (40_000, 2_500, 60_000),
        (40_001, 2_500, 57_499),
        (55_000, 2_000, 43_000),
        (99_000, 1_500, 0),
        (101_000, 1_500, 0),
    ],
)
def test_the_running_side_is_told_as_at_the_end(begins: int, length: int, told: int) -> None:
    assert time_at_end(CLOCK, Seat.WHITE, begins, length) == told
    assert time_at_end(CLOCK, Seat.BLACK, begins, length) == 100_000, "a clock that stands goes nowhere"


@pytest.mark.law("L192")
@pytest.mark.parametrize(
    ("told", "begins", "true"),
    [
        (0, 40_000, True),  # a minute is left: nobody hears a second
        (58_000, 40_001, True),  # 58.999 s at the end of the phrase
        (58_999, 40_001, True),
        (57_999, 40_001, False),
        (59_000, 40_001, False),
        (2_999, 96_000, False),
        (3_000, 96_000, True),  # 3 s at the end of the phrase
        (3_999, 96_000, True),
        (0, 99_500, True),
        (1_000, 99_500, False),
    ],
)
def test_a_time_is_still_true_while_it_names_the_second_at_the_end(told: int, begins: int, true: bool) -> None:
    assert still_true(told, CLOCK, Seat.WHITE, begins, 1_000) is true


@pytest.mark.law("L192")
@given(st.integers(0, 120_000), st.integers(0, 6_000))
def test_what_is_told_is_what_the_display_shows_then(begins: int, length: int) -> None:
    told = time_at_end(CLOCK, Seat.WHITE, begins, length)
    assert still_true(told, CLOCK, Seat.WHITE, begins, length)
    if CLOCK.remaining(Seat.WHITE, begins) < 60_000:
        assert told == CLOCK.reading(begins + length).white_ms
        assert told < 1_000 or not still_true(told, CLOCK, Seat.WHITE, begins + 1_000, length)
