"""Loading and checking the words once, at the start (TOML in `config/`).

The words are those of languages, schemes and pronunciations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources.abc import Traversable
from typing import Annotated, Any, get_args

import msgspec

from speech.complaint import Complaint, Phrase
from speech.words.catalogue import known_tag, load_messages
from speech.words.config_file import (
    Source,
    Text,
    config_root,
    language_has,
    language_tags,
    named_source,
    of_language,
    read_source,
)
from speech.words.language import (
    DENYING,
    FILES,
    PIECES,
    SENSES,
    WEIGHTLESS,
    WORD_IDS,
    WORD_PARTS,
    Direction,
    Language,
    Notation,
    Phrasebook,
    Senses,
    Word,
)
from speech.words.scheme import CLASSES, Scheme, SchemeWord
from speech.words.scheme_changes import (
    LISTENER,
    NO_CHANGES,
    NOTHING,
    AlsoHeard,
    FileNames,
    SchemeChanges,
    SchemeFile,
    list_kinds,
    name_and_changes,
)
from speech.words.spelling import ascii_form, bare_form, normal_form, phrase_form, spellings_of

ENGINES = ("espeak", "ipa")
"""Of which a language may have a file in `pronunciations`: how a voice must be given words, and how they sound."""
# The language of the words of D.2.1, which other scripts transliterate.
GERMAN = "de"


class _LanguageFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    native_name: str
    script: str
    direction: Direction
    notation: Notation
    words: dict[str, dict[str, Any]]
    transliteration: dict[str, dict[str, Any]] = {}
    comma: str = ", "
    plurals: str = ""
    voice: str = ""
    phrase: Annotated[int, msgspec.Meta(ge=12, le=80)] = 36
    time_pace: Annotated[float, msgspec.Meta(ge=1.0, le=1.5)] = 1.0


def load_language(tag: str, root: Traversable | None = None) -> Language:
    """Read `config/languages/TAG/language.toml`.

    `root` is the folder that stands for `config` (the installed one where it is not given). Raises Complaint: no such
    language; or the file and the key path of what is wrong.
    """
    return _installed_language(tag) if root is None else _language(tag, root)


def parts_listed(parts: Iterable[str], language: str) -> str:
    """Return the parts as one list, with the comma of this language between them."""
    return load_language(known_tag(language)).comma.join(parts)


@cache
def _installed_language(tag: str) -> Language:
    return _language(tag, None)


def _source_of(tag: str, name: str, root: Traversable | None) -> Source:
    """Return one file of a language. Raises Complaint that lists the languages there are."""
    if tag not in language_tags(root):
        names = ", ".join(language_tags(root))
        raise Complaint(Phrase("file.no_such", what=Phrase("what.language"), name=tag, names=names))
    return read_source(of_language(tag, name), root)


def _language(tag: str, root: Traversable | None) -> Language:
    source = _source_of(tag, "language.toml", root)
    found = source.in_shape(_LanguageFile)
    if set(found.notation.pieces) != set(PIECES) - {"pawn"}:
        raise source.complain("notation.pieces", "it must have exactly king, queen, rook, bishop and knight")
    if len(found.notation.files) != len(FILES):
        raise source.complain("notation.files", "it must have eight letters")
    return Language(
        tag=tag,
        name=found.name,
        native_name=found.native_name,
        script=found.script,
        direction=found.direction,
        words=_words(source, "words", found.words, every=True),
        transliteration=_words(source, "transliteration", found.transliteration, every=False),
        notation=found.notation,
        comma=found.comma,
        voice=found.voice or tag,
        phrase=found.phrase,
        time_pace=found.time_pace,
    )


def _words(source: Source, part: str, groups: Mapping[str, Mapping[str, Any]], *, every: bool) -> dict[str, Word]:
    """Return word id -> word; `every`: all words must be there."""
    source.exactly(groups, part, WORD_PARTS, every=every)
    found: dict[str, Word] = {}
    for head, group in groups.items():
        source.exactly(group, f"{part}.{head}", WORD_PARTS[head], every=every)
        for tail, raw in group.items():
            word = found[f"{head}.{tail}"] = source.in_shape(Word, f"{part}.{head}.{tail}", raw)
            if not all(form.strip() for form in (word.text, *word.spoken)):
                raise source.complain(f"{part}.{head}.{tail}", "a form is empty")
    return {word: found[word] for word in WORD_IDS if word in found}


class _PhraseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    skip: tuple[Text, ...]
    before: tuple[Text, ...]
    after: tuple[Text, ...]
    senses: dict[str, tuple[Text, ...]]
    moves: dict[str, tuple[Text, ...]]


def load_phrasebook(tag: str, root: Traversable | None = None) -> Phrasebook:
    """Read `config/languages/TAG/phrases.toml`. Raises Complaint: no such language, or what is wrong and where."""
    return _installed_phrasebook(tag) if root is None else _phrasebook(tag, root)


@cache
def _installed_phrasebook(tag: str) -> Phrasebook:
    return _phrasebook(tag, None)


def _phrasebook(tag: str, root: Traversable | None) -> Phrasebook:
    source = _source_of(tag, "phrases.toml", root)
    found = source.in_shape(_PhraseFile)
    phrases: dict[str, list[Senses]] = {}
    for way in _ways(found.skip):
        phrases.setdefault(way, []).append(WEIGHTLESS)
    for key, forms in found.senses.items():
        senses = frozenset(key.split())
        source.exactly(dict.fromkeys(senses), "senses", SENSES, every=False)
        for way in _ways(forms):
            phrases.setdefault(way, []).append(senses)
    denied = [form for form, ways in phrases.items() if WEIGHTLESS in ways and any(one & DENYING for one in ways)]
    if denied:
        raise source.complain("skip", f'"{denied[0]}" denies, and has weight')
    moves: dict[str, list[tuple[str, ...]]] = {}
    for key, forms in found.moves.items():
        chain = tuple(key.split())
        source.exactly(dict.fromkeys(chain), "moves", WORD_IDS, every=False)
        for way in _ways(forms):
            moves.setdefault(way, []).append(chain)
    return Phrasebook(
        language=tag,
        phrases={form: tuple(dict.fromkeys(ways)) for form, ways in phrases.items()},
        moves={form: tuple(dict.fromkeys(ways)) for form, ways in moves.items()},
        before=tuple(bare_form(normal_form(one)) for one in found.before),
        after=tuple(sorted({bare_form(normal_form(one)) for one in found.after}, key=len, reverse=True)),
        longest=max(len(form.split()) for form in (*phrases, *moves)),
    )


def _ways(forms: Sequence[str]) -> set[str]:
    """Return the forms as they are looked up: without accents, and as ASCII writes their umlauts."""
    plain = {phrase_form(form) for form in forms}
    return {bare_form(way) for form in plain for way in (form, ascii_form(form))}


class _PronunciationFile(msgspec.Struct, frozen=True):
    spellings: dict[str, str]


@cache
def _installed_pronunciations() -> Mapping[tuple[str, str], Mapping[str, str]]:
    return _pronunciations(None)


def _pronunciations(root: Traversable | None) -> dict[tuple[str, str], dict[str, str]]:
    """Return (engine, language) -> word id -> spelling."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for language in language_tags(root):
        for engine in ENGINES:
            if not language_has(language, f"pronunciations/{engine}.toml", root):
                continue
            source = read_source(of_language(language, f"pronunciations/{engine}.toml"), root)
            spellings = source.in_shape(_PronunciationFile).spellings
            source.exactly(spellings, "spellings", WORD_IDS, every=False)
            found[engine, language] = spellings
    return found


def _apply_changes(parsed: SchemeFile, changes: SchemeChanges, tags: tuple[str, ...]) -> SchemeFile:
    """Return the scheme with the changes the table settled on.

    Raises Complaint where it is settled on something that does not exist.
    """
    for kind, value in changes.classes_settled().items():
        if kind == "also_heard":
            known = get_args(AlsoHeard)
            if any(name not in known for name in list_kinds(value)):
                raise Complaint(Phrase("scheme.also_heard", value=value, known=", ".join(known), nothing=NOTHING))
            continue
        known = get_args(FileNames) if kind == "file_names" else (LISTENER, *tags)
        if value not in known:
            raise Complaint(Phrase("scheme.no_choice", kind=kind, value=value, known=", ".join(known)))
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
    name, written = name_and_changes(name)
    changes = written.under(changes)
    source = named_source("schemes", name, Phrase("what.scheme"), place)
    parsed = _apply_changes(source.in_shape(SchemeFile), changes, language_tags(root))
    source.exactly(parsed.language, "language", CLASSES.values())
    listener = load_language(language, root)
    languages = {language: listener, GERMAN: listener if language == GERMAN else load_language(GERMAN, root)}
    for kind, tag in parsed.language.items():
        if tag != LISTENER and tag not in languages:
            if tag not in language_tags(root):
                raise source.complain(f"language.{kind}", f'there is no language "{tag}"')
            languages[tag] = load_language(tag, root)
    spellings = _installed_pronunciations() if root is None else _pronunciations(place)
    words = _words_of_scheme(parsed, listener, languages, spellings)
    try:
        ways = spellings_of({word: entry.spoken for word, entry in words.items()})
    except ValueError as wrong:
        raise Complaint(Phrase("scheme.alike", file=source.label, language=language, why=wrong)) from wrong
    return Scheme(
        name=changes.name_for(name),
        language=language,
        file_names=parsed.file_names,
        also_heard=parsed.also_heard,
        words=words,
        listener=listener,
        messages=load_messages(language, root),
        written_forms=ways,
        longest_form=max(len(way.split()) for way in ways),
        spelt_otherwise=_german_as_shown(languages[GERMAN], listener),
    )


def _words_of_scheme(
    parsed: SchemeFile,
    listener: Language,
    languages: Mapping[str, Language],
    spellings: Mapping[tuple[str, str], Mapping[str, str]],
) -> dict[str, SchemeWord]:
    """Return each word as this listener is shown it and hears it. `spellings`: by engine and language."""
    words: dict[str, SchemeWord] = {}
    for word in WORD_IDS:
        tag = parsed.language[CLASSES[word.split(".")[0]]]
        tag = listener.tag if tag == LISTENER else tag
        native = languages[tag].words[word]
        # A German word is shown in the listener's own script and said by the German voice; readers of Latin letters see
        # its umlauts ("König"), whatever their language. The record keeps the spelling of the Laws ("Koenig").
        umlauts = languages[GERMAN].transliteration.get(word, native) if tag == GERMAN else native
        shown = listener.transliteration.get(word, umlauts) if tag == GERMAN else native
        forms = (shown.text, *shown.spoken, native.text, *native.spoken)
        words[word] = SchemeWord(
            text=shown.text,
            recorded=native.text if shown is umlauts else shown.text,
            voice_language=tag,
            voice_text=native.text,
            origin=shown.origin,
            spoken=tuple(dict.fromkeys(forms)),
            spellings={
                engine: table[word] for (engine, spoken), table in spellings.items() if spoken == tag and word in table
            },
        )
    return words


def _german_as_shown(german: Language, listener: Language) -> dict[str, str]:
    """Return the words of D.2.1 that a listener is shown otherwise than the Laws write them: as written -> shown."""
    found: dict[str, str] = {}
    for word, entry in german.words.items():
        shown = listener.transliteration.get(word) or german.transliteration.get(word)
        if shown is not None and len(entry.text.split()) == len(shown.text.split()):
            found.update(zip(entry.text.split(), shown.text.split(), strict=True))
    return {written: shown for written, shown in found.items() if written != shown}
