"""This module reads every TOML file of `config`, once, into the shape that its loader declares.

A shape is a frozen msgspec Struct with strict types. Every complaint names the file and the key path; the items of a
list are counted from one. What a shape cannot say its loader checks, and complains through the same `Source`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from copy import deepcopy
from importlib.abc import Traversable
from importlib.resources import files
from typing import Annotated, Any, TypeVar

import msgspec

from speech.complaint import Complaint

Text = Annotated[str, msgspec.Meta(pattern=r"\S")]
"""A text that is not empty."""

Shape = TypeVar("Shape")

# How msgspec says where a value is wrong: `$.field`, `[0]` in a list, `[...]` in a table of any keys.
_WHERE = re.compile(r" - at (?=(?:`key` in )?`\$[^`]*`$)")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.+)`")
_KINDS = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "nothing",
    "object": "a table",
    "str": "text",
}
_BOUNDS = {">=": "at least", "<=": "at most", ">": "above", "<": "below"}


class Source:
    """A `Source` is one TOML file, parsed; `label` is its name in a complaint."""

    def __init__(self, label: str, table: dict[str, Any]) -> None:
        self.label, self.table = label, table

    def complain(self, path: str, wrong: object) -> Complaint:
        told = str(wrong).rstrip(".")
        return Complaint(f"{self.label}, key {path}: {told}." if path else f"{self.label}: {told}.")

    def shaped(self, kind: type[Shape], path: str = "", value: Any = msgspec.UNSET) -> Shape:
        """Return the whole table, or the `value` that stands at `path`, in its shape.

        Raises Complaint that names the file and the key path of what has another shape.
        """
        value = self.table if value is msgspec.UNSET else value
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as wrong:
            raise self.complain(*_told(str(wrong), kind, value, path)) from None

    def exactly(self, table: Mapping[str, Any], path: str, keys: Collection[str], *, every: bool = True) -> None:
        """Complain about a key that should not be there: a misspelt id must not pass in silence.

        `every`: also about one that is missing.
        """
        for key in (*table, *keys):
            if key not in keys:
                raise self.complain(below(path, key), "this entry is not known; check its spelling")
            if every and key not in table:
                raise self.complain(below(path, key), "this entry is missing")


def _told(wrong: str, kind: Any, value: Any, path: str) -> tuple[str, str]:
    """Return msgspec's complaint about a value as a key path and a plain sentence.

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
            whole = dict(found)
            for key, inner in whole.items():
                found.clear()
                found[key] = inner
                if _is_wrong(left, kind):
                    break
        path, found = below(path, key), found[key]
    if field_wrong := _FIELD.fullmatch(what):
        missing = field_wrong[1].startswith("missing")
        told = "this entry is missing" if missing else "this entry is not known; check its spelling"
        return below(path, field_wrong[2]), told
    if what.endswith(r"matching regex '\\S'"):
        return path, "this text is empty"
    what = re.sub("Invalid enum value '?(.*?)'?$", r'it cannot be "\1"', what)
    plain = re.sub("`(.+?)`", lambda kinds: " or ".join(_KINDS.get(one, one) for one in kinds[1].split(" | ")), what)
    for sign, words in _BOUNDS.items():
        plain = plain.replace(f" {sign} ", f" {words} ")
    return path, plain[0].lower() + plain[1:]


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


def source_of(text: bytes, label: str) -> Source:
    """Return a TOML file's bytes, parsed. Raises Complaint where they are no TOML."""
    try:
        return Source(label, tomllib.loads(text.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise Complaint(f"{label} is not readable as TOML: {wrong}.") from None
    except RecursionError:
        raise Complaint(f"{label} is not readable as TOML: it is nested too deep.") from None


def read_source(path: str, root: Traversable | None = None) -> Source:
    """Return `config/PATH` (parts joined by "/"), parsed.

    Raises Complaint where it is missing or no TOML. `root`: another folder than the installed `config`.
    """
    try:
        text = config_root(root).joinpath(*path.split("/")).read_bytes()
    except OSError:
        raise Complaint(f"config/{path} is missing; install Anna Eins again.") from None
    return source_of(text, f"config/{path}")


def read_settings(path: str, kind: type[Shape], root: Traversable | None = None) -> Shape:
    """Return `config/PATH` in its shape. Raises Complaint where it is missing or wrong."""
    return read_source(path, root).shaped(kind)


def named_source(folder: str, name: str, what: str, root: Traversable | None = None) -> Source:
    """Return `config/FOLDER/NAME.toml`, parsed.

    Raises Complaint that lists the names there are; `what` is their kind: "language", "scheme".
    """
    names = names_in(config_root(root), folder)
    if name not in names:
        raise Complaint(f'There is no {what} "{name}"; choose one of: {", ".join(names)}.')
    return read_source(f"{folder}/{name}.toml", root)


def folders_in(root: Traversable, folder: str) -> list[str]:
    """Return the names of the folders in a folder, sorted; none where there is no such folder."""
    place = root.joinpath(folder)
    return sorted(entry.name for entry in place.iterdir() if entry.is_dir()) if place.is_dir() else []


def names_in(root: Traversable, folder: str) -> list[str]:
    """Return the names of the TOML files of a folder, sorted; none where there is no such folder."""
    place = root.joinpath(folder)
    if not place.is_dir():
        return []
    return sorted(entry.name.removesuffix(".toml") for entry in place.iterdir() if entry.name.endswith(".toml"))


def config_root(root: Traversable | None) -> Traversable:
    """Return the folder that stands for `config`: the installed one where none is given."""
    return files("config") if root is None else root
