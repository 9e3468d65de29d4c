"""Modes and clock masters are state, switched by event; a mode stops no clock."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Command, Refusal
from server.game.decide.decide import decide
from server.game.state.state import GameState
from server.game.values.time_control import TimeControl
from server.game.values.words import ClockMaster, Mode, Seat, SeatKind, SeatPlan
from server.game.views.view import view
from tests.game.core_table import CoreTable, kinds, only, play


def test_modes_switch_in_mid_game_without_touching_the_clock() -> None:
    table = CoreTable()
    clock = table.state.time.clock
    for mode in (Mode.RELAY, Mode.CLOCK, Mode.TABLE, Mode.CLOCK, Mode.RELAY):
        table.wait(1_000)
        table.mode(mode)
        assert table.state.table.mode is mode and table.state.time.clock == clock


def test_relay_needs_its_approval_on_record_also_at_the_opening() -> None:
    table = CoreTable()
    assert table.do("arbiter", cmd.SetMode(mode=Mode.RELAY)) == Refusal("relay_needs_approval", "D.1")
    plan = SeatPlan(SeatKind.TACTILE)
    body = cmd.OpenTable(
        white=plan, black=plan, control=TimeControl.parse("60"), start_fen="8/8/8/8/8/8/8/8 w - - 0 1", mode=Mode.RELAY
    )
    command = Command(id="0" * 32, table="t", station="program", body=body)
    assert decide(GameState(), command, 0) == Refusal("relay_needs_approval", "D.1")


def test_in_relay_the_opponent_hears_the_words_as_said_and_in_table_they_do_not() -> None:
    for mode in Mode:
        table = CoreTable()
        table.mode(mode)
        announced = only(table.say("white", "Nf3"), ev.Announced)[0]
        black = table.state.stations.find("black")
        assert black is not None
        told = view(announced, table.state, black)
        assert (getattr(told, "words", None) == ("Nf3",)) is (mode is Mode.RELAY), mode


@pytest.mark.parametrize("master", [ClockMaster.LIVECHESS, ClockMaster.MANUAL])
def test_with_another_clock_the_server_reads_and_still_completes_moves(master: ClockMaster) -> None:
    table = CoreTable(master=master)
    for mover, text in (("white", "e4"), ("black", "e5"), ("white", "Nf3")):
        table.say(mover, text, act="announce")
        table.wait(60_000)
        events = table.press(mover)
        assert not only(events, ev.ClockPressed)[0].effective and only(events, ev.Completed)
    assert table.state.time.clock.running is None
    assert table.state.time.clock.time_used(Seat.WHITE, table.now) == 0, "the server's clock is not the clock"
    asked = only(table.done("white", cmd.Ask(what="moves")), ev.Answered)[0]
    assert asked.moves == 2, "moves completed are counted without the server's clock"


def test_when_the_servers_clock_leads_again_it_stands_for_the_player_on_move() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.press("white")
    table.wait(10_000)
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
    assert table.state.time.clock.running is None
    play(table, "e5")
    table.wait(10_000)
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
    assert table.state.time.clock.running is None
    table.done("arbiter", cmd.Resume())
    assert table.state.time.clock.running is Seat.WHITE
    assert table.state.time.clock.time_used(Seat.BLACK, table.now) == 10_000
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
    assert table.state.time.clock.running is Seat.WHITE, "the same master again changes nothing"


def test_a_paused_clock_keeps_presses_and_completes_nothing() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.done("black", cmd.CallArbiter(reason="question"))
    table.wait(99_000)
    assert kinds(table.press("white")) == ["ClockPressed"]
    table.done("arbiter", cmd.Resume())
    table.press("white")
    assert table.ply(1).completed and table.state.time.clock.time_used(Seat.WHITE, table.now) == 0


@pytest.mark.law("L064")
class TestFlags:
    def test_a_flag_ends_nothing_and_goes_to_the_arbiter(self) -> None:
        table = CoreTable(control="60")
        table.wait(60_000)
        events = table.own(cmd.NoteInstant())
        assert kinds(events) == ["FlagFell", "Alerted"] and not table.state.over
        assert table.state.time.clock.first_flag is Seat.WHITE and table.state.time.clock.running is Seat.WHITE
        table.say("white", "e4")
        table.press("white")
        assert table.ply(1).completed, "the game goes on until it is observed or claimed"

    def test_a_press_that_comes_before_the_note_does_not_take_the_flag_back(self) -> None:
        table = CoreTable(control="60+30")
        table.say("white", "e4")
        table.wait(90_005)
        events = table.press("white")
        fell = only(events, ev.FlagFell)[0]
        assert fell.at == 1_000 + 90_000 and events.index(fell) == 0
        assert table.state.time.clock.white.flagged and table.state.time.clock.remaining(Seat.WHITE, table.now) == -5
        assert table.own(cmd.NoteInstant()) == ()

    def test_a_note_that_comes_after_the_arbiters_setting_marks_nothing(self) -> None:
        table = CoreTable(control="60")
        table.wait(59_000)
        table.done("arbiter", cmd.SetClock(white_ms=120_000, black_ms=60_000, turn=Seat.WHITE))
        table.wait(1_000)
        assert table.own(cmd.NoteInstant()) == ()

    def test_a_claim_stands_the_clocks_for_the_arbiter_and_ends_nothing(self) -> None:
        table = CoreTable(control="60")
        table.wait(60_000)
        table.done("black", cmd.ClaimTime())
        assert table.state.time.clock.running is None and not table.state.over
        assert table.state.time.clock.first_flag is Seat.WHITE


class TestInterruptions:
    @pytest.mark.parametrize(
        ("reason", "words"),
        [
            ("the_program_was_stopped", "the program was stopped"),
            ("the_machine_slept_or_its_clock_jumped", "the computer slept, or its clock jumped"),
            ("the_record_was_silent", "the database of the record did not answer"),
            ("the_server_was_out_of_reach", "the server of the table was out of reach"),
        ],
    )
    def test_clocks_stand_at_the_last_witness(self, reason: Any, words: str) -> None:
        table = CoreTable(control="600")
        table.wait(100_000)
        table.own(cmd.NoteInterruption(witness_ms=31_000, uncertain_ms=70_000, reason=reason))
        clock = table.state.time.clock
        assert clock.running is None and clock.white.remaining_ms == 570_000 and clock.white.used_ms == 30_000
        told = only(tuple(table.events), ev.Alerted)[-1]
        assert told.kind == "interrupted" and told.detail.startswith(f"{words}; the clocks show")

    def test_a_long_absence_drops_no_flag(self) -> None:
        table = CoreTable(control="60")
        table.wait(3_600_000)
        events = table.own(
            cmd.NoteInterruption(witness_ms=11_000, uncertain_ms=3_590_000, reason="the_program_was_stopped")
        )
        assert not only(events, ev.FlagFell) and table.state.time.clock.white.remaining_ms == 50_000

    def test_both_flags_stay_as_they_fell(self) -> None:
        table = CoreTable(control="60")
        table.wait(60_000)
        table.own(cmd.NoteInstant())
        table.say("white", "e4")
        table.press("white")
        table.wait(61_000)
        table.own(cmd.NoteInstant())
        table.wait(5_000)
        table.own(cmd.NoteInterruption(witness_ms=table.now, uncertain_ms=0, reason="the_program_was_stopped"))
        clock = table.state.time.clock
        assert clock.white.flagged and clock.black.flagged and clock.first_flag is Seat.WHITE
        reading = clock.reading(table.now)
        assert (reading.white_ms, reading.black_ms) == (0, 0)
        table.done("arbiter", cmd.Resume())
        assert clock.time_used(Seat.BLACK, table.now) == 66_000


@pytest.mark.law("L058", "L066")
@pytest.mark.parametrize(("control", "shown", "left"), [("60d5", 60_000, 50_000), ("60b5", 61_000, 55_000)])
def test_a_delay_that_had_passed_before_a_crash_is_not_given_again(control: str, shown: int, left: int) -> None:
    """4 s of the 5 s were used when the program was last seen alive: 1 s is left of them, then the main time runs."""
    table = CoreTable(control=control)
    began = table.now
    table.wait(2_000)
    table.done("arbiter", cmd.Pause())
    table.done("arbiter", cmd.Resume())
    table.wait(30_000)
    table.own(cmd.NoteInterruption(witness_ms=began + 4_000, uncertain_ms=28_000, reason="the_program_was_stopped"))
    clock = table.state.time.clock
    assert clock.reading(table.now).white_ms == shown and clock.time_used(Seat.WHITE, table.now) == 4_000
    table.done("arbiter", cmd.Resume())
    assert table.state.time.clock.flag_at() == table.now + 61_000
    table.wait(11_000)
    table.press("white")
    assert table.state.time.clock.time_used(Seat.WHITE, table.now) == 15_000
    assert table.state.time.clock.remaining(Seat.WHITE, table.now) == left


@pytest.mark.law("L057", "L059", "L067")
def test_after_another_clock_the_time_of_the_next_period_comes_at_its_own_move() -> None:
    """The moves that it counted are counted by ours; the arbiter sets the times (6.10.2)."""
    table = CoreTable(control="3/600:300")
    play(table, "e4 e5")
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
    play(table, "Nf3 Nc6")
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
    for seat in Seat:
        table.done("arbiter", cmd.CorrectClock(seat=seat, ms=60_000))
    table.done("arbiter", cmd.Resume())
    play(table, "Bb5 a6")
    clock = table.state.time.clock
    assert [(one.moves, one.period, one.remaining_ms) for one in (clock.white, clock.black)] == [(3, 1, 360_000)] * 2


@pytest.mark.law("L057", "L059", "L067")
@pytest.mark.parametrize("one_by_one", [True, False])
def test_a_counter_that_the_arbiter_sets_takes_its_period_with_it(one_by_one: bool) -> None:
    """Nothing is added at a later move to the time that the display was set to."""
    table = CoreTable(control="3/600:300")
    play(table, "e4 e5")
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
    play(table, "Nf3 Nc6 Bb5 a6")
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
    if one_by_one:
        for seat in Seat:
            table.done("arbiter", cmd.CorrectClock(seat=seat, ms=400_000, completed=3))
    else:
        times = cmd.SetClock(white_ms=400_000, black_ms=400_000, turn=Seat.WHITE, reason="read", moves=(3, 3))
        table.done("arbiter", times)
    table.done("arbiter", cmd.Resume())
    play(table, "Ba4 b5")
    clock = table.state.time.clock
    assert [(one.moves, one.period, one.remaining_ms) for one in (clock.white, clock.black)] == [(4, 1, 400_000)] * 2
