"""Points of a result (10.1, 10.2; L115, L116), both flags down (III.3.1; L234), the display (6.12.1; L072)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "play"))
from core_table import CoreTable, only

from server.play import commands as cmd
from server.play import events as ev
from server.play import messages as msg
from server.play.rules.event_options import EventOptions, Points
from server.play.values import ClockMaster, Role, Seat, SeatKind, Station
from server.play.views import picture, view

THREE = EventOptions(points=Points.THREE)


def ended(result: str, regulations: EventOptions | None = None) -> CoreTable:
    table = CoreTable(regulations=regulations)
    body = {"do": "rule_result", "result": result, "reason": "ruled"}
    table.done("arbiter", msgspec.convert(body, cmd.RuleResult))
    return table


@pytest.mark.law("L115", "L116")
@pytest.mark.parametrize(
    ("result", "one", "three"),
    [
        ("1-0", ("1", "0"), ("3", "0")),
        ("0-1", ("0", "1"), ("0", "3")),
        ("1/2-1/2", ("1/2", "1/2"), ("1", "1")),
        ("0-0", ("0", "0"), ("0", "0")),
        ("1/2-0", ("1/2", "0"), ("1", "0")),
        ("0-1/2", ("0", "1/2"), ("0", "1")),
        ("+/-", ("1", "0"), ("3", "0")),
        ("-/-", ("0", "0"), ("0", "0")),
    ],
)
def test_l115_the_arbiter_sees_the_points_by_the_scheme_of_the_event(result: str, one: Any, three: Any) -> None:
    for regulations, points in ((None, one), (THREE, three)):
        table = ended(result, regulations)
        shown = view(table.events[-1], table.state, Station("arbiter", Role.ARBITER))
        assert isinstance(shown, msg.Recorded) and shown.picture is not None and shown.picture.points == points
        for seat in Seat:
            told = view(table.events[-1], table.state, Station(seat.value, Role.PLAYER, seat))
            assert told == msg.Ended(result=result, reason="ruled", article="")


@pytest.mark.law("L115")
def test_l115_without_a_result_there_are_no_points() -> None:
    table = CoreTable()
    assert picture(table.state, table.now).points is None


@pytest.mark.law("L116")
def test_l116_a_penalty_may_leave_an_uneven_result_and_nothing_above_the_most() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.Penalise(seat=Seat.WHITE, penalty="loss", opponents="draw"))
    assert picture(table.state, table.now).points == ("0", "1/2")


def both(control: str, master: ClockMaster, *, fen: str | None = None, periods: tuple[int, int] | None = None) -> str:
    more = {} if fen is None else {"fen": fen}
    table = CoreTable(control=control, master=master, regulations=EventOptions(guidelines=("III",)), **more)  # type: ignore[arg-type]
    if periods is not None:
        table.done("arbiter", cmd.SetClock(white_ms=0, black_ms=0, turn=Seat.WHITE, reason="seen", periods=periods))
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE, both=True))
    assert only(table.events, ev.FlagCalled)[-1].both and not table.state.over, "the arbiter decides"
    assert table.state.clock.running is None
    (alert,) = [alert for alert in only(table.events, ev.Alerted) if alert.kind == "flags_called"]
    assert not alert.grey
    return alert.detail


@pytest.mark.law("L234")
def test_l234_order_unknown_drawn_in_the_last_period_else_play_goes_on() -> None:
    assert "the last period: drawn, 1/2-1/2 (III.3.1)" in both("1800", ClockMaster.MANUAL)
    assert "not the last period: continue (III.3.1)" in both("40/7200:1800", ClockMaster.SERVER, periods=(0, 0))
    assert "the last period: drawn, 1/2-1/2" in both("40/7200:1800", ClockMaster.SERVER, periods=(1, 1))
    assert "in the last period drawn, else continue" in both("40/7200:1800", ClockMaster.MANUAL)


@pytest.mark.law("L234")
def test_l234_a_digital_clock_knows_the_order() -> None:
    table = CoreTable(control="300", regulations=EventOptions(guidelines=("III",)), white=SeatKind.SIGHTED)
    table.wait(300_000)
    table.say("white", "e4", act="announce")
    table.press("white")
    table.wait(300_000)
    table.done("arbiter", cmd.CallFlag(seat=Seat.BLACK, both=True))
    assert table.state.clock.first_flag is Seat.WHITE
    asked = only(table.events, ev.MateAsked)
    assert asked and asked[-1].seat is Seat.BLACK, "6.9 for the first that fell: can Black ever mate?"
    upright = both("300", ClockMaster.SERVER)
    assert "flag has not fallen on this clock" in upright


@pytest.mark.law("L072")
def test_l072_a_display_in_the_hall_shows_the_position_and_the_move_and_no_judgement() -> None:
    seen = []
    for words in ("e4", "Ke3"):
        table = CoreTable()
        display = Station("display", Role.DISPLAY)
        table.say("white", words)
        assert view(table.events[-1], table.state, display) is None, "not before the press"
        events = table.press("white")
        shown = [one for event in events if isinstance(one := view(event, table.state, display), msg.Shown)]
        assert shown and shown[-1].text == words
        assert shown[-1].placement == table.placement(Seat.WHITE)
        seen.append({type(view(event, table.state, display)) for event in events})
    assert seen[0] == seen[1], "legal or not, the same kinds of messages"
