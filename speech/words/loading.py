"""This module reads and checks the words once, at the start (TOML in `config/`).

They are languages, schemes and pronunciations.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.abc import Traversable
from typing import Any

import msgspec

from speech.complaint import Complaint
from speech.words.config_file import Source, config_root, names_in
from speech.words.grammar import FILE_NAMES
from speech.words.language import (
    FILES,
    PIECES,
    WORD_IDS,
    WORD_PARTS,
    Direction,
    Language,
    Notation,
    Word,
)
from speech.words.messages_loading import load_messages
from speech.words.scheme import CLASSES, Scheme, SchemeWord
from speech.words.scheme_changes import LISTENER, NO_CHANGES, SchemeChanges, SchemeFile, settled
from speech.words.spelling import spellings_of

# The language of the words of D.2.1, which other scripts transliterate.
GERMAN = "de"


def language_tags(root: Traversable | None = None) -> tuple[str, ...]:
    """Return the tags of the languages there are, sorted."""
    return tuple(names_in(config_root(root), "languages"))


def scheme_names(root: Traversable | None = None) -> tuple[str, ...]:
    """Return the names of the schemes there are, sorted."""
    return tuple(names_in(config_root(root), "schemes"))


def _word(source: Source, table: Mapping[str, Any], path: str) -> Word:
    word = source.value(table, path, Word)
    for form in (word.text, *word.spoken):
        if not form.strip():
            raise source.complain(path, "a form is empty")
    return word


def _notation(source: Source) -> Notation:
    notation = source.value(source.table, "notation", Notation)
    if set(notation.pieces) != set(PIECES) - {"pawn"}:
        raise source.complain("notation.pieces", "it must have exactly king, queen, rook, bishop and knight")
    if len(notation.files) != len(FILES):
        raise source.complain("notation.files", "it must have eight letters")
    return notation


def load_language(tag: str, root: Traversable | None = None) -> Language:
    """Read `config/languages/TAG.toml`.

    `root` is the folder that stands for `config` (the installed one where it is not given). Raises Complaint: no such
    language; or the file and the key path of what is wrong.
    """
    source = Source(config_root(root), "languages", tag, "language")
    source.exactly(
        source.table,
        "",
        (
            "name",
            "native_name",
            "script",
            "direction",
            "notation",
            "words",
            "transliteration",
        ),
    )
    table = source.subtable(source.table, "words")
    source.exactly(table, "words", tuple(WORD_PARTS))
    words: dict[str, Word] = {}
    for head, tails in WORD_PARTS.items():
        group = source.subtable(table, f"words.{head}")
        source.exactly(group, f"words.{head}", tails)
        for tail in tails:
            words[f"{head}.{tail}"] = _word(source, group, f"words.{head}.{tail}")
    transliteration: dict[str, Word] = {}
    for head, group in source.value(source.table, "transliteration", dict[str, dict[str, Any]]).items():
        source.exactly({head: group}, "transliteration", tuple(WORD_PARTS))
        source.exactly(group, f"transliteration.{head}", WORD_PARTS[head])
        for tail in group:
            transliteration[f"{head}.{tail}"] = _word(source, group, f"transliteration.{head}.{tail}")
    return Language(
        tag=tag,
        name=source.value(source.table, "name", str),
        native_name=source.value(source.table, "native_name", str),
        script=source.value(source.table, "script", str),
        direction=source.value(source.table, "direction", Direction),  # type: ignore[arg-type]
        words=words,
        transliteration=transliteration,
        notation=_notation(source),
    )


@cache
def _installed_pronunciations() -> Mapping[tuple[str, str], Mapping[str, str]]:
    return _pronunciations(config_root(None))


def _pronunciations(root: Traversable) -> dict[tuple[str, str], dict[str, str]]:
    """Return (engine, language) -> word id -> spelling."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    place = root.joinpath("pronunciations")
    for engine in sorted(place.iterdir(), key=lambda entry: entry.name) if place.is_dir() else ():
        if not engine.is_dir():
            continue
        for language in names_in(place, engine.name):
            source = Source(root, f"pronunciations/{engine.name}", language, "pronunciation")
            spellings = source.value(source.table, "spellings", dict[str, str])
            source.exactly(spellings, "spellings", WORD_IDS)
            found[engine.name, language] = spellings
    return found


def _changed(parsed: SchemeFile, changes: SchemeChanges, tags: list[str]) -> SchemeFile:
    """Return the scheme with the changes the table settled on.

    Raises Complaint where it is settled on something that does not exist.
    """
    for kind, value in changes.given().items():
        known = FILE_NAMES if kind == "file_names" else (LISTENER, *tags)
        if value not in known:
            raise Complaint(f'{kind} cannot be settled as "{value}"; choose one of: {", ".join(known)}.')
    return changes.of(parsed)


def load_scheme(
    name: str, language: str, root: Traversable | None = None, *, changes: SchemeChanges = NO_CHANGES
) -> Scheme:
    """Read the scheme `name` for a listener of `language`, with all it needs.

    It needs languages and pronunciations. `name`: of a file, and after it what is settled otherwise
    ("d21+ranks=listener"). `changes`: what the table has on record, which counts before that. Raises Complaint: no such
    scheme or language; or the file and the key path of what is wrong.
    """
    place = config_root(root)
    name, written = settled(name)
    changes = written.under(changes)
    source = Source(place, "schemes", name, "scheme")
    try:
        parsed = msgspec.convert(source.table, SchemeFile)
    except msgspec.ValidationError as wrong:
        raise Complaint(f"{source.label}: {wrong}.".replace("`", '"').replace("$.", "")) from wrong
    parsed = _changed(parsed, changes, names_in(place, "languages"))
    source.exactly(parsed.language, "language", tuple(CLASSES.values()))
    for kind in CLASSES.values():
        if kind not in parsed.language:
            raise source.complain(f"language.{kind}", "this entry is missing")
    listener = load_language(language, place)
    languages = {language: listener}
    for kind, tag in parsed.language.items():
        if tag != LISTENER and tag not in languages:
            if tag not in names_in(place, "languages"):
                raise source.complain(f"language.{kind}", f'there is no language "{tag}"')
            languages[tag] = load_language(tag, place)
    spellings = _installed_pronunciations() if root is None else _pronunciations(place)
    words: dict[str, SchemeWord] = {}
    for word in WORD_IDS:
        tag = parsed.language[CLASSES[word.split(".")[0]]]
        tag = language if tag == LISTENER else tag
        native = languages[tag].words[word]
        # A German word is shown in the listener's own script and said by the German voice.
        shown = listener.transliteration.get(word, native) if tag == GERMAN != language else native
        forms = (shown.text, *shown.spoken, native.text, *native.spoken)
        words[word] = SchemeWord(
            text=shown.text,
            voice_language=tag,
            voice_text=native.text,
            origin=shown.origin,
            spoken=tuple(dict.fromkeys(forms)),
            spellings={
                engine: table[word] for (engine, spoken), table in spellings.items() if spoken == tag and word in table
            },
        )
    try:
        ways = spellings_of({word: entry.spoken for word, entry in words.items()})
    except ValueError as wrong:
        raise Complaint(f"{source.label} for the language {language}: {wrong}; change one of them.") from wrong
    return Scheme(
        name=changes.named(name),
        language=language,
        file_names=parsed.file_names,
        words=words,
        listener=listener,
        messages=load_messages(language, root),
        written_forms=ways,
        longest_form=max(len(way.split()) for way in ways),
    )
