"""The models of Whisper that the program knows by their hashes, and where each can be had (`config/models.toml`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Annotated, Literal

import msgspec

from speech.complaint import Complaint, Phrase
from speech.words.config_file import Source, Text, below, config_root, read_source

SourceName = Literal["hub", "packages"]
_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_PLACES = ("{repository}", "{revision}", "{file}")


class ModelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Length of a file, and its SHA-256."""

    bytes: Annotated[int, msgspec.Meta(ge=1)]
    sha256: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Packages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Packages that hold a model: `lock` in config/locks names them, `files` the parts of each file, in order."""

    lock: Text
    files: dict[str, Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)]]


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    licence: Text
    repository: Text
    revision: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{40}$")]
    sources: Annotated[tuple[SourceName, ...], msgspec.Meta(min_length=1)]
    files: Annotated[dict[str, ModelFile], msgspec.Meta(min_length=1)]
    packages: Packages | None = None


class _Contents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hub: Text
    models: Annotated[dict[str, _Entry], msgspec.Meta(min_length=1)]


class KnownModel(msgspec.Struct, frozen=True):
    """One model; `addresses` says where the hub has each file, `lock` is the packages' lock."""

    name: str
    licence: str
    repository: str
    revision: str
    sources: tuple[SourceName, ...]
    files: Mapping[str, ModelFile]
    addresses: Mapping[str, str]
    parts: Mapping[str, tuple[str, ...]]
    lock: str

    @property
    def bytes(self) -> int:
        """Return how long all its files are together."""
        return sum(one.bytes for one in self.files.values())


@cache
def load_known_models(root: Traversable | None = None) -> Mapping[str, KnownModel]:
    """Return name -> model, as config/models.toml has them. Raises Complaint that names the file and the key path."""
    source = read_source("models.toml", root)
    found = source.in_shape(_Contents)
    for place in _PLACES:
        if place not in found.hub:
            raise source.complain("hub", f"{place} is missing")
    return {name: _model(source, name, entry, found.hub, root) for name, entry in found.models.items()}


def known_model(name: str) -> KnownModel:
    """Return the model of that name. Raises Complaint that lists those there are."""
    known = load_known_models()
    if name not in known:
        raise Complaint(Phrase("whisper.unknown", name=name, known=", ".join(known), command="anna-eins models add"))
    return known[name]


def _model(source: Source, name: str, entry: _Entry, hub: str, root: Traversable | None) -> KnownModel:
    path = below("models", name)
    for key in (name, *entry.files):
        if not _PLAIN.fullmatch(key):
            raise source.complain(path, f"{key} is no plain name of a file")
    lock, parts = "", {}
    if entry.packages is not None:
        parts = entry.packages.files
        source.exactly(parts, f"{path}.packages.files", entry.files)
        file = config_root(root).joinpath("locks", entry.packages.lock)
        if not file.is_file():
            raise source.complain(f"{path}.packages.lock", f"{entry.packages.lock} is not in config/locks")
        lock = file.read_text("utf-8")
    if ("packages" in entry.sources) != (entry.packages is not None):
        raise source.complain(f"{path}.sources", "packages are named here or below, and not in both places")
    told = {"repository": entry.repository, "revision": entry.revision}
    addresses = {file: hub.format_map({**told, "file": file}) for file in entry.files}
    about = (entry.licence, entry.repository, entry.revision, entry.sources, entry.files)
    return KnownModel(name, *about, addresses, parts, lock)
