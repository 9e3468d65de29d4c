"""This module makes pocketsphinx a `Recogniser`, in a child process.

It is the embedded default, ready after installation.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

import msgspec

from speech.complaint import Complaint, Phrase
from speech.process import Child
from speech.recognisers.live import LiveUtterance
from speech.recognisers.live_wire import ask_live
from speech.recognisers.recogniser import (
    LONGEST_UTTERANCE_BYTES,
    PART,
    Hypotheses,
    Hypothesis,
    Utterance,
    Vocabulary,
    WordHeard,
)
from speech.recognisers.sphinx.phones import Pronunciations, dictionary_of, english_phones, load_pronunciations
from speech.recognisers.sphinx.wire import Answer
from speech.recognisers.vocabulary import pruned

NAME = "sphinx"
_MODULE = "speech.recognisers.sphinx.child"
_MEMORY_BYTES = 1024 * 1024 * 1024
_DEADLINE_S = 20.0


class PocketsphinxRecogniser:
    """A `PocketsphinxRecogniser` is one decoder process; its `name` is "sphinx"."""

    def __init__(self, pronunciations: Pronunciations | None = None, deadline_s: float = _DEADLINE_S) -> None:
        """Read the pronunciations. Raises Complaint where those that are configured are wrong.

        `deadline_s`: so many seconds one utterance may take; a bench on a busy machine waits longer than a player.
        """
        self._pronunciations = pronunciations or load_pronunciations()
        self._child = Child(_MODULE, deadline_s=deadline_s, memory_bytes=_MEMORY_BYTES, part=PART)
        self._lent = asyncio.Lock()
        self._messages: dict[str, dict[str, object]] = {}

    @property
    def name(self) -> str:
        """Return the name of this engine."""
        return NAME

    @property
    def pid(self) -> int | None:
        """Return the process id of the child while it lives."""
        return self._child.pid

    async def start(self) -> None:
        """Start the child. Raises `ChildFailed` where pocketsphinx cannot be loaded."""
        await self._child.start()

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        """Begin an utterance; it is recognised while it is spoken, and its samples are kept here as well."""
        return LiveUtterance(self.lend, vocabulary)

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[PocketsphinxRecogniser]:
        """Lend this engine to one utterance; the next one waits until it is given back."""
        async with self._lent:
            yield self

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """Return what was said in these samples (mono s16le 16 kHz; beyond 30 s nothing is listened to).

        Raises `ChildFailed` where the engine died or hung, twice.
        """
        async with self._lent:
            return await self.whole(pcm, vocabulary, again=True)

    async def whole(self, pcm: bytes, vocabulary: Vocabulary, *, again: bool = False) -> Hypotheses:
        """Do as `recognise`, for the utterance that the engine is lent to.

        `again`: try a second time where the engine dies of it.
        """
        message = {**await self._message(vocabulary), "pcm": pcm[:LONGEST_UTTERANCE_BYTES]}
        return _hypotheses(await self._child.request(message, again=again))

    async def begin(self, vocabulary: Vocabulary) -> None:
        """Begin an utterance; one that was not finished is forgotten. Raises `ChildFailed`."""
        await ask_live(self._child, {**await self._message(vocabulary), "pcm": b"", "do": "begin"})

    async def feed(self, pcm: bytes) -> None:
        """Take some more of the sound.

        Raises `ChildFailed` where the engine died: then all of it is lost there.
        """
        await ask_live(self._child, {"do": "feed", "pcm": pcm})

    async def finish(self) -> Hypotheses:
        """Return what was heard, after the last sample. Raises `ChildFailed` where the engine died."""
        return _hypotheses(await ask_live(self._child, {"do": "finish"}))

    async def drop(self) -> None:
        """Drop the utterance, because nobody waits for its result any more."""
        await ask_live(self._child, {"do": "drop"})

    def missing(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """Return the word ids of a vocabulary that this engine cannot hear.

        No pronunciation is configured for their language.
        """
        return tuple(sorted(set(vocabulary.grammar.words()) - set(self._dictionary(vocabulary))))

    async def close(self) -> None:
        """End the child."""
        await self._child.close()

    @staticmethod
    def english(vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
        """Return the model's own dictionary, where a vocabulary has English words."""
        if "en" not in vocabulary.languages.values():
            return {}
        model = files("pocketsphinx").joinpath("model", "en-us", "cmudict-en-us.dict")
        return english_phones(model.read_text("utf-8"))

    def _dictionary(self, vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
        return dictionary_of(vocabulary, self._pronunciations, self.english(vocabulary))

    async def _message(self, vocabulary: Vocabulary) -> dict[str, object]:
        """Return a request without its sound; the graph's arcs carry the weight of their words."""
        message = self._messages.get(vocabulary.name)
        if message is None:
            dictionary = await asyncio.to_thread(self._dictionary, vocabulary)
            grammar = pruned(vocabulary.grammar, frozenset(dictionary))
            if not grammar.arcs:
                raise Complaint(Phrase("hearing.no_pronunciation", scheme=vocabulary.name, other="d21"))
            weights = self._pronunciations.weights
            message = self._messages[vocabulary.name] = {
                "dictionary": dictionary,
                "states": grammar.states,
                "start": grammar.start,
                "finals": sorted(grammar.finals),
                "arcs": [(arc.source, arc.target, weights.get(arc.word, 1.0), arc.word) for arc in grammar.arcs],
                "settings": msgspec.to_builtins(self._pronunciations.decoder),
                "bias": vocabulary.bias,
            }
        return message


def _hypotheses(reply: dict[str, object]) -> Hypotheses:
    answer = msgspec.convert(reply, Answer)
    return Hypotheses(
        engine=NAME,
        ranked=tuple(
            Hypothesis(tuple(WordHeard(word, fit) for word, fit in chain), score) for chain, score in answer.ranked
        ),
        evidence={name: value if math.isfinite(value) else 1e6 for name, value in answer.evidence.items()},
    )
