"""What the desk answers from a live record: one explanation, a few lines, the Laws' verdict, the clocks of then."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "play"))

from core_table import CoreTable

from server.play import commands as cmd
from server.play.desk import Desk
from server.play.values import Seat
from server.reconciling_desk import DeskAnswer, desk_answer

E4_E6 = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR"
E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"


def table_at_the_desk() -> CoreTable:
    table = CoreTable()
    for seat, other, text in (("white", "black", "e4"), ("black", "white", "e5")):
        table.say(seat, text, utterance=f"{seat}-{text}")
        table.wait(5_000)
        table.press(seat)
        table.say(other, text, utterance=f"{other}-{text}")
    table.done("arbiter", cmd.OpenDesk())
    return table


def answer(table: CoreTable) -> DeskAnswer:
    desk = table.state.desk
    assert isinstance(desk, Desk)
    return desk_answer(table.state, desk)


@pytest.mark.law("L197")
def test_a_board_that_deviates_is_explained_and_settled_with_a_few_cells() -> None:
    table = table_at_the_desk()
    table.done("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement=E4_E6))
    table.done("arbiter", cmd.ShowBoard(board=Seat.BLACK, placement=E4_E5))
    first = answer(table)
    assert not first.out_of_step
    best = first.explanations[0]
    assert (best.where, best.ply, best.recorded, best.instead) == ("white", 2, "e5", "e6")
    assert 0 < len(first.lines) <= 6
    assert first.verdict is None, "lines are still to be typed"
    for ply, text in ((1, "e4"), (2, "e5")):
        for seat in Seat:
            table.done("arbiter", cmd.TypeCell(seat=seat, ply=ply, text=text))
    then = answer(table)
    assert then.verdict == "same_record" and then.settled and then.placement == E4_E5 and then.turn is Seat.WHITE
    assert then.against is not None and [one.deviates for one in then.against] == [True, False]
    assert then.clock is not None and then.clock.white == table.ply(2).white_ms


def test_the_same_on_both_boards_is_the_server_out_of_step_first() -> None:
    table = table_at_the_desk()
    for seat in Seat:
        table.done("arbiter", cmd.ShowBoard(board=seat, placement=E4_E6))
    found = answer(table)
    assert found.out_of_step and found.explanations[0].where == "server"


@pytest.mark.law("L194")
def test_a_dictated_cell_that_decides_asks_to_be_heard() -> None:
    table = table_at_the_desk()
    table.done("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement=E4_E6))
    for ply, text in ((1, "e4"), (2, "e5")):
        table.done("arbiter", cmd.TypeCell(seat=Seat.BLACK, ply=ply, text=text))
    found = answer(table)
    assert found.listen and not found.settled
    assert {one.side for one in found.listen} == {Seat.WHITE}
    for one in found.listen:
        table.done("arbiter", cmd.HearCell(seat=one.side, ply=one.ply))
    after = answer(table)
    assert not after.listen and after.settled and after.verdict == "same_record"
