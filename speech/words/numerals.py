"""Numbers before a noun, for a voice that would say another form of them (`config/numerals.toml`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from speech.words.config_file import read_settings

FILE = "numerals.toml"


@cache
def load_numerals() -> Mapping[str, Mapping[str, str]]:
    """By language, figure -> words. Raises Complaint."""
    return read_settings(FILE, dict[str, dict[str, str]])


def for_voice(text: str, numerals: Mapping[str, str]) -> str:
    """The text with every figure that stands before a word written out as it is said there. Pure.

    >>> for_voice("2 óra 22 perc", {"2": "két", "22": "huszonkét"})
    'két óra huszonkét perc'
    """
    return re.sub(r"(?<![\d.,])\d+(?= +[^\W\d])", lambda found: numerals.get(found[0], found[0]), text)
