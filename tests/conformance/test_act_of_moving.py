"""The act of moving (Article 4): touches and what they oblige to."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "play"))
from core_table import CoreTable, only
from irregular_table import (
    CASTLING,
    alerts,
    obliged,
    play,
    refused,
    sensed,
    sighted,
    touch,
)

from server.play import commands as cmd
from server.play import events as ev
from server.play.touching import obligation_of, touch_claim_open
from server.play.values import Duty, Origin, Role, Seat, Station
from server.play.views import view


@pytest.mark.law("L026")
def test_l026_only_the_player_on_move_adjusts_and_what_he_then_touches_does_not_bind() -> None:
    table = sighted()
    table.done("white", cmd.Adjust())
    assert touch(table, Seat.WHITE, "g1").because == "adjusting"
    assert obliged(table) == (set(), "")
    table.done("black", cmd.Adjust())
    (alert,) = alerts(table, "adjusting_out_of_turn")
    assert not alert.grey
    assert touch(table, Seat.WHITE, "g1").because == "adjusting", "he may still"
    play(table, "e4 e5")
    assert touch(table, Seat.WHITE, "g1").because == "", "said in one move, not for the next"


@pytest.mark.law("L027")
def test_l027_a_contact_binds_unless_the_arbiter_calls_it_an_accident() -> None:
    table = sighted()
    number = touch(table, Seat.WHITE, "g1", "touched").number
    assert obliged(table) == ({"g1f3", "g1h3"}, "4.3.1")
    table.done("arbiter", cmd.RuleTouch(number=number, counts=False, reason="sleeve"))
    assert obliged(table) == (set(), "")
    table.done("arbiter", cmd.RuleTouch(number=number, counts=True))
    assert obliged(table)[1] == "4.3.1"
    refused(table.do("arbiter", cmd.RuleTouch(number=2, counts=True)), "no_such_touch", "4.2.2")


@pytest.mark.law("L028")
def test_l028_the_first_touched_piece_that_can_move() -> None:
    table = sighted()
    for square in ("a1", "b1", "e2"):  # the rook cannot move, the knight can
        touch(table, Seat.WHITE, square)
    assert obliged(table) == ({"b1a3", "b1c3"}, "4.3.1")
    table.say("white", "e4", act="announce")
    table.press("white")
    (alert,) = alerts(table, "touch_move")
    assert "b1a3" in alert.detail and "4.3.1" in alert.detail and alert.ply == 1


@pytest.mark.law("L028")
def test_l028_a_move_that_does_what_was_owed_brings_no_alert() -> None:
    table = sighted()
    touch(table, Seat.WHITE, "b1")
    play(table, "Nc3")
    assert not alerts(table, "touch_move")


@pytest.mark.law("L029", "L030")
def test_l029_l030_the_opponents_piece_is_taken_with_the_own_touched_one_if_it_can() -> None:
    table = sighted()
    play(table, "e4 d5")
    touch(table, Seat.WHITE, "d5", "touched")
    assert obliged(table) == ({"e4d5"}, "4.3.2")
    touch(table, Seat.WHITE, "g1", "touched")
    assert obliged(table) == ({"e4d5"}, "4.3.3"), "the knight cannot take: the first touched piece is taken"
    other = sighted()
    play(other, "e4 d5")
    touch(other, Seat.WHITE, "g1", "touched")
    touch(other, Seat.WHITE, "d5", "touched")
    assert obliged(other) == ({"g1f3", "g1h3", "g1e2"}, "4.3.3")
    short = sighted(rule_set="short")
    play(short, "e4 d5")
    touch(short, Seat.WHITE, "g1", "touched")
    touch(short, Seat.WHITE, "d5", "touched")
    assert obliged(short) == ({"e4d5"}, "4.3.3"), "the short rules: any other piece captures"


@pytest.mark.law("L031", "L032", "L033")
@pytest.mark.parametrize(
    ("fen", "touched", "moves", "article"),
    [
        (CASTLING, ("e1", "h1"), {"e1g1"}, "4.4.1"),
        (CASTLING.replace("KQkq", "Q"), ("e1", "h1"), {"e1c1", "e1d1", "e1d2", "e1e2", "e1f1", "e1f2"}, "4.4.3"),
    ],
)
def test_l031_l033_king_and_rook(fen: str, touched: tuple[str, ...], moves: set[str], article: str) -> None:
    table = sighted(fen=fen)
    for square in touched:
        touch(table, Seat.WHITE, square)
    assert obliged(table) == (moves, article)


@pytest.mark.law("L032")
def test_l032_the_rook_before_the_king_bars_castling_at_the_tactile_board_by_the_order_of_lifting() -> None:
    table = CoreTable(fen=CASTLING)
    touch(table, Seat.WHITE, "e1", "touched")  # only felt: free (D.2.2)
    touch(table, Seat.WHITE, "h1")
    touch(table, Seat.WHITE, "e1")
    moves, article = obliged(table)
    assert article == "4.3.1" and moves and all(uci.startswith("h1") for uci in moves)


@pytest.mark.law("L034", "L036")
def test_l034_l036_the_new_piece_on_the_promotion_square_is_final_in_any_order_of_the_acts() -> None:
    fen = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    table = sighted(fen=fen)
    touch(table, Seat.WHITE, "a8", "placed", piece="N")
    touch(table, Seat.WHITE, "a7")
    assert obliged(table) == ({"a7a8n", "a7b8q", "a7b8r", "a7b8b", "a7b8n"}, "4.4.4")
    other = sighted(fen=fen)
    touch(other, Seat.WHITE, "a7")
    touch(other, Seat.WHITE, "a8", "placed", piece="N")
    assert obliged(other) == obliged(table)


@pytest.mark.law("L035")
def test_l035_no_touched_piece_can_move_so_any_legal_move() -> None:
    table = sighted()
    touch(table, Seat.WHITE, "a1")
    obligation = obligation_of(table.state, 1)
    assert obligation is not None and obligation.free and len(obligation.moves) == 20
    assert obliged(table) == (set(), "4.5")


@pytest.mark.law("L037", "L039")
def test_l037_l039_a_released_piece_stays_and_a_released_king_only_castles() -> None:
    table = sighted()
    touch(table, Seat.WHITE, "e2")
    touch(table, Seat.WHITE, "e3", "released")
    assert obliged(table) == ({"e2e3"}, "4.7")
    king = sighted(fen=CASTLING)
    touch(king, Seat.WHITE, "e1")
    touch(king, Seat.WHITE, "g1", "released")
    assert obliged(king) == ({"e1g1"}, "4.7")
    back = sighted()
    touch(back, Seat.WHITE, "e2")
    touch(back, Seat.WHITE, "e2", "released")
    assert obliged(back) == ({"e2e3", "e2e4"}, "4.3.1"), "put back is not moved"


@pytest.mark.law("L037", "L189")
def test_l037_l189_at_the_tactile_board_placing_binds_no_more_than_lifting_until_it_is_announced() -> None:
    table = CoreTable()
    touch(table, Seat.WHITE, "e2")
    touch(table, Seat.WHITE, "e3", "released")
    assert obliged(table) == ({"e2e3", "e2e4"}, "4.3.1")


@pytest.mark.law("L188")
def test_l188_feeling_is_free_at_the_tactile_board_and_a_contact_binds_the_sighted_player() -> None:
    table = CoreTable()
    touch(table, Seat.WHITE, "g1", "touched")
    assert obliged(table) == (set(), "")
    touch(table, Seat.WHITE, "b1", "lifted")
    assert obliged(table) == ({"b1a3", "b1c3"}, "4.3.1")
    play(table, "Nc3")
    touch(table, Seat.BLACK, "g8", "touched")
    assert obliged(table) == ({"g8f6", "g8h6"}, "4.3.1")


@pytest.mark.law("L188")
def test_l188_carrying_out_the_opponents_move_on_the_own_board_is_no_touch() -> None:
    table = CoreTable()
    play(table, "e4 d5")
    table.say("white", "d5", act="echo")
    assert touch(table, Seat.WHITE, "d7").because == "execution"
    assert touch(table, Seat.WHITE, "b1").because == ""
    assert touch(table, Seat.BLACK, "g8").because == "not_on_move"
    table.done("white", cmd.Execute(uci="d7d5"))
    assert touch(table, Seat.WHITE, "d5").because == ""


@pytest.mark.law("L188")
def test_l188_a_captured_piece_comes_off_once_and_taking_up_the_capturer_binds() -> None:
    table = CoreTable()
    play(table, "e4 d5 Nc3 d5e4")
    assert touch(table, Seat.WHITE, "e4").because == "execution", "his pawn comes off"
    assert touch(table, Seat.WHITE, "e4", "placed").because == "execution"
    assert touch(table, Seat.WHITE, "e4").because == "", "the black pawn is taken up again"
    assert obliged(table) == ({"c3e4"}, "4.3.2")


@pytest.mark.law("L188")
def test_l188_what_one_board_alone_senses_is_sealed_until_a_dispute() -> None:
    table = CoreTable()
    arbiter = Station("arbiter", Role.ARBITER)
    event = sensed(table, Seat.WHITE, "g1")
    assert event.sealed and event.origin is Origin.SENSED
    assert view(event, table.state, arbiter) is None and obliged(table) == (set(), "")
    refused(table.do("arbiter", cmd.RuleTouch(number=1, counts=True)), "no_such_touch", "4.2.2")
    refused(table.do("arbiter", cmd.OpenEvidence(reason=" ")), "reason_needed", "D.1")
    (opened,) = only(table.done("arbiter", cmd.OpenEvidence(reason="dispute")), ev.EvidenceOpened)
    assert opened.touches == (event,) and obliged(table) == ({"g1f3", "g1h3"}, "4.3.1")
    play(table, "Nf3")
    assert not sensed(table, Seat.BLACK, "g8").sealed, "now both boards give it"
    allowed = CoreTable()
    allowed.done("arbiter", cmd.RecordAdaptation(name="touch_evidence_one_sided", value="on"))
    assert not sensed(allowed, Seat.WHITE, "g1").sealed


@pytest.mark.law("L188")
def test_l188_only_the_program_says_that_a_board_sensed_it() -> None:
    table = CoreTable()
    assert touch(table, Seat.WHITE, "g1", origin="sensed").origin is Origin.ENTERED
    station = table.assistant(Seat.WHITE, Duty.CLAIM_AND_REPORT)
    table.done(station, cmd.ReportTouch(seat=Seat.BLACK, square="g8", how="touched"))
    refused(table.do(station, cmd.ReportTouch(seat=Seat.WHITE, square="g1", how="lifted")), "not_your_duty", "D.2.10.5")
    refused(table.do("black", cmd.ReportTouch(seat=Seat.WHITE, square="g1", how="lifted")), "only_the_arbiter", "12.3")


@pytest.mark.law("L041")
def test_l041_a_claim_about_touching_closes_with_the_claimants_own_next_touch() -> None:
    table = sighted()
    play(table, "e4")
    assert touch_claim_open(table.state, Seat.BLACK)
    table.done("black", cmd.ClaimIrregularity(kind="touch", note="he touched his knight"))
    (alert,) = alerts(table, "irregularity_claimed")
    assert "in time" in alert.detail and table.state.clock.running is None
    table.done("arbiter", cmd.Resume())
    touch(table, Seat.BLACK, "g8", "touched")
    assert not touch_claim_open(table.state, Seat.BLACK)
    table.done("black", cmd.ClaimIrregularity(kind="touch"))
    assert "too late" in alerts(table, "irregularity_claimed")[1].detail


@pytest.mark.law("L041")
def test_l041_the_claimants_own_move_closes_it_too() -> None:
    table = sighted()
    play(table, "e4 e5")
    assert not touch_claim_open(table.state, Seat.BLACK) and touch_claim_open(table.state, Seat.WHITE)
