"""This module reads `config/confusions/ENGINE.toml`: how an engine mishears.

An engine that was never counted takes another engine's confusions.
"""

from __future__ import annotations

from functools import cache
from importlib.abc import Traversable
from importlib.resources import files

from speech.complaint import Complaint
from speech.hearing.evidence import Confusions
from speech.words.config_file import read_settings

COUNTED = "sphinx"
KINDS = ("files", "ranks", "pieces", "castling")


@cache
def load_confusions(engine: str = COUNTED, root: Traversable | None = None) -> Confusions:
    """Return the confusions of an engine ("sphinx", or several joined by "+").

    Raises Complaint with file and key path.
    """
    place = (files("config") if root is None else root).joinpath("confusions")
    names = (engine, *engine.split("+"))
    name = next((one for one in names if place.joinpath(f"{one}.toml").is_file()), COUNTED)
    label = f"config/confusions/{name}.toml"
    found = read_settings(f"confusions/{name}.toml", Confusions, root)
    for kind in KINDS:
        if kind not in found.unseen:
            raise Complaint(f"{label}, key unseen.{kind}: this entry is missing.")
        for said, costs in {**getattr(found, kind)}.items():
            for heard, cost in costs.items():
                if not 0.0 <= cost <= 50.0:
                    raise Complaint(f"{label}, key {kind}.{said}.{heard}: a cost is from 0 to 50.")
    if found.temperature <= 0.0:
        raise Complaint(f"{label}, key temperature: it must be above 0.")
    shares = (found.listed, found.nearby, found.spread)
    if not all(0.0 <= share <= 1.0 for share in shares) or found.listed + found.nearby > 1.0:
        raise Complaint(f"{label}, keys listed, nearby, spread: each is from 0 to 1, the first two at most 1 together.")
    return found
