"""This module reads and checks the braille profiles once, at the start (TOML in `config/braille/`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.abc import Traversable
from importlib.resources import files
from typing import Any

import msgspec

from braille.deriving import derived, in_cells
from braille.profile import DIGITS, FILES, MEN, PIECES, RESULTS, Profile, Signs
from speech.complaint import Complaint

PROSE = "prose"


def _folder(root: Traversable | None) -> Traversable:
    return (files("config") if root is None else root).joinpath("braille")


def profile_names(root: Traversable | None = None) -> tuple[str, ...]:
    """Return the names of the profiles there are, sorted."""
    names = (entry.name.removesuffix(".toml") for entry in _folder(root).iterdir() if entry.name.endswith(".toml"))
    return tuple(sorted(name for name in names if name != PROSE))


def _table(root: Traversable | None, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(_folder(root).joinpath(f"{name}.toml").read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise Complaint(f"config/braille/{name}.toml is not readable as TOML: {wrong}.") from wrong


def _complain(name: str, path: str, wrong: str) -> Complaint:
    return Complaint(f"config/braille/{name}.toml, key {path}: {wrong}.")


def _strings(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every string in a parsed table with its key path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _strings(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _strings(inner, f"{path}.{number}")


# Strings of a profile that are words for people or characters of print, not cells.
_NOT_CELLS = ("title", "base", "letters.numeric_letters", "letters.in_numbers", "letters.languages")
# A code without a sign for capitals or numbers (computer braille has neither) leaves these empty.
_MAY_BE_EMPTY = ("letters.capital", "letters.capital_word", "letters.number", "letters.letter_again")


def _check_cells(name: str, table: Mapping[str, Any]) -> None:
    for path, text in _strings(table):
        if path.startswith(_NOT_CELLS):
            continue
        if any(not "\u2801" <= cell <= "\u28ff" for cell in text):
            raise _complain(name, path, "it must be written in Unicode braille cells, without blanks")
        if not text and path not in _MAY_BE_EMPTY:
            raise _complain(name, path, "it is empty")


def _check_keys(profile: Profile) -> None:
    wanted: dict[str, tuple[Mapping[str, Any], tuple[str, ...]]] = {
        "digits": (profile.digits, tuple(DIGITS)),
        "files": (profile.files, tuple(FILES)),
        "pieces": (profile.pieces, PIECES),
        "results": (profile.results, RESULTS),
        "white": (profile.white, MEN),
        "black": (profile.black, MEN),
        "letters.digits": (profile.letters.digits, tuple(DIGITS)),
    }
    for path, (found, keys) in wanted.items():
        if set(found) != set(keys):
            raise _complain(profile.name, path, f"it must have exactly {', '.join(keys)}")


def _check_apart(profile: Profile) -> None:
    """Check that no part of a move begins like another part.

    A row of cells could then be read in two ways.
    """
    signs = profile.signs
    if (signs.check is None) != (signs.capture_check is None):
        raise _complain(profile.name, "signs.capture_check", "it and signs.check must both be there, or neither")
    parts: list[tuple[str, str]] = [(f"digits.{key}", cells) for key, cells in profile.digits.items()]
    parts += [(f"files.{key}", cells) for key, cells in profile.files.items()]
    parts += [(f"pieces.{key}", cells) for key, sign in profile.pieces.items() for cells in (sign.cells, *sign.also)]
    # The other three stand where nothing else can: long castling against short, and words of their own.
    together = [key for key in Signs.__struct_fields__ if key not in ("castle_long", "black_first", "break_off")]
    parts += [(f"signs.{key}", sign.cells) for key in together if (sign := getattr(signs, key)) is not None]
    # "e.p." begins like the file e, but its full stops stand in no other part, so it cannot be taken for one.
    others = {cell for path, cells in parts if path != "signs.en_passant" for cell in cells}
    if not set(signs.en_passant.cells) <= others:
        parts = [(path, cells) for path, cells in parts if path != "signs.en_passant"]
    for path, cells in parts:
        for other, cells_of_other in parts:
            if path != other and cells_of_other.startswith(cells):
                raise _complain(profile.name, path, f"its cells begin like those of {other}; a move could be misread")
    men = [(f"{side}.{key}", sign.cells) for side in ("white", "black") for key, sign in getattr(profile, side).items()]
    men.append(("empty", profile.empty.cells))
    seen: dict[str, str] = {cells: f"digits.{key}" for key, cells in profile.digits.items()}
    for path, cells in men:
        if cells in seen or len(cells) != 1:
            raise _complain(
                profile.name, path, "a man or an empty square must be one cell that nothing else there uses"
            )
        seen[cells] = path


def _whole_table(name: str, root: Traversable | None, below: tuple[str, ...]) -> dict[str, Any]:
    """Return the table of a profile, completed from its base.

    The base is checked first, under its own name.
    """
    table = _table(root, name)
    base = table.get("base")
    if base is None:
        return table
    if base not in profile_names(root) or base in (*below, name):
        raise _complain(name, "base", "it must name another profile, which is not made from this one")
    _loaded(base, root, (*below, name))
    return derived(_whole_table(base, root, (*below, name)), table)


def _loaded(
    name: str, root: Traversable | None, below: tuple[str, ...], changes: Mapping[str, Any] | None = None
) -> Profile:
    table = derived(_whole_table(name, root, below), changes or {})
    if "characters" in table:
        table = in_cells(table, lambda path, wrong: _complain(name, path, wrong))
    try:
        profile = msgspec.convert({**table, "name": name}, Profile)
    except msgspec.ValidationError as wrong:
        raise Complaint(f"config/braille/{name}.toml: {wrong}.".replace("`", '"').replace("$.", "")) from wrong
    _check_cells(name, table)
    _check_keys(profile)
    _check_apart(profile)
    return profile


def load_profile(name: str, root: Traversable | None = None) -> Profile:
    """Read `config/braille/NAME.toml`, with what it takes from the profile it names as its base.

    `root` is the folder that stands for `config` (the installed one where it is not given). Raises Complaint: no such
    profile; or the file and the key path of what is wrong.
    """
    if name not in profile_names(root):
        raise Complaint(f'There is no braille profile "{name}"; choose one of: {", ".join(profile_names(root))}.')
    return _loaded(name, root, ())


_NO_SIGNS = ("name", "base", "title")


def changed_profile(name: str, changes: str, root: Traversable | None = None) -> Profile:
    """Return a profile with some signs replaced by a reader's own, given as TOML that holds only these.

    A reader who knows better replaces a sign marked unconfirmed in this way:
    `[signs]` `castle_short = { cells = "⠕⠤⠕" }`.
    Raises Complaint where the text is no TOML, or where moves of the profile could then be misread.
    """
    if name not in profile_names(root):
        return load_profile(name, root)  # complains
    try:
        table = tomllib.loads(changes)
    except tomllib.TOMLDecodeError as wrong:
        raise Complaint(f"The file of changed signs is not readable as TOML: {wrong}.") from wrong
    if not table.keys().isdisjoint(_NO_SIGNS):
        raise Complaint(f"The file of changed signs holds signs alone, and none of {', '.join(_NO_SIGNS)}.")
    try:
        return _loaded(name, root, (), table)
    except Complaint as wrong:
        raise Complaint(str(wrong).replace(f"config/braille/{name}.toml", "The file of changed signs")) from wrong


def national_profile(language: str, root: Traversable | None = None) -> str:
    """Return the name of the six-dot profile with a language's letters; "ukaaf" where there is none."""
    return language if language in profile_names(root) else "ukaaf"


def computer_profile(language: str, root: Traversable | None = None) -> str:
    """Return the name of the eight-dot profile with a language's letters, the default of a display."""
    name = f"computer-{language}"
    return name if name in profile_names(root) else "computer"


class ProseTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `ProseTables` name the liblouis tables for prose.

    `tables`: by language; `grades`: by the name that a reader chooses; `typing`: by language.
    """

    tables: Mapping[str, str]
    grades: Mapping[str, str]
    typing: Mapping[str, tuple[str, ...]]


def load_prose(root: Traversable | None = None) -> ProseTables:
    """Return the liblouis tables for prose (`config/braille/prose.toml`). Raises Complaint."""
    try:
        found = msgspec.convert(_table(root, PROSE), ProseTables)
    except msgspec.ValidationError as wrong:
        raise Complaint(f"config/braille/{PROSE}.toml: {wrong}.".replace("`", '"').replace("$.", "")) from wrong
    for language, names in found.typing.items():
        for name in names:
            if name not in found.grades:
                raise _complain(PROSE, f"typing.{language}", f'there is no grade "{name}"')
    return found


def prose_table(name: str, root: Traversable | None = None) -> str:
    """Return the liblouis table of that name. Raises Complaint: no such name."""
    grades = load_prose(root).grades
    if name not in grades:
        raise Complaint(f'There is no braille table "{name}" for prose; choose one of: {", ".join(sorted(grades))}.')
    return grades[name]


def load_prose_tables(root: Traversable | None = None) -> dict[str, str]:
    """Return the liblouis table for the prose of each language, by language tag."""
    return dict(load_prose(root).tables)
