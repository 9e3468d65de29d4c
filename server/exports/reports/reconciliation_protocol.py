"""The protocol of each reconciliation of two boards (D.2.9) is written as HTML, text, braille or BRF.

It is made from the record alone (`server/game/views/report.py`), in the words of the report. Both players and the
arbiter sign below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, tzinfo
from html import escape

from braille import brf
from braille.loading import load_profile, national_profile
from braille.profile import BLANK, Profile
from braille.score import wrap
from server.exports.reports.report import report_words, section_lines, text_in_line, time_of_day
from server.game.views.report import Protocol
from server.wording.braille import prose_in_cells
from speech.words.catalogue import known_tag
from speech.words.loading import load_language

SIGNED = "_" * 32


def as_page(table: str, protocols: Sequence[Protocol], language: str, zone: tzinfo | None = UTC) -> str:
    """Return a whole HTML page, a sheet of paper for each protocol.

    `zone`: whose times of day; None is this machine's.
    """
    language = known_tag(language)
    words = report_words(language)
    made = "".join(_sheet(one, language, zone) for one in protocols) or f"<p>{escape(words['word.no_protocol'])}</p>"
    title = escape(_title(table, language))
    return (
        f'<!doctype html><html lang="{language}" dir="{load_language(language).direction}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
        '<link rel="icon" href="/static/pages/icon.svg"><link rel="stylesheet" href="/static/pages/handout.css"></head>'
        f'<body class="protocol"><main><h1>{title}</h1>{made}</main></body></html>'
    )


def protocols_in_text(table: str, protocols: Sequence[Protocol], language: str, zone: tzinfo | None = UTC) -> str:
    """Return every protocol as plain text, with lines for the signatures."""
    language = known_tag(language)
    words = report_words(language)
    parts = [_title(table, language), ""]
    for one in protocols:
        parts += [_head(one, zone), ""]
        for section, lines in _sections_of(one, language, zone):
            parts += [section, *(f"- {line}" for line in lines), ""]
        parts += [words["word.signatures"], "", *(f"{who}: {SIGNED}\n" for who in _signers(one, language))]
    return "\n".join(parts if protocols else [*parts, words["word.no_protocol"]]).rstrip() + "\n"


def protocols_in_cells(
    table: str, protocols: Sequence[Protocol], language: str, profile: str | None = None, zone: tzinfo | None = UTC
) -> str:
    """Return every protocol in Unicode braille, in lines of at most 40 cells."""
    code = _code(language, profile)
    return "\n".join(_cells(protocols_in_text(table, protocols, language, zone), code)) + "\n"


def to_emboss(
    table: str, protocols: Sequence[Protocol], language: str, profile: str | None = None, zone: tzinfo | None = UTC
) -> str:
    """Return every protocol as a BRF file: 40 cells by 25 lines, running head, page number, form feed.

    Raises Complaint for a code of eight dots, which no embossed page has.
    """
    code = _code(language, profile)
    head = prose_in_cells(_title(table, known_tag(language)), code)
    lines = _cells(protocols_in_text(table, protocols, language, zone), code)
    portions = brf.split(lines)
    return brf.document(
        [brf.brf_page(each, head, prose_in_cells(str(number), code)) for number, each in enumerate(portions, 1)]
    )


def _code(language: str, profile: str | None) -> Profile:
    return load_profile(profile or national_profile(known_tag(language)))


def _cells(text: str, code: Profile) -> tuple[str, ...]:
    """Return the lines of a text in cells.

    Lines under a heading are not indented, so that no cell is lost.
    """
    plain = text.translate({ord(mark): None for mark in "\u2068\u2069"}).replace(SIGNED, "")
    return tuple(
        cells for line in plain.splitlines() for cells in (wrap(prose_in_cells(line, code).split(BLANK)) or ("",))
    )


def _title(table: str, language: str) -> str:
    return report_words(language)["word.protocol"].format(text_in_line(table, language))


def _head(one: Protocol, zone: tzinfo | None) -> str:
    parts = (str(one.number), time_of_day(one.wall_ms, zone), one.event)
    return " · ".join(part for part in parts if part)


def _signers(one: Protocol, language: str) -> tuple[str, ...]:
    """Return who signs: both players with their names, and the arbiter."""
    words = report_words(language)
    sides = zip((words["word.white"], words["word.black"]), one.players, strict=True)
    return (*(f"{side}, {name}" if name else side for side, name in sides), words["word.arbiter"])


def _sections_of(one: Protocol, language: str, zone: tzinfo | None) -> Iterator[tuple[str, list[str]]]:
    """Yield each section's heading and lines."""
    for section in one.sections:
        yield report_words(language)[f"section.{section.name}"], section_lines(section, language, zone)


def _sheet(one: Protocol, language: str, zone: tzinfo | None) -> str:
    words = report_words(language)
    parts = "".join(
        f"<h3>{escape(heading)}</h3><ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
        for heading, lines in _sections_of(one, language, zone)
    )
    signed = "".join(f"<li><bdi>{escape(who)}</bdi></li>" for who in _signers(one, language))
    return (
        f"<section><h2>{escape(_head(one, zone))}</h2>{parts}"
        f'<h3>{escape(words["word.signatures"])}</h3><ul class="signed">{signed}</ul></section>'
    )
