"""The protocol of a reconciliation, and what the report says of it and of positions taken back: from the record."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from braille import brf
from server.cli import group
from server.desk.answer import view_of_desk
from server.exports.reports.reconciliation_protocol import as_page, protocols_in_cells, protocols_in_text, to_emboss
from server.game import acts as cmd
from server.game.values.words import Seat
from server.game.views.reconciled import Dated
from server.game.views.report import Protocol, protocols_of, report_of
from speech.complaint import Complaint
from speech.words.config_file import language_tags
from tests.conformance.test_report import in_words
from tests.desk.test_desk_answer import E4_E5, E4_E6, show, table_at_the_desk, type_lines
from tests.game.core_table import CoreTable
from tests.table.open_hall import played

NOON = 1_767_268_800_000  # 2026-01-01 12:00 UTC


def record_of(table: CoreTable) -> list[Dated]:
    return [Dated(event, NOON + event.at) for event in table.events]


def protocols(table: CoreTable) -> tuple[Protocol, ...]:
    return protocols_of(record_of(table), view_of_desk)


def adjusted() -> CoreTable:
    """1.e4 e5; White's board shows e6: the scores agree, White sets that board, both boards are confirmed."""
    table = table_at_the_desk()
    show(table, E4_E6, E4_E5)
    type_lines(table, "e4", "e5")
    table.done(
        "arbiter", cmd.DecideDesk(kind="adjust", verdict="same_record", ply=2, placement=E4_E5, reason="as both wrote")
    )
    for seat in Seat:
        table.done("arbiter", cmd.ConfirmBoard(board=seat))
    return table


@pytest.mark.law("L197")
def test_a_protocol_says_what_was_put_down_shown_written_found_decided_and_set() -> None:
    table = adjusted()
    text = protocols_in_text("t1", protocols(table), "en")
    for line in (
        "Begun after move 1 (Black); clocks: White 1:30:55, Black 1:30:55 (D.2.9)",
        "e5: White's board empty, Black's board Black pawn",
        "e6: White's board Black pawn, Black's board empty",
        "White's score, move 1 (Black): e5 (read and typed by the arbiter)",
        "Black's score, move 1 (Black): e5 (read and typed by the arbiter)",
        "The scores agree",
        "Agreement after move 1 (Black)",
        "Move 1 (Black), White's board: placed on another square; e5 / e6",
        "The board that differs is corrected",
        "Reason: as both wrote",
        "Clocks left as they were: White 1:30:55, Black 1:30:55",
        "White's board: e5 Black pawn",
        "White's board: e6 empty",
        "Black's board: nothing to change",
        "White's board confirmed square by square",
        "Ended: both boards confirmed",
    ):
        assert line in text, (line, text)
    signed = [line for line in text.splitlines() if line.endswith("_" * 32)]
    assert [line.split(":")[0] for line in signed] == ["White", "Black", "Arbiter"]


@pytest.mark.law("L197")
def test_a_protocol_names_what_was_read_in_no_score_and_need_not_be() -> None:
    table = table_at_the_desk()
    show(table, E4_E6, E4_E5)
    for seat in Seat:
        table.done("arbiter", cmd.TypeCell(seat=seat, ply=2, text="e5"))
    table.done("arbiter", cmd.AcceptUnread(plies=(1,)))
    table.done("arbiter", cmd.DecideDesk(kind="adjust", verdict="same_record", ply=2, placement=E4_E5))
    text = protocols_in_text("t1", protocols(table), "en")
    assert "Not read in the scores, as the arbiter accepted: moves 1 (White)\n" in text


@pytest.mark.law("L197")
def test_the_report_names_the_reconciliation_and_the_position_taken_back() -> None:
    table = table_at_the_desk()
    show(table, E4_E5, E4_E6)
    type_lines(table, "e4", "e5", black=("e4", "e6"))
    table.done("arbiter", cmd.DecideDesk(kind="back", verdict="differ", ply=1, times="stored"))
    then = table.ply(1)
    sections = report_of(record_of(table), view_of_desk)
    text = in_words(sections, "en")
    assert "Both boards go back to the position after move 1 (White). (D.2.9)" in text
    assert "Moves taken back: e5" in text
    assert "Move 1 (Black), White's and Black's scores: written differently; e5 / e6" in text
    assert (then.white_ms, then.black_ms) == (5_455_000, 5_430_000), "30 s at the start, 30 s with the move, 5 s used"
    back = next(section for section in sections if section.name == "taken_back").entries
    assert [(one.values, one.article) for one in back] == [(("1", "e5", "1:30:55", "1:30:30", "D.2.9"), "D.2.9")]


@pytest.mark.law("L080")
def test_a_position_restored_without_the_desk_is_in_the_report() -> None:
    table = table_at_the_desk()
    table.done("arbiter", cmd.CloseDesk())
    table.done("arbiter", cmd.RestoreTo(ply=1, times="leave", reason="an illegal move"))
    sections = {section.name: section.entries for section in report_of(record_of(table))}
    (entry,) = sections["taken_back"]
    assert entry.article == "7.1" and entry.values[:2] == ("1", "e5") and entry.values[4] == "an illegal move"
    text = in_words(report_of(record_of(table)), "de")
    assert "Zurück auf die Stellung nach Zug 1 (Weiß): an illegal move; zurückgenommene Züge: e5" in text


def test_an_open_desk_and_one_that_was_closed_without_a_decision_have_a_protocol() -> None:
    table = table_at_the_desk()
    type_lines(table, "e4", "e5")
    assert "Ended:" not in protocols_in_text("t1", protocols(table), "en")
    table.done("arbiter", cmd.CloseDesk())
    table.done("arbiter", cmd.OpenDesk(reason="once more"))
    first, second = protocols(table)
    assert [first.number, second.number] == [1, 2]
    text = protocols_in_text("t1", (first,), "en")
    assert "Black's score, move 1 (Black): e5 (read and typed by the arbiter)" in text and "Ended: closed" in text
    assert "Reason: once more" in protocols_in_text("t1", (second,), "en")


def test_the_record_alone_is_enough_where_nobody_explains() -> None:
    (one,) = protocols_of(record_of(adjusted()))
    found = {section.name: section.entries for section in one.sections}
    assert [entry.values for entry in found["desk_scores"]][-1] == ("black", "2", "e5", "typed")
    assert [entry.name for entry in found["desk_found"]] == ["found", "agreed"]


@pytest.mark.parametrize("language", language_tags())
def test_in_six_languages_as_a_page_as_text_in_cells_and_to_emboss(language: str) -> None:
    made = protocols(adjusted())
    page = as_page("t1", made, language)
    assert f'<html lang="{language}"' in page and page.count("<section>") == 1
    text = protocols_in_text("t1", made, language)
    english = protocols_in_text("t1", made, "en")
    assert len(text.splitlines()) == len(english.splitlines())
    if language != "en":
        assert "half-move" not in text and "board" not in text
    cells = protocols_in_cells("t1", made, language)
    assert all(len(line) <= brf.WIDTH for line in cells.splitlines())
    pages = to_emboss("t1", made, language).split("\f")
    assert len(pages) > 1 and all(len(line) <= brf.WIDTH for each in pages for line in each.splitlines())


def test_a_table_without_a_reconciliation_says_so() -> None:
    table = CoreTable()
    assert protocols(table) == ()
    assert "No boards have been reconciled" in protocols_in_text("t1", (), "en")
    assert "No boards have been reconciled" in as_page("t1", (), "en")


@pytest.mark.law("L197")
async def test_the_protocol_is_had_from_the_record_by_the_command_line(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.OpenDesk(reason="boards differ"))
        await game.done("arbiter", cmd.CloseDesk())

    async def run(*command: str) -> Result:
        return await asyncio.to_thread(CliRunner().invoke, group, [*command, "--data", str(tmp_path)])

    async def export(*more: str) -> Result:
        return await run("export", "t1", "--what", "protocol", *more)

    assert "Reason: boards differ" in (await export()).output
    assert "Reason: boards differ" not in (await export("--language", "de")).output
    assert set((await export("--format", "braille")).output) & set("\u2803\u2815"), "in Unicode braille"
    assert max(len(line) for line in (await export("--format", "brf")).output.splitlines()) <= brf.WIDTH
    written_to = tmp_path / "protocol.txt"
    assert (await export("--out", str(written_to))).output == ""
    assert "Reason: boards differ" in written_to.read_text("utf-8")
    refused = (await export("--format", "json")).exception
    assert isinstance(refused, Complaint) and "report" in str(refused)
