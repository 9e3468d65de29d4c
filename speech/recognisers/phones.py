"""How each word sounds to pocketsphinx: word id -> ARPAbet phones, from `config/pronunciations/pocketsphinx`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.abc import Traversable
from importlib.resources import files
from typing import TypeVar

import msgspec

from speech.complaint import Complaint
from speech.language import WORD_IDS
from speech.recognisers.recogniser import Vocabulary

_VOWELS = ("AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW")
_STOPS = ("B", "CH", "D", "G", "JH", "K", "P", "T")
_OTHERS = ("DH", "F", "HH", "L", "M", "N", "NG", "R", "S", "SH", "TH", "V", "W", "Y", "Z", "ZH")
PHONES = frozenset((*_VOWELS, *_STOPS, *_OTHERS))
"""The 39 phones of the American English acoustic model; every other language is approximated with them."""

APPROXIMATED = "approximated"
"""The file of the words that nobody wrote phones for: made by a program."""

Read = TypeVar("Read")


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the decoder searches. The beams are as narrow as they can be without a word being lost by it."""

    language_weight: float
    phone_insertion: float
    beam: float
    phone_beam: float
    word_beam: float
    gaussians: int


class Pronunciations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`phones`: language -> word id -> ways to say it. `weights`: word id -> how likely it is where it may stand."""

    decoder: Settings
    weights: Mapping[str, float]
    phones: Mapping[str, Mapping[str, tuple[str, ...]]]
    spellings: Mapping[str, str] = msgspec.field(default_factory=dict)


class Approximations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`phones` as in `Pronunciations`, made by `speech.training.approximating_phones`, and how they were made."""

    provenance: str
    phones: Mapping[str, Mapping[str, tuple[str, ...]]]
    spellings: Mapping[str, str] = msgspec.field(default_factory=dict)


def load_pronunciations(name: str = "en-us", root: Traversable | None = None) -> Pronunciations:
    """Read `config/pronunciations/pocketsphinx/NAME.toml`; words that it lacks are taken from `approximated.toml`.

    Raises Complaint that names the file and the key path.
    """
    place = files("config") if root is None else root
    found = _read(place, name, Pronunciations)
    label = f"config/pronunciations/pocketsphinx/{name}.toml"
    for word, weight in found.weights.items():
        if word not in WORD_IDS or not 0 < weight <= 1:
            raise Complaint(f"{label}, key weights.{word}: it must be a word id with a weight above 0 and up to 1.")
    _check(label, found.phones)
    added = _read(place, APPROXIMATED, Approximations)
    _check(f"config/pronunciations/pocketsphinx/{APPROXIMATED}.toml", added.phones)
    phones = {
        language: {**added.phones.get(language, {}), **found.phones.get(language, {})}
        for language in (*found.phones, *(tag for tag in added.phones if tag not in found.phones))
    }
    return msgspec.structs.replace(found, phones=phones)


def _read(place: Traversable, name: str, kind: type[Read]) -> Read:
    label = f"config/pronunciations/pocketsphinx/{name}.toml"
    try:
        text = place.joinpath("pronunciations", "pocketsphinx", f"{name}.toml").read_text("utf-8")
        return msgspec.convert(tomllib.loads(text), kind)
    except FileNotFoundError:
        raise Complaint(f"{label} is missing; install Anna Eins again.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise Complaint(f"{label} is not readable as TOML: {wrong}.") from None
    except msgspec.ValidationError as wrong:
        raise Complaint(f"{label}: {wrong}.".replace("`", '"').replace("$.", "")) from None


def _check(label: str, phones: Mapping[str, Mapping[str, tuple[str, ...]]]) -> None:
    for language, table in phones.items():
        for word, ways in table.items():
            path = f"{label}, key phones.{language}.{word}"
            if word not in WORD_IDS:
                raise Complaint(f"{path}: this entry is not known; check its spelling.")
            if not ways:
                raise Complaint(f"{path}: give at least one way to say it.")
            for way in ways:
                if not way.split() or not PHONES.issuperset(way.split()):
                    raise Complaint(f'{path}: "{way}" has a phone that the model does not know.')


def dictionary_of(
    vocabulary: Vocabulary, pronunciations: Pronunciations, english: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Word id -> ways to say it, for the words of a vocabulary that have any.

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
    """The phones of an English phrase, by its words; none where a word is not in the dictionary."""
    ways = [""]
    for part in form.lower().replace("-", " ").split():
        ways = [f"{way} {more}".strip() for way in ways for more in english.get(part, ())[:2]]
    return tuple(ways)


def english_phones(dictionary_text: str) -> dict[str, tuple[str, ...]]:
    """A dictionary in the format of CMU Sphinx: spelling -> ways to say it."""
    found: dict[str, tuple[str, ...]] = {}
    for line in dictionary_text.splitlines():
        spelling, _, phones = line.partition(" ")
        spelling = spelling.partition("(")[0]
        found[spelling] = (*found.get(spelling, ()), phones.strip())
    return found
