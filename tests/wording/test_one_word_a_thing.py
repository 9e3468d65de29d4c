"""What a glossary of docs/words replaces by another word stands in no text of its language: one word for one thing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.exports.correction import texts_of
from speech.words.loading import language_tags

CLDR = ("zero", "one", "two", "few", "many", "other")
NOT_USED = tomllib.loads((Path(__file__).parent / "words_not_used.toml").read_text("utf-8"))


def texts(repo: Path, tag: str) -> Iterator[tuple[str, str]]:
    """Every text that the program shows or says, with its key: not what it is told to do, nor CLDR's forms."""
    for key, forms in texts_of(tag).items():
        if key.startswith("language."):
            continue
        yield from ((key, text) for form, text in forms.items() if form not in CLDR)
    for path in sorted((repo / "config" / "guides" / tag).glob("*.md")):
        yield from (
            (f"{path.name}:{number}", line) for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        )


@pytest.mark.parametrize("tag", language_tags())
def test_no_text_has_a_word_that_the_glossary_replaces(repo: Path, tag: str) -> None:
    rules = [(re.compile(pattern, re.IGNORECASE), word) for pattern, word in NOT_USED[tag].items()]
    met = [
        f"{key}: {text!r} has {found[0]!r}; use: {word}"
        for key, text in texts(repo, tag)
        for pattern, word in rules
        if (found := pattern.search(text)) and key not in NOT_USED["may_stay"]
    ]
    assert len(rules) > 5 and met == [], "\n".join(met)


def test_the_patterns_find_what_they_are_for() -> None:
    wrong = {
        "en": "Send away this device", "de": "Die Veranstaltung", "hu": "A(z) 3. tábla", "hy": "պարտիան",
        "ar": "اضغط الساعة", "he": "בחר לוח",
    }  # fmt: skip
    assert wrong.keys() == NOT_USED.keys() - {"may_stay"} == set(language_tags())
    for tag, text in wrong.items():
        assert any(re.search(pattern, text, re.IGNORECASE) for pattern in NOT_USED[tag]), (tag, text)
