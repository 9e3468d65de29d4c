"""The SHA-256 of a model's files, which is computed again only where a file has changed.

A start would otherwise read all of a model for its hashes alone. What was computed stands in a small file beside the
models, each hash with its file's length, times and number on the disk; any change of the file changes one of these.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

RECORD = ".checked.json"
_YOUNG_NS = 2_000_000_000
"""A file may change once more within the same tick of the disk's clock, so the hash of a fresh one is not kept."""

Stamp = tuple[int, int, int, int]


class _Kept(msgspec.Struct, frozen=True):
    stamp: Stamp
    sha256: str


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file. Raises OSError."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digests(folder: Path, names: Iterable[str], shelf: Path | None = None) -> dict[str, str]:
    """Return the SHA-256 of these files of a folder, by name. Raises OSError where one cannot be read.

    `shelf`: the folder whose record is used and added to; without it, or where that cannot be written, every file is
    read.
    """
    record = _read(shelf)
    found: dict[str, str] = {}
    fresh = False
    for name in names:
        file = (folder / name).absolute()
        before = _stamp(file)
        kept = record.get(str(file))
        if kept is not None and kept.stamp == before:
            found[name] = kept.sha256
            continue
        found[name] = sha256_of(file)
        if _stamp(file) == before and time.time_ns() - max(before[1], before[2]) > _YOUNG_NS:
            record[str(file)] = _Kept(before, found[name])
            fresh = True
    if fresh and shelf is not None:
        _write(shelf, record)
    return found


def _stamp(file: Path) -> Stamp:
    status = file.stat()
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _read(shelf: Path | None) -> dict[str, _Kept]:
    if shelf is None:
        return {}
    try:
        return msgspec.json.decode((shelf / RECORD).read_bytes(), type=dict[str, _Kept])
    except (OSError, msgspec.MsgspecError, RecursionError):
        return {}


def _write(shelf: Path, record: dict[str, _Kept]) -> None:
    """Write the record whole or not at all; without it the files are only read once more."""
    there = {file: kept for file, kept in record.items() if Path(file).is_file()}
    part = shelf / f"{RECORD}.{os.getpid()}"
    with suppress(OSError):
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
                stream.write(msgspec.json.encode(there))
            part.replace(shelf / RECORD)
        finally:
            part.unlink(missing_ok=True)
