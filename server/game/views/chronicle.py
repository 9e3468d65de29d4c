"""The chronicle of a table, one line for each event that a report holds.

The lines stand in the order of the record, under the subject that they belong to: the course of the game, clocks and
pauses, offers and claims, scoresheets, incidents, penalties, devices. A line is named like its event, so that it has
the words that the arbiter's page has for it; the report's own words go before them. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from server.game import acts as ev
from server.game.acts import AnyEvent
from server.game.values.clock import at_most, time_text
from server.game.values.saying import Saying
from server.game.values.words import Origin, Role, Seat
from server.game.views.reconciled import Dated


class ReportLine(msgspec.Struct, frozen=True):
    """One line of a report: what it is about, what is said of it, when, and by whom.

    `wall_ms` is None for what holds throughout. `name` is a key of the words; `text` by language where the record
    itself has it; `values` are written as they are, and after them what the program `said`. `by`: who decided or noted
    it, as `Dated` has it. `settled`: of an alert, how the arbiter settled it last.
    """

    name: str
    values: tuple[str, ...] = ()
    seat: Seat | None = None
    article: str = ""
    wall_ms: int | None = None
    text: tuple[tuple[str, str], ...] = ()
    said: Saying | None = None
    by: str = ""
    settled: str = ""


Tell = Callable[[Any], ReportLine | None]
BY_ITSELF = (
    ev.Interrupted,
    ev.FlagFell,
    ev.DefaultTimeOver,
    ev.SessionEnded,
    ev.MateAnswered,
    ev.ScoreDue,
    ev.TakenOver,
)
"""Notes that the program makes by itself, whatever command they came with."""


def lines_of_subject(tell: Tell, record: Sequence[Dated]) -> tuple[ReportLine, ...]:
    """Return the lines of one subject, each with its time and with who decided it."""
    found = ((tell(dated.event), dated) for dated in record)
    return tuple(dated_line(line, dated) for line, dated in found if line is not None)


def dated_line(line: ReportLine, dated: Dated) -> ReportLine:
    """Return a line with the time of its event and with who decided it."""
    by = "program" if dated.by and isinstance(dated.event, BY_ITSELF) else dated.by
    return msgspec.structs.replace(line, wall_ms=dated.wall_ms, by=by)


def _description(event: ev.PlayerDescribed) -> tuple[str, ...]:
    """Return what was recorded of a player; of the needs alone that there are some: they are the arbiter's to read."""
    said = {
        "hears": event.hearing_impaired is False,
        "hearing_impaired": event.hearing_impaired is True,
        "needs": bool(event.needs),
        "no_needs": event.needs == "",
        "echo_scores": event.echo_scores is True,
        "writes_scores": event.echo_scores is False,
    }
    return tuple(name for name, holds in said.items() if holds)


def of_the_course(event: AnyEvent) -> ReportLine | None:
    """Tell the start, who was present, sessions, the adjournment, and what was settled anew in between."""
    match event:
        case ev.RehearsalNoted(outcome=outcome, reason=reason):
            return _line(event, f"rehearsal_{outcome}", reason)
        case ev.SupervisionNoted(games=games, possible=possible, article=article):
            return _line(event, str(games), _yes(possible), article=article)
        case ev.GuidelinesSettled(guidelines=guidelines, unsupervised=unsupervised):
            return _line(event, ", ".join(guidelines) or "none", "alone" if unsupervised else "")
        case ev.PlayerDescribed(seat=seat):
            return _line(event, *_description(event), seat=seat, article="D.2.11")
        case ev.ReviewReleased(released=released):
            return _line(event, _yes_or_no(released), article="8.3")
        case ev.PairingChanged(white=white, black=black, board=board, starts=starts):
            return _line(event, f"{white} – {black}", str(board) if board else "", starts)
        case ev.SetUpRuled(what=what, says=says, article=article, board=board):
            return _line(event, what, says, seat=board, article=article)
        case ev.VoiceActivityPermitted(seat=seat, granted=granted):
            return _line(event, _yes_or_no(granted), seat=seat)
        case ev.VoiceAccepted(seat=seat):
            return _line(event, seat=seat, article="D.2.7")
        case ev.RoomAllowed(allowed=allowed):
            return _line(event, _yes_or_no(allowed))
        case ev.ModeChanged(mode=mode):
            return _line(event, mode)
        case ev.ClockMasterChanged(clock_master=master):
            return _line(event, master, article="6.1")
        case ev.GameStarted():
            return _line(event, article="6.6")
        case ev.PresenceNoted(seat=seat, present=present):
            return _line(event, "present" if present else "absent", seat=seat, article="6.7")
        case ev.DefaultTimeOver(absent=absent, proposed=proposed):
            return _line(event, *absent, proposed, article="6.7.1")
        case ev.AbsenceRuled(absent=absent, forfeit=forfeit, reason=reason):
            return _line(event, "forfeit" if forfeit else "no_forfeit", *absent, reason, article="6.7.1")
        case ev.SessionStarted(length_ms=length):
            return _line(event, time_text(length), article="I.14")
        case ev.SessionEnded():
            return _line(event, article="I.14")
    return _of_the_adjournment(event)


def _of_the_adjournment(event: AnyEvent) -> ReportLine | None:
    """Tell the sealing and the resumption, without a word of the envelope before it was opened (Guidelines I)."""
    match event:
        case ev.SealOrdered(seat=seat, ply=ply):
            return _line(event, f"ply {ply}", seat=seat, article="I.1.1")
        case ev.Adjourned(seat=seat, ply=ply, label=label):
            times = tuple("–" if ms is None else time_text(ms) for ms in (label.white_ms, label.black_ms))
            return _line(event, f"ply {ply}", *times, seat=seat, article="I.1.1")
        case ev.ResumptionPrepared():
            return _line(event, article="I.5")
        case ev.PresenceMarked(seat=seat, present=present):
            return _line(event, "present" if present else "absent", seat=seat, article="I.7")
        case ev.ResumptionBegun():
            return _line(event, article="I.9.2")
        case ev.EnvelopeOpened(seat=seat, ply=ply, content=content):
            return _line(event, f"ply {ply}", content.text or _move(content.uci), seat=seat, article="I.7")
        case ev.SealedRuled(seat=seat, ply=ply, lost=lost, uci=uci, reason=reason):
            return _line(event, f"ply {ply}", "lost" if lost else "", _move(uci), reason, seat=seat, article="I.8")
        case ev.EnvelopeMissing(seat=seat, ply=ply, uci=uci):
            return _line(event, f"ply {ply}", _move(uci), seat=seat, article="I.12.1")
    return None


def of_the_claims(event: AnyEvent) -> ReportLine | None:
    """Tell offers and claims of a draw, flags and resignations, with what the arbiter ruled."""
    match event:
        case ev.DrawOffered(seat=seat, ply=ply, by_claim=by_claim):
            return _line(event, f"ply {ply}", "by_claim" if by_claim else "", seat=seat, article="9.1.2.1")
        case ev.OfferAcknowledged(seat=seat):
            return _line(event, seat=seat, article="D.2.11")
        case ev.DrawAnswered(seat=seat, accepted=accepted, by_move=by_move, after_touch=after_touch):
            answer = "accepted" if accepted else "declined"
            return _line(
                event,
                answer,
                "by_move" if by_move else "after_touch" if after_touch else "",
                seat=seat,
                article="9.1.2.1",
            )
        case ev.DrawClaimed(seat=seat, ply=ply, kind=kind, text=text):
            return _line(event, kind, text, f"ply {ply}", seat=seat, article=CLAIMED_UNDER.get(kind, "9.2, 9.3"))
        case ev.ClaimKindStated(seat=seat, kind=kind):
            return _line(event, kind, seat=seat, article=CLAIMED_UNDER.get(kind, "9.2, 9.3"))
        case ev.IntendedStated(seat=seat, text=text):
            return _line(event, text or "-", seat=seat, article="9.5")
        case ev.ClaimRuled(seat=seat, kind=kind, ruling=ruling, article=article):
            return _line(event, ruling, kind, seat=seat, article=article)
        case ev.TimeClaimed(seat=seat) | ev.FlagFell(seat=seat):
            return _line(event, seat=seat, article="6.8")
        case ev.FlagCalled(seat=seat, both=both):
            return _line(event, "both" if both else "", seat=seat, article="III.3.1" if both else "6.8")
        case ev.Resigned(seat=seat):
            return _line(event, seat=seat, article="5.1.2")
        case ev.MateAnswered(seat=seat, verdict=verdict, said=said):
            line = _line(event, "yes" if verdict == "yes" else "no" if verdict == "no" else "unknown", seat=seat)
            return msgspec.structs.replace(line, said=said)
        case ev.PlayConcluded(seat=seat):
            return _line(event, seat=seat, article="III.6.1")
        case ev.PositionVerified(seat=seat, agrees=agrees, note=note):
            return _line(event, _yes(agrees), note, seat=seat, article="III.6.1")
    return None


CLAIMED_UNDER = {"repetition": "9.2", "fifty_moves": "9.3", "increment": "III.4", "quickplay": "III.5"}


def of_the_scores(event: AnyEvent) -> ReportLine | None:
    """Tell on what the players kept the score, what had to be completed, and reconstructions (Article 8)."""
    match event:
        case ev.ScoresheetRecorded(seat=seat, sheet=sheet, article=article):
            return _line(event, sheet, seat=seat, article=article)
        case ev.RecordingExempted(seat=seat):
            return _line(event, seat=seat, article="8.4")
        case ev.ScoreDue(seats=seats, ply=ply, article=article):
            return _line(event, f"ply {ply}", *seats, article=article)
        case ev.ScoreLent(to=seat, ply=ply):
            return _line(event, f"ply {ply}", seat=seat, article="8.5.2")
        case ev.ScoreReturned(seat=seat):
            return _line(event, seat=seat, article="8.5.2")
        case ev.ReconstructionBegun(snapshot=one, reason=reason):
            return _line(event, reason, time_text(one.white_ms), time_text(one.black_ms), article="8.5.3")
        case ev.ReconstructionEnded(completed_plies=plies, evidence=evidence, article=article):
            return _line(event, "" if plies is None else f"ply {plies}", evidence, article=article)
    return None


def of_incidents(event: AnyEvent) -> ReportLine | None:
    """Tell incidents, irregularities, touches and the arbiter's decisions, where the Laws leave a gap too."""
    match event:
        case ev.IncidentNoted() as one:
            return ReportLine("incident", (one.kind, one.text), one.seat, one.article)
        case ev.DisturbanceNoted() as one:
            return ReportLine("expelled" if one.expelled else "disturbed", (one.text,), one.seat, "12.7")
        case ev.Decided() as one:
            return ReportLine("decided", (one.gap, one.decision), None, one.article)
        case ev.IncidentUndone():
            return ReportLine("undone", (), None, "12.2")
        case ev.IrregularityRuled(confirmed=True) as one:
            return ReportLine("irregularity", (one.kind, str(one.ply)), one.seat, one.article)
        case ev.IrregularityRuled(seat=seat, ply=ply, kind=kind, article=article):
            return _line(event, kind, "no", f"ply {ply}", seat=seat, article=article)
        case ev.AppealNoted() as one:
            return ReportLine("appeal", (one.against, one.text), one.seat, "11.10")
        case ev.ArbiterCalled(seat=seat, reason=reason):
            return _line(event, reason, seat=seat, article="6.11.2")
        case ev.StopRuled(seat=seat, valid=valid, reason=reason, article=article):
            return _line(event, _yes(valid), reason, seat=seat, article=article)
        case ev.TouchReported(seat=seat, square=square, how=how, ply=ply, origin=origin) if origin != Origin.SENSED:
            return _line(event, square, how, f"ply {ply}", seat=seat, article="4.3")
        case ev.TouchRuled(counts=counts, reason=reason):
            return _line(event, _yes(counts), reason, article="4.2.2")
        case ev.EvidenceOpened(reason=reason):
            return _line(event, reason, article="4.3")
        case ev.AnnouncementOwed(seat=seat, ply=ply):
            return _line(event, f"ply {ply}", seat=seat, article="D.2.1")
        case ev.GameMended(ply=ply, uci=uci):
            return _line(event, f"ply {ply}", _move(uci) or "-", article="D.2.9")
        case ev.OutOfStep(ply=ply, note=note):
            return _line(event, f"ply {ply}", note, article="D.2.9")
    return _of_people(event)


def _of_people(event: AnyEvent) -> ReportLine | None:
    """Tell who left, what observers reported, and what a player asked of the arbiter."""
    match event:
        case ev.LeaveRuled(seat=seat, granted=granted, place=place, person=person, reason=reason, article=article):
            return _line(event, _yes_or_no(granted), place, person, reason, seat=seat, article=article or "11.2")
        case ev.LeavingReported(seat=seat, back=back):
            return _line(event, "returned" if back else "left", seat=seat, article="11.2.4")
        case ev.ObserverReported(kind=kind, text=text, seat=seat, ply=ply):
            return _line(event, kind, text, f"ply {ply}", seat=seat, article="12.4")
        case ev.LawAsked(seat=seat, article=article) | ev.LawReleased(seat=seat, article=article):
            return _line(event, article, seat=seat, article="11.9")
        case ev.SheetAsked(seat=seat, number=number, article=article):
            return _line(event, str(number), seat=seat, article=article)
    return None


def of_penalties(event: AnyEvent) -> ReportLine | None:
    """Tell penalties, and time that was given or taken."""
    match event:
        case ev.Penalised() as one:
            return ReportLine("penalty", (one.penalty, str(one.amount or ""), one.reason), one.seat, one.article)
        case ev.TimeAdded() as one:
            return ReportLine("time_added", (f"{one.ms / 1000:+g}", one.reason), one.seat, one.article)
    return None


def of_devices(event: AnyEvent) -> ReportLine | None:
    """Tell which devices were approved, refused or found, and which of them sat at the table as its stations."""
    match event:
        case ev.DeviceRegistered() as one:
            name = "device" if one.approved else "device_refused"
            return ReportLine(name, (one.device, *filter(None, (one.note,))), one.seat, "11.3.2")
        case ev.DeviceFound(seat=seat, device=device, approved=approved, proposed=proposed, note=note):
            found = "approved" if approved else "not_approved"
            return _line(event, device, found, proposed, note, seat=seat, article="11.3.2.2")
        case ev.StationAdmitted(role=role, seat=seat, station=station) if role is not Role.ASSISTANT:
            return _line(event, "" if role is Role.PLAYER else role, f"id {station}", seat=seat)
        case ev.StationRevoked(station=station, reason=reason):
            return _line(event, f"id {station}", reason)
    return None


def of_pauses(record: Sequence[Dated]) -> tuple[ReportLine, ...]:
    """Tell how the clocks were set, every pause with its length, and interruptions of the program."""
    shown = []
    for number, dated in enumerate(record):
        match event := dated.event:
            case ev.ClockPaused(medical=Seat() as whose) as one:
                values = (_until_resumed(record, number) or "–", *filter(None, (one.reason,)))
                line = ReportLine("medical_pause", values, whose, "12.2.6")
            case ev.ClockPaused(seat=seat, reason=reason, by=by):
                article = "6.11.2" if by is Role.PLAYER else "6.11.1"
                line = _line(event, _until_resumed(record, number), reason, seat=seat, article=article)
            case ev.ClockResumed():
                line = _line(event, article="6.11.3")
            case ev.ClockProposed(control=control, seat=seat) | ev.ClockSetUp(control=control, seat=seat):
                line = _line(event, f"control {control.text}", seat=seat, article="6.3.1")
            case ev.ClockKept(seat=seat):
                line = _line(event, seat=seat, article="6.3.1")
            case ev.ClockSet() as one:
                times = (time_text(one.white_ms), time_text(one.black_ms))
                line = ReportLine("clock_set", (*times, one.reason), None, "6.10.2")
            case ev.IncrementSet(increment_ms=increment, reason=reason, article=article):
                line = _line(event, f"{increment / 1000:+g} s", reason, article=article)
            case ev.Interrupted() as one:
                times = (time_text(one.white_ms), time_text(one.black_ms))
                alive = f"wall {dated.wall_ms - one.uncertain_ms}"
                line = ReportLine("interrupted", (one.reason, alive, *times, at_most(one.uncertain_ms)), None, "6.10.1")
            case ev.TakenOver(detail=detail):
                line = _line(event, detail, article="6.10.1")
            case _:
                continue
        shown.append(dated_line(line, dated))
    return tuple(shown)


def of_alerts(record: Sequence[Dated]) -> tuple[ReportLine, ...]:
    """Tell every alert, and how the arbiter settled it last."""
    settled = {
        number: dated.event.how
        for dated in record
        if isinstance(dated.event, ev.AlertSettled)
        for number in dated.event.numbers
    }
    alerts = [(dated.event, dated.wall_ms) for dated in record if isinstance(dated.event, ev.Alerted)]
    return tuple(
        ReportLine(
            "heard_only" if event.grey else "alert",
            (event.kind, str(event.ply), *((event.detail,) if event.said is None else ())),
            wall_ms=wall_ms,
            said=event.said,
            settled=settled.get(number, ""),
        )
        for number, (event, wall_ms) in enumerate(alerts, 1)
    )


def _until_resumed(record: Sequence[Dated], number: int) -> str | None:
    """Return how long the clocks stood (m:ss); None where they never ran again."""
    resumed = next((dated for dated in record[number:] if isinstance(dated.event, ev.ClockResumed)), None)
    if resumed is None:
        return None
    seconds = (resumed.wall_ms - record[number].wall_ms) // 1000
    return f"{seconds // 60}:{seconds % 60:02}"


def _line(event: AnyEvent, *values: str | None, seat: Seat | None = None, article: str = "") -> ReportLine:
    """Return a line that is named like its event, without the values that are empty."""
    return ReportLine(str(event.__struct_config__.tag), tuple(str(one) for one in values if one), seat, article)


def _move(uci: str | None) -> str:
    """Return the squares of a move as people write them, "g1-f3"; "" for none."""
    return f"{uci[:2]}-{uci[2:]}" if uci else ""


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"


def _yes_or_no(granted: bool) -> str:
    return "granted" if granted else "not_granted"
