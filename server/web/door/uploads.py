"""Uploads, read in a process of its own, within limits of time, memory and size.

A file of sixty kilobytes can be written so that reading it takes minutes: `a.a.a...` in TOML, a thousand wrong keys. No
such file may hold up a press, so nothing of it is parsed where the games are; JSON bodies alone are, with types and
bounds, by a parser that needs milliseconds for the longest of them (docs/SECURITY.md lists every door).
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from aiohttp import web

from server.hall.event_profile import EventProfile
from server.hall.foreign_files.pairings import Pairing
from server.web.door.access import AccessDenied
from speech.complaint import Complaint, Phrase, told_by
from speech.process import Child, ChildFailed

DEADLINE_S = 15.0
"""The time in all, on a machine that has other work."""
CHILD_MEMORY_BYTES = 512 * 1024 * 1024
MOST_WAITING = 8
"""Most files that wait for their turn; a further one is asked to come again."""
Shape = TypeVar("Shape")
_log = logging.getLogger(__name__)


class KeptProfile(msgspec.Struct, frozen=True):
    """Event's profile that was read and checked, and the text of the file that keeps it."""

    profile: EventProfile
    toml: str


class ReadPairings(msgspec.Struct, frozen=True):
    """Pairings in a file, with its code page and a word that shows it.

    `unclear`: code pages that fit as well, each with a word by it; then there are no pairings.
    """

    pairings: tuple[Pairing, ...] = ()
    page: str = ""
    sample: str = ""
    unclear: tuple[tuple[str, str], ...] = ()


class Uploads:
    """Reader of uploads in a child process, which is started with the first file."""

    def __init__(self) -> None:
        self._child = Child("server.web.door.uploads_child", deadline_s=DEADLINE_S, memory_bytes=CHILD_MEMORY_BYTES)
        self._waiting = 0

    async def profile_in(self, text: str, file: str) -> KeptProfile:
        """Return the profile in the text of a TOML file. Raises AccessDenied, Complaint where it cannot be used."""
        return await self._profile({"toml": text.encode("utf-8", "replace"), "file": file})

    async def profile_of(self, raw: bytes) -> KeptProfile:
        """Return the profile in a JSON object. Raises AccessDenied, Complaint where it cannot be used."""
        return await self._profile({"json": raw})

    async def profile_kept(self, path: Path) -> KeptProfile:
        """Return the profile in a file of the data folder. Raises Complaint where it was spoilt by hand."""
        return await self._profile({"path": str(path)})

    async def pairings(self, file: bytes, page: str | None, round: int | None) -> ReadPairings:
        """Return the pairings in a file, as `file_text` and `read_pairings` do. Raises Complaint."""
        return msgspec.convert(await self._ask_child({"pairings": file, "page": page, "round": round}), ReadPairings)

    async def _profile(self, question: dict[str, object]) -> KeptProfile:
        try:
            return msgspec.convert(await self._ask_child(question), KeptProfile)
        except AccessDenied:
            raise
        except Complaint as wrong:
            raise Complaint(Phrase("profile_wrong", why=told_by(wrong))) from wrong

    async def _ask_child(self, question: dict[str, object]) -> dict[str, Any]:
        if self._waiting >= MOST_WAITING:
            raise AccessDenied("hall_busy", 429, Phrase("hall_busy"))
        self._waiting += 1
        try:
            answer = await self._child.request(question, again=False)
        except ChildFailed as wrong:
            _log.warning("A file that was uploaded was not read: %s", wrong)
            answer = {}
        finally:
            self._waiting -= 1
        if not answer:
            raise AccessDenied("file_takes_long", 413, Phrase("file_takes_long"))
        return answer

    async def close(self) -> None:
        """End the child, at once where it is busy."""
        await self._child.close()


UPLOADS = web.AppKey("UPLOADS", Uploads)
