"""Where kept sounds lie: in a folder of this machine, or in a bucket that all servers of a hall reach (`bucket.py`).

What is kept is bytes under a name, `TABLE/UTTERANCE.flac` or `.sealed`; they may be encrypted, and no store looks into
them.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from pathlib import Path
from typing import Protocol

from server.journal.sqlite.schema import BINARY, sync_folder


class NoRoom(OSError):
    """The disk is almost full, and what is left is for the record."""


class SoundStore(Protocol):
    """Store of sounds; nothing that it keeps is ever replaced."""

    async def put(self, name: str, content: bytes) -> None:
        """Keep this under a name; it lasts when this returns.

        Raises:
            FileExistsError: something of this name is kept already.
            OSError: it cannot be kept.
        """

    async def get(self, name: str) -> bytes | None:
        """Return the content of this name, None where there is none. Raises OSError: it cannot be read."""

    async def delete(self, name: str) -> bool:
        """Delete it, and say whether there was anything. Raises OSError: it cannot be deleted."""

    async def names(self) -> list[str]:
        """Return the names of all that is kept. Raises OSError: it cannot be read."""


class SoundFolder:
    """Sounds as files of mode 0600 in folders of mode 0700; each is on disk before its name is there."""

    def __init__(self, root: Path, keep_free: int = 0) -> None:
        """Keep sounds in this folder while its disk has more than `keep_free` bytes, which are for the record."""
        self._root = root
        self._keep_free = keep_free

    async def put(self, name: str, content: bytes) -> None:
        """Write and fsync a file. Raises FileExistsError, NoRoom, OSError."""
        await asyncio.to_thread(self._put, self._root / name, content)

    async def get(self, name: str) -> bytes | None:
        """Return a file's bytes; a link is not followed. Raises OSError."""
        return await asyncio.to_thread(self._get, self._root / name)

    async def delete(self, name: str) -> bool:
        """Delete a file. Raises OSError."""
        return await asyncio.to_thread(self._delete, self._root / name)

    async def names(self) -> list[str]:
        """Return the names of all files that are whole."""
        return await asyncio.to_thread(self._names)

    async def has(self, name: str) -> bool:
        """Say whether there is such a file."""
        return await asyncio.to_thread((self._root / name).is_file)

    async def sweep(self) -> int:
        """Remove what a crash left half written, and return how many files that was."""
        return await asyncio.to_thread(self._sweep)

    def _put(self, place: Path, content: bytes) -> None:
        if shutil.disk_usage(self._root.parent).free < self._keep_free + len(content):
            raise NoRoom
        for folder in (self._root, place.parent):
            if not folder.is_dir():
                folder.mkdir(mode=0o700, exist_ok=True)
                sync_folder(folder.parent)
        descriptor, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=place.parent)  # mode 0600
        try:
            with os.fdopen(descriptor, "wb") as part:
                part.write(content)
                part.flush()
                os.fsync(part.fileno())
            # A hard link is made in one step and never replaces what is there.
            os.link(name, place)
        finally:
            Path(name).unlink()
            sync_folder(place.parent)

    def _get(self, place: Path) -> bytes | None:
        try:
            descriptor = os.open(place, os.O_RDONLY | BINARY | getattr(os, "O_NOFOLLOW", 0))
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            return file.read()

    def _delete(self, place: Path) -> bool:
        try:
            place.unlink()
        except FileNotFoundError:
            return False
        sync_folder(place.parent)
        return True

    def _names(self) -> list[str]:
        return [
            f"{one.parent.name}/{one.name}"
            for one in sorted(self._root.glob("*/*"))
            if one.suffix in (".flac", ".sealed") and not one.name.startswith(".") and not one.is_symlink()
        ]

    def _sweep(self) -> int:
        left = list(self._root.glob("*/.*.part"))
        for part in left:
            part.unlink()
        return len(left)
