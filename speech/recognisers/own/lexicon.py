"""Which ways to say each word our own model knows: `config/lexicon`, a file a language."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.abc import Traversable
from importlib.resources import files

import msgspec

from speech.complaint import Complaint
from speech.language import WORD_IDS
from speech.recognisers.own.phones import PHONES

LANGUAGES = ("de", "en", "hu", "hy", "ar", "he")
GARBAGE = "[unk]"
"""The word of the model that stands for any speech that is none of ours."""

Way = tuple[str, ...]
"""One way to say a word, as phones."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phones: dict[str, tuple[str, ...]]


def load_lexicon(language: str, root: Traversable | None = None) -> dict[str, tuple[Way, ...]]:
    """Word id -> ways to say it in one language. Raises Complaint that names the file and the key path."""
    place = files("config") if root is None else root
    label = f"config/lexicon/{language}.toml"
    try:
        text = place.joinpath("lexicon", f"{language}.toml").read_text("utf-8")
        found = msgspec.convert(tomllib.loads(text), _File).phones
    except FileNotFoundError:
        raise Complaint(f"{label} is missing; install Anna Eins again.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise Complaint(f"{label} is not readable as TOML: {wrong}.") from None
    except msgspec.ValidationError as wrong:
        raise Complaint(f"{label}: {wrong}.".replace("`", '"').replace("$.", "")) from None
    for word, ways in found.items():
        path = f"{label}, key phones.{word}"
        if word not in WORD_IDS:
            raise Complaint(f"{path}: this entry is not known; check its spelling.")
        if not ways:
            raise Complaint(f"{path}: give at least one way to say it.")
        for way in ways:
            if not way.split() or not set(way.split()) <= set(PHONES):
                raise Complaint(f'{path}: "{way}" has a phone that the model does not know.')
    return {word: tuple(tuple(way.split()) for way in ways) for word, ways in found.items()}


def token(language: str, word: str) -> str:
    """A word id of one language as the model's word list has it.

    >>> token("de", "file.a")
    'de:file.a'
    """
    return f"{language}:{word}"


def load_all(languages: tuple[str, ...] = LANGUAGES) -> dict[str, tuple[Way, ...]]:
    """Token -> ways to say it, for every language."""
    return dict(tokens({language: load_lexicon(language) for language in languages}))


def tokens(lexica: Mapping[str, Mapping[str, tuple[Way, ...]]]) -> Iterator[tuple[str, tuple[Way, ...]]]:
    """The words of several languages as tokens with their ways."""
    for language, lexicon in lexica.items():
        for word, ways in lexicon.items():
            yield token(language, word), ways
