"""The meaning of each output of the network.

An output is a unit of a phone anywhere, or a unit of a phone in one of the game's words. The list is part of a trained
model (`outputs.json`). Words and ways to say them may be added later without training: what has no output of its own
uses the output of its unit anywhere.

The words of the moves are few and said all day; the network may learn each of them whole. Everything else (commands,
other languages' words, words that are none of ours) shares the units that stand anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from speech.complaint import Complaint
from speech.recognisers.lexicon import TALK, UNITS, Way, units

OWN_CLASSES = ("file", "rank", "piece", "word", "letter", "nato", "spelling")
"""Classes of German words with units of their own."""
SHARED_CLASSES = ("file", "nato", "spelling")
"""Of these, the words that other languages say alike: they share the German word's units."""


class Inventory(msgspec.Struct, frozen=True):
    """Outputs in order, each a (unit, token).

    The first are `UNITS` with no token, then `TALK`, which older models do not have.
    """

    outputs: tuple[tuple[str, str], ...]
    numbers: Mapping[tuple[str, str], int]

    def number(self, unit: str, token: str) -> int:
        """Return the output for a unit of a word.

        The word is a token as in the model's word list; none for a word that is not ours.
        """
        language, _, word = token.partition(":")
        if language != "de" and word.split(".")[0] in SHARED_CLASSES:
            token = f"de:{word}"
        found = self.numbers.get((unit, token))
        return self.numbers[unit, ""] if found is None else found

    def anywhere(self) -> tuple[int, ...]:
        """Return for each output the output of its unit with no word."""
        return tuple(self.numbers[unit, ""] for unit, _ in self.outputs)


def inventory(lexicon: Mapping[str, tuple[Way, ...]]) -> Inventory:
    """Return the outputs for a lexicon, token -> ways to say it."""
    outputs = [(unit, "") for unit in (*UNITS, TALK)]
    for token, ways in lexicon.items():
        language, _, word = token.partition(":")
        if language == "de" and word.split(".")[0] in OWN_CLASSES:
            outputs += dict.fromkeys((unit, token) for way in ways for unit in units(way))
    return of_outputs(outputs)


def of_outputs(outputs: Iterable[tuple[str, str]]) -> Inventory:
    """Return the outputs in this order."""
    listed = tuple(outputs)
    return Inventory(listed, {output: place for place, output in enumerate(listed)})


def write_outputs(file: Path, known: Inventory) -> None:
    """Write the list beside the model."""
    file.write_bytes(msgspec.json.format(msgspec.json.encode(known.outputs), indent=0) + b"\n")


def read_outputs(file: Path) -> Inventory:
    """Return the list of a model. Raises Complaint where it cannot be read or lacks a unit."""
    try:
        found = of_outputs(msgspec.json.decode(file.read_bytes(), type=tuple[tuple[str, str], ...]))
    except (OSError, msgspec.MsgspecError) as wrong:
        raise Complaint(f"The outputs of our own model in {file} cannot be read ({wrong}).") from None
    if lacking := [unit for unit in UNITS if (unit, "") not in found.numbers]:
        raise Complaint(f'The outputs of our own model in {file} lack the unit "{lacking[0]}".')
    return found
