"""The glossary of a language: one word for one thing, and which words are not used for it.

It is `config/languages/TAG/glossary.md`, a table of three columns. The page of the words shows it, and
`anna-eins words glossary TAG` lists where a text deviates from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from server.exports.words.correction import english_of, texts_to_correct
from speech.words.config_file import of_language, place_of_config
from speech.words.proof import ProofItem

FILE = "glossary.md"
_ROW = re.compile(r"\|(.*)\|(.*)\|(.*)\|\s*")
_ASIDE = re.compile(r"\([^)]*\)|\"[^\"]*\"")
_BETWEEN = re.compile(r"[,;/]| = ")
_SHORTEST = 4


class Term(msgspec.Struct, frozen=True):
    """One thing of the glossary: in English, in the language, and the words not used for it."""

    english: str
    own: str
    instead_of: str


class Deviation(msgspec.Struct, frozen=True):
    """Text that has a word which the glossary replaces by another."""

    key: str
    text: str
    found: str
    term: Term


@cache
def glossary_of(language: str) -> tuple[Term, ...]:
    """Return the glossary of a language; none where it has no file."""
    try:
        text = place_of_config(of_language(language, FILE), None).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ()
    rows = [[cell.strip() for cell in found.groups()] for line in text.splitlines() if (found := _ROW.fullmatch(line))]
    return tuple(Term(*row) for row in rows[2:])  # behind the head of the table and its rule


def terms_in(item: ProofItem, terms: Sequence[Term]) -> list[int]:
    """Return which terms the English of a text has, by their numbers."""
    english = " ".join(item.english.values())
    return [number for number, term in enumerate(terms) if _finder(term.english).search(english)]


def deviations_in(language: str) -> Iterator[Deviation]:
    """Yield each text that has a word which the glossary replaces, where its English has the thing."""
    texts = texts_to_correct(language)
    english = english_of(texts)
    for term in glossary_of(language):
        if not (words := _words_of(term.instead_of)):
            continue
        thing, own = _finder(term.english), tuple(word.lower() for word in _words_of(term.own))
        other = re.compile(rf"\b({'|'.join(map(re.escape, words))})\w*", re.IGNORECASE)
        for key, forms in texts.items():
            if not thing.search(" ".join(english[key].values())):
                continue
            for text in forms.values():
                # A word that the glossary replaces may also begin one that it has.
                if (found := other.search(text)) and not found[0].lower().startswith(own):
                    yield Deviation(key, text, found[0], term)


def _words_of(cell: str) -> list[str]:
    return [word for one in _BETWEEN.split(_ASIDE.sub("", cell)) if len(word := one.strip(" .")) >= _SHORTEST]


@cache
def _finder(cell: str) -> re.Pattern[str]:
    """Return the pattern of the English words of a term; one that matches nothing where it has none."""
    words = _words_of(cell)
    return re.compile(rf"\b({'|'.join(map(re.escape, words))})" if words else r"(?!)", re.IGNORECASE)
