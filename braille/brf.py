"""Braille-ready files (BRF), the text files that embossers take, written and read.

They hold the 64 characters of six-dot braille ASCII, in pages of 40 cells by 25 lines that end with a form feed.
The table is the North American ASCII braille code; a character's place in it is its dots as a binary number
(dot 1 counts 1, dot 6 counts 32).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from braille.profile import BLANK
from speech.complaint import Complaint, Phrase

ASCII = " A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)="
WIDTH = 40
HEIGHT = 25
FORM_FEED = "\f"

_LINE_END = re.compile("\r\n|\r|\n")
_BY_CHARACTER = {character: number for number, character in enumerate(ASCII)}
# Some programs write the table in its lower case: the same characters with 32 added to their code from @ to _.
_LOWER = {chr(ord(character) + 32): character for character in ASCII if "@" <= character <= "_"}


def to_brf(cells: str) -> str:
    """Return the cells as braille ASCII.

    Raises Complaint for an eight-dot cell and for a character that is no cell.
    """
    characters: list[str] = []
    for cell in cells:
        number = ord(cell) - ord(BLANK)
        if cell == " ":
            number = 0
        if not 0 <= number < 256:
            raise Complaint(Phrase("braille.no_cell", cell=repr(cell)))
        if number >= 64:
            raise Complaint(Phrase("braille.eight_dots", cell=cell))
        characters.append(ASCII[number])
    return "".join(characters)


def from_brf(text: str) -> str:
    """Return braille ASCII as cells; lower-case files are read too.

    Raises Complaint for a character outside the table.
    """
    cells: list[str] = []
    for character in text:
        number = _BY_CHARACTER.get(_LOWER.get(character, character))
        if number is None:
            raise Complaint(Phrase("braille.no_character", character=repr(character)))
        cells.append(chr(ord(BLANK) + number))
    return "".join(cells)


def brf_page(lines: Sequence[str], head: str, page_number: str, *, height: int = HEIGHT) -> tuple[str, ...]:
    """Return one page of cells: the running head, then up to `height` - 1 lines.

    Each line has at most `WIDTH` cells. `head` is shortened where it does not leave three blanks before `page_number`,
    which ends the first line. Raises Complaint where a line is too long or there are too many lines: nothing is cut
    from a score in silence.
    """
    if len(lines) > height - 1:
        raise Complaint(Phrase("braille.page_full", lines=len(lines), most=height))
    for line in lines:
        if len(line) > WIDTH:
            raise Complaint(Phrase("braille.line_long", cells=len(line), most=WIDTH))
    room = WIDTH - len(page_number) - 3
    if len(head) > room:
        short = head[: room + 1].rpartition(BLANK)[0].rstrip(BLANK)
        head = short or head[:room]
    return (head + BLANK * (WIDTH - len(head) - len(page_number)) + page_number, *lines)


def split(lines: Sequence[str], *, height: int = HEIGHT) -> tuple[tuple[str, ...], ...]:
    """Return the lines of a score in portions for pages that have a running head."""
    body = height - 1
    return tuple(tuple(lines[start : start + body]) for start in range(0, len(lines), body)) or ((),)


def document(pages: Iterable[Sequence[str]]) -> str:
    """Return the pages as the text of a BRF file.

    Lines end with CR LF, pages with a form feed; there are no blanks at the end of a line.
    """
    return "".join(page_text(lines) for lines in pages)


def page_text(lines: Sequence[str]) -> str:
    """Return one page of a BRF file, its form feed included."""
    return "".join(to_brf(line).rstrip(" ") + "\r\n" for line in lines) + FORM_FEED


def read_pages(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the pages of a BRF file in cells, running heads included.

    Raises Complaint for characters outside the table.
    """
    pages = text.split(FORM_FEED)
    if pages and not pages[-1].strip("\r\n\x1a"):
        pages.pop()
    return tuple(tuple(from_brf(line) for line in _LINE_END.split(page.rstrip("\r\n"))) for page in pages)
