"""The phones of our own model. Pure.

One set for all six languages, as coarse as the words allow: a foreign accent moves a vowel further than German tells
two of them apart. Long and short vowels are one phone where only length differs; affricates are two phones; a
diphthong is one phone of two states.
"""

from __future__ import annotations

from collections.abc import Sequence

SILENCE = "sil"
DIPHTHONGS = ("aI", "aU", "OY", "eI", "oU")
VOWELS = ("a", "e", "E", "i", "I", "o", "O", "u", "U", "y", "2", "@", "6", *DIPHTHONGS)
STOPS = ("p", "b", "t", "d", "k", "g")
FRICATIVES = ("f", "v", "s", "z", "S", "Z", "C", "x", "h", "T", "D")
SONORANTS = ("m", "n", "N", "l", "r", "j", "w")
PHONES = (*VOWELS, *STOPS, *FRICATIVES, *SONORANTS)
"""42 phones in something like SAMPA: "2" as in König, "6" as in Läufer (the end), "C" as in ich, "x" as in acht."""

UNITS: tuple[str, ...] = (
    SILENCE,
    *(unit for phone in PHONES for unit in ((f"{phone}1", f"{phone}2") if phone in DIPHTHONGS else (phone,))),
)
"""What the network tells apart: silence, each phone, each half of a diphthong."""


def units(phones: Sequence[str]) -> tuple[str, ...]:
    """Phones as what the network tells apart.

    >>> units(("d", "r", "aI"))
    ('d', 'r', 'aI1', 'aI2')
    """
    return tuple(unit for phone in phones for unit in ((f"{phone}1", f"{phone}2") if phone in DIPHTHONGS else (phone,)))
