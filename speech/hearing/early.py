"""The early start of the second ear, while the speaker still speaks, where a doubt is likely.

One queue gives the turns for all seats, fair ones (`speech.turns`): what is long gives way to another who used less of
it, and is heard again when its turn comes. What is heard does not depend on when: an engine finds the same however
the sound comes. As many utterances at a time are listened to early as there are places (one, where no other machine
helps), and one gives way at once to any whose last sample is in; it is then heard whole when its turn comes.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from speech.recognisers.live import KeptUtterance
from speech.recognisers.recogniser import LONG_BYTES, MOST_WAYS, Hypotheses, Recogniser, Utterance, Vocabulary
from speech.turns import Turns

Found = TypeVar("Found")


class Queue:
    """Queue of those who need the second ear.

    One process of it serves every seat; where other machines help, `places` utterances are heard at the same time.
    """

    def __init__(self, places: int = 1) -> None:
        self._places = places
        self._turns = Turns(places)
        self._taken = 0
        # Each with what ends it, where that was begun.
        self._early: dict[EarlyUtterance, asyncio.Task[None] | None] = {}

    async def serve(
        self, wait_s: float | None, mine: Sequence[Utterance], hear: Callable[[], Coroutine[Any, Any, Found]]
    ) -> Found:
        """Wait for the caller's own turn, for the utterances `mine`, and return what they `hear` in it.

        What has to give way is heard anew in another turn. Raises TimeoutError where the turn does not come within
        `wait_s` seconds (None: however long it takes).
        """
        until = None if wait_s is None else asyncio.get_running_loop().time() + wait_s
        for time in itertools.count():
            hearing: list[asyncio.Task[Found]] = []
            give_way = partial(_given_up, mine if time < MOST_WAYS else (), hearing)
            async with AsyncExitStack() as turn:
                async with asyncio.timeout_at(until):
                    await turn.enter_async_context(self._turn(mine, give_way))
                hearing.append(asyncio.create_task(hear(), name="the second ear hears"))
                try:
                    return await hearing[0]
                except asyncio.CancelledError:
                    asking = asyncio.current_task()
                    if asking is None or asking.cancelling():
                        raise
        raise AssertionError("it is heard at last")

    @asynccontextmanager
    async def _turn(self, mine: Sequence[Utterance], give_way: Callable[[], bool]) -> AsyncIterator[None]:
        """Hold the caller's own turn; another utterance that is listened to early makes room for it."""
        async with self._turns.turn(give_way):
            self._taken += 1
            try:
                for one in [one for one in self._early if one in mine and self._early[one] is None]:
                    del self._early[one]  # its early listening goes on in this turn
                while others := [one for one in self._early if one not in mine]:
                    if len(others) + self._taken <= self._places:
                        break
                    await self.leave_and_wait(others[0])
                yield
            finally:
                self._taken -= 1

    def begins(self, one: EarlyUtterance) -> bool:
        """Take the second ear for an utterance that is still being spoken; return whether it was free."""
        if len(self._early) + self._taken >= self._places:
            return False
        self._early[one] = None
        return True

    def leave(self, one: EarlyUtterance) -> None:
        """Stop listening to this one early, where that was begun; never waits."""
        if one in self._early and self._early[one] is None:
            self._early[one] = asyncio.create_task(self._end(one), name="the second ear is free again")

    async def leave_and_wait(self, one: EarlyUtterance) -> None:
        """Do as `leave`, and wait until the engine is free."""
        self.leave(one)
        leaving = self._early.get(one)
        if leaving is not None:
            await asyncio.shield(leaving)

    async def _end(self, one: EarlyUtterance) -> None:
        try:
            await one.give_up()
        finally:
            del self._early[one]


def _given_up(mine: Sequence[Utterance], hearing: Sequence[asyncio.Task[Any]]) -> bool:
    """End the hearing of a long utterance, which is heard anew in another turn; return whether it is long."""
    if not any(isinstance(one, EarlyUtterance) and one.is_long for one in mine):
        return False
    return any(one.cancel() for one in hearing)


def local_engine(engine: Recogniser) -> Recogniser:
    """Return the engine of this machine that stands behind one which other machines help."""
    behind: Recogniser = getattr(engine, "here", engine)
    return behind


class EarlyUtterance:
    """Utterance that keeps its samples; from `begin` on the second ear also listens to it.

    `finish` must come within its own turn (`Queue.serve`).
    """

    def __init__(self, engine: Recogniser, vocabulary: Vocabulary, queue: Queue) -> None:
        self._engine = engine
        self._vocabulary = vocabulary
        self._queue = queue
        self._kept = KeptUtterance(engine, vocabulary)
        self._live: Utterance | None = None
        self._wanted = self._over = False
        self._whole = bool(getattr(engine, "hears_whole", False))

    @property
    def is_long(self) -> bool:
        """Say whether it is heard piece by piece also when it is over, so that it can give way meanwhile."""
        return len(self._kept.pcm) > LONG_BYTES and not self._whole

    def feed(self, pcm: bytes) -> None:
        """Take some more samples, mono s16le at 16 kHz; never waits."""
        self._kept.feed(pcm)
        if self._live is not None:
            self._live.feed(pcm)
        elif self._wanted:
            self.begin()

    def begin(self) -> None:
        """Listen from now on, or as soon as nobody else needs the engine: a doubt is likely."""
        self._wanted = not self._over and not self._whole
        if self._wanted and self._live is None and self._queue.begins(self):
            self._live = self._engine.open_utterance(self._vocabulary)
            self._live.feed(self._kept.pcm)

    async def finish(self) -> Hypotheses:
        """Return the hypotheses. Raises as the engine does."""
        self._wanted, self._over = False, True
        live, self._live = self._live, None
        if live is None and self.is_long:
            live = self._engine.open_utterance(self._vocabulary)
            live.feed(self._kept.pcm)
        return await (self._kept if live is None else live).finish()

    async def heard_here(self) -> Hypotheses:
        """Return this machine's hypotheses on the same samples, after the last one. Raises as the engine does."""
        return await local_engine(self._engine).recognise(self._kept.pcm, self._vocabulary)

    def leave(self) -> None:
        """Drop the utterance, because nobody waits for its result any more; never waits."""
        self._wanted, self._over = False, True
        self._queue.leave(self)

    async def abandon(self) -> None:
        """Drop the utterance; the engine is free afterwards."""
        self._wanted, self._over = False, True
        await self._queue.leave_and_wait(self)

    async def give_up(self) -> None:
        """Give the engine to another utterance; the samples stay here."""
        live, self._live = self._live, None
        if live is not None:
            await live.abandon()
