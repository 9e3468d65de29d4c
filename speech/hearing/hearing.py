"""Hearing: sound becomes words, their meaning, how sure that is, and a verdict.

No position is looked at. In a rated game all of it is a function of sound, language, scheme and profile alone
(design, Silence): what a player hears may depend on sound and well-formedness only. Which move was meant is settled
elsewhere, from the board.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from speech.complaint import Complaint, Phrase, told_by
from speech.hearing.early import EarlyUtterance, Queue, local_engine
from speech.hearing.second_opinion import (
    NO_LANGUAGES,
    Languages,
    after_second_opinion,
    first_asked,
    in_doubt,
    leans_elsewhere,
    taken_alone,
    together,
)
from speech.hearing.settings import HearingSettings, load_hearing
from speech.hearing.two_squares import Chain
from speech.hearing.verdict import Judged, Judgement, judge_utterance
from speech.models.whisper import MODEL_VARIABLE, whisper_folder
from speech.process import ChildFailed
from speech.recognisers.live import LiveUtterance
from speech.recognisers.own.model import shipped_model
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.recogniser import Hypotheses, Hypothesis, Recogniser, Utterance, Vocabulary
from speech.recognisers.vocabulary import vocabulary_of
from speech.recognisers.vosk.model import configured_model
from speech.recognisers.vosk.recogniser import VoskRecogniser
from speech.recognisers.whisper.recogniser import WhisperRecogniser
from speech.turns import heard_for, who_is_heard
from speech.words.said import Heard
from speech.words.scheme import Scheme

Mode = Literal["rated", "training"]
ENGINES = ("auto", "own", "vosk", "whisper")
FETCHING = "anna-eins models get whisper-base"
"""Command that fetches the model of the second ear."""


class Verdict(msgspec.Struct, frozen=True):
    """Verdict of the ears on one utterance.

    `words`: word ids, "?" for one that was there and was not understood. `heard`: what they mean. `confidence`:
    P(right), 0 to 1. `verdict`: accept (record as announced), confirm (read back first), repeat (ask again), reject
    (not an utterance for us). `hypotheses`: best first. `ms`: from the last sample to this verdict, the only part that
    differs between two hearings of the same sound. `found`: what each engine heard, for the next utterance where this
    one is asked for again. `sure`: as sure as what is recorded at once, but read back all the same, because of its
    letters or because one ear was in doubt. `two_squares`: the two announcements of which the player may be asked to
    name one, in place of being read back or asked again; () mostly.
    """

    words: tuple[str, ...]
    heard: Heard
    confidence: float
    verdict: Judgement
    hypotheses: tuple[Hypothesis, ...]
    engine: str
    ms: int
    found: tuple[Hypotheses, ...] = ()
    sure: bool = False
    two_squares: tuple[Chain, ...] = ()


def recognisers(engine: str = "auto", model: str | None = None, shelf: Path | None = None) -> tuple[Recogniser, ...]:
    """Return the engines that `engine` (one of `ENGINES`) stands for here, not yet started.

    "auto": our own model, or a Vosk model of the user's in its place, then Whisper where a model of it is there; else
    the first alone. `model`: the folder of a Vosk model; else the one that ANNA_EINS_VOSK_MODEL names; else our own
    that came with the program. With "whisper", the folder of a Whisper model; else the one in force, first of all on
    `shelf`. Raises Complaint.
    """
    if engine not in ENGINES:
        raise Complaint(Phrase("hearing.no_engine", engine=engine, known=", ".join(ENGINES)))
    if engine == "whisper":
        return second_ears(model, shelf, needed=True)
    # One process serves any number of utterances: each further one would hold the whole model again.
    folder = configured_model(model) if engine != "own" else None
    if folder is not None:
        first: list[Recogniser] = [VoskRecogniser(folder)]
    else:
        first = [OwnRecogniser()] if shipped_model() is not None else []
    second = second_ears(None, shelf) if engine == "auto" else ()
    if not first and not second:
        raise Complaint(Phrase("hearing.no_model"))
    return (*first, *second)


def second_ears(model: str | None = None, shelf: Path | None = None, *, needed: bool = False) -> tuple[Recogniser, ...]:
    """Return the ear that learnt from people, not yet started; none where no model of it is here.

    `model`, `shelf`: as for `recognisers`. Raises Complaint in place of none where it is `needed`.
    """
    folder = whisper_folder(model, shelf)
    if folder is not None:
        return (WhisperRecogniser(folder),)
    if needed:
        raise Complaint(Phrase("whisper.no_model", command=FETCHING, variable=MODEL_VARIABLE))
    return ()


class Hearing:
    """`Hearing` is the recogniser service; engines that cannot start are left out as long as one works."""

    def __init__(
        self,
        engines: Sequence[Recogniser] | None = None,
        settings: HearingSettings | None = None,
        engine: str = "auto",
        opinions: Sequence[Recogniser] = (),
        *,
        patient: bool = False,
    ) -> None:
        """`engines`: what hears (default: what `engine` stands for).

        `opinions`: recognisers of other makers, which may only raise a doubt. `patient`: nobody plays, so that a
        verdict may come late. Raises Complaint where the settings are wrong.
        """
        self._patient = patient
        self._opinions = tuple(opinions)
        self._settings = settings or load_hearing()
        self._engines = list(engines if engines is not None else recognisers(engine))
        self._vocabularies: dict[tuple[str, str], Vocabulary] = {}
        self._queue = Queue()
        self.faults: tuple[str | Phrase, ...] = ()

    @property
    def engines(self) -> tuple[str, ...]:
        """Return the names of the engines in use."""
        return tuple(engine.name for engine in self._engines)

    def engine(self, name: str) -> Recogniser | None:
        """Return the engine of this name, where it is in use."""
        return next((engine for engine in self._engines if engine.name == name), None)

    async def start(self) -> None:
        """Start every engine; `faults` says which did not start. Raises Complaint where none works."""
        working: list[Recogniser] = []
        faults: list[str | Phrase] = []
        started = await asyncio.gather(*(engine.start() for engine in self._engines), return_exceptions=True)
        for engine, wrong in zip(self._engines, started, strict=True):
            if wrong is None:
                working.append(engine)
            elif isinstance(wrong, Complaint | ChildFailed):
                faults.append(told_by(wrong))
                await engine.close()
            else:
                raise wrong
        self._engines, self.faults = working, tuple(faults)
        self._queue = Queue(max((getattr(engine, "places", 1) for engine in working), default=1))
        if not working:
            raise Complaint(_together(faults) or Phrase("hearing.none"))

    async def hear(self, pcm: bytes, scheme: Scheme, mode: Mode = "rated", after: Verdict | None = None) -> Verdict:
        """Return the verdict on this sound (mono s16le 16 kHz; beyond 30 s nothing is listened to).

        `after`: the verdict that asked for it to be said again; both sounds then count. `mode` changes nothing here:
        training lifts the silence about the position, and this knows no position. Raises Complaint where every engine
        failed on it; the sound is then unheard and play goes on.
        """
        return await self.open_utterance(scheme, mode, pcm).finish(after)

    def open_utterance(self, scheme: Scheme, mode: Mode = "rated", pcm: bytes = b"") -> HearingUtterance:
        """Begin an utterance that comes in pieces.

        The engine that is asked first listens while they come; where no engine is asked first, every engine that can.
        """
        vocabulary, first = self._vocabulary_of(scheme), self._first
        utterances = [
            local_engine(engine).open_utterance(vocabulary)
            if first in (None, place)
            else EarlyUtterance(engine, vocabulary, self._queue)
            for place, engine in enumerate(self._engines)
        ]
        opinions = [one.open_utterance(vocabulary) for one in self._opinions]
        early = self._settings.second_opinion.early
        languages = vocabulary.languages
        return HearingUtterance(self, scheme, utterances, pcm, early=early, opinions=opinions, languages=languages)

    @property
    def _first(self) -> int | None:
        """Return the place of the engine that may be believed by itself; None where all listen together."""
        name = first_asked(self.engines, self._settings)
        return None if name is None else self.engines.index(name)

    async def close(self) -> None:
        """End every engine."""
        for engine in (*self._engines, *self._opinions):
            await engine.close()

    async def judge(
        self,
        utterances: Sequence[Utterance],
        after: Verdict | None = None,
        opinions: Sequence[Utterance] = (),
        languages: Languages = NO_LANGUAGES,
    ) -> Verdict:
        """Return the verdict on what each engine heard; `ms` is counted from this call.

        `after`: as for `hear`. The engine that is asked first may be enough; the others are asked where it is in doubt.
        `opinions`: what may question that. `languages`: of the words, as `Vocabulary.languages`.
        """
        began = time.perf_counter()
        before = () if after is None else after.found
        first = self._first
        others = [one for place, one in enumerate(utterances) if place != first]
        try:
            if first is None:
                done, found, faults = None, *await _finish_together(others)
            else:
                done, found, faults = await self._in_turn(utterances[first], others, before, languages)
        finally:
            _leave_all(others)
        if not found:
            raise Complaint(_together(faults) or Phrase("hearing.none_runs"))
        done = done or judge_utterance(found, self._settings, before)
        if opinions and done.verdict == "accept":
            done = after_second_opinion(done, (await _finish_together(opinions))[0])
        return Verdict(
            words=done.heard.words,
            heard=done.heard,
            confidence=done.confidence,
            verdict=done.verdict,
            hypotheses=done.hypotheses,
            engine="+".join(one.engine for one in found),
            ms=round((time.perf_counter() - began) * 1000),
            found=tuple(found),
            sure=done.verdict == "confirm"
            and done.heard.kind == "move"
            and done.confidence >= self._settings.thresholds.accept,
            two_squares=done.two_squares,
        )

    async def _in_turn(
        self, first: Utterance, others: Sequence[Utterance], before: Sequence[Hypotheses], languages: Languages
    ) -> tuple[Judged | None, list[Hypotheses], list[str | Phrase]]:
        """Return the verdict, what was heard, and why some engines heard nothing.

        The verdict is that of the engine that is asked first, where that is enough. One that would come late asks
        again: what the others then hear is heard by nobody.
        """
        began, second = asyncio.get_running_loop().time(), self._settings.second_opinion
        found, faults = await _finish_together([first])
        done = taken_alone(found[0], self._settings, before, languages) if found else None
        if done is not None:
            return done, found, faults
        hurried = bool(found) and not self._patient
        try:
            async with asyncio.timeout_at(began + second.late_ms / 1000 if hurried else None):
                done, all_found, wrong = await self._queue.serve(
                    second.wait_ms / 1000 if hurried else None, others, partial(self._ask_others, others, found, before)
                )
        except TimeoutError:
            return in_doubt(found[0], self._settings), found, faults
        return done, all_found, faults + wrong

    async def _ask_others(
        self, others: Sequence[Utterance], found: Sequence[Hypotheses], before: Sequence[Hypotheses]
    ) -> tuple[Judged | None, list[Hypotheses], list[str | Phrase]]:
        """Return the verdict of all ears, the first of which has `found` something or nothing."""
        more, wrong = await _finish_together(others)
        done, all_found = self._all_together([*found, *more], before)
        if done is not None and leans_elsewhere(done, all_found, self._settings, before):
            more, wrong = await _finish_together(others, here=True)
            kept = () if any(one.elsewhere for one in before) else before
            done, all_found = self._all_together([*found, *more], kept)
        return done, all_found, wrong

    def _all_together(
        self, found: Sequence[Hypotheses], before: Sequence[Hypotheses]
    ) -> tuple[Judged | None, list[Hypotheses]]:
        """Return the verdict of all that heard something, None where nobody did, and what they heard, in order."""
        ordered = sorted(found, key=lambda one: self.engines.index(one.engine))
        return together(ordered, self._settings, before) if ordered else None, ordered

    def _vocabulary_of(self, scheme: Scheme) -> Vocabulary:
        key = scheme.name, scheme.language if scheme.voice is None else f"{scheme.language} {scheme.voice.digest}"
        if key not in self._vocabularies:
            self._vocabularies[key] = vocabulary_of(scheme)
        return self._vocabularies[key]


async def _finish_together(
    utterances: Sequence[Utterance], *, here: bool = False
) -> tuple[list[Hypotheses], list[str | Phrase]]:
    """Return each engine's hypotheses, and why some engines have none; all finish at the same time.

    `here`: what this machine hears itself counts, where another has helped.
    """
    found: list[Hypotheses] = []
    faults: list[str | Phrase] = []
    hearing = [one.heard_here() if here and isinstance(one, EarlyUtterance) else one.finish() for one in utterances]
    for one in await asyncio.gather(*hearing, return_exceptions=True):
        if isinstance(one, Hypotheses):
            found.append(one)
        elif isinstance(one, Complaint | ChildFailed):
            faults.append(told_by(one))
        else:
            raise one
    return found, faults


def _together(faults: Sequence[str | Phrase]) -> str | Phrase:
    """Return several sentences as one; "" for none."""
    one, *others = faults or [""]
    return Phrase("value.both", one=one, other=_together(others)) if others else one


def _leave_all(utterances: Sequence[Utterance]) -> None:
    """Leave these utterances, because nobody waits for them any more."""
    for one in utterances:
        if isinstance(one, EarlyUtterance):
            one.leave()


class HearingUtterance:
    """One utterance that comes in pieces.

    Its engines keep its samples until the verdict, so that a crash loses none. It is heard for whom it was begun.
    """

    def __init__(
        self,
        hearing: Hearing,
        scheme: Scheme,
        utterances: Sequence[Utterance],
        pcm: bytes = b"",
        *,
        early: bool = True,
        opinions: Sequence[Utterance] = (),
        languages: Languages = NO_LANGUAGES,
    ) -> None:
        """`early`: where a doubt is likely, the second ear begins before the last sample is in.

        `opinions`: the same utterance at recognisers that may question the verdict. `languages`: of the words.
        """
        self._languages = languages
        self.scheme = scheme
        """The utterance is heard as announcements and commands of this scheme."""
        self._hearing = hearing
        self._speaker = who_is_heard()
        self._utterances = utterances
        self._opinions = opinions
        self._early = early
        if pcm:
            self.feed(pcm)

    def feed(self, pcm: bytes) -> None:
        """Take some more samples, mono s16le at 16 kHz; never waits; beyond 30 s nothing is listened to."""
        with heard_for(self._speaker):
            for utterance in (*self._utterances, *self._opinions):
                utterance.feed(pcm)
        if any(isinstance(one, LiveUtterance) and one.in_doubt for one in self._utterances):
            self.expect_doubt()

    def expect_doubt(self) -> None:
        """Expect a doubt, as for a player who was just asked again: the second ear listens when it is free.

        Only the time of the verdict depends on it.
        """
        if self._early:
            with heard_for(self._speaker):
                for utterance in self._utterances:
                    if isinstance(utterance, EarlyUtterance):
                        utterance.begin()

    async def finish(self, after: Verdict | None = None) -> Verdict:
        """Return the verdict, after the last sample. `after`: as for `Hearing.hear`.

        Raises Complaint where every engine failed on it.
        """
        try:
            with heard_for(self._speaker):
                return await self._hearing.judge(self._utterances, after, self._opinions, self._languages)
        finally:
            for opinion in self._opinions:
                await opinion.abandon()

    async def abandon(self) -> None:
        """Drop the utterance; the engines are free for others."""
        for utterance in (*self._utterances, *self._opinions):
            await utterance.abandon()
