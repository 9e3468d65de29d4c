"""A game's report is written in the words of `config/report.toml` and, for rulings, of the pages."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.abc import Traversable

import chess
import msgspec

from server.game.views.report import ReportLine, Section
from server.wording.details import told
from server.wording.pages import page_words
from server.wording.refusals import messages_for
from speech.words.config_file import read_source
from speech.words.loading import language_tags
from speech.words.messages import isolated, runs_from_the_right

MEASURE = "en"
MOST_PLACES = 5
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


class ReportWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """These are one language's names of sections, small words, and the form of each entry."""

    section: dict[str, str]
    word: dict[str, str]
    entry: dict[str, str]


def load_words(root: Traversable | None = None) -> Mapping[str, ReportWords]:
    """Read and check language -> words; each language has the same keys and places.

    Raises Complaint naming the key.
    """
    source = read_source("report.toml", root)
    known = source.shaped(dict[str, ReportWords])
    measure = _keys(known[MEASURE]) if MEASURE in known else {}
    for language in language_tags():
        found = _keys(known[language]) if language in known else {}
        for key in measure | found:
            if not found.get(key, ("",))[0]:
                raise source.complain(f"{language}.{key}", "write the words of this language")
            if key not in measure or found[key][1] != measure[key][1]:
                raise source.complain(f"{language}.{key}", f"it must have the places of {MEASURE}.{key}")
    return known


def _keys(words: ReportWords) -> dict[str, tuple[str, frozenset[str | None]]]:
    """Return key path -> text and the places in it."""
    return {
        f"{part}.{key}": (text, frozenset(place for _, place, _, _ in string.Formatter().parse(text)) - {None})
        for part in ReportWords.__struct_fields__
        for key, text in getattr(words, part).items()
    }


def written(table: str, sections: Sequence[Section], known: Mapping[str, ReportWords], language: str) -> str:
    """Return the report as plain text: a heading a section, a line an entry, times in UTC.

    English where there are no words of this language. In a right-to-left line, what is filled in keeps its own
    direction (U+2068, U+2069): a bare 1-0 would be shown as 0-1.
    """
    language = language if language in known else MEASURE
    words = known[language]
    lines = [words.word["title"].format(placed(table, language))]
    for section in sections:
        lines += ["", words.section[section.name]]
        lines += [f"- {line}" for line in lines_of(section, known, language)]
    return "\n".join(lines) + "\n"


def lines_of(section: Section, known: Mapping[str, ReportWords], language: str) -> list[str]:
    """Return a section's lines in a language of `known`; where it is empty, a line that says so."""
    return [_line(entry, known, language) for entry in section.entries] or [known[language].word["nothing"]]


def _line(entry: ReportLine, known: Mapping[str, ReportWords], language: str) -> str:
    words = known[language]
    texts = dict(entry.text)
    own = texts.get(language) or texts.get(MEASURE, "")
    shown = [placed(value, language) for value in _named(entry, words, language)]
    if entry.said is not None:
        shown.append(placed(told(entry.said, language), language))
    if own and shown:
        shown[0] = own  # the sentence instead of the name of an adaptation or of a point of the checklist
    rest = ", ".join(one for one in shown if one)
    said = words.entry[entry.name].format(*shown, *[""] * MOST_PLACES, rest=rest).strip()
    when = f"{datetime.fromtimestamp(entry.wall_ms / 1000, UTC):%Y-%m-%d %H:%M:%S}" if entry.wall_ms is not None else ""
    parts = [
        placed(when, language),
        words.word[entry.seat.value] if entry.seat is not None else "",
        f"{said} ({placed(entry.article, language)})" if entry.article else said,
    ]
    return ": ".join(part for part in parts if part)


def _named(entry: ReportLine, words: ReportWords, language: str) -> list[str]:
    """Return the values of an entry, each in the words of its family where it has some."""
    pages = page_words(language)
    families = (*NAMED.get(entry.name, ()), *("",) * len(entry.values))
    if entry.name == "edition":
        return [pages.get(f"rules.{entry.values[-1]}", entry.values[0])]
    if entry.name == "player":
        return [entry.values[0], *(words.word.get(value, value) for value in entry.values[1:])]
    return [_in_words(value, family, words, language) for value, family in zip(entry.values, families, strict=False)]


def _in_words(value: str, family: str, words: ReportWords, language: str) -> str:
    """Return a value in the words of its family."""
    pages = page_words(language)
    if family == "man" and not value:
        return pages["desk.empty"]
    if family == "man" and value.lower() in chess.PIECE_SYMBOLS[1:]:
        piece = chess.Piece.from_symbol(value)
        return f"{pages[chess.COLOR_NAMES[piece.color]]} {pages[f'piece.{chess.piece_name(piece.piece_type)}']}"
    if family == "word":
        return words.word.get(value, value)
    return pages.get(f"{family}.{value}", value)


def placed(text: str, language: str) -> str:
    """Return text that is filled into a line, with marks for its own direction where they are needed."""
    turned = messages_for(language).direction == "rtl" or runs_from_the_right(text)
    return isolated(text) if text and turned else text
