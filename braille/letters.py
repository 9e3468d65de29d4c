"""Prose spelt in uncontracted cells, from a profile's own table.

That is enough for the names, places, dates and results in a heading.
"""

from __future__ import annotations

import unicodedata
from itertools import takewhile

from braille.profile import BLANK, Letters


def _base(character: str) -> tuple[str, str]:
    """Return the character without accents, and its accents (combining characters)."""
    apart = unicodedata.normalize("NFD", character)
    return apart[0], apart[1:]


def _cells(character: str, letters: Letters) -> str | None:
    """Return the cells of one lower-case letter or mark; None where the table cannot write it."""
    if character in letters.alphabet:
        return letters.alphabet[character]
    if character in letters.punctuation:
        return letters.punctuation[character]
    base, accents = _base(character)
    if accents and base in letters.alphabet and all(accent in letters.accents for accent in accents):
        return "".join(letters.accents[accent] for accent in accents) + letters.alphabet[base]
    return None


def unwritable(text: str, letters: Letters) -> str:
    """Return the characters of the text that the table cannot write, each once, in order."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(
        dict.fromkeys(
            character
            for character in composed
            if not (character.isspace() or character in letters.digits or _cells(character.lower(), letters))
        )
    )


def spell(text: str, letters: Letters) -> str:
    """Return the text in cells, letter by letter.

    A character that the table does not have becomes the sign `unknown`.
    """
    composed = unicodedata.normalize("NFC", text)
    cells: list[str] = []
    in_number = False
    in_capitals = False
    for place, character in enumerate(composed):
        if not character.isalpha():
            in_capitals = False
        if character.isspace():
            cells.append(BLANK)
            in_number = False
            continue
        if character in letters.digits:
            cells.append(("" if in_number else letters.number) + letters.digits[character])
            in_number = True
            continue
        if in_number and character in letters.numeric_letters:
            cells.append(letters.letter_again)
        in_number = in_number and character in letters.in_numbers
        if character in letters.alphabet:
            cells.append(letters.alphabet[character])
            continue
        if character.isupper() and not in_capitals:
            word = "".join(takewhile(str.isalpha, composed[place:]))
            first = place == 0 or not composed[place - 1].isalpha()
            in_capitals = first and len(word) > 1 and word.isupper()
            cells.append(letters.capital_word if in_capitals else letters.capital)
        cells.append(_cells(character.lower(), letters) or letters.unknown)
    return "".join(cells)
