"""The clock as a value: two displays of which at most one runs, integer milliseconds, flags that stay visible."""

from __future__ import annotations

import msgspec
import pytest

from server.game.values.clock import ChessClock, ClockReading, ClockSide, at_most, time_text
from server.game.values.time_control import ClockPeriod, TimeControl
from server.game.values.words import Seat

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
    after = clock().after_start(1_000).after_press(WHITE, 11_000)
    assert after.reading(11_000).white_ms == 65_000 - 10_000 + 5_000
    assert after.running is BLACK and after.white.moves == 1
    assert after.reading(14_000).black_ms == 65_000 - 3_000
    assert after.reading(14_000).white_ms == 60_000, "only one runs"


@pytest.mark.law("L048")
def test_the_other_sides_press_changes_nothing() -> None:
    running = clock().after_start(0)
    assert running.after_press(BLACK, 5_000) == running


def test_starting_a_running_clock_and_pausing_a_standing_one_change_nothing() -> None:
    running = clock().after_start(0)
    assert running.after_start(7_000) == running
    standing = running.after_pause(3_000)
    assert standing.after_pause(9_000) == standing and standing.reading(99_000).white_ms == 62_000


@pytest.mark.law("L048", "L064")
def test_a_flag_stays_visible_gains_no_increment_and_the_first_one_is_known() -> None:
    running = clock().after_start(0)
    assert running.flag_at() == 65_000
    fallen = running.with_flag_fallen(WHITE, 65_000)
    assert fallen.flag_at() is None and fallen.reading(70_000).white_ms == 0
    assert fallen.remaining(WHITE, 70_000) == -5_000 and fallen.running is WHITE
    replied = fallen.after_press(WHITE, 70_000)
    assert replied.white.remaining_ms == -5_000 and replied.white.flagged
    both = replied.with_flag_fallen(BLACK, 140_000)
    assert both.first_flag is WHITE and both.black.flagged


def test_a_reading_is_never_below_zero() -> None:
    for at, shown in ((999, 1), (1_000, 0), (10_000_000, 0)):
        assert clock("1").after_start(0).reading(at) == ClockReading(shown, 1_000, WHITE)
        assert clock("1").after_start(0).after_press(WHITE, 0).reading(at) == ClockReading(1_000, shown, BLACK)


@pytest.mark.law("L058", "L067")
def test_the_last_millisecond_set_on_a_bronstein_clock_leaves_the_move_its_extra() -> None:
    running = clock("60b5").after_start(0)
    assert running.with_times(1, 1, WHITE, 2_000).reading(2_000) == ClockReading(3_000, 5_000, WHITE)
    assert running.with_times(0, 0, WHITE, 2_000).reading(2_000) == ClockReading(0, 0, WHITE)


@pytest.mark.law("L057")
def test_the_base_time_is_that_of_each_sides_period() -> None:
    later = clock("1/60:30").after_start(0).after_press(WHITE, 0)
    assert (later.base_ms(WHITE), later.base_ms(BLACK)) == (30_000, 60_000)


@pytest.mark.law("L059", "L064")
def test_what_a_display_at_zero_means() -> None:
    first = TimeControl.parse("1/30:60")
    zero = msgspec.structs.replace(first, add_at="zero")
    uncounted = msgspec.structs.replace(zero, count_moves=False)
    means = {
        "added at the control": ChessClock.set_to(first),
        "moves not made": ChessClock.set_to(zero),
        "moves made": ChessClock.set_to(zero).after_press(WHITE, 0),
        "moves not counted": ChessClock.set_to(uncounted),
        "the last period": ChessClock.set_to(uncounted).next_period(WHITE, 0),
        "the last period, counted": ChessClock.set_to(zero).after_press(WHITE, 0).next_period(WHITE, 0),
        "one period": ChessClock.set_to(msgspec.structs.replace(TimeControl.parse("60"), add_at="zero")),
    }
    assert {name: one.at_zero(WHITE) for name, one in means.items()} == {
        "added at the control": "flag",
        "moves not made": "flag",
        "moves made": "period",
        "moves not counted": "count",
        "the last period": "flag",
        "the last period, counted": "flag",
        "one period": "flag",
    }


def test_a_moment_before_the_last_one_costs_nobody_time() -> None:
    """Two presses whose moments arrive in the wrong order: nothing is booked twice."""
    after = clock().after_start(0).after_press(WHITE, 10_000).after_press(BLACK, 9_990)
    assert (after.time_used(WHITE, 10_000), after.time_used(BLACK, 10_000)) == (10_000, 0)
    assert after.time_used(WHITE, 11_000) == 11_000


class TestCorrected:
    @pytest.mark.law("L067")
    def test_both_times_are_set_and_the_clock_goes_on_as_it_was(self) -> None:
        running = clock().after_start(0).with_times(100, 200, BLACK, 5_000)
        assert running.running is BLACK and running.reading(5_000).white_ms == 100
        assert running.flag_at() == 5_200 and running.time_used(WHITE, 5_000) == 5_000
        standing = clock().with_times(100, 200, BLACK, 5_000)
        assert standing.running is None

    def test_a_flag_goes_with_the_zero_it_marked_and_only_with_it(self) -> None:
        fallen = clock().after_start(0).with_flag_fallen(WHITE, 65_000)
        assert fallen.with_times(1, 1, WHITE, 66_000).first_flag is None
        assert not fallen.with_times(1, 1, WHITE, 66_000).white.flagged
        assert fallen.with_times(0, 1, WHITE, 66_000).first_flag is WHITE
        assert fallen.with_times(1, 0, WHITE, 66_000).first_flag is None, "Black's zero is not White's flag"


def test_standing_back_at_a_witness_gives_back_the_time_after_it() -> None:
    running = clock("600").after_start(0).after_press(WHITE, 10_000)
    back = running.stood_at(590_000, 597_000, BLACK)
    assert back.running is None and back.time_used(BLACK, 99_000) == 3_000 and back.time_used(WHITE, 99_000) == 10_000


@pytest.mark.law("L058")
@pytest.mark.parametrize(("text", "shown"), [("60", 60_000), ("60+5", 65_000), ("60d5", 60_000), ("60b5", 65_000)])
def test_a_clock_before_the_game_whole(text: str, shown: int) -> None:
    assert clock(text) == ChessClock(TimeControl.parse(text), ClockSide(shown), ClockSide(shown))


@pytest.mark.law("L048", "L066")
def test_a_clock_in_the_midst_of_a_game_whole() -> None:
    ready = clock("60+5")
    played = ready.after_start(1_000).after_press(WHITE, 11_000).after_press(BLACK, 13_000)
    white, black = ClockSide(60_000, moves=1, used_ms=10_000), ClockSide(68_000, moves=1, used_ms=2_000)
    assert played == ChessClock(ready.control, white, black, turn=WHITE, since=13_000)
    assert played.reading(14_000) == ClockReading(59_000, 68_000, WHITE)
    white = msgspec.structs.replace(white, remaining_ms=59_500, used_ms=10_500)
    assert played.after_pause(13_500) == ChessClock(ready.control, white, black, this_move_ms=500)
    assert played.after_pause(13_500).reading(99_000) == ClockReading(59_500, 68_000, None)
    fallen = played.with_flag_fallen(WHITE, 73_000)
    assert fallen.reading(74_000) == ClockReading(0, 68_000, WHITE, WHITE)


@pytest.mark.law("L066")
@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_standing_back_at_a_witness_of_a_running_delay(seat: Seat) -> None:
    """2 s before a pause and 6 s after it; the witness saw the first 4 of them: 1 s of main time is gone."""
    ready = clock("60d5").after_start(0)
    began = ready if seat is WHITE else ready.after_press(WHITE, 0)
    running = began.after_pause(2_000).after_start(10_000)
    seen = running.remaining(WHITE, 14_000), running.remaining(BLACK, 14_000)
    back = running.stood_at(*seen, seat, running.in_this_move(14_000))
    stood, other = ClockSide(59_000, moves=0, used_ms=6_000), ClockSide(60_000, moves=0 if seat is WHITE else 1)
    white, black = (stood, other) if seat is WHITE else (other, stood)
    assert back == ChessClock(ready.control, white, black, turn=seat, this_move_ms=6_000)
    assert back.after_start(50_000).flag_at() == 109_000, "the delay is used up"
    older = running.stood_at(*seen, seat)
    assert (older.this_move_ms, older.time_used(seat, 0)) == (2_000, 3_000), "an older record says only what is left"


@pytest.mark.law("L067")
def test_a_clock_set_by_hand_whole() -> None:
    running = clock("40/60d5:30d5").after_start(0)
    put = running.with_times(50_000, 40_000, WHITE, 3_000, moves=(7, 6), periods=(0, 1))
    white, black = ClockSide(50_000, 7, 0, used_ms=3_000), ClockSide(40_000, 6, 1)
    assert put == ChessClock(running.control, white, black, turn=WHITE, since=3_000, this_move_ms=3_000)
    back = running.with_times(50_000, 40_000, BLACK, 3_000, move_ms=4_000)
    white, black = ClockSide(50_000, used_ms=3_000), ClockSide(40_000)
    assert back == ChessClock(running.control, white, black, turn=BLACK, since=3_000, this_move_ms=4_000)
    assert back.flag_at() == 3_000 + 1_000 + 40_000, "1 s of that move's delay was left"
    fallen = clock("60").after_start(0).with_flag_fallen(WHITE, 60_000)
    assert fallen.with_times(5, -1, WHITE, 60_000).black.flagged
    assert fallen.with_flag_fallen(BLACK, 61_000).with_times(1, 0, BLACK, 61_000).first_flag is None


@pytest.mark.law("L058")
def test_what_comes_back_at_a_press_is_what_was_used_up_to_the_extra_and_nothing_after_the_flag() -> None:
    for text, after in (("60b5", [0, 3_000, 5_000, 5_000]), ("60+5", [0] * 4), ("60d5", [0] * 4)):
        assert [clock(text).comes_back(BLACK, used) for used in (0, 3_000, 5_000, 9_000)] == after
    fallen = clock("60b5").with_flag_fallen(BLACK, 0)
    assert (fallen.comes_back(BLACK, 3_000), fallen.comes_back(WHITE, 3_000)) == (0, 3_000)
    later = clock("1/60b5:30b2").after_start(0).after_press(WHITE, 0)
    assert (later.comes_back(WHITE, 4_000), later.comes_back(BLACK, 4_000)) == (2_000, 4_000), "by each one's period"


@pytest.mark.law("L057", "L059")
def test_both_get_the_next_period_only_where_they_have_not_had_it() -> None:
    control = msgspec.structs.replace(TimeControl.parse("2/30:60"), add_at="zero", count_moves=False)
    first = ChessClock.set_to(control).after_start(0).next_period(WHITE, 1_000)
    assert (first.white, first.black) == (ClockSide(89_000, period=1, used_ms=1_000), ClockSide(90_000, period=1))
    assert first.next_period(BLACK, 1_000) == first, "there is none after the last"
    counted = msgspec.structs.replace(control, count_moves=True)
    alone = ChessClock.set_to(counted).after_start(0).next_period(WHITE, 1_000)
    assert (alone.white.period, alone.black) == (1, ClockSide(30_000))


@pytest.mark.law("L097", "L098")
def test_moves_that_were_shown_or_a_period_that_begins_bring_the_time_of_each_period_reached() -> None:
    ready = clock("2/60+5:1/30:15")
    through = [ready.with_moves(made, 0).white for made in (1, 2, 3, 4)]
    assert through == [
        ClockSide(65_000, 1), ClockSide(95_000, 2, 1), ClockSide(110_000, 3, 2), ClockSide(110_000, 4, 2)
    ]  # fmt: skip
    assert ready.with_moves(1, 3) == ChessClock(ready.control, ClockSide(65_000, 1), ClockSide(110_000, 3, 2))
    second = ready.with_moves(2, 0).with_flag_fallen(BLACK, 0).in_period(1)
    assert (second.white, second.black) == (ClockSide(95_000, 2, 1), ClockSide(95_000, 0, 1)), "no flag is down"
    assert second.in_period(1) == second


class TestTimeControl:
    @pytest.mark.law("L057")
    @pytest.mark.parametrize("text", ["5400+30", "60", "40/6000+30:900+30", "40/5400:1/1800+10"])
    def test_reads_what_it_writes(self, text: str) -> None:
        assert TimeControl.parse(text).text == text

    def test_a_number_that_can_only_be_minutes_is_minutes_where_a_person_wrote_it(self) -> None:
        written = {
            "90+30": "5400+30",
            "40/90+30:30+30": "40/5400+30:1800+30",
            "180+2": "180+2",
            "3+2": "180+2",
            "90'": "5400",
        }
        assert {text: TimeControl.as_people_write(text).text for text in written} == written
        assert TimeControl.parse("60").text == "60", "the record and files are in seconds"

    @pytest.mark.parametrize("text", ["", "0", "5400+", "+30", "90 min", "5400+30:", "-60", "1e9", "5400;30", "0+30"])
    def test_what_is_none_is_said_in_one_sentence(self, text: str) -> None:
        with pytest.raises(ValueError, match="is not a time control; write minutes"):
            TimeControl.parse(text)

    @pytest.mark.law("L057")
    def test_what_is_read_whole(self) -> None:
        assert TimeControl.parse("40/90'+30: 30d5") == TimeControl(
            (ClockPeriod(40, 5_400_000, 30_000), ClockPeriod(None, 30_000, 5_000, "delay"))
        )
        assert TimeControl.parse("2/60b5:30") == TimeControl(
            (ClockPeriod(2, 60_000, 5_000, "bronstein"), ClockPeriod(None, 30_000)), in_advance=True
        )
        plain = TimeControl((ClockPeriod(None, 60_000),))
        assert TimeControl.parse("60") == plain
        assert (plain.add_at, plain.count_moves, plain.freeze, plain.in_advance) == ("control", True, False, False)
        assert TimeControl.parse("1/999999+9999:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1").fault is None, "nine periods"

    @pytest.mark.law("L057")
    def test_what_is_wrong_is_named(self) -> None:
        faults = {
            ":".join(["1/60"] * 9 + ["60"]): "it has 10 periods; give 1 to 9.",
            "60:60": "every period but the last needs a number of moves.",
            "0/60:60": "times are not negative, and a period has at least one move.",
        }
        for text, fault in faults.items():
            with pytest.raises(ValueError) as wrong:
                TimeControl.parse(text)
            assert str(wrong.value) == f"'{text}' is not a time control: {fault}"
        assert TimeControl(()).fault == "it has 0 periods; give 1 to 9."
        negative = "times are not negative, and a period has at least one move."
        for period in (ClockPeriod(None, -1), ClockPeriod(None, 1, -1), ClockPeriod(0, 1)):
            assert TimeControl((period,)).fault == negative
        for period in (ClockPeriod(None, 0), ClockPeriod(1, 0, 0)):
            assert TimeControl((period,)).fault is None
        for text, shown in (("0", "0"), ("ninety\r\nand thirty", "ninety and thirty")):  # one sentence on one line
            with pytest.raises(ValueError) as wrong:
                TimeControl.parse(text)
            plain = f"'{shown}' is not a time control; write minutes+seconds per move, for example 90+30."
            assert str(wrong.value) == plain

    @pytest.mark.law("L057", "L235")
    def test_moves_through_a_period_and_another_increment(self) -> None:
        control = TimeControl.parse("40/60d5:20/30:15b2")
        assert [control.moves_through(period) for period in (0, 1, 2)] == [40, 60, None]
        other = control.with_increment(5_000)
        assert other.text == "40/60+5:20/30+5:15+5" and other.in_advance
        assert control.text == "40/60d5:20/30:15b2"

    def test_milliseconds(self) -> None:
        period = TimeControl.parse("40/6000+30:900+30").periods[0]
        assert msgspec.structs.astuple(period) == (40, 6_000_000, 30_000, "fischer")


@pytest.mark.parametrize(
    ("ms", "longest"), [(0, "0:00:00"), (1, "0:00:01"), (1_000, "0:00:01"), (8_200, "0:00:09"), (3_600_001, "1:00:01")]
)
def test_how_long_something_lasted_at_most_counts_every_second_that_had_begun(ms: int, longest: str) -> None:
    assert at_most(ms) == longest


def test_a_time_below_zero_has_a_minus_before_its_hours() -> None:
    assert [time_text(ms) for ms in (-65_500, 3_661_999)] == ["-0:01:05", "1:01:01"]
