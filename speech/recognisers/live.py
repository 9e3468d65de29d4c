"""An utterance that is recognised while it is spoken, by an engine lent to it for as long; none of it is ever lost.

An utterance that keeps its own samples until its last one is in: a crash of the engine loses none of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from speech.complaint import Complaint
from speech.process import ChildFailed
from speech.recognisers.recogniser import LONGEST_UTTERANCE_BYTES, SAMPLE_RATE, Hypotheses, Recogniser, Vocabulary

PIECE_BYTES = SAMPLE_RATE // 2
"""At most a quarter of a second of sound goes to an engine in one message: one that has to catch up answers in between,
and can be taken away.
"""


class LiveEngine(Protocol):
    """What an engine can do that listens while somebody speaks; one utterance at a time."""

    async def begin(self, vocabulary: Vocabulary) -> None:
        """An utterance begins; one that was not finished is forgotten."""

    async def feed(self, pcm: bytes) -> bool | None:
        """Some more of it; True where it does not know, so far, what is being said (not every engine tells). Raises
        `ChildFailed` where the engine died: then all of it is gone there.
        """

    async def finish(self) -> Hypotheses:
        """The last sample is in. Raises `ChildFailed` likewise."""

    async def drop(self) -> None:
        """Nobody wants to know any more."""

    async def whole(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """All of an utterance at once."""


class LiveUtterance:
    """Collects the samples (at most 30 s), and hands them on as soon as an engine is free for them.

    With no engine free they wait. Where the engine dies they are given to a fresh one, once, and whole.
    """

    def __init__(self, lend: Callable[[], AbstractAsyncContextManager[LiveEngine]], vocabulary: Vocabulary) -> None:
        self._lend = lend
        self._vocabulary = vocabulary
        self._pcm = bytearray()
        self._more = asyncio.Event()
        self._over = False
        self._task: asyncio.Task[Hypotheses] | None = None
        self.in_doubt = False
        """Whether at some moment the engine did not know what was being said."""

    def feed(self, pcm: bytes) -> None:
        """Some more samples, mono s16le at 16 kHz; never waits."""
        self._pcm += pcm[: LONGEST_UTTERANCE_BYTES - len(self._pcm)]
        self._more.set()
        if self._task is None:
            self._task = asyncio.create_task(self._listen(), name="an utterance")
            self._task.add_done_callback(_seen)

    async def finish(self) -> Hypotheses:
        """What was heard. Raises `ChildFailed` where the engine died twice, `Complaint` where it cannot take this."""
        self._over = True
        self.feed(b"")
        assert self._task is not None
        return await self._task

    async def abandon(self) -> None:
        """Nobody wants to know any more; the engine is given back."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self) -> Hypotheses:
        async with self._lend() as engine:
            try:
                return await self._with(engine)
            except ChildFailed:
                while not self._over:
                    await self._wait()
                return await engine.whole(bytes(self._pcm), self._vocabulary)

    async def _with(self, engine: LiveEngine) -> Hypotheses:
        try:
            await engine.begin(self._vocabulary)
            heard = 0
            while True:
                self._more.clear()
                while heard < len(self._pcm):
                    piece = bytes(self._pcm[heard : heard + PIECE_BYTES])
                    self.in_doubt = bool(await engine.feed(piece)) or self.in_doubt
                    heard += len(piece)
                if self._over:
                    return await engine.finish()
                await self._wait()
        except asyncio.CancelledError:
            await asyncio.shield(_dropped(engine))
            raise

    async def _wait(self) -> None:
        await self._more.wait()
        self._more.clear()


async def _dropped(engine: LiveEngine) -> None:
    try:
        await engine.drop()
    except (ChildFailed, Complaint):
        return  # with its process the utterance is gone as well


def _seen(task: asyncio.Task[Hypotheses]) -> None:
    """Its fault is told to whoever waits for it, or to nobody."""
    if not task.cancelled():
        task.exception()


class KeptUtterance:
    """Collects the samples (at most 30 s; what comes later is not listened to) and has them recognised at the end."""

    def __init__(self, recogniser: Recogniser, vocabulary: Vocabulary) -> None:
        self._recogniser = recogniser
        self._vocabulary = vocabulary
        self._pcm = bytearray()

    @property
    def pcm(self) -> bytes:
        """The samples so far, mono s16le at 16 kHz."""
        return bytes(self._pcm)

    def feed(self, pcm: bytes) -> None:
        """Some more samples, mono s16le at 16 kHz; never waits."""
        self._pcm += pcm[: LONGEST_UTTERANCE_BYTES - len(self._pcm)]

    async def finish(self) -> Hypotheses:
        """What was heard. Raises `ChildFailed` where the engine died twice, `Complaint` where it cannot take this."""
        return await self._recogniser.recognise(self.pcm, self._vocabulary)

    async def abandon(self) -> None:
        """Nobody wants to know any more; nothing was begun."""
