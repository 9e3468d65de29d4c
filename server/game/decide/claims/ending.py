"""Offers, answers, resignation, claims, and the call for the arbiter (5.1.2, 6.8, 6.11.2, 9.1)."""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.acts.events import ArbiterCalled, ClockPaused, Resigned, ResultApproved
from server.game.decide.claims.agreeing_draw import answer_offer, offer
from server.game.decide.claims.draws import claim_draw
from server.game.decide.draft import Draft
from server.game.decide.flags import claim_time
from server.game.decide.mate_asking import ask_of_mate
from server.game.values.words import Role, Seat


def end(draft: Draft, seat: Seat, body: cmd.AnyBody) -> Refusal | None:
    """Take an offer, an answer, a resignation, a claim or a call into the record.

    Before the start there is no game to end: a player who will not play tells the arbiter (6.6, 6.7.1).
    """
    state, now = draft.state, draft.now
    if not state.started and not isinstance(body, cmd.CallArbiter):
        return Refusal("not_started", "6.6")
    match body:
        case cmd.OfferDraw():
            return offer(draft, seat)
        case cmd.AnswerDraw():
            return answer_offer(draft, seat, accept=body.accept)
        case cmd.Resign():
            resign(draft, seat, at=now)
        case cmd.ClaimTime():
            claim_time(draft, seat)
        case cmd.ClaimDraw():
            return claim_draw(draft, seat, body)
        case cmd.CallArbiter():
            reason = body.reason or ("medical" if body.medical else "")
            draft.emit(ArbiterCalled(at=now, seat=seat, reason=reason))
            if body.stop:
                draft.emit(ClockPaused(at=now, by=Role.PLAYER, seat=seat, reason=reason))
            if body.medical:
                what = f"{seat.value} needs medical attention: a medical pause is yours to give (12.2.6)"
                draft.alert("medical_call", state.made_plies, what, grey=False)
                return None
            draft.alert("called", state.made_plies, f"{seat.value} calls the arbiter (6.11.2)", grey=not body.stop)
    return None


def resign(draft: Draft, seat: Seat, *, at: int) -> None:
    """Resignation, said at `at`, ends the game at once (5.1.2): the clocks stand.

    The result follows when it is known whether the opponent can ever mate (`mate_questions`), asked in every edition
    and position alike, so that no player is told sooner or later by what stands on the board.
    """
    draft.emit(Resigned(at=at, seat=seat))
    draft.emit(ClockPaused(at=draft.now, by=Role.PLAYER, seat=seat, reason="resigned"))
    ask_of_mate(draft, seat.other, "resigned", draft.state.made_plies)


def approve_result(draft: Draft, seat: Seat, body: cmd.ApproveResult) -> Refusal | None:
    """Both approve the result; it stands even if wrong, unless the arbiter decides otherwise (8.7, L099)."""
    state = draft.state
    if not state.over:
        return Refusal("not_over", "8.7")
    draft.emit(ResultApproved(at=draft.now, seat=seat, result=body.result))
    if body.result != state.result:
        detail = f"{seat.value} approves {body.result}, on record is {state.result} (8.7)"
        draft.alert("result_differs", state.made_plies, detail, grey=False)
    return None
