"""A model, given as a folder or a zip file, is copied safely.

Nothing is written outside the copy, no links are taken, and no more than fits.
"""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from speech.complaint import Complaint, Phrase

LARGEST_MODEL = 8 * 2**30
"""Bytes unpacked; the largest official models have about 5 GB."""

MOST_FILES = 2000
"""Files, and as many folders."""
DEEPEST = 16
"""Folders within folders; the official models have three."""
_PIECE = 2**20
MODEL_PARTS = frozenset({"am", "conf", "graph", "final.mdl"})
"""Parts of a model, which stand at its root or one or two folders deeper."""
WHISPERS = frozenset({"model.bin"})
MOST_PACKED = 100
"""No file of a model is packed to less than a hundredth; the official ones need a third."""
_SPARE = 100 * 2**20
_SECRET = 1  # flag bit of an encrypted entry


def copy_model(source: Path, target: Path) -> None:
    """Copy the folder, or unpack the zip file, into the new folder `target`, private to its owner.

    Raises Complaint in one sentence; then the caller must remove what was written.
    """
    try:
        _private(target)
        if source.is_dir():
            _copy_folder(source, target)
        elif source.is_file():
            _unpack(source, target)
        else:
            raise Complaint(Phrase("model.nothing", file=source))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError):
        raise Complaint(Phrase("model.no_zip", file=source)) from None
    except OSError as wrong:
        raise Complaint(Phrase("files.unread", place=source, why=(wrong.strerror or wrong))) from None


def _private(folder: Path) -> None:
    """Make a folder and those above it, all private.

    `mkdir(parents=True)` would leave those above open to other users.
    """
    if not folder.exists():
        _private(folder.parent)
        folder.mkdir(mode=0o700)


def _copy_folder(source: Path, target: Path) -> None:
    room = _Room(source, target)
    for folder, folders, names in os.walk(source):
        inside = Path(folder).relative_to(source)
        room.enter(len(inside.parts) + bool(folders), len(folders))
        for name in folders:
            if (Path(folder) / name).is_symlink():
                raise Complaint(Phrase("model.link", place=source, name=(inside / name)))
            (target / inside / name).mkdir(mode=0o700)
        for name in names:
            path = Path(folder) / name
            if not stat.S_ISREG(path.lstat().st_mode):
                raise Complaint(Phrase("model.link", place=source, name=(inside / name)))
            with path.open("rb") as stream:
                room.write(stream, target / inside / name)


def _unpack(source: Path, target: Path) -> None:
    room = _Room(source, target)
    with zipfile.ZipFile(source) as packed:
        entries = packed.infolist()
        if sum(entry.file_size for entry in entries) > LARGEST_MODEL:
            raise room.too_large()
        if len(entries) > 2 * MOST_FILES:
            raise Complaint(Phrase("model.too_many", place=source, most=(2 * MOST_FILES)))
        # Before anything is unpacked: four gigabytes of nothing fit into four megabytes.
        checked = list(_entries(source, entries))
        for entry, inside in checked:
            room.enter(len(inside.parts) - (not entry.is_dir()), int(entry.is_dir()))
        if not any((MODEL_PARTS | WHISPERS) & {*inside.parts[:4]} for _, inside in checked):
            raise Complaint(Phrase("model.refused", place=source, why=Phrase("model.none")))
        if any(entry.file_size > MOST_PACKED * entry.compress_size + _PIECE for entry in entries):
            raise room.too_large()
        for entry, inside in checked:
            path = target.joinpath(*inside.parts)
            if entry.is_dir():
                _private(path)
                continue
            _private(path.parent)
            with packed.open(entry) as stream:
                room.write(stream, path)  # type: ignore[arg-type]


def _entries(source: Path, entries: list[zipfile.ZipInfo]) -> Iterator[tuple[zipfile.ZipInfo, PurePosixPath]]:
    """Return each entry with where it goes.

    Raises Complaint for any that would leave the folder or is not a plain file.
    """
    for entry in entries:
        inside = PurePosixPath(entry.filename.replace("\\", "/"))
        if inside.is_absolute() or ".." in inside.parts or ":" in entry.filename or "\0" in entry.filename:
            raise Complaint(Phrase("model.outside", place=source, name=repr(entry.filename)))
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise Complaint(Phrase("model.link", place=source, name=entry.filename))
        if entry.flag_bits & _SECRET:
            raise Complaint(Phrase("model.encrypted", place=source))
        if inside.parts:
            yield entry, inside


class _Room:
    """Counter of what is written, because a zip file may hold more than it says."""

    def __init__(self, source: Path, target: Path) -> None:
        self._source = source
        self._bytes = 0
        self._files = 0
        self._folders = 0
        self._free = shutil.disk_usage(target).free - _SPARE

    def too_large(self) -> Complaint:
        return Complaint(Phrase("model.too_large", model=self._source, most=LARGEST_MODEL // 2**30))

    def enter(self, depth: int, folders: int) -> None:
        """Count folders at this depth. Raises Complaint where no model has so many, or so deep ones."""
        self._folders += folders
        if depth > DEEPEST:
            raise Complaint(Phrase("model.too_deep", place=self._source, most=DEEPEST))
        if self._folders > MOST_FILES:
            raise Complaint(Phrase("model.too_many", place=self._source, most=MOST_FILES))

    def write(self, stream: BinaryIO, path: Path) -> None:
        self._files += 1
        if self._files > MOST_FILES:
            raise Complaint(Phrase("model.too_many", place=self._source, most=MOST_FILES))
        # O_EXCL: an entry that comes twice (on some disks: differs only in capitals) overwrites nothing.
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise Complaint(Phrase("model.twice", place=self._source, name=path.name)) from None
        with os.fdopen(descriptor, "wb") as file:
            while piece := stream.read(_PIECE):
                self._bytes += len(piece)
                if self._bytes > LARGEST_MODEL:
                    raise self.too_large()
                if self._bytes > self._free:
                    raise Complaint(Phrase("model.no_room", place=self._source))
                file.write(piece)


def model_root(folder: Path) -> Path:
    """Return where the model is in a copy: here, or in the one folder that a zip file wraps around it.

    Raises Complaint.
    """
    place = folder
    for _ in range(3):
        if any((place / part).exists() for part in MODEL_PARTS):
            break
        inside = [entry for entry in place.iterdir() if entry.is_dir() and entry.name != "__MACOSX"]
        if len(inside) != 1:
            raise Complaint(Phrase("model.none"))
        (place,) = inside
    if (place / "final.mdl").is_file() and not (place / "am").is_dir():
        raise Complaint(Phrase("model.old_kind"))
    if (place / "graph" / "HCLG.fst").is_file() and not (place / "graph" / "HCLr.fst").is_file():
        raise Complaint(Phrase("model.fixed_graph"))
    return place
