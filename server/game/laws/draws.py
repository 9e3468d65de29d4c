"""Repetition and the fifty and seventy-five moves (9.2, 9.3, 9.6; L104-L113), from the positions of the game alone.

A game is a tuple of positions, the initial one first. For the arbiter: players are told nothing (11.12, L133).

When a draw may be offered, and how long an offer stands (5.2.3, 9.1; L047, L100-L103).
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import chess
import msgspec

from server.game.laws.event_options import EventOptions
from server.game.laws.legality import is_checkmate, is_legal
from server.game.laws.rule_set import RuleSet
from server.game.values.position import Position
from server.game.values.words import Seat

THREEFOLD, FIVEFOLD = 3, 5
FIFTY_MOVES, SEVENTY_FIVE_MOVES = 100, 150  # in plies: that many moves by each player
ALTERNATE = 4  # plies between two occurrences that follow each other as closely as can be


class ClaimFinding(msgspec.Struct, frozen=True):
    """What the record says of a claim: whether it is right, by which article, and the plies that show it.

    `plies`: for a repetition those after which the position stood; for fifty moves the first and last of the row.
    """

    right: bool
    article: str
    plies: tuple[int, ...]


def identity(position: Position) -> tuple[str, Seat, str, str]:
    """What makes two positions the same (9.2.2 of 2018, 9.2.3 of 2023; L106).

    Pieces, player on move, castling rights (lost only by moving), and en passant where such a capture is legal: a
    position keeps it nowhere else.
    """
    return position.placement, position.turn, position.castling, position.en_passant


def occurrences(positions: tuple[Position, ...], position: Position) -> tuple[int, ...]:
    """After which plies (0: the initial position) this position stood."""
    wanted = identity(position)
    return tuple(ply for ply, one in enumerate(positions) if identity(one) == wanted)


@lru_cache(maxsize=512)
def _pawns_and_men(placement: str) -> tuple[int, int, int]:
    """Where White's and Black's pawns stand, and how many men there are."""
    board = chess.BaseBoard(placement)
    white, black = (board.pieces_mask(chess.PAWN, color) for color in chess.COLORS)
    return white, black, chess.popcount(board.occupied)


def quiet_plies(positions: tuple[Position, ...]) -> int:
    """How many plies up to the last position had no pawn move and no capture (9.3, L107).

    Read off the boards, so that it holds after any placement; an initial position brings its own count along.
    """
    count = 0
    after = _pawns_and_men(positions[-1].placement)
    for one in reversed(positions[:-1]):
        before = _pawns_and_men(one.placement)
        if before != after:
            return count
        count += 1
    return count + positions[0].halfmoves


def right_to_claim(position: Position, seat: Seat, *, touched: bool) -> str:
    """The article that refuses a claim under 9.2 or 9.3; "" where it may be made (L105, L108)."""
    if touched:
        return "9.4"
    return "" if position.turn is seat else "9.2"


def with_move(positions: tuple[Position, ...], intended: str | None) -> tuple[Position, ...] | None:
    """The game with an intended move added; None where that move is not legal, so that a claim cannot rest on it."""
    if intended is None:
        return positions
    return (*positions, positions[-1].after(intended)) if is_legal(positions[-1], intended) else None


def repetition_claim(positions: tuple[Position, ...], rule_set: RuleSet, intended: str | None = None) -> ClaimFinding:
    """A claim of the same position at least for the third time: with an intended move (UCI), or just appeared."""
    article = rule_set.article("repetition_appeared" if intended is None else "repetition_intended") or "9.2"
    game = with_move(positions, intended)
    plies = occurrences(game, game[-1]) if game else ()
    return ClaimFinding(len(plies) >= THREEFOLD, article, plies)


def fifty_moves_claim(positions: tuple[Position, ...], intended: str | None = None) -> ClaimFinding:
    """A claim of fifty moves by each player without pawn move or capture: intended (9.3.1) or completed (9.3.2)."""
    article = "9.3.2" if intended is None else "9.3.1"
    game = with_move(positions, intended)
    if game is None:
        return ClaimFinding(False, article, ())
    quiet, last = quiet_plies(game), len(game) - 1
    return ClaimFinding(quiet >= FIFTY_MOVES, article, (max(last - quiet + 1, 1), last) if quiet else ())


def draw_by_last_move(positions: tuple[Position, ...], rule_set: RuleSet) -> str:
    """The article by which the last move draws the game by itself (9.6); "" where it does not. Cheap."""
    article = ""
    if _five(list(occurrences(positions, positions[-1])), consecutive=bool(rule_set.options.fivefold_consecutive)):
        article = "9.6.1"
    elif quiet_plies(positions) >= SEVENTY_FIVE_MOVES:
        article = "9.6.2"
    return "" if article and is_checkmate(positions[-1]) else article


def _five(plies: list[int], *, consecutive: bool) -> bool:
    """Whether the last of these plies is a fifth; in the older rule five that follow each other without a gap."""
    last = plies[-FIVEFOLD:]
    return len(last) == FIVEFOLD and (not consecutive or all(b - a == ALTERNATE for a, b in pairwise(last)))


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
