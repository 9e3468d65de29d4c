"""Draws, claims, resignation and the end of the game, as the players are told of them."""

from __future__ import annotations

from collections.abc import Sequence

from server.game import acts as ev
from server.game.decide.questions import lent_cells
from server.game.state.state import GameState
from server.game.values.words import Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.seats.moves import read_back
from server.game.views.seats.questions import has_acted
from server.game.views.seats.shown import shown, silent

silent(ev.OfferAcknowledged, ev.FlagCalled, ev.MateAsked, ev.MateAnswered, ev.PositionVerified)


@shown(ev.Proposed)
def _proposal(event: ev.Proposed, seat: Seat) -> msg.Question | None:
    """Return whether the player said so; how long a yes counts is part of the question."""
    if event.seat is not seat:
        return None
    return msg.Question(ask=event.what, utterance=event.utterance, within_ms=event.until_ms - event.at)


@shown(ev.ProposalSettled)
def _no_taken(event: ev.ProposalSettled, seat: Seat) -> msg.NoTaken | None:
    return msg.NoTaken(what=event.what) if event.outcome == "refused" and event.seat is seat else None


@shown(ev.DrawOffered)
def _offer(event: ev.DrawOffered, state: GameState, seat: Seat) -> msg.DrawOffer | None:
    own, claim = event.seat is seat, state.draws.claim
    if own and event.by_claim and claim is not None and claim.awaits:
        return None  # the question of the intended move tells it, and is the last that is said
    return msg.DrawOffer(own=own, by_claim=event.by_claim, acknowledge=not own and not state.draws.offer_delivered)


@shown(ev.DrawAnswered)
def _reply(event: ev.DrawAnswered, seat: Seat) -> msg.DrawReply | None:
    if event.after_touch:
        return None
    return msg.DrawReply(accepted=event.accepted, own=event.seat is seat, by_move=event.by_move)


@shown(ev.DrawClaimed)
def _claim(event: ev.DrawClaimed, state: GameState, seat: Seat, station: Station) -> msg.AnyMessage | None:
    if event.awaits:
        return _claim_question(event.asks) if event.seat is seat else None
    return _quickplay_claimed(event.seat, state, station) if event.kind == "quickplay" else None


@shown(ev.ClaimKindAsked)
def _kind_asked(event: ev.ClaimKindAsked, seat: Seat) -> msg.Question | None:
    return _claim_question(event.asks) if event.seat is seat else None


@shown(ev.ClaimKindStated)
def _kind_stated(event: ev.ClaimKindStated, state: GameState, seat: Seat, station: Station) -> msg.AnyMessage | None:
    if event.kind == "unstated":
        return _claim_question(()) if event.seat is seat else None
    return _quickplay_claimed(event.seat, state, station) if event.kind == "quickplay" else None


def _claim_question(kinds: Sequence[str]) -> msg.Question:
    """Return which claim it is, or which move is intended where that is known (9.2.1)."""
    return msg.Question(ask=f"claim_{kinds[0]}" if kinds else "intended", utterance=None)


def _quickplay_claimed(seat: Seat, state: GameState, station: Station) -> msg.ActTaken | None:
    """Return that a draw was claimed in a quickplay finish (III.5); where no arbiter is there, it ends play."""
    mine = seat is station.seat and station.role is Role.PLAYER
    return msg.ActTaken(what="claim") if mine and not state.table.regulations.unsupervised else None


@shown(ev.IntendedStated)
def _intended(event: ev.IntendedStated, seat: Seat, station: Station) -> msg.AnyMessage | None:
    """Return the read-back for a player who spoke to the arbiter alone.

    Nobody else gets it, no assistant either (9.2.1).
    """
    if event.seat is not seat or station.role is not Role.PLAYER:
        return None
    return _read_back(event) or msg.NoTaken(what="intended")


@shown(ev.SaidToArbiter)
def _said_to_arbiter(event: ev.SaidToArbiter, state: GameState, seat: Seat, station: Station) -> msg.AnyMessage | None:
    """Return the read-back, or the question of the intended move where no move was understood and one is awaited."""
    if event.seat is not seat or station.role is not Role.PLAYER:
        return None
    awaited = state.draws.claim is not None and state.draws.claim.awaits
    asked = msg.Question(ask="intended", utterance=event.utterance) if awaited else None
    return _read_back(event) or asked


def _read_back(event: ev.IntendedStated | ev.SaidToArbiter) -> msg.Understood | None:
    if not event.words or event.announcement is None:
        return None
    return read_back(event.speech)


@shown(ev.ClaimRuled)
def _ruled(event: ev.ClaimRuled, seat: Seat) -> msg.RulingShown:
    return msg.RulingShown(own=event.seat is seat, what=f"claim_{event.ruling}", article=event.article)


@shown(ev.PlayConcluded)
def _claim_shown(event: ev.PlayConcluded, state: GameState, seat: Seat, station: Station) -> msg.ClaimShown | None:
    """Return what a player is shown of a claim that ended play (III.6.1).

    The opponent sees the claimant's own board, and the score that comes with a claim of no effort.
    """
    if station.role is not Role.PLAYER:
        return None
    kept = event.snapshot
    if event.seat is seat:
        return msg.ClaimShown(own=True, ground=event.ground)
    board = kept.white_board if event.seat is Seat.WHITE else kept.black_board
    score = lent_cells(state, event.seat) if event.ground == "no_effort" else ()
    return msg.ClaimShown(own=False, ground=event.ground, placement=board, score=score)


@shown(ev.TimeClaimed)
def _time_claimed(event: ev.TimeClaimed, station: Station) -> msg.ActTaken | None:
    return msg.ActTaken(what="flag") if has_acted(event.seat, station) else None


@shown(ev.Resigned)
def _resigned(event: ev.Resigned, seat: Seat) -> msg.ResignationShown:
    return msg.ResignationShown(own=event.seat is seat)


@shown(ev.GameEnded, everywhere=True)
def _ended(event: ev.GameEnded) -> msg.Ended:
    return msg.Ended(result=event.result, reason=event.reason, article=event.article)


@shown(ev.ResultApproved)
def _approved(event: ev.ResultApproved, seat: Seat, station: Station) -> msg.ActTaken | None:
    if event.seat is not seat or station.role is not Role.PLAYER:
        return None
    return msg.ActTaken(what="approved", result=event.result)
