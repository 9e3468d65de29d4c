"""Vosk as a `Recogniser`, wherever a model folder is configured.

It runs in a child process, because a broken model may kill it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from speech.announcements.understand import UNKNOWN
from speech.complaint import Complaint, Phrase, told_by
from speech.process import Child, ChildFailed
from speech.recognisers.live import LiveUtterance
from speech.recognisers.live_wire import Lending
from speech.recognisers.recogniser import (
    LONGEST_UTTERANCE_BYTES,
    PART,
    Hypotheses,
    Hypothesis,
    Utterance,
    Vocabulary,
    WordHeard,
)
from speech.recognisers.vocabulary import prune_grammar
from speech.recognisers.vosk.model import checked_model, known_forms, words_of_model
from speech.words.grammar import Grammar

NAME = "vosk"
_MODULE = "speech.recognisers.vosk.child"
_MEMORY_BYTES = 6 * 1024 * 1024 * 1024
_DEADLINE_S = 30.0


class _Reply(msgspec.Struct, frozen=True):
    words: list[tuple[str, float]]


class _Task(msgspec.Struct, frozen=True):
    """Vocabulary as one model gets it: its phrases, and each spelling's word id."""

    phrases: list[str]
    ids: dict[tuple[str, ...], str]
    missing: tuple[str, ...]


class VoskRecogniser:
    """One process with one model; its `name` is "vosk"."""

    def __init__(self, model: Path) -> None:
        """`model`: the folder of an unpacked model; it is looked at in `start`."""
        self.model = model
        self._child = Child(
            _MODULE, arguments=(str(model),), deadline_s=_DEADLINE_S, memory_bytes=_MEMORY_BYTES, part=PART
        )
        self._words: frozenset[str] | None = None
        self._tasks: dict[str, _Task] = {}
        self._lending = Lending(self, self._child)

    @property
    def name(self) -> str:
        """Return the name of this engine."""
        return NAME

    @property
    def pid(self) -> int | None:
        """Return the process id of the child while it lives."""
        return self._child.pid

    async def start(self) -> None:
        """Check, load and try the model.

        Raises `Complaint`, one sentence, also where the model kills its process.
        """
        checked_model(self.model)
        self._words = await asyncio.to_thread(words_of_model, self.model)
        try:
            await self._child.start()
        except ChildFailed as died:
            raise Complaint(
                Phrase("model.ends", place=self.model, why=told_by(died), setting="--endpoint.silence-phones")
            ) from None

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        """Begin an utterance; it is recognised while it is spoken, beside any others.

        Its samples are kept here.
        """
        return LiveUtterance(self._lending.lend, vocabulary)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """Return the hypotheses on these samples (mono s16le 16 kHz; beyond 30 s nothing is listened to).

        A word that the model heard and that is none of ours stands as "?". Raises `ChildFailed` where the engine died
        twice, `Complaint` where the model knows none of the words or is broken.
        """
        message, meaning = await self.request_for(vocabulary)
        return meaning(await self._child.request({**message, "pcm": pcm[:LONGEST_UTTERANCE_BYTES]}))

    async def request_for(
        self, vocabulary: Vocabulary
    ) -> tuple[dict[str, object], Callable[[dict[str, object]], Hypotheses]]:
        """Return a request without its sound, and a function that reads its answer.

        Raises `Complaint` as `recognise` does.
        """
        task = await self.task(vocabulary)
        return {"phrases": task.phrases}, lambda reply: _hypotheses_in(reply, task)

    async def missing(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """Return the word ids of a vocabulary that the model cannot hear, under any of their spellings."""
        return (await self._task_for(vocabulary)).missing

    async def close(self) -> None:
        """End the child."""
        await self._child.close()

    async def task(self, vocabulary: Vocabulary) -> _Task:
        """Return the vocabulary for this model. Raises `Complaint` where it knows none of the words."""
        task = await self._task_for(vocabulary)
        if not task.phrases:
            raise Complaint(Phrase("model.no_words", place=self.model, scheme=vocabulary.name))
        return task

    async def _task_for(self, vocabulary: Vocabulary) -> _Task:
        task = self._tasks.get(vocabulary.name)
        if task is None:
            if self._words is None:
                checked_model(self.model)
                self._words = await asyncio.to_thread(words_of_model, self.model)
            task = self._tasks[vocabulary.name] = _task_of(vocabulary, self._words)
        return task


def _hypotheses_in(reply: dict[str, object], task: _Task) -> Hypotheses:
    heard = _ids_of(msgspec.convert(reply, _Reply).words, task.ids)
    if not any(word.id != UNKNOWN for word in heard):
        return Hypotheses(NAME, evidence={"words": float(len(heard))})
    trust = [word.confidence for word in heard]
    score = sum(math.log(max(share, 1e-6)) for share in trust)
    evidence = {"words": float(len(heard)), "least": min(trust), "mean": sum(trust) / len(trust)}
    return Hypotheses(NAME, (Hypothesis(heard, score),), evidence)


def _task_of(vocabulary: Vocabulary, known: frozenset[str]) -> _Task:
    forms = known_forms({word: vocabulary.forms[word] for word in vocabulary.grammar.words()}, known)
    heard = frozenset(word for word, ways in forms.items() if ways)
    ids = {tuple(way.split()): word for word, ways in forms.items() for way in ways}
    return _Task(
        phrases=_phrases(prune_grammar(vocabulary.grammar, heard), forms),
        ids=ids,
        missing=tuple(sorted(set(forms) - heard)),
    )


def _phrases(grammar: Grammar, forms: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return every word, and every two words that may follow each other.

    Vosk makes a bigram model of them, no graph.
    """
    singles = [way for word in grammar.words() for way in forms[word]]
    pairs = {(arc.word, onward) for arc in grammar.arcs for onward in grammar.table[arc.target]}
    return [*singles, *(f"{forms[one][0]} {forms[two][0]}" for one, two in sorted(pairs))]


def _ids_of(words: Sequence[tuple[str, float]], ids: Mapping[tuple[str, ...], str]) -> tuple[WordHeard, ...]:
    """Return the model's words as word ids.

    The longest spelling comes first; of several words the least sure counts.
    """
    longest = max((len(way) for way in ids), default=1)
    found: list[WordHeard] = []
    place = 0
    while place < len(words):
        for length in range(min(longest, len(words) - place), 0, -1):
            word = ids.get(tuple(spelling for spelling, _ in words[place : place + length]))
            if word is not None:
                found.append(WordHeard(word, min(share for _, share in words[place : place + length])))
                place += length
                break
        else:
            found.append(WordHeard(UNKNOWN, words[place][1]))
            place += 1
    return tuple(found)
