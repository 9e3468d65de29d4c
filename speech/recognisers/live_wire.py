"""How an utterance that is still being spoken goes to an engine's child: `begin`, `feed`, `finish`, `drop`.

Both ends are here. A child that can serve several utterances at the same time tells them apart by their `key`.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from speech.process import Child, ChildFailed
from speech.recognisers.recogniser import Hypotheses, Vocabulary
from speech.recognisers.so_far import Watch

LOST = {"lost": True}
"""The answer to `feed` and `finish` where the child knows of no utterance: it was started again meanwhile."""


class Spoken(Protocol):
    """In the child: one utterance on its way into the decoders."""

    def feed(self, pcm: bytes) -> dict[str, object] | None:
        """Some more samples, mono s16le at 16 kHz; perhaps something that the parent is told of them."""

    def finish(self) -> dict[str, object]:
        """The last sample is in: what was heard, as the parent is told."""

    def drop(self) -> None:
        """Nobody wants to know any more."""


class Serving:
    """The child's end: `answer` is what `serve_child` calls."""

    def __init__(self, begin: Callable[[dict[str, object]], Spoken]) -> None:
        """`begin` opens an utterance for a request and has heard the sound in it, if any; it may raise `Complaint`."""
        self._begin = begin
        self._spoken: dict[object, Spoken] = {}

    def answer(self, message: dict[str, object]) -> dict[str, object]:
        """A whole utterance (a request without `do`), or `begin`, `feed`, `finish`, `drop` of one being spoken."""
        rest = dict(message)
        do, key = rest.pop("do", None), rest.pop("key", None)
        match do:
            case "feed":
                if key not in self._spoken:
                    return dict(LOST)
                pcm = rest.get("pcm")
                return self._spoken[key].feed(pcm if isinstance(pcm, bytes) else b"") or {}
            case "finish":
                spoken = self._spoken.pop(key, None)
                return dict(LOST) if spoken is None else spoken.finish()
        self._drop(key)
        if do == "drop":
            return {}
        if do == "begin":
            self._spoken[key] = self._begin(rest)
            return {}
        return self._begin(rest).finish()

    def _drop(self, key: object) -> None:
        """An utterance that was not finished is forgotten."""
        spoken = self._spoken.pop(key, None)
        if spoken is not None:
            spoken.drop()


async def ask_live(child: Child, message: dict[str, object]) -> dict[str, object]:
    """The child's answer. Raises `ChildFailed` where it died, or was started again and has lost the utterance."""
    answer = await child.request(message, again=False)
    if answer == LOST:
        raise ChildFailed("The engine was started again while somebody spoke.")
    return answer


class ManyAtOnce(Protocol):
    """A recogniser whose one process serves any number of utterances at the same time."""

    async def asked(
        self, vocabulary: Vocabulary
    ) -> tuple[dict[str, object], Callable[[dict[str, object]], Hypotheses]]:
        """A request without its sound, and what its answer means. Raises `Complaint` where it cannot be asked."""

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """What was said in these samples."""


class Lending:
    """Gives the one process to every utterance that is being spoken: a model is held once, however many speak."""

    def __init__(self, engine: ManyAtOnce, child: Child) -> None:
        self._engine = engine
        self._child = child
        self._keys = itertools.count(1)

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[OneOfMany]:
        """The engine for one more utterance; nobody waits."""
        yield OneOfMany(self._engine, self._child, next(self._keys))


class OneOfMany:
    """The engine for one of the utterances that are being spoken; the model is the same for all of them."""

    def __init__(self, engine: ManyAtOnce, child: Child, key: int) -> None:
        self._engine = engine
        self._child = child
        self._key = key
        self._meaning: Callable[[dict[str, object]], Hypotheses] | None = None
        self._watch = Watch()

    async def begin(self, vocabulary: Vocabulary) -> None:
        """The utterance begins. Raises `ChildFailed`, `Complaint`."""
        message, self._meaning = await self._engine.asked(vocabulary)
        await self._ask({**message, "pcm": b"", "do": "begin"})

    async def feed(self, pcm: bytes) -> bool:
        """Some more of it; whether it looks as if there would be a doubt. Raises `ChildFailed` where the engine died:
        then all of it is gone there.
        """
        self._watch.take((await self._ask({"do": "feed", "pcm": pcm})).get("so_far"))
        return self._watch.in_doubt

    async def finish(self) -> Hypotheses:
        """The last sample is in. Raises `ChildFailed` where the engine died."""
        assert self._meaning is not None, "begin comes first"
        return self._meaning(await self._ask({"do": "finish"}))

    async def drop(self) -> None:
        """Nobody wants to know any more."""
        await self._ask({"do": "drop"})

    async def whole(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """All of an utterance at once."""
        return await self._engine.recognise(pcm, vocabulary)

    async def _ask(self, message: dict[str, object]) -> dict[str, object]:
        return await ask_live(self._child, {**message, "key": self._key})
