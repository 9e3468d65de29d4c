"""When a draw may be offered, and how long an offer stands (5.2.3, 9.1; L047, L100-L103)."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec

from server.game.laws.event_options import EventOptions
from server.game.laws.rule_set import RuleSet
from server.game.values.words import Seat


class OfferMoment(StrEnum):
    """Where in the life of a move an offer is made (9.1.2.1)."""

    AFTER_MOVE = "after_move"  # own move made, clock not yet pressed: as it should be
    BEFORE_MOVE = "before_move"  # having the move
    OPPONENTS_TIME = "opponents_time"  # the opponent is thinking


class OfferFinding(msgspec.Struct, frozen=True):
    """Whether an offer stands, the article for it, and what the arbiter may look at.

    `look`: "11.5" for an offer at another moment than after the move; "move_first" where the opponent may demand the
    move before he answers.
    """

    valid: bool
    article: str
    look: Literal["", "11.5", "move_first"] = ""


def offer_moment(seat: Seat, on_move: Seat, *, completed: bool) -> OfferMoment:
    """The moment of an offer. `on_move`: who has the move (1.3); `completed`: whether the last made move is pressed."""
    if seat is on_move:
        return OfferMoment.BEFORE_MOVE
    return OfferMoment.OPPONENTS_TIME if completed else OfferMoment.AFTER_MOVE


def restricted(event: EventOptions, moves_each: int) -> bool:
    """Whether the event forbids offering and agreeing now (9.1.1, L100): at all, or before each has made N moves.

    Where the arbiter consents, the result is the arbiter's to give.
    """
    if event.draw_offer_min_moves == "forbidden":
        return True
    return moves_each < event.draw_offer_min_moves


def offer_finding(event: EventOptions, rule_set: RuleSet, moment: OfferMoment, moves_each: int) -> OfferFinding:
    """What becomes of an offer. `moves_each`: so many moves both have made, the one just made included."""
    if restricted(event, moves_each):
        return OfferFinding(False, "9.1.1")
    if moment is OfferMoment.AFTER_MOVE:
        return OfferFinding(True, "9.1.2.1")
    demanded = moment is OfferMoment.BEFORE_MOVE and rule_set.options.offer_before_move == "move_may_be_demanded"
    return OfferFinding(True, "9.1.2.1", "move_first" if demanded else "11.5")


def agreement_refused(event: EventOptions, moves_each: int) -> str:
    """The article that refuses an agreed draw; "" where the players may agree: one move each (5.2.3), and 9.1.1."""
    if moves_each < 1:
        return "5.2.3"
    return "9.1.1" if restricted(event, moves_each) else ""
