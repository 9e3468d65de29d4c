"""The phones of our own model, and the ways to say each word with them. Pure.

The ways are in `lexicon.toml` of each language. One set of phones serves all languages, as coarse as the
words allow: a foreign accent moves a vowel further than German tells two of them apart. Long and short vowels are one
phone where only length differs; affricates are two phones; a diphthong is one phone of two states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable

import msgspec

from speech.recognisers.checked_words import Ways, check_ways
from speech.words.config_file import language_has, language_tags, of_language, read_source

LEXICON = "lexicon.toml"
GARBAGE = "[unk]"
"""The word of the model that stands for any speech that is none of ours."""

Way = tuple[str, ...]
"""One way to say a word, as phones."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phones: dict[str, Ways]


def load_lexicon(language: str, root: Traversable | None = None) -> dict[str, tuple[Way, ...]]:
    """Return the ways to say each word id in one language.

    Raises Complaint that names the file and the key path.
    """
    source = read_source(of_language(language, LEXICON), root)
    found = source.in_shape(_File).phones
    check_ways(source, "phones", found, PHONES)
    return {word: tuple(tuple(way.split()) for way in ways) for word, ways in found.items()}


def token(language: str, word: str) -> str:
    """Return a word id of one language as the model's word list has it.

    >>> token("de", "file.a")
    'de:file.a'
    """
    return f"{language}:{word}"


def word_of(token: str) -> str:
    """Return the word id of a token.

    >>> word_of("de:file.a")
    'file.a'
    """
    return token.rpartition(":")[2]


def languages_heard() -> tuple[str, ...]:
    """Return the languages that our own model can hear: those that have a lexicon."""
    return tuple(tag for tag in language_tags() if language_has(tag, LEXICON))


def load_all() -> dict[str, tuple[Way, ...]]:
    """Return the ways to say each token, for every language."""
    return dict(tokens({language: load_lexicon(language) for language in languages_heard()}))


def tokens(lexica: Mapping[str, Mapping[str, tuple[Way, ...]]]) -> Iterator[tuple[str, tuple[Way, ...]]]:
    """Yield the words of several languages as tokens with their ways."""
    for language, lexicon in lexica.items():
        for word, ways in lexicon.items():
            yield token(language, word), ways


SILENCE = "sil"
TALK = "talk"
"""The unit of speech that is not for the program, as people speak it: no phone, and in no word."""
DIPHTHONGS = ("aI", "aU", "OY", "eI", "oU")
VOWELS = ("a", "e", "E", "i", "I", "o", "O", "u", "U", "y", "2", "@", "6", *DIPHTHONGS)
STOPS = ("p", "b", "t", "d", "k", "g")
FRICATIVES = ("f", "v", "s", "z", "S", "Z", "C", "x", "h", "T", "D")
SONORANTS = ("m", "n", "N", "l", "r", "j", "w")
PHONES = (*VOWELS, *STOPS, *FRICATIVES, *SONORANTS)
"""42 phones in something like SAMPA: "2" as in König, "6" as in Läufer (the end), "C" as in ich, "x" as in acht."""

UNITS: tuple[str, ...] = (
    SILENCE,
    *(unit for phone in PHONES for unit in ((f"{phone}1", f"{phone}2") if phone in DIPHTHONGS else (phone,))),
)
"""Units that the network tells apart: silence, each phone, each half of a diphthong."""


def units(phones: Sequence[str]) -> tuple[str, ...]:
    """Return phones as the units that the network tells apart.

    >>> units(("d", "r", "aI"))
    ('d', 'r', 'aI1', 'aI2')
    """
    return tuple(unit for phone in phones for unit in ((f"{phone}1", f"{phone}2") if phone in DIPHTHONGS else (phone,)))
