"""The game put together again on a further board (8.5.3, 8.6, 11.11)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "play"))
from core_table import CoreTable, only

from server.play import commands as cmd
from server.play import events as ev
from server.play import messages as msg
from server.play.commands import Refusal
from server.play.game import Game
from server.play.values import Role, Seat, SeatKind, Station
from server.play.views import picture, view

TWO_PERIODS = "2/300:600"


def in_need(control: str = TWO_PERIODS, **more: SeatKind) -> CoreTable:
    """Two tactile players in time trouble: a move each, neither repeated the other's, then White's flag falls."""
    table = CoreTable(control=control, black=more.get("black", SeatKind.TACTILE))
    for seat, text in (("white", "e4"), ("black", "e5")):
        table.say(seat, text, act="announce")
        table.press(seat)
    table.wait(301_000)
    table.own(cmd.NoteInstant())
    return table


def shown(table: CoreTable) -> msg.ReconstructionShown:
    work = picture(table.state, table.now).reconstruction
    assert work is not None
    return work


@pytest.mark.law("L097")
def test_l097_first_position_times_whose_clock_ran_and_move_numbers_are_put_down() -> None:
    table = in_need()
    boards = table.placement(Seat.WHITE), table.placement(Seat.BLACK)
    table.done("arbiter", cmd.BeginReconstruction(reason="no score is complete"))
    put_down = shown(table).snapshot
    assert (put_down.white_board, put_down.black_board) == boards
    assert (put_down.white_ms, put_down.black_ms, put_down.running, put_down.turn) == (0, 300_000, "white", "white")
    assert (put_down.moves, put_down.periods, put_down.made_plies) == ((1, 1), (0, 0), 2)
    assert (put_down.white_score, put_down.black_score) == (("e4",), (None, "e5"))
    assert table.state.clock.running is None, "the clocks stand"
    assert table.do("arbiter", cmd.Resume()) == Refusal("reconstructing", "8.5.3")
    table.wait(60_000)
    assert table.state.clock.remaining(Seat.BLACK, table.now) == 300_000
    assert not isinstance(table.do("white", cmd.Press()), Refusal), "a press is never refused; it stops nothing"
    assert table.do("arbiter", cmd.BeginReconstruction()) == Refusal("reconstructing", "8.5.3")


@pytest.mark.law("L097")
def test_l097_the_further_board_changes_neither_board_nor_score_nor_game() -> None:
    table = in_need()
    assert table.do("arbiter", cmd.ReconstructMove(uci="e2e4")) == Refusal("not_reconstructing", "8.5.3")
    table.done("arbiter", cmd.BeginReconstruction())
    before = table.state
    for uci in ("d2d4", "e7e5", "d4e6"):
        table.done("arbiter", cmd.ReconstructMove(uci=uci))
    assert shown(table).not_legal == (3,), "the arbiter sees it; a board is where men are put"
    table.done("arbiter", cmd.UndoReconstruction())
    assert table.do("arbiter", cmd.ReconstructMove(uci="a5a6")) == Refusal("no_such_move", "8.5.3")
    assert shown(table).line == ("d2d4", "e7e5")
    assert shown(table).placement == "rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR"
    after = table.state
    for name in ("white_board", "black_board", "white_score", "black_score", "plies", "line", "positions", "clock"):
        assert getattr(after, name) == getattr(before, name), name
    for station in ("white", "black"):
        assert table.do(station, cmd.ReconstructMove(uci="g1f3")) == Refusal("only_the_arbiter", "12.3")


@pytest.mark.law("L097")
def test_l097_nothing_of_it_reaches_a_player() -> None:
    table = in_need()
    since = len(table.events)
    table.done("arbiter", cmd.BeginReconstruction())
    table.done("arbiter", cmd.ReconstructMove(uci="d2d4"))
    table.done("arbiter", cmd.EndReconstruction(completed_plies=2))
    for seat in Seat:
        station = Station(seat.value, Role.PLAYER, seat)
        told = [
            message
            for number, event in enumerate(table.events, 1)
            if number > since and (message := view(event, Game.replay(table.events[:number]), station)) is not None
        ]
        assert told == [msg.Paused()], "only that the clocks stand"


@pytest.mark.law("L132")
def test_l132_both_complete_their_own_scores_meanwhile_by_their_own_act_also_in_a_claim() -> None:
    table = in_need()
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    table.done("arbiter", cmd.BeginReconstruction())
    assert table.do("white", cmd.WriteScore(index=3, text="Nf3")) == Refusal("not_in_advance", "8.1.2")
    for uci in ("e2e4", "e7e5", "g1f3"):
        table.done("arbiter", cmd.ReconstructMove(uci=uci))
    assert table.score(Seat.WHITE) == ["e4"] and table.score(Seat.BLACK) == ["", "e5"], "nothing is filled in"
    for seat, index, text in (("white", 2, "e5"), ("white", 3, "Nf3"), ("black", 1, "e4"), ("black", 3, "Nf3")):
        table.done(seat, cmd.WriteScore(index=index, text=text))
    assert table.score(Seat.WHITE) == table.score(Seat.BLACK) == ["e4", "e5", "Nf3"]
    table.done("arbiter", cmd.EndReconstruction(completed_plies=3))
    assert table.state.claim is not None, "the claim waits for its ruling"
    assert table.do("white", cmd.WriteScore(index=4, text="Nc6")) == Refusal("not_in_advance", "8.1.2")


@pytest.mark.law("L098", "L097")
def test_l098_where_nobody_can_show_who_overstepped_the_next_move_is_the_first_of_the_next_period() -> None:
    table = in_need()
    table.done("arbiter", cmd.BeginReconstruction())
    (ended,) = only(
        table.done("arbiter", cmd.EndReconstruction(completed_plies=None, evidence="both scores stop")),
        ev.ReconstructionEnded,
    )
    assert (ended.article, ended.evidence) == ("8.6", "both scores stop")
    clock = table.state.clock
    assert (clock.white.period, clock.black.period) == (1, 1) and (clock.white.moves, clock.black.moves) == (2, 2)
    assert (clock.white.remaining_ms, clock.black.remaining_ms) == (599_000, 900_000), "the overrun is not given back"
    assert not clock.white.flagged and clock.running is None
    table.done("arbiter", cmd.Resume())
    assert table.state.clock.running is Seat.WHITE


@pytest.mark.law("L098")
def test_l098_black_to_move_has_one_move_less_behind_him() -> None:
    table = CoreTable(control=TWO_PERIODS, black=SeatKind.TACTILE)
    table.press("white")
    table.wait(301_000)
    table.own(cmd.NoteInstant())
    table.done("arbiter", cmd.BeginReconstruction())
    table.done("arbiter", cmd.EndReconstruction(completed_plies=None))
    clock = table.state.clock
    assert (clock.white.moves, clock.black.moves) == (3, 2)


@pytest.mark.law("L098")
def test_l098_evidence_of_more_moves_sets_the_counters_and_brings_the_period_that_was_reached() -> None:
    table = in_need()
    table.done("arbiter", cmd.BeginReconstruction())
    table.done("arbiter", cmd.EndReconstruction(completed_plies=3, evidence="a spectator's video"))
    clock = table.state.clock
    assert (clock.white.moves, clock.black.moves) == (2, 1)
    assert (clock.white.period, clock.black.period) == (1, 0)
    assert (clock.white.remaining_ms, clock.black.remaining_ms) == (599_000, 300_000)
    assert not clock.white.flagged


@pytest.mark.law("L098")
def test_l098_in_the_last_period_there_is_no_next_one() -> None:
    table = in_need("300")
    table.done("arbiter", cmd.BeginReconstruction())
    decided = table.do("arbiter", cmd.EndReconstruction(completed_plies=None))
    assert decided == Refusal("no_next_period", "8.6")
    assert table.state.reconstruction is not None
    table.done("arbiter", cmd.EndReconstruction(completed_plies=2))
    assert table.state.clock.white.flagged and table.state.clock.white.moves == 1
