"""The words of the pages, where the program has to say them too: what the arbiter reads is what he hears."""

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
    """Key -> words in this language; English where it has none for a key, or there is no such language."""
    words = {} if language == FALLBACK else dict(page_words(FALLBACK))
    file = resources.files("server.web").joinpath("static", "words", f"{language}.js")
    if file.is_file():
        found = _PAIR.findall(file.read_text(encoding="utf-8"))
        words.update((json.loads(key), json.loads(text)) for key, text in found)
    return words
