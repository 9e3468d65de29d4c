"""The clock as a value: two displays of which at most one runs, integer milliseconds, flags that stay visible."""

from __future__ import annotations

import msgspec
import pytest

from server.play.chess_clock import ChessClock
from server.play.time_control import TimeControl
from server.play.values import Seat

WHITE, BLACK = Seat.WHITE, Seat.BLACK


def clock(text: str = "60+5") -> ChessClock:
    return ChessClock.set_to(TimeControl.parse(text))


@pytest.mark.law("L058")
def test_the_first_increment_is_on_the_display_before_the_start() -> None:
    ready = clock("5400+30")
    assert ready.reading(0).white_ms == ready.reading(0).black_ms == 5_430_000
    assert ready.running is None and ready.flag_at() is None


@pytest.mark.law("L048", "L058")
def test_a_press_books_the_time_adds_the_increment_and_starts_the_other() -> None:
    after = clock().started(1_000).pressed(WHITE, 11_000)
    assert after.reading(11_000).white_ms == 65_000 - 10_000 + 5_000
    assert after.running is BLACK and after.white.moves == 1
    assert after.reading(14_000).black_ms == 65_000 - 3_000
    assert after.reading(14_000).white_ms == 60_000, "only one runs"


@pytest.mark.law("L048")
def test_the_other_sides_press_changes_nothing() -> None:
    running = clock().started(0)
    assert running.pressed(BLACK, 5_000) == running


def test_starting_a_running_clock_and_pausing_a_standing_one_change_nothing() -> None:
    running = clock().started(0)
    assert running.started(7_000) == running
    standing = running.paused(3_000)
    assert standing.paused(9_000) == standing and standing.reading(99_000).white_ms == 62_000


@pytest.mark.law("L048", "L064")
def test_a_flag_stays_visible_gains_no_increment_and_the_first_one_is_known() -> None:
    running = clock().started(0)
    assert running.flag_at() == 65_000
    fallen = running.flagged(WHITE, 65_000)
    assert fallen.flag_at() is None and fallen.reading(70_000).white_ms == 0
    assert fallen.remaining(WHITE, 70_000) == -5_000 and fallen.running is WHITE
    replied = fallen.pressed(WHITE, 70_000)
    assert replied.white.remaining_ms == -5_000 and replied.white.flagged
    both = replied.flagged(BLACK, 140_000)
    assert both.first_flag is WHITE and both.black.flagged


def test_a_reading_is_never_below_zero() -> None:
    assert clock("1").started(0).reading(10_000_000).white_ms == 0


def test_a_moment_before_the_last_one_costs_nobody_time() -> None:
    """Two presses whose moments arrive in the wrong order: nothing is booked twice."""
    after = clock().started(0).pressed(WHITE, 10_000).pressed(BLACK, 9_990)
    assert (after.used(WHITE, 10_000), after.used(BLACK, 10_000)) == (10_000, 0)
    assert after.used(WHITE, 11_000) == 11_000


class TestCorrected:
    @pytest.mark.law("L067")
    def test_both_times_are_set_and_the_clock_goes_on_as_it_was(self) -> None:
        running = clock().started(0).corrected(100, 200, BLACK, 5_000)
        assert running.running is BLACK and running.reading(5_000).white_ms == 100
        assert running.flag_at() == 5_200 and running.used(WHITE, 5_000) == 5_000
        standing = clock().corrected(100, 200, BLACK, 5_000)
        assert standing.running is None

    def test_a_flag_goes_with_the_zero_it_marked_and_only_with_it(self) -> None:
        fallen = clock().started(0).flagged(WHITE, 65_000)
        assert fallen.corrected(1, 1, WHITE, 66_000).first_flag is None
        assert not fallen.corrected(1, 1, WHITE, 66_000).white.flagged
        assert fallen.corrected(0, 1, WHITE, 66_000).first_flag is WHITE
        assert fallen.corrected(1, 0, WHITE, 66_000).first_flag is None, "Black's zero is not White's flag"


def test_standing_back_at_a_witness_gives_back_the_time_after_it() -> None:
    running = clock("600").started(0).pressed(WHITE, 10_000)
    back = running.stood_at(590_000, 597_000, BLACK)
    assert back.running is None and back.used(BLACK, 99_000) == 3_000 and back.used(WHITE, 99_000) == 10_000


class TestTimeControl:
    @pytest.mark.law("L057")
    @pytest.mark.parametrize("text", ["5400+30", "60", "40/6000+30:900+30", "40/5400:1/1800+10"])
    def test_reads_what_it_writes(self, text: str) -> None:
        assert TimeControl.parse(text).text == text

    @pytest.mark.parametrize("text", ["", "0", "5400+", "+30", "90 min", "5400+30:", "-60", "1e9", "5400;30", "0+30"])
    def test_what_is_none_is_said_in_one_sentence(self, text: str) -> None:
        with pytest.raises(ValueError, match="is no time control; write seconds"):
            TimeControl.parse(text)

    def test_milliseconds(self) -> None:
        period = TimeControl.parse("40/6000+30:900+30").periods[0]
        assert msgspec.structs.astuple(period) == (40, 6_000_000, 30_000, "fischer")
