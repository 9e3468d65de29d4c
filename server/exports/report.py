"""A game's report is written in the words of `config/words/TAG/report.toml` and, for rulings, of the pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import chess

from server.game.views.report import ReportLine, Section
from server.wording.details import told
from server.wording.pages import page_words
from server.wording.refusals import messages_for
from speech.words.catalogue import MEASURE, known_tag, texts_in
from speech.words.messages import isolated, runs_from_the_right

MOST_PLACES = 5
NOT_OF_A_CODE = re.compile(r"[^a-z0-9]+")  # in a reason; static/core/why.js reads it the same way
NAMED: Mapping[str, tuple[str, ...]] = {
    "supervision": ("supervision",),
    "boards": ("boards_at_table",),
    "adapted": ("", "value"),
    "not_approved": ("", "value"),
    "follows": ("", "value"),
    "assistant": ("duty",) * 6,
    "incident": ("choice.incident",),
    "irregularity": ("choice.irregular",),
    "interrupted": ("why",),
    "penalty": ("choice.penalty",),
    "medical_pause": ("", "why"),
    "time_added": ("", "why"),
    "alert": ("alert",),
    "heard_only": ("alert",),
    "result": ("", "why"),
    "board_showed": ("board_of",),
    "square_differed": ("", "man", "man"),
    "score_said": ("score_of", "", "", "word"),
    "found": ("desk.verdict",),
    "explained": ("desk.kind", "desk.where"),
    "stands": ("", "word"),
    "square_set": ("board_of", "", "man"),
    "nothing_set": ("board_of",),
    "board_confirmed": ("board_of",),
    "still_board": ("board_of",),
    "desk_closed": ("why",),
    "desk_reason": ("why",),
    "taken_back": ("", "", "", "", "why"),
}
"""Kind of entry -> the family of page words that each of its values belongs to; "" for none.

`man`: a letter of a FEN, "" for an empty square; `word`: one of the report's own words.
"""


def report_words(language: str) -> Mapping[str, str]:
    """Return key -> the report's own words: `section.NAME`, `word.NAME`, and the form of each `entry.NAME`."""
    return texts_in("report", language)


def written(table: str, sections: Sequence[Section], language: str) -> str:
    """Return the report as plain text: a heading a section, a line an entry, times in UTC.

    English where there are no words of this language. In a right-to-left line, what is filled in keeps its own
    direction (U+2068, U+2069): a bare 1-0 would be shown as 0-1.
    """
    language = known_tag(language)
    words = report_words(language)
    lines = [words["word.title"].format(placed(table, language))]
    for section in sections:
        lines += ["", words[f"section.{section.name}"]]
        lines += [f"- {line}" for line in lines_of(section, language)]
    return "\n".join(lines) + "\n"


def lines_of(section: Section, language: str) -> list[str]:
    """Return a section's lines in a language; where it is empty, a line that says so."""
    return [_line(entry, language) for entry in section.entries] or [report_words(language)["word.nothing"]]


def _line(entry: ReportLine, language: str) -> str:
    words = report_words(language)
    texts = dict(entry.text)
    own = texts.get(language) or texts.get(MEASURE, "")
    shown = [placed(value, language) for value in _named(entry, words, language)]
    if entry.said is not None:
        shown.append(placed(told(entry.said, language), language))
    if own and shown:
        shown[0] = own  # the sentence instead of the name of an adaptation or of a point of the checklist
    rest = ", ".join(one for one in shown if one)
    said = words[f"entry.{entry.name}"].format(*shown, *[""] * MOST_PLACES, rest=rest).strip()
    when = f"{datetime.fromtimestamp(entry.wall_ms / 1000, UTC):%Y-%m-%d %H:%M:%S}" if entry.wall_ms is not None else ""
    parts = [
        placed(when, language),
        words[f"word.{entry.seat.value}"] if entry.seat is not None else "",
        f"{said} ({placed(entry.article, language)})" if entry.article else said,
    ]
    return ": ".join(part for part in parts if part)


def _named(entry: ReportLine, words: Mapping[str, str], language: str) -> list[str]:
    """Return the values of an entry, each in the words of its family where it has some."""
    pages = page_words(language)
    families = (*NAMED.get(entry.name, ()), *("",) * len(entry.values))
    if entry.name == "edition":
        return [pages.get(f"rules.{entry.values[-1]}", entry.values[0])]
    if entry.name == "player":
        return [entry.values[0], *(words.get(f"word.{value}", value) for value in entry.values[1:])]
    return [_in_words(value, family, words, language) for value, family in zip(entry.values, families, strict=False)]


def _in_words(value: str, family: str, words: Mapping[str, str], language: str) -> str:
    """Return a value in the words of its family."""
    pages = page_words(language)
    if family == "man" and not value:
        return pages["desk.empty"]
    if family == "man" and value.lower() in chess.PIECE_SYMBOLS[1:]:
        piece = chess.Piece.from_symbol(value)
        return pages[f"piece.{chess.COLOR_NAMES[piece.color]}.{chess.piece_name(piece.piece_type)}"]
    if family == "why":
        return pages.get(f"why.{NOT_OF_A_CODE.sub('_', value.lower()).strip('_')}", value)
    if family == "word":
        return words.get(f"word.{value}", value)
    return pages.get(f"{family}.{value}", value)


def placed(text: str, language: str) -> str:
    """Return text that is filled into a line, with marks for its own direction where they are needed."""
    turned = messages_for(language).direction == "rtl" or runs_from_the_right(text)
    return isolated(text) if text and turned else text
