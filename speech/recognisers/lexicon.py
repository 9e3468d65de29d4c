"""Which ways to say each word our own model knows: `config/lexicon`, a file a language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.abc import Traversable

import msgspec

from speech.recognisers.checked_words import check_ways
from speech.recognisers.phones import PHONES
from speech.words.config_file import read_settings

LANGUAGES = ("de", "en", "hu", "hy", "ar", "he")
GARBAGE = "[unk]"
"""The word of the model that stands for any speech that is none of ours."""

Way = tuple[str, ...]
"""One way to say a word, as phones."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phones: dict[str, tuple[str, ...]]


def load_lexicon(language: str, root: Traversable | None = None) -> dict[str, tuple[Way, ...]]:
    """Word id -> ways to say it in one language. Raises Complaint that names the file and the key path."""
    label = f"config/lexicon/{language}.toml"
    found = read_settings(f"lexicon/{language}.toml", _File, root).phones
    for word, ways in found.items():
        check_ways(f"{label}, key phones.{word}", word, ways, PHONES)
    return {word: tuple(tuple(way.split()) for way in ways) for word, ways in found.items()}


def token(language: str, word: str) -> str:
    """A word id of one language as the model's word list has it.

    >>> token("de", "file.a")
    'de:file.a'
    """
    return f"{language}:{word}"


def word_of(token: str) -> str:
    """The word id of a token.

    >>> word_of("de:file.a")
    'file.a'
    """
    return token.rpartition(":")[2]


def load_all(languages: tuple[str, ...] = LANGUAGES) -> dict[str, tuple[Way, ...]]:
    """Token -> ways to say it, for every language."""
    return dict(tokens({language: load_lexicon(language) for language in languages}))


def tokens(lexica: Mapping[str, Mapping[str, tuple[Way, ...]]]) -> Iterator[tuple[str, tuple[Way, ...]]]:
    """The words of several languages as tokens with their ways."""
    for language, lexicon in lexica.items():
        for word, ways in lexicon.items():
            yield token(language, word), ways
