"""This module lets the second ear begin while the speaker still speaks, where a doubt is likely.

One queue gives the turns for all seats. What is heard does not depend on when: an engine finds the same however the
sound comes. One utterance at a time is listened to early, and it gives way at once to any whose last sample is in; it
is then heard whole when its turn comes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from speech.recognisers.live import KeptUtterance
from speech.recognisers.recogniser import Hypotheses, Recogniser, Utterance, Vocabulary


class Queue:
    """The `Queue` gives the turns of those who need the second ear: one process of it serves every seat."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._early: EarlyUtterance | None = None
        self._leaving: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def turn(self, wait_s: float | None, mine: Sequence[Utterance] = ()) -> AsyncIterator[None]:
        """Wait for the caller's own turn, for the utterances `mine`.

        Any other utterance that is listened to early gives way. Raises TimeoutError where the turn does not come within
        `wait_s` seconds (None: however long it takes).
        """
        async with asyncio.timeout(wait_s):
            await self._turn.acquire()
            try:
                if self._early is not None and self._early not in mine:
                    await self.left(self._early)
            except BaseException:
                self._turn.release()
                raise
        try:
            yield
        finally:
            if self._early in mine and self._leaving is None:
                self._early = None
            self._turn.release()

    def begins(self, one: EarlyUtterance) -> bool:
        """Take the second ear for an utterance that is still being spoken; return whether it was free."""
        if self._early is not None or self._turn.locked():
            return False
        self._early = one
        return True

    def leave(self, one: EarlyUtterance) -> None:
        """Stop listening to this one early, where that was begun; never waits."""
        if self._early is one and self._leaving is None:
            self._leaving = asyncio.create_task(self._ended(one), name="the second ear is free again")

    async def left(self, one: EarlyUtterance) -> None:
        """Do as `leave`, and wait until the engine is free."""
        self.leave(one)
        if self._early is one and self._leaving is not None:
            await asyncio.shield(self._leaving)

    async def _ended(self, one: EarlyUtterance) -> None:
        try:
            await one.give_up()
        finally:
            self._early = self._leaving = None


class EarlyUtterance:
    """An `EarlyUtterance` keeps its samples, and from `begin` on the second ear also listens to it.

    `finish` must come within its own `Queue.turn`.
    """

    def __init__(self, engine: Recogniser, vocabulary: Vocabulary, queue: Queue) -> None:
        self._engine = engine
        self._vocabulary = vocabulary
        self._queue = queue
        self._kept = KeptUtterance(engine, vocabulary)
        self._live: Utterance | None = None
        self._wanted = self._over = False

    def feed(self, pcm: bytes) -> None:
        """Take some more samples, mono s16le at 16 kHz; never waits."""
        self._kept.feed(pcm)
        if self._live is not None:
            self._live.feed(pcm)
        elif self._wanted:
            self.begin()

    def begin(self) -> None:
        """Listen from now on, or as soon as nobody else needs the engine: a doubt is likely."""
        self._wanted = not self._over
        if self._wanted and self._live is None and self._queue.begins(self):
            self._live = self._engine.open_utterance(self._vocabulary)
            self._live.feed(self._kept.pcm)

    async def finish(self) -> Hypotheses:
        """Return what was heard. Raises as the engine does."""
        self._wanted, self._over = False, True
        live, self._live = self._live, None
        return await (self._kept if live is None else live).finish()

    def leave(self) -> None:
        """Drop the utterance, because nobody waits for its result any more; never waits."""
        self._wanted, self._over = False, True
        self._queue.leave(self)

    async def abandon(self) -> None:
        """Drop the utterance; the engine is free afterwards."""
        self._wanted, self._over = False, True
        await self._queue.left(self)

    async def give_up(self) -> None:
        """Give the engine to another utterance; the samples stay here."""
        live, self._live = self._live, None
        if live is not None:
            await live.abandon()
