"""This module reads what players read aloud so that the program gets to know their voices.

The prompts are in `config/enrolment.toml`.
"""

from __future__ import annotations

import tomllib
from importlib.abc import Traversable
from importlib.resources import files

import msgspec

from speech.announcements.understand import understand
from speech.complaint import Complaint


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    prompts: tuple[str, ...]


def load_prompts(root: Traversable | None = None) -> tuple[tuple[str, ...], ...]:
    """Return chains of word ids, in the order in which they are read.

    Raises Complaint that names the file and the key.
    """
    label = "config/enrolment.toml"
    try:
        text = (files("config") if root is None else root).joinpath("enrolment.toml").read_text("utf-8")
        found = msgspec.convert(tomllib.loads(text), _File)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as wrong:
        raise Complaint(f"{label} cannot be used ({wrong}); install Anna Eins again.") from None
    chains = tuple(tuple(line.split()) for line in found.prompts)
    for number, chain in enumerate(chains):
        if understand(chain).kind == "none":
            raise Complaint(f"{label}, key prompts[{number}]: this is no announcement and no command.")
    return chains
