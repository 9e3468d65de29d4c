"""This module holds one language as data: the word of every word id, and the notation.

It has values only; `speech.words.loading` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

FILES = ("a", "b", "c", "d", "e", "f", "g", "h")
RANKS = ("1", "2", "3", "4", "5", "6", "7", "8")
PIECES = ("king", "queen", "rook", "bishop", "knight", "pawn")
PROMOTIONS = ("queen", "rook", "bishop", "knight")
SIDES = ("short", "long")
CONNECTING = ("takes", "from", "to", "check", "mate", "ep", "promotes")
COMMANDS = (
    "time",
    "opponent_time",
    "moves",
    "repeat",
    "correction",
    "last",
    "score",
    "draw_offer",
    "draw_accept",
    "draw_decline",
    "resign",
    "claim_time",
    "claim_draw",
    "arbiter",
    "adjust",
    "castle",
    "set_clock",
    "slower",
    "faster",
    "help",
    "stop",
    "yes",
    "no",
    "clock",
    "executed",
    "article",
    "score_next",
    "score_previous",
    "read_keys",
    "score_move",
    "set_up",
    "pairing",
)
DIGITS = ("0", "9", "10", "11", "12")
"""Digits for the number of a move that the ranks do not have; numbers are said digit by digit, up to twelve also as one
word."""

# The first part of a word id, and the second parts that go with it.
WORD_PARTS: dict[str, tuple[str, ...]] = {
    "file": FILES,
    "rank": RANKS,
    "digit": DIGITS,
    "piece": PIECES,
    "castle": SIDES,
    "word": CONNECTING,
    "letter": FILES,
    "nato": FILES,
    "spelling": FILES,
    "cmd": COMMANDS,
}
WORD_IDS: tuple[str, ...] = tuple(f"{head}.{tail}" for head, tails in WORD_PARTS.items() for tail in tails)

Origin = Literal["seed", "seed-base-form", "laws-en", "standard", "proposal"]
Direction = Literal["ltr", "rtl"]
Review = Literal["source", "needs native review", "reviewed"]
""""source" means printed in the Laws, in common use, or written by us for others to follow; the rest speak for
themselves.
"""


class Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `Word` is a word for reading, with where it comes from and the other forms a speaker may use.

    `origin`: seed (printed in a translated edition of the Laws), seed-base-form (its citation form), laws-en (the
    English Laws), standard (usage), proposal (ours, to be reviewed by a native speaker).
    """

    text: str
    origin: Origin
    spoken: tuple[str, ...] = ()
    review: Review | None = None


class Notation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `Notation` is the letters of a written score (C.2, C.5).

    `pieces`: piece name -> letter, none for the pawn; `files`: a-h.
    """

    origin: Origin
    pieces: Mapping[str, str]
    files: tuple[str, ...]


class Language(msgspec.Struct, frozen=True):
    """A `Language` is everything one language gives.

    Strings are in logical order, without marks of direction. `transliteration`: how readers of this language are shown
    the German words of D.2.1 (in another script; in German, with its umlauts); the German voice says them. It is empty
    where the spelling of the Laws is kept.
    """

    tag: str
    name: str
    native_name: str
    script: str
    direction: Direction
    words: Mapping[str, Word]
    transliteration: Mapping[str, Word]
    notation: Notation
