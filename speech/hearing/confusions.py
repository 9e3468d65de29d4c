"""Mishearings of an engine, counted in `config/confusions/ENGINE.toml`.

An engine that was never counted takes another engine's confusions.
"""

from __future__ import annotations

from functools import cache
from importlib.resources.abc import Traversable

from speech.hearing.evidence import Confusions
from speech.words.config_file import config_root, read_source

COUNTED = "own"
KINDS = ("files", "ranks", "pieces", "castling")


@cache
def load_confusions(engine: str = COUNTED, root: Traversable | None = None) -> Confusions:
    """Return the confusions of an engine ("own", or several joined by "+").

    Raises Complaint with file and key path.
    """
    place = config_root(root).joinpath("confusions")
    names = (engine, *engine.split("+"))
    name = next((one for one in names if place.joinpath(f"{one}.toml").is_file()), COUNTED)
    source = read_source(f"confusions/{name}.toml", root)
    found = source.in_shape(Confusions)
    source.exactly(found.unseen, "unseen", (*KINDS, *found.unseen))
    if found.listed + found.nearby > 1.0:
        raise source.complain("listed", "it and nearby are at most 1 together")
    return found
