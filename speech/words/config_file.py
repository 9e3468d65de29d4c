"""This module reads one TOML file from `config`; every complaint names the file and the key path.

A file of settings becomes a frozen value (`read_settings`); a file of words is read key by key (`Source`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.abc import Traversable
from importlib.resources import files
from typing import Any, TypeVar

import msgspec

from speech.complaint import Complaint

Settings = TypeVar("Settings")


def read_settings(path: str, kind: type[Settings], root: Traversable | None = None) -> Settings:
    """Read `config/PATH` (parts joined by "/") as a value of `kind`.

    Raises Complaint where it is missing or wrong. `root`: another folder than the installed `config`.
    """
    label = f"config/{path}"
    place = files("config") if root is None else root
    try:
        return msgspec.convert(tomllib.loads(place.joinpath(*path.split("/")).read_text("utf-8")), kind)
    except FileNotFoundError:
        raise Complaint(f"{label} is missing; install Anna Eins again.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise Complaint(f"{label} is not readable as TOML: {wrong}.") from None
    except msgspec.ValidationError as wrong:
        raise Complaint(f"{label}: {wrong}.".replace("`", '"').replace("$.", "")) from None


Value = TypeVar("Value")


class Source:
    """A `Source` is `config/FOLDER/NAME.toml`, read.

    `what` is its kind in a complaint: "language", "scheme".
    """

    def __init__(self, root: Traversable, folder: str, name: str, what: str) -> None:
        self.label = f"config/{folder}/{name}.toml"
        there = root.joinpath(folder, f"{name}.toml") if name.replace("-", "").isalnum() else None
        if there is None or not there.is_file():
            raise Complaint(f'There is no {what} "{name}"; choose one of: {", ".join(names_in(root, folder))}.')
        try:
            self.table: dict[str, Any] = tomllib.loads(there.read_text("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
            raise Complaint(f"{self.label} is not readable as TOML: {wrong}.") from wrong

    def complain(self, path: str, wrong: str) -> Complaint:
        return Complaint(f"{self.label}, key {path}: {wrong}.")

    def subtable(self, table: Mapping[str, Any], path: str) -> dict[str, Any]:
        found = table.get(path.rsplit(".", 1)[-1], None)
        if not isinstance(found, dict):
            raise self.complain(path, "this table is missing")
        return found

    def value(self, table: Mapping[str, Any], path: str, kind: type[Value]) -> Value:
        """Return the value at the end of `path`, checked against `kind`."""
        key = path.rsplit(".", 1)[-1]
        if key not in table:
            raise self.complain(path, "this entry is missing")
        try:
            return msgspec.convert(table[key], kind)
        except msgspec.ValidationError as wrong:
            raise self.complain(path, str(wrong).rstrip(".").replace("`", '"').replace("$.", "")) from wrong

    def exactly(self, table: Mapping[str, Any], path: str, keys: tuple[str, ...]) -> None:
        """Complain about a key that should not be there: a misspelt id must not pass in silence."""
        for key in table:
            if key not in keys:
                raise self.complain(f"{path}.{key}" if path else key, "this entry is not known; check its spelling")


def names_in(root: Traversable, folder: str) -> list[str]:
    """Return the names of the TOML files of a folder, sorted; none where there is no such folder."""
    place = root.joinpath(folder)
    if not place.is_dir():
        return []
    return sorted(entry.name.removesuffix(".toml") for entry in place.iterdir() if entry.name.endswith(".toml"))


def config_root(root: Traversable | None) -> Traversable:
    """Return the folder that stands for `config`: the installed one where none is given."""
    return files("config") if root is None else root
