"""The sheet of a report becomes a tagged PDF, by Typst, without the network.

Typst writes PDF/UA-1: the language, the title, headings, lists and the order of reading are in the file, so that a
screen reader has what a sighted reader sees. It shapes Arabic and sets Hebrew and Arabic from the right by itself.
"""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import resources
from types import ModuleType
from typing import Literal

import msgspec

from server.exports.reports.sheet import ReportSheet
from server.machine.install.adding import command_that_adds
from speech.complaint import Complaint, Phrase

FONTS = ("DejaVu Sans", "Noto Sans", "Segoe UI", "Arial", "Libertinus Serif", "New Computer Modern", "DejaVu Sans Mono")
"""The first that a machine has is taken; the last three come with Typst and have the letters of all six languages."""
VOWEL_SIGNS = dict.fromkeys(range(0x064B, 0x0653))
"""Left out of the file: Arabic is printed without them, and Typst 0.15 would have the letter under each read twice."""


class _Printed(ReportSheet, frozen=True):
    """Sheet with the fonts that may be used."""

    fonts: tuple[str, ...] = FONTS


def to_pdf(sheet: ReportSheet, wall_ms: int, *, own_fonts: bool = False) -> bytes:
    """Return the sheet as PDF; the same sheet gives the same bytes on the same machine.

    A letter that no font of this machine has, in a person's name for example, is shown as a box; such a file is tagged
    too, but it does not call itself PDF/UA. `wall_ms`: when the file says that it was made. `own_fonts`: only the fonts
    that come with Typst. Raises Complaint as `maker`.
    """
    printed = msgspec.json.encode(_Printed(**msgspec.structs.asdict(sheet))).decode().translate(VOWEL_SIGNS)
    source = resources.files(__package__).joinpath("sheet.typ").read_bytes()
    return compile_sheet(source, printed, wall_ms, own_fonts=own_fonts)


def maker() -> ModuleType:
    """Return Typst, which is large and loaded only here. Raises Complaint where it is not installed."""
    try:
        import typst
    except ModuleNotFoundError as wrong:
        raise Complaint(Phrase("export.no_pdf", command=command_that_adds("print"))) from wrong
    return typst


def compile_sheet(source: bytes, values: str, wall_ms: int, *, own_fonts: bool = False) -> bytes:
    """Return what Typst makes of a file of this room and of its values (JSON, as the input `sheet`), tagged.

    Raises Complaint as `maker`.
    """
    typst = maker()

    def made_as(standard: Literal["ua-1"] | None) -> bytes:
        made = typst.compile(
            source,
            sys_inputs={"sheet": values},
            ignore_system_fonts=own_fonts,
            pdf_standards=standard,
            timestamp=datetime.fromtimestamp(wall_ms // 1000, UTC),
        )
        assert isinstance(made, bytes)
        return made

    try:
        return made_as("ua-1")
    except typst.TypstError:
        return made_as(None)
