"""This module writes out numbers before a noun, where a voice would say another form of them.

The words are in `config/numerals.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from speech.words.config_file import read_settings

FILE = "numerals.toml"


@cache
def load_numerals() -> Mapping[str, Mapping[str, str]]:
    """Return, by language, figure -> words. Raises Complaint."""
    return read_settings(FILE, dict[str, dict[str, str]])


def for_voice(text: str, numerals: Mapping[str, str]) -> str:
    """Return the text with every figure before a word written out as it is said there. Pure.

    >>> for_voice("2 óra 22 perc", {"2": "két", "22": "huszonkét"})
    'két óra huszonkét perc'
    """
    return re.sub(r"(?<![\d.,])\d+(?= +[^\W\d])", lambda found: numerals.get(found[0], found[0]), text)
