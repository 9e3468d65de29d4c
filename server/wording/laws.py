"""Short words on points of the Laws (config/languages/TAG/words/laws.toml) are found here by article and edition.

They are an aid to 11.9, not the Laws.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources.abc import Traversable

from server.wording.rules import editions
from speech.words.catalogue import MEASURE, known_tag, load_messages, source_in, texts_in
from speech.words.config_file import below

ARTICLE = re.compile(r"(D\.)?\d{1,2}(\.\d{1,2}){1,3}")


@cache
def check_laws(root: Traversable | None = None) -> None:
    """Check that each key is the number of an article, and that each one of another edition is in `articles` too.

    The English words are checked: all languages have the same keys. Raises Complaint naming the file and the key path.
    """
    source, keys = source_in("laws", MEASURE, root), load_messages(MEASURE, root, part="laws").entries
    source.exactly(source.table, "", ("origin", "review", "articles", *editions()), every=False)
    if not source.table.get("articles"):
        raise source.complain("articles", "this table is missing")
    for edition, article in (key.split(".", 1) for key in keys):
        if not ARTICLE.fullmatch(article):
            raise source.complain(below(edition, article), "this is no number of an article")
        if f"articles.{article}" not in keys:
            raise source.complain(below(edition, article), "this article is not among the articles")


def law_words(article: str, rule_set: str, language: str) -> tuple[str, str]:
    """Return the words on an article for a listener, and the language they are in.

    ("", language) where there are none.
    """
    tag = known_tag(language)
    words = texts_in("laws", tag)
    return words.get(f"{rule_set}.{article}") or words.get(f"articles.{article}", ""), tag
