"""The ears: sound -> words, what they mean, how sure that is, and what to do. Never a look at a position.

In a rated game all of it is a function of sound, language, scheme and profile alone (design, Silence): what a player
hears may depend on sound and well-formedness only. Which move was meant is settled elsewhere, from the board.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from importlib.abc import Traversable
from typing import Literal

import msgspec

from speech.children import ChildFailed
from speech.complaint import Complaint
from speech.confidence import FIGURES, Curve, certainty, likelihood, meaning
from speech.recognisers.own.own_model import shipped_model
from speech.recognisers.own.own_recogniser import OwnRecogniser
from speech.recognisers.pocketsphinx_recogniser import PocketsphinxRecogniser
from speech.recognisers.pool import RecogniserPool
from speech.recognisers.recogniser import Hypotheses, Hypothesis, Recogniser, Utterance, Vocabulary
from speech.recognisers.vocabulary import vocabulary_of
from speech.recognisers.vosk_model import configured_model
from speech.recognisers.vosk_recogniser import VoskRecogniser
from speech.said import Heard
from speech.scheme import Scheme
from speech.settings_file import read_settings
from speech.understanding import UNKNOWN, understand

Mode = Literal["rated", "training"]
Judgement = Literal["accept", "confirm", "repeat", "reject"]
ENGINES = ("auto", "vosk", "sphinx")


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From which probability on something is done.

    `accept`: record as announced; `confirm`: read back first (both of P(right)). `for_us`: ask again (of P(it was an
    announcement or a command at all)); below that it was not an utterance for us. `word`: a word that fits its sound
    less than this (0 to 1) was not understood. `against`: from this P(right) on one ear is believed though another
    heard something else.
    """

    accept: float
    confirm: float
    for_us: float
    word: float
    against: float


class HearingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`config/hearing.toml`: two curves an engine (is it right? is it for us?), their provenance, the thresholds."""

    provenance: Mapping[str, str]
    thresholds: Thresholds
    right: Mapping[str, Curve]
    for_us: Mapping[str, Curve]


class Verdict(msgspec.Struct, frozen=True):
    """What the ears say of one utterance.

    `words`: word ids, "?" for one that was there and was not understood. `heard`: what they mean. `confidence`:
    P(right), 0 to 1. `verdict`: accept (record as announced), confirm (read back first), repeat (ask again), reject
    (not an utterance for us). `hypotheses`: best first. `ms`: from the last sample to this verdict, the only part that
    two hearings of the same sound do not share.
    """

    words: tuple[str, ...]
    heard: Heard
    confidence: float
    verdict: Judgement
    hypotheses: tuple[Hypothesis, ...]
    engine: str
    ms: int


class _Opinion(msgspec.Struct, frozen=True):
    hypotheses: Hypotheses
    heard: Heard
    confidence: float
    for_us: float


def load_hearing(root: Traversable | None = None) -> HearingSettings:
    """Read `config/hearing.toml`. Raises Complaint that names the file and the key path."""
    label = "config/hearing.toml"
    found = read_settings("hearing.toml", HearingSettings, root)
    for path, curves in (("right", found.right), ("for_us", found.for_us)):
        for engine in ("sphinx", "vosk", "own"):
            if engine not in curves:
                raise Complaint(f"{label}, key {path}.{engine}: this entry is missing.")
        for engine, curve in curves.items():
            for name in curve.weights:
                if name not in FIGURES:
                    raise Complaint(f"{label}, key {path}.{engine}.weights.{name}: there is no such figure.")
    steps = found.thresholds
    every = (steps.accept, steps.confirm, steps.for_us, steps.word, steps.against)
    if not all(0 <= step <= 1 for step in every) or steps.accept < steps.confirm:
        raise Complaint(f"{label}, key thresholds: each must be from 0 to 1, and accept not below confirm.")
    return found


def recognisers(engine: str = "auto", model: str | None = None) -> tuple[Recogniser, ...]:
    """The engines that `engine` ("auto", "vosk" or "sphinx") stands for here, each pooled, not yet started.

    `model`: the folder of a Vosk model; else the one that ANNA_EINS_VOSK_MODEL names; else our own that came with the
    program. Raises Complaint.
    """
    folder = configured_model(model)
    if engine not in ENGINES:
        raise Complaint(f'There is no engine "{engine}"; choose one of: {", ".join(ENGINES)}.')
    own = folder is None and shipped_model() is not None
    if engine == "vosk" and folder is None and not own:
        raise Complaint("Vosk needs a model: name its folder with --model or in ANNA_EINS_VOSK_MODEL.")
    found: list[Recogniser] = []
    if engine != "vosk":
        found.append(RecogniserPool(PocketsphinxRecogniser))
    if engine != "sphinx" and folder is not None:
        # Each further process would hold the whole model again; one serves any number of utterances.
        found.append(VoskRecogniser(folder))
    if engine != "sphinx" and own:
        found.append(RecogniserPool(OwnRecogniser))
    return tuple(found)


class Hearing:
    """The recogniser service. Engines that cannot start are left out as long as one works."""

    def __init__(
        self, engines: Sequence[Recogniser] | None = None, settings: HearingSettings | None = None, engine: str = "auto"
    ) -> None:
        """`engines`: what hears (default: what `engine` stands for). Raises Complaint where the settings are wrong."""
        self._settings = settings or load_hearing()
        self._engines = list(engines if engines is not None else recognisers(engine))
        self._vocabularies: dict[tuple[str, str], Vocabulary] = {}
        self.faults: tuple[str, ...] = ()

    @property
    def engines(self) -> tuple[str, ...]:
        """The names of the engines in use."""
        return tuple(engine.name for engine in self._engines)

    async def start(self) -> None:
        """Start every engine; `faults` says which did not. Raises Complaint where none works."""
        working: list[Recogniser] = []
        faults: list[str] = []
        for engine in self._engines:
            try:
                await engine.start()
                working.append(engine)
            except (Complaint, ChildFailed) as wrong:
                faults.append(str(wrong))
                await engine.close()
        self._engines, self.faults = working, tuple(faults)
        if not working:
            raise Complaint(" ".join(faults) or "No recogniser is configured.")

    async def hear(self, pcm: bytes, scheme: Scheme, mode: Mode = "rated") -> Verdict:
        """What was said in this sound (mono s16le 16 kHz; beyond 30 s nothing is listened to).

        `mode` changes nothing here: training lifts the silence about the position, and this knows no position. Raises
        Complaint where every engine failed on it; the sound is then unheard and play goes on.
        """
        return await self.open_utterance(scheme, mode, pcm).finish()

    def open_utterance(self, scheme: Scheme, mode: Mode = "rated", pcm: bytes = b"") -> HearingUtterance:
        """Begin an utterance that comes in pieces; every engine that can listens while they come."""
        vocabulary = self._vocabulary_of(scheme)
        return HearingUtterance(self, scheme, [engine.open_utterance(vocabulary) for engine in self._engines], pcm)

    async def close(self) -> None:
        """End every engine."""
        for engine in self._engines:
            await engine.close()

    async def judge(self, utterances: Sequence[Utterance]) -> Verdict:
        """The verdict on what each engine heard; `ms` is counted from this call."""
        began = time.perf_counter()
        opinions: list[_Opinion] = []
        faults: list[str] = []
        for found in await asyncio.gather(*(one.finish() for one in utterances), return_exceptions=True):
            if isinstance(found, Hypotheses):
                opinions.append(self._opinion(found))
            elif isinstance(found, Complaint | ChildFailed):
                faults.append(str(found))
            else:
                raise found
        if not opinions:
            raise Complaint(" ".join(faults) or "No recogniser is running; start one.")
        best, judgement = self._judged(opinions)
        heard = best.heard
        if judgement == "reject":
            heard = Heard("none")
        elif judgement == "repeat":
            heard = self._open_part(best)
        return Verdict(
            words=heard.words,
            heard=heard,
            confidence=round(best.confidence, 4),
            verdict=judgement,
            hypotheses=best.hypotheses.ranked,
            engine="+".join(opinion.hypotheses.engine for opinion in opinions),
            ms=round((time.perf_counter() - began) * 1000),
        )

    def _opinion(self, found: Hypotheses) -> _Opinion:
        """What one engine thinks."""
        heard = understand(found.ranked[0].ids) if found.ranked else Heard("none")
        right, for_us = self._settings.right[found.engine], self._settings.for_us[found.engine]
        return _Opinion(found, heard, certainty(found, heard, right), likelihood(found, heard, for_us))

    def _judged(self, opinions: Sequence[_Opinion]) -> tuple[_Opinion, Judgement]:
        """One opinion stands for itself; two that agree are surer than each; where two differ, only one that is very
        sure is believed.
        """
        best = max(opinions, key=lambda opinion: opinion.confidence)
        judgement = self._judgement(best)
        if len(opinions) > 1 and judgement in ("accept", "confirm"):
            meanings = {meaning(opinion.heard) for opinion in opinions if opinion.heard.kind != "none"}
            if len(meanings) > 1 and best.confidence < self._settings.thresholds.against:
                return best, "repeat"
            if len(meanings) > 1:
                return best, judgement
            if all(opinion.heard.kind != "none" for opinion in opinions):
                return best, "accept"
        return best, judgement

    def _open_part(self, opinion: _Opinion) -> Heard:
        """What to ask again: the one part whose words hardly fit the sound, else the whole (the words as heard)."""
        if opinion.heard.kind != "move":
            return opinion.heard
        least = self._settings.thresholds.word
        words = opinion.hypotheses.ranked[0].words
        masked = understand([UNKNOWN if word.confidence < least else word.id for word in words])
        return masked if masked.unclear is not None else opinion.heard

    def _judgement(self, opinion: _Opinion) -> Judgement:
        steps = self._settings.thresholds
        if opinion.for_us < steps.for_us:
            return "reject"
        if opinion.confidence >= steps.accept:
            return "accept"
        # A command is obeyed at once, it has no read-back: what is not sure is asked again.
        if opinion.confidence >= steps.confirm and opinion.heard.kind != "command":
            return "confirm"
        return "repeat"

    def _vocabulary_of(self, scheme: Scheme) -> Vocabulary:
        key = scheme.name, scheme.language if scheme.voice is None else f"{scheme.language} {scheme.voice.digest}"
        if key not in self._vocabularies:
            self._vocabularies[key] = vocabulary_of(scheme)
        return self._vocabularies[key]


class HearingUtterance:
    """One utterance that comes in pieces; its engines keep its samples until the verdict: no crash loses any."""

    def __init__(self, hearing: Hearing, scheme: Scheme, utterances: Sequence[Utterance], pcm: bytes = b"") -> None:
        self.scheme = scheme
        """What it is heard by: announcements and commands of this scheme."""
        self._hearing = hearing
        self._utterances = utterances
        if pcm:
            self.feed(pcm)

    def feed(self, pcm: bytes) -> None:
        """Some more samples, mono s16le at 16 kHz; never waits; beyond 30 s nothing is listened to."""
        for utterance in self._utterances:
            utterance.feed(pcm)

    async def finish(self) -> Verdict:
        """The last sample is in. Raises Complaint where every engine failed on it."""
        return await self._hearing.judge(self._utterances)

    async def abandon(self) -> None:
        """Nobody wants to know any more; the engines are free for others."""
        for utterance in self._utterances:
            await utterance.abandon()
