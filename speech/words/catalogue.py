"""The catalogue of words, read and checked once at the start: all that is said and written in sentences.

It is `config/languages/TAG/words/PART.toml`: `messages` (the program's own sentences), `pages`, `tables` (what only the
page of all tables says), `desk` (what only the reconciliation desk says), `hall` (the spectators' page and the looks of
a screen), `review` (of a game, and bulletins), `training` (the page to practise on), `player` (what only the pages of
players and assistants say), `report`, `laws`, `handout`, `cards` (at the seats), `envelope`, `recording`, `approval`
(the test of the device), `rules` (the texts of what stands in `config/rules`), `commands` (what the command line says),
`complaints` (what is wrong with a file, a device, another machine) and `proof`. English is the measure: every other
language has the same keys and in each the same places. A sentence that has plurals in English has in every language
exactly the categories that CLDR gives that language for whole numbers.
"""

from __future__ import annotations

import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from typing import NamedTuple

import msgspec
from babel import Locale, UnknownLocaleError

from speech.complaint import Complaint, Phrase
from speech.words.config_file import Source, below, content_of, language_tags, of_language, read_source, source_of
from speech.words.language import Direction, Origin, Review
from speech.words.messages import COUNT, ONLY, Message, Messages

MEASURE = "en"
PARTS = (
    "messages",
    "pages",
    "tables",
    "desk",
    "hall",
    "review",
    "training",
    "player",
    "report",
    "laws",
    "handout",
    "cards",
    "envelope",
    "recording",
    "approval",
    "rules",
    "proof",
    "commands",
    "complaints",
)
OF_A_HALL = tuple(part for part in PARTS if part not in ("commands", "complaints"))
"""Parts that a server says of a game; words of the command line and of complaints are read where they are needed."""
# A pawn has no letter: the one text that is empty, in every language.
_EMPTY = 'page."letter.pawn"'
LANGUAGE_FILE = "language.toml"
_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
# Numbers that show what a category stands for: no rule of CLDR for whole numbers looks further than these.
_TRIED = (*range(1001), 10_000, 100_000, 1_000_000)


def load_messages(tag: str, root: Traversable | None = None, *, part: str = "messages") -> Messages:
    """Return the sentences of one language, of one part of the catalogue, checked against the English ones.

    Raises Complaint: no such language; or the file and the key path of what is missing or wrong.
    """
    return _messages_installed(tag, part) if root is None else _load_messages(tag, part, root)


def check_messages(root: Traversable | None = None, parts: Sequence[str] = PARTS) -> None:
    """Load every language now, not at the first sentence of a game. Raises Complaint."""
    for tag in language_tags(root):
        for part in parts:
            load_messages(tag, root, part=part)


@cache
def awaits_review(tag: str) -> bool:
    """Return whether a native has still to review what is said to players in a language. Raises Complaint."""
    return any(message.review == "needs native review" for message in load_messages(tag).entries.values())


def known_tag(language: str) -> str:
    """Return the language itself where it has words, else English."""
    return language if language in language_tags() else MEASURE


@cache
def texts_in(part: str, language: str) -> Mapping[str, str]:
    """Return key -> text of one part, in English where the language is unknown; a plural form by "key.form"."""
    messages = load_messages(known_tag(language), part=part)
    return {
        f"{key}.{form}" if message.plural else key: text
        for key, message in messages.entries.items()
        for form, text in message.forms.items()
    }


def path_of(part: str, tag: str) -> str:
    """Return the path below `config` of one part in one language."""
    return of_language(tag, f"words/{part}.toml")


def source_in(part: str, tag: str, root: Traversable | None = None) -> Source:
    """Return the file of one part in one language, parsed. Raises Complaint where it is missing or no TOML."""
    return read_source(path_of(part, tag), root)


@cache
def _messages_installed(tag: str, part: str) -> Messages:
    return _load_messages(tag, part, None)


class _Head(msgspec.Struct, frozen=True):
    origin: Origin
    review: Review


class _Writing(msgspec.Struct, frozen=True):
    """Of a language's own file: direction, comma, and the tag by which CLDR knows its plurals, where another."""

    direction: Direction
    comma: str = ", "
    plurals: str = ""


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str | None = None
    zero: str | None = None
    one: str | None = None
    two: str | None = None
    few: str | None = None
    many: str | None = None
    other: str | None = None
    origin: Origin | None = None
    review: Review | None = None
    by: str = ""
    on: str = ""


def _load_messages(tag: str, part: str, root: Traversable | None) -> Messages:
    if tag not in language_tags(root):
        raise Complaint(Phrase("words.no_words", tag=tag, known=", ".join(language_tags(root))))
    own = _files_of(tag, part, root)
    try:
        if root is None:
            return _check_messages(tag, part, own, None)
        return _checked_before(tag, part, own, _files_of(MEASURE, part, root))
    except _FormsMissing as missing:
        raise missing.everywhere(root) from None


class _Files(NamedTuple):
    """The content of a part in one language and of the language's own file."""

    sentences: bytes
    language: bytes


def _files_of(tag: str, part: str, root: Traversable | None) -> _Files:
    return _Files(content_of(path_of(part, tag), root), content_of(of_language(tag, LANGUAGE_FILE), root))


def _check_messages(tag: str, part: str, own: _Files, english: _Files | None) -> Messages:
    """Return the sentences of a part, compared with these English ones, or with the installed ones where None."""
    source = source_of(own.sentences, f"config/{path_of(part, tag)}")
    messages = _read(source, tag, own)
    if tag != MEASURE:
        measure = _checked_before(MEASURE, part, english, english) if english else _messages_installed(MEASURE, part)
        _compare(source, messages, measure, part)
    return messages


_checked_before = lru_cache(maxsize=256)(_check_messages)
"""Of a folder that is read again and again while its files are corrected: what has not changed is not read anew."""


def _read(source: Source, tag: str, files: _Files) -> Messages:
    head = source.in_shape(_Head)
    writing = _writing(tag, files.language)
    category = _locale_of(source, writing.plurals or tag).plural_form
    if _forms_missing(source, category):
        raise _FormsMissing(source, tag, category)
    rest = {key: value for key, value in source.table.items() if key not in _Head.__struct_fields__}
    entries = {
        f"{section}.{name}": _message(source, below(section, name), value, head, category)
        for section, sentences in source.in_shape(dict[str, dict[str, str | _Entry]], value=rest).items()
        for name, value in sentences.items()
    }
    return Messages(tag, writing.direction, entries, category, writing.comma)


@lru_cache(maxsize=64)
def _writing(tag: str, content: bytes) -> _Writing:
    """Return what the language's own file says; each of its many parts asks."""
    return source_of(content, f"config/{of_language(tag, LANGUAGE_FILE)}").in_shape(_Writing)


class _FormsMissing(Exception):
    """A file of a language lacks plural forms."""

    def __init__(self, source: Source, tag: str, category: Callable[[int], str]) -> None:
        super().__init__(tag)
        self._source, self._tag, self._category = source, tag, category

    def everywhere(self, root: Traversable | None) -> Complaint:
        """Return the complaint that names these forms and those that the language's other files lack."""
        named = []
        for part in PARTS:
            try:
                missing = _forms_missing(source_in(part, self._tag, root), self._category)
            except Complaint:  # it is complained of when it is loaded
                continue
            if missing:
                named.append(f"{part}.toml: {', '.join(missing)}")
        return self._source.complain("", Phrase("sentence.forms_missing", names="; ".join(named)))


def _forms_missing(source: Source, category: Callable[[int], str]) -> list[str]:
    """Return the key path of each plural form of a language that is not in this file."""
    return [
        f"{below(section, name)}.{form}"
        for section, sentences in source.table.items()
        if isinstance(sentences, dict)
        for name, value in sentences.items()
        if isinstance(value, dict) and "text" not in value and not value.keys().isdisjoint(_CATEGORIES)
        for form in _numbers_of(category)
        if form not in value
    ]


def _locale_of(source: Source, tag: str) -> Locale:
    try:
        return Locale.parse(tag, sep="-")
    except (UnknownLocaleError, ValueError):
        raise Complaint(f'{source.label}: CLDR does not know "{tag}"; name the folder by a language.') from None


def _message(source: Source, path: str, value: str | _Entry, head: _Head, category: Callable[[int], str]) -> Message:
    entry = _Entry(text=value) if isinstance(value, str) else value
    forms = {form: text for form in _CATEGORIES if (text := getattr(entry, form)) is not None}
    if entry.text is None:
        _check_plurals(source, path, forms, category)
    elif forms:
        raise source.complain(path, "it has both a text and plural forms; keep one of them")
    for form, text in forms.items():
        _check_text(source, f"{path}.{form}", text)
    if entry.text is not None:
        _check_text(source, path, entry.text)
        forms = {ONLY: entry.text}
    return Message(forms, entry.text is None, entry.origin or head.origin, entry.review or head.review)


def _check_plurals(source: Source, path: str, forms: Mapping[str, str], category: Callable[[int], str]) -> None:
    stands_for = _numbers_of(category)
    for form in stands_for:
        if form not in forms:
            raise source.complain(f"{path}.{form}", Phrase("sentence.form_missing"))
    for form, text in forms.items():
        if form not in stands_for:
            raise source.complain(f"{path}.{form}", Phrase("sentence.no_form"))
        # "An hour" may go without its number; a form for several numbers may not.
        if stands_for[form] > 1 and COUNT not in places_of(text):
            raise source.complain(f"{path}.{form}", Phrase("sentence.needs_number", place="{count}"))


@cache
def _numbers_of(category: Callable[[int], str]) -> Counter[str]:
    """Return for how many of the numbers tried each plural form of a language stands."""
    return Counter(map(category, _TRIED))


def _check_text(source: Source, path: str, text: str) -> None:
    if not text.strip() and path != _EMPTY:
        raise source.complain(path, Phrase("value.empty"))
    if not unicodedata.is_normalized("NFC", text):
        raise source.complain(path, Phrase("sentence.not_nfc"))
    unprintable = () if text.isprintable() else [one for one in text if not one.isprintable()]
    if "\u0640" in text or any(unicodedata.category(one) in ("Cf", "Cc") for one in unprintable):
        raise source.complain(path, Phrase("sentence.marks"))
    try:
        places_of(text)
    except ValueError as wrong:
        raise source.complain(path, Phrase("sentence.braces", why=wrong)) from wrong


def places_of(text: str) -> set[str]:
    """Return the names of the places of a text ("{time}" -> "time"); a number is a name too.

    Raises ValueError for braces that do not match.
    """
    if "{" not in text and "}" not in text:
        return set()
    places = set()
    for _, field, form, conversion in string.Formatter().parse(text):
        if field is None:
            continue
        if form or conversion or not (field.isidentifier() or field.isdecimal()):
            raise ValueError(f'"{field}" is not a plain name')
        places.add(field)
    return places


def _compare(source: Source, messages: Messages, measure: Messages, part: str) -> None:
    """Check for the same keys, the same places, and plurals in the same sentences."""
    english = f"config/{path_of(part, MEASURE)}"
    for key in {**measure.entries, **messages.entries}:
        path = below(*key.split(".", 1))
        expected, message = measure.entries.get(key), messages.entries.get(key)
        if message is None:
            raise source.complain(path, f"this sentence is missing; {english} has it")
        if expected is None:
            raise source.complain(path, f"{english} has no such sentence; check its spelling")
        plural = expected.plural
        if plural != message.plural:
            wanted_kind = f"the plural forms {', '.join(_forms_of(messages))}" if plural else "one text"
            raise source.complain(path, f"it must have {wanted_kind}, as in English")
        _compare_places(source, path, message.forms, expected)


def check_sentence(source: Source, key: str, forms: Mapping[str, str], expected: Message, messages: Messages) -> None:
    """Check one sentence of a language, as if it stood in the catalogue.

    `expected`: the English one. `messages`: the part of the language. Raises Complaint.
    """
    path = below(*key.split(".", 1))
    if expected.plural:
        _check_plurals(source, path, forms, messages.category)
    for form, text in forms.items():
        _check_text(source, f"{path}.{form}" if expected.plural else path, text)
    _compare_places(source, path, forms, expected)


def _compare_places(source: Source, path: str, forms: Mapping[str, str], expected: Message) -> None:
    """Check that a sentence has the places of the English one in each of its forms."""
    wanted = set().union(*map(places_of, expected.forms.values()))
    for form, text in forms.items():
        places = places_of(text)
        if places - {COUNT} != wanted - {COUNT} or (not expected.plural and places != wanted):
            named = ", ".join(f"{{{place}}}" for place in sorted(wanted)) or "no braces"
            raise source.complain(f"{path}.{form}" if expected.plural else path, Phrase("sentence.places", names=named))


def _forms_of(messages: Messages) -> list[str]:
    return [form for form in _CATEGORIES if form in _numbers_of(messages.category)]


def phrase_in(phrase: Phrase, language: str) -> str:
    """Return a phrase in a language; in English where that is unknown.

    A phrase in a place of it stands there without its full stop.
    """
    part, key = ("complaints", phrase.key) if "." in phrase.key else ("messages", f"complaint.{phrase.key}")
    values = {
        place: phrase_in(value, language).rstrip(".։") if isinstance(value, Phrase) else value
        for place, value in phrase.values.items()
    }
    return load_messages(known_tag(language), part=part).text(key, **values)


def _in_english(phrase: Phrase) -> str:
    """Return a phrase in English; by its key where the English words themselves cannot be read."""
    try:
        return phrase_in(phrase, MEASURE)
    except Complaint:
        return f"{phrase.key} {phrase.values}"


Phrase.english = _in_english
