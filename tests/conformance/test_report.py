"""The report of a game from its record alone (L001, L003, L134, L175)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from server.exports.reports.report import report_words, section_lines
from server.exports.reports.sheet import Identity, report_in_text, sheet_of
from server.game import acts as cmd
from server.game.acts import AnyEvent
from server.game.laws.event_options import EventOptions
from server.game.state.state import GameState
from server.game.values.saying import saying
from server.game.values.words import Duty, Seat
from server.game.views.report import SECTIONS, Dated, ReportLine, Section, report_of
from speech.words.config_file import language_tags
from tests.game.core_table import CoreTable

NOON = 1_767_268_800_000  # 2026-01-01 12:00 UTC


def reported(table: CoreTable) -> dict[str, tuple[ReportLine, ...]]:
    record: list[Dated] = [Dated(event, NOON + event.at) for event in _events(table)]
    return {section.name: section.entries for section in report_of(record)}


def in_words(sections: Sequence[Section], language: str, state: GameState | None = None) -> str:
    """The whole report as text, of a record that says nothing of itself."""
    return report_in_text(sheet_of(sections, state or GameState(), Identity("t1", 1, NOON, "ab"), language))


def _events(table: CoreTable) -> list[AnyEvent]:
    return table.events


@pytest.mark.law("L001", "L003", "L134")
def test_l001_l003_the_edition_and_what_the_event_settles_otherwise() -> None:
    table = CoreTable(rule_set="fide2018", regulations=EventOptions(overrides=(("illegal_loses_at", 3),)))
    rules = {entry.name: entry.values for entry in reported(table)["rules"]}
    assert "2018" in rules["edition"][0] and "rated" in rules and "not_rated" not in rules
    assert rules["overridden"] == ("illegal_loses_at", "3")


@pytest.mark.law("L003", "L175")
def test_l003_every_adaptation_that_deviates_is_listed_with_approval_and_time() -> None:
    table = CoreTable()
    table.wait(60_000)
    table.adapt("machine_announces")
    table.adapt("position_readout", approved=False)
    table.adapt("file_names", "file")
    listed = {entry.values[0]: entry for entry in reported(table)["adaptations"]}
    assert listed["machine_announces"].name == "adapted"
    assert listed["machine_announces"].wall_ms == NOON + table.now and listed["machine_announces"].article == "D.2.10.2"
    assert listed["position_readout"].name == "not_approved"
    assert listed["announcement_on_movers_time"].values == ("announcement_on_movers_time", "on", "machine_announces")
    assert listed["sighted_press_without_announcement"].values[1] == "ignore", "an answer is on record, whatever it is"
    assert "file_names" not in listed, "what is as it would be anyway is no adaptation"
    table.adapt("machine_announces", "off")
    again = [entry.values for entry in reported(table)["adaptations"] if entry.values[0] == "machine_announces"]
    assert again == [("machine_announces", "on")], "for a time it was adapted: the report keeps it"


@pytest.mark.law("L003", "L042")
def test_people_devices_incidents_penalties_and_the_result_are_listed() -> None:
    table = CoreTable(started=False)
    table.assistant(Seat.WHITE, Duty.EXECUTE)
    table.done("arbiter", cmd.RegisterDevice(device="headset", approved=True, seat=Seat.WHITE))
    table.done("arbiter", cmd.TickChecklist(item="orientation", seat=Seat.WHITE))
    table.done("arbiter", cmd.StartGame())
    table.done("arbiter", cmd.NoteIncident(kind="noise", text="a telephone"))
    table.done("arbiter", cmd.Penalise(seat=Seat.BLACK, penalty="warning"))
    table.done("black", cmd.CallArbiter(reason="noise"))
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="ruled", article="11.7"))
    report = reported(table)
    assert [entry.name for entry in report["people"]] == ["player", "player", "assistant"]
    assert report["devices"][-1].values == ("headset",)
    assert ("orientation", Seat.WHITE) not in {(entry.values[0], entry.seat) for entry in report["checklist"]}
    assert ("orientation", Seat.BLACK) in {(entry.values[0], entry.seat) for entry in report["checklist"]}
    assert report["incidents"][0].values == ("noise", "a telephone")
    assert report["penalties"][0].values[0] == "warning"
    assert report["alerts"][0].values[0] == "called"
    assert report["result"][0].values == ("1-0", "ruled")


@pytest.mark.parametrize("language", language_tags())
def test_every_section_and_entry_has_words(language: str) -> None:
    words = report_words(language)
    assert {f"section.{name}" for name in SECTIONS} <= set(words)
    names = [key.removeprefix("entry.") for key in words if key.startswith("entry.")]
    entries = tuple(ReportLine(name, ("a", "b", "c"), Seat.WHITE, "D.1", NOON) for name in names)
    text = in_words((Section("rules", entries), Section("devices", ())), language)
    assert "2026-01-01 12:00:00" in text and "{" not in text
    assert len(names) > 30 and f"- {words['word.nothing']}" in text


def test_the_german_report_of_a_table_reads_as_sentences() -> None:
    table = CoreTable()
    table.adapt("position_readout")
    record = [Dated(event, NOON + event.at) for event in table.events]
    text = in_words(report_of(record), "de", table.state)
    assert "Bericht über Tisch t1" in text and "vorgelesen – ein, genehmigt (D.2.10)" in text
    assert "position_readout" not in text


def test_an_alert_is_told_in_the_language_of_the_report_and_that_of_an_old_record_as_it_was_written() -> None:
    said = ReportLine("alert", ("called", "3"), said=saying("calls", who=Seat.WHITE))
    old = ReportLine("alert", ("called", "3", "White calls the arbiter (6.11.2)"))
    (new, before) = section_lines(Section("alerts", (said, old)), "en")
    assert new == before and new.endswith(", move 2 (White): White calls the arbiter (6.11.2)")
    (new, before) = section_lines(Section("alerts", (said, old)), "de")
    assert new.endswith("Weiß ruft den Schiedsrichter (6.11.2)") and before.endswith("White calls the arbiter (6.11.2)")


@pytest.mark.parametrize(
    ("entry", "english", "german"),
    [
        (("result", ("*", "adjourned early")), "*, adjourned early", "*, vorzeitig vertagt"),
        (("time_added", ("5", "resumption (I.9)")), "game resumed (I.9)", "Partie wieder aufgenommen (I.9)"),
        (
            ("interrupted", ("the program was stopped", f"wall {NOON}", "0:10:00", "0:09:00", "0:00:09")),
            "stopped; last known to be running 2026-01-01 12:00:00; clocks: White 0:10:00, Black 0:09:00; up to",
            "angehalten; zuletzt nachweislich in Betrieb: 2026-01-01 12:00:00; Uhren: Weiß 0:10:00, Schwarz 0:09:00;",
        ),
        (("medical_pause", ("", "medical")), "pause: needs medical attention", "Pause: braucht medizinische Hilfe"),
        (("interrupted", ("Fire drill!", f"wall {NOON}")), ": Fire drill!;", ": Fire drill!;"),
    ],
)
def test_a_reason_is_told_in_words_as_the_page_tells_it(
    entry: tuple[str, tuple[str, ...]], english: str, german: str
) -> None:
    """The program gave it as a code or, in old records, as a short sentence; what a person wrote stays."""
    section = Section("incidents", (ReportLine(*entry),))
    assert english in section_lines(section, "en")[0] and german in section_lines(section, "de")[0]
