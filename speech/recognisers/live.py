"""Recognising an utterance while it is spoken, without ever losing any of it.

An engine is lent to the utterance for as long as it is spoken. The utterance keeps its own samples until its last one
is in: a crash of the engine loses none of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Protocol

from speech.complaint import Complaint
from speech.process import ChildFailed
from speech.recognisers.recogniser import (
    LONG_BYTES,
    LONGEST_UTTERANCE_BYTES,
    MOST_WAYS,
    PIECE_BYTES,
    Hypotheses,
    Recogniser,
    Vocabulary,
)


class LiveEngine(Protocol):
    """Engine that listens while somebody speaks, to one utterance at a time.

    It is mostly `OneOfMany` on a model that utterances share.
    """

    async def begin(self, vocabulary: Vocabulary) -> None:
        """Begin an utterance; one that was not finished is forgotten."""

    async def feed(self, pcm: bytes) -> bool | None:
        """Take some more of the sound; True where the engine does not know, so far, what is being said.

        Not every engine tells this. Raises `ChildFailed` where the engine died: then all of it is lost there.
        """

    async def finish(self) -> Hypotheses:
        """Return the hypotheses, after the last sample. Raises `ChildFailed` likewise."""

    async def drop(self) -> None:
        """Drop the utterance, because nobody waits for its result any more."""

    async def whole(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """Recognise all of an utterance at once."""


class LiveUtterance:
    """Utterance whose samples (at most 30 s) go to an engine when one is free.

    Until then they wait. Where the engine dies, they are given to a fresh one, once, and whole. Where somebody else
    needs it (`give_way`), it is given back, and all begins again when an engine is free.
    """

    def __init__(self, lend: Callable[[], AbstractAsyncContextManager[LiveEngine]], vocabulary: Vocabulary) -> None:
        self._lend = lend
        self._vocabulary = vocabulary
        self._pcm = bytearray()
        self._more = asyncio.Event()
        self._over = self._gives_way = False
        self._ways = 0
        self._task: asyncio.Task[Hypotheses] | None = None
        self.in_doubt = False
        """Whether at some moment the engine did not know what was being said."""

    def feed(self, pcm: bytes) -> None:
        """Take some more samples, mono s16le at 16 kHz; never waits."""
        self._pcm += pcm[: LONGEST_UTTERANCE_BYTES - len(self._pcm)]
        self._more.set()
        if self._task is None:
            self._task = asyncio.create_task(self._listen(), name="an utterance")
            self._task.add_done_callback(_note_fault_of)

    async def finish(self) -> Hypotheses:
        """Return the words heard, as hypotheses.

        Raises `ChildFailed` where the engine died twice, `Complaint` where it cannot take this.
        """
        self._over = True
        self.feed(b"")
        assert self._task is not None
        return await self._task

    def give_way(self) -> bool:
        """Give the engine back soon, where this is long; return whether it is. Never waits."""
        if len(self._pcm) > LONG_BYTES and self._ways < MOST_WAYS:
            self._ways += 1
            self._gives_way = True
            self._more.set()
        return self._gives_way

    async def abandon(self) -> None:
        """Drop the utterance; the engine is given back."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self) -> Hypotheses:
        found = None
        while found is None:
            async with self._lend() as engine:
                self._gives_way = False
                try:
                    found = await self._with(engine)
                except ChildFailed:
                    while not self._over:
                        await self._wait()
                    return await engine.whole(bytes(self._pcm), self._vocabulary)
        return found

    async def _with(self, engine: LiveEngine) -> Hypotheses | None:
        """Return the hypotheses; None where the engine was given back before."""
        try:
            await engine.begin(self._vocabulary)
            heard = 0
            while True:
                self._more.clear()
                while heard < len(self._pcm) or self._gives_way:
                    if self._gives_way:
                        await engine.drop()
                        return None
                    piece = bytes(self._pcm[heard : heard + PIECE_BYTES])
                    self.in_doubt = bool(await engine.feed(piece)) or self.in_doubt
                    heard += len(piece)
                if self._over:
                    return await engine.finish()
                await self._wait()
        except asyncio.CancelledError:
            await asyncio.shield(_drop_engine(engine))
            raise

    async def _wait(self) -> None:
        await self._more.wait()
        self._more.clear()


async def _drop_engine(engine: LiveEngine) -> None:
    try:
        await engine.drop()
    except (ChildFailed, Complaint):
        return  # with its process the utterance is gone as well


def _note_fault_of(task: asyncio.Task[Hypotheses]) -> None:
    """Note the task's fault, so that it is told only to the caller that waits for it, or to nobody.

    Where it was cancelled, asking is what makes it forget with which traceback, which holds the utterance itself.
    """
    with suppress(asyncio.CancelledError):
        task.exception()


class KeptUtterance:
    """Utterance whose samples are recognised at the end.

    It takes at most 30 s; what comes later is not listened to.
    """

    def __init__(self, recogniser: Recogniser, vocabulary: Vocabulary) -> None:
        self._recogniser = recogniser
        self._vocabulary = vocabulary
        self._pcm = bytearray()

    @property
    def pcm(self) -> bytes:
        """Return the samples so far, mono s16le at 16 kHz."""
        return bytes(self._pcm)

    def feed(self, pcm: bytes) -> None:
        """Take some more samples, mono s16le at 16 kHz; never waits."""
        self._pcm += pcm[: LONGEST_UTTERANCE_BYTES - len(self._pcm)]

    async def finish(self) -> Hypotheses:
        """Return the words heard, as hypotheses.

        Raises `ChildFailed` where the engine died twice, `Complaint` where it cannot take this.
        """
        return await self._recogniser.recognise(self.pcm, self._vocabulary)

    async def abandon(self) -> None:
        """Drop the utterance; nothing had begun."""
