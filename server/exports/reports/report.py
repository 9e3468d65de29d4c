"""The lines of a game's report are written in the words of `config/languages/TAG/words/report.toml` and of the pages.

A time of day is that of a time zone: UTC, or another one that is given; None is the zone of this machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo

import chess
import msgspec

from server.game.values.time_control import TimeControl
from server.game.views.report import ReportLine, Section
from server.wording.aloud.positions import men_written
from server.wording.details import told_in
from server.wording.pages import page_words, part_words, record_spelt
from server.wording.refusals import messages_for
from speech.announcements.clock_phrases import PeriodTold, control_told, time_told
from speech.words.catalogue import MEASURE, texts_in
from speech.words.messages import isolate_text, runs_from_the_right

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
    "decided": ("choice.gap",),
    "appeal": ("choice.gap",),
    "irregularity": ("choice.irregular", "ply"),
    "interrupted": ("why",),
    "clock_set": ("", "", "why"),
    "time_control": ("control",),
    "penalty": ("choice.penalty",),
    "medical_pause": ("", "why"),
    "time_added": ("seconds", "why"),
    "alert": ("alert", "ply"),
    "heard_only": ("alert", "ply"),
    "result": ("", "why"),
    "board_showed": ("board_of", "placement"),
    "boards_alike": ("placement",),
    "square_differed": ("", "man", "man"),
    "score_said": ("score_of", "ply", "", "word"),
    "found": ("desk.verdict",),
    "explained": ("desk.kind", "desk.where", "ply"),
    "desk_opened": ("ply",),
    "agreed": ("ply",),
    "unread_accepted": ("ply",),
    "line_mended": ("ply",),
    "decided_back": ("ply",),
    "still_line": ("ply",),
    "stands": ("placement", "word"),
    "square_set": ("board_of", "", "man"),
    "nothing_set": ("board_of",),
    "board_confirmed": ("board_of",),
    "still_board": ("board_of",),
    "desk_closed": ("why",),
    "desk_reason": ("why",),
    "taken_back": ("ply", "", "", "", "why"),
}
"""Kind of entry -> the family of page words that each of its values belongs to; "" for none.

`man`: a letter of a FEN, "" for an empty square; `placement`: the first part of a FEN; `control`: a time control as it
is written; `seconds`: signed; `word`: one of the report's own words.
"""
OF_THE_RECORD = {"score_said": 2, "envelope_opened": 1}
"""Kind of entry -> which of its values is a line of the record, in the words of a move."""
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


def section_lines(section: Section, language: str, zone: tzinfo | None = UTC) -> list[str]:
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
    shown = [text_in_line(value, language) for value in _values_named(entry, words, language, zone)]
    if entry.said is not None:
        shown.append(text_in_line(told_in(entry.said, language), language))
    if entry.name in ("alert", "heard_only") and _as_named(shown[-1]) == shown[0].casefold():
        shown.pop()  # its name says all of it
    if own and shown:
        shown[0] = own  # the sentence instead of the name of an adaptation or of a point of the checklist
    rest = ", ".join(one for one in shown if one)
    form = words.get(f"entry.{entry.name}")
    if form is None:
        name = page_words(language).get(f"event.{entry.name}", entry.name)
        said = words["word.event"].format(name, rest) if rest else name
    else:
        said = form.format(*shown, *[""] * MOST_PLACES, rest=rest).strip().rstrip(";؛:՝ ")
    article = text_in_line(entry.article, language)
    parts = [
        text_in_line(time_of_day(entry.wall_ms, zone), language) if entry.wall_ms is not None else "",
        words[f"word.{entry.seat.value}"] if entry.seat is not None else "",
        said
        if not entry.article or said.endswith((f"({entry.article})", f"({article})", f"({entry.article})\u2069"))
        else f"{said} ({article})",
    ]
    settled = page_words(language).get(f"settled.{entry.settled}", "")
    by = _by(entry, words, language)
    return " – ".join(filter(None, (": ".join(filter(None, parts)), settled, by)))


def _as_named(text: str) -> str:
    """Return an alert's sentence without its article, as the name of its kind is compared with."""
    return re.sub(r" \([^()]*\)\W*$", "", text).casefold()


def _by(entry: ReportLine, words: Mapping[str, str], language: str) -> str:
    """Return who decided it; "" for what a player did at their own place, which the line says already."""
    if entry.seat is not None and entry.by == entry.seat:
        return ""
    return words.get(f"word.{entry.by}") or page_words(language).get(f"title.{entry.by}", entry.by)


def _values_named(entry: ReportLine, words: Mapping[str, str], language: str, zone: tzinfo | None) -> list[str]:
    """Return the values of an entry, each in the words of its family where it has some."""
    pages = page_words(language)
    if (place := OF_THE_RECORD.get(entry.name)) is not None:
        spelt = (record_spelt(one, language) if at == place else one for at, one in enumerate(entry.values))
        entry = msgspec.structs.replace(entry, values=tuple(spelt))
    families = (*NAMED.get(entry.name, ()), *("",) * len(entry.values))
    if entry.name == "edition":
        return [pages.get(f"rules.{entry.values[-1]}", entry.values[0])]
    if entry.name == "penalty":
        penalty, amount, *rest = (*entry.values, "", "")
        said = _in_words(penalty, "choice.penalty", words, language)
        return [": ".join(filter(None, (said, _amount(penalty, amount, language)))), *rest]
    if entry.name == "player":
        return [entry.values[0], *(words.get(f"word.{value}", value) for value in entry.values[1:])]
    if f"entry.{entry.name}" not in words:
        return [_said_of(value, SAID_OF.get(entry.name, ()), words, language) for value in entry.values]
    return [
        time_of_day(int(value[5:]), zone) if value.startswith("wall ") else _in_words(value, family, words, language)
        for value, family in zip(entry.values, families, strict=False)
    ]


def _said_of(value: str, families: Sequence[str], words: Mapping[str, str], language: str) -> str:
    """Return what an event says beside its name, in the first words that there are for it."""
    pages = page_words(language)
    kind, _, name = value.partition(" ")
    if kind == "ply" and name.isdecimal():
        return words["word.half_move"].format(_move_number(name, words)) if name != "0" else ""
    if kind == "control" and name:
        return _control(name, language)
    if kind == "id":
        return name
    code = NOT_OF_A_CODE.sub("_", value.lower()).strip("_")
    found = (pages.get(f"{family}.{code if family == 'why' else value}") for family in families)
    return next(filter(None, found), "") or words.get(f"value.{value}") or _yes_or_no(value, pages)


def _yes_or_no(value: str, pages: Mapping[str, str]) -> str:
    return pages[value] if value in ("yes", "no") else value


TIME_PENALTIES = ("more_time_for_opponent", "less_time_for_offender")
POINT_PENALTIES = ("more_points_for_opponent", "fewer_points_for_offender")


def _amount(penalty: str, amount: str, language: str) -> str:
    """Return how much a penalty gave or took: a length of time, points, rounds, or units of a fine; "" for none."""
    if penalty in TIME_PENALTIES and amount.isdecimal():
        return time_told(int(amount), messages_for(language))
    if penalty in POINT_PENALTIES and amount.isdecimal():
        whole, half = divmod(int(amount), 2)
        return f"{whole or '' if half else whole}{'½' if half else ''}"
    return amount


def _time_signed(seconds: str, language: str) -> str:
    """Return time that was given or taken, with its sign: "+2 minutes"."""
    try:
        ms = round(float(seconds) * 1000)
    except ValueError:
        return seconds  # as an old record has it
    sign = "−" if ms < 0 else "+"
    return f"{sign}{abs(ms) / 1000:g}" if ms % 1000 else f"{sign}{time_told(abs(ms), messages_for(language))}"


def _move_number(ply: str, words: Mapping[str, str]) -> str:
    """Return a half-move as people number moves: "2 (White)"; of several, each."""

    def one(found: re.Match[str]) -> str:
        number = int(found[0])
        return f"{(number + 1) // 2} ({words['word.white' if number % 2 else 'word.black']})" if number else "0"

    return re.sub(r"\d+", one, ply)


def _control(text: str, language: str) -> str:
    """Return a time control in words: "all moves in 1 hour 30 minutes, 30 seconds more a move"."""
    try:
        periods = TimeControl.parse(text).periods
    except ValueError:
        return text  # as an old record has it
    told = tuple(PeriodTold(one.moves, one.base_ms, one.increment_ms, one.kind) for one in periods)
    return control_told(told, messages_for(language)).rstrip(".")


def _placement(placement: str, language: str) -> str:
    """Return the men of a position in words, the king first: "White: king e1, queen d1, rook a1 h1"."""
    try:
        return "; ".join(men_written(placement, language))
    except ValueError:
        return placement  # as an old record has it


def _in_words(value: str, family: str, words: Mapping[str, str], language: str) -> str:
    """Return a value in the words of its family."""
    pages = {**page_words(language), **part_words("desk", language)}
    if family == "man" and not value:
        return pages["desk.empty"]
    if family == "man" and value.lower() in chess.PIECE_SYMBOLS[1:]:
        piece = chess.Piece.from_symbol(value)
        return pages[f"piece.{chess.COLOR_NAMES[piece.color]}.{chess.piece_name(piece.piece_type)}"]
    if family == "ply":
        return _move_number(value, words)
    if family == "control":
        return _control(value, language)
    if family == "seconds":
        return _time_signed(value, language)
    if family == "placement":
        return _placement(value, language)
    if family == "why":
        return pages.get(f"why.{NOT_OF_A_CODE.sub('_', value.lower()).strip('_')}", value)
    if family == "word":
        return words.get(f"word.{value}", value)
    return pages.get(f"{family}.{value}", value)


def text_in_line(text: str, language: str) -> str:
    """Return text that is filled into a line, with marks for its own direction where they are needed."""
    turned = messages_for(language).direction == "rtl" or runs_from_the_right(text)
    return isolate_text(text) if text and turned else text
