"""The program also says the words of the pages, so that the arbiter hears what the arbiter reads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from speech.words.catalogue import texts_in
from speech.words.loading import language_tags, load_scheme


@cache
def page_words(language: str) -> Mapping[str, str]:
    """Return key -> words as a page asks for them ("hour.one"); English where the language is unknown.

    With them goes how the language's readers are shown words of the record ("spelt.Koenig": "König").
    """
    words = {key.removeprefix("page."): text for key, text in texts_in("pages", language).items()}
    other = load_scheme("d21", language).spelt_otherwise if language in language_tags() else {}
    return words | {f"spelt.{recorded}": shown for recorded, shown in other.items()}
