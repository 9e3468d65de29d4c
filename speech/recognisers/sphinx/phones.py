"""This module reads how each word sounds to pocketsphinx, as ARPAbet phones by word id.

The files are in `config/pronunciations/pocketsphinx`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.abc import Traversable
from typing import TypeVar

import msgspec

from speech.recognisers.checked_words import Ways, Weights, check_ways
from speech.recognisers.recogniser import Vocabulary
from speech.words.config_file import read_source
from speech.words.language import WORD_IDS

_VOWELS = ("AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW")
_STOPS = ("B", "CH", "D", "G", "JH", "K", "P", "T")
_OTHERS = ("DH", "F", "HH", "L", "M", "N", "NG", "R", "S", "SH", "TH", "V", "W", "Y", "Z", "ZH")
PHONES = frozenset((*_VOWELS, *_STOPS, *_OTHERS))
"""The 39 phones of the American English acoustic model; every other language is approximated with them."""

FOLDER = "pronunciations/pocketsphinx"
APPROXIMATED = "approximated"
"""The file of the words that nobody wrote phones for; a program made it."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `Settings` say how the decoder searches.

    The beams are as narrow as they can be without losing a word.
    """

    language_weight: float
    phone_insertion: float
    beam: float
    phone_beam: float
    word_beam: float
    gaussians: int


class Pronunciations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `Pronunciations` are the ways to say the words, and how likely the words are.

    `phones`: language -> word id -> ways to say it. `weights`: word id -> how likely it is where it may stand.
    """

    decoder: Settings
    weights: Weights
    phones: Mapping[str, Mapping[str, Ways]]
    spellings: Mapping[str, str] = msgspec.field(default_factory=dict)


class Approximations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `Approximations` are phones made by a program, and how they were made.

    `phones` as in `Pronunciations`, made by `speech.training.voices.sphinx_phones`.
    """

    provenance: str
    phones: Mapping[str, Mapping[str, Ways]]
    spellings: Mapping[str, str] = msgspec.field(default_factory=dict)


def load_pronunciations(name: str = "en-us", root: Traversable | None = None) -> Pronunciations:
    """Read `config/pronunciations/pocketsphinx/NAME.toml`.

    Words that it lacks are taken from `approximated.toml`. Raises Complaint that names the file and the key path.
    """
    found = _checked(name, Pronunciations, root)
    added = _checked(APPROXIMATED, Approximations, root)
    phones = {
        language: {**added.phones.get(language, {}), **found.phones.get(language, {})}
        for language in (*found.phones, *(tag for tag in added.phones if tag not in found.phones))
    }
    return msgspec.structs.replace(found, phones=phones)


_File = TypeVar("_File", Pronunciations, Approximations)


def _checked(name: str, kind: type[_File], root: Traversable | None) -> _File:
    source = read_source(f"{FOLDER}/{name}.toml", root)
    found = source.shaped(kind)
    source.exactly(getattr(found, "weights", {}), "weights", WORD_IDS, every=False)
    for language, table in found.phones.items():
        check_ways(source, f"phones.{language}", table, PHONES)
    return found


def dictionary_of(
    vocabulary: Vocabulary, pronunciations: Pronunciations, english: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return the ways to say each word id, for the words of a vocabulary that have any.

    `english`: spelling -> phones of the model's own dictionary, for English words that no table has.
    """
    found: dict[str, tuple[str, ...]] = {}
    for word in vocabulary.grammar.words():
        language = vocabulary.languages[word]
        ways = vocabulary.ways.get(word) or pronunciations.phones.get(language, {}).get(word, ())
        if not ways and language == "en":
            ways = tuple(way for form in vocabulary.forms[word] for way in _spelled(form, english))
        if ways:
            found[word] = ways
    return found


def _spelled(form: str, english: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the phones of an English phrase, by its words; none where a word is not in the dictionary."""
    ways = [""]
    for part in form.lower().replace("-", " ").split():
        ways = [f"{way} {more}".strip() for way in ways for more in english.get(part, ())[:2]]
    return tuple(ways)


def english_phones(dictionary_text: str) -> dict[str, tuple[str, ...]]:
    """Return a dictionary in the format of CMU Sphinx: spelling -> ways to say it."""
    found: dict[str, tuple[str, ...]] = {}
    for line in dictionary_text.splitlines():
        spelling, _, phones = line.partition(" ")
        spelling = spelling.partition("(")[0]
        found[spelling] = (*found.get(spelling, ()), phones.strip())
    return found
