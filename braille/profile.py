"""One braille code's way of writing chess, as a value.

`braille.loading` reads it from `config`.
"""

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
    """One sign in Unicode braille cells.

    `also`: other spellings that are read but never written. `unconfirmed`: the sign rests on a secondary source or was
    chosen here; a reader of the code should check it.
    """

    cells: str
    also: tuple[str, ...] = ()
    unconfirmed: bool = False


class Signs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Signs of a move besides pieces, files and ranks.

    C.9 to C.13 write them as x, +, #, e.p., (=), 0-0. `check` and `capture_check` stand before the target square. A
    code that has neither writes check as print does: with `check_after`, behind the move.
    """

    capture: Sign
    check_after: Sign
    mate: Sign
    en_passant: Sign
    draw_offer: Sign
    castle_short: Sign
    castle_long: Sign
    black_first: Sign
    break_off: Sign
    check: Sign | None = None
    capture_check: Sign | None = None


class Letters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Table for uncontracted prose of one language: names, places, dates.

    `languages`: whose prose this is. `alphabet` holds small letters; a capital that stands there too has cells of its
    own (computer braille).
    """

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
    """Whole braille code.

    `digits` are those of ranks, move numbers and runs of empty squares. `empty`: an empty square where each square has
    its cell. `runs`: stands after the running time on a status line. `number_after`: what follows a move number besides
    the blank. `base`: the profile that this one was made from.
    """

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
    empty: Sign
    runs: Sign
    number_after: str = ""
    base: str | None = None


def has_eight_dots(profile: Profile) -> bool:
    """Return whether this code needs dots 7 or 8, which a display has and an embossed page has not."""
    signs = [*profile.pieces.values(), *profile.white.values(), *profile.black.values(), profile.signs.capture]
    cells = [*profile.files.values(), *profile.digits.values(), *(sign.cells for sign in signs)]
    return max("".join(cells)) > "\u283f"


def codes_agree(profile: Profile, other: Profile) -> bool:
    """Return whether no file, digit or piece is written in one code as another one is in the other.

    Then a row of cells can be tried in both: Hebrew's bishop is the cell of UKAAF's rook, so those two do not agree.
    """

    def parts(of: Profile) -> dict[str, str]:
        spelt = {cells: f"file {file}" for file, cells in of.files.items()}
        spelt |= {cells: f"digit {digit}" for digit, cells in of.digits.items()}
        return spelt | {cells: piece for piece, sign in of.pieces.items() for cells in (sign.cells, *sign.also)}

    theirs = parts(other)
    return all(theirs.get(cells, part) == part for cells, part in parts(profile).items())


def signs_to_confirm(profile: Profile) -> tuple[str, ...]:
    """Return the key paths of the signs that a reader of the code should check ("signs.castle_short")."""
    groups: dict[str, Mapping[str, Sign]] = {
        "pieces": profile.pieces,
        "signs": {name: sign for name in Signs.__struct_fields__ if (sign := getattr(profile.signs, name))},
        "results": profile.results,
        "white": profile.white,
        "black": profile.black,
        "": {"empty": profile.empty, "runs": profile.runs},
    }
    paths = ((f"{group}.{key}", sign) for group, signs in groups.items() for key, sign in signs.items())
    return tuple(path.removeprefix(".") for path, sign in paths if sign.unconfirmed)
