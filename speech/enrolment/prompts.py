"""The prompts that players read aloud, so that the program gets to know their voices.

The prompts are in `config/enrolment.toml`.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable

import msgspec

from speech.announcements.understand import understand
from speech.words.config_file import read_source


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    prompts: tuple[str, ...]


def load_prompts(root: Traversable | None = None) -> tuple[tuple[str, ...], ...]:
    """Return chains of word ids, in the order in which they are read.

    Raises Complaint that names the file and the key.
    """
    source = read_source("enrolment.toml", root)
    chains = tuple(tuple(line.split()) for line in source.in_shape(_File).prompts)
    for number, chain in enumerate(chains, start=1):
        if understand(chain).kind == "none":
            raise source.complain(f"prompts[{number}]", "this is no announcement and no command")
    return chains
