"""Short words on points of the Laws (config/laws/TAG.toml) are read and checked here, once.

They are an aid to 11.9, not the Laws.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.abc import Traversable

import msgspec

from server.wording.rules import RULE_SETS
from speech.words.config_file import Source, Text, config_root, names_in, read_source

FALLBACK = "en"
ARTICLE = re.compile(r"(D\.)?\d{1,2}(\.\d{1,2}){1,3}")


class LawWords(msgspec.Struct, frozen=True):
    """This has one language's words: article -> words, and where a rule set says something else."""

    articles: Mapping[str, str]
    otherwise: Mapping[str, Mapping[str, str]]

    def text(self, article: str, rule_set: str) -> str:
        """Return the words on an article in an edition; "" where there are none."""
        return self.otherwise.get(rule_set, {}).get(article) or self.articles.get(article, "")


def laws_of(source: Source) -> LawWords:
    """Return one language's words, checked. Raises Complaint naming the file and the key path."""
    tables = source.shaped(dict[str, dict[str, Text]])
    source.exactly(tables, "", ("articles", *RULE_SETS), every=False)
    if not tables.get("articles"):
        raise source.complain("articles", "this table is missing")
    for name, table in tables.items():
        for article in table:
            if not ARTICLE.fullmatch(article):
                raise source.complain(f'{name}."{article}"', "this is no number of an article")
            if article not in tables["articles"]:
                raise source.complain(f'{name}."{article}"', "this article is not among the articles")
    return LawWords(tables["articles"], {name: table for name, table in tables.items() if name != "articles"})


@cache
def load_laws(root: Traversable | None = None) -> Mapping[str, LawWords]:
    """Load language -> words; every language has the articles and the editions of English.

    Raises Complaint naming the file and the key path.
    """
    tags = sorted({FALLBACK, *names_in(config_root(root), "laws")})
    sources = {tag: read_source(f"laws/{tag}.toml", root) for tag in tags}
    found = {tag: laws_of(source) for tag, source in sources.items()}
    whole = _keys(found[FALLBACK])
    for tag, laws in found.items():
        if wrong := sorted(_keys(laws) ^ whole):
            name, article = wrong[0]
            raise sources[tag].complain(f'{name}."{article}"', "this entry is missing here or in English")
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
