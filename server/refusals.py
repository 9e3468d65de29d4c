"""The sentences for refusals, in the reader's language (config/refusals.toml)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from server.complaint import Complaint

FALLBACK = "en"


@cache
def load_refusals() -> Mapping[str, Mapping[str, str]]:
    """Code -> language -> sentence. Raises Complaint naming the file and key where a sentence is missing."""
    place = resources.files("config").joinpath("refusals.toml")
    try:
        return refusals_of(place.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise Complaint(f"config/refusals.toml cannot be read ({wrong.strerror}); install Anna Eins again.") from wrong


def refusals_of(text: str) -> Mapping[str, Mapping[str, str]]:
    """The catalogue written in TOML, checked. Raises Complaint naming the file and the key path."""
    try:
        table = tomllib.loads(text)
    except ValueError as wrong:
        raise Complaint(f"config/refusals.toml is not TOML ({wrong}).") from wrong
    for code, texts in table.items():
        if not isinstance(texts, dict) or not texts.get(FALLBACK):
            raise Complaint(f"config/refusals.toml: {code}.{FALLBACK} is missing; write one plain sentence.")
        for language, words in texts.items():
            if not isinstance(words, str):
                raise Complaint(f"config/refusals.toml: {code}.{language} is not a text; write one plain sentence.")
    return table


def sentence(code: str, article: str, language: str) -> str:
    """One plain sentence with its article."""
    texts = load_refusals().get(code, {})
    text = texts.get(language) or texts.get(FALLBACK) or code
    return f"{text} ({article})" if article else text


def has_sentence(code: str, language: str) -> bool:
    """Whether the catalogue has this code in that language."""
    return language in load_refusals().get(code, {})


def in_language(code: str, article: str, language: str, otherwise: str) -> str:
    """The sentence in a language that its reader chose; `otherwise` where the catalogue has it not in that language."""
    return sentence(code, article, language) if has_sentence(code, language) else otherwise
