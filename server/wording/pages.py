"""The program also says the words of the pages, so that the arbiter hears what the arbiter reads."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable

import msgspec

from server.game.acts import acts
from server.wording.rules import editions, titles_of_edition
from speech.words.catalogue import known_tag, load_messages, texts_in
from speech.words.config_file import Text, language_tags, of_language, read_source
from speech.words.loading import load_language, load_scheme
from speech.words.messages import isolate_text, runs_from_the_right
from speech.words.scheme import Scheme
from speech.words.signs import RESULTS, result_said

ACT_ARTICLES = "rules/act_articles.toml"
_LATIN = "a-zA-Z\u00c0-\u024f"
_LETTERS = re.compile(rf"[{_LATIN}]+|[^\W\d_{_LATIN}]+")
"""A word, or a part of one in another script: "Ձ" of "Ձf3"."""
_SCRIPTS = {"ARMENIAN": "Armn", "ARABIC": "Arab", "HEBREW": "Hebr"}

RARE_PARTS = ("tables", "desk", "hall", "review", "training", "player")
"""Parts of the catalogue that only some pages fetch (`also` and `more` in language.js)."""


@cache
def page_words(language: str) -> Mapping[str, str]:
    """Return key -> words as a page asks for them ("hour.one"); English where the language is unknown.

    With them goes how the language's readers are shown words of the record ("spelt.Koenig": "König"), and in another
    script than the Latin one how the files and ranks of D.2.1 are read ("legend.a": "Աննա այնս"); the titles of the
    editions of the Laws ("rules.fide2023"); and how a result is said ("result.1-0": "White wins").
    """
    words = {key.removeprefix("page."): text for key, text in texts_in("pages", language).items()}
    if language not in language_tags():
        return words
    words |= {f"rules.{name}": titles_of_edition(name)[language] for name in editions()}
    messages = load_messages(language)
    words |= {f"result.{result}": result_said(result, messages).rstrip(".։") for result in RESULTS}
    scheme = load_scheme("d21", language)
    words |= {f"spelt.{recorded}": shown for recorded, shown in scheme.spelt_otherwise.items()}
    if scheme.listener.script != "Latn":
        for file, rank in zip("abcdefgh", "12345678", strict=True):
            words[f"legend.{file}"] = f"{scheme.text(f'file.{file}')} {scheme.text(f'rank.{rank}')}"
    return words


_PROMOTED = {"n": "knight", "b": "bishop", "r": "rook", "q": "queen"}


def move_read(uci: str, words: Mapping[str, str]) -> str:
    """Return a move by its squares, as a page in these words shows it ("a1 to a5", "e7 to e8 (queen)")."""
    squares = words["move.squares"].format_map({"from": uci[:2], "to": uci[2:4]})
    return f"{squares} ({words[f'piece.{_PROMOTED[uci[4]]}']})" if uci[4:] else squares


def record_spelt(text: str, language: str) -> str:
    """Return a line of the record ("Koenig Eva fuenf") as readers of a language are shown its words.

    What was said or written in another script stands behind it in brackets, as it was said.

    >>> record_spelt("Koenig Eva fuenf", "en"), record_spelt("Sf3", "en")
    ('König Eva fünf', 'Sf3')
    >>> record_spelt("ձի f3", "en"), record_spelt("Ձf3", "en")
    ('Springer f3 (ձի f3)', 'Nf3 (Ձf3)')
    """
    shown = _spell_out(text, page_words(language))
    if not is_foreign(shown, language):
        return shown
    read = _spell_out(shown, foreign_words(language))
    return shown if read == shown else f"{read} ({isolate_text(shown) if runs_from_the_right(shown) else shown})"


def _spell_out(text: str, words: Mapping[str, str]) -> str:
    return _LETTERS.sub(lambda found: words.get(f"spelt.{found[0]}", found[0]), text)


def is_foreign(text: str, language: str) -> bool:
    """Return whether a text has a letter that readers of a language may not know: neither Latin nor their own."""
    script = load_language(known_tag(language)).script
    return any(found is not None and found != script for found in map(_script_of, text))


def _script_of(letter: str) -> str | None:
    """Return the script of a letter by its first words in Unicode; None of a Latin one and of what is no letter."""
    if letter < "\u0370" or not letter.isalpha():
        return None
    return _SCRIPTS.get(unicodedata.name(letter, "").partition(" ")[0])


@cache
def foreign_words(language: str) -> Mapping[str, str]:
    """Return how a reader is shown what a player of another script said or wrote: "spelt.Եվա" -> "Eva".

    The words of announcements become those of D.2.1 as the reader is shown them, a letter of a written score the
    reader's own.
    """
    reader = load_scheme("d21", known_tag(language))
    found: dict[str, str] = {}
    for tag in language_tags():
        other = load_language(tag)
        if other.script in ("Latn", reader.listener.script):
            continue
        for name in ("d21", "national"):
            said = load_scheme(name, tag)
            _add_castling(found, said, reader)
            for id, word in said.words.items():
                if id in reader.words and not id.startswith(("cmd.", "castle.")):
                    _add_pair(found, word.text, reader.text(id))
        for man, letter in other.notation.pieces.items():
            _add_pair(found, letter, reader.listener.notation.pieces.get(man, ""))
        for file, letter in zip("abcdefgh", other.notation.files, strict=True):
            _add_pair(found, letter, file)
    return {f"spelt.{word}": shown for word, shown in found.items()}


def _add_castling(found: dict[str, str], said: Scheme, reader: Scheme) -> None:
    """Add the words of castling: what both kinds share, and what tells them apart, in whatever order they come."""
    for ours, theirs in zip(_castling_words(said), _castling_words(reader), strict=True):
        _add_pair(found, ours, theirs)


def _castling_words(scheme: Scheme) -> tuple[str, ...]:
    short, long = (scheme.text(f"castle.{side}").split() for side in ("short", "long"))
    shared = [one for one in short if one in long]
    alone = ([one for one in side if one not in shared] for side in (short, long))
    return tuple(" ".join(part) for part in (shared, *alone))


def _add_pair(found: dict[str, str], said: str, shown: str) -> None:
    """Add the words of a saying with those that stand for them; a word that is there already keeps its meaning."""
    parts, others = said.split(), shown.split()
    for word, other in zip(parts, others, strict=True) if len(parts) == len(others) else [(said, shown)]:
        if word.isalpha() and other and not word.isascii():
            found.setdefault(word, other)


def alert_head(kind: str, words: Mapping[str, str]) -> str:
    """Return the short name of a kind of alert, of at most 22 letters: it stands at the head of a braille line.

    >>> alert_head("not_legal", page_words("en")), alert_head("takes_king", page_words("en"))
    ('Move not legal', 'King captured')
    """
    return words.get(f"alert_short.{kind}") or words.get(f"alert.{kind}", kind.replace("_", " "))


def move_number(ply: int, words: Mapping[str, str]) -> str:
    """Return a half-move as people number moves: "2 (White)".

    >>> move_number(3, page_words("en")), move_number(4, page_words("en"))
    ('2 (White)', '2 (Black)')
    """
    return f"{(ply + 1) // 2} ({words['white' if ply % 2 else 'black']})"


@cache
def part_words(part: str, language: str) -> Mapping[str, str]:
    """Return words that only some pages ask for beside those of all, by the part of the catalogue (`RARE_PARTS`)."""
    return {key.removeprefix("page."): text for key, text in texts_in(part, language).items()}


class _ActWordsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, tuple[Text, ...]]
    asked: dict[str, tuple[Text, ...]] = {}


@cache
def load_act_words(language: str, root: Traversable | None = None) -> Mapping[str, tuple[str, ...]]:
    """Return act -> words by which arbiters look for it: `act_words.toml` of the language, and the articles of all.

    Raises Complaint naming the file and the key path.
    """
    words, articles = (_act_words(file, root) for file in (of_language(language, "act_words.toml"), ACT_ARTICLES))
    return {act: (*words.get(act, ()), *articles.get(act, ())) for act in {**words, **articles}}


def _act_words(file: str, root: Traversable | None) -> Mapping[str, tuple[str, ...]]:
    source = read_source(file, root)
    found = source.in_shape(_ActWordsFile)
    words, asked = found.words, found.asked
    offered = {str(one.__struct_config__.tag) for one in acts() if one.form is not None}
    for act in words:
        if act not in offered:
            raise source.complain(f"words.{act}", f'the arbiter\'s page offers no act "{act}"')
    for part, acts_of_part in (("words", words), ("asked", asked)):
        for act, known in acts_of_part.items():
            if not known or len(set(known)) < len(known):
                raise source.complain(f"{part}.{act}", "write at least one word, and none twice")
    return {**words, **asked}
