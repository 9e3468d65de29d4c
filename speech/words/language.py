"""One language as data: the word of every word id, and the notation.

It has values only; `speech.words.loading` reads them. The `Phrasebook` is what players type besides the words of a
game: left out of what the ears listen for, where it would sound like a move; what is typed sounds like nothing.
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
    "draw",
)
ASKED_FIRST = ("draw", "draw_offer", "draw_accept", "draw_decline", "resign", "claim_time", "claim_draw", "set_clock")
"""Commands that, heard in some doubt, only make the player be asked whether they said it."""
TELLING = (
    *("time", "opponent_time", "clock", "moves", "last", "score", "score_next", "score_previous", "score_move"),
    *("set_up", "pairing", "article", "help"),
)
"""Commands that only tell the player a thing they may always know; not "repeat", for which a "stop" is taken."""
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
    """Word for reading, with where it comes from and the other forms a speaker may use.

    `origin`: seed (printed in a translated edition of the Laws), seed-base-form (its citation form), laws-en (the
    English Laws), standard (usage), proposal (ours, to be reviewed by a native speaker). `by`, `on`: who reviewed it,
    and when.
    """

    text: str
    origin: Origin
    spoken: tuple[str, ...] = ()
    review: Review | None = None
    by: str = ""
    on: str = ""


class Notation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Letters of a written score (C.2, C.5).

    `pieces`: piece name -> letter, none for the pawn; `files`: a-h. `pawn`: a letter that C.4 forbids and players write
    all the same: read, never printed (L166).
    """

    origin: Origin
    pieces: Mapping[str, str]
    files: tuple[str, ...]
    pawn: str = ""


class Language(msgspec.Struct, frozen=True):
    """Everything one language gives.

    Strings are in logical order, without marks of direction. `transliteration`: how readers of this language are shown
    the German words of D.2.1 (in another script; in German, with its umlauts); the German voice says them. It is empty
    where the spelling of the Laws is kept. `comma`: what stands between the parts of a list. `voice`: eSpeak NG's name
    for its voice. `phrase`: how many letters it says in three seconds; `time_pace`: how much faster it
    says the times that are asked for, where its numbers are long.
    """

    tag: str
    name: str
    native_name: str
    script: str
    direction: Direction
    words: Mapping[str, Word]
    transliteration: Mapping[str, Word]
    notation: Notation
    comma: str = ", "
    voice: str = ""
    phrase: int = 36
    time_pace: float = 1.0


_SENSES = (
    "ask time mine theirs you both have last move play count now score draw offer want accept decline resign game "
    "give up take onto claim thrice three fifty flag over arbiter call adjust piece again correct help stop slower "
    "faster speak set rule start where aux next previous entry yes no not thanks castle short long colour "
    "result board place white black maybe whether read wrong said who turn"
)
SENSES = frozenset(_SENSES.split())
"""Senses of the words of a phrase; a command is found by the senses of all of its words."""

Senses = frozenset[str]
WEIGHTLESS: Senses = frozenset()
DENYING: Senses = frozenset({"no", "not"})


class Phrasebook(msgspec.Struct, frozen=True):
    """Ways in which the players of one language write commands and moves.

    `phrases`: a way to write something, in normal form and without accents -> what it may say, senses each; one of
    them is `WEIGHTLESS` where the words have no weight. `moves`: the same for a move's words -> chains of word ids.
    `before`, `after`: what may be joined to a word (articles, prepositions, endings). `longest`: of all, in words.
    """

    language: str
    phrases: Mapping[str, tuple[Senses, ...]]
    moves: Mapping[str, tuple[tuple[str, ...], ...]]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    longest: int = 1
