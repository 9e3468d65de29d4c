"""A pool that serves as many utterances at once as there are cores; further ones wait their turn, a fair one.

An engine that listens while somebody speaks can be taken away from a long utterance, for another who used less: it is
heard again from its beginning when its turn comes.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import cast

from speech.recognisers.live import KeptUtterance, LiveEngine, LiveUtterance
from speech.recognisers.recogniser import Hypotheses, Recogniser, Utterance, Vocabulary
from speech.turns import Turns


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class RecogniserPool:
    """`Recogniser` made of several alike.

    An engine is started when it is first needed and used again while warm.
    """

    def __init__(self, make: Callable[[], Recogniser], size: int | None = None) -> None:
        """`make` gives one more engine, not yet started; `size`: at most so many (default: one a core)."""
        self._make = make
        self._idle: list[Recogniser] = []
        self._all: list[Recogniser] = []
        self._free = Turns(size or cores())
        self._first = make()
        self._idle.append(self._first)
        self._all.append(self._first)

    @property
    def name(self) -> str:
        """Return the name of this engine."""
        return self._first.name

    @property
    def engines(self) -> tuple[Recogniser, ...]:
        """Return the engines made so far."""
        return tuple(self._all)

    async def start(self) -> None:
        """Start one engine, so that a missing or broken model is known at once.

        Raises as the engine's `start`.
        """
        await self._first.start()

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        """Begin an utterance; an engine is lent to it as soon as one is free.

        This holds for an engine that listens while somebody speaks. Any other kind takes the utterance when its last
        sample is in.
        """
        if not hasattr(self._first, "begin"):
            return KeptUtterance(self, vocabulary)
        utterance = LiveUtterance(lambda: self._lend_live(utterance.give_way), vocabulary)
        return utterance

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """Return the hypotheses on these samples (mono s16le 16 kHz), from the first engine that is free.

        Raises as the engine does.
        """
        async with self._lend() as engine:
            return await engine.recognise(pcm, vocabulary)

    @asynccontextmanager
    async def _lend(self, give_way: Callable[[], bool] | None = None) -> AsyncIterator[Recogniser]:
        async with self._free.turn(give_way):
            if self._idle:
                engine = self._idle.pop()
            else:
                engine = self._make()
                self._all.append(engine)
            try:
                yield engine
            finally:
                self._idle.append(engine)

    @asynccontextmanager
    async def _lend_live(self, give_way: Callable[[], bool]) -> AsyncIterator[LiveEngine]:
        async with self._lend(give_way) as engine:
            yield cast(LiveEngine, engine)

    async def close(self) -> None:
        """End every engine."""
        await asyncio.gather(*(engine.close() for engine in self._all))
