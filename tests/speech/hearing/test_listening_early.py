"""The second ear begins before the last sample is in where a doubt is likely: the verdict is the same, only sooner."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import weakref
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext

import msgspec
import pytest

from speech.hearing.hearing import Hearing, HearingUtterance, Verdict, recognisers
from speech.hearing.settings import HearingSettings, SecondOpinion, load_hearing
from speech.process import ChildFailed
from speech.recognisers import live_wire
from speech.recognisers.live import LiveUtterance
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.pool import RecogniserPool
from speech.recognisers.recogniser import (
    LONG_BYTES,
    MOST_WAYS,
    Hypotheses,
    Hypothesis,
    Utterance,
    Vocabulary,
    WordHeard,
)
from speech.recognisers.so_far import Watch
from speech.recognisers.vocabulary import vocabulary_of
from speech.recognisers.whisper.recogniser import WhisperRecogniser
from speech.turns import Speaker, heard_for
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import announcements, phrase, rendered, with_noise
from tests.speech.hearing.test_second_opinion import A4, E4, FAIR, SETTINGS, SURE, UNSURE
from tests.speech.hearing.test_second_opinion import WrittenEngine as WholeEngine
from tests.waiting import PATIENCE_MS, idle, until

PIECE = bytes(640)
PATIENT = msgspec.structs.replace(
    SETTINGS,
    second_opinion=msgspec.structs.replace(SETTINGS.second_opinion, wait_ms=int(PATIENCE_MS), late_ms=int(PATIENCE_MS)),
)
"""Where it is not asked how long the second ear is waited for: a busy machine stands still for longer than that."""


def test_a_doubt_is_likely_where_the_hearings_differ_twice_in_a_row_and_in_a_command() -> None:
    def after(*told: object) -> bool:
        watch = Watch()
        for one in told:
            watch.take(one)
        return watch.in_doubt

    same = ["de:piece.rook de:file.d", "de:piece.rook", "de:piece.rook de:file.d de:rank.4"]
    torn = ["de:piece.rook de:file.d", "de:piece.rook de:file.c", "de:piece.rook"]
    assert not after(same, torn, same, torn, same)
    assert after(same, torn, torn, same), "once it is likely it stays so"
    assert not after(["", "", ""], [], None, {"so_far": torn}, [1, 2], torn)
    assert not after(torn, None, same, None, torn)
    assert after(torn, None, torn), "what tells nothing is no news"
    command = ["de:cmd.draw", "de:cmd.draw de:cmd.no", "de:cmd.draw"]
    assert after(command, command) and not after([*command[:2], ""], [*command[:2], ""])


class StreamingEngine:
    """Hears what it is told to, whole or while it is spoken; one utterance at a time."""

    name = "whisper"

    def __init__(self, words: tuple[str, ...] = E4) -> None:
        self.words = words
        self.wholes: list[bytes] = []
        self.streams: list[bytes] = []
        self.finished: list[bytes] = []
        self.dropped = 0
        self.busy = self.most = 0
        self.dies_at: int | None = None
        self.free = asyncio.Event()
        self.free.set()
        self._lent = asyncio.Lock()

    async def start(self) -> None:
        return None

    async def close(self) -> None:
        return None

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        return LiveUtterance(self._lend, vocabulary)

    @asynccontextmanager
    async def _lend(self) -> AsyncIterator[StreamingEngine]:
        self.busy += 1
        self.most = max(self.most, self.busy)
        try:
            async with self._lent:
                yield self
        finally:
            self.busy -= 1

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        async with self._lend():
            return await self.whole(pcm, vocabulary)

    async def whole(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        self.wholes.append(pcm)
        await self.free.wait()
        return self._heard()

    async def begin(self, vocabulary: Vocabulary) -> None:
        self.streams.append(b"")

    async def feed(self, pcm: bytes) -> None:
        await asyncio.sleep(0)
        self.streams[-1] += pcm
        if self.dies_at is not None and len(self.streams[-1]) >= self.dies_at:
            self.dies_at = None
            raise ChildFailed("The engine was ended by SIGKILL.")

    async def finish(self) -> Hypotheses:
        await self.free.wait()
        self.finished.append(self.streams[-1])
        return self._heard()

    async def drop(self) -> None:
        self.dropped += 1

    def _heard(self) -> Hypotheses:
        ranked = (Hypothesis(tuple(WordHeard(word, 0.9) for word in self.words), 0.0),)
        return Hypotheses(self.name, ranked, {"fit": SURE, "words": 3.0})


def ears(
    sure: float = UNSURE, *, settings: HearingSettings = PATIENT, words: tuple[str, ...] = E4
) -> tuple[StreamingEngine, WholeEngine, Hearing]:
    whisper, own = StreamingEngine(words), WholeEngine("own", E4, sure)
    return whisper, own, Hearing([own, whisper], settings)


async def speak(utterance: HearingUtterance, pieces: int = 8, piece: bytes = PIECE) -> None:
    for _ in range(pieces):
        utterance.feed(piece)
        await idle()


def told(verdict: Verdict) -> Verdict:
    return msgspec.structs.replace(verdict, ms=0)


@pytest.mark.parametrize("heard", [E4, A4])
async def test_the_verdict_is_the_same_early_or_late(german: Scheme, heard: tuple[str, ...]) -> None:
    verdicts = []
    for early in (False, True):
        whisper, _own, hearing = ears(words=heard)
        utterance = hearing.open_utterance(german)
        await speak(utterance, 3)
        if early:
            utterance.expect_doubt()
        await speak(utterance, 5)
        verdicts.append(told(await utterance.finish()))
        whole = bytes(8 * 640)
        assert (whisper.finished, whisper.wholes) == (([whole], []) if early else ([], [whole]))
    assert verdicts[0] == verdicts[1]


async def test_what_was_begun_for_nothing_is_thrown_away(german: Scheme) -> None:
    whisper, own, hearing = ears(SURE)
    utterance = hearing.open_utterance(german)
    utterance.expect_doubt()
    await speak(utterance)
    assert (await utterance.finish()).engine == "own"
    assert len(whisper.streams) == 1 and whisper.finished == whisper.wholes == []
    own.sure = UNSURE
    after = hearing.open_utterance(german)
    after.expect_doubt()
    await speak(after)
    assert (await after.finish()).engine == "own+whisper"
    assert whisper.finished == [bytes(8 * 640)] and (whisper.dropped, whisper.most, whisper.busy) == (1, 1, 0)


async def test_one_stream_at_a_time_and_the_next_begins_when_it_is_over(german: Scheme) -> None:
    whisper, _own, hearing = ears()
    first, second = hearing.open_utterance(german), hearing.open_utterance(german)
    for one in (first, second):
        one.expect_doubt()
        await speak(one, 4)
    assert len(whisper.streams) == 1
    await first.finish()
    await speak(second, 4)
    assert len(whisper.streams) == 2, "it catches up"
    assert (await second.finish()).engine == "own+whisper"
    assert whisper.finished == [bytes(4 * 640), bytes(8 * 640)] and whisper.wholes == []
    assert (whisper.most, whisper.busy) == (1, 0)


async def test_who_still_speaks_gives_way_to_who_has_ended_and_nothing_is_lost_or_heard_twice(german: Scheme) -> None:
    whisper, _own, hearing = ears()
    speaking = hearing.open_utterance(german)
    speaking.expect_doubt()
    await speak(speaking, 4)
    ended = await hearing.hear(b"\x01\x00" * 320, german)
    assert ended.engine == "own+whisper" and whisper.wholes == [b"\x01\x00" * 320] and whisper.dropped == 1
    await speak(speaking, 4)
    assert (await speaking.finish()).engine == "own+whisper"
    assert whisper.finished == [bytes(8 * 640)], "all of it, from its first sample"
    assert (whisper.most, whisper.busy) == (1, 0)


async def test_many_seats_at_once_each_hear_their_own_words(german: Scheme) -> None:
    whisper, _own, hearing = ears()
    seats = [hearing.open_utterance(german) for _ in range(6)]
    pieces = [bytes([number, 0]) * 320 for number in range(6)]
    for _ in range(6):
        for seat, piece in zip(seats, pieces, strict=True):
            seat.expect_doubt()
            await speak(seat, 1, piece)
    found = await asyncio.gather(*(seat.finish() for seat in seats))
    assert {one.engine for one in found} == {"own+whisper"}
    assert sorted([*whisper.finished, *whisper.wholes]) == [piece * 6 for piece in pieces]
    assert (whisper.most, whisper.busy) == (1, 0)


async def test_the_deadline_holds_and_a_stream_takes_nobody_s_turn(german: Scheme) -> None:
    whisper, _own, hearing = ears(FAIR, settings=SETTINGS)
    whisper.free.clear()
    busy = asyncio.create_task(hearing.hear(PIECE, german))
    while not whisper.wholes:
        await asyncio.sleep(0)
    late = hearing.open_utterance(german)
    late.expect_doubt()
    await speak(late)
    assert whisper.streams == [], "somebody has its turn"
    doubt = await late.finish()
    assert (doubt.verdict, doubt.engine) == ("repeat", "own")
    whisper.free.set()
    assert (await busy).verdict == "accept"
    late.expect_doubt()
    await speak(late, 2)
    assert whisper.streams == [], "nobody waits for that any more"


async def test_a_stream_that_is_given_up_leaves_the_ear_free(german: Scheme) -> None:
    whisper, _own, hearing = ears()
    gone = hearing.open_utterance(german)
    gone.expect_doubt()
    await speak(gone)
    await gone.abandon()
    assert whisper.busy == 0 and whisper.dropped == 1
    stopped = hearing.open_utterance(german)
    stopped.expect_doubt()
    await speak(stopped)
    whisper.free.clear()
    judging = asyncio.create_task(stopped.finish())
    await idle()
    judging.cancel()
    await asyncio.gather(judging, return_exceptions=True)
    whisper.free.set()
    assert (await hearing.hear(PIECE, german)).engine == "own+whisper"
    assert whisper.busy == 0


async def test_an_ear_that_dies_in_the_middle_hears_all_of_it_once_more(german: Scheme) -> None:
    whisper, _own, hearing = ears()
    whisper.dies_at = 1_920
    utterance = hearing.open_utterance(german)
    utterance.expect_doubt()
    await speak(utterance)
    assert (await utterance.finish()).engine == "own+whisper"
    assert whisper.wholes == [bytes(8 * 640)] and whisper.finished == []
    assert whisper.busy == 0


async def test_where_it_is_switched_off_nobody_begins_early(german: Scheme) -> None:
    second = msgspec.structs.replace(PATIENT.second_opinion, early=False)
    whisper, _own, hearing = ears(settings=msgspec.structs.replace(PATIENT, second_opinion=second))
    utterance = hearing.open_utterance(german)
    utterance.expect_doubt()
    await speak(utterance)
    await utterance.finish()
    assert whisper.streams == [] and len(whisper.wholes) == 1
    assert load_hearing().second_opinion.early is SecondOpinion().early is True


async def noisy(german: Scheme, count: int, seed: int) -> Sequence[bytes]:
    sounds = await rendered([phrase(words, german, "f2") for words in announcements(count, seed)])
    return [with_noise(sound, 0.0, number) for number, sound in enumerate(sounds)]


@pytest.mark.needs("vosk")
async def test_our_own_model_tells_what_it_hears_so_far_and_hears_the_same_at_the_end(
    german: Scheme, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[list[str]] = []
    taken: list[object] = []

    class Doubting(Watch):
        def take(self, so_far: object) -> None:
            taken.append(so_far)
            if isinstance(so_far, list):
                told.append(so_far)
                self.in_doubt = any(so_far)

    monkeypatch.setattr(live_wire, "Watch", Doubting)
    sounds = await noisy(german, 4, 96)
    vocabulary = vocabulary_of(german)
    own = OwnRecogniser()
    words = 0
    try:
        for sound in sounds:
            whole = await own.recognise(sound, vocabulary)
            utterance = own.open_utterance(vocabulary)
            assert isinstance(utterance, LiveUtterance)
            for start in range(0, len(sound), 3_200):
                before = len(taken)
                utterance.feed(sound[start : start + 3_200])
                # The next tenth of a second comes when this one was heard: nothing that it tells so far is passed over.
                await until(lambda before=before: len(taken) > before)  # type: ignore[misc]
            assert await utterance.finish() == whole
            assert utterance.in_doubt == any(any(one) for one in told)
            assert len(told) >= 2 and all(len(one) == len(own.settings.speeds) for one in told)
            words += sum(len(one.split()) for each in told for one in each)
            told.clear()
    finally:
        await own.close()
    assert words


@pytest.mark.parametrize("when", ["waiting", "feeding", "not begun"])
async def test_an_utterance_that_was_given_up_leaves_nothing_that_only_a_search_finds(
    german: Scheme, when: str
) -> None:
    """While clocks run no search goes through what was there before: thirty seconds of sound are a megabyte."""
    engine = StreamingEngine()
    vocabulary = vocabulary_of(german)
    gc.disable()
    try:
        async with engine._lent if when == "not begun" else nullcontext():
            utterance = engine.open_utterance(vocabulary)
            utterance.feed(PIECE * (1 if when == "waiting" else 1_000))
            await (idle() if when == "waiting" else asyncio.sleep(0))
            await utterance.abandon()
            gone = weakref.ref(utterance)
            del utterance
            await idle()
            assert gone() is None
    finally:
        gc.enable()


@pytest.mark.needs("vosk", "whisper")
async def test_the_engines_in_force_say_the_same_early_or_late_at_several_seats_and_when_one_is_killed(
    german: Scheme,
) -> None:
    sounds = await noisy(german, 2, 97)
    always = SecondOpinion(alone={"own": 1.0}, wait_ms=200_000, late_ms=200_000)  # the first is never sure enough
    own, whisper = recognisers()
    assert isinstance(whisper, WhisperRecogniser)
    hearing = Hearing([own, whisper], msgspec.structs.replace(load_hearing(), second_opinion=always))
    try:
        await hearing.start()
        late = [told(await hearing.hear(sound, german)) for sound in sounds]
        assert {one.engine for one in late} == {"own+whisper"}

        async def seat(number: int, killed: bool) -> Verdict:
            utterance = hearing.open_utterance(german)
            utterance.expect_doubt()
            sound = sounds[number]
            for start in range(0, len(sound), 6_400):
                utterance.feed(sound[start : start + 6_400])
                await asyncio.sleep(0.005)
                if killed and start >= len(sound) // 2:
                    assert whisper.pid is not None
                    os.kill(whisper.pid, signal.SIGKILL)
                    killed = False
            return told(await utterance.finish())

        assert [await seat(number, False) for number in range(2)] == late
        assert await asyncio.gather(*(seat(number, False) for number in (0, 1, 0))) == [*late, late[0]]
        assert await seat(1, True) == late[1]
    finally:
        await hearing.close()


async def test_a_flood_of_long_utterances_gives_way_to_another_tables_words_and_is_heard_in_full_later(
    german: Scheme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who used much of the second ear loses it in the middle, and begins anew; nothing of the sound is lost."""
    monkeypatch.setattr("speech.turns.LOOK_S", 0.01)
    monkeypatch.setattr("speech.turns.MARGIN_S", 0.0)
    second = msgspec.structs.replace(SETTINGS.second_opinion, wait_ms=20_000)
    whisper, _own, hearing = ears(settings=msgspec.structs.replace(SETTINGS, second_opinion=second))
    pool = RecogniserPool(lambda: whisper, 1)
    hearing._engines[1] = pool
    long = bytes(LONG_BYTES + 32_000)

    async def flood(number: int) -> Verdict:
        with heard_for(Speaker(f"flood {number}", "white")):
            return await hearing.hear(long, german)

    whisper.free.clear()
    flooding = [asyncio.create_task(flood(0))]
    await until(lambda: bool(whisper.streams) and len(whisper.streams[-1]) == len(long))
    with heard_for(Speaker("quiet", "black")):
        words = asyncio.create_task(hearing.hear(PIECE, german))
    await until(lambda: whisper.wholes == [PIECE])
    flooding += [asyncio.create_task(flood(number)) for number in (1, 2)]
    whisper.free.set()
    assert (await words).engine == "own+whisper"
    assert whisper.finished == [], "before any of the flood"
    assert [(await one).engine for one in flooding] == ["own+whisper"] * 3
    assert whisper.finished == [long] * 3 and whisper.dropped <= 3 * MOST_WAYS, "and not for ever from each other"
