"""Short words on points of the Laws (config/laws/TAG.toml) are read and checked here, once.

They are an aid to 11.9, not the Laws.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.abc import Traversable
from importlib.resources import files

import msgspec

from server.wording.rules import RULE_SETS
from speech.complaint import Complaint

FALLBACK = "en"
ARTICLE = re.compile(r"(D\.)?\d{1,2}(\.\d{1,2}){1,3}")


class LawWords(msgspec.Struct, frozen=True):
    """This has one language's words: article -> words, and where a rule set says something else."""

    articles: Mapping[str, str]
    otherwise: Mapping[str, Mapping[str, str]]

    def text(self, article: str, rule_set: str) -> str:
        """Return the words on an article in an edition; "" where there are none."""
        return self.otherwise.get(rule_set, {}).get(article) or self.articles.get(article, "")


def _complaint(label: str, path: str, wrong: object) -> Complaint:
    return Complaint(f"{label}, key {path}: {str(wrong).rstrip('.')}.")


def laws_of(text: str, label: str) -> LawWords:
    """Read and check one language written in TOML.

    Raises Complaint naming the file and the key path.
    """
    try:
        tables = tomllib.loads(text)
    except ValueError as wrong:
        raise Complaint(f"{label} is not readable as TOML: {wrong}.") from wrong
    for name, table in tables.items():
        if name != "articles" and name not in RULE_SETS:
            raise _complaint(label, name, f"this is no rule set; choose one of {', '.join(RULE_SETS)}")
        if not isinstance(table, dict):
            raise _complaint(label, name, "write a table of articles")
        for article, words in table.items():
            path = f'{name}."{article}"'
            if not ARTICLE.fullmatch(article):
                raise _complaint(label, path, "this is no number of an article")
            if not isinstance(words, str) or not words.strip():
                raise _complaint(label, path, "write one or more plain sentences")
            if name != "articles" and article not in tables.get("articles", {}):
                raise _complaint(label, path, "this article is not among the articles")
    if not tables.get("articles"):
        raise _complaint(label, "articles", "this table is missing")
    return LawWords(tables["articles"], {name: table for name, table in tables.items() if name != "articles"})


@cache
def load_laws(root: Traversable | None = None) -> Mapping[str, LawWords]:
    """Load language -> words; every language has the articles and the editions of English.

    Raises Complaint naming the file and the key path.
    """
    place = (files("config") if root is None else root).joinpath("laws")
    if not place.joinpath(f"{FALLBACK}.toml").is_file():
        raise Complaint(f"config/laws/{FALLBACK}.toml is missing; put it back from the release.")
    found: dict[str, LawWords] = {}
    for entry in sorted(place.iterdir(), key=lambda one: one.name):
        tag, _, ending = entry.name.rpartition(".")
        if ending == "toml":
            found[tag] = laws_of(entry.read_text("utf-8"), f"config/laws/{entry.name}")
    whole = _keys(found[FALLBACK])
    for tag, laws in found.items():
        if wrong := sorted(_keys(laws) ^ whole):
            name, article = wrong[0]
            told = "this entry is missing here or in English"
            raise _complaint(f"config/laws/{tag}.toml", f'{name}."{article}"', told)
    return found


def _keys(laws: LawWords) -> set[tuple[str, str]]:
    return {("articles", article) for article in laws.articles} | {
        (name, article) for name, table in laws.otherwise.items() for article in table
    }


def law_words(article: str, rule_set: str, language: str) -> tuple[str, str]:
    """Return the words on an article for a listener, and the language they are in.

    ("", language) where there are none.
    """
    laws = load_laws()
    tag = language if language in laws else FALLBACK
    return laws[tag].text(article, rule_set), tag
