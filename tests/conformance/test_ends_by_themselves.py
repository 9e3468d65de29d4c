"""Ends that come by themselves (1.4, 5.1, 5.2), and resignation (5.1.2)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "play"))
from core_table import CoreTable, kinds, only
from ending_table import (
    MATE_IN_ONE,
    alerts,
    ended,
    play,
)

from server.play import commands as cmd
from server.play import events as ev
from server.play.values import Mode, Origin, Seat, SeatKind


@pytest.mark.law("L006", "L007", "L043")
def test_l043_mate_is_told_to_the_arbiter_alone_and_he_ends_the_game() -> None:
    table = CoreTable(fen=MATE_IN_ONE)
    play(table, "Ra8")
    (mate,) = [alert for alert in alerts(table, "checkmate") if table.ply(1).completed]
    assert mate.ply == 1 and "5.1.1" in mate.detail and "1-0" in mate.detail and mate.grey
    assert not table.state.over, "nothing ends by what a machine heard"
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="checkmate", article="5.1.1"))
    assert table.state.result == "1-0" and table.state.clock.running is None


@pytest.mark.law("L043")
def test_l043_after_a_mate_flag_and_resignation_are_void() -> None:
    for seat in ("black", "white"):
        table = CoreTable(fen=MATE_IN_ONE)
        play(table, "Ra8")
        events = table.done(seat, cmd.Resign())
        assert not only(events, ev.GameEnded) and table.state.clock.running is None
        assert "void" in only(events, ev.Alerted)[-1].detail and "since ply 1" in only(events, ev.Alerted)[-1].detail
    table = CoreTable(fen=MATE_IN_ONE, control="60")
    play(table, "Ra8")
    table.wait(61_000)
    table.done("white", cmd.ClaimTime())
    detail = alerts(table, "time_claimed")[-1].detail
    assert "void" in detail and "5.1.1" in detail


@pytest.mark.law("L006")
def test_l006_taking_the_king_is_an_illegal_move_and_no_win() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/8/4R1K1 w - - 0 1")
    play(table, "Re8")
    assert not table.state.over and not alerts(table, "checkmate") and not alerts(table, "dead_position")
    assert only(table.events, ev.Alerted), "the arbiter hears that the move is not legal"


@pytest.mark.law("L006", "L043")
def test_l043_an_illegal_move_does_not_mate() -> None:
    table = CoreTable(fen="6k1/5ppp/8/8/8/8/8/1R4K1 w - - 0 1")
    table.say("white", "Rb1a8", act="announce")
    table.press("white")
    assert alerts(table, "not_legal") and not alerts(table, "checkmate")


@pytest.mark.law("L045")
def test_l045_stalemate() -> None:
    table = CoreTable(fen="7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    play(table, "Qg6")
    (found,) = [alert for alert in alerts(table, "stalemate") if alert.ply == 1]
    assert "5.2.1" in found.detail and "1/2-1/2" in found.detail


@pytest.mark.law("L008", "L046")
def test_l046_a_dead_position_counts_from_its_move_on() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/3p4/3BK3 w - - 0 1")
    play(table, "Kd2")
    (dead,) = alerts(table, "dead_position")
    assert "5.2.2" in dead.detail and dead.ply == 1
    play(table, "Ke7 Ke3")
    assert len(alerts(table, "dead_position")) == 1, "since the first ply, told once"
    detail = only(table.done("black", cmd.Resign()), ev.Alerted)[-1].detail
    assert not table.state.over and "void" in detail and "since ply 1" in detail


@pytest.mark.law("L046")
def test_l046_blocked_pawns_are_dead_too_and_mating_material_is_not() -> None:
    wall = CoreTable(fen="8/5k2/p1p1p1p1/P1P1P1P1/8/4K3/8/8 w - - 0 1")
    play(wall, "Kf3")
    assert alerts(wall, "dead_position")
    live = CoreTable(fen="4k3/8/8/8/8/8/3r4/3BK3 b - - 0 1")
    play(live, "Rd7")
    assert not alerts(live, "dead_position")


@pytest.mark.law("L046")
def test_l046_what_is_not_shown_goes_to_the_arbiter_once() -> None:
    table = CoreTable(fen="8/8/4k3/p7/8/4K3/P7/8 w - - 0 1")
    play(table, "a4")  # the kings decide it, but no proof without a search
    (alert,) = alerts(table, "perhaps_dead")
    assert "G11" in alert.detail and alert.ply == 1 and not alerts(table, "dead_position")
    play(table, "Kd6 Kd3")
    assert len(alerts(table, "perhaps_dead")) == 1


@pytest.mark.law("L050")
def test_l050_a_move_that_ends_the_game_needs_no_press() -> None:
    table = CoreTable(fen=MATE_IN_ONE, white=SeatKind.SIGHTED)
    table.enter("white", "a1a8", "Ra8")
    (mate,) = alerts(table, "checkmate")
    assert mate.grey and not table.ply(1).completed
    events = table.done("arbiter", cmd.RuleResult(result="1-0", reason="checkmate", article="5.1.1"))
    assert kinds(events) == ["Completed", "GameEnded"]
    assert table.ply(1).completed and only(events, ev.Completed)[0].origin is Origin.INFERRED


@pytest.mark.law("L050")
def test_l050_any_other_move_is_not_completed_by_the_result() -> None:
    table = CoreTable(white=SeatKind.SIGHTED)
    table.enter("white", "e2e4", "e4")
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="forfeit"))
    assert not table.ply(1).completed


def test_what_two_sources_agree_on_is_not_grey() -> None:
    table = CoreTable(fen=MATE_IN_ONE, white=SeatKind.SIGHTED)
    table.enter("white", "a1a8", "Ra8")
    table.press("white")
    assert [alert.grey for alert in alerts(table, "checkmate")] == [True, False]


def test_what_stays_grey_is_told_once() -> None:
    table = CoreTable(fen=MATE_IN_ONE)
    table.say("white", "Ra8", act="announce")
    table.say("black", "Kh8", act="announce")  # so White's move was made
    assert [alert.grey for alert in alerts(table, "checkmate")] == [True]
    table.press("white")
    assert table.ply(1).completed and [alert.grey for alert in alerts(table, "checkmate")] == [True]


def test_a_mend_brings_out_an_end_that_was_not_seen() -> None:
    table = CoreTable(fen=MATE_IN_ONE)
    play(table, "Rb1")
    assert not alerts(table, "checkmate")
    table.done("arbiter", cmd.Mend(ply=1, uci="a1a8"))
    assert alerts(table, "checkmate")
    table.done("arbiter", cmd.Mend(ply=1, uci="a1b1"))
    table.done("arbiter", cmd.Mend(ply=1, uci="a1a8"))
    assert len(alerts(table, "checkmate")) == 2, "told again after it had gone"


def test_as_a_clock_alone_the_program_knows_of_no_end() -> None:
    table = CoreTable(fen=MATE_IN_ONE)
    table.mode(Mode.CLOCK)
    play(table, "Ra8")
    assert not alerts(table, "checkmate")


@pytest.mark.law("L044")
@pytest.mark.parametrize(("edition", "result"), [("fide2018", "1-0"), ("fide2023", "1/2-1/2")])
def test_l044_resigning_to_one_who_can_never_mate(edition: str, result: str) -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/8/3QKB2 w - - 0 1", rule_set=edition)
    table.done("white", cmd.Resign())  # a bare king cannot mate
    assert ended(table)[0] == {"1-0": "0-1", "1/2-1/2": "1/2-1/2"}[result]
    assert only(table.events, ev.Resigned)[0].seat is Seat.WHITE


@pytest.mark.law("L044")
def test_l044_a_bishop_against_a_bishop_of_the_other_colour_can_mate() -> None:
    table = CoreTable(fen="4kb2/8/8/8/8/8/8/4KB2 w - - 0 1")
    table.done("white", cmd.Resign())
    assert ended(table) == ("0-1", "resigned", "5.1.2")


@pytest.mark.law("L044")
def test_l044_where_it_is_not_known_the_arbiter_decides() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("arbiter", cmd.Mend(ply=2, uci=None))
    table.done("arbiter", cmd.MarkOutOfStep())
    events = table.done("white", cmd.Resign())
    assert kinds(events) == ["Resigned", "ClockPaused", "MateAsked", "MateAnswered", "Alerted"]
    assert "G11" in only(events, ev.Alerted)[0].detail
    table.done("arbiter", cmd.RuleResult(result="0-1", reason="resigned", article="5.1.2"))
    assert table.state.result == "0-1"


@pytest.mark.law("L044")
def test_l044_an_edition_that_does_not_say_leaves_it_to_the_arbiter() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/8/3QKB2 w - - 0 1", rule_set="short")
    table.done("white", cmd.Resign())
    assert not table.state.over and alerts(table, "resigned")
