"""A text broken into pages for a line of braille cells. Pure.

A page has at most forty cells and is broken where a reader would break it. A cell is a character, as in eight-dot
computer braille, a vowel sign of Arabic or Hebrew too; marks of direction take no cell. What is said is also read in
this way: by a finger, or by the eye of a hearing-impaired player (D.2.11).
"""

from __future__ import annotations

import re
import unicodedata

from speech.words.messages import without_isolation

CELLS = 40


def count_cells(text: str) -> int:
    """Return how many cells a text takes."""
    if text.isprintable():  # then no mark of direction is in it: they are looked for only where one may be
        return len(text)
    return sum(unicodedata.category(letter) != "Cf" for letter in text)


def pages(text: str, cells: int = CELLS) -> tuple[str, ...]:
    """Return the text in pages of at most `cells` cells, in order.

    Nothing is left out except marks of direction and line ends. A page ends where a sentence ends if the next one does
    not fit on it, else between words; a longer word is cut.

    >>> pages("Ihre Zeit: 5 Minuten. Zeit des Gegners: 4 Minuten.")
    ('Ihre Zeit: 5 Minuten.', 'Zeit des Gegners: 4 Minuten.')
    """
    made: list[str] = []
    for sentence in _sentences(unicodedata.normalize("NFC", without_isolation(text))):
        if made and count_cells(made[-1]) + 1 + count_cells(sentence) <= cells:
            made[-1] = f"{made[-1]} {sentence}"
            continue
        line = ""
        for word in sentence.split():
            while count_cells(word) > cells:
                if line:
                    made.append(line)
                    line = ""
                made.append(word[:cells])
                word = word[cells:]
            if line and count_cells(line) + 1 + count_cells(word) > cells:
                made.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        if line:
            made.append(line)
    return tuple(made)


def _sentences(text: str) -> list[str]:
    """Return the sentences and lines of a text.

    A full stop inside "7.5.5" or after a number of a list does not end a sentence.
    """
    found = re.split(r"(?<=[^\d\s][.!?։؟])\s+|\n+", text)
    return [" ".join(one.split()) for one in found if one.strip()]
