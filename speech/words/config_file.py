"""Every TOML file of `config`, read once into the shape that its loader declares.

A shape is a frozen msgspec Struct with strict types. Every complaint names the file and the key path; the items of a
list are counted from one. What a shape cannot say its loader checks, and complains through the same `Source`.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Mapping
from copy import deepcopy
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from speech.complaint import Complaint, Phrase, told_by

LANGUAGES = "languages"
"""The folder below `config` in which each language has its folder: all that belongs to that language alone."""
MORE_LANGUAGES = "ANNA_EINS_LANGUAGES"
"""The variable that names a folder with further languages, each a folder as in `config/languages`."""

Text = Annotated[str, msgspec.Meta(pattern=r"\S")]
"""A text that is not empty."""

Shape = TypeVar("Shape")

# How msgspec says where a value is wrong: `$.field`, `[0]` in a list, `[...]` in a table of any keys.
_WHERE = re.compile(r" - at (?=(?:`key` in )?`\$[^`]*`$)")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.+)`")
_ENUM = re.compile("Invalid enum value '?(.*?)'?")
_KIND = r"Expected `(.+?)`"
_GOT = re.compile(rf"{_KIND}, got `(.+)`")
_BOUND = re.compile(rf"{_KIND} (of length )?(>=|<=|>|<)? ?(-?[0-9.]+)")
_LENGTH = re.compile(rf"{_KIND} of length (.+), got (.+)")
_FORM = re.compile(rf"{_KIND} matching regex (.+)")
_TOKEN = re.compile(rb"[A-Za-z0-9_-]++|\"[^\"\n]*+\"?|'[^'\n]*+'?|[ \t]++|#[^\n]*+|.", re.DOTALL)
MOST_PARTS = 32
"""A key of a person's own file has no more parts."""
LONGEST_PATH, LONGEST_WHY = 120, 300
"""Lengths to which a complaint quotes a file."""
_KINDS = {
    "array": Phrase("value.list"),
    "bool": Phrase("value.yes_no"),
    "float": Phrase("value.number"),
    "int": Phrase("value.whole_number"),
    "null": Phrase("value.nothing"),
    "object": Phrase("value.table"),
    "str": Phrase("value.text"),
}
_BOUNDS = {">=": "at_least", "<=": "at_most", ">": "above", "<": "below"}


class Source:
    """One TOML file, parsed; `label` is its name in a complaint."""

    def __init__(self, label: str | Phrase, table: dict[str, Any]) -> None:
        self.label, self.table = label, table

    def complain(self, path: str, wrong: str | Phrase | Exception) -> Complaint:
        """Return the complaint about a key path of this file; "": about the whole of it."""
        why = told_by(wrong) if isinstance(wrong, Exception) else wrong
        path = path if len(path) <= LONGEST_PATH else f"{path[:LONGEST_PATH]}..."
        why = why.rstrip(".") if isinstance(why, str) else why
        return Complaint(
            Phrase("file.key", file=self.label, key=path, why=why)
            if path
            else Phrase("file.whole", file=self.label, why=why)
        )

    def in_shape(self, kind: type[Shape], path: str = "", value: Any = msgspec.UNSET) -> Shape:
        """Return the whole table, or the `value` that stands at `path`, in its shape.

        Raises Complaint that names the file and the key path of what has another shape.
        """
        value = self.table if value is msgspec.UNSET else value
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as wrong:
            raise self.complain(*_complaint_told(str(wrong), kind, value, path)) from None

    def exactly(self, table: Mapping[str, Any], path: str, keys: Collection[str], *, every: bool = True) -> None:
        """Complain about a key that should not be there: a misspelt id must not pass in silence.

        `every`: also about one that is missing.
        """
        for key in (*table, *keys):
            if key not in keys:
                raise self.complain(below(path, key), Phrase("value.unknown"))
            if every and key not in table:
                raise self.complain(below(path, key), Phrase("value.missing"))


def plainly(wrong: str, kind: Any, value: Any) -> str | Phrase:
    """Return msgspec's complaint about a value as one plain phrase, which names the key."""
    path, why = _complaint_told(wrong, kind, value, "")
    return Phrase("value.at_key", key=path, why=why) if path else why


def _complaint_told(wrong: str, kind: Any, value: Any, path: str) -> tuple[str, str | Phrase]:
    """Return msgspec's complaint about a value as a key path and a plain phrase.

    Where it leaves out a key ("[...]"), the key is the first one with which alone the value is still wrong.
    """
    what, where = (*_WHERE.split(wrong), "")[:2]
    if where.startswith("`key` in "):
        where += "[...]"
    left = found = deepcopy(value)
    for field, item in _STEP.findall(where.replace("`", "")):
        key = field or item
        if item.isdigit():
            path, found = f"{path}[{int(item) + 1}]", found[int(item)]
            continue
        if item:
            key = _first_wrong(left, found, kind)
        path, found = below(path, key), found[key]
    if field_wrong := _FIELD.fullmatch(what):
        missing = field_wrong[1].startswith("missing")
        return below(path, field_wrong[2]), Phrase("value.missing" if missing else "value.unknown")
    return path, _plain(what)


def _first_wrong(whole: Any, table: dict[str, Any], kind: Any) -> str:
    """Return the first key of a table that makes the whole value wrong, and leave that key alone in the table.

    By halves, and in place: one look for each key of a long table would take minutes.
    """
    left = list(table.items())
    while len(left) > 1:
        first, second = left[: len(left) // 2], left[len(left) // 2 :]
        table.clear()
        table.update(first)
        left = first if _is_wrong(whole, kind) else second
    table.clear()
    table.update(left)
    return left[0][0]


def _plain(what: str) -> str | Phrase:
    """Return what msgspec says of one value as a phrase; as it says it where it says something rare."""
    if what.endswith(r"matching regex '\\S'"):
        return Phrase("value.empty")
    if enum := _ENUM.fullmatch(what):
        return Phrase("value.cannot_be", value=enum[1].replace("`", ""))
    if got := _GOT.fullmatch(what):
        return Phrase("value.expected", wanted=_kinds(got[1]), found=_kinds(got[2]))
    if length := _LENGTH.fullmatch(what):
        return Phrase("value.length_got", wanted=_kinds(length[1]), bound=length[2], found=length[3])
    if bound := _BOUND.fullmatch(what):
        key = "_".join(filter(None, ("length" if bound[2] else "", _BOUNDS.get(bound[3], ""))))
        return Phrase(f"value.{key}", wanted=_kinds(bound[1]), bound=bound[4])
    if form := _FORM.fullmatch(what):
        return Phrase("value.form", wanted=_kinds(form[1]), form=form[2])
    return what


def _kinds(named: str) -> str | Phrase:
    """Return kinds of values as msgspec names them ("int | null") in words."""
    one, _, others = named.partition(" | ")
    first = _KINDS.get(one, one)
    return Phrase("value.either", one=first, other=_kinds(others)) if others else first


def _is_wrong(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return True
    return False


def below(path: str, key: str) -> str:
    """Return the path of a key of a table: in quotes where TOML needs them."""
    key = key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f'"{key}"'
    return f"{path}.{key}" if path else key


def source_of(text: bytes, label: str | Phrase) -> Source:
    """Return a TOML file's bytes, parsed. Raises Complaint where they are no TOML."""
    try:
        return Source(label, tomllib.loads(text.decode("utf-8")))
    except ValueError as wrong:  # no TOML, no UTF-8, or a number of thousands of digits
        raise Complaint(Phrase("file.no_toml", file=label, why=str(wrong)[:LONGEST_WHY])) from None
    except RecursionError:
        raise Complaint(Phrase("file.too_deep", file=label)) from None


def own_source_of(text: bytes, label: str | Phrase) -> Source:
    """Return a TOML file of a person's own, parsed. Raises Complaint as `source_of`, and where a key has many parts.

    Python's parser needs seconds for a key of thousands of parts, `a.a.a...`.
    """
    dots, dotted = 0, False
    for token in _TOKEN.finditer(text):
        if token[0] == b".":
            dots += 1
            dotted = True
            if dots > MOST_PARTS:
                raise Complaint(Phrase("file.too_deep", file=label))
        elif token[0].isspace():
            continue
        else:
            dots = dots if dotted else 0
            dotted = False
    return source_of(text, label)


def read_source(path: str, root: Traversable | None = None) -> Source:
    """Return `config/PATH` (parts joined by "/"), parsed.

    Raises Complaint where it is missing or no TOML. `root`: another folder than the installed `config`.
    """
    return source_of(content_of(path, root), f"config/{path}")


def content_of(path: str, root: Traversable | None = None) -> bytes:
    """Return the bytes of `config/PATH`. Raises Complaint where it is missing."""
    try:
        return place_of_config(path, root).read_bytes()
    except OSError:
        raise Complaint(Phrase("file.missing", path=path)) from None


def read_settings(path: str, kind: type[Shape], root: Traversable | None = None) -> Shape:
    """Return `config/PATH` in its shape. Raises Complaint where it is missing or wrong."""
    return read_source(path, root).in_shape(kind)


def language_tags(root: Traversable | None = None) -> tuple[str, ...]:
    """Return the tags of the languages there are, sorted.

    Each is a folder of `config/languages`, or of the folder that `ANNA_EINS_LANGUAGES` names.
    """
    return _installed_tags() if root is None else tuple(folders_in(root, LANGUAGES))


@cache
def _installed_tags() -> tuple[str, ...]:
    more = os.environ.get(MORE_LANGUAGES)
    return tuple(sorted({*folders_in(files("config"), LANGUAGES), *(folders_in(Path(more), "") if more else ())}))


def of_language(tag: str, name: str) -> str:
    """Return the path of one file of a language below `config`.

    >>> of_language("de", "lexicon.toml")
    'languages/de/lexicon.toml'
    """
    return f"{LANGUAGES}/{tag}/{name}"


def place_of_config(path: str, root: Traversable | None = None) -> Traversable:
    """Return where `config/PATH` lies; a language that did not come with the program lies in a folder of its own."""
    place = config_root(root).joinpath(*path.split("/"))
    head, _, rest = path.partition("/")
    more = os.environ.get(MORE_LANGUAGES) if root is None and head == LANGUAGES else None
    if more and not files("config").joinpath(LANGUAGES, rest.partition("/")[0]).is_dir():
        return Path(more).joinpath(*rest.split("/"))
    return place


def files_of_language(tag: str, folder: str, root: Traversable | None = None) -> list[str]:
    """Return the names of the TOML files in a folder of a language, sorted; none where it has no such folder."""
    return names_in(place_of_config(of_language(tag, folder), root), "")


def language_has(tag: str, name: str, root: Traversable | None = None) -> bool:
    """Return whether a language has this file of those that not every language needs."""
    return place_of_config(of_language(tag, name), root).is_file()


def named_source(folder: str, name: str, what: str | Phrase, root: Traversable | None = None) -> Source:
    """Return `config/FOLDER/NAME.toml`, parsed.

    Raises Complaint that lists the names there are; `what` is their kind.
    """
    names = names_in(config_root(root), folder)
    if name not in names:
        raise Complaint(Phrase("file.no_such", what=what, name=name, names=", ".join(names)))
    return read_source(f"{folder}/{name}.toml", root)


def folders_in(root: Traversable, folder: str) -> list[str]:
    """Return the names of the folders in a folder, sorted; none where there is no such folder."""
    place = root.joinpath(folder)
    if not place.is_dir():
        return []
    return sorted(entry.name for entry in place.iterdir() if entry.is_dir() and entry.name[0].isalpha())


def names_in(root: Traversable, folder: str) -> list[str]:
    """Return the names of the TOML files of a folder, sorted; none where there is no such folder."""
    place = root.joinpath(folder)
    if not place.is_dir():
        return []
    return sorted(entry.name.removesuffix(".toml") for entry in place.iterdir() if entry.name.endswith(".toml"))


def config_root(root: Traversable | None) -> Traversable:
    """Return the folder that stands for `config`: the installed one where none is given."""
    return files("config") if root is None else root
