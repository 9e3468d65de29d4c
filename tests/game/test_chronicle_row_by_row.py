"""The report of each event: under which subject, with which values, of whom, under which article.

Each row begins with the example of the event that the protocol's page shows, and changes what it names.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts as ev
from server.game.acts import AnyEvent, Event
from server.game.values.adjournment import SealedMove
from server.game.values.saying import saying
from server.game.values.speech import Speech
from server.game.values.words import Origin, Role, Seat
from server.game.views import chronicle
from server.game.views.chronicle import ReportLine
from server.game.views.reconciled import Dated
from tests.game.test_every_event_reported import NOON, example, lines

WHITE, BLACK = Seat.WHITE, Seat.BLACK


def row_of(section: str, line: ReportLine) -> str:
    values = ", ".join(line.values)
    return " | ".join(one for one in (section, line.name, values, line.seat or "", line.article) if one)


Row = tuple[type[Event], dict[str, Any], str]
ROWS: dict[str, list[Row]] = {
    "course": [
        (ev.RehearsalNoted, {}, "course | rehearsal_noted | rehearsal_skipped, both have played here before"),
        (ev.SupervisionNoted, {}, "course | supervision_noted | 4, no | A.4"),
        (ev.SupervisionNoted, {"possible": True}, "course | supervision_noted | 4, yes | A.4"),
        (ev.GuidelinesSettled, {}, "course | guidelines_settled | I, III"),
        (ev.GuidelinesSettled, {"guidelines": (), "unsupervised": True}, "course | guidelines_settled | none, alone"),
        (ev.PlayerDescribed, {}, "course | player_described | hearing_impaired | white | D.2.11"),
        (
            ev.PlayerDescribed,
            {"hearing_impaired": False, "needs": "a lamp", "echo_scores": True},
            "course | player_described | hears, needs, echo_scores | white | D.2.11",
        ),
        (
            ev.PlayerDescribed,
            {"hearing_impaired": None, "needs": "", "echo_scores": False},
            "course | player_described | no_needs, writes_scores | white | D.2.11",
        ),
        (ev.ReviewReleased, {}, "course | review_released | granted | 8.3"),
        (ev.ReviewReleased, {"released": False}, "course | review_released | not_granted | 8.3"),
        (
            ev.PairingChanged,
            {"white": "Anna", "black": "Hector", "board": 7, "starts": "10:00"},
            "course | pairing_changed | Anna – Hector, 7, 10:00",
        ),
        (
            ev.PairingChanged,
            {"white": "Anna", "black": "Hector", "board": 0, "starts": ""},
            "course | pairing_changed | Anna – Hector",
        ),
        (ev.SetUpRuled, {}, "course | set_up_ruled | position, continue | white | A.5.1.2"),
        (ev.VoiceActivityPermitted, {}, "course | voice_activity_permitted | granted | white"),
        (ev.VoiceActivityPermitted, {"granted": False}, "course | voice_activity_permitted | not_granted | white"),
        (ev.VoiceAccepted, {}, "course | voice_accepted | white | D.2.7"),
        (ev.RoomAllowed, {}, "course | room_allowed | granted"),
        (ev.RoomAllowed, {"allowed": False}, "course | room_allowed | not_granted"),
        (ev.ModeChanged, {}, "course | mode_changed | relay"),
        (ev.ClockMasterChanged, {}, "course | clock_master_changed | manual | 6.1"),
        (ev.GameStarted, {}, "course | game_started | 6.6"),
        (ev.PresenceNoted, {}, "course | presence_noted | present | white | 6.7"),
        (ev.PresenceNoted, {"present": False}, "course | presence_noted | absent | white | 6.7"),
        (ev.DefaultTimeOver, {}, "course | default_time_over | black, +/- | 6.7.1"),
        (
            ev.DefaultTimeOver,
            {"absent": (WHITE, BLACK), "proposed": "-/-"},
            "course | default_time_over | white, black, -/- | 6.7.1",
        ),
        (ev.AbsenceRuled, {"reason": "late"}, "course | absence_ruled | forfeit, black, late | 6.7.1"),
        (
            ev.AbsenceRuled,
            {"forfeit": False, "reason": "the train stood"},
            "course | absence_ruled | no_forfeit, black, the train stood | 6.7.1",
        ),
        (ev.SessionStarted, {}, "course | session_started | 4:00:00 | I.14"),
        (ev.SessionEnded, {}, "course | session_ended | I.14"),
    ],
    "adjournment": [
        (ev.SealOrdered, {"ply": 41}, "course | seal_ordered | ply 41 | white | I.1.1"),
        (ev.Adjourned, {"ply": 41}, "course | adjourned | ply 41, 1:30:28, 1:30:30 | white | I.1.1"),
        (ev.ResumptionPrepared, {}, "course | resumption_prepared | I.5"),
        (ev.PresenceMarked, {}, "course | presence_marked | present | white | I.7"),
        (ev.PresenceMarked, {"present": False}, "course | presence_marked | absent | white | I.7"),
        (ev.ResumptionBegun, {}, "course | resumption_begun | I.9.2"),
        (ev.EnvelopeOpened, {"ply": 41}, "course | envelope_opened | ply 41, Springer Felix drei | white | I.7"),
        (
            ev.EnvelopeOpened,
            {"ply": 41, "content": SealedMove(uci="g1f3")},
            "course | envelope_opened | ply 41, g1-f3 | white | I.7",
        ),
        (
            ev.SealedRuled,
            {"ply": 41, "reason": "no move"},
            "course | sealed_ruled | ply 41, lost, g1-f3, no move | white | I.8",
        ),
        (
            ev.SealedRuled,
            {"ply": 41, "lost": False, "uci": None, "reason": ""},
            "course | sealed_ruled | ply 41 | white | I.8",
        ),
        (ev.EnvelopeMissing, {"ply": 41}, "course | envelope_missing | ply 41, g1-f3 | white | I.12.1"),
    ],
    "claims": [
        (ev.DrawOffered, {"ply": 9}, "claims | draw_offered | ply 9 | white | 9.1.2.1"),
        (ev.DrawOffered, {"ply": 9, "by_claim": True}, "claims | draw_offered | ply 9, by_claim | white | 9.1.2.1"),
        (ev.OfferAcknowledged, {}, "claims | offer_acknowledged | white | D.2.11"),
        (ev.DrawAnswered, {}, "claims | draw_answered | declined | black | 9.1.2.1"),
        (ev.DrawAnswered, {"accepted": True}, "claims | draw_answered | accepted | black | 9.1.2.1"),
        (ev.DrawAnswered, {"by_move": True}, "claims | draw_answered | declined, by_move | black | 9.1.2.1"),
        (ev.DrawAnswered, {"after_touch": True}, "claims | draw_answered | declined, after_touch | black | 9.1.2.1"),
        (ev.DrawClaimed, {"ply": 9, "text": "Sg8"}, "claims | draw_claimed | repetition, Sg8, ply 9 | white | 9.2"),
        (
            ev.DrawClaimed,
            {"ply": 9, "kind": "fifty_moves", "text": ""},
            "claims | draw_claimed | fifty_moves, ply 9 | white | 9.3",
        ),
        (ev.DrawClaimed, {"kind": "increment", "text": ""}, "claims | draw_claimed | increment, ply 1 | white | III.4"),
        (ev.DrawClaimed, {"kind": "quickplay", "text": ""}, "claims | draw_claimed | quickplay, ply 1 | white | III.5"),
        (
            ev.DrawClaimed,
            {"kind": "unstated", "text": ""},
            "claims | draw_claimed | unstated, ply 1 | white | 9.2, 9.3",
        ),
        (ev.ClaimKindStated, {}, "claims | claim_kind_stated | quickplay | white | III.5"),
        (ev.ClaimKindStated, {"kind": "repetition"}, "claims | claim_kind_stated | repetition | white | 9.2"),
        (ev.ClaimKindStated, {"kind": "unstated"}, "claims | claim_kind_stated | unstated | white | 9.2, 9.3"),
        (ev.IntendedStated, {}, "claims | intended_stated | Springer Felix drei | white | 9.5"),
        (ev.IntendedStated, {"speech": Speech()}, "claims | intended_stated | - | white | 9.5"),
        (ev.ClaimRuled, {}, "claims | claim_ruled | wrong, repetition | white | 9.5.3"),
        (ev.TimeClaimed, {}, "claims | time_claimed | white | 6.8"),
        (ev.FlagFell, {"seat": BLACK}, "claims | flag_fell | black | 6.8"),
        (ev.FlagCalled, {}, "claims | flag_called | white | 6.8"),
        (ev.FlagCalled, {"both": True}, "claims | flag_called | both | white | III.3.1"),
        (ev.Resigned, {}, "claims | resigned | white | 5.1.2"),
        (ev.MateAnswered, {}, "claims | mate_answered | yes | white"),
        (ev.MateAnswered, {"verdict": "no"}, "claims | mate_answered | no | white"),
        (ev.MateAnswered, {"verdict": "unknown"}, "claims | mate_answered | unknown | white"),
        (ev.PlayConcluded, {}, "claims | play_concluded | white | III.6.1"),
        (ev.PositionVerified, {}, "claims | position_verified | yes | white | III.6.1"),
        (
            ev.PositionVerified,
            {"agrees": False, "note": "a pawn is missing"},
            "claims | position_verified | no, a pawn is missing | white | III.6.1",
        ),
    ],
    "scores": [
        (ev.ScoresheetRecorded, {}, "scores | scoresheet_recorded | paper | white | 8.1.1.1"),
        (ev.RecordingExempted, {}, "scores | recording_exempted | white | 8.4"),
        (ev.ScoreDue, {"ply": 9, "seats": (WHITE, BLACK)}, "scores | score_due | ply 9, white, black | 8.5.2"),
        (ev.ScoreLent, {"ply": 9}, "scores | score_lent | ply 9 | white | 8.5.2"),
        (ev.ScoreReturned, {}, "scores | score_returned | white | 8.5.2"),
        (ev.ReconstructionBegun, {"reason": "gaps"}, "scores | reconstruction_begun | gaps, 1:30:28, 1:30:30 | 8.5.3"),
        (ev.ReconstructionEnded, {"evidence": "both end"}, "scores | reconstruction_ended | both end | 8.6"),
        (
            ev.ReconstructionEnded,
            {"completed_plies": 0, "evidence": ""},
            "scores | reconstruction_ended | ply 0 | 8.6",
        ),
    ],
    "incidents": [
        (ev.IncidentNoted, {}, "incidents | incident | displaced, a pawn fell | white | 7.4"),
        (ev.DisturbanceNoted, {"text": "shouts"}, "incidents | expelled | shouts | white | 12.7"),
        (ev.DisturbanceNoted, {"text": "shouts", "expelled": False}, "incidents | disturbed | shouts | white | 12.7"),
        (ev.Decided, {}, "incidents | decided | G2, no irregularity | D.2.4"),
        (ev.IncidentUndone, {}, "incidents | undone | 12.2"),
        (ev.IrregularityRuled, {"ply": 9}, "incidents | irregularity | illegal, 9 | white | 7.5.5"),
        (
            ev.IrregularityRuled,
            {"ply": 9, "confirmed": False},
            "incidents | irregularity_ruled | illegal, no, ply 9 | white | 7.5.5",
        ),
        (
            ev.AppealNoted,
            {"text": "in writing"},
            "incidents | appeal | the ruling in ply 7, in writing | white | 11.10",
        ),
        (ev.ArbiterCalled, {}, "incidents | arbiter_called | illegal move | white | 6.11.2"),
        (ev.StopRuled, {}, "incidents | stop_ruled | no, the player wanted a rest | white | 6.11.4"),
        (ev.StopRuled, {"valid": True, "reason": ""}, "incidents | stop_ruled | yes | white | 6.11.4"),
        (ev.TouchReported, {}, "incidents | touch_reported | g8, touched, ply 2 | black | 4.3"),
        (ev.TouchRuled, {}, "incidents | touch_ruled | no, brushed with the sleeve | 4.2.2"),
        (ev.TouchRuled, {"counts": True, "reason": ""}, "incidents | touch_ruled | yes | 4.2.2"),
        (ev.EvidenceOpened, {}, "incidents | evidence_opened | dispute | 4.3"),
        (ev.AnnouncementOwed, {"ply": 9}, "incidents | announcement_owed | ply 9 | white | D.2.1"),
        (ev.GameMended, {"ply": 9}, "incidents | game_mended | ply 9, g1-f3 | D.2.9"),
        (ev.GameMended, {"ply": 9, "uci": None}, "incidents | game_mended | ply 9, - | D.2.9"),
        (ev.OutOfStep, {"ply": 9}, "incidents | out_of_step | ply 9, move 4 was misheard | D.2.9"),
    ],
    "people": [
        (
            ev.LeaveRuled,
            {"person": "an assistant", "reason": "air"},
            "incidents | leave_ruled | granted, venue, an assistant, air | white | 11.2.4",
        ),
        (
            ev.LeaveRuled,
            {"granted": False, "article": ""},
            "incidents | leave_ruled | not_granted, venue | white | 11.2",
        ),
        (ev.LeavingReported, {}, "incidents | leaving_reported | left | white | 11.2.4"),
        (ev.LeavingReported, {"back": True}, "incidents | leaving_reported | returned | white | 11.2.4"),
        (ev.ObserverReported, {"ply": 9}, "incidents | observer_reported | flag, White at zero, ply 9 | white | 12.4"),
        (ev.LawAsked, {}, "incidents | law_asked | 9.2 | white | 11.9"),
        (ev.LawReleased, {}, "incidents | law_released | 9.2 | white | 11.9"),
        (ev.SheetAsked, {}, "incidents | sheet_asked | 6 | white | A.4.3"),
    ],
    "penalties": [
        (ev.Penalised, {}, "penalties | penalty | more_time_for_opponent, 120000, noise | black | 12.9.2"),
        (
            ev.Penalised,
            {"penalty": "warning", "amount": None},
            "penalties | penalty | warning, , noise | black | 12.9.2",
        ),
        (ev.TimeAdded, {}, "penalties | time_added | +120, first illegal move | white | 7.5.5"),
        (ev.TimeAdded, {"ms": -1_500, "reason": "taken"}, "penalties | time_added | -1.5, taken | white | 7.5.5"),
    ],
    "devices": [
        (ev.DeviceRegistered, {"note": ""}, "devices | device | headset of Anna | white | 11.3.2"),
        (
            ev.DeviceRegistered,
            {"approved": False},
            "devices | device_refused | headset of Anna, seen by the arbiter | white | 11.3.2",
        ),
        (
            ev.DeviceFound,
            {"note": "rang"},
            "devices | device_found | telephone, not_approved, loss, rang | white | 11.3.2.2",
        ),
        (
            ev.DeviceFound,
            {"approved": True, "proposed": "", "note": ""},
            "devices | device_found | telephone, approved | white | 11.3.2.2",
        ),
        (ev.StationAdmitted, {"role": Role.PLAYER, "station": "a1"}, "devices | station_admitted | id a1 | white"),
        (
            ev.StationAdmitted,
            {"role": Role.DISPLAY, "station": "a1", "seat": None},
            "devices | station_admitted | display, id a1",
        ),
        (ev.StationRevoked, {"station": "a1"}, "devices | station_revoked | id a1, a telephone"),
    ],
    "pauses": [
        (ev.ClockPaused, {}, "pauses | medical_pause | –, insulin | white | 12.2.6"),
        (ev.ClockPaused, {"medical": None, "reason": "a bell"}, "pauses | clock_paused | a bell | 6.11.1"),
        (
            ev.ClockPaused,
            {"medical": None, "by": Role.PLAYER, "seat": BLACK, "reason": ""},
            "pauses | clock_paused | black | 6.11.2",
        ),
        (ev.ClockResumed, {}, "pauses | clock_resumed | 6.11.3"),
        (ev.ClockProposed, {}, "pauses | clock_proposed | control 5400+30 | white | 6.3.1"),
        (ev.ClockSetUp, {}, "pauses | clock_set_up | control 5400+30 | white | 6.3.1"),
        (ev.ClockKept, {}, "pauses | clock_kept | white | 6.3.1"),
        (ev.ClockSet, {}, "pauses | clock_set | 1:30:28, 1:30:30, 7.5.5 | 6.10.2"),
        (ev.IncrementSet, {"reason": "agreed"}, "pauses | increment_set | +5 s, agreed | III.4"),
        (
            ev.Interrupted,
            {},
            f"pauses | interrupted | the_program_was_stopped, wall {NOON - 8_200}, 1:30:28, 1:30:30, 0:00:09 | 6.10.1",
        ),
        (ev.TakenOver, {}, "pauses | taken_over | ±9 ms | 6.10.1"),
    ],
}


@pytest.mark.law("L197")
@pytest.mark.parametrize("subject", ROWS)
def test_the_report_says_of_each_event(subject: str) -> None:
    for kind, changed, row in ROWS[subject]:
        ((section, told),) = lines(msgspec.structs.replace(example(kind), **changed)).items()
        assert [row_of(section, line) for line in told] == [row]


def test_a_touch_that_a_board_sensed_by_itself_is_not_reported_and_an_assistant_is_no_device() -> None:
    touch = example(ev.TouchReported)
    assert lines(touch) and not lines(msgspec.structs.replace(touch, origin=Origin.SENSED))  # type: ignore[arg-type]
    assert not lines(msgspec.structs.replace(example(ev.StationAdmitted), role=Role.ASSISTANT))  # type: ignore[arg-type]


def test_what_the_program_found_of_a_mate_is_said_in_its_words() -> None:
    answered = msgspec.structs.replace(example(ev.MateAnswered), said=saying("perhaps_dead"))  # type: ignore[arg-type]
    ((line,),) = lines(answered).values()
    assert line.said == saying("perhaps_dead")


@pytest.mark.parametrize(
    ("resumed_after_ms", "length"), [(None, ""), (61_999, "1:01"), (600_000, "10:00"), (9_000, "0:09")]
)
def test_a_pause_is_as_long_as_until_the_next_resumption(resumed_after_ms: int | None, length: str) -> None:
    pause: AnyEvent = ev.ClockPaused(at=0, by=Role.ARBITER, seat=None, reason="a bell")
    earlier = Dated(ev.ClockResumed(at=0), NOON - 5_000)
    later = [] if resumed_after_ms is None else [Dated(ev.ClockResumed(at=0), NOON + resumed_after_ms)]
    told = chronicle.of_pauses([earlier, Dated(pause, NOON), *later, *later])
    assert [line.values for line in told if line.name == "clock_paused"] == [tuple(filter(None, (length, "a bell")))]
