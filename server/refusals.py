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
    table = tomllib.loads(place.read_text(encoding="utf-8"))
    for code, texts in table.items():
        if not isinstance(texts, dict) or not texts.get(FALLBACK):
            raise Complaint(f"config/refusals.toml: {code}.{FALLBACK} is missing; write one plain sentence.")
    return table


def sentence(code: str, article: str, language: str) -> str:
    """One plain sentence with its article."""
    texts = load_refusals().get(code, {})
    text = texts.get(language) or texts.get(FALLBACK) or code
    return f"{text} ({article})" if article else text
