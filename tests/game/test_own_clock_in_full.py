"""A player's own clock, event by event and whole: cues, the choice by voice, the set-up (D.2.6.1)."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.state.apply import apply
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat, SeatKind
from tests.game.core_table import CoreTable, noted, only, play

W, B = Seat.WHITE, Seat.BLACK


def alert(at: int, kind: str, detail: str, ply: int = 0) -> ev.Alerted:
    return ev.Alerted(at=at, kind=kind, ply=ply, grey=False, detail=detail)


Countdown = Literal["off", "words", "ticks"]


def cueing(control: str = "60", **asked: Any) -> CoreTable:
    table = CoreTable(control=control)
    table.adapt("spoken_time_automatic")
    table.done("white", cmd.AskForCues(**asked))
    return table


def cued(at: int, left_s: int, way: str = "time", late: bool = False) -> ev.TimeCued:
    return ev.TimeCued(at=at, seat=W, left_s=left_s, way=way, late=late)  # type: ignore[arg-type]


class TestCues:
    @pytest.mark.law("L192")
    def test_they_are_taken_down_once_each_the_highest_first_and_only_where_the_arbiter_recorded_them(self) -> None:
        refused = CoreTable()
        for wish in (cmd.AskForCues(at_s=(30,)), cmd.AskForCues(countdown="ticks")):
            assert refused.do("white", wish) == Refusal("no_cues", "D.2.6.1")
        nothing = ev.CuesAsked(at=1_000, seat=W, at_s=(), countdown="off")
        assert refused.done("white", cmd.AskForCues()) == (nothing,), "to want nothing needs nobody's approval"
        table = cueing(at_s=(20, 40, 20), countdown="words")
        asked = ev.CuesAsked(at=1_000, seat=W, at_s=(40, 20), countdown="words")
        assert list(table.state.time.cues) == [asked]
        blacks = only(table.done("black", cmd.AskForCues(at_s=(30,))), ev.CuesAsked)[0]
        assert list(table.state.time.cues) == [asked, blacks]
        (again,) = only(table.done("white", cmd.AskForCues(countdown="ticks")), ev.CuesAsked)
        assert list(table.state.time.cues) == [blacks, again]
        table.done("white", cmd.AskForCues())
        assert list(table.state.time.cues) == [blacks]

    @pytest.mark.law("L192")
    @pytest.mark.parametrize(("countdown", "seconds"), [("off", [40, 5]), ("words", [40, *range(10, 0, -1)])])
    def test_each_at_its_instant_and_the_last_ten_seconds_one_by_one(
        self, countdown: Countdown, seconds: list[int]
    ) -> None:
        table = cueing(at_s=(40, 5), countdown=countdown)
        told = []
        for _ in range(60):
            told += only(noted(table, 1_000), ev.TimeCued)
        ways = {left: "words" if countdown == "words" and left <= 10 else "time" for left in seconds}
        expected = [cued(61_000 - left * 1_000, left, ways[left]) for left in seconds]
        assert told == expected, "five seconds, asked for twice, are told once"

    @pytest.mark.law("L192")
    @pytest.mark.parametrize(
        ("left", "countdown", "late_ms", "late"),
        [
            (40, "off", 1_000, False),
            (40, "off", 1_001, True),
            (10, "ticks", 400, False),
            (10, "ticks", 401, True),
            (10, "off", 401, False),
            (11, "ticks", 401, False),
        ],
    )
    def test_what_would_not_be_true_any_more_is_late(
        self, left: int, countdown: Countdown, late_ms: int, late: bool
    ) -> None:
        table = cueing(at_s=(left,), countdown=countdown)
        way = "ticks" if countdown == "ticks" and left <= 10 else "time"
        first = only(noted(table, 60_000 - left * 1_000 + late_ms), ev.TimeCued)[0]
        assert first == cued(61_000 - left * 1_000, left, way, late)

    @pytest.mark.law("L192")
    def test_nobody_is_told_what_lay_behind_or_is_no_less_than_the_base_time_or_a_sighted_players(self) -> None:
        table = cueing("120", at_s=(120, 60))
        assert only(noted(table, 61_000), ev.TimeCued) == [cued(61_000, 60)]
        longer = cueing("1801", at_s=(1_800,))
        assert only(noted(longer, 1_000), ev.TimeCued) == [cued(2_000, 1_800)]
        table.done("arbiter", cmd.SetClock(white_ms=30_000, black_ms=60_000, turn=W))
        table.done("white", cmd.AskForCues(at_s=(60, 30)))
        assert only(noted(table, 0), ev.TimeCued) == [cued(62_000, 30)], "at its very instant, and not 60"
        sighted = CoreTable(control="60", white=SeatKind.SIGHTED)
        sighted.adapt("spoken_time_automatic")
        sighted.done("white", cmd.AskForCues(at_s=(30,)))
        assert noted(sighted, 40_000) == ()

    @pytest.mark.law("L192")
    def test_the_countdown_begins_anew_in_every_move_and_a_threshold_does_not(self) -> None:
        table = cueing("20", at_s=(15,), countdown="words")
        told = only(noted(table, 11_000), ev.TimeCued)
        assert [one.left_s for one in told] == [15, 10, 9]
        assert list(table.state.time.cued) == [(W, 15), (W, 10), (W, 9)]
        play(table, "e4")
        assert list(table.state.time.cued) == [(W, 15)]
        table.done("arbiter", cmd.AddTime(seat=B, ms=1_000, reason="noise"))
        assert list(table.state.time.cued) == [(W, 15)], "the other's time is told by itself"
        table.done("arbiter", cmd.AddTime(seat=W, ms=10_000, reason="noise"))
        assert list(table.state.time.cued) == []


SIXTY, PLUS, FIVE = TimeControl.parse("60"), TimeControl.parse("60+5"), TimeControl.parse("300+5")


def choosing(*controls: str) -> CoreTable:
    table = CoreTable(started=False)
    table.done("white", cmd.ChooseClock(controls=controls or ("60", "60+5")))
    return table


def asked(number: int, at: int = 1_000) -> ev.ClockChoiceAsked:
    return ev.ClockChoiceAsked(at=at, seat=W, controls=(SIXTY, PLUS), number=number, until_ms=at + 30_000)


def ended(outcome: str, at: int = 1_000) -> ev.ClockChoiceEnded:
    return ev.ClockChoiceEnded(at=at, seat=W, outcome=outcome)  # type: ignore[arg-type]


class TestTheClockByVoice:
    @pytest.mark.law("L057", "L192")
    def test_settings_are_read_one_by_one_until_yes_or_none_is_left(self) -> None:
        table = CoreTable(started=False)
        yes, no = cmd.Confirm(yes=True), cmd.Confirm(yes=False)
        assert table.done("white", cmd.ChooseClock(controls=("60", "60+5"))) == (asked(1),)
        table.wait(500)
        assert table.done("white", cmd.Ask(what="last")) == (asked(1, 1_500),), "the same once more"
        assert table.done("white", no) == (asked(2, 1_500),)
        assert table.done("white", cmd.Ask(what="last")) == (asked(2, 1_500),)
        assert table.done("white", no) == (ended("none_left", 1_500),)
        assert table.state.time.choosing == ()
        table.done("white", cmd.ChooseClock(controls=("60", "60+5")))
        table.done("white", no)
        what = "White asks for the clock setting 60+5: approve it, or leave it at 5400+30"
        assert table.done("white", yes) == (
            ended("chosen", 1_500),
            ev.ClockProposed(at=1_500, seat=W, control=PLUS),
            alert(1_500, "clock_proposed", what),
        )
        assert table.state.time.proposed_clock == (W, PLUS)

    @pytest.mark.law("L192")
    def test_stop_and_what_is_no_setting(self) -> None:
        table = CoreTable(started=False)
        assert table.do("white", cmd.ChooseClock(stop=True)) == Refusal("nothing_asked", "")
        for controls in ((), ("60", "sixty")):
            wrong = cmd.ChooseClock(controls=controls)
            assert table.do("white", wrong) == Refusal("no_time_control", "6.3.1")
        table.done("white", cmd.ChooseClock(controls=("60", "60+5")))
        table.done("black", cmd.ChooseClock(controls=("60", "60+5")))
        assert table.done("white", cmd.ChooseClock(stop=True)) == (ended("stopped"),)
        assert [one.seat for one in table.state.time.choosing] == [B]
        started = CoreTable().do("white", cmd.ChooseClock(controls=("60",)))
        assert started == Refusal("clock_is_fixed", "6.3.1")

    @pytest.mark.law("L192")
    def test_silence_sets_nothing(self) -> None:
        table = choosing()
        assert noted(table, 29_999) == ()
        assert noted(table, 1) == (ended("lapsed", 31_000),)
        table = choosing()
        table.now = 500  # another run of the program, whose times are others
        assert only(table.done("white", cmd.AskForCues()), ev.ClockChoiceEnded) == [ended("lapsed", 500)]
        table = choosing()
        table.own(cmd.NoteNewRun())
        assert len(table.state.time.choosing) == 1, "at the very instant it was asked"
        table.wait(29_999)
        assert table.own(cmd.NoteNewRun()) == ()
        table.wait(1)
        assert table.own(cmd.NoteNewRun()) == (ended("lapsed", 31_000),)

    @pytest.mark.law("L192")
    def test_another_question_takes_its_place(self) -> None:
        table = choosing()
        assert only(table.done("white", cmd.Propose(what="resign")), ev.ClockChoiceEnded) == [ended("dropped")]

    def test_the_start_of_the_game_ends_it(self) -> None:
        table = choosing()
        table.done("arbiter", cmd.StartGame())
        assert table.state.time.choosing == ()


class TestTheClockSetUp:
    @pytest.mark.law("L057")
    def test_the_arbiters_setting_counts_at_once_and_a_players_where_it_was_recorded(self) -> None:
        table = CoreTable(started=False)
        setting = cmd.SetUpClock(control="300+5")
        assert table.done("arbiter", setting) == (ev.ClockSetUp(at=1_000, control=FIVE, seat=None),)
        assert (table.state.time.clock.white.remaining_ms, table.state.time.given) == (305_000, (0, 0))
        table.adapt("player_sets_clock")
        assert table.done("black", setting) == (ev.ClockSetUp(at=1_000, control=FIVE, seat=B),)
        assert table.do("black", cmd.SetUpClock(control="five")) == Refusal("no_time_control", "6.3.1")
        assert CoreTable().do("arbiter", setting) == Refusal("clock_is_fixed", "6.3.1")

    @pytest.mark.law("L057")
    def test_what_a_player_set_waits_for_the_arbiters_word(self) -> None:
        table = CoreTable(started=False)
        word = cmd.ApproveClock(approved=True)
        assert table.do("arbiter", word) == Refusal("nothing_proposed", "6.3.1")
        what = "Black asks for the clock setting 300+5: approve it, or leave it at 5400+30"
        assert table.done("black", cmd.SetUpClock(control="300+5")) == (
            ev.ClockProposed(at=1_000, seat=B, control=FIVE),
            alert(1_000, "clock_proposed", what),
        )
        kept = table.done("arbiter", cmd.ApproveClock(approved=False))
        assert kept == (ev.ClockKept(at=1_000, seat=B),)
        assert table.state.time.proposed_clock is None and table.state.time.clock.control.text == "5400+30"
        table.done("black", cmd.SetUpClock(control="300+5"))
        assert table.done("arbiter", word) == (ev.ClockSetUp(at=1_000, control=FIVE, seat=B),)
        assert table.state.time.proposed_clock is None and table.state.time.clock.control == FIVE

    @pytest.mark.law("L057")
    def test_a_proposal_is_too_late_once_the_game_runs(self) -> None:
        table = CoreTable(started=False)
        table.done("black", cmd.SetUpClock(control="300+5"))
        table.done("arbiter", cmd.StartGame())
        late = table.do("arbiter", cmd.ApproveClock(approved=True))
        assert late == Refusal("clock_is_fixed", "6.3.1")

    @pytest.mark.law("L067")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_one_side_is_corrected_and_what_the_other_uses_meanwhile_stays_used(self, seat: Seat) -> None:
        table = CoreTable(control="60")
        table.wait(5_000)
        white, black = (40_000, 60_000) if seat is W else (55_000, 40_000)
        moves = (7, 0) if seat is W else (0, 7)
        corrected = cmd.CorrectClock(seat=seat, ms=40_000, completed=7, reason="misread")
        assert only(table.done("arbiter", corrected), ev.ClockSet) == [
            ev.ClockSet(
                at=6_000, white_ms=white, black_ms=black, turn=W, reason="misread", moves=moves, periods=(0, 0),
                by_hand=True,
            )
        ]  # fmt: skip
        plain = cmd.CorrectClock(seat=seat, ms=40_000, turn=B)
        assert only(table.done("arbiter", plain), ev.ClockSet) == [
            ev.ClockSet(at=6_000, white_ms=white, black_ms=black, turn=B, reason="", by_hand=True)
        ]


def test_each_display_has_its_own_delay_and_its_last_one() -> None:
    """What is shown to the spectators later than to the hall."""
    state = CoreTable().state
    for station, delay_s in (("hall", 0), ("online", 900), ("hall", 60), ("foyer", 60)):
        state = apply(state, ev.DisplayDelayed(at=1, station=station, delay_s=delay_s))
    assert state.stations.display_delays == (("online", 900), ("hall", 60), ("foyer", 60))
