"""The arbiter's acts about times other than those of moves (6.6, 6.7, I.14)."""

from __future__ import annotations

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.decide.rulings.resumption import mark_present
from server.game.laws.attendance import proposed_result
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
