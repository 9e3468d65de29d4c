"""Article 4, the act of moving the pieces: touches, what they oblige to, and who claims of them (4.1 to 4.9)."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM
from server.game.decide.touch import obligation_of, touch_claim_open
from server.game.laws.touch import Obligation
from server.game.values.announcement import Announcement
from server.game.values.words import Duty, Origin, Role, Seat, SeatKind, Station
from server.game.views.view import view
from tests.conformance.law_table import BASIC, CASTLING, obliged, rule, sensed, sighted, touch
from tests.game.core_table import CoreTable, alerts, only, play, refused, said


@pytest.mark.law("L026")
def test_l026_only_the_player_on_move_adjusts_and_what_they_then_touch_does_not_bind() -> None:
    table = sighted()
    table.done("white", cmd.Adjust())
    assert touch(table, Seat.WHITE, "g1").because == "adjusting"
    assert obliged(table) == (set(), "")
    table.done("black", cmd.Adjust())
    (alert,) = alerts(table, "adjusting_out_of_turn")
    assert not alert.grey
    assert touch(table, Seat.WHITE, "g1").because == "adjusting", "White may still"
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
    play(table, "e4")
    (alert,) = alerts(table, "touch_move")
    assert "b1 to a3" in alert.detail and "4.3.1" in alert.detail and alert.ply == 1


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
    taking = sighted(fen=fen)
    touch(taking, Seat.WHITE, "b8")
    touch(taking, Seat.WHITE, "a7")
    assert obliged(taking)[0] == {"a7b8q", "a7b8r", "a7b8b", "a7b8n"}, "the piece on the square must be taken"


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
    attacked = sighted(fen="5r1k/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    touch(attacked, Seat.WHITE, "e1")
    touch(attacked, Seat.WHITE, "g1", "released")
    assert "e1g1" not in obliged(attacked)[0] and {uci[:2] for uci in obliged(attacked)[0]} == {"e1"}, "if it is legal"
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
    assert touch(table, Seat.WHITE, "e4").because == "execution", "White's pawn comes off"
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
    assert "in time" in alert.detail and table.state.time.clock.running is None
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


# What is on record of a touch


@pytest.mark.law("L027", "L188")
def test_a_touch_is_on_record_with_its_place_in_the_order_and_all_that_was_seen() -> None:
    table = sighted()
    play(table, "e4 e5")
    touch(table, Seat.WHITE, "g1")
    table.wait(700)
    second = touch(table, Seat.WHITE, "f3", "placed", piece="N")
    assert second == ev.TouchReported(
        at=table.now,
        number=2,
        seat=Seat.WHITE,
        ply=3,
        square="f3",
        how="placed",
        piece="N",
        origin=Origin.ENTERED,
        because="",
        sealed=False,
        rejects=False,
    )
    ruled = table.done("arbiter", cmd.RuleTouch(number=2, counts=False, reason="sleeve"))
    assert ruled == (ev.TouchRuled(at=table.now, number=2, counts=False, reason="sleeve"),)
    late = touch(table, Seat.WHITE, "e2", "touched", ply=1)
    assert late == ev.TouchReported(
        at=table.now, number=3, seat=Seat.WHITE, ply=1, square="e2", how="touched", origin=Origin.ENTERED, rejects=False
    )


@pytest.mark.law("L027", "L188")
def test_a_ruling_names_a_touch_that_is_there_and_evidence_opens_what_is_sealed() -> None:
    table = CoreTable()
    open_ = touch(table, Seat.WHITE, "b1")
    hidden = sensed(table, Seat.WHITE, "g1")
    refused(table.do("arbiter", cmd.RuleTouch(number=3, counts=True)), "no_such_touch", "4.2.2")
    refused(table.do("arbiter", cmd.RuleTouch(number=2, counts=True)), "no_such_touch", "4.2.2")
    table.done("arbiter", cmd.RuleTouch(number=1, counts=True))
    opened = table.done("arbiter", cmd.OpenEvidence(reason="a dispute"))
    assert opened == (ev.EvidenceOpened(at=table.now, reason="a dispute", touches=(hidden,)),)
    assert table.state.rulings.touches[0] == open_
    ruled = table.done("arbiter", cmd.RuleTouch(number=2, counts=True))
    assert ruled == (ev.TouchRuled(at=table.now, number=2, counts=True, reason=""),)
    unstarted = CoreTable(started=False)
    report = cmd.ReportTouch(seat=Seat.WHITE, square="e2", how="lifted")
    refused(unstarted.do("arbiter", report), "not_started", "6.6")


@pytest.mark.law("L188")
def test_l188_the_lifts_of_the_other_board_alone_make_evidence_of_both() -> None:
    """A touch that the arbiter reports, and a lift of the same board, are no second witness."""
    table = CoreTable()
    touch(table, Seat.BLACK, "g8")
    assert sensed(table, Seat.WHITE, "b1").sealed
    assert sensed(table, Seat.WHITE, "g1").sealed
    assert not sensed(table, Seat.BLACK, "b8").sealed


# Touches that reject an offer (9.1.2.1)


@pytest.mark.law("L101", "L188")
@pytest.mark.parametrize(
    ("kind", "how", "rejects"),
    [
        (SeatKind.SIGHTED, "touched", True),
        (SeatKind.SIGHTED, "lifted", True),
        (SeatKind.SIGHTED, "placed", False),
        (SeatKind.SIGHTED, "released", False),
        (SeatKind.TACTILE, "touched", False),
        (SeatKind.TACTILE, "lifted", True),
        (SeatKind.TACTILE, "placed", False),
    ],
)
def test_l101_a_touch_that_binds_rejects_the_offer_that_stands(kind: SeatKind, how: str, rejects: bool) -> None:
    table = CoreTable(white=kind)
    play(table, "e4 e5")
    table.done("white", cmd.Execute())
    table.done("black", cmd.OfferDraw())
    assert touch(table, Seat.WHITE, "g1", how).rejects is rejects
    assert table.state.draws.offer_by is (None if rejects else Seat.BLACK)


@pytest.mark.law("L101")
def test_l101_only_the_player_on_move_rejects_and_only_the_opponents_offer() -> None:
    table = sighted()
    play(table, "e4 e5")
    table.done("white", cmd.Execute())
    assert not touch(table, Seat.WHITE, "g1").rejects, "there is no offer"
    early = sighted()
    early.done("black", cmd.OfferDraw())
    assert touch(early, Seat.WHITE, "g1", ply=1).rejects, "also before the first move, and where the ply is named"
    table.done("white", cmd.OfferDraw())
    assert not touch(table, Seat.WHITE, "g1").rejects, "it is White's own"
    assert not touch(table, Seat.BLACK, "g8").rejects, "Black is not on move"
    assert table.state.draws.offer_by is Seat.WHITE
    play(table, "Nf3")
    assert touch(table, Seat.BLACK, "g8").rejects and table.state.draws.offer_by is None


@pytest.mark.law("L101", "L188")
@pytest.mark.parametrize(
    ("words", "square", "rejects"),
    [
        ("d4", "g8", True),  # Black's own knight, which the words do not take
        ("d4", "d2", False),  # the opponent's pawn: who carries out lifts it
        ("d4", "e2", False),  # another one of the opponent's: which one was meant may not show
        ("d4", "d4", False),  # where the words go
        ("d4", "c3", True),  # an empty square that has no part in it
        ("d4", "d3", False),  # by the words alone it might be taken in passing
    ],
)
def test_l101_before_the_opponents_move_is_carried_out_only_what_the_words_cannot_take_rejects(
    words: str, square: str, rejects: bool
) -> None:
    table = sighted()
    play(table, words)
    table.done("white", cmd.OfferDraw())
    assert touch(table, Seat.BLACK, square).rejects is rejects


@pytest.mark.law("L101")
def test_l101_an_offer_before_the_opponents_words_is_rejected_by_the_touch_after_them() -> None:
    """Black's e5 is announced, then White offers: Black's own touch for that move rejects nothing yet."""
    table = sighted()
    play(table, "e4")
    table.done("black", cmd.Execute())
    table.say("black", "e5", act="announce")
    table.done("white", cmd.OfferDraw())
    assert not touch(table, Seat.BLACK, "e7").rejects, "the move was announced before the offer"
    table.press("black")
    assert table.state.draws.offer_by is Seat.WHITE


# Carrying out the opponent's move is no touch (D.2.1)


@pytest.mark.law("L188")
@pytest.mark.parametrize(
    ("fen", "words", "square", "because"),
    [
        (chess.STARTING_FEN, "Nf3", "g1", "execution"),
        (chess.STARTING_FEN, "Nf3", "f3", ""),  # nothing stands there to be taken off
        (chess.STARTING_FEN, "e3e4", "e2", "execution"),  # from a square where nobody stands: any of White's men
        (chess.STARTING_FEN, "e3e4", "e7", ""),
        (chess.STARTING_FEN, "Nf3", "b1", ""),  # a piece that has no part in the move
        (chess.STARTING_FEN, "Nf3", "g8", ""),
        (CASTLING, "O-O", "e1", "execution"),
        (CASTLING, "O-O", "h1", "execution"),
        (CASTLING, "O-O", "a1", ""),
        (CASTLING, "O-O", "h8", ""),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "d5", "execution"),  # the pawn taken in passing
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e8", ""),
    ],
)
def test_l188_what_belongs_to_the_opponents_move_binds_nobody(fen: str, words: str, square: str, because: str) -> None:
    table = CoreTable(fen=fen, black=SeatKind.TACTILE)
    play(table, words)
    assert touch(table, Seat.BLACK, square).because == because


@pytest.mark.law("L188")
@pytest.mark.parametrize(
    ("words", "square", "because"),
    [
        ("Nf3", "d2", "execution"),  # one of the two knights, none of them known: any of the opponent's men
        ("Nf3", "g1", "execution"),
        ("Nf3", "e8", ""),  # the player's own king, which the words do not take
        ("Nf3", "f3", "execution"),
        ("Nf3", "c3", "execution"),
    ],
)
def test_l188_where_the_words_leave_two_pieces_open_only_the_own_piece_binds(
    words: str, square: str, because: str
) -> None:
    table = CoreTable(fen="4k3/8/8/8/8/5p2/3N4/4K1N1 w - - 0 1", black=SeatKind.TACTILE)
    play(table, words)
    table.done("white", cmd.OfferDraw())
    reported = touch(table, Seat.BLACK, square)
    assert (reported.because, reported.rejects) == (because, square in ("e8", "c3")), "the words alone say what may"


@pytest.mark.law("L188")
@pytest.mark.parametrize(("how", "because"), [("placed", "execution"), ("released", "execution"), ("touched", "")])
def test_l188_the_opponents_man_is_set_down_where_the_move_ends(how: str, because: str) -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    play(table, "Nf3")
    assert touch(table, Seat.BLACK, "f3", how).because == because


@pytest.mark.law("L182", "L188")
def test_l188_who_repeated_other_words_carries_out_those() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    play(table, "Nf3")
    table.say("black", "Nc3", act="echo")
    assert [touch(table, Seat.BLACK, square).because for square in ("b1", "g1")] == ["execution", ""]


@pytest.mark.law("L188")
def test_l188_at_a_promotion_too_the_captured_piece_comes_off_once() -> None:
    table = CoreTable(fen="r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", black=SeatKind.TACTILE)
    play(table, "b7a8=Q")
    assert [touch(table, Seat.BLACK, "a8").because for _ in range(2)] == ["execution", ""]


@pytest.mark.law("L188")
def test_l188_only_the_own_touches_of_this_move_have_taken_the_captured_piece_off() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    play(table, "e4")
    touch(table, Seat.BLACK, "d5")
    play(table, "d5")
    table.done("white", cmd.Execute())
    play(table, "e4d5")
    touch(table, Seat.WHITE, "d5")
    assert [touch(table, Seat.BLACK, "d5").because for _ in range(2)] == ["execution", ""]


@pytest.mark.law("L082")
@pytest.mark.parametrize(
    ("seat", "origin", "kinds"),
    [
        (Seat.WHITE, "sensed", ["press_without_move"]),
        (Seat.WHITE, "entered", []),  # the arbiter saw it, so no lift need come of itself
        (Seat.BLACK, "sensed", []),
        (Seat.BLACK, "entered", []),
    ],
)
def test_a_board_that_gave_its_lifts_and_gives_none_shows_a_press_without_a_move(
    seat: Seat, origin: Any, kinds: list[str]
) -> None:
    table = sighted()
    table.adapt("touch_evidence_one_sided")
    report = cmd.ReportTouch(seat=seat, square="e2", how="lifted", origin=origin)
    table.done(PROGRAM if origin == "sensed" else "arbiter", report)
    touch(table, Seat.WHITE, "e2")
    play(table, "e4 e5")
    found = only(table.press("white"), ev.Alerted)
    assert [one.kind for one in found if one.kind == "press_without_move"] == kinds


@pytest.mark.law("L188")
def test_l188_where_no_word_of_it_is_known_any_touch_may_be_its_execution() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    table.mumble("white", "u1")
    table.press("white")
    assert touch(table, Seat.BLACK, "g8").because == "execution"
    assert touch(table, Seat.BLACK, "e2").because == "execution"


@pytest.mark.law("L188")
@pytest.mark.parametrize(
    ("fen", "words", "square", "because"),
    [
        ("4k3/3p4/8/2PpP3/8/8/8/4K3 w - - 0 1", "d6", "d5", "execution"),
        ("4k3/3p4/8/2PpP3/8/8/8/4K3 w - - 0 1", "d6", "d7", ""),
        ("4k3/3p4/8/2PpP3/8/8/8/4K3 w - - 0 1", "Pd6", "d5", "execution"),
        ("4k3/8/8/8/2pPp3/8/3P4/4K3 b - - 0 1", "d3", "d4", "execution"),
        ("4k3/8/8/8/2pPp3/8/3P4/4K3 b - - 0 1", "d3", "d2", ""),
        ("4k3/8/8/5N2/8/1N1p4/8/4K3 w - - 0 1", "Nd4", "d3", ""),  # no knight takes in passing
        ("4k3/8/8/8/8/8/8/R7 w - - 0 1", "O-O", "e8", ""),  # castling takes nothing
    ],
)
def test_l188_of_the_own_men_only_those_that_the_words_can_take_belong_to_the_opponents_move(
    fen: str, words: str, square: str, because: str
) -> None:
    """Which piece was meant is not known: two can go there, or none can."""
    table = CoreTable(fen=fen, white=SeatKind.TACTILE, black=SeatKind.TACTILE)
    mover = table.state.on_move
    spoken = Announcement(piece="pawn", to_square=words[1:]) if words[0] == "P" else said(words)
    table.done(mover.value, cmd.Say(announcement=spoken, words=(words,), text=words, act="announce"))
    table.press(mover.value)
    assert table.state.moves.line == (None,)
    assert touch(table, mover.other, square).because == because


# What the mover is obliged to


@pytest.mark.law("L028", "L080")
def test_nobody_is_obliged_where_nothing_was_touched_nor_in_a_ply_that_is_not_there() -> None:
    table = sighted()
    touch(table, Seat.WHITE, "g1")
    free = obligation_of(table.state, 0), obligation_of(table.state, 2)
    assert free == (None, None)
    knight = Obligation(("g1h3", "g1f3"), "4.3.1", False)
    assert obligation_of(table.state, 1) == knight
    play(table, "e4")
    assert obligation_of(table.state, 1) == knight, "what White owed in the move that was made"
    assert obligation_of(table.state, 2) is None
    table.done("arbiter", cmd.RestoreTo(ply=0))
    table.done("arbiter", cmd.Resume())
    assert obligation_of(table.state, 2) is None
    assert obligation_of(table.state, 1) == knight, "the wrong move went back, the knight is still touched"
    play(table, "Nf3")
    table.done("arbiter", cmd.RestoreTo(ply=0))
    assert obligation_of(table.state, 1) is None, "it was moved: the game begins again there"


@pytest.mark.law("L080")
def test_l080_what_was_touched_in_the_illegal_move_obliges_in_the_one_that_replaces_it_alone() -> None:
    table = sighted()
    play(table, "Ng1e4")
    rule(table, 1, Seat.WHITE)
    table.done("arbiter", cmd.RestoreTo(ply=0))
    table.done("arbiter", cmd.Resume())
    assert obligation_of(table.state, 1) == Obligation(("g1h3", "g1f3"), "4.3.1", False)
    play(table, "Nf3 e5")
    assert obligation_of(table.state, 2) is None and obligation_of(table.state, 3) is None


@pytest.mark.law("L034")
@pytest.mark.parametrize(
    ("square", "how", "piece", "moves", "article"),
    [
        ("a8", "placed", "N", ("a7a8n",), "4.4.4"),
        ("a8", "released", "r", ("a7a8r",), "4.4.4"),
        ("a8", "placed", "Q", ("a7a8q",), "4.4.4"),
        ("a8", "placed", "b", ("a7a8b",), "4.4.4"),
        ("a8", "released", None, ("a7a8q", "a7a8r", "a7a8b", "a7a8n"), "4.7"),  # the pawn itself: the choice is open
        ("a8", "placed", "K", ("a7a8q", "a7a8r", "a7a8b", "a7a8n"), "4.3.1"),  # no piece of a promotion
        ("a8", "placed", None, ("a7a8q", "a7a8r", "a7a8b", "a7a8n"), "4.3.1"),
        ("a8", "touched", "N", ("a7a8q", "a7a8r", "a7a8b", "a7a8n"), "4.3.1"),
        ("a7", "placed", "N", ("a7a8q", "a7a8r", "a7a8b", "a7a8n"), "4.3.1"),  # on no promotion square
    ],
)
def test_l034_the_piece_set_on_the_promotion_square_is_the_choice(
    square: str, how: str, piece: str | None, moves: tuple[str, ...], article: str
) -> None:
    table = sighted(fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    touch(table, Seat.WHITE, "a7")
    touch(table, Seat.WHITE, square, how, piece=piece)
    obligation = obligation_of(table.state, 1)
    assert obligation is not None and set(obligation.moves) == set(moves)
    assert obligation.article == article and not obligation.free


@pytest.mark.law("L034")
def test_l034_a_new_piece_alone_on_the_last_rank_is_a_choice_too() -> None:
    """Black's, on the first rank, before the pawn was touched: other moves stay free."""
    table = sighted(fen="4k3/8/8/8/8/8/p7/4K3 b - - 0 1")
    touch(table, Seat.BLACK, "a1", "placed", piece="r")
    obligation = obligation_of(table.state, 1)
    assert obligation is not None and obligation.article == "4.4.4"
    assert {uci for uci in obligation.moves if uci.startswith("a2")} == {"a2a1r"} and "e8d8" in obligation.moves


@pytest.mark.law("L037")
@pytest.mark.parametrize(
    ("touches", "moves", "article"),
    [
        ((("b1", "lifted"), ("c3", "released")), {"b1c3"}, "4.7"),
        ((("b1", "lifted"), ("b3", "released")), {"b1a3", "b1c3"}, "4.3.1"),  # no legal move leads there
        ((("b1", "touched"), ("c3", "released")), {"b1a3", "b1c3"}, "4.3.1"),  # it was not seen to leave its square
        ((("b1", "lifted"), ("c3", "placed")), {"b1a3", "b1c3"}, "4.3.1"),  # the hand has not let go
        ((("c3", "released"), ("b1", "lifted")), {"b1a3", "b1c3"}, "4.3.1"),
        ((("b1", "lifted"), ("g1", "lifted"), ("c3", "released")), {"b1a3", "b1c3"}, "4.3.1"),
        ((("b1", "lifted"), ("b3", "released"), ("c3", "released")), {"b1c3"}, "4.7"),
    ],
)
def test_l037_a_piece_released_on_another_square_stays_there(
    touches: tuple[tuple[str, str], ...], moves: set[str], article: str
) -> None:
    table = sighted()
    for square, how in touches:
        touch(table, Seat.WHITE, square, how)
    assert obliged(table) == (moves, article)


@pytest.mark.law("L026", "L027")
def test_l027_a_touch_that_does_not_bind_leaves_the_move_free() -> None:
    table = sighted()
    for _ in range(2):
        touch(table, Seat.BLACK, "g8")
    table.done("arbiter", cmd.RuleTouch(number=touch(table, Seat.WHITE, "b1").number, counts=False))
    assert obligation_of(table.state, 1) is None


# Claims that the opponent broke 4.1 to 4.7, or moved illegally (4.8, 7.5, A.5.2)


@pytest.mark.law("L041")
@pytest.mark.parametrize(
    ("kind", "how", "square", "open_"),
    [
        (SeatKind.SIGHTED, "touched", "g8", False),
        (SeatKind.SIGHTED, "lifted", "g8", False),
        (SeatKind.SIGHTED, "placed", "g8", True),
        (SeatKind.TACTILE, "touched", "g8", True),  # feeling is free
        (SeatKind.TACTILE, "lifted", "g8", False),
        (SeatKind.TACTILE, "lifted", "e2", True),  # the opponent's pawn, carried out
    ],
)
def test_l041_a_touch_that_binds_the_claimant_closes_it(kind: SeatKind, how: str, square: str, open_: bool) -> None:
    table = sighted(black=kind)
    assert touch_claim_open(table.state, Seat.BLACK), "nothing has been played"
    touch(table, Seat.WHITE, "b1")  # the opponent's own touches are what is claimed of
    play(table, "e4")
    touch(table, Seat.BLACK, square, how)
    assert touch_claim_open(table.state, Seat.BLACK) is open_
    assert touch_claim_open(table.state, Seat.WHITE), "Black has made no move"


@pytest.mark.law("L041")
def test_l041_the_claimants_move_that_is_only_announced_does_not_close_it() -> None:
    table = sighted()
    play(table, "e4")
    table.say("black", "e5", act="announce")
    assert touch_claim_open(table.state, Seat.BLACK) and touch_claim_open(table.state, Seat.WHITE)
    table.press("black")
    assert not touch_claim_open(table.state, Seat.BLACK) and touch_claim_open(table.state, Seat.WHITE)
    touch(table, Seat.WHITE, "g1")
    assert not touch_claim_open(table.state, Seat.WHITE)
    play(table, "Nf3 Nf6")
    assert touch_claim_open(table.state, Seat.WHITE), "about the next move again"


@pytest.mark.law("L041", "L080", "L153")
@pytest.mark.parametrize(
    ("control", "rules", "moves", "kind", "detail"),
    [
        ("5400+30", "", "e4", "touch", "Black claims: touched piece (4.8, in time). a note"),
        ("5400+30", "", "e4 e5", "illegal", "Black claims: illegal (7.5, in time). a note"),
        ("5400+30", "", "", "illegal", "Black claims: illegal (7.5, in time). a note"),
        ("5400+30", "", "e4", "other", "Black claims: other (7.5, in time). a note"),
        ("180+2", "fide2023", "", "illegal", "Black claims: illegal (A.5.2, in time). a note"),
        ("180+2", "fide2023", "e4", "illegal", "Black claims: illegal (A.5.2, in time). a note"),
        ("180+2", "fide2023", "e4 e5", "illegal", "Black claims: illegal (A.5.2, too late). a note"),
        ("180+2", "fide2023", "e4 e5 Nf3", "illegal", "Black claims: illegal (A.5.2, in time). a note"),
        ("180+2", "fide2023", "e4", "other", "Black claims: other (7.5, in time). a note"),
        ("180+2", "fide2018", "e4 e5", "illegal", "Black claims: illegal (A.4.2, too late). a note"),
        ("180+2", "short", "e4 e5", "illegal", "Black claims: illegal (A.5.2, too late). a note"),
        ("180+2", "", "e4 e5", "illegal", "Black claims: illegal (7.5, in time). a note"),
    ],
)
def test_a_claim_stops_the_clocks_and_the_arbiter_is_told_whether_it_is_in_time(
    control: str, rules: str, moves: str, kind: Any, detail: str
) -> None:
    """`rules`: the edition, under basic supervision; "" where the competition rules hold in full."""
    table = sighted(control=control, **({"rule_set": rules, "regulations": BASIC} if rules else {}))
    play(table, moves)
    claimed = table.done("black", cmd.ClaimIrregularity(kind=kind, note="a note"))
    of_white = next((ply for ply in range(table.state.made_plies, 0, -1) if ply % 2), 0)
    assert claimed[-3:] == (
        ev.ArbiterCalled(at=table.now, seat=Seat.BLACK, reason="a note"),
        ev.ClockPaused(at=table.now, by=Role.PLAYER, seat=Seat.BLACK, reason="claim"),
        ev.Alerted(at=table.now, kind="irregularity_claimed", ply=of_white, grey=False, detail=detail),
    )
