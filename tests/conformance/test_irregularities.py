"""Touches, illegal moves, restoration, penalties, incidents (4, 7, 8.4-8.5, 11, 12, A, D.2.2-D.2.4; G1-G14)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "play"))
from core_table import CoreTable, only

from server.play import commands as cmd
from server.play import events as ev
from server.play import messages as msg
from server.play.commands import PROGRAM, Refusal
from server.play.game import Game
from server.play.incidents import PENALTIES
from server.play.rules.event_options import EventOptions, Supervision
from server.play.touching import obligation_of, touch_claim_open
from server.play.values import ClockMaster, Duty, Mode, Origin, Role, Seat, SeatKind, Station
from server.play.views import picture, view
from server.rules_loading import load_adaptations, load_penalties

BASIC = EventOptions(supervision=Supervision.BASIC)
TEN = "Nf3 Nf6 Ng1 Ng8 " * 5


def play(table: CoreTable, moves: str, wait: int = 0) -> None:
    """Both players announce and press, in turn."""
    for text in moves.split():
        seat = table.state.on_move
        table.wait(wait)
        table.say(seat.value, text, act="announce")
        table.press(seat.value)


def enter(table: CoreTable, uci: str) -> tuple[ev.AnyEvent, ...]:
    """Black's move released, entered and pressed."""
    return (*table.enter("black", uci), *table.press("black"))


def touch(table: CoreTable, seat: Seat, square: str, how: Any = "lifted", **more: Any) -> ev.TouchReported:
    events = table.done("arbiter", cmd.ReportTouch(seat=seat, square=square, how=how, **more))
    return only(events, ev.TouchReported)[0]


def sensed(table: CoreTable, seat: Seat, square: str, how: Any = "lifted") -> ev.TouchReported:
    events = table.own(cmd.ReportTouch(seat=seat, square=square, how=how, origin="sensed"))
    return only(events, ev.TouchReported)[0]


def alerts(table: CoreTable, kind: str) -> list[ev.Alerted]:
    return [alert for alert in only(table.events, ev.Alerted) if alert.kind == kind]


def obliged(table: CoreTable) -> tuple[set[str], str]:
    """What the arbiter's picture says of the player on move."""
    shown = picture(table.state, table.now)
    return set(shown.obliged), shown.obliged_by


def told(table: CoreTable, seat: Seat, since: int = 0) -> list[msg.AnyMessage]:
    """Everything that reached a player's own station, from the events alone."""
    station = Station(seat.value, Role.PLAYER, seat)
    seen = [(event, Game.replay(table.events[:number])) for number, event in enumerate(table.events, 1)][since:]
    return [message for event, state in seen if (message := view(event, state, station)) is not None]


def rule(table: CoreTable, ply: int, seat: Seat, kind: Any = "illegal", **more: Any) -> ev.IrregularityRuled:
    events = table.done("arbiter", cmd.RuleIrregularity(ply=ply, seat=seat, kind=kind, **more))
    (ruled,) = only(events, ev.IrregularityRuled)
    return ruled


def refused(decided: tuple[ev.AnyEvent, ...] | Refusal, code: str, article: str) -> None:
    assert decided == Refusal(code, article)


def sighted(**more: Any) -> CoreTable:
    return CoreTable(white=SeatKind.SIGHTED, **more)


# 4: the act of moving


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


CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


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


# 7: illegal moves and restoration


@pytest.mark.law("L080", "L023")
def test_l080_nothing_before_the_press_and_an_irregularity_only_by_the_arbiter() -> None:
    table = CoreTable()
    ruling = cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal")
    refused(table.do("arbiter", ruling), "no_such_ply", "7.5.1")
    table.say("white", "Ke3", act="announce")
    refused(table.do("arbiter", ruling), "not_completed_yet", "7.5.1")
    assert not only(table.events, ev.Alerted)
    table.press("white")
    (alert,) = alerts(table, "not_legal")
    assert alert.grey, "it rests on recognised words alone"
    assert not table.state.illegals
    ruled = rule(table, 1, Seat.WHITE, confirm=False)
    assert not ruled.confirmed and not table.state.illegals


@pytest.mark.law("L080")
def test_l080_restored_and_the_replacing_move_is_obliged_by_what_was_moved() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    play(table, "Ba6 Nf6", wait=5_000)
    rule(table, 3, Seat.WHITE)
    scores = table.score(Seat.WHITE), table.score(Seat.BLACK)
    table.done("arbiter", cmd.RestoreTo(ply=2))
    assert table.state.made_plies == 2 and table.state.on_move is Seat.WHITE
    assert (table.score(Seat.WHITE), table.score(Seat.BLACK)) == scores, "scores are the players' own"
    assert {table.placement(seat) for seat in Seat} == {table.state.positions[2].placement}
    assert [len(line) for line in table.state.discarded] == [2]
    assert [record.text for record in table.state.discarded[0]] == ["Ba6", "Nf6"]
    assert (table.state.clock.white.moves, table.state.clock.black.moves) == (1, 1)
    assert table.state.clock.turn is Seat.WHITE
    moves, article = obliged(table)
    assert article == "4.3.1" and "f1c4" in moves and all(uci.startswith("f1") for uci in moves)
    without = CoreTable()
    play(without, "e4 e5 Ba6")
    without.done("arbiter", cmd.RestoreTo(ply=2))
    assert obliged(without) == (set(), ""), "nothing was ruled illegal"


@pytest.mark.law("L080")
def test_l080_the_illegally_moved_piece_must_move_if_it_can() -> None:
    table = CoreTable()
    play(table, "Nf3 e5")
    play(table, "Nf3g4")  # no knight goes so
    rule(table, 3, Seat.WHITE)
    (restored,) = only(table.done("arbiter", cmd.RestoreTo(ply=2, reason="7.5.1")), ev.Restored)
    assert restored.discarded == ("f3g4",)
    moves, article = obliged(table)
    assert article == "4.3.1" and moves and all(uci.startswith("f3") for uci in moves)
    play(table, "d4")
    assert alerts(table, "touch_move")


@pytest.mark.law("L080", "L028")
def test_l080_what_was_touched_before_the_illegal_move_comes_first_in_the_one_that_replaces_it() -> None:
    table = CoreTable()
    touch(table, Seat.WHITE, "b1")
    play(table, "Ke3")
    rule(table, 1, Seat.WHITE)
    table.done("arbiter", cmd.RestoreTo(ply=0))
    assert obliged(table) == ({"b1a3", "b1c3"}, "4.3.1")
    other = CoreTable()
    touch(other, Seat.WHITE, "b1")
    play(other, "Nc3")
    other.done("arbiter", cmd.RestoreTo(ply=0))
    assert obliged(other) == (set(), ""), "taken back for another reason: the game begins again there"


@pytest.mark.law("L074")
def test_l074_an_offer_does_not_outlive_the_position_and_times_that_are_not_stored_are_not_invented() -> None:
    table = CoreTable()
    play(table, "e4")
    table.enter("black", "e7e5", "e5")
    table.done("black", cmd.OfferDraw())
    refused(table.do("arbiter", cmd.RestoreTo(ply=2, times="stored")), "no_stored_times", "7.1")
    table.done("arbiter", cmd.RestoreTo(ply=0, times="stored"))
    assert table.state.offer_by is None
    start = table.state.clock.remaining(Seat.WHITE, table.now)
    assert start == table.state.clock.remaining(Seat.BLACK, table.now) == 5_430_000


@pytest.mark.law("L084")
def test_l084_each_player_has_his_own_count() -> None:
    table = CoreTable()
    play(table, "Ke3")
    rule(table, 1, Seat.WHITE)
    play(table, "Ke6")
    ruled = rule(table, 2, Seat.BLACK)
    assert ruled.number == 1 and ruled.loses is False
    play(table, "d4")
    assert not rule(table, 3, Seat.WHITE, "two_hands", give=False).bonus_ms


@pytest.mark.law("L084")
def test_l084_the_time_is_given_only_if_the_arbiter_gives_it() -> None:
    table = CoreTable()
    play(table, "Ke3")
    assert rule(table, 1, Seat.WHITE, give=False).bonus_ms == 120_000
    assert not only(table.events, ev.TimeAdded)


@pytest.mark.law("L074")
@pytest.mark.parametrize("times", ["leave", "stored"])
def test_l074_the_times_are_left_or_those_of_the_ply(times: Any) -> None:
    table = CoreTable()
    play(table, "e4 e5", wait=7_000)
    stored = table.ply(2).white_ms, table.ply(2).black_ms
    play(table, "d4 d5", wait=60_000)
    left = tuple(table.state.clock.remaining(seat, table.now) for seat in Seat)
    table.done("arbiter", cmd.RestoreTo(ply=2, times=times))
    now = tuple(table.state.clock.remaining(seat, table.now) for seat in Seat)
    assert now == (left if times == "leave" else stored) and left != stored
    assert (table.state.clock.white.moves, table.state.clock.black.moves) == (1, 1)


@pytest.mark.law("L074")
def test_l074_the_period_goes_back_with_the_stored_times() -> None:
    table = CoreTable(control="2/60:600")
    play(table, "Nf3 Nf6 Ng1 Ng8 e4")
    assert table.state.clock.white.period == 1
    table.done("arbiter", cmd.RestoreTo(ply=2, times="stored"))
    assert (table.state.clock.white.period, table.state.clock.white.moves) == (0, 1)
    assert table.state.clock.white.remaining_ms == table.ply(1).white_ms == 60_000
    table.done("arbiter", cmd.RestoreTo(ply=0, times="stored"))
    assert table.state.clock.remaining(Seat.WHITE, table.now) == 60_000 and table.state.plies == ()
    refused(table.do("arbiter", cmd.RestoreTo(ply=1)), "no_such_ply", "7.1")


@pytest.mark.law("L085", "L024")
def test_l085_the_last_identifiable_position_is_given_where_the_server_does_not_know_it() -> None:
    table = CoreTable()
    table.mumble("white", "u1")
    table.press("white")
    play(table, "e5")
    refused(table.do("arbiter", cmd.RestoreTo(ply=1)), "position_not_known", "7.5.1")
    given = "PPPPPPPP/8/8/8/8/8/8/kk6"
    table.done("arbiter", cmd.RestoreTo(ply=1, placement=given))
    assert {table.placement(seat) for seat in Seat} == {given} and table.state.made_plies == 1


@pytest.mark.law("L081")
def test_l081_an_unpromoted_pawn_becomes_a_queen_and_counts() -> None:
    fen = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1"
    table = sighted(fen=fen)
    table.enter("white", "a7a8", "a8")
    assert not alerts(table, "unpromoted")
    table.press("white")
    (alert,) = alerts(table, "unpromoted")
    assert not alert.grey, "entered on the board"
    ruled = rule(table, 1, Seat.WHITE, "unpromoted")
    assert ruled.counts and ruled.number == 1
    assert table.state.positions[1].placement.startswith("Q7/")
    assert table.placement(Seat.WHITE).startswith("Q7/")
    assert table.placement(Seat.BLACK).startswith("8/P"), "where the pawn does not stand yet, nothing becomes a queen"
    short = sighted(fen=fen, rule_set="short")
    short.enter("white", "a7a8", "a8")
    short.press("white")
    rule(short, 1, Seat.WHITE, "unpromoted")
    assert short.placement(Seat.WHITE).startswith("P7/"), "the short rules restore the position before"


@pytest.mark.law("L082", "L083")
def test_l082_l083_a_press_without_a_move_and_two_hands_count_where_the_rule_set_says_so() -> None:
    for kind in ("no_move", "two_hands"):
        table = CoreTable()
        table.press("white")
        assert rule(table, 1, Seat.WHITE, kind).counts is True
        short = CoreTable(rule_set="short")
        short.press("white")
        ruled = rule(short, 1, Seat.WHITE, kind)
        assert not ruled.counts and not only(short.events, ev.TimeAdded)


@pytest.mark.law("L083")
def test_l083_two_hands_at_the_tactile_board_are_exempt_only_by_adaptation() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.RecordAdaptation(name="tactile_two_hands_exempt", value="on"))
    table.press("white")
    ruling = cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="two_hands")
    refused(table.do("arbiter", ruling), "two_hands_exempt", "D.1")
    table.press("black")
    assert rule(table, 2, Seat.BLACK, "two_hands").counts is True


@pytest.mark.law("L025", "L083")
def test_l025_two_hands_before_the_press_are_no_irregularity_yet() -> None:
    table = CoreTable()
    table.say("white", "e4", act="announce")
    ruling = cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="two_hands")
    refused(table.do("arbiter", ruling), "not_completed_yet", "7.5.4")
    table.done("arbiter", cmd.NoteIncident(kind="two_hands", text="castled with both hands", seat=Seat.WHITE))


@pytest.mark.law("L084")
@pytest.mark.parametrize(
    ("rule_set", "control", "regulations", "bonus"),
    [
        ("fide2023", "5400+30", None, 120_000),
        ("fide2018", "900+10", None, 120_000),
        ("fide2023", "900+10", None, 60_000),
        ("fide2023", "180+2", BASIC, 60_000),
        ("short", "5400+30", None, 120_000),
    ],
)
def test_l084_the_first_gives_the_opponent_time(rule_set: str, control: str, regulations: Any, bonus: int) -> None:
    table = CoreTable(rule_set=rule_set, control=control, regulations=regulations)
    play(table, "Ke3")
    before = table.state.clock.remaining(Seat.BLACK, table.now)
    ruled = rule(table, 1, Seat.WHITE)
    assert (ruled.number, ruled.loses, ruled.bonus_ms, ruled.proposed) == (1, False, bonus, None)
    assert table.state.clock.remaining(Seat.BLACK, table.now) == before + bonus
    refused(
        table.do("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="two_hands")), "ruled_already", "7.5.5"
    )


def _again(table: CoreTable, times: int) -> ev.IrregularityRuled:
    for _ in range(times):
        play(table, "Ke7")
        ruled = rule(table, 1, Seat.WHITE)
        table.done("arbiter", cmd.RestoreTo(ply=0))
    return ruled


@pytest.mark.law("L084")
@pytest.mark.parametrize(("rule_set", "loses_at"), [("fide2023", 2), ("fide2018", 2), ("short", 3)])
def test_l084_the_second_or_third_loses_by_the_arbiters_word_alone(rule_set: str, loses_at: int) -> None:
    table = CoreTable(rule_set=rule_set)
    assert _again(table, loses_at - 1).loses is False
    ruled = _again(table, 1)
    assert ruled.loses and ruled.number == loses_at and ruled.proposed == "0-1"
    assert ruled.opponent_can_mate == "unknown" and not table.state.over, "no search while a command waits"
    (told,) = [one for one in only(table.events, ev.Alerted) if one.kind == "loses"]
    assert "can black mate? yes: 0-1 (7.5.5)" in told.detail


@pytest.mark.law("L084")
def test_l084_drawn_where_the_opponent_cannot_mate() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    ruled = _again(table, 2)
    assert ruled.loses and ruled.opponent_can_mate == "no" and ruled.proposed == "1/2-1/2"


@pytest.mark.law("L084")
def test_l084_counted_by_category_where_the_edition_does() -> None:
    table = CoreTable(rule_set="fide2017h2")
    play(table, "Ke3 e5")
    assert rule(table, 1, Seat.WHITE).number == 1
    play(table, "d4")
    other = rule(table, 3, Seat.WHITE, "two_hands")
    assert other.number == 1 and other.loses is False


@pytest.mark.law("L077")
@pytest.mark.parametrize(
    ("rule_set", "moves", "says"),
    [
        ("fide2023", "e4 e5", "new_game"),
        ("fide2023", TEN, "continue"),
        ("short", "e4 e5", "continue"),
        ("fide2017h2", "", "arbiter"),
    ],
)
def test_l077_reversed_colours(rule_set: str, moves: str, says: str) -> None:
    table = CoreTable(rule_set=rule_set)
    play(table, moves)
    (ruled,) = only(table.done("arbiter", cmd.RuleSetUp(what="colours")), ev.SetUpRuled)
    assert (ruled.says, ruled.article) == (says, "7.3")


@pytest.mark.law("L075", "L076", "L152")
def test_l152_the_set_up_stands_after_ten_moves_of_each_in_basic_supervision_only() -> None:
    for regulations in (BASIC, None):
        table = CoreTable(control="900+10", regulations=regulations)
        (ruled,) = only(table.done("arbiter", cmd.RuleSetUp(what="position")), ev.SetUpRuled)
        assert (ruled.says, ruled.article) == ("new_game", "7.2.1")
        (ruled,) = only(table.done("arbiter", cmd.RuleSetUp(what="orientation")), ev.SetUpRuled)
        assert (ruled.says, ruled.article) == ("continue", "7.2.2")
        play(table, TEN)
        later = table.do("arbiter", cmd.RuleSetUp(what="position"))
        table.done("arbiter", cmd.RuleSetUp(what="colours"))
        if regulations is BASIC:
            refused(later, "set_up_stands", "A.5.1.2")
        else:
            assert not isinstance(later, Refusal)


# A: rapid and blitz


@pytest.mark.law("L151")
def test_l151_the_setting_stands_after_ten_moves_of_each_unless_the_arbiter_says_why() -> None:
    def setting(reason: str) -> cmd.SetClock:
        return cmd.SetClock(white_ms=1_000, black_ms=2_000, turn=Seat.WHITE, reason=reason)

    table = CoreTable(control="900+10", regulations=BASIC)
    table.done("arbiter", setting(""))
    table.done("arbiter", cmd.SetClock(white_ms=800_000, black_ms=800_000, turn=Seat.WHITE))
    play(table, TEN)
    refused(table.do("arbiter", setting("")), "settings_locked", "A.5.1.1")
    table.done("arbiter", setting("the round is late"))
    full = CoreTable(control="900+10")
    play(full, TEN)
    full.done("arbiter", setting(""))


@pytest.mark.law("L153", "L024")
@pytest.mark.parametrize(("rule_set", "article"), [("fide2023", "A.5.2"), ("fide2018", "A.4.2")])
def test_l153_the_illegal_move_stands_once_the_opponent_has_moved(rule_set: str, article: str) -> None:
    table = CoreTable(control="900+10", regulations=BASIC, rule_set=rule_set)
    play(table, "Ke3")
    assert not isinstance(
        table.do("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal", confirm=False)), Refusal
    )
    play(table, "e5")
    (alert,) = alerts(table, "illegal_move_stands")
    assert article in alert.detail and alert.ply == 1
    ruling = cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal")
    refused(table.do("arbiter", ruling), "illegal_move_stands", article)
    refused(table.do("arbiter", cmd.RestoreTo(ply=0)), "illegal_move_stands", article)
    play(table, "d4")
    assert table.state.position is not None and "K" in table.state.position.placement.split("/")[5], "play goes on"
    table.done("arbiter", cmd.RestoreTo(ply=0, agreed=True, reason="both players agree"))
    assert table.state.made_plies == 0
    full = CoreTable(control="900+10", rule_set=rule_set)
    play(full, "Ke3 e5 d4")
    assert not alerts(full, "illegal_move_stands") and rule(full, 1, Seat.WHITE).counts


@pytest.mark.law("L153")
def test_l153_a_move_that_was_ruled_on_in_time_does_not_stand() -> None:
    table = CoreTable(control="900+10", regulations=BASIC)
    play(table, "Ke3")
    rule(table, 1, Seat.WHITE)
    play(table, "e5")
    assert not alerts(table, "illegal_move_stands")


@pytest.mark.law("L153")
def test_l153_the_opponents_claim_is_in_time_until_his_own_next_move() -> None:
    table = CoreTable(control="900+10", regulations=BASIC)
    play(table, "Ke3")
    table.done("black", cmd.ClaimIrregularity(kind="illegal"))
    assert "A.5.2, in time" in alerts(table, "irregularity_claimed")[0].detail
    table.done("arbiter", cmd.Resume())
    play(table, "e5")
    table.done("black", cmd.ClaimIrregularity(kind="illegal"))
    assert "A.5.2, too late" in alerts(table, "irregularity_claimed")[1].detail


@pytest.mark.law("L155")
def test_l155_both_kings_in_check_waits_for_the_next_completed_move() -> None:
    fen = "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1"
    table = CoreTable(fen=fen, control="180+2", regulations=BASIC)
    play(table, "Ra8")  # his own king stays in check
    (waits,) = alerts(table, "irregular_position")
    assert "both kings in check" in waits.detail and waits.ply == 1
    play(table, "Re3")
    (drawn,) = alerts(table, "draw_irregular")
    assert drawn.ply == 2 and not table.state.over, "the arbiter declares it"
    mended = CoreTable(fen=fen, control="180+2", regulations=BASIC)
    play(mended, "Ra8 Kd7")
    assert not alerts(mended, "draw_irregular") and len(alerts(mended, "irregular_position")) == 1
    full = CoreTable(fen=fen, control="180+2")
    play(full, "Ra8")
    assert not alerts(full, "irregular_position")


@pytest.mark.law("L149")
def test_l149_the_sixth_request_of_the_sheet_is_a_distraction() -> None:
    table = CoreTable(control="900+10")
    for number in range(1, 7):
        (asked,) = only(table.done("white", cmd.AskForSheet()), ev.SheetAsked)
        assert (asked.number, asked.answer) == (number, "show" if number < 6 else "distraction")
    assert [alert.detail.count("11.5") for alert in alerts(table, "sheet_asked")] == [0, 0, 0, 0, 0, 1]
    refused(table.do("black", cmd.AskForSheet()), "no_sheet_to_show", "A.4.3")  # not on his move
    assert not [one for one in told(table, Seat.WHITE) if not isinstance(one, msg.Started)]


@pytest.mark.law("L149")
def test_l149_ones_own_score_is_free_and_in_standard_play_there_is_no_sheet_of_the_arbiter() -> None:
    table = CoreTable(control="900+10")
    for _ in range(8):
        table.done("white", cmd.Ask(what="score"))
    assert table.state.sheet_requests == (0, 0) and not alerts(table, "sheet_asked")
    refused(CoreTable().do("white", cmd.AskForSheet()), "no_sheet_to_show", "8.1.1")


@pytest.mark.law("L153")
def test_l153_the_first_one_loses_under_the_older_rules() -> None:
    table = CoreTable(control="900+10", regulations=BASIC, rule_set="fide2017h2")
    play(table, "Ke3")
    ruled = rule(table, 1, Seat.WHITE)
    assert ruled.loses and ruled.number == 1 and ruled.proposed == "0-1"


# 8.4, 8.5: keeping score


@pytest.mark.law("L094")
def test_l094_exempt_under_five_minutes_for_the_rest_of_the_period() -> None:
    table = CoreTable(control="2/400+10:600+10")
    table.wait(109_000)
    table.press("white")
    assert table.state.exempt == (None, None), "301 seconds were left"
    play(table, "e5")
    table.wait(20_000)
    table.done("arbiter", cmd.Pause())
    assert table.state.exempt == (0, None)
    table.done("arbiter", cmd.AddTime(seat=Seat.WHITE, ms=200_000))
    table.done("arbiter", cmd.Resume())
    assert picture(table.state, table.now).exempt == (Seat.WHITE,), "also when the time rises again"
    play(table, "d4")
    assert picture(table.state, table.now).exempt == (), "a new period"
    longer = CoreTable(control="200+30")
    longer.press("white")
    assert longer.state.exempt == (None, None), "an increment of 30 s"


@pytest.mark.law("L095", "L096")
def test_l095_l096_after_a_flag_whoever_stopped_recording_brings_his_score_up_to_date() -> None:
    table = CoreTable(control="120")
    table.say("white", "e4", act="announce")
    table.press("white")
    play(table, "e5 Nf3")
    table.wait(121_000)
    table.own(cmd.NoteInstant())
    (alert,) = alerts(table, "scores_behind")
    assert "white and black" in alert.detail and "8.5.1" in alert.detail
    alone = CoreTable(control="120")
    play(alone, "e4 e5 Nf3")
    for index, text in ((1, "e4"), (2, "e5"), (3, "Nf3")):
        alone.done("white", cmd.WriteScore(index=index, text=text))
    alone.wait(121_000)
    alone.own(cmd.NoteInstant())
    assert "black: update" in alerts(alone, "scores_behind")[0].detail
    assert "8.5.2" in alerts(alone, "scores_behind")[0].detail


@pytest.mark.law("L095", "L096")
def test_l095_who_had_to_record_all_along_is_no_case_for_the_update() -> None:
    table = CoreTable(control="60+30")
    play(table, "e4 e5")
    table.wait(200_000)
    table.own(cmd.NoteInstant())
    assert only(table.events, ev.FlagFell) and not alerts(table, "scores_behind")


# D.2.3, D.2.4, G1, G2: presses


@pytest.mark.law("L190")
def test_l190_nothing_is_made_of_silence_where_nothing_is_ever_heard_and_nothing_of_sealed_evidence() -> None:
    table = CoreTable()
    table.press("white")
    assert not alerts(table, "premature_press")
    sealed = CoreTable()
    sensed(sealed, Seat.WHITE, "e2")
    sealed.press("white")
    sealed.press("black")
    sealed.press("white")
    found = [alert.kind for alert in only(sealed.events, ev.Alerted)]
    assert "premature_press" not in found and "press_without_move" not in found


@pytest.mark.law("L054", "L190")
def test_l054_l190_a_premature_press_is_the_arbiters_to_judge() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.press("white")  # his words reached the program before; now there are none
    (alert,) = alerts(table, "premature_press")
    assert alert.grey and "G2" in alert.detail and alert.ply == 3


@pytest.mark.law("L054", "L190")
def test_l190_a_piece_out_of_its_aperture_at_the_press() -> None:
    table = CoreTable()
    touch(table, Seat.WHITE, "e2")
    play(table, "e4")
    (alert,) = alerts(table, "premature_press")
    assert not alert.grey and "D.2.3.2" in alert.detail
    placed = CoreTable()
    touch(placed, Seat.WHITE, "e2")
    touch(placed, Seat.WHITE, "e4", "placed")
    play(placed, "e4")
    assert not alerts(placed, "premature_press")


@pytest.mark.law("L082")
def test_l082_a_sensing_board_tells_a_press_without_a_move() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.RecordAdaptation(name="touch_evidence_one_sided", value="on"))
    sensed(table, Seat.WHITE, "e2")
    sensed(table, Seat.WHITE, "e4", "placed")
    play(table, "e4 e5")
    assert not alerts(table, "press_without_move")
    table.press("white")
    (alert,) = alerts(table, "press_without_move")
    assert "7.5.3" in alert.detail and not alert.grey


def _unannounced(value: str | None) -> CoreTable:
    table = CoreTable()
    if value is not None:
        table.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value=value))
    play(table, "e4")
    table.wait(3_000)
    table.press("black")
    return table


@pytest.mark.law("L190", "L191")
@pytest.mark.parametrize("value", [None, "ignore", "note", "clock_back"])
def test_g1_a_sighted_press_without_announcing_as_the_arbiter_settled_it(value: str | None) -> None:
    table = _unannounced(value)
    noted = value in ("note", "clock_back")
    assert len(alerts(table, "unannounced_press")) == noted
    assert table.state.clock.running is (Seat.BLACK if value == "clock_back" else Seat.WHITE)


def test_g1_the_opponents_echo_shows_that_he_spoke() -> None:
    table = _unannounced("clock_back")
    table.say("white", "e5", act="echo")
    assert table.state.clock.running is Seat.WHITE and table.state.owed is None


def test_g1_is_no_case_between_two_sighted_players_nor_where_the_program_is_a_clock_nor_with_another_clock() -> None:
    adapted = cmd.RecordAdaptation(name="sighted_press_without_announcement", value="clock_back")
    for table in (sighted(), CoreTable(), CoreTable(master=ClockMaster.MANUAL)):
        table.done("arbiter", adapted)
        if table.state.clock_master is ClockMaster.SERVER:
            table.done("arbiter", cmd.SetMode(mode=Mode.CLOCK if table.state.white.kind == "tactile" else Mode.TABLE))
        play(table, "e4")
        table.press("black")
        manual = table.state.clock_master is ClockMaster.MANUAL
        assert len(alerts(table, "unannounced_press")) == manual
        assert not only(table.events, ev.ClockSet) and table.state.owed is None


def test_g1_the_clock_goes_back_until_he_speaks_and_no_press_gains_by_it() -> None:
    table = _unannounced("clock_back")
    before = table.state.clock
    table.press("black")
    table.press("black")
    assert table.state.clock == before, "no increment for pressing on"
    table.wait(4_000)
    table.mumble("black", "u9")  # a clock never waits for the machine to understand
    assert table.state.clock.running is Seat.WHITE and table.state.owed is None
    assert table.state.clock.used(Seat.BLACK, table.now) == 7_000
    assert table.state.clock.black.moves == 1
    assert not [one for one in told(table, Seat.WHITE) if isinstance(one, msg.ClockShown)]


# 11, 12: conduct, penalties, the arbiter's book


@pytest.mark.law("L144", "L128")
@pytest.mark.parametrize("number", range(1, 10))
def test_l144_each_of_the_nine_penalties_has_its_effect(number: int) -> None:
    table = CoreTable()
    penalty: Any = PENALTIES[number - 1]
    assert [one.id for one in load_penalties()] == list(PENALTIES)
    amount = {2: 60_000, 3: 60_000, 4: 1, 5: 1, 7: 50, 8: 2}.get(number, 0)
    left = {seat: table.state.clock.remaining(seat, table.now) for seat in Seat}
    events = table.done("arbiter", cmd.Penalise(seat=Seat.BLACK, penalty=penalty, amount=amount, reason="noise"))
    (penalised,) = only(events, ev.Penalised)
    assert (penalised.article, penalised.amount, penalised.reason) == (f"12.9.{number}", amount, "noise")
    gained = {seat: table.state.clock.remaining(seat, table.now) - left[seat] for seat in Seat}
    assert gained == {Seat.WHITE: 60_000 if number == 2 else 0, Seat.BLACK: -60_000 if number == 3 else 0}
    assert table.state.result == ("1-0" if number == 6 else None)


@pytest.mark.law("L129", "L144")
def test_l129_who_loses_by_penalty_loses_and_the_arbiter_sets_the_opponents_score() -> None:
    for opponents, result in (("win", "0-1"), ("draw", "0-1/2"), ("loss", "0-0")):
        table = CoreTable()
        body: Any = cmd.Penalise(seat=Seat.WHITE, penalty="loss", opponents=opponents)  # type: ignore[arg-type]
        (end,) = only(table.done("arbiter", body), ev.GameEnded)
        assert (end.result, end.reason, end.article) == (result, "penalty", "12.9.6")


@pytest.mark.law("L144")
def test_l144_a_penalty_needs_its_amount_and_gives_no_more_than_the_game_can() -> None:
    table = CoreTable()

    def penalise(penalty: Any, amount: int = 0) -> tuple[ev.AnyEvent, ...] | Refusal:
        return table.do("arbiter", cmd.Penalise(seat=Seat.WHITE, penalty=penalty, amount=amount))

    refused(penalise("less_time_for_offender"), "amount_needed", "12.9.3")
    refused(penalise("more_points_for_opponent", 3), "too_many_points", "12.9.4")
    assert not isinstance(penalise("more_points_for_opponent", 2), Refusal)
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="resigned"))
    refused(penalise("loss"), "game_over", "12.9.6")
    refused(table.do("white", cmd.Penalise(seat=Seat.BLACK, penalty="warning")), "only_the_arbiter", "12.3")


@pytest.mark.law("L122", "L143")
def test_l122_a_device_that_the_arbiter_refused_is_not_admitted() -> None:
    table = CoreTable(started=False)
    table.done("arbiter", cmd.RegisterDevice(device="phone", approved=False, note="a phone"))
    command = cmd.Admit(station="phone", role=Role.PLAYER, seat=Seat.WHITE)
    refused(table.do(PROGRAM, command), "device_refused", "11.3.2")
    table.done("arbiter", cmd.RegisterDevice(device="phone", approved=True))
    table.own(command)
    table.done("arbiter", cmd.StartGame())
    (late,) = only(table.done("arbiter", cmd.RegisterDevice(device="watch", approved=True)), ev.DeviceRegistered)
    assert late.after_start


@pytest.mark.law("L131", "L127")
def test_the_arbiters_book_is_kept_and_goes_to_no_player() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    since = len(table.events)
    book: list[cmd.AnyBody] = [
        cmd.DecideGap(gap="G12", decision="the echo is repeated", article="D.2.1"),
        cmd.NoteIncident(kind="displaced", text="a pawn fell", seat=Seat.WHITE, article="7.4"),
        cmd.PermitLeaving(seat=Seat.BLACK, granted=False, reason="the opponent is away"),
        cmd.RegisterDevice(device="headset", approved=True, seat=Seat.WHITE),
        cmd.NoteAppeal(against="G12", text="in writing", seat=Seat.BLACK),
        cmd.Penalise(seat=Seat.WHITE, penalty="warning", reason="noise"),
        cmd.RuleSetUp(what="colours"),
        cmd.ReportTouch(seat=Seat.WHITE, square="g1", how="lifted"),
        cmd.RuleTouch(number=1, counts=False),
        cmd.RuleIrregularity(ply=2, seat=Seat.BLACK, kind="two_hands", give=False),
    ]
    for body in book:
        table.done("arbiter", body)
    assert told(table, Seat.WHITE, since) == [] and told(table, Seat.BLACK, since) == []
    assert only(table.events, ev.Decided)[0].ply == 2
    arbiter = Station("arbiter", Role.ARBITER)
    assert all(view(event, table.state, arbiter) is not None for event in table.events[since:])
    display = Station("display", Role.DISPLAY)
    assert all(view(event, table.state, display) is None for event in table.events[since:]), "no warnings (L142)"
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="resigned"))
    table.done("arbiter", cmd.NoteAppeal(against="the result"))
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L078", "L079")
def test_l078_l079_a_displaced_piece_is_put_back_in_the_displacers_own_time_unless_the_arbiter_is_called() -> None:
    table = CoreTable()
    table.wait(5_000)
    table.done("arbiter", cmd.NoteIncident(kind="displaced", text="a pawn fell", seat=Seat.WHITE, article="7.4.1"))
    table.wait(5_000)
    assert table.state.clock.running is Seat.WHITE and table.state.clock.used(Seat.WHITE, table.now) == 10_000
    table.done("black", cmd.ClaimIrregularity(kind="other", note="his sleeve"))
    assert table.state.clock.running is None and alerts(table, "irregularity_claimed")


@pytest.mark.law("L140")
def test_l140_extra_time_for_a_disturbance_to_both_with_its_reason() -> None:
    table = CoreTable()
    left = {seat: table.state.clock.remaining(seat, table.now) for seat in Seat}
    for seat in Seat:
        table.done("arbiter", cmd.AddTime(seat=seat, ms=300_000, reason="fire alarm", article="12.5"))
    assert {s: table.state.clock.remaining(s, table.now) - left[s] for s in Seat} == dict.fromkeys(Seat, 300_000)
    assert {one.reason for one in only(table.events, ev.TimeAdded)} == {"fire alarm"}


@pytest.mark.law("L023")
def test_the_capture_of_a_king_is_an_illegal_move_and_told_as_one() -> None:
    king = CoreTable(fen="4k3/8/8/8/8/8/8/4RK2 w - - 0 1", control="180+2", regulations=BASIC)
    play(king, "Rxe8 Kd8")
    (alert,) = alerts(king, "takes_king")
    assert alert.ply == 1 and "1.4.1" in alert.detail and not king.state.over


@pytest.mark.parametrize("gap", [f"G{number}" for number in range(1, 15)])
def test_each_of_the_fourteen_gaps_is_the_arbiters_decision(gap: str) -> None:
    table = CoreTable()
    body = msgspec.convert({"do": "decide_gap", "gap": gap, "decision": "as he ruled"}, cmd.DecideGap)
    (decided,) = only(table.done("arbiter", body), ev.Decided)
    assert (decided.gap, decided.decision) == (gap, "as he ruled") and not table.state.over
    refused(table.do("white", body), "only_the_arbiter", "12.3")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"do": "decide_gap", "gap": "G15", "decision": "x"}, cmd.DecideGap)


@pytest.mark.law("L142")
def test_l142_only_players_their_assistants_and_the_arbiter_report_and_only_to_the_arbiter() -> None:
    table = CoreTable()
    table.own(cmd.Admit(station="display", role=Role.DISPLAY))
    refused(table.do("display", cmd.ClaimIrregularity(kind="other")), "display_only_shows", "6.12.1")
    station = table.assistant(Seat.WHITE, Duty.EXECUTE)
    refused(table.do(station, cmd.ClaimIrregularity(kind="other")), "not_your_duty", "D.2.10.5")
    since = len(table.events)
    table.done("white", cmd.ClaimIrregularity(kind="other", note="he whispers"))
    heard = told(table, Seat.BLACK, since)
    assert "whispers" not in repr(heard)


@pytest.mark.law("L141", "L080")
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
def test_l141_an_illegal_and_a_legal_move_sound_alike_to_both_players(mode: Mode) -> None:
    """The touch, the alert, the window of A.5.2 and the ruling leave no trace until the arbiter decides."""
    heard = []
    for fen in ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "4k3/8/8/8/4r3/8/8/4K1N1 w - - 0 1"):
        table = CoreTable(fen=fen, control="900+10", regulations=BASIC)
        table.mode(mode)
        touch(table, Seat.WHITE, "g1")
        play(table, "Nf3 Ke7 Ng1")
        table.done("arbiter", cmd.RuleIrregularity(ply=3, seat=Seat.WHITE, kind="illegal", confirm=False))
        heard.append([told(table, Seat.WHITE), told(table, Seat.BLACK)])
        illegal = len(alerts(table, "not_legal"))
    assert illegal, "the second position has an illegal move in it"
    boards = [[one for one in side if not isinstance(one, msg.BoardShown)] for side in (heard[0][1], heard[1][1])]
    assert heard[0][0] == heard[1][0] and boards[0] == boards[1]


def test_the_adaptations_that_count_here_are_known_by_these_names() -> None:
    known = load_adaptations()
    assert known["sighted_press_without_announcement"].values == ("ignore", "note", "clock_back")
    assert {"touch_evidence_one_sided", "tactile_two_hands_exempt"} <= set(known)
