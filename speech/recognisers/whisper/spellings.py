"""The ways in which Whisper may write each word, and the tokens of each.

A form that a speaker may use stands with a space before it, small or with a capital; a rank also as a figure, which
may follow its letter without a space ("B3"); a letter as a capital, or as its name sounds ("Be"). The tokens of all of
this are data (`config/whisper/tokens.json`), made once by `speech.training.whisper_tokens`: the program needs no
tokenizer. They are the same in every Whisper model that knows many languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from speech.recognisers.whisper.search import Tokens
from speech.recognisers.whisper.settings import LetterNames

TOKENS_FILE = "whisper/tokens.json"


def spellings_of(word: str, forms: Sequence[str], names: LetterNames) -> tuple[str, ...]:
    """Return the ways to write a word id, in a fixed order. `names`: how the letters of its language sound.

    >>> texts_of("rank.3", ("drei",), {})
    (' drei', ' Drei', ' 3', '3')
    """
    kind, name = word.split(".")
    more: tuple[str, ...] = ()
    if kind in ("rank", "digit"):
        more = (f" {name}", name)
    elif kind == "letter":
        sounding = names.get(name, ())
        more = (f" {name.upper()}", *(f" {one}" for one in sounding), *(f" {one.lower()}" for one in sounding))
    written = [f" {way}" for form in forms for way in (form, form.lower(), form[:1].upper() + form[1:])]
    return tuple(dict.fromkeys([*written, *more]))


@cache
def known_tokens() -> Mapping[str, Tokens]:
    """Return the tokens of each text that a word may be written as."""
    data = files("config").joinpath(TOKENS_FILE).read_bytes()
    return msgspec.json.decode(data, type=dict[str, tuple[int, ...]])


def ways_of(
    forms: Mapping[str, Sequence[str]], languages: Mapping[str, str], names: Mapping[str, LetterNames]
) -> dict[str, list[Tokens]]:
    """Return word id -> the rows of tokens that it may be written as; a text without known tokens is left out.

    `languages`: the language of each word.
    """
    tokens = known_tokens()
    return {
        word: [tokens[text] for text in spellings_of(word, ways, names.get(languages[word], {})) if text in tokens]
        for word, ways in forms.items()
    }
