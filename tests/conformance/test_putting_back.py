"""A player puts back what their hand set down on the board of their screen (4.7, D.2.1)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.values.words import Seat
from server.game.views import messages as msg
from tests.game.core_table import CoreTable, alerts, only, said, told


def entered(table: CoreTable, uci: str) -> None:
    table.done("black", cmd.EnterMove(uci=uci, announcement=said("e5"), words=("e5",), text="e5"))


def under_way() -> CoreTable:
    table = CoreTable()
    table.say("white", "e4")
    table.press("white")
    table.done("black", cmd.Execute(uci="e2e4", origin="entered"))
    return table


@pytest.mark.law("L033", "L191")
@pytest.mark.parametrize("uci", ["e7e5", "e7e2"])
def test_before_anything_is_announced_it_is_put_back_without_an_alert_whether_legal_or_not(uci: str) -> None:
    table = under_way()
    before = table.state.board_of(Seat.BLACK).position.placement
    entered(table, uci)
    events = table.done("black", cmd.PutBack())
    assert not only(events, ev.Alerted) and table.state.board_of(Seat.BLACK).position.placement == before
    assert table.ply(1).executed_ms is not None, "White's move stands there as before"
    shown = [one for one in told(table, Seat.BLACK) if isinstance(one, msg.BoardShown)][-1]
    assert shown.placement == before, "and the move before it is marked as it was, where it is known"
    assert table.do("black", cmd.PutBack()) == Refusal("nothing_to_put_back", "4.7")
    entered(table, "d7d5")
    table.say("black", "d5")
    table.press("black")
    assert table.state.moves.plies[1].placed == "d7d5" and len(table.state.moves.plies) == 2


@pytest.mark.law("L033")
def test_later_the_arbiter_is_given_a_note_and_after_the_press_nothing_is_put_back() -> None:
    table = under_way()
    table.say("black", "e4")  # the repetition
    table.say("black", "e5")
    entered(table, "e7e5")
    table.done("black", cmd.PutBack())
    assert [(one.ply, one.grey) for one in alerts(table, "board_odd")] == [(2, False)]
    entered(table, "e7e5")
    table.press("black")
    assert table.do("black", cmd.PutBack()) == Refusal("nothing_to_put_back", "4.7")


@pytest.mark.law("L183")
def test_the_opponents_move_carried_out_by_hand_is_put_back_and_waits_again() -> None:
    table = under_way()
    before = table.state.board_of(Seat.BLACK).before.placement
    assert not only(table.done("black", cmd.PutBack()), ev.Alerted)
    assert table.state.board_of(Seat.BLACK).position.placement == before
    assert table.state.moves.plies[0].executed_ms is None
    table.done("black", cmd.Execute(uci="e2e4", origin="entered"))
    assert table.state.moves.plies[0].executed_ms is not None
