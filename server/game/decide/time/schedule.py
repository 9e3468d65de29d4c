"""The arbiter's acts about times other than those of moves (6.6, 6.7, I.14)."""

from __future__ import annotations

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.laws.attendance import proposed_result
from server.game.laws.results import lost_by
from server.game.state.state import GameState
from server.game.values.adjournment import Adjournment
from server.game.values.saying import saying


@decides(cmd.ScheduleStart, cmd.NotePresent, cmd.RuleAbsence, cmd.StartSession)
def wait_for(draft: Draft, body: cmd.AnyAct) -> Refusal | None:
    """Record an appointed start, presence, a ruling on absence, or a session."""
    state, now = draft.state, draft.now
    match body:
        case cmd.ScheduleStart():
            if state.table.started:
                return Refusal("already_started", "6.6")
            due = None if body.in_ms is None else now + body.in_ms
            draft.emit(ev.StartScheduled(at=now, due_ms=due))
        case cmd.NotePresent() if state.adjournment is not None and state.adjournment.closed:
            mark_present(draft, state.adjournment, body)  # a player who comes now comes for the resumption
        case cmd.NotePresent():
            late = body.present and body.seat in state.schedule.absent
            draft.emit(ev.PresenceNoted(at=now, seat=body.seat, present=body.present, late=late))
            if late:
                draft.alert("late_arrival", state.made_plies, saying("late", who=body.seat), grey=False)
        case cmd.RuleAbsence():
            if not state.schedule.absent:
                return Refusal("nobody_absent", "6.7.1")
            draft.emit(ev.AbsenceRuled(at=now, absent=state.schedule.absent, forfeit=body.forfeit, reason=body.reason))
            if body.forfeit:
                result = proposed_result(state.schedule.absent)
                adjourned = state.adjournment is not None and state.adjournment.closed
                article = "I.10" if adjourned else "6.7.1"
                draft.emit(ev.GameEnded(at=now, result=result, reason="forfeit", article=article))
        case cmd.StartSession():
            if state.schedule.session_due_ms is not None:
                return Refusal("session_runs", "I.14")
            draft.emit(ev.SessionStarted(at=now, length_ms=body.length_ms))
    return None


def mark_present(draft: Draft, adjournment: Adjournment, body: cmd.MarkPresent | cmd.NotePresent) -> None:
    """Record who is there, and tell the arbiter of a player who comes after the default time (I.10).

    That player loses unless the arbiter decides otherwise; a sealed move that ends the game prevails.
    """
    state = draft.state
    draft.emit(ev.PresenceMarked(at=draft.now, seat=body.seat, present=body.present))
    if (
        not body.present
        or adjournment.is_present(body.seat)
        or not is_late_at_resumption(state, adjournment, draft.now)
    ):
        return
    said = saying("late_resumption", who=body.seat, result=lost_by(body.seat))
    draft.alert("late_at_resumption", state.made_plies, said, grey=False)


def is_late_at_resumption(state: GameState, adjournment: Adjournment, now: int) -> bool:
    """Return whether the default time has passed since the resumption began (I.10, 6.7.1)."""
    began = adjournment.began_ms
    return began is not None and now - began > state.table.regulations.default_time_s * 1_000
