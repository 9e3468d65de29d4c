"""Our own small model as a `Recogniser`.

It has strict grammars; each utterance is heard several times, and the scores are put together.
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
from speech.recognisers.own.inventory import Inventory, read_outputs
from speech.recognisers.own.model import (
    OUTPUTS,
    OwnSettings,
    StrictModel,
    load_own_settings,
    shipped_model,
    silence_phone,
    strict_model,
)
from speech.recognisers.recogniser import (
    LONGEST_UTTERANCE_BYTES,
    PART,
    Hypotheses,
    Hypothesis,
    Utterance,
    Vocabulary,
    WordHeard,
    correct_for_voice,
)

NAME = "own"
_MODULE = "speech.recognisers.own.child"
_MEMORY_BYTES = 2 * 1024 * 1024 * 1024
_DEADLINE_S = 30.0
_UNNAMED = 3.0
"""A chain that one hearing did not name scores so much less there than the worst that it did name."""

Chain = tuple[str, ...]


class _Reply(msgspec.Struct, frozen=True):
    hearings: list[list[tuple[list[str], float]]]
    frames: int


class OwnRecogniser:
    """One process with the shipped model, for all who speak at the same time.

    `name` is "own".
    """

    def __init__(self, folder: Path | None = None, settings: OwnSettings | None = None) -> None:
        """`folder`: another model of this kind.

        Raises `Complaint` where none is shipped or the settings are wrong.
        """
        self.settings = settings or load_own_settings()
        found = folder or shipped_model()
        if found is None:
            raise Complaint(Phrase("hearing.no_own"))
        self.folder = found
        self._child = Child(
            _MODULE, arguments=(str(found),), deadline_s=_DEADLINE_S, memory_bytes=_MEMORY_BYTES, part=PART
        )
        self._lending = Lending(self, self._child)
        self._known: Inventory | None = None
        self._models: dict[str, StrictModel] = {}

    @property
    def name(self) -> str:
        """Return the name of this engine."""
        return NAME

    @property
    def pid(self) -> int | None:
        """Return the process id of the child while it lives."""
        return self._child.pid

    async def start(self) -> None:
        """Load and try the model.

        Raises `Complaint`, one sentence, also where the model kills its process.
        """
        await self._outputs()
        try:
            await self._child.start()
        except ChildFailed as died:
            raise Complaint(Phrase("hearing.own_ended", why=told_by(died))) from None

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        """Begin an utterance; it is recognised while it is spoken, and its samples are kept here as well."""
        return LiveUtterance(self._lending.lend, vocabulary)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """Return the hypotheses on these samples (mono s16le 16 kHz; beyond 30 s nothing is listened to).

        Raises `ChildFailed` where the engine died twice, `Complaint` where the model has none of the words.
        """
        message, meaning = await self.request_for(vocabulary)
        return meaning(await self._child.request({**message, "pcm": pcm[:LONGEST_UTTERANCE_BYTES]}))

    async def request_for(
        self, vocabulary: Vocabulary
    ) -> tuple[dict[str, object], Callable[[dict[str, object]], Hypotheses]]:
        """Return a request without its sound, and a function that reads its answer.

        Raises `Complaint` as `recognise` does.
        """
        model = await self._model(vocabulary)
        message: dict[str, object] = {
            "graphs": {
                "lexicon": model.lexicon,
                "grammar": model.grammar,
                "words": list(model.words),
                "search": msgspec.to_builtins(self.settings.search),
                "silence": silence_phone(await self._outputs()),
                "adaptation": msgspec.to_builtins(vocabulary.own),
            },
            "speeds": list(self.settings.speeds),
            "alternatives": self.settings.alternatives,
        }
        return message, lambda reply: correct_for_voice(_hypotheses_in(reply, model), vocabulary.ears)

    async def missing(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """Return the word ids of a vocabulary that the model cannot hear."""
        return (await self._model(vocabulary)).missing

    async def close(self) -> None:
        """End the child."""
        await self._child.close()

    async def _outputs(self) -> Inventory:
        if self._known is None:
            self._known = await asyncio.to_thread(read_outputs, self.folder / OUTPUTS)
        return self._known

    async def _model(self, vocabulary: Vocabulary) -> StrictModel:
        found = self._models.get(vocabulary.name)
        if found is None:
            found = await asyncio.to_thread(strict_model, vocabulary, await self._outputs(), self.settings)
            if not found.ids:
                raise Complaint(Phrase("hearing.no_words_of", scheme=vocabulary.name))
            self._models[vocabulary.name] = found
        return found


def _hypotheses_in(reply: dict[str, object], model: StrictModel) -> Hypotheses:
    found = msgspec.convert(reply, _Reply)
    return together(
        [
            {tuple(model.ids.get(word, UNKNOWN) for word in words): score for words, score in reversed(hearing)}
            for hearing in found.hearings
        ],
        found.frames,
    )


def together(hearings: Sequence[Mapping[Chain, float]], frames: int) -> Hypotheses:
    """Put several hearings of one utterance (chain -> score) together into one.

    The scores are means, with figures that tell how sure it is. `agreeing`: the share of hearings whose best chain is
    the best of all; `lead` follows from the scores themselves; `fit`: the score per frame of speech; `garbage`: by how
    much no words of ours at all would score better.
    """
    chains = list(dict.fromkeys(chain for hearing in hearings for chain in hearing))
    if not chains:
        return Hypotheses(NAME, evidence={"words": 0.0, "frames": float(frames)})
    totals = dict.fromkeys(chains, 0.0)
    for hearing in hearings:
        floor = min(hearing.values(), default=0.0) - _UNNAMED
        for chain in chains:
            totals[chain] += hearing.get(chain, floor) / len(hearings)
    ranked = sorted(chains, key=lambda chain: -totals[chain])
    best = ranked[0]
    if not best or all(word == UNKNOWN for word in best):
        return Hypotheses(NAME, evidence={"words": 0.0, "frames": float(frames)})
    ours = [chain for chain in ranked if chain and any(word != UNKNOWN for word in chain)]
    strange = [totals[chain] for chain in ranked if chain not in ours]
    highest = totals[best]
    shares = {chain: math.exp(max(-700.0, totals[chain] - highest)) for chain in ours}
    whole = sum(shares.values())
    hypotheses = tuple(
        Hypothesis(
            tuple(WordHeard(word, _share(word, place, ours, shares, whole)) for place, word in enumerate(chain)),
            totals[chain],
        )
        for chain in ours
    )
    evidence = {
        "words": float(len(best)),
        "frames": float(frames),
        "agreeing": sum(max(hearing, key=lambda chain: hearing[chain]) == best for hearing in hearings if hearing)
        / len(hearings),
        "fit": highest / max(1, frames) * 10,
        "garbage": min(60.0, highest - max(strange)) if strange else 60.0,
        "least": min(word.confidence for word in hypotheses[0].words),
    }
    return Hypotheses(NAME, hypotheses, evidence)


def _share(word: str, place: int, chains: Sequence[Chain], shares: Mapping[Chain, float], whole: float) -> float:
    """Return how much of all that was found has this word in this place."""
    having = sum(shares[chain] for chain in chains if len(chain) > place and chain[place] == word)
    return round(min(1.0, having / whole), 6)
