"""The lines of a game's report are written in the words of `config/languages/TAG/words/report.toml` and of the pages.

A time of day is that of a time zone: UTC, or another one that is given; None is the zone of this machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo

import chess

from server.game.views.report import ReportLine, Section
from server.wording.details import told
from server.wording.pages import page_words, part_words
from server.wording.refusals import messages_for
from speech.words.catalogue import MEASURE, texts_in
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
    "clock_set": ("", "", "why"),
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
SAID_OF: Mapping[str, tuple[str, ...]] = {
    "absence_ruled": ("settle", "seat"),
    "arbiter_called": ("why",),
    "claim_kind_stated": ("claim.kind",),
    "claim_ruled": ("choice.ruling", "claim.kind"),
    "clock_master_changed": ("master",),
    "clock_paused": ("why",),
    "default_time_over": ("seat",),
    "draw_claimed": ("claim.kind",),
    "guidelines_settled": ("guidelines",),
    "irregularity_ruled": ("choice.irregular",),
    "leave_ruled": ("choice.place",),
    "mode_changed": ("mode_name",),
    "observer_reported": ("report",),
    "player_described": ("described",),
    "reconstruction_begun": ("why",),
    "score_due": ("seat",),
    "scoresheet_recorded": ("choice.sheet",),
    "sealed_ruled": ("why",),
    "set_up_ruled": ("choice.what",),
    "station_admitted": ("title",),
    "touch_reported": ("choice.how",),
}
"""Event of the record -> the families in which the words of its values are; after them come the report's own values."""


def report_words(language: str) -> Mapping[str, str]:
    """Return key -> the report's own words: `section.NAME`, `word.NAME`, and the form of each `entry.NAME`."""
    return texts_in("report", language)


def lines_of(section: Section, language: str, zone: tzinfo | None = UTC) -> list[str]:
    """Return a section's lines in a language; where it is empty, a line that says so."""
    return [_line(entry, language, zone) for entry in section.entries] or [report_words(language)["word.nothing"]]


def time_of_day(wall_ms: int, zone: tzinfo | None) -> str:
    """Return the date and the time of day to the second."""
    return f"{datetime.fromtimestamp(wall_ms / 1000, UTC).astimezone(zone):%Y-%m-%d %H:%M:%S}"


def _line(entry: ReportLine, language: str, zone: tzinfo | None) -> str:
    """Return one line: when, whose, what, the article, and who decided it.

    In a right-to-left line, what is filled in keeps its own direction (U+2068, U+2069): a bare 1-0 would be shown as
    0-1.
    """
    words = report_words(language)
    texts = dict(entry.text)
    own = texts.get(language) or texts.get(MEASURE, "")
    shown = [placed(value, language) for value in _named(entry, words, language, zone)]
    if entry.said is not None:
        shown.append(placed(told(entry.said, language), language))
    if own and shown:
        shown[0] = own  # the sentence instead of the name of an adaptation or of a point of the checklist
    rest = ", ".join(one for one in shown if one)
    form = words.get(f"entry.{entry.name}")
    if form is None:
        name = page_words(language).get(f"event.{entry.name}", entry.name)
        said = words["word.event"].format(name, rest) if rest else name
    else:
        said = form.format(*shown, *[""] * MOST_PLACES, rest=rest).strip().rstrip(";؛")
    article = placed(entry.article, language)
    parts = [
        placed(time_of_day(entry.wall_ms, zone), language) if entry.wall_ms is not None else "",
        words[f"word.{entry.seat.value}"] if entry.seat is not None else "",
        said
        if not entry.article or said.endswith((f"({entry.article})", f"({article})", f"({entry.article})\u2069"))
        else f"{said} ({article})",
    ]
    settled = page_words(language).get(f"settled.{entry.settled}", "")
    by = _by(entry, words, language)
    return " – ".join(filter(None, (": ".join(filter(None, parts)), settled, by)))


def _by(entry: ReportLine, words: Mapping[str, str], language: str) -> str:
    """Return who decided it; "" for what a player did at their own place, which the line says already."""
    if entry.seat is not None and entry.by == entry.seat:
        return ""
    return words.get(f"word.{entry.by}") or page_words(language).get(f"title.{entry.by}", entry.by)


def _named(entry: ReportLine, words: Mapping[str, str], language: str, zone: tzinfo | None) -> list[str]:
    """Return the values of an entry, each in the words of its family where it has some."""
    pages = page_words(language)
    families = (*NAMED.get(entry.name, ()), *("",) * len(entry.values))
    if entry.name == "edition":
        return [pages.get(f"rules.{entry.values[-1]}", entry.values[0])]
    if entry.name == "player":
        return [entry.values[0], *(words.get(f"word.{value}", value) for value in entry.values[1:])]
    if f"entry.{entry.name}" not in words:
        return [_said_of(value, SAID_OF.get(entry.name, ()), words, pages) for value in entry.values]
    return [
        time_of_day(int(value[5:]), zone) if value.startswith("wall ") else _in_words(value, family, words, language)
        for value, family in zip(entry.values, families, strict=False)
    ]


def _said_of(value: str, families: Sequence[str], words: Mapping[str, str], pages: Mapping[str, str]) -> str:
    """Return what an event says beside its name, in the first words that there are for it."""
    kind, _, name = value.partition(" ")
    if kind == "ply" and name.isdecimal():
        return words["word.half_move"].format(name) if name != "0" else ""
    if kind == "id":
        return name
    code = NOT_OF_A_CODE.sub("_", value.lower()).strip("_")
    found = (pages.get(f"{family}.{code if family == 'why' else value}") for family in families)
    return next(filter(None, found), "") or words.get(f"value.{value}") or _yes_or_no(value, pages)


def _yes_or_no(value: str, pages: Mapping[str, str]) -> str:
    return pages[value] if value in ("yes", "no") else value


def _in_words(value: str, family: str, words: Mapping[str, str], language: str) -> str:
    """Return a value in the words of its family."""
    pages = {**page_words(language), **part_words("desk", language)}
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
