"""Every kind of event is in the report, or this file says why it is not: a new one cannot be forgotten."""

from __future__ import annotations

import msgspec
import pytest

from server.exports.reports.report import report_words, section_lines
from server.game import acts as ev
from server.game.acts import AnyEvent, Event, events
from server.game.values.words import Role, Seat
from server.game.views import chronicle
from server.game.views.chronicle import ReportLine
from server.game.views.reconciled import Dated
from server.game.views.report import ORDER, Section
from server.wording.pages import page_words
from speech.words.config_file import language_tags
from tests.web.protocol_page import Examples, _values

NOON = 1_767_268_800_000
ALONE = {
    "course": chronicle.of_the_course,
    "claims": chronicle.of_the_claims,
    "scores": chronicle.of_the_scores,
    "incidents": chronicle.of_incidents,
    "penalties": chronicle.of_penalties,
    "devices": chronicle.of_devices,
}
WITH_OTHERS: dict[type[Event], str] = {
    ev.TableOpened: "rules",
    ev.ChecklistTicked: "checklist",
    ev.AdaptationRecorded: "adaptations",
    ev.TwoBoardsDemanded: "people",
    ev.StationAdmitted: "people",  # the example is an assistant; other devices are under "devices"
    ev.DeskOpened: "reconciliations",
    ev.BoardRead: "reconciliations",
    ev.CellTyped: "reconciliations",
    ev.CellHeard: "reconciliations",
    ev.UnreadAccepted: "reconciliations",
    ev.LineSettled: "reconciliations",
    ev.DeskDecided: "reconciliations",
    ev.DeskClosed: "reconciliations",
    ev.BoardConfirmed: "taken_back",
    ev.Restored: "taken_back",
    ev.AlertSettled: "alerts",
    ev.GameEnded: "result",
    ev.ResultApproved: "result",
    ev.NextGameOrdered: "result",
}
"""Events that a section makes lines of together with others: `test_report_in_full.py` shows each."""

MOVES = "The moves, their words, times and sounds are in the PGN, the scores and the record itself."
SETTING = "It is how a player, or the arbiter's own device, chose to hear, read or press; nobody else is concerned."
PRIVATE = "It was said between a player and the program alone; the fair-play logs have it."
LEADS = "It only leads to another event, which is reported."
DUE = "It is the program's own note of what is due."
NOT_REPORTED: dict[type[Event], str] = {
    ev.Announced: MOVES,
    ev.AnnouncementRepeated: MOVES,
    ev.AnnouncementSpoken: MOVES,
    ev.AnnouncementWaited: MOVES,
    ev.BoardMoved: MOVES,
    ev.BoardSet: MOVES,
    ev.CastlingMeant: MOVES,
    ev.ClockPressed: MOVES,
    ev.Completed: MOVES,
    ev.EchoRecalled: MOVES,
    ev.Echoed: MOVES,
    ev.Executed: MOVES,
    ev.Made: MOVES,
    ev.NotUnderstood: MOVES,
    ev.ScoreWritten: MOVES,
    ev.SetAside: MOVES,
    ev.SoundKept: MOVES,
    ev.Adjusting: "A player said that they adjust; a dispute about it is reported as a touch.",
    ev.Contested: "The arbiter is alerted of it, and the alert is reported.",
    ev.SoundLost: "The arbiter is alerted of it, and the alert is reported.",
    ev.LowTime: "The arbiter alone is told (12.3), and nothing follows from it.",
    ev.PeriodBegun: "The time control, which is reported, says when a period begins.",
    ev.ClockRead: "Every reading of another clock is kept; the times that the arbiter set are reported.",
    ev.BeliefRevised: "It is what the program thinks was heard; what the arbiter decided is reported.",
    ev.PairingTold: "The pairing is in the report, and what was changed of it.",
    ev.AlertsChosen: SETTING,
    ev.CuesAsked: SETTING,
    ev.DevicesChosen: SETTING,
    ev.DisplayDelayed: SETTING,
    ev.EarChosen: SETTING,
    ev.HeadsetChecked: SETTING,
    ev.PressKeysAsked: SETTING,
    ev.PressKeysTold: SETTING,
    ev.ShownToSpectators: "It settles whether others see the game, and how late; the players are not concerned.",
    ev.TalkingChosen: SETTING,
    ev.VoiceBound: SETTING,
    ev.Answered: PRIVATE,
    ev.CommandRefused: PRIVATE,
    ev.SaidToArbiter: PRIVATE,
    ev.SpeechCut: PRIVATE,
    ev.SpokenPrivately: PRIVATE,
    ev.TimeCued: PRIVATE,
    ev.Explored: "It happens at a table for training only, where nothing is signed.",
    ev.TrainingAsked: "It happens at a table for training only, where nothing is signed.",
    ev.BoardSaidSet: LEADS,
    ev.BoardsToSet: LEADS,
    ev.ClaimKindAsked: LEADS,
    ev.ClockChoiceAsked: LEADS,
    ev.ClockChoiceEnded: LEADS,
    ev.MateAsked: LEADS,
    ev.MoveSealed: LEADS,
    ev.NextGameOpened: LEADS,
    ev.Proposed: LEADS,
    ev.ProposalSettled: LEADS,
    ev.ReconstructionMoved: LEADS,
    ev.ReconstructionUndone: LEADS,
    ev.SquareAsked: LEADS,
    ev.StartScheduled: LEADS,
    ev.IncidentOpened: LEADS,
    ev.IncidentBegun: LEADS,
    ev.IncidentSettled: LEADS,
    ev.InstantsVoided: DUE,
    ev.HandedOver: "The server that takes the table over notes it too, and that is reported.",
}


def lines(event: AnyEvent) -> dict[str, tuple[ReportLine, ...]]:
    """What the report says of one event by itself, by section."""
    record = [Dated(event, NOON, "arbiter")]
    found = {name: chronicle.lines_of_subject(tell, record) for name, tell in ALONE.items()}
    found |= {"pauses": chronicle.of_pauses(record), "alerts": chronicle.of_alerts(record)}
    return {name: told for name, told in found.items() if told}


def example(kind: type[Event]) -> AnyEvent:
    return msgspec.convert(EXAMPLES.one(kind), AnyEvent)


EXAMPLES = Examples(_values())


@pytest.mark.law("L001", "L003", "L134", "L197")
@pytest.mark.parametrize("kind", events(), ids=lambda kind: kind.__name__)
def test_it_is_reported_or_named_here(kind: type[Event]) -> None:
    told = lines(example(kind))
    assert len(told) + (kind in WITH_OTHERS) + (kind in NOT_REPORTED) == 1, (
        "it stands in exactly one section of the report, or in exactly one of the two lists of this file"
    )
    assert WITH_OTHERS.get(kind, "rules") in ORDER
    for section, entries in told.items():
        assert section in ORDER and [one.wall_ms for one in entries] == [NOON]
        if section != "alerts":
            assert {one.by for one in entries} == {"program" if kind in chronicle.BY_ITSELF else "arbiter"}
        for tag in language_tags():
            (line,) = section_lines(Section(section, entries), tag)
            assert "2026-01-01 12:00:00" in line and "{" not in line, line
            name = entries[0].name
            assert f"entry.{name}" in report_words(tag) or f"event.{name}" in page_words(tag), name


def test_nothing_is_named_here_that_is_no_event() -> None:
    assert {*WITH_OTHERS, *NOT_REPORTED} <= set(events()) and all(NOT_REPORTED.values())


@pytest.mark.parametrize(
    ("event", "english", "german"),
    [
        (
            ev.DrawAnswered(at=0, seat=Seat.BLACK, accepted=False, by_move=True),
            "12:00:00: Black: draw offer answered: declined, by a move (9.1.2.1) – Arbiter",
            "Schwarz: Remisangebot beantwortet: abgelehnt, durch einen Zug (9.1.2.1) – Schiedsrichter",
        ),
        (
            ev.ClaimRuled(at=0, seat=Seat.WHITE, kind="repetition", ruling="wrong", article="9.5.3"),
            "White: ruling on the claim: incorrect, The same position for the third time (9.2) (9.5.3) – Arbiter",
            "Weiß: über die Reklamation entschieden: falsch, Dreimal dieselbe Stellung (9.2) (9.5.3) – Schiedsrichter",
        ),
        (
            ev.ClockPaused(at=0, by=Role.PLAYER, seat=Seat.WHITE, reason="a lamp"),
            "12:00:00: White: clocks stopped: a lamp (6.11.2) – Arbiter",
            "Weiß: Uhren angehalten: a lamp (6.11.2) – Schiedsrichter",
        ),
        (
            ev.IncrementSet(at=0, increment_ms=5_000),
            "12:00:00: increment set: +5 s (III.4) – Arbiter",
            ": +5 s (III.4) – Schiedsrichter",
        ),
        (
            ev.Interrupted(
                at=0, white_ms=61_900, black_ms=5_400_000, turn=Seat.WHITE, uncertain_ms=8_200,
                reason="the_program_was_stopped",
            ),
            "the program was stopped; last known to be running 2026-01-01 11:59:51; clocks: White 0:01:01, "
            "Black 1:30:00; up to 0:00:09 cannot be accounted for (6.10.1) – program",
            "zuletzt nachweislich in Betrieb: 2026-01-01 11:59:51; Uhren: Weiß 0:01:01, Schwarz 1:30:00; ungeklärt",
        ),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_a_line_says_when_whose_what_under_which_article_and_who_decided(
    event: AnyEvent, english: str, german: str
) -> None:
    ((section, entries),) = lines(event).items()
    assert english in section_lines(Section(section, entries), "en")[0]
    assert german in section_lines(Section(section, entries), "de")[0]


def test_an_alert_says_how_the_arbiter_settled_it_last() -> None:
    alert = ev.Alerted(at=0, kind="called", ply=0, grey=False, detail="a lamp")
    settled = [ev.AlertSettled(at=0, numbers=(2,), how="put_off"), ev.AlertSettled(at=0, numbers=(2,), how="filed")]
    first, second = chronicle.of_alerts([Dated(one, NOON) for one in (alert, alert, *settled)])
    assert (first.settled, second.settled) == ("", "filed")
    assert section_lines(Section("alerts", (second,)), "en")[0].endswith(": a lamp – filed for the report")
