"""A cache of rendered phrases on disk, so that they can be said at once the next time.

Used only where sound may touch the disk unencrypted: where kept sounds are encrypted, no voice is given a cache.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import struct
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec

from speech.audio.sound import Sound

_LOG = logging.getLogger(__name__)
_MARK = b"anna-eins phrase 1\n"
_HEAD = struct.Struct("<32sI")
_SUFFIX = ".phrase"
LARGEST_PHRASE_BYTES = 16 * 1024 * 1024


class PhraseKey(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that decides how a phrase sounds, and for whom it is kept.

    `engine` includes its version; `speed` in words a minute. `ear`: as in `Manner`; a phrase of one private ear is not
    found for another, nor for everybody.
    """

    engine: str
    voice: str
    variant: str | None
    speed: int
    pitch: int
    text: str
    ear: str = ""


class PhraseCache:
    """Folder of phrases, at most `largest_bytes` of them.

    Those unused for the longest time are removed first. Files have mode 0600 and carry a hash, never the text. A
    damaged entry counts as absent and is removed. A disk that cannot be written costs the time of rendering, never the
    phrase: it is logged once.
    """

    def __init__(self, folder: Path, largest_bytes: int = 64 * 1024 * 1024) -> None:
        self._folder = folder
        self._largest_bytes = largest_bytes
        self._bytes: int | None = None
        self._complained = False
        self._under_way: dict[PhraseKey, asyncio.Task[Sound]] = {}

    def path(self, key: PhraseKey) -> Path:
        """Return where the phrase lies, or would lie."""
        return self._folder / (hashlib.sha256(msgspec.json.encode(key)).hexdigest() + _SUFFIX)

    async def say(self, key: PhraseKey, render: Callable[[], Coroutine[Any, Any, Sound]]) -> Sound:
        """Return the phrase, from disk or rendered.

        However many callers want it at once, it is rendered once, and all get that. A caller that stops waiting does
        not harm the others; a rendering that fails fails for all who wait, and is tried again the next time.
        """
        under_way = self._under_way.get(key)
        if under_way is None:
            under_way = self._under_way[key] = asyncio.create_task(self._found_or_rendered(key, render))
            under_way.add_done_callback(lambda done: self._over(key, done))
        return await asyncio.shield(under_way)

    def _over(self, key: PhraseKey, done: asyncio.Task[Sound]) -> None:
        del self._under_way[key]
        if not done.cancelled():
            done.exception()  # nobody may be left to ask for it

    async def _found_or_rendered(self, key: PhraseKey, render: Callable[[], Coroutine[Any, Any, Sound]]) -> Sound:
        found = await asyncio.to_thread(self.find, key)
        if found is None:
            found = await render()
            await asyncio.to_thread(self.keep, key, found)
        return found

    def find(self, key: PhraseKey) -> Sound | None:
        """Return the phrase, or None where it is absent or damaged."""
        path = self.path(key)
        try:
            with path.open("rb") as file:
                stored = file.read(LARGEST_PHRASE_BYTES + 1)
            sound = _unpack_sound(stored)
            if sound is None:
                path.unlink(missing_ok=True)
                return None
            os.utime(path)  # The time of last use decides what goes first.
        except FileNotFoundError:
            return None
        except OSError as trouble:
            self._complain(trouble)
            return None
        return sound

    def keep(self, key: PhraseKey, sound: Sound) -> None:
        """Store the phrase: whole or not at all."""
        packed = _pack_sound(sound)
        if len(packed) > min(LARGEST_PHRASE_BYTES, self._largest_bytes):
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(prefix="writing-", dir=self._folder)  # mode 0600
            unfinished = Path(name)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(packed)
                unfinished.replace(self.path(key))
            except OSError:
                unfinished.unlink(missing_ok=True)
                raise
            self._bytes = None if self._bytes is None else self._bytes + len(packed)
            if self._bytes is None or self._bytes > self._largest_bytes:
                self._bytes = self._make_room()
        except OSError as trouble:
            self._complain(trouble)

    def empty(self) -> None:
        """Remove every phrase, and what a crash left half written."""
        try:
            for file in (*self._folder.glob(f"*{_SUFFIX}"), *self._folder.glob("writing-*")):
                file.unlink(missing_ok=True)
        except OSError as trouble:
            self._complain(trouble)

    def _make_room(self) -> int:
        """Remove the longest unused phrases until nine tenths of the bound are left.

        Returns the bytes there are.
        """
        there: list[tuple[int, int, Path]] = []
        for entry in os.scandir(self._folder):
            if entry.name.endswith(_SUFFIX):
                try:
                    status = entry.stat()
                except FileNotFoundError:  # another process made room
                    continue
                there.append((status.st_mtime_ns, status.st_size, Path(entry.path)))
        total = sum(size for _, size, _ in there)
        if total <= self._largest_bytes:
            return total
        for _, size, path in sorted(there):
            if total <= self._largest_bytes * 9 // 10:
                break
            path.unlink(missing_ok=True)
            total -= size
        return total

    def _complain(self, trouble: OSError) -> None:
        if not self._complained:
            self._complained = True
            _LOG.warning("The phrase cache %s cannot be used (%s); phrases are rendered anew.", self._folder, trouble)


def _pack_sound(sound: Sound) -> bytes:
    digest = hashlib.sha256(sound.sample_rate.to_bytes(4, "little") + sound.pcm).digest()
    return _MARK + _HEAD.pack(digest, sound.sample_rate) + sound.pcm


def _unpack_sound(stored: bytes) -> Sound | None:
    begin = len(_MARK) + _HEAD.size
    if not stored.startswith(_MARK) or len(stored) < begin:
        return None
    digest, sample_rate = _HEAD.unpack(stored[len(_MARK) : begin])
    pcm = stored[begin:]
    if hashlib.sha256(sample_rate.to_bytes(4, "little") + pcm).digest() != digest:
        return None
    return Sound(pcm, sample_rate)
