"""After the end: the result is signed (8.7), counted in points (10.1, 10.2), and who has finished watches (11.4)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.laws.event_options import EventOptions, Points
from server.game.laws.results import RESULTS, may_be_given, points_of
from server.game.values.words import Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.view import changes_picture, picture, view
from tests.conformance.law_table import repeated_twice
from tests.game.core_table import CoreTable, alerts, only, play, said, told


@pytest.mark.law("L099")
def test_l099_both_approve_the_result_and_only_the_arbiter_changes_it() -> None:
    table = CoreTable()
    refused = table.do("white", cmd.ApproveResult(result="1-0"))
    assert isinstance(refused, Refusal) and refused.code == "not_over"
    play(table, "e4 e5")
    table.done("white", cmd.Resign())
    table.done("white", cmd.ApproveResult(result="0-1"))
    assert not alerts(table, "result_differs")
    signed = [one for one in told(table, Seat.WHITE) if isinstance(one, msg.ActTaken)]
    assert signed == [msg.ActTaken(what="approved", result="0-1")]
    assert not [one for one in told(table, Seat.BLACK) if isinstance(one, msg.ActTaken)], "each signs alone"
    table.done("black", cmd.ApproveResult(result="1-0"))
    assert alerts(table, "result_differs") and table.state.ending.result == "0-1", "it stands"
    assert [one.seat for one in only(table.events, ev.ResultApproved)] == [Seat.WHITE, Seat.BLACK]
    assert isinstance(table.do("white", cmd.RuleResult(result="1-0", reason="no")), Refusal)
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="sheets were swapped", article="8.7"))
    assert table.state.ending.result == "1-0"


@pytest.mark.law("L115", "L116")
def test_l115_every_result_there_is_and_no_other() -> None:
    for result in RESULTS:
        table = CoreTable()
        table.done("arbiter", msgspec.convert({"do": "rule_result", "result": result, "reason": "x"}, cmd.RuleResult))
        assert table.state.ending.result == result
        assert may_be_given(points_of(result, EventOptions().points), EventOptions().points)
    for wrong in ("3/4-1/4", "1-1", "1-1/2", "2-0"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"do": "rule_result", "result": wrong, "reason": "x"}, cmd.RuleResult)


@pytest.mark.law("L126")
def test_l126_who_has_finished_is_a_spectator() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.Resign())
    for body in (cmd.OfferDraw(), cmd.ClaimDraw(kind="repetition"), cmd.ClaimTime(), cmd.Resign()):
        refused = table.do("black", body)
        assert isinstance(refused, Refusal) and refused.article == "11.4"
    called = table.done("black", cmd.CallArbiter())  # about the result, before it is signed (8.7)
    assert not any(isinstance(one, ev.ClockPaused) for one in called)


def test_a_record_needs_no_file_to_be_understood() -> None:
    """The rules travel in the record: replayed from its bytes, the table decides the same."""
    table = repeated_twice()
    table.done("black", cmd.ClaimDraw(kind="repetition", intended=said("Ng8"), text="Ng8"))
    raw = [msgspec.json.encode(event) for event in table.events]
    again = Game.replay(msgspec.json.decode(one, type=ev.AnyEvent) for one in raw)
    assert again == table.state and again.table.rules.options.resign_no_mate == "draw"


THREE = EventOptions(points=Points.THREE)


def ruled(result: str, regulations: EventOptions | None = None) -> CoreTable:
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
        table = ruled(result, regulations)
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
