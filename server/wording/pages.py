"""The program also says the words of the pages, so that the arbiter hears what the arbiter reads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from speech.words.catalogue import texts_in


@cache
def page_words(language: str) -> Mapping[str, str]:
    """Return key -> words as a page asks for them ("hour.one"); English where the language is unknown."""
    return {key.removeprefix("page."): text for key, text in texts_in("pages", language).items()}
