"""Points of a result (10.1, 10.2; L115, L116), both flags down (III.3.1; L234), the display (6.12.1; L072)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.laws.event_options import EventOptions, Points
from server.game.values.words import ClockMaster, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.view import changes_picture, picture, view
from tests.game.core_table import CoreTable, only

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
        assert changes_picture(table.events[-1]) and picture(table.state, table.now).points == points
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
    assert table.state.time.clock.running is None
    (alert,) = [alert for alert in only(table.events, ev.Alerted) if alert.kind == "flags_called"]
    assert not alert.grey
    return alert.detail


@pytest.mark.law("L234")
def test_l234_order_unknown_drawn_in_the_last_period_else_play_goes_on() -> None:
    assert "last period: drawn, 1/2-1/2 (III.3.1)" in both("1800", ClockMaster.MANUAL)
    told = both("40/7200:1800", ClockMaster.SERVER, periods=(0, 0))
    assert "not the last period: the game continues (III.3.1)" in told
    assert "last period: drawn, 1/2-1/2" in both("40/7200:1800", ClockMaster.SERVER, periods=(1, 1))
    assert "drawn in the last period, otherwise the game continues" in both("40/7200:1800", ClockMaster.MANUAL)


@pytest.mark.law("L232", "L233", "L234")
@pytest.mark.parametrize(
    ("control", "rule_set", "guidelines", "why"),
    [
        ("1800", "fide2023", (), "III.3.1 does not apply here (III.2.1)"),
        ("5400", "fide2018", (), "III.3.1 does not apply here (III.2.1)"),
        ("1800+5", "fide2023", ("III",), "III.3.1 does not apply here (III.2.2)"),
        ("300", "fide2023", ("III",), "III.3.1 does not apply here (III.2.2)"),
        ("180+2", "fide2023", ("III",), "III.3.1 does not apply here (III.2.2)"),
        ("180+2", "short", (), "III.3.1 does not apply here (III.2.2)"),
        ("1800", "fide2017h2", (), "the rule set does not say whether III.3.1 applies"),
    ],
)
def test_l234_no_draw_is_offered_where_guidelines_iii_do_not_hold(
    control: str, rule_set: str, guidelines: tuple[str, ...], why: str
) -> None:
    """Blitz, an increment, or not announced: then III.3.1 is no rule of this game, and the arbiter decides."""
    table = CoreTable(
        control=control,
        master=ClockMaster.MANUAL,
        rule_set=rule_set,
        regulations=EventOptions(guidelines=guidelines),  # type: ignore[arg-type]
    )
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE, both=True))
    (alert,) = [alert for alert in only(table.events, ev.Alerted) if alert.kind == "flags_called"]
    assert alert.detail == (
        "the fall of both flags has been called: both flags have fallen, the "
        f"first is not known: {why}, the arbiter decides"
    )


@pytest.mark.law("L232", "L234")
def test_l234_the_short_rules_have_the_quickplay_finish_always() -> None:
    table = CoreTable(control="1800", master=ClockMaster.MANUAL, rule_set="short")
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE, both=True))
    assert "drawn, 1/2-1/2 (III.3.1)" in only(table.events, ev.Alerted)[-1].detail


def fallen(control: str, first: Seat, **more: Any) -> CoreTable:
    """Both flags are down on the server's clock, this one first."""
    table = CoreTable(control=control, white=SeatKind.SIGHTED, **more)
    for text, ms in (("e4", 10_000 if first is Seat.BLACK else 300_000), ("e5", 300_000), ("d4", 300_000)):
        seat = table.state.on_move.value
        table.wait(ms)
        table.say(seat, text, act="announce")
        table.press(seat)
    table.own(cmd.NoteInstant())
    assert table.state.time.clock.first_flag is first
    assert table.state.time.clock.white.flagged and table.state.time.clock.black.flagged
    return table


@pytest.mark.law("L065", "L234")
@pytest.mark.parametrize("first", [Seat.WHITE, Seat.BLACK])
@pytest.mark.parametrize("how", ["white claims", "black claims", "white called", "black called", "both called"])
def test_l065_where_this_clock_knows_the_order_the_first_flag_loses(first: Seat, how: str) -> None:
    """6.9 asks who did not complete the moves in time: a claim by the player whose own flag fell first wins nothing."""
    table = fallen("300", first)
    who, what = how.split()
    match what:
        case "claims":
            table.done(who, cmd.ClaimTime())
        case _:
            seat = Seat.WHITE if who == "both" else Seat(who)
            table.done("arbiter", cmd.CallFlag(seat=seat, both=who == "both"))
    told = only(table.events, ev.Alerted)[-1].detail
    result = "0-1" if first is Seat.WHITE else "1-0"
    assert (
        f"both flags have fallen, first {first.value.capitalize()}'s (6.9); lost "
        f"by {first.value.capitalize()}, {result} (6.9)"
    ) in told


@pytest.mark.law("L234")
def test_l234_a_digital_clock_knows_the_order() -> None:
    table = CoreTable(control="300", regulations=EventOptions(guidelines=("III",)), white=SeatKind.SIGHTED)
    table.wait(300_000)
    table.say("white", "e4", act="announce")
    table.press("white")
    table.wait(300_000)
    table.done("arbiter", cmd.CallFlag(seat=Seat.BLACK, both=True))
    assert table.state.time.clock.first_flag is Seat.WHITE
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
