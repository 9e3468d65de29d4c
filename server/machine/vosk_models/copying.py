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

from speech.complaint import Complaint

LARGEST_MODEL = 8 * 2**30
"""Bytes unpacked; the largest official models have about 5 GB."""

MOST_FILES = 2000
"""Files, and as many folders."""
DEEPEST = 16
"""Folders within folders; the official models have three."""
_PIECE = 2**20
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
            raise Complaint(f"There is no folder and no file {source}: name an unpacked Vosk model or its zip file.")
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError):
        raise Complaint(f"{source} is no whole zip file: name an unpacked Vosk model or its zip file.") from None
    except OSError as wrong:
        raise Complaint(f"The model {source} cannot be copied ({wrong.strerror or wrong}).") from None


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
                raise Complaint(f"The model {source} holds a link ({inside / name}): name a folder of plain files.")
            (target / inside / name).mkdir(mode=0o700)
        for name in names:
            path = Path(folder) / name
            if not stat.S_ISREG(path.lstat().st_mode):
                raise Complaint(f"The model {source} holds a link or a device ({inside / name}): use plain files.")
            with path.open("rb") as stream:
                room.write(stream, target / inside / name)


def _unpack(source: Path, target: Path) -> None:
    room = _Room(source, target)
    with zipfile.ZipFile(source) as packed:
        entries = packed.infolist()
        if sum(entry.file_size for entry in entries) > LARGEST_MODEL:
            raise room.too_large()
        if len(entries) > 2 * MOST_FILES:
            raise Complaint(f"{source} holds more than {2 * MOST_FILES} files and folders: it is no Vosk model.")
        for entry, inside in _entries(source, entries):
            room.enter(len(inside.parts) - (not entry.is_dir()), int(entry.is_dir()))
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
            raise Complaint(f"{source} would write outside its folder ({entry.filename!r}): it is not to be trusted.")
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise Complaint(f"{source} holds a link or a device ({entry.filename}): it is not to be trusted.")
        if entry.flag_bits & _SECRET:
            raise Complaint(f"{source} is encrypted: unpack it and name the folder.")
        if inside.parts:
            yield entry, inside


class _Room:
    """This counts what is written, because a zip file may hold more than it says."""

    def __init__(self, source: Path, target: Path) -> None:
        self._source = source
        self._bytes = 0
        self._files = 0
        self._folders = 0
        self._free = shutil.disk_usage(target).free - _SPARE

    def too_large(self) -> Complaint:
        return Complaint(f"The model {self._source} is larger than {LARGEST_MODEL // 2**30} GiB: choose a smaller one.")

    def enter(self, depth: int, folders: int) -> None:
        """Count folders at this depth. Raises Complaint where no model has so many, or so deep ones."""
        self._folders += folders
        if depth > DEEPEST:
            raise Complaint(f"{self._source} has more than {DEEPEST} folders within folders: it is no Vosk model.")
        if self._folders > MOST_FILES:
            raise Complaint(f"{self._source} holds more than {MOST_FILES} folders: it is no Vosk model.")

    def write(self, stream: BinaryIO, path: Path) -> None:
        self._files += 1
        if self._files > MOST_FILES:
            raise Complaint(f"{self._source} holds more than {MOST_FILES} files: it is no Vosk model.")
        # O_EXCL: an entry that comes twice (on some disks: differs only in capitals) overwrites nothing.
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise Complaint(f"{self._source} holds {path.name} twice: it is not to be trusted.") from None
        with os.fdopen(descriptor, "wb") as file:
            while piece := stream.read(_PIECE):
                self._bytes += len(piece)
                if self._bytes > LARGEST_MODEL:
                    raise self.too_large()
                if self._bytes > self._free:
                    raise Complaint(f"There is no room on the disk for the model {self._source}: free some first.")
                file.write(piece)


def model_root(folder: Path) -> Path:
    """Return where the model is in a copy: here, or in the one folder that a zip file wraps around it.

    Raises Complaint.
    """
    place = folder
    for _ in range(3):
        if any((place / part).exists() for part in ("am", "conf", "graph", "final.mdl")):
            break
        inside = [entry for entry in place.iterdir() if entry.is_dir() and entry.name != "__MACOSX"]
        if len(inside) != 1:
            raise Complaint("There is no Vosk model in it: it has no folders am, conf and graph.")
        (place,) = inside
    if (place / "final.mdl").is_file() and not (place / "am").is_dir():
        raise Complaint("It is an old kind of Vosk model, all files in one folder: choose one with am, conf and graph.")
    if (place / "graph" / "HCLG.fst").is_file() and not (place / "graph" / "HCLr.fst").is_file():
        raise Complaint("Its graph is fixed (HCLG.fst) and takes no words of ours: choose a model with HCLr.fst.")
    return place
