"""Supervision and conduct as the arbiter enters them. Articles are offered, never decided (11, 12, A.4, B.2)."""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts import events as ev
from server.game.acts.commands import Refusal
from server.game.decide.draft import Draft
from server.game.decide.rulings.conduct import device_approved, note_exemptions
from server.game.laws.event_options import Supervision
from server.game.laws.supervision import full_supervision_possible
from server.game.laws.time_class import TimeClass, classify
from server.game.state.state import GameState
from server.game.values.words import ClockMaster, Seat

MENDED_WITHIN_MS = 60_000
"""So long after another clock was read off, another reading typed in is the first one mended."""


def supervise(draft: Draft, seat: Seat, body: cmd.AnyBody) -> Refusal | None:
    """A ruling on a stop, a device, leaving, how many games are supervised, another clock's times."""
    state, now, ply = draft.state, draft.now, draft.state.made_plies
    match body:
        case cmd.RuleStop():
            if state.stopped_by is None:
                return Refusal("nobody_stopped", "6.11.4")
            who, article = state.stopped_by, "" if body.valid else "6.11.4"
            draft.emit(ev.StopRuled(at=now, seat=who, valid=body.valid, reason=body.reason, article=article))
            if not body.valid:
                what = (
                    f"{who.value} had no valid reason to stop the clock: a penalty under 12.9 is open to you (6.11.4)"
                )
                draft.alert("stop_not_valid", ply, what, grey=False)
        case cmd.NoteDeviceFound():
            approved, proposed = device_approved(state, body.device), ""
            if not approved:
                proposed = state.regulations.device_penalty
            draft.emit(
                ev.DeviceFound(
                    at=now, seat=body.seat, device=body.device, approved=approved, proposed=proposed, note=body.note
                )
            )
            listed = "is on the approved list" if approved else f"is not approved: {proposed} is open to you"
            draft.alert("device_found", ply, f"{body.device} on {body.seat.value} {listed} (11.3.2.2)", grey=False)
        case cmd.ReportLeaving():
            required = state.regulations.report_when_leaving and seat is not state.on_move
            draft.emit(ev.LeavingReported(at=now, seat=seat, back=body.back, required=required))
            if not body.back:
                why = "he has the move: only with your permission (11.2.3)" if seat is state.on_move else "11.2.4"
                draft.alert("leaving", ply, f"{seat.value} leaves the playing area: {why}", grey=False)
        case cmd.NoteSupervision():
            return _supervision(draft, body)
        case cmd.AskLaw():
            draft.emit(ev.LawAsked(at=now, seat=seat, article=body.article))
            what = f"{seat.value} asks you to explain {body.article} (11.9)"
            draft.alert("law_asked", ply, what, grey=False)
        case cmd.ReleaseLaw():
            draft.emit(ev.LawReleased(at=now, seat=body.seat, article=body.article))
        case cmd.ReadClock():
            if state.clock_master is ClockMaster.SERVER:
                return Refusal("our_clock_leads", "6.2.1")
            after = _ply_read_after(state, body, now)
            draft.emit(ev.ClockRead(at=now, white_ms=body.white_ms, black_ms=body.black_ms, ply=after))
            note_exemptions(draft)
    return None


def _ply_read_after(state: GameState, body: cmd.ReadClock, now: int) -> int:
    """The last completed move, where these are its times: the first that are read off after it (7.1, D.2.6.2).

    A reading that a person types in soon after the first, or that shows more time than it, mends it.
    """
    last = state.ply(state.made_plies)
    if last is None or not last.completed or state.ply(state.ply_to_make) is not None:
        return 0
    if last.white_ms is None or last.black_ms is None:
        return last.index
    if state.clock_master is not ClockMaster.MANUAL or state.clock_read is None:
        return 0
    more = body.white_ms > last.white_ms or body.black_ms > last.black_ms
    return last.index if more or now - state.clock_read[0] <= MENDED_WITHIN_MS else 0


def _supervision(draft: Draft, body: cmd.NoteSupervision) -> Refusal | None:
    """Whether the Competition Rules may hold in full; what the event fixed stands either way (A.6, B.4)."""
    state, kind = draft.state, classify(draft.state.clock.control)
    possible = full_supervision_possible(kind, body.games, recorded=body.recorded)
    article = "" if kind is TimeClass.STANDARD else state.rules.article(f"{kind.value}_full")
    draft.emit(
        ev.SupervisionNoted(at=draft.now, games=body.games, recorded=body.recorded, possible=possible, article=article)
    )
    if not possible and state.regulations.supervision is Supervision.FULL:
        what = f"full supervision is not possible with {body.games} games ({article}); the event has fixed it"
        draft.alert("supervision", state.made_plies, what, grey=False)
    return None
