"""What a voice sounds like: the same at any loudness, and nothing of what is no voice."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from speech.speakers.features import SIZE, VoiceSketch, sketch_of
from speech.speakers.likeness import Likeness, load_background
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import announcements, phrase, rendered

LIKENESS = Likeness(load_background())
VOICES = ("m3", "f2", "klatt")
SAID = 6


@pytest.fixture(scope="module")
def spoken(german: Scheme) -> dict[str, list[bytes]]:
    """The same six announcements by three voices that are not reserved."""
    words = announcements(SAID, 5)
    phrases = [phrase(chain, german, voice) for voice in VOICES for chain in words]
    sounds = asyncio.run(rendered(phrases))
    return {voice: sounds[place * SAID : (place + 1) * SAID] for place, voice in enumerate(VOICES)}


def sketches(sounds: list[bytes]) -> list[VoiceSketch]:
    return [one for pcm in sounds if (one := sketch_of(pcm)) is not None]


def louder(pcm: bytes, factor: float) -> bytes:
    return (np.frombuffer(pcm, "<i2") * factor).astype("<i2").tobytes()


def test_a_voice_is_told_from_others_by_other_words(spoken: dict[str, list[bytes]]) -> None:
    for voice, sounds in spoken.items():
        said = sketches(sounds)
        assert len(said) == SAID and all(len(one.timbre) == SIZE for one in said)
        known = LIKENESS.of_sketches(said[:5])
        assert LIKENESS.odds(known, said[5]) > 1.0
        for other in VOICES:
            if other != voice:
                assert LIKENESS.odds(known, sketches(spoken[other])[5]) < -2.0


def test_loudness_is_not_voice(spoken: dict[str, list[bytes]]) -> None:
    pcm = spoken["m3"][0]
    usual, soft = sketch_of(pcm), sketch_of(louder(pcm, 0.1))
    assert usual is not None and soft is not None
    known = LIKENESS.of_sketches(sketches(spoken["m3"]))
    assert abs(LIKENESS.odds(known, usual) - LIKENESS.odds(known, soft)) < 0.5


def test_the_pitch_is_found_in_hertz() -> None:
    time = np.arange(16_000) / 16_000
    for hertz in (90.0, 140.0, 220.0, 330.0):
        wave = sum(np.sin(2 * np.pi * hertz * n * time) / n for n in range(1, 12))
        found = sketch_of((wave * 3000).astype("<i2").tobytes())
        assert found is not None
        assert abs(np.exp(found.pitch) / hertz - 1.0) < 0.03


def test_hiss_a_whistle_silence_and_half_a_word_are_no_voice(spoken: dict[str, list[bytes]]) -> None:
    chance, time = np.random.default_rng(1), np.arange(16_000) / 16_000
    assert sketch_of((chance.standard_normal(16_000) * 3000).astype("<i2").tobytes()) is None
    assert sketch_of((np.sin(2 * np.pi * 1400 * time) * 3000).astype("<i2").tobytes()) is None
    assert sketch_of(bytes(32_000)) is None
    assert sketch_of(b"") is sketch_of(b"\1") is None
    assert sketch_of(spoken["m3"][0][:3_000]) is None
