"""A profile's table made from another profile's, or from print. Pure.

A file that names a `base` holds only what differs from that base. A file with `[characters]` is computer braille,
with one cell for each character: `[print]` says how a move looks in print, `[characters]` gives the cell of each
letter and mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from braille.profile import DIGITS, FILES, RESULTS

# What a computer-braille file has instead of cells.
OF_PRINT = ("characters", "capital", "print", "unconfirmed", "languages")
BESIDES = "letters_besides"
"""Letters of another script, which a file adds to the prose of its base: what is read back is read as these first."""
# Groups of a base that a file changes entry by entry; any other key is replaced whole.
_BY_ENTRY = ("digits", "files", "pieces", "signs", "results", "white", "black", "characters")


def derive_table(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of `base` with the changes put in.

    The groups of signs are changed entry by entry; any other key is replaced whole.
    """
    made = dict(base)
    for key, value in changes.items():
        by_entry = isinstance(value, Mapping) and isinstance(made.get(key), Mapping)
        if by_entry and key == "print":
            made[key] = derive_table(made[key], value)
        elif key == BESIDES:
            made["letters"] = {**made["letters"], "alphabet": {**value, **made["letters"]["alphabet"]}}
        elif by_entry and key in _BY_ENTRY:
            made[key] = {**made[key], **value}
        else:
            made[key] = value
    return made


def _group(
    parent: Mapping[str, Any], key: str, path: str, complain: Callable[[str, str], Exception]
) -> Mapping[str, Any]:
    """Return a table of strings of the profile."""
    found = parent.get(key)
    if not isinstance(found, Mapping) or not all(isinstance(inner, (str, Mapping)) for inner in found.values()):
        raise complain(path, "it must be a table of strings")
    return found


def _characters(table: Mapping[str, Any], complain: Callable[[str, str], Exception]) -> dict[str, str]:
    """Return the cell of each character; a capital has the dots of its small letter and those that a capital adds."""
    characters = dict(_group(table, "characters", "characters", complain))
    for character, cell in characters.items():
        if len(character) != 1 or not isinstance(cell, str) or len(cell) != 1 or not "\u2801" <= cell <= "\u28ff":
            raise complain(f"characters.{character}", "it must be one character and its one cell")
    capital = table.get("capital")
    if not isinstance(capital, str) or len(capital) != 1 or not "\u2801" <= capital <= "\u28ff":
        raise complain("capital", "it must be one cell, the dots that a capital adds to its small letter")
    for character, cell in tuple(characters.items()):
        upper = character.upper()
        if len(upper) == 1 and upper != character and unicodedata.category(character) == "Ll":
            characters.setdefault(upper, chr(ord(cell) | ord(capital)))
    return characters


def _letters(characters: Mapping[str, str], languages: object) -> dict[str, Any]:
    """Return the letters of a profile in which each character has its own cell and no sign goes before it."""
    alphabet = {character: cell for character, cell in characters.items() if character.isalpha()}
    others = ("capital", "capital_word", "number", "letter_again", "numeric_letters", "in_numbers")
    return {
        **dict.fromkeys(others, ""),
        "unknown": "⣿",
        "languages": languages,
        "alphabet": alphabet,
        "digits": {digit: characters[digit] for digit in DIGITS},
        "punctuation": {mark: cell for mark, cell in characters.items() if mark not in alphabet and mark not in DIGITS},
        "accents": {},
    }


def table_in_cells(table: Mapping[str, Any], complain: Callable[[str, str], Exception]) -> dict[str, Any]:
    """Return the table of a computer-braille profile as any other profile has it.

    `complain(path, wrong)` makes the error that is raised for a key that is missing, of the wrong kind or not writable.
    """

    characters = _characters(table, complain)
    unconfirmed = bool(table.get("unconfirmed", False))
    printed = _group(table, "print", "print", complain)

    def cells(text: object, path: str) -> str:
        if not isinstance(text, str) or not text:
            raise complain(path, "it must be text")
        missing = [character for character in text if character not in characters]
        if missing:
            raise complain(path, f'the table of characters has no cell for "{missing[0]}"')
        return "".join(characters[character] for character in text)

    def sign(text: object, path: str) -> dict[str, Any]:
        return {"cells": cells(text, path), "unconfirmed": unconfirmed}

    def signs(name: str) -> dict[str, Any]:
        path = f"print.{name}"
        return {key: sign(text, f"{path}.{key}") for key, text in _group(printed, name, path, complain).items()}

    return {
        **{key: value for key, value in table.items() if key not in OF_PRINT},
        "digits": {digit: cells(digit, f"characters.{digit}") for digit in DIGITS},
        "files": {
            file: cells(letter, f"print.files.{file}")
            for file, letter in ({file: file for file in FILES} | dict(printed.get("files", {}))).items()
        },
        "pieces": signs("pieces"),
        "signs": signs("signs"),
        "results": {result: sign(result, f"results.{result}") for result in RESULTS},
        "white": signs("white"),
        "black": signs("black"),
        "empty": sign(printed.get("empty"), "print.empty"),
        "runs": sign(printed.get("runs"), "print.runs"),
        "number_after": cells(printed.get("number_after"), "print.number_after"),
        "letters": _letters(characters, table.get("languages", [])),
    }
