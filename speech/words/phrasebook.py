"""This module holds the phrases that players type besides the words of a game, as data. Pure.

They are left out of what the ears listen for, where they would sound like a move; what is typed sounds like nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

_NAMES = (
    "ask time mine theirs you both have last move play count now score draw offer want accept decline resign game "
    "give up take onto claim thrice fifty flag over arbiter call adjust piece again correct help stop slower faster "
    "speak set rule start where aux next previous entry yes no not thanks castle short long"
)
SENSES = frozenset(_NAMES.split())
"""What a word of a phrase says; a command is found by the senses of all of its words."""

Senses = frozenset[str]
WEIGHTLESS: Senses = frozenset()
DENYING: Senses = frozenset({"no", "not"})


class Phrasebook(msgspec.Struct, frozen=True):
    """A `Phrasebook` is how the players of one language write commands and moves.

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
