"""The program also says the words of the pages, so that the arbiter hears what the arbiter reads."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

FALLBACK = "en"
_PAIR = re.compile(r'("[a-z0-9_.-]+"):\s*("(?:[^"\\]|\\.)*")')


@cache
def page_words(language: str) -> Mapping[str, str]:
    """Return key -> words in this language; English where a key or the language is missing."""
    words = {} if language == FALLBACK else dict(page_words(FALLBACK))
    file = resources.files("server.web").joinpath("static", "words", f"{language}.js")
    if file.is_file():
        found = _PAIR.findall(file.read_text(encoding="utf-8"))
        words.update((json.loads(key), json.loads(text)) for key, text in found)
    return words
