"""Periods, increments, delay and Bronstein, time added at the control or at zero, the arbiter's hand on the clock."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game.values.clock import ChessClock
from server.game.values.time_control import ClockPeriod, TimeControl
from server.game.values.words import Seat

WHITE, BLACK = Seat.WHITE, Seat.BLACK


def clock(text: str, **options: object) -> ChessClock:
    return ChessClock.set_to(msgspec.structs.replace(TimeControl.parse(text), **options))


def played(ready: ChessClock, moves: int, each_ms: int, start: int = 0) -> tuple[ChessClock, int]:
    """So many moves by both, each taking the same time; the clock and the instant after them."""
    now, running = start, ready.after_start(start)
    for _ in range(moves):
        for seat in (WHITE, BLACK):
            now += each_ms
            running = running.after_press(seat, now)
    return running, now


@pytest.mark.law("L057", "L058")
def test_the_next_period_comes_with_the_last_move_of_this_one() -> None:
    ready = clock("2/60+10:30+5")
    first, now = played(ready, 1, 20_000)
    assert first.reading(now).white_ms == 70_000 - 20_000 + 10_000
    assert first.white.period == 0 and first.moves_to_control(WHITE) == 1
    second, now = played(first, 1, 20_000, now)
    assert second.reading(now).white_ms == 60_000 - 20_000 + 30_000 + 5_000, "the new period's time and its increment"
    assert second.white.period == second.black.period == 1
    assert second.moves_to_control(WHITE) is None


@pytest.mark.law("L057")
def test_three_periods_with_counted_moves() -> None:
    ready = clock("40/7200:20/3600:900+30")
    after, now = played(ready, 60, 60_000)
    assert after.white.period == 2
    assert after.reading(now).white_ms == (7200 + 3600 + 900 + 30 - 60 * 60) * 1000


@pytest.mark.law("L057", "L059")
def test_time_added_at_zero_comes_only_to_a_player_who_has_made_their_moves() -> None:
    ready = clock("2/30:60", add_at="zero")
    after, now = played(ready, 2, 10_000)
    assert after.white.period == 0, "pressing the last move adds nothing"
    assert after.reading(now).white_ms == 10_000
    due = after.flag_at()
    assert due == now + 10_000 and after.at_zero(WHITE) == "period"
    begun = after.next_period(WHITE, due)
    assert begun.reading(due).white_ms == 60_000 and begun.white.period == 1 and begun.first_flag is None
    late = clock("3/30:60", add_at="zero").after_start(0)
    assert late.at_zero(WHITE) == "flag", "the moves are not made: this flag is a flag"


@pytest.mark.law("L059")
def test_without_a_move_counter_both_get_the_period_when_the_first_comes_to_zero() -> None:
    ready = clock("2/30:60", add_at="zero", count_moves=False).after_start(0)
    assert ready.at_zero(WHITE) == "count", "the arbiter counts (6.4)"
    after = ready.with_flag_fallen(WHITE, 30_000).next_period(WHITE, 30_000)
    assert after.reading(30_000).white_ms == 60_000 and after.reading(30_000).black_ms == 90_000
    assert after.first_flag is WHITE, "which came first stays visible"


@pytest.mark.law("L058")
def test_delay_runs_before_the_main_time_and_is_never_kept() -> None:
    ready = clock("60d5")
    assert ready.reading(0).white_ms == 60_000, "nothing in advance"
    running = ready.after_start(0)
    assert running.reading(4_999).white_ms == 60_000
    assert running.reading(7_000).white_ms == 58_000
    assert running.flag_at() == 65_000
    paused = running.after_pause(3_000)
    assert paused.after_start(10_000).reading(13_000).white_ms == 59_000, "the rest of the delay, 2 s, then 1 s"
    quick = running.after_press(WHITE, 2_000)
    assert quick.reading(2_000).white_ms == 60_000 and quick.reading(9_000).black_ms == 58_000


@pytest.mark.law("L058")
def test_what_is_used_of_the_delay_stays_used_over_any_number_of_pauses() -> None:
    """5 s of delay: 2 s before the first pause, 2 s before the second, so 1 s is left after it, to the millisecond."""
    first = clock("60d5").after_start(0).after_pause(2_000)
    second = first.after_start(10_000).after_pause(12_000)
    assert second.this_move_ms == 4_000 and second.reading(12_000).white_ms == 60_000
    again = second.after_start(100_000)
    assert again.flag_at() == 100_000 + 1_000 + 60_000
    assert [again.reading(at).white_ms for at in (100_999, 101_000, 101_001)] == [60_000, 60_000, 59_999]
    third = again.after_pause(103_000).after_start(200_000)
    assert third.reading(200_001).white_ms == 57_999, "nothing of the delay is left"
    assert third.flag_at() == 258_000 and third.time_used(WHITE, 200_001) == 7_001
    reply = third.after_press(WHITE, 200_001)
    assert reply.flag_at() == 200_001 + 5_000 + 60_000, "the next player's delay is whole"


@pytest.mark.law("L058", "L067", "L084")
def test_a_hand_on_the_clock_leaves_the_delay_of_the_move_as_it_is() -> None:
    running = clock("60d5").after_start(0)
    given = running.with_time_added(WHITE, 10_000, 2_000)
    assert given.flag_at() == 75_000 and given.reading(6_000).white_ms == 69_000
    taken = running.with_time_added(WHITE, -59_000, 2_000)
    assert taken.flag_at() == 6_000, "the rest of the delay, 3 s, then the last second"
    assert running.with_time_added(WHITE, -90_000, 2_000).flag_at() == 5_000, "no time is left when the delay ends"
    put = running.with_times(3_000, 60_000, WHITE, 4_000)
    assert put.flag_at() == 8_000, "1 s of the delay, then 3 s"
    turned = running.with_times(60_000, 3_000, BLACK, 4_000)
    assert turned.flag_at() == 12_000, "a move of the other player begins with its whole delay"


@pytest.mark.law("L058")
def test_bronstein_shows_all_that_is_left_and_gives_back_what_was_used_up_to_the_extra() -> None:
    ready = clock("60b5")
    assert ready.reading(0).white_ms == ready.reading(0).black_ms == 65_000, "the extra of the first move is there"
    running = ready.after_start(0)
    assert running.reading(3_000).white_ms == 62_000, "the display runs at once"
    quick = running.after_press(WHITE, 3_000)
    assert quick.reading(3_000).white_ms == 65_000, "time never grows and never shrinks within the extra"
    slow = running.after_press(WHITE, 8_000)
    assert slow.reading(8_000).white_ms == 62_000, "the main time lost 3 s"


@pytest.mark.law("L058", "L064")
@pytest.mark.parametrize("sign", ["d", "b"])
def test_the_main_time_starts_after_the_extra(sign: str) -> None:
    """3 s left and 5 s extra: the flag falls after 8 s (6.3.2), in every move of the game."""
    running, now = clock(f"3{sign}5").after_start(0), 0
    for seat in (WHITE, BLACK, WHITE, BLACK):
        assert running.flag_at() == now + 8_000
        assert running.remaining(seat, now + 7_999) > 0
        now += 5_000
        running = running.after_press(seat, now)
    now += 7_999
    last = running.after_press(WHITE, now).after_press(BLACK, now)
    assert last.flag_at() == now + 5_001, "1 ms of main time is left"


@pytest.mark.law("L058")
def test_delay_and_bronstein_differ_only_in_what_they_show() -> None:
    delay, bronstein, now = clock("20d5").after_start(0), clock("20b5").after_start(0), 0
    for used, seat in ((2_000, WHITE), (9_000, BLACK), (5_000, WHITE), (0, BLACK), (12_000, WHITE), (6_000, BLACK)):
        for pause in (used // 3, used // 2):
            delay = delay.after_pause(now + pause).after_start(now + pause)
            bronstein = bronstein.after_pause(now + pause).after_start(now + pause)
        assert delay.flag_at() == bronstein.flag_at()
        now += used
        delay, bronstein = delay.after_press(seat, now), bronstein.after_press(seat, now)
        for side in (WHITE, BLACK):
            assert bronstein.remaining(side, now) == delay.remaining(side, now) + 5_000
            assert bronstein.time_used(side, now) == delay.time_used(side, now)


@pytest.mark.law("L058", "L067")
def test_a_time_set_below_the_extra_leaves_the_move_its_extra() -> None:
    running = clock("60b5").after_start(0)
    put = running.with_times(3_000, 2_000, WHITE, 4_000)
    assert put.reading(4_000).white_ms == 3_000 and put.reading(4_000).black_ms == 5_000
    assert running.with_times(500, 2_000, WHITE, 4_000).reading(4_000).white_ms == 1_000, "4 s of the extra are used"
    assert running.with_times(3_000, 2_000, BLACK, 4_000).reading(4_000).white_ms == 5_000, "the next move has it whole"
    fallen = running.with_times(0, 60_000, WHITE, 4_000)
    assert fallen.white.flagged and fallen.reading(4_000).white_ms == 0, "a fallen flag stays fallen"
    same = running.with_times(running.remaining(WHITE, 4_000), running.remaining(BLACK, 4_000), WHITE, 4_000)
    assert same.flag_at() == running.flag_at(), "what is shown and set again changes nothing"


@pytest.mark.law("L057", "L058")
@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("2/60b5:30b10", 60 + 30 + 10),
        ("2/60b5:30+10", 60 + 30 + 10),
        ("2/60b5:30d10", 60 + 30),
        ("2/60b5:30", 60 + 30),
        ("2/60+5:30b10", 60 + 30 + 10),  # all that two increments brought was used
    ],
)
def test_the_extra_of_a_period_ends_with_it(text: str, then: int) -> None:
    ready = clock(text)
    assert ready.reading(0).white_ms == 65_000
    after, now = played(ready, 2, 5_000)
    assert after.white.period == 1 and after.reading(now).white_ms == then * 1000


@pytest.mark.law("L058")
def test_after_their_flag_a_player_gets_nothing_back() -> None:
    running = clock("3b5").after_start(0)
    fallen = running.with_flag_fallen(WHITE, 8_000).after_press(WHITE, 9_000)
    assert fallen.remaining(WHITE, 9_000) == -1_000 and fallen.reading(9_000).white_ms == 0


def test_a_record_from_before_the_extra_was_shown_in_advance_reads_as_it_was_written() -> None:
    """Clocks of older records gave back and showed nothing in advance: their times must come out the same again."""
    old = msgspec.convert({"moves": None, "base_ms": 60_000, "increment_ms": 5_000, "kind": "bronstein"}, ClockPeriod)
    running = ChessClock.set_to(TimeControl((old,))).after_start(0)
    assert running.reading(0).white_ms == 60_000 and running.reading(3_000).white_ms == 57_000
    assert running.after_press(WHITE, 3_000).reading(3_000).white_ms == 60_000
    assert running.with_times(3_000, 2_000, WHITE, 0).flag_at() == 3_000


@pytest.mark.law("L058", "L064")
def test_no_increment_after_the_flag_of_the_last_period() -> None:
    running = clock("10+5").after_start(0)
    fallen = running.with_flag_fallen(WHITE, 15_000).after_press(WHITE, 16_000)
    assert fallen.white.remaining_ms == -1_000 and fallen.reading(16_000).white_ms == 0
    assert fallen.running is BLACK, "the game goes on until the flag is seen or claimed"


@pytest.mark.law("L064")
def test_a_frozen_clock_stands_when_the_last_flag_falls_and_only_then() -> None:
    frozen = clock("10", freeze=True).after_start(0).with_flag_fallen(WHITE, 10_000)
    assert frozen.running is None and frozen.first_flag is WHITE
    free = clock("10").after_start(0).with_flag_fallen(WHITE, 10_000)
    assert free.running is WHITE


@pytest.mark.law("L067", "L074")
def test_the_arbiter_corrects_times_counters_and_periods() -> None:
    running = clock("40/6000+30:900+30").after_start(0)
    put = running.with_times(1_000_000, 2_000_000, BLACK, 5_000, moves=(41, 40), periods=(1, 1))
    assert (put.white.moves, put.black.moves, put.white.period) == (41, 40, 1)
    assert put.reading(6_000).black_ms == 1_999_000 and put.reading(6_000).white_ms == 1_000_000


@pytest.mark.law("L084", "L111", "L144")
def test_a_bonus_and_a_deduction() -> None:
    running = clock("60").after_start(0)
    given = running.with_time_added(BLACK, 120_000, 10_000)
    assert given.reading(10_000).black_ms == 180_000 and given.reading(10_000).white_ms == 50_000
    assert given.time_used(WHITE, 10_000) == 10_000 and given.running is WHITE
    taken = given.with_time_added(WHITE, -50_000, 10_000)
    assert taken.flag_at() == 10_000


@pytest.mark.law("L235")
def test_quickplay_increment_comes_with_the_next_press() -> None:
    running = clock("60").after_start(0).with_increment(5_000, 10_000)
    assert running.reading(10_000).white_ms == 50_000
    assert running.after_press(WHITE, 20_000).reading(20_000).white_ms == 45_000


@pytest.mark.law("L057")
@pytest.mark.parametrize("text", ["5400+30", "40/6000+30:900+30", "40/7200:20/3600:900+30", "1500d5", "1500b5", "60"])
def test_time_controls_are_read_and_written(text: str) -> None:
    assert TimeControl.parse(text).text == text


@pytest.mark.law("L057")
@pytest.mark.parametrize("text", ["", "0", "60:60", "40/60:60:60", "1:2:3", "x", "60+", "60+5+5", "0/60", "-5", "60s"])
def test_what_is_no_time_control_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a time control"):
        TimeControl.parse(text)


PERIODS = st.builds(
    ClockPeriod,
    moves=st.integers(1, 3),
    base_ms=st.integers(1_000, 60_000),
    increment_ms=st.integers(0, 10_000),
    kind=st.sampled_from(["fischer", "delay", "bronstein"]),
)
CONTROLS = st.builds(
    lambda first, last, at, count, freeze: TimeControl(
        (*first, msgspec.structs.replace(last, moves=None)), at, count, freeze
    ),
    first=st.lists(PERIODS, max_size=2),
    last=PERIODS,
    at=st.sampled_from(["control", "zero"]),
    count=st.booleans(),
    freeze=st.booleans(),
)
ACTS = st.lists(
    st.tuples(st.integers(0, 20_000), st.sampled_from(["press", "other", "pause", "start", "zero", "bonus", "look"])),
    max_size=40,
)


@pytest.mark.law("L048", "L058")
@given(control=CONTROLS, acts=ACTS)
def test_time_is_conserved_to_the_millisecond(control: TimeControl, acts: list[tuple[int, str]]) -> None:
    """Elapsed while running = white + black used; a delay apart, what is gone from a display was used or not given."""
    now, stood, running = 0, 0, ChessClock.set_to(control).after_start(0)
    for wait, act in acts:
        before = running
        for _ in range(control.periods.__len__() + 2):  # what comes to zero on the way is noted at its instant
            due = running.flag_at()
            if due is None or due > now + wait:
                break
            zero = running.at_zero(running.turn)
            seat = running.turn
            if zero != "period":
                running = running.with_flag_fallen(seat, due)
                if running.running is None:
                    stood -= due - now - wait
                    break
            if zero != "flag":
                running = running.next_period(seat, due)
        if before.running is None:
            stood += wait
        now += wait
        match act:
            case "press":
                running = running.after_press(running.turn, now)
            case "other":
                assert running.after_press(running.turn.other, now) == running
            case "pause":
                running = running.after_pause(now)
            case "start":
                running = running.after_start(now)
            case "bonus":
                running = running.with_time_added(WHITE, 1_000, now)
            case "zero" | "look":
                again = running.after_pause(now)
                assert again.time_used(WHITE, now) == running.time_used(WHITE, now)
                assert again.reading(now).white_ms == running.reading(now).white_ms
                assert again.reading(now).black_ms == running.reading(now).black_ms
        assert running.time_used(WHITE, now) + running.time_used(BLACK, now) + stood == now
        assert min(running.reading(now).white_ms, running.reading(now).black_ms) >= 0
        assert 0 <= running.white.period < len(control.periods)
