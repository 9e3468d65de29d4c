"""This module checks a file of pronunciations: known words, known phones, usable weights."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from speech.complaint import Complaint
from speech.words.language import WORD_IDS


def check_ways(path: str, word: str, ways: Iterable[str], phones: Collection[str]) -> None:
    """Check the ways to say a word, phones separated by spaces.

    `path`: file and key, for the Complaint that is raised.
    """
    if word not in WORD_IDS:
        raise Complaint(f"{path}: this entry is not known; check its spelling.")
    if not ways:
        raise Complaint(f"{path}: give at least one way to say it.")
    for way in ways:
        if not way.split() or not set(way.split()) <= set(phones):
            raise Complaint(f'{path}: "{way}" has a phone that the model does not know.')


def check_weights(label: str, weights: Mapping[str, float]) -> None:
    """Check how likely words are where they may stand.

    Raises Complaint that names the file `label` and the key path.
    """
    for word, weight in weights.items():
        if word not in WORD_IDS or not 0 < weight <= 1:
            raise Complaint(f"{label}, key weights.{word}: it must be a word id with a weight above 0 and up to 1.")
