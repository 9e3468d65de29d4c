"""The sentences of one part of the catalogue in one language, and filling in their places. Pure.

Plural forms are chosen and directions isolated here. What is put into a sentence of a language written from right to
left, and what is itself written so, stands between U+2068 and U+2069: a result, a square or an article number keeps its
own direction (after Arabic letters a bare "1-0" would be shown as "0-1").
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping

import msgspec

from speech.words.language import Direction, Origin, Review

FIRST_STRONG, POP = "\u2068", "\u2069"
COUNT = "count"
"""The place whose number chooses the plural form."""
ONLY = "other"
"""The form of a sentence that has no plurals, and the last resort of those that have."""


class Message(msgspec.Struct, frozen=True):
    """One sentence.

    `forms`: CLDR plural category -> text; just "other" where it has no plurals (`plural` False).
    """

    forms: Mapping[str, str]
    plural: bool
    origin: Origin
    review: Review


class Messages(msgspec.Struct, frozen=True):
    """Every sentence of one part in one language, by key ("say.ask_from", "unit.hour").

    `category`: a number -> its CLDR plural category in this language. `comma`: what stands between the parts of a list.
    """

    language: str
    direction: Direction
    entries: Mapping[str, Message]
    category: Callable[[int], str]
    comma: str = ", "

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def text(self, key: str, /, **values: object) -> str:
        """Return the sentence with its places filled in; `count` also chooses the plural form.

        A key or a place that the catalogue does not have is a fault of ours (KeyError).
        """
        forms = self.entries[key].forms
        count = values.get(COUNT)
        form = forms.get(self.category(count), forms[ONLY]) if isinstance(count, int) else forms[ONLY]
        return self.fill(form, **values)

    def fill(self, text: str, /, **values: object) -> str:
        """Return another sentence of this language with its places filled in.

        What is put into it keeps its own direction.
        """
        return text.format(**{name: self._place_value(value) for name, value in values.items()})

    def with_article(self, text: str, article: str) -> str:
        """Return a sentence with the article it rests on, if it rests on one."""
        return f"{text} ({self._place_value(article)})" if article else text

    def _place_value(self, value: object) -> str:
        text = str(value)
        if isinstance(value, int) or not text:
            return text
        return isolate_text(text) if self.direction == "rtl" or runs_from_the_right(text) else text


def isolate_text(text: str) -> str:
    """Return the text isolated, so that what stands around it cannot turn it round.

    A text that is isolated already stays as it is.
    """
    if text.startswith(FIRST_STRONG) and text.endswith(POP):
        return text
    return f"{FIRST_STRONG}{text}{POP}"


def without_isolation(text: str) -> str:
    """Return the text for a voice or a braille cell, which need no marks."""
    return text.replace(FIRST_STRONG, "").replace(POP, "")


def runs_from_the_right(text: str) -> bool:
    """Return whether a letter of the text is written from right to left."""
    return any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in text)
