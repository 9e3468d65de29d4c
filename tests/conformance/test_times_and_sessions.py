"""Times outside the plies: scheduled start, default time, sessions, low time, flags (6.4, 6.6, 6.7, 12.3, I.14)."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.time.instants import next_instant, pending
from server.game.game import Game
from server.game.laws.attendance import loses_the_time
from server.game.laws.event_options import EventOptions
from server.game.values.time_control import TimeControl
from server.game.values.words import Duty, Role, Seat, SeatKind, SeatPlan, Station
from server.game.views import messages as msg
from server.game.views.view import view
from server.wording.rules import load_low_times
from speech.complaint import Complaint
from tests.game.core_table import CoreTable, alerts, only
from tests.table.open_hall import reopened, turn

MINUTE = 60_000


def told(table: CoreTable, event: ev.AnyEvent, role: Role = Role.PLAYER) -> msg.AnyMessage | None:
    """What a player's, an assistant's or a display's station is told of an event."""
    return view(event, table.state, Station("x", role, None if role is Role.DISPLAY else Seat.WHITE))


def only_the_arbiter_hears(table: CoreTable, event: ev.AnyEvent) -> bool:
    others = [told(table, event, role) for role in (Role.PLAYER, Role.ASSISTANT, Role.DISPLAY)]
    return others == [None] * 3 and isinstance(view(event, table.state, Station("a", Role.ARBITER)), msg.Recorded)


def appointed(in_ms: int = MINUTE, default_time_s: int = 0) -> CoreTable:
    table = CoreTable(started=False, regulations=EventOptions(default_time_s=default_time_s))
    table.done("arbiter", cmd.ScheduleStart(in_ms=in_ms))
    return table


@pytest.mark.law("L061")
def test_whites_clock_starts_at_the_appointed_time() -> None:
    table = appointed()
    due = table.now + MINUTE
    assert next_instant(table.state) is not None and table.state.schedule.appointed_ms == due
    table.wait(MINUTE - 1)
    assert table.own(cmd.NoteInstant()) == () and not table.state.table.started
    table.wait(300)  # the table's task woke a little late: the clock runs from the appointed instant all the same
    events = table.own(cmd.NoteInstant())
    assert only(events, ev.GameStarted)[0].at == due
    assert table.state.time.clock.running is Seat.WHITE
    assert table.state.time.clock.time_used(Seat.WHITE, table.now) == table.now - due
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L061")
def test_an_appointment_can_be_taken_back_and_a_missed_one_is_the_arbiters() -> None:
    table = appointed()
    table.done("arbiter", cmd.ScheduleStart(in_ms=None))
    assert next_instant(table.state) is None
    table.done("arbiter", cmd.ScheduleStart(in_ms=1_000))
    table.wait(60_000)  # the machine slept over it
    table.own(cmd.NoteInstant())
    assert not table.state.table.started and len(alerts(table, "start_held")) == 1
    assert next_instant(table.state) is None
    table.done("arbiter", cmd.StartGame())
    assert table.do("arbiter", cmd.ScheduleStart(in_ms=5)) == Refusal("already_started", "6.6")
    assert table.do("white", cmd.ScheduleStart(in_ms=5)) == Refusal("only_the_arbiter", "12.3")


@pytest.mark.law("L061")
def test_the_first_press_after_the_appointed_time_finds_the_game_begun() -> None:
    """Whatever arrives first at or after the instant: the start is noted before it."""
    table = appointed()
    table.wait(MINUTE + 5)
    table.press("white")
    assert table.state.table.started and table.state.time.clock.running is Seat.BLACK


@pytest.mark.law("L062")
def test_default_time_is_zero_unless_stated_and_the_result_waits_for_the_arbiter() -> None:
    table = appointed()
    table.done("arbiter", cmd.NotePresent(seat=Seat.WHITE))
    table.wait(MINUTE)
    over = only(table.own(cmd.NoteInstant()), ev.DefaultTimeOver)
    assert [(one.absent, one.proposed) for one in over] == [((Seat.BLACK,), "+/-")]
    assert not table.state.over, "nothing ends by itself"
    assert only_the_arbiter_hears(table, over[0])
    table.done("arbiter", cmd.RuleAbsence(forfeit=True))
    assert (table.state.ending.result, table.state.ending.reason) == ("+/-", "forfeit")


@pytest.mark.law("L062")
@pytest.mark.parametrize(("present", "proposed"), [((), "-/-"), ((Seat.BLACK,), "-/+"), ((Seat.WHITE,), "+/-")])
def test_who_is_absent_at_the_end_of_the_default_time(present: tuple[Seat, ...], proposed: str) -> None:
    table = appointed(default_time_s=900)
    for seat in present:
        table.done("arbiter", cmd.NotePresent(seat=seat))
    table.wait(MINUTE)
    table.own(cmd.NoteInstant())
    table.wait(900_000 - 1)
    assert table.own(cmd.NoteInstant()) == ()
    table.wait(1)
    table.own(cmd.NoteInstant())
    assert only(table.events, ev.DefaultTimeOver)[0].proposed == proposed


@pytest.mark.law("L062")
def test_the_arbiter_may_decide_otherwise_and_hears_of_a_late_arrival() -> None:
    table = appointed(default_time_s=900)
    helper = table.assistant(Seat.WHITE, Duty.CLAIM_AND_REPORT)
    table.done("arbiter", cmd.NotePresent(seat=Seat.WHITE))
    assert table.do("arbiter", cmd.RuleAbsence(forfeit=True)) == Refusal("nobody_absent", "6.7.1")
    table.wait(MINUTE)
    table.own(cmd.NoteInstant())
    table.wait(900_000)
    table.own(cmd.NoteInstant())
    assert only(table.done(helper, cmd.NotePresent(seat=Seat.BLACK)), ev.PresenceNoted)[0].late
    assert len(alerts(table, "late_arrival")) == 1
    table.done("arbiter", cmd.RuleAbsence(forfeit=False, reason="the lift stood still"))
    assert not table.state.over and table.state.schedule.absent == ()


@pytest.mark.law("L062")
def test_who_came_in_time_or_moved_is_not_absent_and_a_device_is_no_person() -> None:
    table = appointed(default_time_s=900)
    table.wait(MINUTE)
    table.say("white", "e4")
    table.press("white")
    table.wait(899_000)
    table.done("arbiter", cmd.NotePresent(seat=Seat.BLACK))
    table.wait(5_000)
    table.own(cmd.NoteInstant())
    assert only(table.events, ev.DefaultTimeOver)[0].absent == () and not alerts(table, "default_time_over")
    alone = appointed()
    assert alone.do("white", cmd.NotePresent(seat=Seat.WHITE)) == Refusal("only_the_arbiter", "12.3")
    alone.wait(MINUTE)
    alone.own(cmd.NoteInstant())
    assert only(alone.events, ev.DefaultTimeOver)[0].absent == tuple(Seat), "their stations were on the table"


@pytest.mark.law("L063")
def test_neither_present_white_loses_all_the_time_until_they_arrive() -> None:
    table = appointed(default_time_s=1_800)
    table.wait(MINUTE)
    table.own(cmd.NoteInstant())
    table.wait(300_000)
    table.done("arbiter", cmd.NotePresent(seat=Seat.BLACK))
    assert table.state.time.clock.running is Seat.WHITE, "Black's arrival switches nothing"
    table.wait(300_000)
    table.done("arbiter", cmd.NotePresent(seat=Seat.WHITE))
    assert table.state.time.clock.time_used(Seat.WHITE, table.now) == 600_000
    assert table.state.time.clock.time_used(Seat.BLACK, table.now) == 0


@pytest.mark.law("L221")
def test_at_a_resumption_the_replier_loses_the_time() -> None:
    assert loses_the_time(900, (), Seat.BLACK) is Seat.BLACK
    assert loses_the_time(900, (), Seat.WHITE) is Seat.WHITE
    assert loses_the_time(0, (), Seat.BLACK) is None
    assert loses_the_time(0, (Seat.WHITE,), Seat.BLACK) is Seat.BLACK


@pytest.mark.law("L225")
def test_a_session_is_announced_to_all_and_its_end_only_to_the_arbiter() -> None:
    table = CoreTable()
    (started,) = only(table.done("arbiter", cmd.StartSession(length_ms=4 * 60 * MINUTE)), ev.SessionStarted)
    for role in (Role.PLAYER, Role.ASSISTANT, Role.DISPLAY):
        assert told(table, started, role) == msg.SessionShown(length_ms=4 * 60 * MINUTE)
    assert table.do("arbiter", cmd.StartSession(length_ms=MINUTE)) == Refusal("session_runs", "I.14")
    table.done("arbiter", cmd.Pause())
    table.wait(4 * 60 * MINUTE)
    (ended,) = only(table.own(cmd.NoteInstant()), ev.SessionEnded)
    assert ended.at == started.at + 4 * 60 * MINUTE, "a stopped clock does not hold the session"
    assert only_the_arbiter_hears(table, ended) and len(alerts(table, "session_over")) == 1
    assert not table.state.over
    table.done("arbiter", cmd.StartSession(length_ms=MINUTE))


@pytest.mark.law("L059")
def test_at_a_flag_the_arbiter_is_shown_both_scores_and_the_counter() -> None:
    table = CoreTable(control="60", white=SeatKind.SIGHTED)
    for text in ("e4", "e5", "Nf3", "Nc6"):
        seat = table.state.on_move
        table.say(seat.value, text, act="announce")
        table.press(seat.value)
    table.done("white", cmd.WriteScore(index=1, text="e4"))
    table.done("white", cmd.WriteScore(index=3, text="Nf3"))
    table.done("black", cmd.WriteScore(index=1, text="e4"))
    table.wait(60_000)
    table.own(cmd.NoteInstant())
    (alert,) = alerts(table, "flag")
    assert alert.detail.endswith("White's moves: clock 2, White's score 2, Black's score 1")


@pytest.mark.law("L138")
def test_low_time_is_told_to_the_arbiter_once_each_and_to_nobody_else() -> None:
    table = CoreTable(control="400+10", regulations=EventOptions(low_time_s=(300, 60, 400)))
    table.wait(110_000 - 1)  # 410 s on the display at first
    table.own(cmd.NoteInstant())
    assert not only(table.events, ev.LowTime)
    table.wait(1)
    (low,) = only(table.own(cmd.NoteInstant()), ev.LowTime)
    assert (low.seat, low.threshold_s) == (Seat.WHITE, 300)
    assert only_the_arbiter_hears(table, low)
    table.press("white")  # 310 s
    table.press("black")
    table.wait(20_000)
    assert not only(table.own(cmd.NoteInstant()), ev.LowTime), "once"
    table.done("arbiter", cmd.SetClock(white_ms=59_000, black_ms=58_000, turn=Seat.BLACK))
    lows = only(table.own(cmd.NoteInstant()), ev.LowTime)
    assert [(one.seat, one.threshold_s) for one in lows] == [(Seat.BLACK, 300), (Seat.BLACK, 60)]
    table.press("black")
    assert [(o.seat, o.threshold_s) for o in only(table.own(cmd.NoteInstant()), ev.LowTime)] == [(Seat.WHITE, 60)]


@pytest.mark.law("L138")
def test_the_thresholds_are_data(tmp_path: Path) -> None:
    assert load_low_times() == (300, 60)
    (tmp_path / "rules").mkdir()
    for text, key in (("low_time_s = 5", "low_time_s"), ("low_time_s = [0]", "low_time_s"), ("low = 1", "low")):
        (tmp_path / "rules" / "alerts.toml").write_text(text)
        with pytest.raises(Complaint, match=f"config/rules/alerts.toml, key {key}"):
            load_low_times(tmp_path)


@pytest.mark.law("L061", "L225")
async def test_the_tables_task_wakes_at_an_instant_and_a_new_run_knows_none_of_the_old(tmp_path: Path) -> None:
    plan = SeatPlan(SeatKind.SIGHTED)
    control = TimeControl.parse("5400+30")
    async with reopened(tmp_path) as (hall, clock):
        table = await hall.open_table(
            cmd.OpenTable(
                white=plan, black=plan, control=control, start_fen=str(CoreTable().state.moves.positions[0].fen)
            ),
            "t1",
        )
        await table.own(table.program_command(cmd.ScheduleStart(in_ms=5_000)))
        await table.own(table.program_command(cmd.StartSession(length_ms=3_600_000)))
        for _ in range(6):
            clock.advance(1_000)
            await turn(lambda: (due := clock.next_due()) is not None and due > clock.mono_ms())
        await turn(lambda: table.state.table.started)
        assert table.state.time.clock.running is Seat.WHITE and pending(table.state) == ("session",)
        assert table.state.table.regulations.low_time_s == (300, 60)
    async with reopened(tmp_path) as (hall, clock):
        await turn(lambda: not pending(hall.table("t1").state))
        assert not hall.table("t1").clock_runs
        assert hall.table("t1").state.schedule.session_due_ms is None
