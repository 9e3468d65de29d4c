"""The reviews that players ask for are made in a process of its own, one at a time for a person, and kept.

A review reads each cell of two scores as a move and needs half a second for a long game, its sound several megabytes.
Forty of them at once held up the presses of other tables for a second, so none is made where the games are.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from server.exports.reports.review import Review
from server.exports.table_pgn import pgn_day
from server.game.acts import GameStarted
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.journal.entry import Entry
from speech.complaint import Complaint, Phrase
from speech.process import Child, ChildFailed

LIMIT_S = 10.0
"""The processor time of one review or file; one of 300 moves takes a tenth of it."""
DEADLINE_S = 30.0
"""The time in all, on a machine that has other work."""
CHILD_MEMORY_BYTES = 512 * 1024 * 1024
KEPT_BYTES = 32 * 1024 * 1024
"""Most bytes of finished reviews that are kept; the one asked for least of late goes first."""
STARTED = str(GameStarted.__struct_config__.tag)
_log = logging.getLogger(__name__)


class ReviewWords(msgspec.Struct, frozen=True):
    """A review with its words: `summary`, each of its half-moves (`plies`), and the `language` of both."""

    review: Review
    summary: tuple[str, ...]
    plies: tuple[str, ...]
    language: str


class ReviewRequest(msgspec.Struct, frozen=True):
    """A request: a file by its name, or the review in words where it has none; `language` "": the player's."""

    seat: Seat
    file: str = ""
    language: str = ""
    date: str = ""


class _Kept(msgspec.Struct, frozen=True):
    of: GameState
    made: bytes


class _Turn:
    def __init__(self) -> None:
        self.lock, self.wanted = asyncio.Lock(), 0


class Reviews:
    """The reviews of a hall's finished games. `read`: gives the record of a table.

    `made`: how many reviews and files were made so far.
    """

    def __init__(self, read: Callable[[str], Awaitable[list[Entry]]]) -> None:
        self._read = read
        module = "server.exports.reports.review_child"
        self._child = Child(module, deadline_s=DEADLINE_S, memory_bytes=CHILD_MEMORY_BYTES)
        self._kept: OrderedDict[tuple[str, ReviewRequest], _Kept] = OrderedDict()
        self._turns: dict[Hashable, _Turn] = {}
        self.made = 0

    async def review_in_words(
        self, person: str, table: str, state: GameState, seat: Seat, language: str
    ) -> ReviewWords:
        """Return the review of a seat in words. Raises Complaint where it takes too long."""
        made = await self._of(person, table, state, ReviewRequest(seat, language=language))
        return msgspec.msgpack.decode(made, type=ReviewWords)

    async def file(self, person: str, table: str, state: GameState, seat: Seat, name: str) -> bytes:
        """Return game.pgn, score.brf or clocks.wav. Raises Complaint where it cannot be made."""
        return await self._of(person, table, state, ReviewRequest(seat, file=name))

    async def close(self) -> None:
        """End the process that makes them, at once where it is busy."""
        await self._child.close()

    async def _of(self, person: str, table: str, state: GameState, asked: ReviewRequest) -> bytes:
        """Return what was made before, while the table is as it was; else make it, when it is this person's turn."""
        key = table, asked
        async with self._alone(person), self._alone(key):
            kept = self._kept.get(key)
            if kept is None or kept.of is not state:
                kept = _Kept(state, await self._make(table, state, asked))
                self._kept[key] = kept
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and sum(len(one.made) for one in self._kept.values()) > KEPT_BYTES:
                self._kept.popitem(last=False)
            return kept.made

    async def _make(self, table: str, state: GameState, asked: ReviewRequest) -> bytes:
        if asked.file == "game.pgn":
            asked = msgspec.structs.replace(asked, date=day_of(await self._read(table)))
        packed = await asyncio.to_thread(msgspec.msgpack.encode, state)
        question: dict[str, Any] = {"table": table, "state": packed, "asked": msgspec.to_builtins(asked)}
        try:
            answer = await self._child.request(question, again=False)
        except ChildFailed as wrong:
            _log.warning("A review was not made: %s", wrong)
            answer = {}
        made = answer.get("made")
        if not isinstance(made, bytes):
            raise Complaint(Phrase("review_takes_long"))
        self.made += 1
        return made

    @asynccontextmanager
    async def _alone(self, key: Hashable) -> AsyncIterator[None]:
        """Do this while nobody else does what has this key; it is forgotten when nobody wants it any more."""
        turn = self._turns.setdefault(key, _Turn())
        turn.wanted += 1
        try:
            async with turn.lock:
                yield
        finally:
            turn.wanted -= 1
            if not turn.wanted:
                del self._turns[key]


def day_of(entries: Sequence[Entry]) -> str:
    """Return the day at the site on which a recorded game started, as PGN has it."""
    return pgn_day(next((one.wall_ms for one in entries if one.kind == STARTED), None))
