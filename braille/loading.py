"""Loading and checking the braille profiles once, at the start (TOML in `config`).

`braille/NAME.toml` is a profile of its own; `languages/TAG/braille/six_dots.toml` is the one named like its language,
`eight_dots.toml` beside it "computer-TAG".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from braille.deriving import derive_table, table_in_cells
from braille.profile import DIGITS, FILES, MEN, PIECES, RESULTS, Profile, Signs
from speech.complaint import Complaint, Phrase
from speech.words.config_file import (
    Source,
    config_root,
    language_has,
    language_tags,
    names_in,
    of_language,
    read_source,
    source_of,
)

PROSE = "braille/prose.toml"
COMPUTER = "computer"
"""The profile of eight dots, and the beginning of the names of those of the languages."""


def profile_names(root: Traversable | None = None) -> tuple[str, ...]:
    """Return the names of the profiles there are, sorted."""
    return tuple(sorted(_files(root)))


def _files(root: Traversable | None) -> dict[str, str]:
    """Return name -> path below `config` of each profile: the shared ones, and six and eight dots of a language."""
    found = {name: f"braille/{name}.toml" for name in names_in(config_root(root), "braille")}
    for tag in language_tags(root):
        for name, file in ((tag, "braille/six_dots.toml"), (f"{COMPUTER}-{tag}", "braille/eight_dots.toml")):
            if language_has(tag, file, root):
                found[name] = of_language(tag, file)
    return found


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


def _check_cells(source: Source, table: Mapping[str, Any]) -> None:
    for path, text in _strings(table):
        if path.startswith(_NOT_CELLS):
            continue
        if any(not "\u2801" <= cell <= "\u28ff" for cell in text):
            raise source.complain(path, "it must be written in Unicode braille cells, without blanks")
        if not text and path not in _MAY_BE_EMPTY:
            raise source.complain(path, "it is empty")


def _check_keys(source: Source, profile: Profile) -> None:
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
            raise source.complain(path, f"it must have exactly {', '.join(keys)}")


def _check_apart(source: Source, profile: Profile) -> None:
    """Check that no part of a move begins like another part.

    A row of cells could then be read in two ways.
    """
    signs = profile.signs
    if (signs.check is None) != (signs.capture_check is None):
        raise source.complain("signs.capture_check", "it and signs.check must both be there, or neither")
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
                raise source.complain(path, f"its cells begin like those of {other}; a move could be misread")
    men = [(f"{side}.{key}", sign.cells) for side in ("white", "black") for key, sign in getattr(profile, side).items()]
    men.append(("empty", profile.empty.cells))
    seen: dict[str, str] = {cells: f"digits.{key}" for key, cells in profile.digits.items()}
    for path, cells in men:
        if cells in seen or len(cells) != 1:
            raise source.complain(path, "a man or an empty square must be one cell that nothing else there uses")
        seen[cells] = path


def _whole(name: str, root: Traversable | None, below: tuple[str, ...] = ()) -> Source:
    """Return the table of a profile, completed from its base.

    The base is checked first, under its own name.
    """
    source = read_source(_files(root)[name], root)
    base = source.table.get("base")
    if base is None:
        return source
    if base not in profile_names(root) or base in (*below, name):
        raise source.complain("base", "it must name another profile, which is not made from this one")
    whole = _whole(base, root, (*below, name))
    _check_profile(base, whole)
    return Source(source.label, derive_table(whole.table, source.table))


def _check_profile(name: str, source: Source) -> Profile:
    table = table_in_cells(source.table, source.complain) if "characters" in source.table else source.table
    profile = source.in_shape(Profile, value={**table, "name": name})
    _check_cells(source, table)
    _check_keys(source, profile)
    _check_apart(source, profile)
    return profile


def load_profile(name: str, root: Traversable | None = None) -> Profile:
    """Read the profile of that name, with what it takes from the profile it names as its base.

    `root` is the folder that stands for `config` (the installed one where it is not given). Raises Complaint: no such
    profile; or the file and the key path of what is wrong.
    """
    if name not in profile_names(root):
        raise Complaint(Phrase("braille.no_profile", name=name, known=", ".join(profile_names(root))))
    return _check_profile(name, _whole(name, root))


_NO_SIGNS = ("name", "base", "title")


def changed_profile(name: str, changes: str, root: Traversable | None = None) -> Profile:
    """Return a profile with some signs replaced by a reader's own, given as TOML that holds only these.

    A reader who knows better replaces a sign marked unconfirmed in this way:
    `[signs]` `castle_short = { cells = "⠕⠤⠕" }`.
    Raises Complaint where the text is no TOML, or where moves of the profile could then be misread.
    """
    if name not in profile_names(root):
        return load_profile(name, root)  # complains
    own = source_of(changes.encode(), "The file of changed signs")
    if not own.table.keys().isdisjoint(_NO_SIGNS):
        raise Complaint(Phrase("braille.signs_alone", file=own.label, names=", ".join(_NO_SIGNS)))
    return _check_profile(name, Source(own.label, derive_table(_whole(name, root).table, own.table)))


def national_profile(language: str, root: Traversable | None = None) -> str:
    """Return the name of the six-dot profile with a language's letters; "ukaaf" where there is none."""
    return language if language in profile_names(root) else "ukaaf"


def computer_profile(language: str, root: Traversable | None = None) -> str:
    """Return the name of the eight-dot profile with a language's letters, the default of a display."""
    name = f"{COMPUTER}-{language}"
    return name if name in profile_names(root) else COMPUTER


class ProseTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names of the liblouis tables for prose.

    `tables`: by language; `grades`: by the name that a reader chooses; `typing`: by language.
    """

    tables: Mapping[str, str]
    grades: Mapping[str, str]
    typing: Mapping[str, tuple[str, ...]]


class _ProseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: str
    typing: tuple[str, ...]
    grades: dict[str, str]


def load_prose(root: Traversable | None = None) -> ProseTables:
    """Return the liblouis tables for prose, of each language that has any (`braille/prose.toml`). Raises Complaint."""
    tables, grades, typing = dict[str, str](), dict[str, str](), dict[str, tuple[str, ...]]()
    for tag in language_tags(root):
        if not language_has(tag, PROSE, root):
            continue
        source = read_source(of_language(tag, PROSE), root)
        found = source.in_shape(_ProseFile)
        for name in found.typing:
            if name not in found.grades:
                raise source.complain("typing", f'there is no grade "{name}"')
        tables[tag], typing[tag] = found.table, found.typing
        grades |= found.grades
    return ProseTables(tables, grades, typing)


def prose_table(name: str, root: Traversable | None = None) -> str:
    """Return the liblouis table of that name. Raises Complaint: no such name."""
    grades = load_prose(root).grades
    if name not in grades:
        raise Complaint(Phrase("braille.no_prose", name=name, known=", ".join(sorted(grades))))
    return grades[name]


def load_prose_tables(root: Traversable | None = None) -> dict[str, str]:
    """Return the liblouis table for the prose of each language, by language tag."""
    return dict(load_prose(root).tables)
