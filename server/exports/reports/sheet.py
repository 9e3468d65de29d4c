"""The report of a game is put on a sheet to sign: as text, as a page to print, or as PDF (`pdf.py`).

The sheet has what the report says, lines for both players and the arbiter to sign, room for remarks, and which record
it was made from: anybody who has the journal can make the same digest of it again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from html import escape

import msgspec

from server.exports.reports.report import report_words, section_lines, text_in_line, time_of_day
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.game.views.report import Section
from server.journal.entry import Entry
from server.machine.version import program_version
from speech.words.catalogue import known_tag
from speech.words.loading import load_language

SIGNED = "_" * 32


class Identity(msgspec.Struct, frozen=True):
    """Identity of the record that a report was made from.

    `sha256`: of the bodies of all events in their order, each with a line feed after it. `wall_ms`: of the last one.
    """

    table: str
    events: int
    wall_ms: int
    sha256: str


class Part(msgspec.Struct, frozen=True):
    """Heading with the lines under it."""

    heading: str
    lines: tuple[str, ...]


class ReportSheet(msgspec.Struct, frozen=True):
    """Report as it is printed, in one language.

    `direction`: ltr or rtl. `about`: the event, the players, whose times of day are meant. `signers`: who signs under
    `signatures`; `remark` is the label of the room for remarks. `record`: which record it was made from.
    """

    title: str
    language: str
    direction: str
    about: tuple[str, ...]
    parts: tuple[Part, ...]
    signatures: str
    signers: tuple[str, ...]
    remark: str
    record: Part


def identity_of(table: str, entries: Sequence[Entry]) -> Identity:
    """Return which record this is."""
    digest = hashlib.sha256()
    for entry in entries:
        digest.update(entry.body + b"\n")
    return Identity(table, len(entries), entries[-1].wall_ms, digest.hexdigest())


def sheet_of(
    sections: Sequence[Section], state: GameState, identity: Identity, language: str, zone: tzinfo | None = UTC
) -> ReportSheet:
    """Return the sheet of a report; English where there are no words of this language.

    `zone`: whose times of day; None is this machine's.
    """
    language = known_tag(language)
    words = report_words(language)
    plans = {seat: state.plan(seat).name for seat in Seat}
    told = (entry.wall_ms for section in sections for entry in section.entries if entry.wall_ms is not None)
    event = ", ".join(filter(None, (state.table.event_name, state.table.round)))
    named = [text_in_line(plans[seat] or "?", language) for seat in Seat]
    about = (
        text_in_line(event, language),
        words["word.players"].format(*named),
        words["word.times"].format(text_in_line(_offsets((*told, identity.wall_ms), zone), language)),
    )
    sides = ((words[f"word.{seat.value}"], text_in_line(plans[seat], language)) for seat in Seat)
    known = (identity.table, str(identity.events), time_of_day(identity.wall_ms, zone), identity.sha256)
    record = (
        words["word.identity"].format(*(text_in_line(one, language) for one in known)),
        words["word.made"].format(text_in_line(program_version(), language)),
    )
    return ReportSheet(
        title=words["word.title"].format(text_in_line(identity.table, language)),
        language=language,
        direction=load_language(language).direction,
        about=tuple(filter(None, about)),
        parts=tuple(Part(words[f"section.{one.name}"], tuple(section_lines(one, language, zone))) for one in sections),
        signatures=words["word.signatures"],
        signers=(words["word.arbiter"], *(f"{side}, {name}" if name else side for side, name in sides)),
        remark=words["word.remark"],
        record=Part(words["word.record"], record),
    )


def _offsets(walls_ms: Sequence[int], zone: tzinfo | None) -> str:
    """Return by how much the times of day differ from UTC, in their order: two where summer time ended in between.

    >>> _offsets((1_795_960_000_000,), UTC)
    'UTC+00:00'
    """
    found = (f"{datetime.fromtimestamp(one / 1000, UTC).astimezone(zone):%z}" for one in sorted(walls_ms))
    return ", ".join(dict.fromkeys(f"UTC{offset[:3]}:{offset[3:]}" for offset in found))


def report_in_text(sheet: ReportSheet) -> str:
    """Return the sheet as plain text: a heading a section, a line an entry."""
    lines = [sheet.title, "", *sheet.about]
    for part in sheet.parts:
        lines += ["", part.heading, *(f"- {line}" for line in part.lines)]
    lines += ["", sheet.signatures, ""]
    for who in (*sheet.signers, sheet.remark):
        lines += [f"{who}: {SIGNED}", ""]
    lines += [sheet.record.heading, *(f"- {line}" for line in sheet.record.lines)]
    return "\n".join(lines) + "\n"


def as_page(sheet: ReportSheet, ways: Mapping[str, str]) -> str:
    """Return the sheet as a whole HTML page to print.

    `ways`: other forms of it (pdf, text), each with its address; they are shown, not printed.
    """
    parts = "".join(map(_part, sheet.parts))
    signed = "".join(f"<li><bdi>{escape(who)}</bdi></li>" for who in (*sheet.signers, sheet.remark))
    about = "".join(f"<p>{escape(line)}</p>" for line in sheet.about)
    words = report_words(sheet.language)
    links = " · ".join(
        f'<a href="{escape(address)}">{escape(words[f"word.as_{form}"])}</a>' for form, address in ways.items()
    )
    return (
        f'<!doctype html><html lang="{sheet.language}" dir="{sheet.direction}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(sheet.title)}</title>'
        '<link rel="icon" href="/static/pages/icon.svg"><link rel="stylesheet" href="/static/pages/handout.css"></head>'
        f'<body class="protocol"><main><h1>{escape(sheet.title)}</h1>'
        + (f'<p class="ways">{links}</p>' if links else "")
        + f'{about}{parts}<h2>{escape(sheet.signatures)}</h2><ul class="signed">{signed}</ul>'
        f"{_part(sheet.record)}</main></body></html>"
    )


def _part(part: Part) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in part.lines)
    return f"<h2>{escape(part.heading)}</h2><ul>{lines}</ul>"
