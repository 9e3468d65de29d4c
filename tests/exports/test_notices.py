"""The boards of a round for other programs, as each of them reads them."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import group
from server.exports.reports.notices import LONGEST_LINE, Board, in_form
from server.hall.foreign_files.trf_results import games_in
from speech.words.config_file import language_tags
from tests.hall.test_round_files import opened
from tests.table.open_hall import reopened

DAY = date(2026, 12, 5)
NAMES = (
    "Müller-Lüdenscheidt, Änne; von",
    'Ő "Zsófi" \\ Kovács, née Þórðardóttir',
    "=HYPERLINK(1)",
    "כהן, נעמי",
    "Петрова",
)


def board(number: int, name: str, **given: str) -> Board:
    facts = {"event": "Open, 5", "round": "3", "table": f"r3-b{number}", "result": "*", "starts": "15:00", "way": ""}
    return Board(board=number, white=name, black="Busch, Bruno", **{**facts, **given})


BOARDS = [board(number, name, way="Room 2;\nup, then left") for number, name in enumerate(NAMES, 1)]


def entries(calendar: bytes) -> list[dict[str, str]]:
    """The entries of a calendar file, read as RFC 5545 says."""
    lines = calendar.decode().replace("\r\n ", "").split("\r\n")
    found: list[dict[str, str]] = []
    for line in lines:
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found and ":" in line:
            name, _, value = line.partition(":")
            found[-1][name] = re.sub(r"\\(.)", lambda one: "\n" if one[1] == "n" else one[1], value)
    return found


@pytest.mark.parametrize("language", language_tags())
def test_a_calendar_has_an_entry_for_each_board_escaped_and_folded(language: str) -> None:
    made = in_form(BOARDS, "ics", language, DAY, 0)
    assert made.startswith(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") and made.endswith(b"END:VCALENDAR\r\n")
    assert max(map(len, made.split(b"\r\n"))) <= LONGEST_LINE and b"\n" not in made.replace(b"\r\n", b"")
    found = entries(made)
    for one, name in zip(found, NAMES, strict=True):
        assert name in one["SUMMARY"] and one["DTSTART"] == "20261205T150000" and one["DTSTAMP"] == "19700101T000000Z"
        assert one["LOCATION"] == "Room 2;\nup, then left" and one["DESCRIPTION"] == "Open, 5"
    assert len({one["UID"] for one in found}) == len(NAMES)
    assert entries(in_form(BOARDS, "ics", language, DAY, 5_000))[0]["UID"] == found[0]["UID"], "told again, it replaces"


def test_without_a_time_the_entry_is_of_the_whole_day() -> None:
    (one,) = entries(in_form([board(1, "A", starts="")], "ics", "en", DAY, 0))
    assert one["DTSTART;VALUE=DATE"] == "20261205"


def test_a_table_is_read_back_and_computes_nothing() -> None:
    made = in_form([*BOARDS, board(9, "A", result="+/-")], "csv", "en", DAY, 0)
    rows = list(csv.DictReader(io.StringIO(made.decode("utf-8-sig"), newline="")))
    assert [row["white"].removeprefix("'") for row in rows] == [*NAMES, "A"]
    assert rows[2]["white"][0] == "'" and rows[-1]["result"] == "+/-"


@pytest.mark.parametrize(
    ("language", "first"),
    [
        ("en", "Board 1. A – Busch, Bruno. Play begins at 15:00."),
        ("de", "Brett 1. A – Busch, Bruno. Beginn: 15:00 Uhr."),
    ],
)
def test_a_text_has_a_line_for_each_board(language: str, first: str) -> None:
    assert in_form([board(1, "A"), board(2, "B")], "txt", language, DAY, 0).decode().splitlines()[1] == first


def test_a_trf_is_a_table_of_its_games_and_byes() -> None:
    trf = Path(__file__).parents[1] / "hall" / "trf" / "fide16.trf"
    rows = games_in(trf.read_text("utf-8"))
    assert rows[1] == ("1", "1", "Adler, Anna", "Engel, Eva Maria von der Heyden", "1", "0")
    assert ("1", "4", "Haas, Hugo", "Dorn, David", "-", "+") in rows
    assert [row[2:5] for row in rows if row[0] == "2" and not row[1]][:2] == [
        ("Engel, Eva Maria von der Heyden", "", "U"),
        ("Fuchs, Finn", "", "Z"),
    ]
    assert rows[-1] == ("4", "", "Haas, Hugo", "", "Z", "")


async def test_the_command_writes_each_form_of_a_round_on_record(tmp_path: Path) -> None:
    async with reopened(tmp_path / "data") as (hall, _):
        await opened(hall, 1)
    asked = ["notices", "5", "--data", str(tmp_path / "data"), "--day", "2026-12-05", "--out"]
    for form in ("csv", "ics", "txt"):
        out = tmp_path / f"round.{form}"
        run = await asyncio.to_thread(CliRunner().invoke, group, [*asked, str(out)], catch_exceptions=False)
        assert run.output == f"Boards: 1. The file is {out}.\n" and "White 1" in out.read_text("utf-8")
    for wrong, why in ((["notices", "9", *asked[2:], str(out)], "no table"), ([*asked, "x.doc"], "neither a table")):
        run = await asyncio.to_thread(CliRunner().invoke, group, wrong)
        assert why in str(run.exception)
    asked[5] = "yesterday"
    run = await asyncio.to_thread(CliRunner().invoke, group, [*asked, str(out)])
    assert '"yesterday" is no day' in str(run.exception)
