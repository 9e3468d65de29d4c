"""The vocabularies of a scheme: everything well-formed that may be said under it."""

from __future__ import annotations

import hashlib

import msgspec

from speech.recognisers.recogniser import Vocabulary
from speech.words.grammar import Grammar, announcement_grammar
from speech.words.language import FILES
from speech.words.scheme import Scheme
from speech.words.spelling import normal_form


def vocabulary(scheme: Scheme, file_names: tuple[str, ...], *, commands: bool = True) -> Vocabulary:
    """Return the announcements and commands of a scheme.

    `file_names`: how the files are called ("file", "letter", "nato", "spelling"). Where two of these have the same name
    for a file (Gustav), the first one has it: twice in the graph, it would share its place among the best.
    """
    grammar = announcement_grammar(file_names, commands)
    twice = _said_twice(scheme, file_names)
    if twice:
        grammar = prune_grammar(grammar, frozenset(grammar.words()) - twice)
    words = grammar.words()
    known = scheme.voice
    voice = "" if known is None else f" voice {known.digest}"
    return Vocabulary(
        name=f"{scheme.name} {scheme.language} {'+'.join(file_names)}" + (" commands" if commands else "") + voice,
        grammar=grammar,
        languages={word: scheme.voice_language(word) for word in words},
        forms={word: scheme.forms_spoken(word) for word in words},
        own=None if known is None else known.own,
        ears={} if known is None else known.ears,
        scheme=scheme.name,
        language=scheme.language,
    )


def vocabulary_of(scheme: Scheme) -> Vocabulary:
    """Return all that is listened for under a scheme.

    It has its own file names and those that are heard besides, even if nobody announced them: the radio names (Alfa ..
    Hotel), letters, the spelling alphabet (Anton .. Heinrich). A scheme suggests names and forbids none (L184); and
    what is not listened for is heard as something else.
    """
    return vocabulary(scheme, tuple(dict.fromkeys((scheme.file_names, *scheme.also_heard))))


def digest_of_vocabulary(vocabulary: Vocabulary) -> str:
    """Return the SHA-256 of what may be said, in hex: two machines have the same words where it is the same."""
    grammar = vocabulary.grammar
    said = (grammar.states, grammar.start, sorted(grammar.finals), grammar.arcs, vocabulary.languages, vocabulary.forms)
    return hashlib.sha256(msgspec.json.encode(said, order="deterministic")).hexdigest()


def _said_twice(scheme: Scheme, file_names: tuple[str, ...]) -> frozenset[str]:
    """Return the words whose file has a name with the same spelling, in the same language, of an earlier kind."""
    found: set[str] = set()
    for file in FILES:
        forms: set[tuple[str, str]] = set()
        for word in (f"{kind}.{file}" for kind in file_names):
            own = {(scheme.voice_language(word), normal_form(form)) for form in scheme.forms_spoken(word)}
            if own & forms:
                found.add(word)
            forms |= own
    return frozenset(found)


def prune_grammar(grammar: Grammar, known: frozenset[str]) -> Grammar:
    """Return the graph with only the words that are known.

    States that lead nowhere any more are left out.
    """
    arcs = [arc for arc in grammar.arcs if arc.word in known]
    alive = set(grammar.finals)
    while True:
        grown = alive | {arc.source for arc in arcs if arc.target in alive}
        if grown == alive:
            break
        alive = grown
    kept = tuple(arc for arc in arcs if arc.target in alive)
    table: dict[int, dict[str, int]] = {state: {} for state in range(grammar.states)}
    for arc in kept:
        table[arc.source][arc.word] = arc.target
    return Grammar(grammar.states, grammar.start, grammar.finals, kept, table)
