"""The times that are typed in of another clock count: for 8.4, and as the times of the moves (D.2.6.2, 7.1; L193)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.scores import exempt_now
from server.game.game import Game
from server.game.values.words import ClockMaster, Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.alerts import AlertKinds
from server.game.views.overview import overview
from server.game.views.view import changes_picture, greeting, picture, view
from tests.game.core_table import CoreTable, only, play, refused

MINUTE = 60_000
MASTERS = pytest.mark.parametrize("master", [ClockMaster.MANUAL, ClockMaster.LIVECHESS])


def read(table: CoreTable, white_ms: int, black_ms: int) -> None:
    table.done("arbiter", cmd.ReadClock(white_ms=white_ms, black_ms=black_ms))


def times(table: CoreTable) -> list[tuple[int | None, int | None]]:
    assert Game.replay(table.events) == table.state
    return [(one.white_ms, one.black_ms) for one in table.state.moves.plies]


@pytest.mark.law("L094", "L193")
@MASTERS
@pytest.mark.parametrize(("control", "exempt"), [("5400", True), ("5400+29", True), ("5400+30", False)])
def test_l193_a_time_under_five_minutes_that_was_read_off_exempts(
    master: ClockMaster, control: str, exempt: bool
) -> None:
    table = CoreTable(control=control, master=master)
    read(table, 5 * MINUTE, 80 * MINUTE)
    assert exempt_now(table.state) == ()
    read(table, 5 * MINUTE - 1_000, 80 * MINUTE)
    found = [one.seat for one in only(table.events, ev.RecordingExempted)]
    assert found == ([Seat.WHITE] if exempt else []) and exempt_now(table.state) == tuple(found)
    table.wait(10 * MINUTE)
    play(table, "e4")
    assert [one.seat for one in only(table.events, ev.RecordingExempted)] == found, "told once; Black is not"


@pytest.mark.law("L094")
def test_our_own_clock_exempts_nobody_where_it_does_not_lead() -> None:
    table = CoreTable(control="400")
    table.wait(90_000)
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
    table.wait(MINUTE)
    assert only(table.events, ev.RecordingExempted) == [], "it stood at 5:10, and nobody has looked at the other one"
    table.done("black", cmd.CallArbiter(stop=False))
    assert exempt_now(table.state) == ()


@pytest.mark.law("L193", "L198")
@MASTERS
def test_l193_what_is_read_off_after_a_move_is_the_time_of_that_move(master: ClockMaster) -> None:
    table = CoreTable(master=master)
    play(table, "e4")
    assert times(table) == [(None, None)], "nothing is known, and our own clock says nothing of it"
    table.wait(4_000)
    read(table, 89 * MINUTE, 90 * MINUTE)
    play(table, "e5")
    assert times(table) == [(89 * MINUTE, 90 * MINUTE)] * 2, "Black has moved at this instant"
    table.wait(10_000)
    play(table, "Nf3")
    assert times(table)[2] == (None, None), "an old reading is not its time"
    table.wait(30_000)
    read(table, 80 * MINUTE, 85 * MINUTE)
    table.say("black", "Nc6", act="announce")
    table.wait(90_000)
    read(table, 80 * MINUTE, 70 * MINUTE)
    assert times(table)[2] == (80 * MINUTE, 85 * MINUTE), "the first after it; a move was under way at the second"


@pytest.mark.law("L193", "L198")
def test_l193_a_time_typed_in_wrong_is_mended_by_the_next() -> None:
    table = CoreTable(master=ClockMaster.MANUAL)
    play(table, "e4")
    table.wait(10_000)
    read(table, 35 * MINUTE, 90 * MINUTE)
    table.wait(20_000)
    read(table, 35 * 6_000, 90 * MINUTE)
    assert times(table) == [(210_000, 90 * MINUTE)]
    table.wait(5 * MINUTE)
    read(table, 210_000, 84 * MINUTE)
    assert times(table) == [(210_000, 90 * MINUTE)], "Black has thought since: that is no time of White's move"
    read(table, 35 * MINUTE, 84 * MINUTE)
    assert times(table) == [(35 * MINUTE, 84 * MINUTE)], "no clock gains time: the first was wrong"


@pytest.mark.law("L074", "L193")
def test_l193_a_restoring_sets_the_times_that_were_read_off() -> None:
    table = CoreTable(master=ClockMaster.MANUAL)
    play(table, "e4")
    table.wait(10_000)
    play(table, "e5")
    refused = table.do("arbiter", cmd.RestoreTo(ply=1, times="stored"))
    assert refused == Refusal("no_stored_times", "7.1"), "never read off: none is made up"
    read(table, 200_000, 5_000_000)
    play(table, "Nf3 Nc6")
    table.done("arbiter", cmd.RestoreTo(ply=2, times="stored"))
    (was_set,) = only(table.events, ev.ClockSet)
    assert (was_set.white_ms, was_set.black_ms) == (200_000, 5_000_000)


@pytest.mark.law("L193")
@MASTERS
def test_l193_who_looks_at_a_clock_sees_what_was_read_off_the_one_that_counts_and_never_our_standing_one(
    master: ClockMaster,
) -> None:
    table = CoreTable(control="600")
    black, display = Station("black", Role.PLAYER, Seat.BLACK), Station("display", Role.DISPLAY)
    observer = Station("observer", Role.OBSERVER)
    table.wait(1_000)
    (changed,) = table.done("arbiter", cmd.SetClockMaster(clock_master=master))

    def seen() -> set[tuple[Any, ...]]:
        shown: list[Any] = [greeting(table.state, one, table.now).clock for one in (black, display, observer)]
        shown += [picture(table.state, table.now), overview((("t", table.state),), table.now, AlertKinds())[0]]
        return {(one.white_ms, one.black_ms, one.running, one.age_ms) for one in shown}

    told = view(changed, table.state, black)
    assert isinstance(told, msg.ClockShown) and (told.white_ms, told.black_ms) == (None, None)
    assert isinstance(told.told, msg.ClockMasterShown) and seen() == {(None, None, None, None)}
    (reading,) = table.done("arbiter", cmd.ReadClock(white_ms=500_000, black_ms=400_000))
    table.wait(5_000)
    assert seen() == {(500_000, 400_000, None, 5_000)}
    assert changes_picture(reading) and view(reading, table.state, black) is None, "nobody is told, it is shown"
    shown = view(reading, table.state, display)
    assert isinstance(shown, msg.ClockShown) and (shown.white_ms, shown.age_ms) == (500_000, 0)
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
    assert seen() == {(599_000, 600_000, None, None)}


@pytest.mark.law("L193", "L057")
def test_before_the_start_every_clock_shows_how_it_is_set() -> None:
    table = CoreTable(control="600", master=ClockMaster.MANUAL, started=False)
    shown = picture(table.state, table.now)
    assert (shown.white_ms, shown.black_ms, shown.age_ms) == (600_000, 600_000, None)


@pytest.mark.law("L192", "L193")
@MASTERS
def test_who_asks_for_the_time_is_told_what_was_read_off_the_clock_that_counts_and_how_long_ago(
    master: ClockMaster,
) -> None:
    table = CoreTable(control="40/5400+30:900", master=master)

    def told(station: str = "white") -> ev.AnyEvent:
        (answered,) = table.done(station, cmd.Ask(what="time"))
        return answered

    unread = ev.Answered(
        at=1_000, seat=Seat.WHITE, station="white", what="time", white_ms=5_430_000, black_ms=5_430_000,
        white_used_ms=0, black_used_ms=0, moves=0, running=None,
    )  # fmt: skip
    refused(table.do("white", cmd.Ask(what="time")), "clock_not_read", "D.2.6")
    read(table, 60_000, 50_000)
    table.wait(3_000)
    assert told() == replace(unread, at=4_000, white_ms=60_000, black_ms=50_000, age_ms=3_000)
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
    ours = replace(unread, at=4_000, to_control=40, period=1, periods=2)
    assert told() == ours, "what was read off another clock is of no use any more"
    table.done("arbiter", cmd.Resume())
    table.wait(2_000)
    ours = replace(ours, at=6_000, white_ms=5_428_000, white_used_ms=2_000, running=Seat.WHITE)
    assert told() == ours and told("black") == replace(ours, seat=Seat.BLACK, station="black")
    play(table, "e4")
    ours = replace(ours, white_ms=5_458_000, moves=1, running=Seat.BLACK, to_control=39)
    assert told() == ours
    assert told("black") == replace(ours, seat=Seat.BLACK, station="black", moves=0, to_control=40)
    assert told("program") == replace(ours, seat=Seat.BLACK, station="", moves=0, to_control=40)


@pytest.mark.law("L192")
def test_of_the_last_period_no_moves_are_left_to_make_and_whose_flag_fell_first_is_told() -> None:
    table = CoreTable(control="1/60:60")
    play(table, "e4")
    table.wait(61_000)
    table.own(cmd.NoteInstant())
    white, black = (only(table.done(one, cmd.Ask(what="time")), ev.Answered)[0] for one in ("white", "black"))
    assert (white.to_control, white.period, white.periods, white.first_flag) == (None, 2, 2, Seat.BLACK)
    assert (black.to_control, black.period, black.periods, black.first_flag) == (1, 1, 2, Seat.BLACK)
