"""Points of a result (10.1, 10.2; L115, L116), both flags down (III.3.1; L234), the display (6.12.1; L072)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.laws.event_options import EventOptions, Points
from server.game.values.words import ClockMaster, Role, Seat, Station
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
