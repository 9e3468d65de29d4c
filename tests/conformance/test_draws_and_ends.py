"""Draws and ends (1.4-1.5, 5, 6.8-6.9, 8.7, 9, 10, Guidelines III): one test or more for each requirement number."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "play"))
from core_table import CoreTable, kinds, only, said

from server.play import commands as cmd
from server.play import events as ev
from server.play import messages as msg
from server.play.commands import Refusal
from server.play.game import Game
from server.play.rules.event_options import EventOptions
from server.play.rules.results import RESULTS, allowed, points_of
from server.play.values import ClockMaster, Mode, Origin, Role, Seat, SeatKind, Station
from server.play.views import greeting, view

KNIGHTS = "Nf3 Nf6 Ng1 Ng8"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
BISHOP_ONLY = "4k3/8/8/8/8/8/8/3QKB2 b - - 0 1"
QUICK = EventOptions(guidelines=("III",))


def play(table: CoreTable, moves: str) -> None:
    """Both players announce and press, in turn."""
    for text in moves.split():
        seat = table.state.on_move
        table.say(seat.value, text, act="announce")
        table.press(seat.value)


def alerts(table: CoreTable, kind: str) -> list[ev.Alerted]:
    return [alert for alert in only(table.events, ev.Alerted) if alert.kind == kind]


def told(table: CoreTable, seat: Seat) -> list[msg.AnyMessage]:
    """Everything that reached a player's own station, from the events alone."""
    station = Station(seat.value, Role.PLAYER, seat)
    seen = [(event, Game.replay(table.events[:number])) for number, event in enumerate(table.events, 1)]
    return [message for event, state in seen if (message := view(event, state, station)) is not None]


def ended(table: CoreTable) -> tuple[str, str, str]:
    (end,) = only(table.events, ev.GameEnded)
    return end.result, end.reason, end.article


def rule(table: CoreTable, ruling: str, **more: bool) -> tuple[ev.AnyEvent, ...]:
    return table.done("arbiter", msgspec.convert({"do": "rule_claim", "ruling": ruling, **more}, cmd.RuleClaim))


# 1.4, 5.1, 5.2: ends that come by themselves


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


# 5.1.2: resignation


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


# 5.2.3, 9.1: offers


@pytest.mark.law("L047")
def test_l047_no_agreement_before_a_move_each() -> None:
    table = CoreTable()
    table.say("white", "e4", act="announce")
    table.done("white", cmd.OfferDraw())
    table.press("white")
    refused = table.do("black", cmd.AnswerDraw(accept=True))
    assert isinstance(refused, Refusal) and refused.article == "5.2.3"
    table = CoreTable()
    play(table, "e4 e5")
    table.done("black", cmd.OfferDraw())
    table.done("white", cmd.AnswerDraw(accept=True))
    assert ended(table) == ("1/2-1/2", "draw_agreed", "5.2.3")


@pytest.mark.law("L047")
def test_l047_a_move_announced_and_not_pressed_is_a_move() -> None:
    table = CoreTable()
    play(table, "e4")
    table.say("black", "e5", act="announce")
    table.done("black", cmd.OfferDraw())
    table.done("white", cmd.AnswerDraw(accept=True))
    assert table.state.result == "1/2-1/2"


@pytest.mark.law("L100")
@pytest.mark.parametrize("moves", [2, "forbidden"])
def test_l100_the_event_forbids_offers_before_move_n_or_at_all(moves: int) -> None:
    table = CoreTable(regulations=msgspec.convert({"draw_offer_min_moves": moves}, EventOptions))
    play(table, "e4 e5")
    refused = table.do("black", cmd.OfferDraw())
    assert isinstance(refused, Refusal) and refused.article == "9.1.1"
    play(table, "Nf3 Nf6")
    assert isinstance(table.do("black", cmd.OfferDraw()), Refusal) == (moves == "forbidden")
    table.done("arbiter", cmd.RuleResult(result="1/2-1/2", reason="agreed before the arbiter", article="9.1.1"))
    assert table.state.result == "1/2-1/2", "with the arbiter's consent"


@pytest.mark.law("L101")
def test_l101_an_offer_stands_until_answered_or_until_the_opponent_moves() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.say("white", "Nf3", act="announce")
    table.done("white", cmd.OfferDraw())
    assert not alerts(table, "offer_out_of_place"), "after the move, before the press: as it should be"
    table.press("white")
    assert table.state.offer_by is Seat.WHITE
    table.say("black", "Nf6", act="announce")
    assert table.state.offer_by is Seat.WHITE
    table.press("black")
    assert table.state.offer_by is None, "his own next move rejects it"
    refused = table.do("black", cmd.AnswerDraw(accept=True))
    assert isinstance(refused, Refusal) and refused.code == "no_offer"


@pytest.mark.law("L101")
@pytest.mark.parametrize(("how", "stands"), [("touched", True), ("lifted", False)])
def test_l101_lifting_a_piece_rejects_an_offer_and_feeling_it_does_not(how: str, stands: bool) -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.Execute())
    table.done("black", cmd.OfferDraw())
    touch = msgspec.convert({"do": "report_touch", "seat": "white", "square": "g1", "how": how}, cmd.ReportTouch)
    table.done("arbiter", touch)
    assert (table.state.offer_by is Seat.BLACK) == stands
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.Execute())
    table.done("black", cmd.OfferDraw())
    table.done("white", cmd.Adjust())
    table.done("arbiter", touch)
    assert table.state.offer_by is Seat.BLACK, "adjusting is no touch with intent (4.2.1)"


@pytest.mark.law("L101")
def test_l101_an_offer_at_another_moment_stands_and_the_arbiter_counts() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("black", cmd.OfferDraw())  # on White's time
    table.done("white", cmd.AnswerDraw(accept=False))
    assert table.state.offer_by is None
    (first,) = alerts(table, "offer_out_of_place")
    assert "opponents time" in first.detail and not first.grey
    table.done("black", cmd.OfferDraw())
    assert "so far: 2 (11.5)" in alerts(table, "offer_out_of_place")[-1].detail
    assert table.state.offer_by is Seat.BLACK and table.state.offers == (0, 2)
    table.done("white", cmd.AnswerDraw(accept=True))
    assert table.state.result == "1/2-1/2"


@pytest.mark.law("L101")
def test_l101_an_offer_is_not_lost_to_a_move_that_was_announced_before_it() -> None:
    table = CoreTable()
    play(table, "e4")
    table.say("black", "e5", act="announce")
    table.done("white", cmd.OfferDraw())
    table.press("black")
    assert table.state.offer_by is Seat.WHITE, "the move came before the offer"


@pytest.mark.law("L101")
def test_l101_nobody_can_withdraw_or_overwrite_an_offer() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("black", cmd.OfferDraw())
    assert isinstance(table.do("black", cmd.AnswerDraw(accept=False)), Refusal)
    refused = table.do("white", cmd.OfferDraw())
    assert isinstance(refused, Refusal) and refused.code == "offer_stands"
    assert table.state.offer_by is Seat.BLACK


@pytest.mark.law("L101")
def test_l101_in_the_short_rules_the_opponent_may_demand_the_move_first() -> None:
    table = CoreTable(rule_set="short")
    play(table, "e4 e5")
    table.done("white", cmd.OfferDraw())
    assert "demand the move" in alerts(table, "offer_out_of_place")[0].detail


# 9.2 to 9.5: claims


def repeated_twice() -> CoreTable:
    table = CoreTable()
    play(table, f"{KNIGHTS} {' '.join(KNIGHTS.split()[:3])}")
    return table


@pytest.mark.law("L104", "L109", "L133")
def test_l104_the_intended_move_is_for_the_arbiter_alone() -> None:
    table = repeated_twice()
    before = len(told(table, Seat.WHITE))
    events = table.done("black", cmd.ClaimDraw(kind="repetition", intended=said("Ng8"), words=("Ng8",), text="Ng8"))
    assert table.state.clock.running is None and table.state.made_plies == 7, "neither announced nor made"
    assert not only(events, ev.Announced)
    (alert,) = only(events, ev.Alerted)
    assert "right by the record (9.2.1)" in alert.detail and "0, 4, 8" in alert.detail
    assert told(table, Seat.WHITE)[before:] == [msg.Paused(), msg.DrawOffer(own=False, by_claim=True)]
    for station in (Station("white", Role.PLAYER, Seat.WHITE), Station("display", Role.DISPLAY)):
        shown = [view(event, table.state, station) for event in events]
        assert b"Ng8" not in msgspec.json.encode([*shown, greeting(table.state, station, table.now)])


@pytest.mark.law("L104")
def test_l104_a_tactile_players_intended_move_is_in_his_own_score() -> None:
    table = CoreTable()
    play(table, f"{KNIGHTS} {KNIGHTS}")
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), words=("Nf3",), text="Nf3"))
    assert table.score(Seat.WHITE)[8] == "Nf3" and len(table.score(Seat.BLACK)) < 9


@pytest.mark.law("L105", "L110")
def test_l105_what_has_just_appeared_is_claimed_without_a_move_and_drawn_when_right() -> None:
    table = repeated_twice()
    play(table, "Ng8")
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert "right by the record (9.2.2)" in alerts(table, "draw_claimed")[0].detail
    assert not table.state.over, "the arbiter rules"
    rule(table, "correct")
    assert ended(table) == ("1/2-1/2", "draw_claimed", "9.2")
    assert only(table.events, ev.ClaimRuled)[0].article == "9.5.2"


@pytest.mark.law("L105")
def test_l105_only_the_player_with_the_move_may_claim() -> None:
    table = repeated_twice()
    play(table, "Ng8")
    table.done("black", cmd.ClaimDraw(kind="repetition"))
    assert "does not have the move" in alerts(table, "draw_claimed")[0].detail


@pytest.mark.law("L105")
def test_l105_who_claims_has_seen_the_opponents_move_made() -> None:
    table = repeated_twice()
    table.say("black", "Ng8", act="announce")  # not pressed, and White claims at once
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert table.state.made_plies == 8 and "right by the record" in alerts(table, "draw_claimed")[0].detail
    rule(table, "correct")
    assert table.ply(8).completed, "the last move of the game needs no press any more"


@pytest.mark.law("L104")
@pytest.mark.parametrize(("intended", "word"), [("Nd2", "fits no single move"), ("Kd3", "is not legal")])
def test_l104_an_intended_move_that_is_none(intended: str, word: str) -> None:
    table = CoreTable()
    play(table, "Nf3 Nf6 d4 d5")
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said(intended), words=("x",), text=intended))
    assert word in alerts(table, "draw_claimed")[0].detail


def test_a_claim_where_the_server_is_lost_is_looked_up_in_the_scores() -> None:
    table = repeated_twice()
    table.done("arbiter", cmd.MarkOutOfStep())
    table.done("black", cmd.ClaimDraw(kind="repetition", intended=said("Ng8"), text="Ng8"))
    (alert,) = alerts(table, "draw_claimed")
    assert "scores" in alert.detail and alert.grey


def test_a_finding_is_grey_where_words_alone_bear_it() -> None:
    heard = repeated_twice()
    heard.done("black", cmd.ClaimDraw(kind="repetition", intended=said("Ng8"), text="Ng8"))
    entered = CoreTable(white=SeatKind.SIGHTED)
    for uci, text in (("g1f3", "Nf3"), ("g8f6", "Nf6"), ("f3g1", "Ng1"), ("f6g8", "Ng8")) * 2:
        seat = entered.state.on_move.value
        entered.enter(seat, uci, text)
        entered.press(seat)
    entered.done("white", cmd.ClaimDraw(kind="repetition"))
    assert alerts(heard, "draw_claimed")[0].grey and not alerts(entered, "draw_claimed")[0].grey


@pytest.mark.law("L103")
def test_l103_a_claim_leaves_the_opponents_offer_as_it_is() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("black", cmd.OfferDraw())
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert table.state.offer_by is Seat.BLACK
    table.done("white", cmd.AnswerDraw(accept=True))
    assert table.state.result == "1/2-1/2"


@pytest.mark.law("L106")
def test_l106_lost_castling_makes_another_position() -> None:
    table = CoreTable(fen="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    play(table, "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8")
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert alerts(table, "draw_claimed")[0].detail.startswith("white claims a draw (repetition): wrong by the record")


@pytest.mark.law("L107")
@pytest.mark.parametrize(("halfmoves", "word"), [(99, "right"), (98, "wrong")])
def test_l107_fifty_moves_with_the_intended_one(halfmoves: int, word: str) -> None:
    table = CoreTable(fen=f"4k3/8/8/8/8/8/4P3/R3K3 w - - {halfmoves} 80")
    table.done("white", cmd.ClaimDraw(kind="fifty_moves", intended=said("Ra2"), words=("Ra2",), text="Ra2"))
    assert f"{word} by the record (9.3.1)" in alerts(table, "draw_claimed")[0].detail


@pytest.mark.law("L107")
def test_l107_an_intended_pawn_move_starts_the_count_anew() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80")
    table.done("white", cmd.ClaimDraw(kind="fifty_moves", intended=said("e4"), words=("e4",), text="e4"))
    assert "wrong by the record" in alerts(table, "draw_claimed")[0].detail


@pytest.mark.law("L108")
def test_l108_a_piece_touched_closes_the_claim() -> None:
    for how, word in (("touched", "right by the record"), ("lifted", "wrong by the record: a piece was touched (9.4)")):
        table = CoreTable()
        play(table, f"{KNIGHTS} {KNIGHTS}")
        table.done("white", cmd.Execute())
        touch = msgspec.convert({"do": "report_touch", "seat": "white", "square": "g1", "how": how}, cmd.ReportTouch)
        table.done("arbiter", touch)
        table.done("white", cmd.ClaimDraw(kind="repetition"))
        assert word in alerts(table, "draw_claimed")[0].detail, "feeling is free at the tactile board (D.2.2)"


@pytest.mark.law("L109")
def test_l109_no_second_claim_and_no_way_back() -> None:
    table = repeated_twice()
    table.done("black", cmd.ClaimDraw(kind="repetition", intended=said("Ng8"), text="Ng8"))
    refused = table.do("black", cmd.ClaimDraw(kind="fifty_moves"))
    assert isinstance(refused, Refusal) and refused.code == "claim_open"
    refused = table.do("black", cmd.Resume())
    assert isinstance(refused, Refusal), "only the arbiter starts the clocks again"
    assert table.state.claim is not None and table.state.claim.kind == "repetition"


@pytest.mark.law("L103")
def test_l103_a_claim_is_an_offer_which_a_wrong_claim_leaves_open() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert table.state.offers == (0, 0), "no offer to be counted for 11.5"
    rule(table, "wrong")
    assert "ask the opponent" in alerts(table, "claim_wrong")[0].detail
    table.done("black", cmd.AnswerDraw(accept=True))
    assert ended(table)[:2] == ("1/2-1/2", "draw_agreed")


@pytest.mark.law("L111")
@pytest.mark.parametrize(
    ("edition", "control", "bonus"),
    [
        ("fide2023", "5400+30", 120_000),
        ("fide2023", "900+10", 60_000),
        ("fide2023", "180+2", 60_000),
        ("fide2018", "900+10", 120_000),
        ("fide2018", "180+2", 60_000),
    ],
)
def test_l111_a_wrong_claim_costs_by_edition_and_kind_of_game(edition: str, control: str, bonus: int) -> None:
    supervision = msgspec.convert({"supervision": "basic"}, EventOptions)
    table = CoreTable(rule_set=edition, control=control, regulations=supervision)
    play(table, "e4 e5")
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    (given,) = only(rule(table, "wrong"), ev.TimeAdded)
    assert (given.seat, given.ms, given.article) == (Seat.BLACK, bonus, "9.5.3")


@pytest.mark.law("L111")
def test_l111_a_time_that_the_edition_does_not_state_is_the_arbiters() -> None:
    table = CoreTable(rule_set="short")
    play(table, "e4 e5")
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert not only(rule(table, "wrong"), ev.TimeAdded) and alerts(table, "bonus_unstated")


@pytest.mark.law("L111")
@pytest.mark.parametrize(("made", "told_of"), [("Nf3", 0), ("d4", 1)])
def test_l111_the_intended_move_must_be_made(made: str, told_of: int) -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), words=("Nf3",), text="Nf3"))
    rule(table, "wrong")
    assert table.state.intended is not None
    table.done("arbiter", cmd.Resume())
    play(table, made)
    assert len(alerts(table, "intended_not_made")) == told_of and table.state.intended is None


@pytest.mark.law("L111")
def test_l111_the_opponents_late_press_does_not_free_the_claimant() -> None:
    table = CoreTable()
    play(table, "e4")
    table.say("black", "e5", act="announce")
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), words=("Nf3",), text="Nf3"))
    rule(table, "wrong")
    table.done("arbiter", cmd.Resume())
    table.press("black")
    assert table.ply(2).completed and table.state.intended is not None
    play(table, "d4")
    assert alerts(table, "intended_not_made")


@pytest.mark.law("L133")
def test_l133_nobody_hears_of_a_repetition_that_nobody_claims() -> None:
    table = CoreTable()
    play(table, f"{KNIGHTS} {KNIGHTS}")
    told = [alert.kind for alert in only(table.events, ev.Alerted) if alert.kind != "not_recorded"]
    assert not told, "three times: not even the arbiter is told unasked"


@pytest.mark.law("L133", "L112")
def test_l133_players_are_told_the_same_whether_or_not_the_game_is_drawn() -> None:
    """Fivefold on the last move against a game of other moves: the players get the same kinds and numbers."""
    drawn, live = CoreTable(), CoreTable()
    play(drawn, " ".join([KNIGHTS] * 4))
    play(live, f"{' '.join([KNIGHTS] * 3)} Nf3 Nf6 Ng1 Nd5")
    assert alerts(drawn, "fivefold") and not alerts(live, "fivefold")
    for seat in Seat:
        assert [type(message) for message in told(drawn, seat)] == [type(message) for message in told(live, seat)]


# 9.6


@pytest.mark.law("L112")
def test_l112_five_times_is_told_once_with_its_ply() -> None:
    table = CoreTable()
    play(table, " ".join([KNIGHTS] * 4))
    (found,) = alerts(table, "fivefold")
    assert found.ply == 16 and "9.6.1" in found.detail and found.grey and not table.state.over
    table.done("arbiter", cmd.RuleResult(result="1/2-1/2", reason="fivefold", article="9.6.1"))
    assert table.state.result == "1/2-1/2"


@pytest.mark.law("L112")
def test_l112_found_later_it_makes_a_resignation_void() -> None:
    table = CoreTable()
    play(table, f"{' '.join([KNIGHTS] * 4)} e4 e5")
    events = table.done("white", cmd.Resign())
    assert not table.state.over and "since ply 16" in only(events, ev.Alerted)[-1].detail


@pytest.mark.law("L113")
def test_l113_seventy_five_moves_and_mate_goes_first() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/4P3/R3K3 w - - 149 100")
    play(table, "Ra2")
    (found,) = alerts(table, "seventy_five_moves")
    assert "9.6.2" in found.detail and found.ply == 1
    table = CoreTable(fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 149 100")
    play(table, "Ra8")
    assert alerts(table, "checkmate") and not alerts(table, "seventy_five_moves")


# 6.8, 6.9, A.4, A.5: time


@pytest.mark.law("L064", "L154")
def test_l064_one_word_claims_and_the_arbiter_confirms() -> None:
    table = CoreTable(control="60")
    table.wait(61_000)
    events = table.done("black", cmd.ClaimTime())
    assert table.state.clock.running is None and not table.state.over
    assert only(events, ev.TimeClaimed)[0].seat is Seat.BLACK
    assert "lost by white, 0-1 (6.9)" in alerts(table, "time_claimed")[-1].detail


@pytest.mark.law("L065", "L154")
def test_l065_drawn_where_the_claimant_can_never_mate() -> None:
    table = CoreTable(control="60", fen="4k3/8/8/8/8/8/8/3QKB2 w - - 0 1")
    table.wait(61_000)
    table.done("black", cmd.ClaimTime())
    detail = alerts(table, "time_claimed")[-1].detail
    assert "drawn, 1/2-1/2 (6.9)" in detail and "bare king" in detail


@pytest.mark.law("L065")
def test_l065_tables_of_material_are_not_enough() -> None:
    table = CoreTable(control="60", fen="7K/7P/5k2/8/8/8/8/6n1 w - - 0 1")  # a knight alone, and the pawn helps
    table.wait(61_000)
    table.done("black", cmd.ClaimTime())
    assert "lost by white, 0-1" in alerts(table, "time_claimed")[-1].detail


@pytest.mark.law("L065")
def test_l065_what_is_not_known_is_the_arbiters() -> None:
    table = CoreTable(control="60")
    play(table, "e4 e5")
    table.done("arbiter", cmd.MarkOutOfStep())
    table.wait(61_000)
    table.done("black", cmd.ClaimTime())
    assert "G11" in alerts(table, "time_claimed")[-1].detail


@pytest.mark.law("L064")
def test_l064_a_claim_without_a_fallen_flag_says_so() -> None:
    table = CoreTable(control="60")
    table.done("black", cmd.ClaimTime())
    assert "has not fallen" in alerts(table, "time_claimed")[-1].detail


@pytest.mark.law("L064", "L156")
def test_l156_the_arbiter_calls_the_flag_he_observes_and_no_player_does() -> None:
    table = CoreTable(control="60")
    table.wait(61_000)
    refused = table.do("black", cmd.CallFlag(seat=Seat.WHITE))
    assert isinstance(refused, Refusal)
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE))
    assert table.state.clock.running is None and not table.state.over
    assert "lost by white" in alerts(table, "flag_called")[-1].detail
    assert only(table.events, ev.FlagCalled)[0].seat is Seat.WHITE


def test_the_short_path_to_a_second_flag_names_the_first() -> None:
    table = CoreTable(control="60")
    table.wait(61_000)
    table.press("white")
    table.wait(61_000)
    table.done("arbiter", cmd.CallFlag(seat=Seat.BLACK))
    assert "first white" in alerts(table, "flag_called")[-1].detail


# Guidelines III


def quick(control: str = "1800", **more: EventOptions) -> CoreTable:
    """White has less than two minutes."""
    table = CoreTable(control=control, **(more or {"regulations": QUICK}))  # type: ignore[arg-type]
    table.wait(1_700_000)
    return table


@pytest.mark.law("L232", "L233")
def test_l232_only_where_announced_and_where_there_is_no_increment() -> None:
    for table in (quick(regulations=EventOptions()), quick(control="1800+1")):
        refused = table.do("white", cmd.ClaimDraw(kind="increment"))
        assert isinstance(refused, Refusal) and refused.code == "no_quickplay_claim"
    blitz = CoreTable(control="300", regulations=QUICK)
    blitz.wait(250_000)
    assert isinstance(blitz.do("white", cmd.ClaimDraw(kind="increment")), Refusal)


@pytest.mark.law("L235")
def test_l235_five_seconds_for_both_and_two_minutes_for_the_opponent() -> None:
    table = CoreTable(control="1800", regulations=QUICK)
    table.wait(1_679_999)
    assert isinstance(table.do("white", cmd.ClaimDraw(kind="increment")), Refusal), "two minutes and no less"
    table.wait(2)
    table.done("arbiter", cmd.SetClock(white_ms=119_999, black_ms=60_000, turn=Seat.WHITE))
    assert isinstance(table.do("black", cmd.ClaimDraw(kind="increment")), Refusal), "only who has the move"
    table.done("white", cmd.ClaimDraw(kind="increment"))
    assert table.state.offer_by is Seat.WHITE and table.state.clock.running is None
    events = rule(table, "correct")
    assert only(events, ev.IncrementSet)[0].increment_ms == 5_000
    assert [(one.seat, one.ms) for one in only(events, ev.TimeAdded)] == [(Seat.BLACK, 120_000)]
    table.done("arbiter", cmd.Resume())
    before = table.state.clock.remaining(Seat.WHITE, table.now)
    play(table, "e4")
    assert table.state.clock.remaining(Seat.WHITE, table.now) == before + 5_000


@pytest.mark.law("L236", "L237")
def test_l236_the_claim_comes_where_the_request_was_refused_and_needs_a_ground() -> None:
    table = quick()
    claim = cmd.ClaimDraw(kind="quickplay", ground="no_effort")
    assert isinstance(table.do("white", claim), Refusal), "III.4 first"
    table.done("white", cmd.ClaimDraw(kind="increment"))
    rule(table, "wrong")
    table.done("arbiter", cmd.Resume())
    refused = table.do("white", cmd.ClaimDraw(kind="quickplay"))
    assert isinstance(refused, Refusal) and refused.code == "no_ground"
    before = len(told(table, Seat.BLACK))
    table.done("white", claim)
    assert [type(message) for message in told(table, Seat.BLACK)[before:]] == [msg.ClockShown]
    rule(table, "correct")
    assert ended(table) == ("1/2-1/2", "draw_claimed", "III.5.1")


def claimed() -> CoreTable:
    table = quick()
    table.done("white", cmd.ClaimDraw(kind="increment"))
    rule(table, "wrong")
    table.done("arbiter", cmd.Resume())
    table.done("white", cmd.ClaimDraw(kind="quickplay", ground="cannot_win"))
    return table


@pytest.mark.law("L237", "L238")
@pytest.mark.parametrize("bonus", [True, False])
def test_l238_a_postponed_claim_survives_the_flag(bonus: bool) -> None:
    table = claimed()
    given = only(rule(table, "postponed", bonus=bonus), ev.TimeAdded)
    assert [(one.seat, one.ms) for one in given] == ([(Seat.BLACK, 120_000)] if bonus else [])
    table.done("arbiter", cmd.Resume())
    table.wait(200_000)
    table.done("black", cmd.ClaimTime())
    assert "survives the flag (III.5.2)" in alerts(table, "time_claimed")[-1].detail
    rule(table, "correct")
    assert ended(table)[0] == "1/2-1/2"


@pytest.mark.law("L237", "L239")
def test_l239_rejected_the_opponent_shall_have_two_minutes() -> None:
    table = claimed()
    events = rule(table, "wrong", bonus=False)
    assert [(one.seat, one.ms, one.article) for one in only(events, ev.TimeAdded)] == [(Seat.BLACK, 120_000, "III.5.3")]
    assert table.state.claim is None and isinstance(table.do("arbiter", cmd.RuleClaim(ruling="correct")), Refusal)


@pytest.mark.law("L235")
def test_l235_where_another_clock_leads_the_arbiter_looks_at_its_times() -> None:
    table = CoreTable(control="1800", regulations=QUICK, master=ClockMaster.MANUAL)
    table.done("white", cmd.ClaimDraw(kind="increment"))
    assert alerts(table, "draw_claimed")


@pytest.mark.law("L236")
def test_l236_not_after_the_flag() -> None:
    table = quick()
    table.wait(200_000)
    assert isinstance(table.do("white", cmd.ClaimDraw(kind="increment")), Refusal)


def test_only_a_quickplay_claim_is_postponed() -> None:
    table = repeated_twice()
    table.done("black", cmd.ClaimDraw(kind="repetition"))
    refused = table.do("arbiter", cmd.RuleClaim(ruling="postponed"))
    assert isinstance(refused, Refusal) and refused.article == "III.5.1"


# 8.7, 10, 11.4: after the end


@pytest.mark.law("L099")
def test_l099_both_approve_the_result_and_only_the_arbiter_changes_it() -> None:
    table = CoreTable()
    refused = table.do("white", cmd.ApproveResult(result="1-0"))
    assert isinstance(refused, Refusal) and refused.code == "not_over"
    play(table, "e4 e5")
    table.done("white", cmd.Resign())
    table.done("white", cmd.ApproveResult(result="0-1"))
    assert not alerts(table, "result_differs")
    table.done("black", cmd.ApproveResult(result="1-0"))
    assert alerts(table, "result_differs") and table.state.result == "0-1", "it stands"
    assert [one.seat for one in only(table.events, ev.ResultApproved)] == [Seat.WHITE, Seat.BLACK]
    assert isinstance(table.do("white", cmd.RuleResult(result="1-0", reason="no")), Refusal)
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="sheets were swapped", article="8.7"))
    assert table.state.result == "1-0"


@pytest.mark.law("L115", "L116")
def test_l115_every_result_there_is_and_no_other() -> None:
    for result in RESULTS:
        table = CoreTable()
        table.done("arbiter", msgspec.convert({"do": "rule_result", "result": result, "reason": "x"}, cmd.RuleResult))
        assert table.state.result == result
        assert allowed(points_of(result, EventOptions().points), EventOptions().points)
    for wrong in ("3/4-1/4", "1-1", "1-1/2", "2-0"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"do": "rule_result", "result": wrong, "reason": "x"}, cmd.RuleResult)


@pytest.mark.law("L126")
def test_l126_who_has_finished_is_a_spectator() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.Resign())
    for body in (cmd.OfferDraw(), cmd.ClaimDraw(kind="repetition"), cmd.ClaimTime(), cmd.Resign(), cmd.CallArbiter()):
        refused = table.do("black", body)
        assert isinstance(refused, Refusal) and refused.article == "11.4"


def test_a_record_needs_no_file_to_be_understood() -> None:
    """The rules travel in the record: replayed from its bytes, the table decides the same."""
    table = repeated_twice()
    table.done("black", cmd.ClaimDraw(kind="repetition", intended=said("Ng8"), text="Ng8"))
    raw = [msgspec.json.encode(event) for event in table.events]
    again = Game.replay(msgspec.json.decode(one, type=ev.AnyEvent) for one in raw)
    assert again == table.state and again.rules.options.resign_no_mate == "draw"
