"""Reading one file of settings from `config` into a frozen value; every complaint names the file and the key path."""

from __future__ import annotations

import tomllib
from importlib.abc import Traversable
from importlib.resources import files
from typing import TypeVar

import msgspec

from speech.complaint import Complaint

Settings = TypeVar("Settings")


def read_settings(path: str, kind: type[Settings], root: Traversable | None = None) -> Settings:
    """`config/PATH` (parts joined by "/") as a value of `kind`. Raises Complaint where it is missing or wrong.

    `root`: another folder than the installed `config`.
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
