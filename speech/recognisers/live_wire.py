"""The wire on which an utterance that is still being spoken goes to an engine's child.

The requests are `begin`, `feed`, `finish` and `drop`; both ends are here. A child that can serve several utterances at
the same time tells them apart by their `key`.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol, runtime_checkable

from speech.process import Child, ChildFailed
from speech.recognisers.recogniser import PIECE_BYTES, Hypotheses, Vocabulary
from speech.recognisers.so_far import Watch

GOES_ON = {"goes_on": True}
"""The answer to `finish` where more is to be done first: it is asked again, after others who wait."""

LOST = {"lost": True}
"""The answer to `feed` and `finish` where the child knows of no utterance: it was restarted meanwhile."""


class LiveUtterance(Protocol):
    """One utterance on its way into the decoders, in the child; each engine has its own class."""

    def feed(self, pcm: bytes) -> dict[str, object] | None:
        """Take some more samples, mono s16le at 16 kHz; perhaps return something to tell the parent."""

    def finish(self) -> dict[str, object]:
        """Return the hypotheses, after the last sample, in the form sent to the parent."""

    def drop(self) -> None:
        """Drop the utterance, because nobody waits for its result any more."""


@runtime_checkable
class SpokenInSteps(LiveUtterance, Protocol):
    """One whose end takes long at times; others can be served in between."""

    def goes_on(self) -> bool:
        """End the utterance, do some of what is left to do, and say whether more is left."""


class Serving:
    """`Serving` is the child's end: `answer` is what `serve_child` calls."""

    def __init__(self, begin: Callable[[dict[str, object]], LiveUtterance]) -> None:
        """`begin` opens an utterance for a request, with the sound in it; it may raise `Complaint`."""
        self._begin = begin
        self._spoken: dict[object, LiveUtterance] = {}

    def answer(self, message: dict[str, object]) -> dict[str, object]:
        """Answer a whole utterance (a request without `do`), or one step of an utterance being spoken.

        The steps are `begin`, `feed`, `finish` and `drop`.
        """
        rest = dict(message)
        do, key = rest.pop("do", None), rest.pop("key", None)
        match do:
            case "feed":
                if key not in self._spoken:
                    return dict(LOST)
                pcm = rest.get("pcm")
                return self._spoken[key].feed(pcm if isinstance(pcm, bytes) else b"") or {}
            case "finish":
                spoken = self._spoken.get(key)
                if spoken is None:
                    return dict(LOST)
                if isinstance(spoken, SpokenInSteps) and spoken.goes_on():
                    return dict(GOES_ON)
                del self._spoken[key]
                return spoken.finish()
        self._drop(key)
        if do == "drop":
            return {}
        if do == "begin":
            self._spoken[key] = self._begin(rest)
            return {}
        return self._begin(rest).finish()

    def _drop(self, key: object) -> None:
        """Forget an utterance that was not finished."""
        spoken = self._spoken.pop(key, None)
        if spoken is not None:
            spoken.drop()


async def ask_live(child: Child, message: dict[str, object]) -> dict[str, object]:
    """Return the child's answer.

    Raises `ChildFailed` where it died, or was started again and has lost the utterance.
    """
    while (answer := await child.request(message, again=False)) == GOES_ON:
        pass
    if answer == LOST:
        raise ChildFailed("The engine was started again while somebody spoke.")
    return answer


class ManyAtOnce(Protocol):
    """Recogniser, Vosk or our own, whose one process serves many utterances at the same time."""

    async def request_for(
        self, vocabulary: Vocabulary
    ) -> tuple[dict[str, object], Callable[[dict[str, object]], Hypotheses]]:
        """Return a request without its sound, and a function that reads its answer.

        Raises `Complaint` where the engine cannot be asked.
        """


class Lending:
    """`Lending` gives the one process to every utterance that is being spoken.

    A model is held once, however many people speak.
    """

    def __init__(self, engine: ManyAtOnce, child: Child) -> None:
        self._engine = engine
        self._child = child
        self._keys = itertools.count(1)

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[OneOfMany]:
        """Lend the engine to one more utterance; nobody waits."""
        yield OneOfMany(self._engine, self._child, next(self._keys))


class OneOfMany:
    """Engine for one of the utterances that are being spoken, on the shared model."""

    def __init__(self, engine: ManyAtOnce, child: Child, key: int) -> None:
        self._engine = engine
        self._child = child
        self._key = key
        self._meaning: Callable[[dict[str, object]], Hypotheses] | None = None
        self._watch = Watch()

    async def begin(self, vocabulary: Vocabulary) -> None:
        """Begin the utterance. Raises `ChildFailed`, `Complaint`."""
        message, self._meaning = await self._engine.request_for(vocabulary)
        await self._ask({**message, "pcm": b"", "do": "begin"})

    async def feed(self, pcm: bytes) -> bool:
        """Take some more of the sound; return whether a doubt looks likely.

        Raises `ChildFailed` where the engine died: then all of it is lost there.
        """
        self._watch.take((await self._ask({"do": "feed", "pcm": pcm})).get("so_far"))
        return self._watch.in_doubt

    async def finish(self) -> Hypotheses:
        """Return the hypotheses, after the last sample. Raises `ChildFailed` where the engine died."""
        assert self._meaning is not None, "begin comes first"
        return self._meaning(await self._ask({"do": "finish"}))

    async def drop(self) -> None:
        """Drop the utterance, because nobody waits for its result any more."""
        await self._ask({"do": "drop"})

    async def whole(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """Return all of an utterance that the engine has lost, in pieces as it came: others are served in between."""
        await self.begin(vocabulary)
        for begin in range(0, len(pcm), PIECE_BYTES):
            await self.feed(pcm[begin : begin + PIECE_BYTES])
        return await self.finish()

    async def _ask(self, message: dict[str, object]) -> dict[str, object]:
        return await ask_live(self._child, {**message, "key": self._key})
