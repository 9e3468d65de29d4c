"""The vowels, for a voice, of a text that is written without them. Pure, but for reading the forms once.

A language whose script leaves vowels out has a spoken form of each sentence that is ever said, beside the written one:
`config/languages/TAG/spoken/PART.toml`, with the keys of `words/PART.toml`. Without its vowel signs a spoken form is
the written one, so that nobody has to keep the two apart. What is about to be said is looked up in them, a whole
stretch of words between two places first, a single word last: what is put into a place finds its own form. Pages,
braille and screen readers keep the written text; this is done where a text becomes sound.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from speech.complaint import Phrase
from speech.words.config_file import Source, files_of_language, of_language, read_source
from speech.words.spoken_numbers import SpokenNumbers

FOLDER = "spoken"
NUMBERS, PREFIXES, DOUBTS = "numbers", "prefixes", "doubts"
"""Files of the folder that hold no forms: numbers, what is written together with the next word, and what the drafts did
not agree about. Its file `more` has words that stand in no sentence of the catalogue, as those of the guides."""
HEAD = ("origin", "review")
SPOKEN_PARTS = (
    *("messages", "pages", "tables", "desk", "hall", "review", "training", "player", "laws", "recording"),
    "language",
)
"""The parts of the catalogue of which anything is ever said, and the words of the language."""
SIGNS = "\u0591-\u05bd\u05bf-\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670"
_LETTER = "א-תء-غف-ي"
WORD = re.compile(f"[{_LETTER}][{_LETTER}{SIGNS}]*(?:[׳'\"״][{_LETTER}][{_LETTER}{SIGNS}]*)*[׳']?")
_SIGN = re.compile(f"[{SIGNS}]")
_PLACE = re.compile(r"\{\w*\}")


class SpokenForms(msgspec.Struct, frozen=True):
    """Forms that one language's voice is given in place of written words.

    `stretches`: the first word without signs -> stretches of words as they are said, the longest first; `words`: a word
    without signs -> how it is said, the most frequent first; `prefixes`: what is written together with the word after
    it -> how it is said.
    """

    stretches: Mapping[str, tuple[tuple[str, ...], ...]]
    words: Mapping[str, tuple[str, ...]]
    prefixes: Mapping[str, str]
    numbers: SpokenNumbers | None = None


class _DoubtsFile(msgspec.Struct, frozen=True):
    words: dict[str, tuple[str, ...]]


def without_signs(text: str) -> str:
    """Return a text without its vowel signs: as it is written.

    >>> without_signs("\\u05de\\u05b7\\u05d8")
    'מט'
    """
    return unicodedata.normalize("NFC", _SIGN.sub("", unicodedata.normalize("NFC", text)))


def has_signs(word: str) -> bool:
    """Return whether a word has any vowel sign; a single letter needs none."""
    return len(word) == 1 or _SIGN.search(word) is not None


@cache
def load_spoken_forms(tag: str) -> SpokenForms | None:
    """Return the spoken forms of a language; None where it has none. Raises Complaint."""
    return read_spoken_forms(tag, None)


def read_spoken_forms(tag: str, root: Traversable | None) -> SpokenForms | None:
    """Read the spoken forms of a language from a folder like `config`. Raises Complaint."""
    parts = spoken_parts(tag, root)
    if not parts:
        return None
    texts = [text for part in parts for text in spoken_texts(part, tag, root).values()]
    head = read_source(of_language(tag, f"{FOLDER}/{NUMBERS}.toml"), root)
    prefixes = spoken_texts(PREFIXES, tag, root)
    return spoken_forms(
        texts,
        {without_signs(text): text for text in prefixes.values()},
        head.in_shape(SpokenNumbers),
    )


def spoken_parts(tag: str, root: Traversable | None = None) -> tuple[str, ...]:
    """Return the names of the files of spoken forms of a language."""
    found = files_of_language(tag, FOLDER, root)
    return tuple(name for name in found if name not in (NUMBERS, PREFIXES, DOUBTS))


@cache
def load_doubts(tag: str) -> Mapping[str, tuple[str, ...]]:
    """Return the words whose drafts did not agree, as written -> each way to say it, the one that is said first."""
    if DOUBTS not in files_of_language(tag, FOLDER, None):
        return {}
    return read_source(of_language(tag, f"{FOLDER}/{DOUBTS}.toml")).in_shape(_DoubtsFile).words


def spoken_texts(part: str, tag: str, root: Traversable | None = None) -> dict[str, str]:
    """Return the spoken forms of one part by key; a plural form by "key.form". Raises Complaint."""
    source = read_source(of_language(tag, f"{FOLDER}/{part}.toml"), root)
    return dict(_flat(source, {key: value for key, value in source.table.items() if key not in HEAD}))


def _flat(source: Source, table: Mapping[str, Any], head: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(source, value, f"{head}{key}.")
        elif isinstance(value, str):
            yield f"{head}{key}", value
        else:
            raise source.complain(f"{head}{key}", Phrase("value.text"))


def spoken_forms(
    texts: Iterable[str], prefixes: Mapping[str, str], numbers: SpokenNumbers | None = None
) -> SpokenForms:
    """Return the forms that these texts give; a word alone is said as most of them say it."""
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    stretches: dict[tuple[str, ...], None] = {}
    for text in texts:
        for stretch in _PLACE.split(unicodedata.normalize("NFC", text)):
            said = tuple(word[0] for word in WORD.finditer(stretch))
            for word in said:
                if has_signs(word):
                    counted[without_signs(word)][word] += 1
            if len(said) > 1 and all(map(has_signs, said)):
                stretches.setdefault(said)
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for said in sorted(stretches, key=len, reverse=True):
        found[without_signs(said[0])].append(said)
    return SpokenForms(
        {first: tuple(some) for first, some in found.items()},
        {written: tuple(form for form, _ in forms.most_common()) for written, forms in counted.items()},
        prefixes,
        numbers,
    )


def with_vowels(text: str, forms: SpokenForms) -> str:
    """Return a text with the vowel signs of its words; the signs that it has stay. An unknown word stays as it is."""
    text = unicodedata.normalize("NFC", text)
    found = list(WORD.finditer(text))
    words = tuple(word[0] for word in found)
    bare = tuple(map(without_signs, words))
    told: list[str] = []
    place, end = 0, 0
    while place < len(words):
        said = _stretch(words, bare, place, forms)
        for number, form in enumerate(said, place):
            told += [text[end : found[number].start()], form]
            end = found[number].end()
        place += len(said)
    return "".join([*told, text[end:]])


def _stretch(words: tuple[str, ...], bare: tuple[str, ...], place: int, forms: SpokenForms) -> tuple[str, ...]:
    """Return how the words from a place on are said: as many of them as stand in one form."""
    for said in forms.stretches.get(bare[place], ()):
        here = words[place : place + len(said)]
        if len(here) == len(said) and all(map(keeps_signs, here, said)):
            return said
    return (_word(words[place], bare[place], forms),)


def _word(word: str, bare: str, forms: SpokenForms) -> str:
    for said in forms.words.get(bare, ()):
        if keeps_signs(word, said):
            return said
    if bare != word:
        return word
    for prefix, opening in forms.prefixes.items():
        rest = word.removeprefix(prefix)
        if rest != word and rest in forms.words:
            return opening + forms.words[rest][0]
    return word


def keeps_signs(written: str, said: str) -> bool:
    """Return whether a spoken form has the letters of a written text and all the vowel signs that it has."""
    return len(_letters_of(written)) == len(_letters_of(said)) and all(
        one[0] == other[0] and set(one) <= set(other)
        for one, other in zip(_letters_of(written), _letters_of(said), strict=True)
    )


@cache
def _letters_of(text: str) -> tuple[str, ...]:
    """Return each letter of a text with the signs on it."""
    return tuple(re.findall(f".[{SIGNS}]*", unicodedata.normalize("NFC", text), re.DOTALL))
