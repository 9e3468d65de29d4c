"""How one code writes chess in cells: a value, read from `config/braille/NAME.toml` by `braille.loading`."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

PIECES = ("king", "queen", "rook", "bishop", "knight")
PROMOTIONS = ("queen", "rook", "bishop", "knight")
MEN = (*PIECES, "pawn")
FILES = "abcdefgh"
RANKS = "12345678"
DIGITS = "0123456789"
RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-", "*")

BLANK = "\u2800"  # the empty cell, which is also the space


class Sign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sign in Unicode braille cells; `also`: other spellings that are read but never written.

    `unconfirmed`: the sign rests on a secondary source or was chosen here; a reader of the code should check it.
    """

    cells: str
    also: tuple[str, ...] = ()
    unconfirmed: bool = False


class Signs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The signs of a move besides pieces, files and ranks (what C.9 to C.13 write as x, +, #, e.p., (=), 0-0)."""

    capture: Sign
    check: Sign
    capture_check: Sign
    check_after: Sign
    mate: Sign
    en_passant: Sign
    draw_offer: Sign
    castle_short: Sign
    castle_long: Sign
    black_first: Sign
    break_off: Sign


class Letters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The uncontracted prose of one language: names, places, dates. `languages`: whose prose this is."""

    capital: str
    capital_word: str
    number: str
    letter_again: str
    numeric_letters: str
    in_numbers: str
    unknown: str
    languages: tuple[str, ...]
    alphabet: Mapping[str, str]
    digits: Mapping[str, str]
    punctuation: Mapping[str, str]
    accents: Mapping[str, str]


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole code. `digits` are the lower digits of ranks, move numbers and runs of empty squares."""

    name: str
    title: str
    digits: Mapping[str, str]
    files: Mapping[str, str]
    pieces: Mapping[str, Sign]
    signs: Signs
    results: Mapping[str, Sign]
    white: Mapping[str, Sign]
    black: Mapping[str, Sign]
    letters: Letters


def unconfirmed(profile: Profile) -> tuple[str, ...]:
    """The key paths of the signs that a reader of the code should check ("signs.castle_short")."""
    groups: dict[str, Mapping[str, Sign]] = {
        "pieces": profile.pieces,
        "signs": {name: getattr(profile.signs, name) for name in Signs.__struct_fields__},
        "results": profile.results,
        "white": profile.white,
        "black": profile.black,
    }
    return tuple(f"{group}.{key}" for group, signs in groups.items() for key, sign in signs.items() if sign.unconfirmed)
