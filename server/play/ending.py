"""Offers, answers, resignation, claims, and the call for the arbiter (5.1.2, 6.8, 6.11.2, 9.1)."""

from __future__ import annotations

from server.play import commands as cmd
from server.play.agreeing_draw import answer_offer, offer
from server.play.claims import claim_draw, claim_time
from server.play.commands import Refusal
from server.play.deciding import Draft
from server.play.ends import believed, can_mate, void
from server.play.events import ArbiterCalled, ClockPaused, GameEnded, Resigned, ResultApproved
from server.play.rules.results import lost_by
from server.play.values import Role, Seat


def end(draft: Draft, seat: Seat, body: cmd.AnyBody) -> Refusal | None:
    """Take an offer, an answer, a resignation, a claim or a call into the record."""
    state, now = draft.state, draft.now
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
            draft.emit(ArbiterCalled(at=now, seat=seat, reason=body.reason))
            if body.stop:
                draft.emit(ClockPaused(at=now, by=Role.PLAYER, seat=seat, reason=body.reason))
            draft.alert("called", state.made_plies, f"{seat.value} calls the arbiter (6.11.2)", grey=not body.stop)
    return None


def resign(draft: Draft, seat: Seat, *, at: int) -> None:
    """Resignation, said at `at`, ends the game at once (5.1.2).

    It is lost, but since 2023 drawn where the opponent can never mate. Where that is not known (G11), the edition does
    not say, or the game had ended before, it waits for the arbiter.
    """
    state, other = draft.state, seat.other
    draft.emit(Resigned(at=at, seat=seat))
    ended = void(state)
    settled = state.rules.options.resign_no_mate
    positions = believed(state)
    verdict, why = "unknown", "the server does not know the position"
    if positions is not None:
        answer = can_mate(positions[-1], other)
        verdict, why = answer.verdict, answer.reason
    if not ended and (settled == "loss" or verdict == "yes"):
        draft.emit(GameEnded(at=draft.now, result=lost_by(seat), reason="resigned", article="5.1.2"))
    elif not ended and settled == "draw" and verdict == "no":
        draft.emit(GameEnded(at=draft.now, result="1/2-1/2", reason="resigned_no_mate", article="5.1.2"))
    else:
        open_ = ended or f"can {other.value} ever mate? The arbiter decides (5.1.2, G11): {verdict}, {why}"
        draft.emit(ClockPaused(at=draft.now, by=Role.PLAYER, seat=seat, reason="resigned"))
        draft.alert("resigned", state.made_plies, f"{seat.value} resigns; {open_}", grey=False)


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
