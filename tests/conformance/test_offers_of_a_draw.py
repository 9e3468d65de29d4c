"""Offers of a draw and agreement (5.2.3, 9.1)."""

from __future__ import annotations

import msgspec
import pytest

from server.game import acts as cmd
from server.game.acts import Refusal
from server.game.laws.event_options import EventOptions
from server.game.values.words import Seat
from tests.conformance.ending_table import (
    alerts,
    ended,
    play,
)
from tests.game.core_table import CoreTable


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
    assert table.state.ending.result == "1/2-1/2"


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
    assert table.state.ending.result == "1/2-1/2", "with the arbiter's consent"


@pytest.mark.law("L101")
def test_l101_an_offer_stands_until_answered_or_until_the_opponent_moves() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.say("white", "Nf3", act="announce")
    table.done("white", cmd.OfferDraw())
    assert not alerts(table, "offer_out_of_place"), "after the move, before the press: as it should be"
    table.press("white")
    assert table.state.draws.offer_by is Seat.WHITE
    table.say("black", "Nf6", act="announce")
    assert table.state.draws.offer_by is Seat.WHITE
    table.press("black")
    assert table.state.draws.offer_by is None, "Black's own next move rejects it"
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
    assert (table.state.draws.offer_by is Seat.BLACK) == stands
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.Execute())
    table.done("black", cmd.OfferDraw())
    table.done("white", cmd.Adjust())
    table.done("arbiter", touch)
    assert table.state.draws.offer_by is Seat.BLACK, "adjusting is no touch with intent (4.2.1)"


@pytest.mark.law("L101")
def test_l101_an_offer_at_another_moment_stands_and_the_arbiter_counts() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("black", cmd.OfferDraw())  # on White's time
    table.done("white", cmd.AnswerDraw(accept=False))
    assert table.state.draws.offer_by is None
    (first,) = alerts(table, "offer_out_of_place")
    assert "in the opponent's time" in first.detail and not first.grey
    table.done("black", cmd.OfferDraw())
    assert "so far: 2 (11.5)" in alerts(table, "offer_out_of_place")[-1].detail
    assert table.state.draws.offer_by is Seat.BLACK and table.state.draws.offers == (0, 2)
    table.done("white", cmd.AnswerDraw(accept=True))
    assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L101")
def test_l101_an_offer_is_not_lost_to_a_move_that_was_announced_before_it() -> None:
    table = CoreTable()
    play(table, "e4")
    table.say("black", "e5", act="announce")
    table.done("white", cmd.OfferDraw())
    table.press("black")
    assert table.state.draws.offer_by is Seat.WHITE, "the move came before the offer"


@pytest.mark.law("L101")
def test_l101_nobody_can_withdraw_or_overwrite_an_offer() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("black", cmd.OfferDraw())
    assert isinstance(table.do("black", cmd.AnswerDraw(accept=False)), Refusal)
    refused = table.do("white", cmd.OfferDraw())
    assert isinstance(refused, Refusal) and refused.code == "offer_stands"
    assert table.state.draws.offer_by is Seat.BLACK


@pytest.mark.law("L101")
def test_l101_in_the_short_rules_the_opponent_may_demand_the_move_first() -> None:
    table = CoreTable(rule_set="short")
    play(table, "e4 e5")
    table.done("white", cmd.OfferDraw())
    assert "demand the move" in alerts(table, "offer_out_of_place")[0].detail
