"""The details of an alert or an answer are told in the reader's language.

The core writes them in English into the record, and there they stay; `detail` of the messages has the same
sentences in every language, and the English one, its places filled in, leads to the others. What is not found stays as
it is.
"""

from __future__ import annotations

import re
import string
from functools import cache

from server.game import acts as ev
from server.wording.pages import page_words
from server.wording.refusals import messages_for
from speech.words.catalogue import MEASURE, load_messages
from speech.words.loading import language_tags
from speech.words.messages import ONLY

_SECTION = "detail."
_SEATS = r"(?:white|black)"
_PLACES = {
    "who": rf"{_SEATS}(?: and {_SEATS})?",
    "other": _SEATS,
    "mover": _SEATS,
    "uci": r"[a-h][1-8][a-h][1-8][qrbn]?",
    "article": r"[\w.]+",
    "result": r"[\d/*-]+",
}
_PARTS = ("; ", ": ", ", ")
_BEHIND = re.compile(r"(.+?)( \([^()]*\))")
_WORD = re.compile(r"[a-z]+")
_DEEPEST = 6


def told(detail: str, language: str, depth: int = 0) -> str:
    """Return the detail of an alert in a language.

    >>> told("white calls the arbiter (6.11.2)", "de")
    'Weiß ruft den Schiedsrichter (6.11.2)'
    """
    if not detail or language == MEASURE or depth > _DEEPEST:
        return detail
    if re.fullmatch(_PLACES["who"], detail):
        return ", ".join(page_words(language)[f"seat.{seat}"] for seat in detail.split(" and "))
    for pattern, key in _templates():
        found = pattern.fullmatch(detail)
        if found is not None:
            values = {name: told(value, language, depth + 1) for name, value in found.groupdict().items()}
            return messages_for(language).text(key, **values)
    pages = page_words(language)
    if _WORD.fullmatch(detail) and f"report.{detail}" in pages:  # what an observer reports
        return pages[f"report.{detail}"]
    for between in _PARTS:
        first, _, rest = detail.partition(between)
        if rest:
            shown = (told(first, language, depth + 1), told(rest, language, depth + 1))
            if shown != (first, rest):
                return between.join(shown)
    behind = _BEHIND.fullmatch(detail)
    return told(behind[1], language, depth + 1) + behind[2] if behind is not None else detail


@cache
def _templates() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the English sentences as patterns, the longest first."""
    entries = load_messages(MEASURE).entries
    known = [(entry.forms[ONLY], key) for key, entry in entries.items() if key.startswith(_SECTION)]
    return tuple((_pattern(text), key) for text, key in sorted(known, key=lambda one: -_letters(one[0])))


def _letters(text: str) -> int:
    return sum(len(literal) for literal, *_ in string.Formatter().parse(text))


def _pattern(text: str) -> re.Pattern[str]:
    parts = []
    for literal, place, _, _ in string.Formatter().parse(text):
        parts.append(re.escape(literal))
        if place is not None:
            parts.append(f"(?P<{place}>{_PLACES.get(place, '.+?')})")
    return re.compile("".join(parts), re.DOTALL)


def told_of(event: ev.AnyEvent) -> dict[str, str] | None:
    """Return an event's English words in every other language; None where it has none."""
    match event:
        case ev.Alerted():
            text = event.detail
        case ev.MateAnswered():
            text = event.reason
        case _:
            return None
    found = {tag: told(text, tag) for tag in language_tags() if tag != MEASURE}
    return {tag: said for tag, said in found.items() if said != text} or None
