"""The program also says the words of the pages, so that the arbiter hears what the arbiter reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable

import msgspec

from server.game.acts import acts
from server.wording.rules import editions, titles_of_edition
from speech.words.catalogue import load_messages, texts_in
from speech.words.config_file import Text, language_tags, of_language, read_source
from speech.words.loading import load_scheme
from speech.words.signs import RESULTS, result_said

ACT_ARTICLES = "rules/act_articles.toml"
_LETTERS = re.compile(r"[^\W\d_]+")

RARE_PARTS = ("tables", "desk", "hall", "review", "training", "player")
"""Parts of the catalogue that only some pages fetch (`also` and `more` in language.js)."""


@cache
def page_words(language: str) -> Mapping[str, str]:
    """Return key -> words as a page asks for them ("hour.one"); English where the language is unknown.

    With them goes how the language's readers are shown words of the record ("spelt.Koenig": "König"), and in another
    script than the Latin one how the files and ranks of D.2.1 are read ("legend.a": "Աննա այնս"); the titles of the
    editions of the Laws ("rules.fide2023"); and how a result is said ("result.1-0": "White wins").
    """
    words = {key.removeprefix("page."): text for key, text in texts_in("pages", language).items()}
    if language not in language_tags():
        return words
    words |= {f"rules.{name}": titles_of_edition(name)[language] for name in editions()}
    messages = load_messages(language)
    words |= {f"result.{result}": result_said(result, messages).rstrip(".։") for result in RESULTS}
    scheme = load_scheme("d21", language)
    words |= {f"spelt.{recorded}": shown for recorded, shown in scheme.spelt_otherwise.items()}
    if scheme.listener.script != "Latn":
        for file, rank in zip("abcdefgh", "12345678", strict=True):
            words[f"legend.{file}"] = f"{scheme.text(f'file.{file}')} {scheme.text(f'rank.{rank}')}"
    return words


def record_spelt(text: str, language: str) -> str:
    """Return a line of the record ("Koenig Eva fuenf") as readers of a language are shown its words.

    >>> record_spelt("Koenig Eva fuenf", "en"), record_spelt("Sf3", "en")
    ('König Eva fünf', 'Sf3')
    """
    words = page_words(language)
    return _LETTERS.sub(lambda found: words.get(f"spelt.{found[0]}", found[0]), text)


def alert_head(kind: str, words: Mapping[str, str]) -> str:
    """Return the short name of a kind of alert, of at most 22 letters: it stands at the head of a braille line.

    >>> alert_head("not_legal", page_words("en")), alert_head("takes_king", page_words("en"))
    ('Move not legal', 'King captured')
    """
    return words.get(f"alert_short.{kind}") or words.get(f"alert.{kind}", kind.replace("_", " "))


def move_number(ply: int, words: Mapping[str, str]) -> str:
    """Return a half-move as people number moves: "2 (White)".

    >>> move_number(3, page_words("en")), move_number(4, page_words("en"))
    ('2 (White)', '2 (Black)')
    """
    return f"{(ply + 1) // 2} ({words['white' if ply % 2 else 'black']})"


@cache
def part_words(part: str, language: str) -> Mapping[str, str]:
    """Return words that only some pages ask for beside those of all, by the part of the catalogue (`RARE_PARTS`)."""
    return {key.removeprefix("page."): text for key, text in texts_in(part, language).items()}


class _ActWordsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, tuple[Text, ...]]
    asked: dict[str, tuple[Text, ...]] = {}


@cache
def load_act_words(language: str, root: Traversable | None = None) -> Mapping[str, tuple[str, ...]]:
    """Return act -> words by which arbiters look for it: `act_words.toml` of the language, and the articles of all.

    Raises Complaint naming the file and the key path.
    """
    words, articles = (_act_words(file, root) for file in (of_language(language, "act_words.toml"), ACT_ARTICLES))
    return {act: (*words.get(act, ()), *articles.get(act, ())) for act in {**words, **articles}}


def _act_words(file: str, root: Traversable | None) -> Mapping[str, tuple[str, ...]]:
    source = read_source(file, root)
    found = source.shaped(_ActWordsFile)
    words, asked = found.words, found.asked
    offered = {str(one.__struct_config__.tag) for one in acts() if one.form is not None}
    for act in words:
        if act not in offered:
            raise source.complain(f"words.{act}", f'the arbiter\'s page offers no act "{act}"')
    for part, acts_of_part in (("words", words), ("asked", asked)):
        for act, known in acts_of_part.items():
            if not known or len(set(known)) < len(known):
                raise source.complain(f"{part}.{act}", "write at least one word, and none twice")
    return {**words, **asked}
