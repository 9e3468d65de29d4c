"""Takes of people pasted into announcements: levels, lengths, silences, and no clicks."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from speech.announcements.understand import understand
from speech.audio.flac import encode_flac
from speech.audio.sound import Sound
from speech.training.common.people_speech import (
    LOUDNESS,
    Take,
    announcement,
    loudness,
    paste_parts,
    trim_to_speech,
    two_ranks,
)

RATE = 16_000
Samples = npt.NDArray[np.float64]


def tone(seconds: float, level: float, hertz: float = 220.0) -> Samples:
    """A tone that begins and ends in the middle of its swing, as a recording that was cut does."""
    return level * np.cos(2 * np.pi * hertz * np.arange(round(seconds * RATE)) / RATE)


def test_parts_are_equally_loud_whatever_they_were() -> None:
    whole = paste_parts([tone(0.5, 0.9), tone(0.5, 0.003)], random.Random(1), (0.2, 0.2))
    first, second = whole[: RATE // 2], whole[-RATE // 2 :]
    assert loudness(first) == pytest.approx(LOUDNESS, rel=0.05)
    assert loudness(second) == pytest.approx(loudness(first), rel=0.02)


@pytest.mark.parametrize("pause", [0.0, 0.1, 0.6])
def test_a_pause_is_as_long_as_it_is_drawn_and_silent(pause: float) -> None:
    parts = [tone(0.4, 0.5), tone(0.3, 0.5), tone(0.2, 0.5)]
    whole = paste_parts(parts, random.Random(1), (pause, pause))
    assert len(whole) / RATE == pytest.approx(0.9 + 2 * (pause - 0.008), abs=0.001)
    if pause:
        assert not whole[round(0.41 * RATE) : round((0.38 + pause) * RATE)].any()


def test_pauses_are_drawn_between_their_bounds() -> None:
    chance = random.Random(5)
    lengths = [len(paste_parts([tone(0.4, 0.5)] * 2, chance)) / RATE - 0.8 for _ in range(200)]
    assert -0.009 <= min(lengths) < 0.06 and 0.53 < max(lengths) <= 0.6


@pytest.mark.parametrize("pause", [0.0, 0.02, 0.3])
def test_nothing_clicks(pause: float) -> None:
    """No step from sample to sample is longer than the tone itself makes, at the ends and where parts meet."""
    steep = 2 * np.pi * 220 / RATE * LOUDNESS * np.sqrt(2)
    whole = paste_parts([tone(0.4, 0.9), tone(0.4, 0.1)], random.Random(1), (pause, pause))
    steps = np.abs(np.diff(whole, prepend=0.0, append=0.0))
    assert steps.max() < 1.3 * steep
    bare = np.concatenate([tone(0.4, LOUDNESS * np.sqrt(2)), np.zeros(100), tone(0.4, LOUDNESS * np.sqrt(2))])
    assert np.abs(np.diff(bare)).max() > 5 * steep, "unfaded parts would click"


def test_silence_around_a_word_is_cut_and_the_word_is_kept() -> None:
    noise = np.random.default_rng(1).normal(0.0, 0.0005, 2 * RATE)
    noise[RATE // 2 : RATE] += tone(0.5, 0.4)
    found = trim_to_speech(noise)
    assert 0.5 <= len(found) / RATE < 0.65
    assert np.abs(found).max() == np.abs(noise).max()
    assert not trim_to_speech(np.zeros(RATE)).any()


def test_an_announcement_has_peoples_words_and_anothers(tmp_path: Path) -> None:
    for number, hertz in ((1, 300.0), (2, 500.0)):
        pcm = (tone(0.3, 0.4, hertz) * 32767).astype("<i2").tobytes()
        (tmp_path / f"{number}.flac").write_bytes(encode_flac(Sound(pcm, RATE)))
    said_by = {f"rank.{number}": (Take(f"{number}.flac", "de", "", "x", None),) for number in (1, 2)}
    asked: list[tuple[str, ...]] = []

    def say(words: tuple[str, ...]) -> Samples:
        asked.append(words)
        return tone(0.2 * len(words), 0.2, 100.0)

    words = ("piece.rook", "file.a", "rank.1", "file.b", "rank.2")
    sound = announcement(tmp_path, words, said_by, say, random.Random(1), (0.1, 0.1))
    assert asked == [("piece.rook", "file.a"), ("file.b",)]
    assert len(sound) / RATE == pytest.approx(0.4 + 0.3 + 0.2 + 0.3 + 3 * 0.092, abs=0.01)
    again = announcement(tmp_path, words, said_by, say, random.Random(1), (0.1, 0.1))
    assert np.array_equal(sound, again)


def test_two_ranks_are_an_announcement_in_the_long_form() -> None:
    chance = random.Random(3)
    for _ in range(200):
        words = two_ranks(chance)
        heard = understand(words)
        assert heard.kind == "move" and heard.said is not None and heard.said.from_square != heard.said.to_square
        assert sum(word.startswith("rank.") for word in words) == 2
