"""pocketsphinx as a `Recogniser`: the embedded default, ready after install, in a child process."""

from __future__ import annotations

import asyncio
import math
from importlib.resources import files

import msgspec

from speech.children import Child
from speech.complaint import Complaint
from speech.recognisers.keeping import KeptUtterance
from speech.recognisers.phones import Pronunciations, dictionary_of, english_phones, load_pronunciations
from speech.recognisers.pocketsphinx_wire import Answer
from speech.recognisers.recogniser import (
    LONGEST_UTTERANCE_BYTES,
    Hypotheses,
    Hypothesis,
    Utterance,
    Vocabulary,
    WordHeard,
)
from speech.recognisers.vocabulary import pruned

NAME = "sphinx"
_MODULE = "speech.recognisers.pocketsphinx_child"
_MEMORY_BYTES = 1024 * 1024 * 1024
_DEADLINE_S = 20.0


class PocketsphinxRecogniser:
    """One decoder process. `name` is "sphinx"."""

    def __init__(self, pronunciations: Pronunciations | None = None) -> None:
        """Raises Complaint where the configured pronunciations are wrong."""
        self._pronunciations = pronunciations or load_pronunciations()
        self._child = Child(_MODULE, deadline_s=_DEADLINE_S, memory_bytes=_MEMORY_BYTES)
        self._messages: dict[str, dict[str, object]] = {}

    @property
    def name(self) -> str:
        """Which engine this is."""
        return NAME

    @property
    def pid(self) -> int | None:
        """The process id of the child while it lives."""
        return self._child.pid

    async def start(self) -> None:
        """Start the child. Raises `ChildFailed` where pocketsphinx cannot be loaded."""
        await self._child.start()

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        """Begin an utterance; its samples are kept here until it is recognised."""
        return KeptUtterance(self, vocabulary)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """What was said in these samples (mono s16le 16 kHz; beyond 30 s nothing is listened to).

        Raises `ChildFailed` where the engine died or hung, twice.
        """
        message = {**await self._message(vocabulary), "pcm": pcm[:LONGEST_UTTERANCE_BYTES]}
        answer = msgspec.convert(await self._child.request(message), Answer)
        return Hypotheses(
            engine=NAME,
            ranked=tuple(
                Hypothesis(tuple(WordHeard(word, fit) for word, fit in chain), score) for chain, score in answer.ranked
            ),
            evidence={name: value if math.isfinite(value) else 1e6 for name, value in answer.evidence.items()},
        )

    def missing(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """Word ids of a vocabulary that this engine cannot hear: no pronunciation is configured for their language."""
        return tuple(sorted(set(vocabulary.grammar.words()) - set(self._dictionary(vocabulary))))

    async def close(self) -> None:
        """End the child."""
        await self._child.close()

    def _dictionary(self, vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
        english: dict[str, tuple[str, ...]] = {}
        if "en" in vocabulary.languages.values():
            model = files("pocketsphinx").joinpath("model", "en-us", "cmudict-en-us.dict")
            english = english_phones(model.read_text("utf-8"))
        return dictionary_of(vocabulary, self._pronunciations, english)

    async def _message(self, vocabulary: Vocabulary) -> dict[str, object]:
        """A request without its sound. The graph's arcs carry the weight of their words."""
        message = self._messages.get(vocabulary.name)
        if message is None:
            dictionary = await asyncio.to_thread(self._dictionary, vocabulary)
            grammar = pruned(vocabulary.grammar, frozenset(dictionary))
            if not grammar.arcs:
                raise Complaint(f"No pronunciation is configured for the words of {vocabulary.name}; choose d21.")
            weights = self._pronunciations.weights
            message = self._messages[vocabulary.name] = {
                "dictionary": dictionary,
                "states": grammar.states,
                "start": grammar.start,
                "finals": sorted(grammar.finals),
                "arcs": [(arc.source, arc.target, weights.get(arc.word, 1.0), arc.word) for arc in grammar.arcs],
                "settings": msgspec.to_builtins(self._pronunciations.decoder),
            }
        return message
