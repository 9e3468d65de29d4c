"""What falls due at a table by itself, event by event and whole: flags, starts, default time, low time, cues, waits."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import ValidationError, convert
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.time.clock import charge_of_press, spoken_now
from server.game.decide.time.instants import Instant, next_instant, pending
from server.game.laws.event_options import EventOptions
from server.game.state.apply import apply
from server.game.state.clock import HeldPress, SpokenNow
from server.game.values.words import ClockMaster, Mode, Seat
from tests.game.core_table import CoreTable, altered, noted, only, play

W, B = Seat.WHITE, Seat.BLACK
CAP = 5_000  # ms of the mover's time that an announcement holds a clock at most


def alert(at: int, kind: str, detail: str, ply: int = 0) -> ev.Alerted:
    return ev.Alerted(at=at, kind=kind, ply=ply, grey=False, detail=detail)


def counted(seat: Seat, clock: int, white: int, black: int) -> str:
    return f"{seat.value.capitalize()}'s moves: clock {clock}, White's score {white}, Black's score {black}"


class TestAFlag:
    @pytest.mark.law("L059", "L064")
    @pytest.mark.parametrize("late_ms", [0, 7])
    def test_a_display_at_zero_is_marked_at_its_instant_and_the_moves_are_counted_in_each_score(
        self, late_ms: int
    ) -> None:
        table = CoreTable(control="60")
        play(table, "e4 e5 Nf3")
        table.done("black", cmd.WriteScore(index=1, text="e4"))
        table.done("black", cmd.WriteScore(index=2, text="e5"))
        now = 61_000 + late_ms
        what = f"Black's display shows zero: this is not a call of the flag-fall (6.8); {counted(B, 1, 0, 1)}"
        assert noted(table, 60_000 + late_ms) == (
            ev.FlagFell(at=61_000, seat=B),
            alert(now, "flag", what, ply=3),
        )
        assert noted(table, 1_000) == (), "once"
        assert (table.state.time.clock.first_flag, table.state.time.clock.running) == (B, B), "nothing ends by it"

    @pytest.mark.law("L064")
    def test_whites_moves_are_counted_as_whites(self) -> None:
        table = CoreTable(control="60")
        play(table, "e4 e5")
        what = f"White's display shows zero: this is not a call of the flag-fall (6.8); {counted(W, 1, 1, 0)}"
        assert noted(table, 60_000) == (ev.FlagFell(at=61_000, seat=W), alert(61_000, "flag", what, ply=2))

    def test_not_a_millisecond_earlier(self) -> None:
        table = CoreTable(control="60")
        assert noted(table, 59_999) == ()

    @pytest.mark.law("L059", "L064")
    @pytest.mark.parametrize("called", [True, False])
    @pytest.mark.parametrize(
        ("count", "moves", "becomes"),
        [(True, 0, "flag"), (True, 1, "period"), (False, 0, "count"), (False, 1, "count")],
    )
    def test_zero_is_a_flag_a_count_or_the_next_period_and_only_a_flag_is_called(
        self, count: bool, moves: int, becomes: str, called: bool
    ) -> None:
        table = CoreTable(control="1/30:60")
        if called:
            table.adapt("flag_called_by_system")
        clock = table.state.time.clock
        control = replace(clock.control, add_at="zero", count_moves=count)
        table.state = altered(
            table.state, {"time.clock": replace(clock, control=control, white=replace(clock.white, moves=moves))}
        )
        events = noted(table, 30_000)
        flag = "this is not a call of the flag-fall (6.8)" if becomes == "flag" else "check the number of moves (6.4)"
        fell = ev.FlagFell(at=31_000, seat=W)
        told = alert(31_000, "flag", f"White's display shows zero: {flag}; {counted(W, moves, 0, 0)}")
        begun = ev.PeriodBegun(at=31_000, seat=W)
        expected = {"flag": (fell, told), "count": (fell, told, begun), "period": (begun,)}[becomes]
        assert events[: len(expected)] == expected
        assert bool(only(events, ev.FlagCalled)) is (called and becomes == "flag")
        assert called or len(events) == len(expected)
        period = 0 if becomes == "flag" else 1
        assert (table.state.time.clock.white.period, table.state.time.clock.black.period) == (
            period,
            period * (not count),
        )


class TestTheAppointedStart:
    @pytest.mark.law("L061")
    @pytest.mark.parametrize("late_ms", [0, 2_000])
    def test_whites_clock_starts_at_the_appointed_time_also_where_it_is_noticed_a_little_later(
        self, late_ms: int
    ) -> None:
        table = CoreTable(started=False, regulations=EventOptions(default_time_s=900))
        schedule = cmd.ScheduleStart(in_ms=5_000)
        assert table.done("arbiter", schedule) == (ev.StartScheduled(at=1_000, due_ms=6_000),)
        assert noted(table, 4_999) == ()
        assert noted(table, 1 + late_ms) == (ev.GameStarted(at=6_000, appointed=True),)
        assert table.state.time.clock.time_used(W, table.now) == late_ms and table.state.schedule.appointed_ms is None
        assert table.do("arbiter", schedule) == Refusal("already_started", "6.6")

    def test_a_start_is_appointed_for_a_week_from_now_at_most(self) -> None:
        week = {"do": "schedule_start", "in_ms": 604_800_000}
        assert convert(week, cmd.ScheduleStart) == cmd.ScheduleStart(in_ms=604_800_000)
        with pytest.raises(ValidationError):
            convert({**week, "in_ms": 604_800_001}, cmd.ScheduleStart)

    @pytest.mark.law("L061")
    def test_a_machine_that_was_away_starts_nothing(self) -> None:
        table = CoreTable(started=False)
        table.done("arbiter", cmd.ScheduleStart(in_ms=5_000))
        what = "the scheduled start did not take place; start the game by hand. It was due 2001 ms ago."
        assert noted(table, 7_001) == (ev.StartScheduled(at=8_001, due_ms=None), alert(8_001, "start_held", what))
        assert not table.state.table.started and noted(table, 1) == ()

    @pytest.mark.law("L061")
    def test_an_open_question_holds_it_up(self) -> None:
        table = CoreTable(started=False, answered=False)
        table.done("arbiter", cmd.ScheduleStart(in_ms=5_000))
        first = "First record what happens when the sighted player presses the clock without announcing."
        what = f"the scheduled start did not take place; start the game by hand. {first} (D.1)"
        assert noted(table, 5_001) == (ev.StartScheduled(at=6_001, due_ms=None), alert(6_001, "start_held", what))

    def test_an_appointment_is_taken_back_and_none_outlives_a_start_by_hand(self) -> None:
        table = CoreTable(started=False)
        table.done("arbiter", cmd.ScheduleStart(in_ms=5_000))
        assert table.done("arbiter", cmd.ScheduleStart(in_ms=None)) == (ev.StartScheduled(at=1_000, due_ms=None),)
        assert next_instant(table.state) is None
        table.done("arbiter", cmd.ScheduleStart(in_ms=5_000))
        table.done("arbiter", cmd.StartGame())
        assert table.state.schedule.appointed_ms is None and table.state.schedule.default_due_ms is None, (
            "nobody waits for the time"
        )
        assert (
            next_instant(
                altered(
                    table.state, {"schedule.appointed_ms": 0, "time.clock": table.state.time.clock.after_pause(1_000)}
                )
            )
            is None
        )


def late_table(*present: Seat, default_s: int = 900, **more: Any) -> CoreTable:
    """Somebody looks who is there; the game has begun."""
    table = CoreTable(started=False, regulations=EventOptions(default_time_s=default_s), **more)
    table.done("arbiter", cmd.NotePresent(seat=W, present=False))
    for seat in present:
        table.done("arbiter", cmd.NotePresent(seat=seat))
    table.done("arbiter", cmd.StartGame())
    return table


class TestTheDefaultTime:
    @pytest.mark.law("L062")
    @pytest.mark.parametrize(
        ("present", "absent", "proposed", "who"),
        [
            ((), (W, B), "-/-", "White and Black"),
            ((W,), (B,), "+/-", "Black"),
            ((B,), (W,), "-/+", "White"),
            ((W, B), (), "", ""),
        ],
    )
    def test_at_its_end_the_arbiter_is_told_who_is_missing(
        self, present: tuple[Seat, ...], absent: tuple[Seat, ...], proposed: str, who: str
    ) -> None:
        table = late_table(*present)
        assert noted(table, 899_999) == ()
        over = ev.DefaultTimeOver(at=901_000, absent=absent, proposed=proposed)
        what = f"{who} absent 900 s after the start (6.7.1): {proposed}, unless you decide otherwise"
        told = (alert(901_500, "default_time_over", what),) if absent else ()
        assert noted(table, 501) == (over, *told)
        assert (table.state.schedule.absent, table.state.schedule.default_due_ms) == (absent, None)
        assert noted(table, 60_000) == ()

    @pytest.mark.law("L062")
    def test_who_has_completed_a_move_is_there(self) -> None:
        table = late_table()
        play(table, "e4")
        table.say("black", "e5", act="announce")  # said and not completed
        (over,) = only(noted(table, 900_000), ev.DefaultTimeOver)
        assert (over.absent, over.proposed) == ((B,), "+/-")

    @pytest.mark.law("L062")
    def test_who_comes_late_and_the_ruling(self) -> None:
        table = late_table()
        assert table.do("arbiter", cmd.RuleAbsence(forfeit=True)) == Refusal("nobody_absent", "6.7.1")
        noted(table, 900_000)
        gone = cmd.NotePresent(seat=B, present=False)
        assert table.done("arbiter", gone) == (ev.PresenceNoted(at=901_000, seat=B, present=False, late=False),)
        what = "Black arrived after the default time: the game is lost, unless you decide otherwise (6.7.1)"
        assert table.done("arbiter", cmd.NotePresent(seat=B)) == (
            ev.PresenceNoted(at=901_000, seat=B, present=True, late=True),
            alert(901_000, "late_arrival", what),
        )
        ruling = cmd.RuleAbsence(forfeit=False, reason="the bus")
        assert table.done("arbiter", ruling) == (
            ev.AbsenceRuled(at=901_000, absent=(W, B), forfeit=False, reason="the bus"),
        )
        assert table.state.schedule.absent == ()

    @pytest.mark.law("L062")
    @pytest.mark.parametrize(("present", "result"), [(W, "+/-"), (B, "-/+")])
    def test_a_forfeit_ends_the_game_under_its_article(self, present: Seat, result: str) -> None:
        table = late_table(present)
        noted(table, 900_000)
        assert table.done("arbiter", cmd.RuleAbsence(forfeit=True)) == (
            ev.AbsenceRuled(at=901_000, absent=(present.other,), forfeit=True, reason=""),
            ev.GameEnded(at=901_000, result=result, reason="forfeit", article="6.7.1"),
        )

    @pytest.mark.law("L061", "L062")
    def test_presence_is_one_mark_a_player(self) -> None:
        table = late_table(W, B)
        table.done("arbiter", cmd.NotePresent(seat=W))
        assert list(table.state.schedule.attendance or ()) == [B, W]
        table.done("arbiter", cmd.NotePresent(seat=B, present=False))
        assert list(table.state.schedule.attendance or ()) == [W]

    @pytest.mark.law("L062")
    def test_it_begins_with_a_start_by_appointment_also_where_nobody_was_noted(self) -> None:
        table = CoreTable(started=False, regulations=EventOptions(default_time_s=900))
        table.done("arbiter", cmd.ScheduleStart(in_ms=5_000))
        noted(table, 5_000)
        assert table.state.schedule.default_due_ms == 6_000 + 900_000
        by_hand = CoreTable(started=False, regulations=EventOptions(default_time_s=900))
        by_hand.done("arbiter", cmd.ScheduleStart(in_ms=5_000))
        by_hand.done("arbiter", cmd.StartGame())  # earlier than appointed
        assert by_hand.state.schedule.default_due_ms is None


@pytest.mark.law("L225")
def test_a_session_ends_once_and_no_second_one_runs_beside_it() -> None:
    table = CoreTable()
    begin = cmd.StartSession(length_ms=10_000)
    assert table.done("arbiter", begin) == (ev.SessionStarted(at=1_000, length_ms=10_000),)
    assert table.state.schedule.session_due_ms == 11_000
    assert table.do("arbiter", begin) == Refusal("session_runs", "I.14")
    assert noted(table, 9_999) == ()
    what = "the session has ended by the arbiter's timepiece: the player having the move must seal (I.1.1)"
    assert noted(table, 1) == (ev.SessionEnded(at=11_000), alert(11_000, "session_over", what))
    table.done("arbiter", begin)


class TestLowTime:
    @pytest.mark.law("L138")
    def test_each_threshold_below_the_base_time_is_told_once_in_the_order_of_time(self) -> None:
        table = CoreTable(control="60", regulations=EventOptions(low_time_s=(10, 60, 59, 30)))
        events = noted(table, 50_000)
        assert events == tuple(
            one
            for at, left in ((2_000, 59), (31_000, 30), (51_000, 10))
            for one in (
                ev.LowTime(at=at, seat=W, threshold_s=left),
                alert(51_000, "low_time", f"White has at most {left} s left (12.3)"),
            )
        )
        assert table.state.time.low_told == ((W, 59), (W, 30), (W, 10))
        table.done("arbiter", cmd.SetClock(white_ms=35_000, black_ms=60_000, turn=W))
        assert noted(table, 10_000) == (), "told once a game"

    @pytest.mark.law("L138")
    def test_a_threshold_that_lies_behind_is_told_at_once_and_the_other_sides_is_its_own(self) -> None:
        table = CoreTable(control="60", regulations=EventOptions(low_time_s=(30,)))
        table.done("arbiter", cmd.SetClock(white_ms=20_000, black_ms=25_000, turn=W))
        assert only(noted(table, 0), ev.LowTime) == [ev.LowTime(at=1_000, seat=W, threshold_s=30)]
        table.wait(4_000)
        play(table, "e4")
        assert only(noted(table, 0), ev.LowTime) == [ev.LowTime(at=5_000, seat=B, threshold_s=30)]

    @pytest.mark.law("L138")
    def test_a_threshold_a_second_below_a_long_time_is_told(self) -> None:
        table = CoreTable(control="2000", regulations=EventOptions(low_time_s=(2000, 1999)))
        assert [one.threshold_s for one in only(noted(table, 1_500), ev.LowTime)] == [1999]

    @pytest.mark.law("L138")
    def test_the_base_time_is_that_of_the_period(self) -> None:
        table = CoreTable(control="1/60:120", regulations=EventOptions(low_time_s=(90, 50)))
        clock = table.state.time.clock
        second = replace(clock, white=replace(clock.white, period=1, remaining_ms=120_000))
        table.state = altered(table.state, {"time.clock": second})
        assert [one.threshold_s for one in only(noted(table, 70_000), ev.LowTime)] == [90, 50]


class TestTheOrder:
    def test_what_falls_on_the_same_millisecond_comes_in_one_order(self) -> None:
        """The kinds in their order, and of two thresholds the higher one first."""
        table = CoreTable(control="60", regulations=EventOptions(low_time_s=(30,)))
        table.adapt("spoken_time_automatic")
        table.done("white", cmd.AskForCues(at_s=(30,)))
        state = altered(
            table.state,
            {
                "schedule.default_due_ms": 31_000,
                "schedule.session_due_ms": 31_000,
                "time.held": HeldPress(B, 1, 31_000, "mover"),
                "time.choosing": (ev.ClockChoiceAsked(at=1, seat=B, controls=(), number=1, until_ms=31_000),),
            },
        )
        found: list[Instant] = []
        while (due := next_instant(state)) is not None and due.at == 31_000:
            found.append(due)
            match due.kind:
                case "announcement":
                    state = altered(state, {"time.held": None})
                case "default":
                    state = altered(state, {"schedule.default_due_ms": None})
                case "session":
                    state = altered(state, {"schedule.session_due_ms": None})
                case "low_time":
                    state = altered(state, {"time.low_told": ((W, 30),)})
                case "cue":
                    state = altered(state, {"time.cued": ((W, 30),)})
                case "choice":
                    state = altered(state, {"time.choosing": ()})
        assert found == [
            Instant(31_000, "announcement"),
            Instant(31_000, "default"),
            Instant(31_000, "low_time", W, 30),
            Instant(31_000, "session"),
            Instant(31_000, "cue", W, 30),
            Instant(31_000, "choice", B),
        ]
        assert next_instant(state) == Instant(61_000, "flag")
        before = altered(CoreTable(started=False).state, {"schedule.appointed_ms": 5, "schedule.default_due_ms": 5})
        assert next_instant(before) == Instant(5, "start")
        both = altered(CoreTable(control="60").state, {"schedule.session_due_ms": 61_000})
        assert next_instant(both) == Instant(61_000, "flag")

    def test_of_two_thresholds_at_once_the_higher_is_told_first(self) -> None:
        table = CoreTable(control="60", regulations=EventOptions(low_time_s=(10, 30)))
        table.done("arbiter", cmd.SetClock(white_ms=5_000, black_ms=5_000, turn=W))
        assert [one.threshold_s for one in only(noted(table, 0), ev.LowTime)] == [30, 10]

    def test_after_the_end_nothing_is_due_any_more(self) -> None:
        table = CoreTable()
        table.done("arbiter", cmd.StartSession(length_ms=10_000))
        assert pending(table.state) == ("session",)
        table.done("white", cmd.Resign())
        assert table.state.over and table.state.schedule.session_due_ms is not None
        assert (next_instant(table.state), pending(table.state)) == (None, ())


class TestANewRun:
    @pytest.mark.law("L066")
    def test_what_only_the_earlier_runs_clock_could_know_is_void_and_named(self) -> None:
        table = late_table(master=ClockMaster.MANUAL)
        assert table.own(cmd.NoteNewRun()) == (
            ev.InstantsVoided(at=1_000, what=("default_time",)),
            alert(1_000, "instants_void", "the program was restarted; set again: default time"),
        )
        assert table.own(cmd.NoteNewRun()) == (), "nothing is left"
        table.done("arbiter", cmd.StartSession(length_ms=10_000))
        table.done("arbiter", cmd.ReadClock(white_ms=1, black_ms=2))
        table.state = altered(
            table.state,
            {
                "schedule.appointed_ms": 9,
                "schedule.default_due_ms": 9,
                "time.announcing": (SpokenNow(W, "u1", 1, None),),
            },
        )
        names = ("appointed_start", "default_time", "session", "clock_reading")
        what = "the program was restarted; set again: scheduled start, default time, session, clock reading"
        assert table.own(cmd.NoteNewRun()) == (
            ev.InstantsVoided(at=1_000, what=names), alert(1_000, "instants_void", what),
        )  # fmt: skip
        state = table.state
        assert (state.schedule.appointed_ms, state.schedule.default_due_ms, state.schedule.session_due_ms) == (
            None,
            None,
            None,
        )
        assert (state.time.announcing, state.time.clock_read, state.adjournment) == ((), None, None)

    def test_a_fault_of_the_program_is_told_as_it_is(self) -> None:
        assert CoreTable().own(cmd.NoteFault(text="disk full")) == (alert(1_000, "fault", "disk full"),)


def relay(charge: str = "mover") -> CoreTable:
    """The machine announces, before the opponent's clock runs."""
    table = CoreTable(control="600", started=False)
    table.mode(Mode.RELAY)
    table.adapt("announcement_on_movers_time")
    table.adapt("announcement_charge", charge)
    table.done("arbiter", cmd.StartGame())
    return table


def speaking(table: CoreTable, seat: Seat, utterance: str = "u1", **more: Any) -> tuple[ev.AnyEvent, ...]:
    return table.own(cmd.NoteSpeaking(seat=seat, utterance=utterance, **more))


def spoken(at: int, seat: Seat, utterance: str = "u1", until_ms: int | None = None, over: bool = False) -> Any:
    return ev.AnnouncementSpoken(at=at, seat=seat, utterance=utterance, until_ms=until_ms, over=over)


class TestTheWaitForAnAnnouncement:
    @pytest.mark.law("L190")
    def test_nothing_waits_where_the_machine_does_not_announce_on_the_movers_time(self) -> None:
        table = CoreTable()
        assert speaking(table, B) == () and table.state.time.announcing == ()
        settings: list[tuple[Mode, str, str]] = [
            (Mode.TABLE, "on", "on"), (Mode.RELAY, "off", "on"), (Mode.RELAY, "on", "off"),
        ]  # fmt: skip
        for mode, announces, first in settings:
            table = CoreTable()
            table.adapt("machine_announces", announces)
            table.adapt("announcement_on_movers_time", first)
            table.state = altered(table.state, {"table.mode": mode})
            assert speaking(table, B) == (), (mode, announces, first)
        assert speaking(relay(), B) == (spoken(1_000, B),)

    @pytest.mark.law("L190")
    def test_what_is_being_announced_and_until_when_it_counts(self) -> None:
        table = relay()
        table.now = 2_000
        assert speaking(table, B) == (spoken(2_000, B),)
        now = SpokenNow(B, "u1", 2_000, None)
        assert list(table.state.time.announcing) == [now]
        found = [spoken_now(table.state, B, at) for at in (1_999, 2_000, 1_999 + CAP, 2_000 + CAP)]
        assert found == [None, now, now, None], "what nobody has timed counts no longer than the cap"
        assert spoken_now(table.state, W, 2_000) is None
        table.wait(300)
        assert speaking(table, B, length_ms=700) == (spoken(2_300, B, until_ms=3_000),)
        timed = SpokenNow(B, "u1", 2_000, 3_000)
        assert list(table.state.time.announcing) == [timed], "it began when it began"
        assert [spoken_now(table.state, B, at) for at in (2_999, 3_000)] == [timed, None]
        assert speaking(table, B, "u0", length_ms=9_000) == (spoken(2_300, B, "u0", 11_300),)
        assert speaking(table, B, "u0", over=True) == (spoken(2_300, B, "u0", over=True),)
        assert list(table.state.time.announcing) == [timed], "an older one: another has begun since"
        speaking(table, B, "u2")
        speaking(table, W, "u3")
        assert list(table.state.time.announcing) == [SpokenNow(B, "u2", 2_300, None), SpokenNow(W, "u3", 2_300, None)]
        assert speaking(table, B, "u2", over=True) == (spoken(2_300, B, "u2", over=True),)
        assert list(table.state.time.announcing) == [SpokenNow(W, "u3", 2_300, None)]

    @pytest.mark.law("L190")
    @pytest.mark.parametrize("charge", ["mover", "none"])
    def test_a_press_waits_for_the_end_of_what_the_opponent_hears(self, charge: str) -> None:
        table = relay(charge)
        assert charge_of_press(table.state, W, table.now) == "", "nothing is being announced"
        speaking(table, W, length_ms=2_000)
        assert charge_of_press(table.state, W, table.now) == "", "not to the opponent"
        speaking(table, B, length_ms=2_000)
        assert charge_of_press(table.state, W, table.now) == charge
        table.wait(500)
        table.say("white", "e4", act="announce")
        events = table.press("white")
        assert only(events, ev.ClockPressed) == [ev.ClockPressed(at=1_500, seat=W, ply=1, effective=True, held=charge)]
        running = W if charge == "mover" else None
        assert (table.state.time.held, table.state.time.clock.running) == (HeldPress(W, 1, 1_500, charge), running)
        assert next_instant(table.state) == Instant(3_000, "announcement")
        assert noted(table, 1_499) == ()
        waited = ev.AnnouncementWaited(at=3_000, seat=W, ply=1, ms=1_500, charge=charge)
        assert noted(table, 1) == (waited,)
        assert (table.state.time.held, table.state.time.clock.running) == (None, B)
        white = 600_000 - (2_000 if charge == "mover" else 500)
        assert (table.ply(1).white_ms, table.ply(1).black_ms, table.ply(1).periods) == (white, 600_000, (0, 0))
        assert table.state.time.clock.remaining(W, table.now) == white and table.state.time.clock.white.moves == 1

    @pytest.mark.law("L190")
    def test_who_falls_silent_holds_up_the_clock_no_longer_than_the_cap(self) -> None:
        table = relay()
        speaking(table, B)
        play(table, "e4")
        assert next_instant(table.state) == Instant(1_000 + CAP, "announcement")
        speaking(table, B, length_ms=CAP + 5_000)
        assert next_instant(table.state) == Instant(1_000 + CAP, "announcement")
        table.wait(400)
        assert speaking(table, B, over=True) == (
            spoken(1_400, B, over=True),
            ev.AnnouncementWaited(at=1_400, seat=W, ply=1, ms=400, charge="mover"),
        )
        assert table.state.time.clock.running is B

    @pytest.mark.law("L190")
    def test_an_end_before_the_press_is_the_instant_of_the_press(self) -> None:
        state = altered(relay().state, {"time.held": HeldPress(W, 1, 5_000, "mover")})
        for announcing, at in (
            ((), 5_000),
            ((SpokenNow(W, "u1", 4_000, 9_000),), 5_000),
            ((SpokenNow(B, "u1", 4_000, 4_500),), 5_000),
            ((SpokenNow(B, "u1", 4_000, 5_700),), 5_700),
            ((SpokenNow(B, "u1", 4_000, None),), 5_000 + CAP),
        ):
            assert next_instant(altered(state, {"time.announcing": announcing})) == Instant(at, "announcement")


class TestAnotherClock:
    @pytest.mark.law("L057")
    def test_what_it_shows_is_kept_with_the_move_after_which_it_was_read(self) -> None:
        table = CoreTable(master=ClockMaster.MANUAL)
        play(table, "e4 e5")
        before = table.state.moves.plies
        read = ev.ClockRead(at=4_000, ply=1, white_ms=111, black_ms=222)
        after = apply(table.state, read)
        assert after.time.clock_read == (4_000, 111, 222)
        assert after.moves.plies == (replace(before[0], white_ms=111, black_ms=222), before[1])
        none = apply(table.state, replace(read, ply=0))
        assert none.time.clock_read == (4_000, 111, 222) and none.moves.plies == before


def test_what_is_due_is_noted_first_no_matter_who_gives_the_next_command() -> None:
    table = CoreTable(control="60")
    table.wait(60_000)
    assert only(table.done("black", cmd.AskForCues()), ev.FlagFell) == [ev.FlagFell(at=61_000, seat=W)]
