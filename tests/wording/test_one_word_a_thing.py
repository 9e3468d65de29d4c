"""What a glossary of a language replaces by another word stands in no text of its language: one word for one thing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.exports.words.correction import texts_to_correct
from speech.words.config_file import language_tags

CLDR = ("zero", "one", "two", "few", "many", "other")
LIST = Path(__file__).parent / "words_not_used.toml"
NOT_USED = tomllib.loads(LIST.read_text("utf-8"))
WORDS, MAY_STAY = NOT_USED["in_tests"]["words"], NOT_USED["in_tests"]["may_stay"]
OF_A_PERSON = re.compile(rf"\b({'|'.join(WORDS)})\b", re.IGNORECASE)
HEBREW = re.compile(NOT_USED["in_tests"]["hebrew"])
DEFINED = re.compile(r"\bdef \w+")
WRITTEN = {".py", ".md", ".txt", ".toml", ".ts", ".js", ".sql"}


def texts(repo: Path, tag: str) -> Iterator[tuple[str, str]]:
    """Every text that the program shows or says, with its key: not what it is told to do, nor CLDR's forms."""
    for key, forms in texts_to_correct(tag).items():
        if key.startswith("language."):
            continue
        yield from ((key, text) for form, text in forms.items() if form not in CLDR)
    for path in sorted((repo / "config" / "languages" / tag / "guides").glob("*.md")):
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
    assert wrong.keys() == NOT_USED.keys() - {"may_stay", "in_tests"} == set(language_tags())
    for tag, text in wrong.items():
        assert any(re.search(pattern, text, re.IGNORECASE) for pattern in NOT_USED[tag]), (tag, text)


def of_a_person(line: str) -> list[str]:
    """The words of a line that name a person as the tests do not: without what may stay, the name of a function too."""
    for data in MAY_STAY:
        line = line.replace(data, "")
    line = DEFINED.sub(lambda name: name[0].replace("_", " "), line)
    return [found[0] for found in OF_A_PERSON.finditer(HEBREW.sub("", line))]


def test_the_tests_speak_of_the_player_the_arbiter_and_of_them(repo: Path) -> None:
    """Docstrings, comments, messages and names under tests/ are written like the texts of the program."""
    seen: set[str] = set()
    met: list[str] = []
    files = [path for path in sorted((repo / "tests").rglob("*")) if path.suffix in WRITTEN and path != LIST]
    for path in files:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            seen.update(data for data in MAY_STAY if data in line)
            met += [f"{path.relative_to(repo)}:{number} has {word!r}; {line.strip()}" for word in of_a_person(line)]
    assert len(files) > 500 and met == [], "\n".join(met)
    assert seen == set(MAY_STAY), "what may stay is there"


def test_each_word_of_a_person_is_found_and_the_tag_of_hebrew_is_none() -> None:
    for word in WORDS:
        assert of_a_person(f"until {word} asks") == [word] and of_a_person(f"{word.capitalize()}.") != []
        assert of_a_person(f"    def test_until_{word}_asks() -> None:") == [word]
    for line in ('("de", "he")', "/guide/he/player", "player-he.brf", "words/he.json", "fr:he:de", "the theory"):
        assert of_a_person(line) == []
