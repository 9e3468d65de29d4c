"""The report as a sheet to sign: text, page and tagged PDF, in six languages, and which record it was made from."""

from __future__ import annotations

import asyncio
import hashlib
import io
import re
import unicodedata
from datetime import datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from server.exports.exports import events_dated, report_from, sheet_from
from server.exports.reports.pdf import VOWEL_SIGNS, to_pdf
from server.exports.reports.sheet import identity_of
from server.game import acts as cmd
from server.game.values.words import Seat
from server.journal.entry import Entry
from speech.words.config_file import language_tags
from tests.table.open_hall import played

VIENNA = timezone(timedelta(hours=1))


class SummerTimeEnds(tzinfo):
    """Vienna in the night to 29 October 2023."""

    def utcoffset(self, at: datetime | None) -> timedelta:
        assert at is not None
        return timedelta(hours=2 if at.replace(tzinfo=None) < datetime(2023, 10, 29, 3) else 1)

    def dst(self, at: datetime | None) -> timedelta:
        return self.utcoffset(at) - timedelta(hours=1)

    def tzname(self, at: datetime | None) -> str:
        return "Vienna"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    """The record of a game with a pause, a refused offer, a wrong claim, a penalty and a resignation."""

    async def made(folder: Path) -> list[Entry]:
        async with played(folder) as game:
            await game.done("arbiter", cmd.RecordAdaptation(name="position_readout", value="on"))
            await game.done("arbiter", cmd.RegisterDevice(device="headset", approved=True, seat=Seat.WHITE))
            await game.done("black", cmd.CallArbiter(reason="棋 <b>#strong[1]</b>"))
            await game.done("arbiter", cmd.Resume())
            await game.done("white", cmd.OfferDraw())
            await game.done("black", cmd.AnswerDraw(accept=False))
            await game.done("white", cmd.ClaimDraw(kind="repetition"))
            await game.done("arbiter", cmd.RuleClaim(ruling="wrong"))
            await game.done("arbiter", cmd.Penalise(seat=Seat.WHITE, penalty="warning", reason="2"))
            await game.done("black", cmd.Resign())
            await game.done("arbiter", cmd.RuleResult(result="1-0", reason="resigned", article="5.1.2"))
            return await game.hall.journal.read("t1")

    return asyncio.run(made(tmp_path_factory.mktemp("record")))


def test_the_text_says_who_decided_who_signs_and_which_record_it_is(record: list[Entry]) -> None:
    text = report_from(record, "t1", "en", zone=VIENNA).decode()
    assert "2023-11-14 23:13:20: White: Penalty: warning, 2 (12.9.1) – Arbiter" in text
    assert "23:13:20: Black: clocks stopped: 0:00, 棋 <b>#strong[1]</b> (6.11.2)\n" in text, (
        "the player did it, not the arbiter"
    )
    assert "Times of day: UTC+01:00." in text
    for who in ("Arbiter", "White", "Black", "Remarks"):
        assert f"\n{who}: ______" in text
    digest = hashlib.sha256(b"".join(one.body + b"\n" for one in record)).hexdigest()
    assert (
        f"Table t1. Events: {len(record)}, the last one on 2023-11-14 23:13:20. SHA-256 of all events: {digest}" in text
    )
    changed = [*record[:-1], replace(record[-1], body=b"{}")]
    assert identity_of("t1", changed).sha256 != digest, "a changed event changes the digest"


def test_both_differences_from_utc_are_told_where_summer_time_ended_in_between(record: list[Entry]) -> None:
    """Adjourned on the Saturday, resumed on the Sunday: with one alone, Saturday's times would be an hour off."""
    saturday, sunday = 1_698_508_800_000, 1_698_597_000_000  # 2023-10-28 16:00 UTC, 2023-10-29 16:30 UTC
    half = len(record) // 2
    moved = [replace(one, wall_ms=saturday if at < half else sunday) for at, one in enumerate(record)]
    text = report_from(moved, "t1", "en", zone=SummerTimeEnds()).decode()
    assert "2023-10-28 18:00:00" in text and "2023-10-29 17:30:00" in text
    assert "Times of day: UTC+02:00, UTC+01:00." in text


def test_it_is_known_with_whose_command_each_event_came(record: list[Entry]) -> None:
    by = {type(one.event).__name__: one.by for one in events_dated(record, "t1")}
    assert by["ClockResumed"] == "arbiter" and by["DrawClaimed"] == "white" and by["Resigned"] == "black"
    assert by["TableOpened"] == "program"


def test_what_people_wrote_is_text_on_the_page_and_no_markup(record: list[Entry]) -> None:
    page = report_from(record, "t1", "de", "html", ways={"pdf": "report-pdf?page=a&language=de"}).decode()
    assert "棋 &lt;b&gt;#strong[1]" in page and "<b>" not in page
    assert '<html lang="de" dir="ltr">' in page and 'href="report-pdf?page=a&amp;language=de"' in page
    assert page.count("<h1>") == 1 and page.count("<h2>") == len(sheet_from(record, "t1", "de").parts) + 2


@pytest.mark.parametrize("language", language_tags())
@pytest.mark.parametrize("own_fonts", [False, True], ids=["system", "own"])
def test_the_pdf_is_tagged_and_has_every_section_in_its_language(
    record: list[Entry], language: str, own_fonts: bool
) -> None:
    sheet = sheet_from(without_chinese(record), "t1", language)
    pdf = PdfReader(io.BytesIO(to_pdf(sheet, 1_700_000_000_000, own_fonts=own_fonts)))
    root: Any = pdf.trailer["/Root"]
    assert root["/Lang"] == language and root["/MarkInfo"]["/Marked"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"] and pdf.metadata is not None
    assert pdf.metadata.title == sheet.title.translate(VOWEL_SIGNS)
    assert b"pdfuaid:part" in root["/Metadata"].get_object().get_data(), "it says that it is PDF/UA"
    tags = tags_of(root["/StructTreeRoot"])
    assert tags.count("H1") == 1 and tags.count("H2") == len(sheet.parts) + 2
    assert tags.count("LI") == sum(len(part.lines) for part in (*sheet.parts, sheet.record))
    headings = [part.heading for part in sheet.parts]
    outline: Any = pdf.outline
    named = [*headings, sheet.signatures, sheet.record.heading]
    assert [one["/Title"] for one in outline[1]] == [one.translate(VOWEL_SIGNS) for one in named]
    text = letters("".join(page.extract_text() for page in pdf.pages))
    for heading in headings:
        for word in re.findall(r"[^\W\d_]{3,}", letters(heading)):  # some readers of PDF give Hebrew backwards
            assert word in text or word[::-1] in text, word
    fonts = {str(font["/BaseFont"]) for page in pdf.pages for font in fonts_of(page)}
    assert fonts and (not own_fonts or not any(one.endswith("+DejaVuSans") for one in fonts))


def without_chinese(record: list[Entry]) -> list[Entry]:
    """The same record with no letter that the fonts lack."""
    return [replace(one, body=one.body.replace("棋".encode(), b"?")) for one in record]


def fonts_of(page: Any) -> list[Any]:
    return [font.get_object() for font in page["/Resources"]["/Font"].values()]


def tags_of(node: Any) -> list[str]:
    """The tags of a structure tree in the order of reading."""
    if isinstance(node, int):
        return []
    node = node.get_object()
    if isinstance(node, list):
        return [tag for one in node for tag in tags_of(one)]
    if not hasattr(node, "get") or node.get("/Type") in ("/MCR", "/OBJR"):
        return []
    own = [str(node["/S"]).removeprefix("/")] if "/S" in node else []
    return own + (tags_of(node["/K"]) if "/K" in node else [])


def letters(text: str) -> str:
    """Text without marks of direction and vowel signs, in the letters' ordinary forms."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if unicodedata.category(one) not in ("Mn", "Cf"))
    return re.sub(r"\s+", " ", plain)


def test_a_letter_that_no_font_has_costs_the_claim_of_the_standard_and_not_the_report(record: list[Entry]) -> None:
    made = to_pdf(sheet_from(record, "t1", "en"), 1_700_000_000_000, own_fonts=True)
    root: Any = PdfReader(io.BytesIO(made)).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"] and "H1" in tags_of(root["/StructTreeRoot"])
    assert b"pdfuaid" not in root["/Metadata"].get_object().get_data()


def test_the_same_record_gives_the_same_file(record: list[Entry]) -> None:
    assert report_from(record, "t1", "he", "pdf") == report_from(record, "t1", "he", "pdf")
