"""What the network's outputs stand for: a unit of a phone anywhere, or a unit of a phone in one of the game's words.

The words of the moves are few and said all day; the network may learn each of them whole. Everything else (commands,
other languages' words, words that are none of ours) shares the units that stand anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from speech.training.model.lexicon import Way
from speech.training.model.phones import UNITS, units

OWN_CLASSES = ("file", "rank", "piece", "word", "letter", "nato")
"""Classes of German words with units of their own."""
SHARED_CLASSES = ("file", "nato")
"""Of these, the words that other languages say alike: they share the German word's units."""


class Inventory(msgspec.Struct, frozen=True):
    """The outputs in order, each a (unit, token); the first are `UNITS` with no token."""

    outputs: tuple[tuple[str, str], ...]
    numbers: Mapping[tuple[str, str], int]

    def number(self, unit: str, token: str) -> int:
        """The output for a unit of a word (a token as in the model's word list; none for no word of ours)."""
        language, _, word = token.partition(":")
        if language != "de" and word.split(".")[0] in SHARED_CLASSES:
            token = f"de:{word}"
        found = self.numbers.get((unit, token))
        return self.numbers[unit, ""] if found is None else found

    def anywhere(self) -> tuple[int, ...]:
        """For each output, the output of its unit with no word."""
        return tuple(self.numbers[unit, ""] for unit, _ in self.outputs)


def inventory(lexicon: Mapping[str, tuple[Way, ...]]) -> Inventory:
    """The outputs for a lexicon, token -> ways to say it."""
    outputs = [(unit, "") for unit in UNITS]
    for token, ways in lexicon.items():
        language, _, word = token.partition(":")
        if language == "de" and word.split(".")[0] in OWN_CLASSES:
            outputs += dict.fromkeys((unit, token) for way in ways for unit in units(way))
    return Inventory(tuple(outputs), {output: place for place, output in enumerate(outputs)})
