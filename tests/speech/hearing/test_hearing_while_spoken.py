"""Recognised while it is spoken: the same words however the sound comes, an engine for each, nothing dropped."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable

import numpy as np
import pytest

from speech.hearing.hearing import Hearing
from speech.process import ChildFailed
from speech.recognisers.levelling import Levelling
from speech.recognisers.own.live_hearings import LiveHearings
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.pool import RecogniserPool
from speech.recognisers.recogniser import Hypotheses, Hypothesis, Utterance, Vocabulary, WordHeard
from speech.recognisers.vocabulary import vocabulary_of
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import announcements, phrase, rendered, with_noise
from tests.waiting import PATIENCE_S


@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.thorough)])
async def test_the_same_words_however_the_sound_comes(german: Scheme, count: int) -> None:
    """One voice alone, and another in noise after a silence; a thorough run hears two more."""
    said = announcements(count, 91)
    speakers = ("m3", "f2", "adam", None)[:count]
    sounds = await rendered([phrase(words, german, who) for words, who in zip(said, speakers, strict=True)])
    quiet = np.random.default_rng(1).normal(0.0, 2.0, 12_000).astype("<i2").tobytes()
    sounds[1] = quiet + with_noise(sounds[1], 20.0) + quiet
    hearing = Hearing([OwnRecogniser()])
    try:
        for sound in sounds:
            verdicts = []
            for size in (len(sound), 640, 1_001):
                utterance = hearing.open_utterance(german)
                for start in range(0, len(sound), size):
                    utterance.feed(sound[start : start + size])
                    await asyncio.sleep(0)
                verdicts.append(await utterance.finish())
            first = verdicts[0]
            for other in verdicts[1:]:
                assert (other.words, other.confidence, other.verdict, other.hypotheses) == (
                    first.words,
                    first.confidence,
                    first.verdict,
                    first.hypotheses,
                )
    finally:
        await hearing.close()


async def test_an_utterance_that_is_given_up_colours_nothing_after_it(german: Scheme) -> None:
    one, other = await rendered([phrase(words, german, "m3") for words in announcements(2, 92)])
    hearing = Hearing([OwnRecogniser()])
    try:
        before = await hearing.hear(one, german)
        given_up = hearing.open_utterance(german)
        given_up.feed(other)
        await asyncio.sleep(0.05)
        await given_up.abandon()
        after = await hearing.hear(one, german)
        assert (after.words, after.confidence) == (before.words, before.confidence)
    finally:
        await hearing.close()


def test_the_level_is_that_of_the_speech_not_of_the_silence_around_it() -> None:
    chance = np.random.default_rng(2)
    tone = np.sin(np.arange(16_000) * 0.3) * np.linspace(500, 4_000, 16_000)
    silence = chance.normal(0.0, 3.0, 16_000)
    found = []
    for parts in ([tone], [silence, tone, silence]):
        levelling = Levelling()
        levelling.take(np.concatenate(parts).astype("<i2").tobytes())
        while levelling.look(over=True):
            pass
        span = levelling.span
        assert span is not None
        found.append((span, levelling.estimate(span)))
    (short, one), (long, other) = found
    assert one.louder_than(other) < 1.0
    assert abs(long[0] - short[0] - 100) < 10
    assert abs(long[1] - short[1] - 100) < 10


class WrittenEngine:
    """An engine that hears nothing but counts who is lent it; `dies` at the first piece, once."""

    name = "written"
    busy = 0
    most = 0

    def __init__(self, dies: bool = False) -> None:
        self.dies = dies
        self.pcm = b""
        self.wholes: list[bytes] = []

    async def start(self) -> None:
        return None

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        raise NotImplementedError

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        return await self.whole(pcm, vocabulary)

    async def whole(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        self.wholes.append(pcm)
        return _heard(pcm)

    async def begin(self, vocabulary: Vocabulary) -> None:
        self.pcm = b""
        WrittenEngine.busy += 1
        WrittenEngine.most = max(WrittenEngine.most, WrittenEngine.busy)

    async def feed(self, pcm: bytes) -> None:
        await asyncio.sleep(0)
        if self.dies:
            self.dies = False
            WrittenEngine.busy -= 1
            raise ChildFailed("The engine was ended by SIGKILL.")
        self.pcm += pcm

    async def finish(self) -> Hypotheses:
        WrittenEngine.busy -= 1
        return _heard(self.pcm)

    async def drop(self) -> None:
        WrittenEngine.busy -= 1

    async def close(self) -> None:
        return None


def _heard(pcm: bytes) -> Hypotheses:
    return Hypotheses("written", (Hypothesis((WordHeard(str(len(pcm)), 1.0),), 0.0),))


@pytest.fixture
def pool() -> Callable[..., RecogniserPool]:
    WrittenEngine.busy = WrittenEngine.most = 0
    return lambda dies=False, size=2: RecogniserPool(lambda: WrittenEngine(dies), size)


async def test_more_speakers_than_engines_wait_and_nothing_is_dropped(
    pool: Callable[..., RecogniserPool], german: Scheme
) -> None:
    vocabulary = vocabulary_of(german)
    engines = pool()
    utterances = [engines.open_utterance(vocabulary) for _ in range(5)]
    for _ in range(10):
        for number, utterance in enumerate(utterances):
            utterance.feed(bytes(100 * (number + 1)))
        await asyncio.sleep(0)
    found = await asyncio.gather(*(utterance.finish() for utterance in utterances))
    assert [one.ranked[0].ids for one in found] == [(str(1_000 * (number + 1)),) for number in range(5)]
    assert WrittenEngine.most == 2
    assert WrittenEngine.busy == 0


async def test_an_engine_that_dies_gets_the_whole_utterance_once_more(
    pool: Callable[..., RecogniserPool], german: Scheme
) -> None:
    engines = pool(dies=True, size=1)
    utterance = engines.open_utterance(vocabulary_of(german))
    for _ in range(7):
        utterance.feed(bytes(640))
        await asyncio.sleep(0)
    assert (await utterance.finish()).ranked[0].ids == ("4480",)
    (engine,) = engines.engines
    assert isinstance(engine, WrittenEngine)
    assert engine.wholes == [bytes(4_480)]


async def test_our_own_model_killed_while_somebody_speaks_loses_nothing(german: Scheme) -> None:
    (sound,) = await rendered([phrase(announcements(1, 93)[0], german, "m3")])
    own = OwnRecogniser()
    try:
        whole = await own.recognise(sound, vocabulary_of(german))
        utterance = own.open_utterance(vocabulary_of(german))
        half = len(sound) // 4 * 2
        utterance.feed(sound[:half])
        await asyncio.sleep(0.05)
        assert own.pid is not None and whole.ranked
        os.kill(own.pid, signal.SIGKILL)
        utterance.feed(sound[half:])
        assert await utterance.finish() == whole
    finally:
        await own.close()


async def test_one_process_of_our_own_model_hears_all_who_speak_at_the_same_time(german: Scheme) -> None:
    sounds = await rendered([phrase(words, german, "m3") for words in announcements(3, 94)])
    vocabulary = vocabulary_of(german)
    own = OwnRecogniser()
    try:
        alone = [await own.recognise(sound, vocabulary) for sound in sounds]
        pid = own.pid
        given_up, *utterances = [own.open_utterance(vocabulary) for _ in range(4)]
        for start in range(0, max(map(len, sounds)), 6_400):
            for utterance, sound in zip([given_up, *utterances], [sounds[2], *sounds], strict=True):
                utterance.feed(sound[start : start + 6_400])
            await asyncio.sleep(0)
        await given_up.abandon()
        assert await asyncio.gather(*(utterance.finish() for utterance in utterances)) == alone
        assert own.pid == pid and len({one.ranked[0].ids for one in alone}) == 3
    finally:
        await own.close()


class CountedDecoder:
    """Counts the samples it was fed."""

    def __init__(self) -> None:
        self.samples = 0

    def AcceptWaveform(self, pcm: bytes) -> None:
        self.samples += len(pcm) // 2


def test_who_gets_louder_is_heard_again_from_the_start_at_the_right_level() -> None:
    chance = np.random.default_rng(5)
    swing = np.abs(np.sin(np.arange(32_000) / 1_500))
    even = chance.normal(0.0, 800.0, 32_000) * swing
    louder = even * np.where(np.arange(32_000) < 14_000, 0.4, 2.5)
    restarts = []
    for sound in (even, louder):
        live = LiveHearings((1.0, 0.92), CountedDecoder)
        for start in range(0, 32_000, 777):
            live.feed(sound[start : start + 777].astype("<i2").tobytes())
        one, other = live.finish()
        # All of the speech between two stretches of the floor, and the same at the other speed.
        assert abs(one.samples - (live.frames * 160 + 2 * 4_800)) <= 20 * 160
        assert abs((other.samples - 9_600) / 0.92 - (one.samples - 9_600)) < 200
        restarts.append(live.restarts)
    assert restarts[0] == 0 and restarts[1] >= 1


def test_where_nobody_spoke_no_decoder_is_asked() -> None:
    live = LiveHearings((1.0,), CountedDecoder)
    live.feed(bytes(40_000))
    assert live.finish() == [] and live.frames == 0


async def test_an_engine_is_free_again_when_its_utterance_is_given_up(
    pool: Callable[..., RecogniserPool], german: Scheme
) -> None:
    engines = pool(size=1)
    first, second = (engines.open_utterance(vocabulary_of(german)) for _ in range(2))
    for utterance in (first, second):
        utterance.feed(bytes(320))
        await asyncio.sleep(0)
    await first.abandon()
    assert (await asyncio.wait_for(second.finish(), PATIENCE_S)).ranked[0].ids == ("320",)
    assert WrittenEngine.busy == 0
