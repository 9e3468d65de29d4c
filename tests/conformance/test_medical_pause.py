"""A medical pause is one by name (12.2.6, L136): asked for by the player, given by the arbiter, told and reported."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.values.words import Seat
from server.game.views import messages as msg
from server.game.views.report import Dated, ReportLine, report_of
from tests.game.core_table import CoreTable, alerts, only, told


def incidents(table: CoreTable) -> list[ReportLine]:
    report = report_of([Dated(event, 1_700_000_000_000 + event.at) for event in table.events])
    (section,) = [one for one in report if one.name == "pauses"]
    return [one for one in section.entries if one.name == "medical_pause"]


@pytest.mark.law("L136")
def test_l136_a_player_asks_and_the_arbiter_gives_a_medical_pause() -> None:
    table = CoreTable()
    table.done("white", cmd.CallArbiter(medical=True))
    assert [one.reason for one in only(table.events, ev.ArbiterCalled)] == ["medical"]
    assert "White needs medical attention" in alerts(table, "medical_call")[0].detail and not alerts(table, "called")
    assert table.state.time.clock.running is None and table.state.time.stopped_by is Seat.WHITE
    assert told(table, Seat.WHITE)[-1] == msg.Paused(), "until the arbiter has given one it is a stop of White's"
    table.done("arbiter", cmd.Pause(medical=Seat.WHITE, reason="insulin"))
    assert table.do("arbiter", cmd.RuleStop(valid=True)) == Refusal("nobody_stopped", "6.11.4")
    assert told(table, Seat.WHITE)[-1] == msg.Paused(medical=True)
    left = table.state.time.clock.remaining(Seat.WHITE, table.now)
    table.wait(754_000)
    table.done("arbiter", cmd.Resume())
    assert table.state.time.clock.remaining(Seat.WHITE, table.now) == left
    (entry,) = incidents(table)
    assert (entry.values, entry.seat, entry.article) == (("12:34", "insulin"), Seat.WHITE, "12.2.6")


@pytest.mark.law("L136")
def test_l136_any_other_pause_is_none() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.Pause(reason="noise"))
    assert told(table, Seat.WHITE)[-1] == msg.Paused() and incidents(table) == []
    table.done("arbiter", cmd.Pause(medical=Seat.BLACK))
    assert [one.values for one in incidents(table)] == [("–",)], "it has not ended yet"
    table.done("black", cmd.CallArbiter(medical=True, stop=False))
    assert table.do("white", cmd.Pause(medical=Seat.WHITE)) == Refusal("only_the_arbiter", "12.3")
