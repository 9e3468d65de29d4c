"""Offers, answers, resignation, claims, and the call for the arbiter (5.1.2, 6.8, 6.11.2, 9.1)."""

from __future__ import annotations

import chess

from server.play import commands as cmd
from server.play.commands import Refusal
from server.play.deciding import Draft
from server.play.events import (
    ArbiterCalled,
    ClockPaused,
    DrawAnswered,
    DrawOffered,
    GameEnded,
    TimeClaimed,
)
from server.play.state import GameState
from server.play.values import Role, Seat

MOVES_BEFORE_A_DRAW = 2  # plies: one move by each player (5.2.3, L047)


def end(draft: Draft, seat: Seat, body: cmd.AnyBody) -> Refusal | None:
    """Take an offer, an answer, a resignation, a claim or a call into the record."""
    state, now = draft.state, draft.now
    match body:
        case cmd.OfferDraw():
            draft.emit(DrawOffered(at=now, seat=seat, ply=state.made_plies))
        case cmd.AnswerDraw():
            if state.offer_by is not seat.other:
                return Refusal("no_offer", "9.1.2.1")
            if body.accept and state.made_plies < MOVES_BEFORE_A_DRAW:
                return Refusal("a_move_each_first", "5.2.3")
            draft.emit(DrawAnswered(at=now, seat=seat, accepted=body.accept))
            if body.accept:
                draft.emit(GameEnded(at=now, result="1/2-1/2", reason="draw_agreed", article="5.2.3"))
        case cmd.Resign():
            _resign(draft, seat)
        case cmd.ClaimTime():
            draft.emit(TimeClaimed(at=now, seat=seat))
            draft.emit(ClockPaused(at=now, by=Role.PLAYER, seat=seat, reason="claim"))
            draft.alert("time_claimed", state.made_plies, f"{seat.value} claims the game on time (6.8)", grey=False)
        case cmd.CallArbiter():
            draft.emit(ArbiterCalled(at=now, seat=seat, reason=body.reason))
            if body.stop:
                draft.emit(ClockPaused(at=now, by=Role.PLAYER, seat=seat, reason=body.reason))
            draft.alert("called", state.made_plies, f"{seat.value} calls the arbiter (6.11.2)", grey=not body.stop)
    return None


def _resign(draft: Draft, seat: Seat) -> None:
    """Resignation loses; in the 2023 edition it draws where the opponent cannot mate by any series of moves (5.1.2)."""
    if draft.state.rule_set == "fide2023" and _bare_king(draft.state, seat.other):
        draft.emit(GameEnded(at=draft.now, result="1/2-1/2", reason="resigned_no_mate", article="5.1.2"))
        return
    result = "0-1" if seat is Seat.WHITE else "1-0"
    draft.emit(GameEnded(at=draft.now, result=result, reason="resigned", article="5.1.2"))


def _bare_king(state: GameState, seat: Seat) -> bool:
    """The plainest case of a side that can never mate; the others are the arbiter's until the core can tell (L065)."""
    if state.position is None or state.out_of_step:
        return False
    board = state.position.board()
    color = chess.WHITE if seat is Seat.WHITE else chess.BLACK
    return board.occupied_co[color] == board.kings & board.occupied_co[color]
