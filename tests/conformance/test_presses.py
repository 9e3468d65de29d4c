"""Presses with too little before them (D.2.3, D.2.4, 6.2.4, 7.5.3; G1, G2, G7)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import ClockMaster, Mode, Seat
from server.game.views import messages as msg
from tests.conformance.law_table import sensed, unannounced
from tests.game.core_table import CoreTable, alerts, only, play, told


@pytest.mark.law("L190")
def test_l190_nothing_is_made_of_silence_where_nothing_is_ever_heard_and_nothing_of_sealed_evidence() -> None:
    table = CoreTable()
    table.press("white")
    assert not alerts(table, "premature_press")
    sealed = CoreTable()
    sensed(sealed, Seat.WHITE, "e2")
    sealed.press("white")
    sealed.press("black")
    sealed.press("white")
    found = [alert.kind for alert in only(sealed.events, ev.Alerted)]
    assert "premature_press" not in found and "press_without_move" not in found


def test_g1_the_clock_goes_back_until_the_player_speaks_and_no_press_gains_by_it() -> None:
    table = unannounced("clock_back")
    before = table.state.time.clock
    table.press("black")
    table.press("black")
    assert table.state.time.clock == before, "no increment for pressing on"
    table.wait(4_000)
    table.mumble("black", "u9")  # a clock never waits for the machine to understand
    assert table.state.time.clock.running is Seat.WHITE and table.state.time.owed is None
    assert table.state.time.clock.time_used(Seat.BLACK, table.now) == 7_000
    assert table.state.time.clock.black.moves == 1
    assert not [one for one in told(table, Seat.WHITE) if isinstance(one, msg.ClockShown)]


@pytest.mark.law("L058", "L191")
@pytest.mark.parametrize(
    ("control", "handed_back", "spoken"),
    [
        ("60d5", 60_000, 58_000),  # 3 s of the delay were used, 2 s pass before the main time, which loses 2 s
        ("60b5", 62_000, 63_000),  # the same with the extra on the display: 58 s of main time and 5 s for the next move
        ("60+5", 67_000, 63_000),  # the increment of the press is there once
        ("60", 57_000, 53_000),
    ],
)
def test_g1_the_clock_that_goes_back_goes_on_with_what_was_left_of_the_delay(
    control: str, handed_back: int, spoken: int
) -> None:
    """Black thinks 3 s, presses in silence, and speaks 4 s later: one move of 7 s."""
    table = CoreTable(control=control)
    table.adapt("sighted_press_without_announcement", "clock_back")
    play(table, "e4")
    white = table.state.time.clock.remaining(Seat.WHITE, table.now)
    table.wait(3_000)
    (turned,) = only(table.press("black"), ev.ClockSet)
    assert turned == ev.ClockSet(
        at=table.now, white_ms=white, black_ms=handed_back, turn=Seat.BLACK, reason="unannounced_press", move_ms=3_000
    )
    assert table.state.time.clock.flag_at() == table.now + handed_back + (2_000 if control == "60d5" else 0)
    table.wait(4_000)
    (turned,) = only(table.mumble("black", "u9"), ev.ClockSet)
    assert turned == ev.ClockSet(at=table.now, white_ms=white, black_ms=spoken, turn=Seat.WHITE, reason="announced")
    clock = table.state.time.clock
    assert (clock.running, clock.black.moves, clock.black.used_ms) == (Seat.WHITE, 1, 7_000)


@pytest.mark.law("L058", "L191")
def test_g1_who_pressed_and_speaks_within_the_delay_has_lost_no_time() -> None:
    for control, shown in (("60d5", 60_000), ("60b5", 65_000)):
        table = CoreTable(control=control)
        table.adapt("sighted_press_without_announcement", "clock_back")
        play(table, "e4")
        table.wait(3_000)
        table.press("black")
        table.wait(2_000)
        table.mumble("black", "u9")
        assert table.state.time.clock.reading(table.now).black_ms == shown


@pytest.mark.law("L052", "L191")
@pytest.mark.parametrize(
    "ends",
    [
        cmd.SetMode(mode=Mode.CLOCK),
        cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"),
        cmd.RecordAdaptation(name="sighted_press_without_announcement", value="note"),
    ],
)
def test_g1_nothing_is_owed_any_more_once_the_program_does_not_ask_for_the_words(ends: cmd.AnyAct) -> None:
    """The clock goes on as by the press, and each later press counts (6.2.2)."""
    table = unannounced("clock_back")
    assert table.state.time.owed is Seat.BLACK
    table.wait(4_000)
    another = cmd.RecordAdaptation(name="position_readout", value="on")
    assert not only(table.done("arbiter", another), ev.ClockSet) and table.state.time.owed is Seat.BLACK
    (turned,) = only(table.done("arbiter", ends), ev.ClockSet)
    assert (turned.turn, turned.reason, table.state.time.owed) == (Seat.WHITE, "announced", None)
    (pressed,) = only(table.press("white"), ev.ClockPressed)
    assert pressed.effective and table.state.time.clock.running is Seat.BLACK


@pytest.mark.law("L052", "L191", "L234")
def test_g1_another_clock_owes_nothing_to_ours() -> None:
    table = unannounced("clock_back")
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.LIVECHESS))
    table.say("white", "Nf3", act="announce")
    table.own(cmd.NotePress(seat=Seat.WHITE))
    assert table.state.time.owed is None and table.ply(3).completed


@pytest.mark.law("L049", "L052", "L067", "L191")
def test_g1_the_opponent_who_answers_shows_that_the_move_was_conveyed() -> None:
    """No clock runs for the wrong side, and both counters are those of the moves made."""
    table = unannounced("clock_back")
    table.wait(5_000)
    assert not only(table.say("white", "Nf3", act="announce"), ev.ClockSet), (
        "it may be what the recogniser made of talk"
    )
    (turned,) = only(table.press("white"), ev.ClockSet)
    assert (turned.turn, table.state.time.owed, table.state.time.clock.running) == (Seat.WHITE, None, Seat.BLACK)
    table.wait(5_000)
    assert not only(table.say("black", "Nc6", act="announce"), ev.ClockSet)
    table.press("black")
    clock = table.state.time.clock
    assert (clock.running, clock.white.moves, clock.black.moves) == (Seat.WHITE, 2, 2)


@pytest.mark.law("L049", "L068", "L191")
def test_g1_a_press_while_the_clocks_stand_settles_nothing() -> None:
    table = unannounced("clock_back")
    table.say("white", "Nf3", act="announce")
    table.done("arbiter", cmd.Pause())
    assert not only(table.press("white"), ev.ClockSet)
    table.done("arbiter", cmd.Resume())
    assert (table.state.time.owed, table.state.time.clock.running) == (Seat.BLACK, Seat.BLACK)
