"""The arbiter's notes and rulings on conduct and supervision.

Decisions on gaps, incidents, penalties, devices, leaves, appeals, scoresheet requests (1.4, 7.4, 8.4, 11, 12,
A.4, A.4.3, A.5.1, B.2; gaps G1 to G14). Only the arbiter sees them; a player learns of a penalty by its effect on clock
or result. The program offers articles to the arbiter and never decides by them.
"""

from __future__ import annotations

from fractions import Fraction

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.decide.set_up.stations import device_approved
from server.game.laws.event_options import Supervision
from server.game.laws.results import SCHEMES, lost_with_score
from server.game.laws.scoresheet import Exemption, exemption_after, sheet_request
from server.game.laws.supervision import TimeClass, classify, full_supervision_possible
from server.game.state.state import GameState
from server.game.values.saying import saying
from server.game.values.words import ClockMaster, Seat

# The nine of 12.9 in ascending severity; the ids are those of config/rules/penalties.toml.
PENALTIES = (
    "warning",
    "more_time_for_opponent",
    "less_time_for_offender",
    "more_points_for_opponent",
    "fewer_points_for_offender",
    "loss",
    "fine",
    "exclusion_from_rounds",
    "expulsion",
)


@decides(cmd.NoteDisturbance)
def note_disturbance(draft: Draft, body: cmd.NoteDisturbance) -> None:
    """Record who disturbed the game, in words, and whether they had to leave (12.7)."""
    ply = draft.state.made_plies
    draft.emit(ev.DisturbanceNoted(at=draft.now, seat=body.seat, ply=ply, text=body.text, expelled=body.expelled))


@decides(cmd.SettleAlert)
def settle_alert(draft: Draft, body: cmd.SettleAlert) -> Refusal | None:
    """Record that alerts are seen, put off or filed (12.2); what another device settled meanwhile is left out."""
    unsettled = {one.number for one in draft.state.rulings.unsettled if one.how != "filed"}
    numbers = tuple(number for number in dict.fromkeys(body.numbers) if number in unsettled)
    if not numbers:
        return Refusal("alert_settled", "12.2")
    draft.emit(ev.AlertSettled(at=draft.now, numbers=numbers, how=body.how))
    return None


@decides(cmd.DecideGap)
def decide_gap(draft: Draft, body: cmd.DecideGap) -> None:
    """Record what the arbiter decides where the Laws say nothing."""
    ply = draft.state.made_plies if body.ply is None else body.ply
    draft.emit(ev.Decided(at=draft.now, gap=body.gap, ply=ply, decision=body.decision, article=body.article))


@decides(cmd.NoteIncident)
def note_incident(draft: Draft, body: cmd.NoteIncident) -> None:
    """Record an incident in the arbiter's words."""
    draft.emit(
        ev.IncidentNoted(
            at=draft.now,
            kind=body.kind,
            seat=body.seat,
            ply=draft.state.made_plies,
            text=body.text,
            article=body.article,
        )
    )


@decides(cmd.RegisterDevice)
def register_device(draft: Draft, body: cmd.RegisterDevice) -> None:
    """Record a device that a player has brought, approved or not."""
    draft.emit(
        ev.DeviceRegistered(
            at=draft.now,
            device=body.device,
            seat=body.seat,
            approved=body.approved,
            note=body.note,
            after_start=draft.state.table.started,
        )
    )


@decides(cmd.PermitLeaving)
def permit_leaving(draft: Draft, body: cmd.PermitLeaving) -> None:
    """Record whether a player or their assistant may leave, and by which article that is the arbiter's to say."""
    state = draft.state
    asked = state.table.regulations.report_when_leaving and body.seat is not state.on_move
    article = "11.2.3" if body.place == "venue" or body.person or body.seat is state.on_move else ""
    draft.emit(
        ev.LeaveRuled(
            at=draft.now,
            seat=body.seat,
            granted=body.granted,
            reason=body.reason,
            place=body.place,
            person=body.person,
            article=article or ("11.2.4" if asked else ""),
        )
    )


@decides(cmd.NoteAppeal)
def note_appeal(draft: Draft, body: cmd.NoteAppeal) -> None:
    """Record an appeal against a decision."""
    draft.emit(ev.AppealNoted(at=draft.now, seat=body.seat, against=body.against, text=body.text))


@decides(cmd.Penalise)
def penalise(draft: Draft, body: cmd.Penalise) -> Refusal | None:
    """Record one of the nine penalties, with its effect on clock or result (12.9, L144)."""
    article = f"12.9.{PENALTIES.index(body.penalty) + 1}"
    timed = body.penalty in ("more_time_for_opponent", "less_time_for_offender")
    pointed = body.penalty in ("more_points_for_opponent", "fewer_points_for_offender")
    if (timed or pointed) and body.amount <= 0:
        return Refusal("amount_needed", article)
    most = max(SCHEMES[draft.state.table.regulations.points].values())
    if body.penalty == "more_points_for_opponent" and Fraction(body.amount, 2) > most:
        return Refusal("too_many_points", article)
    result = ""
    if body.penalty == "loss":
        if draft.state.over:
            return Refusal("game_over", article)
        result = lost_with_score(body.seat, body.opponents)
    draft.emit(
        ev.Penalised(
            at=draft.now,
            seat=body.seat,
            penalty=body.penalty,
            article=article,
            amount=body.amount,
            reason=body.reason,
        )
    )
    if timed:
        to_opponent = body.penalty == "more_time_for_opponent"
        seat, ms = (body.seat.other, body.amount) if to_opponent else (body.seat, -body.amount)
        draft.emit(ev.TimeAdded(at=draft.now, seat=seat, ms=ms, reason=body.reason, article=article))
    if result:
        draft.emit(ev.GameEnded(at=draft.now, result=result, reason="penalty", article=article))
    return None


@decides(cmd.AskForSheet)
def ask_for_sheet(draft: Draft, seat: Seat) -> Refusal | None:
    """Answer a player's request to see the arbiter's scoresheet: five times, when having the move.

    See A.4.3, L149. Hearing one's own score is free and never counted here (`Ask`, what "score").
    """
    state = draft.state
    earlier = state.scores.sheet_requests[seat is Seat.BLACK]
    kind, supervision = classify(state.time.clock.control), state.table.regulations.supervision
    asked = sheet_request(state.table.rules, kind, supervision, earlier, on_move=seat is state.on_move)
    if asked.answer == "refuse":
        return Refusal("no_sheet_to_show", asked.article)
    draft.emit(ev.SheetAsked(at=draft.now, seat=seat, number=asked.number, answer=asked.answer, article=asked.article))
    what = saying("sheet_many" if asked.answer == "distraction" else "sheet_show")
    said = saying("asks_sheet", who=seat, number=asked.number, what=what, article=asked.article)
    draft.alert("sheet_asked", state.made_plies, said, grey=False)
    return None


def note_exemptions(draft: Draft) -> None:
    """Exempt from recording a player with fewer than five minutes and no 30 s increment (8.4).

    The exemption lasts for the rest of the period.
    """
    state = draft.state
    if not state.table.started or state.over:
        return
    clock = state.time.clock
    for index, seat in enumerate(Seat):
        period = clock.side(seat).period
        held = Exemption(state.scores.exempt[index])
        left = _time_left(state, seat, draft.now)
        if left is None:
            continue
        holds = exemption_after(held, period, left, clock.control.periods[period].increment_ms).period
        if holds is not None and holds != held.period:
            draft.emit(ev.RecordingExempted(at=draft.now, seat=seat, period=holds))


def _time_left(state: GameState, seat: Seat, now: int) -> int | None:
    """Return a player's remaining time (ms).

    Of another clock it is what was read off last; None where nothing was (D.2.6.2).
    """
    if state.time.clock_master is ClockMaster.SERVER:
        return state.time.clock.remaining(seat, now)
    if state.time.clock_read is None:
        return None
    _, white_ms, black_ms = state.time.clock_read
    return white_ms if seat is Seat.WHITE else black_ms


DEVICE_PENALTIES = {
    "loss": saying("penalty_loss"),
    "warning": saying("penalty_warning"),
    "more_time_for_opponent": saying("penalty_more_time_for_opponent"),
    "less_time_for_offender": saying("penalty_less_time_for_offender"),
    "fine": saying("penalty_fine"),
}
MENDED_WITHIN_MS = 60_000
"""A reading of another clock that is typed in within this time after the first one corrects it."""


@decides(
    cmd.RuleStop, cmd.NoteDeviceFound, cmd.ReportLeaving, cmd.NoteSupervision, cmd.ReadClock, cmd.AskLaw, cmd.ReleaseLaw
)
def supervise(draft: Draft, seat: Seat, body: cmd.AnyAct) -> Refusal | None:
    """Record a ruling or note about supervision.

    It is about a stop, a device, leaving, a point of the Laws, how many games are supervised, or another clock's times.
    """
    state, now, ply = draft.state, draft.now, draft.state.made_plies
    match body:
        case cmd.RuleStop():
            if state.time.stopped_by is None:
                return Refusal("nobody_stopped", "6.11.4")
            who, article = state.time.stopped_by, "" if body.valid else "6.11.4"
            draft.emit(ev.StopRuled(at=now, seat=who, valid=body.valid, reason=body.reason, article=article))
            if not body.valid:
                draft.alert("stop_not_valid", ply, saying("stop_no_reason", who=who), grey=False)
        case cmd.NoteDeviceFound():
            approved, proposed = device_approved(state, body.device), ""
            if not approved:
                proposed = state.table.regulations.device_penalty
            draft.emit(
                ev.DeviceFound(
                    at=now, seat=body.seat, device=body.device, approved=approved, proposed=proposed, note=body.note
                )
            )
            said = saying("device_listed", device=body.device, who=body.seat)
            if not approved:
                open_to = DEVICE_PENALTIES[proposed]
                said = saying("device_not_listed", device=body.device, who=body.seat, proposed=open_to)
            draft.alert("device_found", ply, said, grey=False)
        case cmd.ReportLeaving():
            required = state.table.regulations.report_when_leaving and seat is not state.on_move
            draft.emit(ev.LeavingReported(at=now, seat=seat, back=body.back, required=required))
            if not body.back:
                why = saying("leaves_on_move") if seat is state.on_move else "11.2.4"
                draft.alert("leaving", ply, saying("leaves", who=seat, why=why), grey=False)
        case cmd.NoteSupervision():
            return _supervision(draft, body)
        case cmd.AskLaw():
            draft.emit(ev.LawAsked(at=now, seat=seat, article=body.article))
            draft.alert("law_asked", ply, saying("asks_law", who=seat, article=body.article), grey=False)
        case cmd.ReleaseLaw():
            draft.emit(ev.LawReleased(at=now, seat=body.seat, article=body.article))
        case cmd.ReadClock():
            if state.time.clock_master is ClockMaster.SERVER:
                return Refusal("our_clock_leads", "6.2.1")
            after = _ply_read_after(state, body, now)
            draft.emit(ev.ClockRead(at=now, white_ms=body.white_ms, black_ms=body.black_ms, ply=after))
            note_exemptions(draft)
    return None


def _ply_read_after(state: GameState, body: cmd.ReadClock, now: int) -> int:
    """Return the last completed move where these are its times, the first read after it (7.1, D.2.6.2).

    Else 0. A reading that a person types in soon after the first, or that shows more time than it, corrects the first.
    """
    last = state.ply(state.made_plies)
    if last is None or not last.completed or state.ply(state.ply_to_make) is not None:
        return 0
    if last.white_ms is None or last.black_ms is None:
        return last.index
    if state.time.clock_master is not ClockMaster.MANUAL or state.time.clock_read is None:
        return 0
    more = body.white_ms > last.white_ms or body.black_ms > last.black_ms
    return last.index if more or now - state.time.clock_read[0] <= MENDED_WITHIN_MS else 0


def _supervision(draft: Draft, body: cmd.NoteSupervision) -> Refusal | None:
    """Record whether the Competition Rules may hold in full.

    What the event fixed stays anyway (A.6, B.4).
    """
    state, kind = draft.state, classify(draft.state.time.clock.control)
    possible = full_supervision_possible(kind, body.games, recorded=body.recorded)
    article = "" if kind is TimeClass.STANDARD else state.table.rules.article(f"{kind.value}_full")
    draft.emit(
        ev.SupervisionNoted(at=draft.now, games=body.games, recorded=body.recorded, possible=possible, article=article)
    )
    if not possible and state.table.regulations.supervision is Supervision.FULL:
        said = saying("supervision_not", games=body.games, article=article)
        draft.alert("supervision", state.made_plies, said, grey=False)
    return None
