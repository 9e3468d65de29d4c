"""When a game is drawn or may be claimed as drawn, and when a draw may be offered.

Repetition and the fifty and seventy-five moves (9.2, 9.3, 9.6; L104-L113) are read from the positions of the game
alone. A game is a tuple of positions, the initial one first. For the arbiter: players are told nothing (11.12, L133).

Then come the offers: when one may be made, and how long it stands (5.2.3, 9.1; L047, L100-L103).
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
ALTERNATE = 4  # plies between two occurrences that follow each other as closely as possible


class ClaimFinding(msgspec.Struct, frozen=True):
    """Finding of the record on a claim: right or not, by which article, and which plies show it.

    `plies`: for a repetition, the plies after
    which the position stood; for fifty moves, the first and the last of the row.
    """

    right: bool
    article: str
    plies: tuple[int, ...]


def identity(position: Position) -> tuple[str, Seat, str, str]:
    """Return what makes two positions the same (9.2.2 of 2018, 9.2.3 of 2023; L106).

    Pieces, player on move, castling rights (lost only by moving), and en passant where such a capture is legal: a
    position keeps it nowhere else.
    """
    return position.placement, position.turn, position.castling, position.en_passant


def occurrences(positions: tuple[Position, ...], position: Position) -> tuple[int, ...]:
    """Return after which plies (0: the initial position) this position stood."""
    wanted = identity(position)
    return tuple(ply for ply, one in enumerate(positions) if identity(one) == wanted)


@lru_cache(maxsize=512)
def _pawns_and_men(placement: str) -> tuple[int, int, int]:
    """Return where White's and Black's pawns stand, and how many men there are."""
    board = chess.BaseBoard(placement)
    white, black = (board.pieces_mask(chess.PAWN, color) for color in chess.COLORS)
    return white, black, chess.popcount(board.occupied)


def quiet_plies(positions: tuple[Position, ...]) -> int:
    """Return how many plies up to the last position had no pawn move and no capture (9.3, L107).

    This is read from the boards, so it holds after any placement; an initial position brings its own count along.
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
    """Return the article that refuses a claim under 9.2 or 9.3; "" where it may be made (L105, L108)."""
    if touched:
        return "9.4"
    return "" if position.turn is seat else "9.2"


def with_move(positions: tuple[Position, ...], intended: str | None) -> tuple[Position, ...] | None:
    """Return the game with an intended move added.

    None where that move is not legal, so that no claim can rest on it.
    """
    if intended is None:
        return positions
    return (*positions, positions[-1].after(intended)) if is_legal(positions[-1], intended) else None


def repetition_claim(positions: tuple[Position, ...], rule_set: RuleSet, intended: str | None = None) -> ClaimFinding:
    """Examine a claim that the same position has stood at least three times.

    It appears with an intended move (UCI), or has just appeared.
    """
    article = rule_set.article("repetition_appeared" if intended is None else "repetition_intended") or "9.2"
    game = with_move(positions, intended)
    plies = occurrences(game, game[-1]) if game else ()
    return ClaimFinding(len(plies) >= THREEFOLD, article, plies)


def fifty_moves_claim(positions: tuple[Position, ...], intended: str | None = None) -> ClaimFinding:
    """Examine a claim of fifty moves by each player without a pawn move or a capture.

    The last of them is intended (9.3.1) or completed (9.3.2).
    """
    article = "9.3.2" if intended is None else "9.3.1"
    game = with_move(positions, intended)
    if game is None:
        return ClaimFinding(False, article, ())
    quiet, last = quiet_plies(game), len(game) - 1
    return ClaimFinding(quiet >= FIFTY_MOVES, article, (max(last - quiet + 1, 1), last) if quiet else ())


def draw_by_last_move(positions: tuple[Position, ...], rule_set: RuleSet) -> str:
    """Return the article by which the last move draws the game by itself (9.6); "" where it does not.

    It is cheap to ask.
    """
    article = ""
    if _five(list(occurrences(positions, positions[-1])), consecutive=bool(rule_set.options.fivefold_consecutive)):
        article = "9.6.1"
    elif quiet_plies(positions) >= SEVENTY_FIVE_MOVES:
        article = "9.6.2"
    return "" if article and is_checkmate(positions[-1]) else article


def _five(plies: list[int], *, consecutive: bool) -> bool:
    """Return whether the last of these plies is a fifth occurrence.

    In the older rule the five must follow each other without a gap.
    """
    last = plies[-FIVEFOLD:]
    return len(last) == FIVEFOLD and (not consecutive or all(b - a == ALTERNATE for a, b in pairwise(last)))


class OfferMoment(StrEnum):
    """Moment of a move at which an offer is made (9.1.2.1)."""

    AFTER_MOVE = "after_move"  # own move made, clock not yet pressed: as it should be
    BEFORE_MOVE = "before_move"  # having the move
    OPPONENTS_TIME = "opponents_time"  # the opponent is thinking


class OfferFinding(msgspec.Struct, frozen=True):
    """Finding on an offer: whether it stands, by which article, and what the arbiter may look at.

    `look`: "11.5" for an offer at another moment than after the move; "move_first" where the opponent may demand the
    move before answering.
    """

    valid: bool
    article: str
    look: Literal["", "11.5", "move_first"] = ""


def offer_moment(seat: Seat, on_move: Seat, *, completed: bool) -> OfferMoment:
    """Return the moment of an offer.

    `on_move`: who has the move (1.3). `completed`: whether the clock was pressed after the last move.
    """
    if seat is on_move:
        return OfferMoment.BEFORE_MOVE
    return OfferMoment.OPPONENTS_TIME if completed else OfferMoment.AFTER_MOVE


def forbids_draws(event: EventOptions, moves_each: int) -> bool:
    """Return whether the event forbids offering and agreeing now (9.1.1, L100).

    An event forbids it altogether, or before each player has made N moves. Where the arbiter consents, the arbiter
    gives the result.
    """
    if event.draw_offer_min_moves == "forbidden":
        return True
    return moves_each < event.draw_offer_min_moves


def offer_finding(event: EventOptions, rule_set: RuleSet, moment: OfferMoment, moves_each: int) -> OfferFinding:
    """Return the finding on an offer.

    `moves_each`: how many moves each player has made, the one just made included.
    """
    if forbids_draws(event, moves_each):
        return OfferFinding(False, "9.1.1")
    if moment is OfferMoment.AFTER_MOVE:
        return OfferFinding(True, "9.1.2.1")
    demanded = moment is OfferMoment.BEFORE_MOVE and rule_set.options.offer_before_move == "move_may_be_demanded"
    return OfferFinding(True, "9.1.2.1", "move_first" if demanded else "11.5")


def agreement_refused(event: EventOptions, moves_each: int) -> str:
    """Return the article that refuses an agreed draw; "" where the players may agree.

    Each must have made one move (5.2.3), and the event must not forbid it (9.1.1).
    """
    if moves_each < 1:
        return "5.2.3"
    return "9.1.1" if forbids_draws(event, moves_each) else ""
