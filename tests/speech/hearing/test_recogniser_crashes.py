"""A recogniser that is killed in mid-utterance: the samples are kept, the verdict still comes."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from speech.complaint import Complaint
from speech.hearing.hearing import Hearing
from speech.process import ChildFailed
from speech.recognisers.live import KeptUtterance
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.recogniser import Hypotheses, Utterance, Vocabulary
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import phrase, rendered

WORDS = ("piece.knight", "file.g", "rank.1", "file.f", "rank.3")


async def test_killed_between_the_pieces_of_an_utterance(german: Scheme) -> None:
    (sound,) = await rendered([phrase(WORDS, german, "m3")])
    engine = OwnRecogniser()
    hearing = Hearing([engine])
    try:
        await hearing.start()
        before = await hearing.hear(sound, german)
        utterance = hearing.open_utterance(german)
        for start in range(0, len(sound), 640):
            if start == len(sound) // 1280 * 640:
                first = engine.pid
                assert first is not None
                os.kill(first, signal.SIGKILL)
            utterance.feed(sound[start : start + 640])
        after = await utterance.finish()
        assert engine.pid not in (None, first)
        assert (after.words, after.confidence, after.verdict) == (before.words, before.confidence, before.verdict)
        assert after.words == WORDS
    finally:
        await hearing.close()


async def test_killed_while_it_recognises(german: Scheme) -> None:
    (sound,) = await rendered([phrase(WORDS, german, "m3")])
    engine = OwnRecogniser()
    hearing = Hearing([engine])
    try:
        await hearing.start()
        first = engine.pid
        assert first is not None
        # Ten seconds of sound keep it busy for much longer than the loop needs to come round to the kill.
        waiting = asyncio.create_task(hearing.hear(sound * 4, german))
        while not (await _cpu_time(first)):
            await asyncio.sleep(0)
        os.kill(first, signal.SIGKILL)
        verdict = await waiting
        assert engine.pid not in (None, first)
        assert verdict.verdict in ("accept", "confirm", "repeat", "reject")
    finally:
        await hearing.close()


async def _cpu_time(pid: int) -> bool:
    """Whether the child has begun to work on a request (its processor time grows past the start)."""
    ticks = await asyncio.to_thread(_ticks, pid)
    if pid not in _BEGAN:
        _BEGAN[pid] = ticks
    return ticks > _BEGAN[pid]


_BEGAN: dict[int, int] = {}


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


class DeadEngine:
    """A recogniser that cannot be brought back to life."""

    name = "whisper"

    async def start(self) -> None:
        return None

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        return KeptUtterance(self, vocabulary)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        raise ChildFailed("The engine was ended by SIGKILL.")

    async def close(self) -> None:
        return None


async def test_an_engine_that_stays_dead_is_one_sentence_and_the_other_goes_on(german: Scheme) -> None:
    (sound,) = await rendered([phrase(WORDS, german, "m3")])
    alone = Hearing([DeadEngine()])
    with pytest.raises(Complaint, match="SIGKILL"):
        await alone.hear(sound, german)
    together = Hearing([OwnRecogniser(), DeadEngine()])
    try:
        assert (await together.hear(sound, german)).words == WORDS
    finally:
        await together.close()
