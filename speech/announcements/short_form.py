"""An announcement in the signs of a score, such as "Sg1xh3+". Pure.

For places where the words do not fit.
"""

from __future__ import annotations

from collections.abc import Iterable

from speech.words.grammar import FILE_NAMES
from speech.words.language import Language

SIGNS = {
    "castle.short": "0-0",
    "castle.long": "0-0-0",
    "word.takes": "x",
    "word.ep": " e.p.",
    "word.check": "+",
    "word.mate": "#",
    "word.promotes": "=",
}


def short_form(words: Iterable[str], language: Language) -> str:
    """Return word ids in the piece letters of a language; squares as everywhere.

    Words that have no sign are left out. It holds only what was said: no departure square, capture or check is added.
    """
    return "".join(_sign(word, language) for word in words).strip()


def _sign(word: str, language: Language) -> str:
    kind, _, name = word.partition(".")
    if kind == "piece":
        return language.notation.pieces.get(name, "")
    if kind == "rank" or kind in FILE_NAMES:
        return name
    return SIGNS.get(word, "")
