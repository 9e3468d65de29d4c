"""Offers of a draw: when, with what the arbiter may look at, and until when (5.2.3, 9.1)."""

from __future__ import annotations

import pytest

from server.game.laws.draws import (
    OfferFinding,
    OfferMoment,
    agreement_refused,
    offer_finding,
    offer_moment,
)
from server.game.laws.event_options import EventOptions
from server.game.laws.rule_set import RuleSet
from server.game.values.words import Seat

OPEN, SOFIA, NEVER = (
    EventOptions(),
    EventOptions(draw_offer_min_moves=30),
    EventOptions(draw_offer_min_moves="forbidden"),
)
AFTER = OfferMoment.AFTER_MOVE


@pytest.mark.law("L101")
def test_the_moment_of_an_offer() -> None:
    assert offer_moment(Seat.WHITE, Seat.WHITE, completed=True) is OfferMoment.BEFORE_MOVE
    assert offer_moment(Seat.WHITE, Seat.BLACK, completed=False) is AFTER
    assert offer_moment(Seat.WHITE, Seat.BLACK, completed=True) is OfferMoment.OPPONENTS_TIME


@pytest.mark.law("L101")
def test_an_offer_at_another_moment_is_valid(fide2023: RuleSet, short: RuleSet) -> None:
    assert offer_finding(OPEN, fide2023, AFTER, 0) == OfferFinding(True, "9.1.2.1")
    for moment in (OfferMoment.BEFORE_MOVE, OfferMoment.OPPONENTS_TIME):
        assert offer_finding(OPEN, fide2023, moment, 12) == OfferFinding(True, "9.1.2.1", "11.5")
    before = offer_finding(OPEN, short, OfferMoment.BEFORE_MOVE, 12)
    assert before == OfferFinding(True, "9.1.2.1", "move_first")
    meanwhile = offer_finding(OPEN, short, OfferMoment.OPPONENTS_TIME, 12)
    assert meanwhile == OfferFinding(True, "9.1.2.1", "11.5"), "the move is the opponent's"


@pytest.mark.law("L100")
def test_the_event_may_forbid_offers(fide2023: RuleSet) -> None:
    assert offer_finding(SOFIA, fide2023, AFTER, 29) == OfferFinding(False, "9.1.1")
    assert offer_finding(SOFIA, fide2023, AFTER, 30).valid
    assert offer_finding(NEVER, fide2023, AFTER, 200) == OfferFinding(False, "9.1.1")


@pytest.mark.law("L047", "L100")
def test_agreement_needs_a_move_each() -> None:
    assert agreement_refused(OPEN, 0) == "5.2.3"
    assert agreement_refused(OPEN, 1) == ""
    assert agreement_refused(SOFIA, 29) == "9.1.1"
    assert agreement_refused(SOFIA, 30) == ""
    assert agreement_refused(NEVER, 80) == "9.1.1"
    assert agreement_refused(NEVER, 0) == "5.2.3"
