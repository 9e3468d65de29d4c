"""People's letters through our own model: where it hesitates between two squares, one of them is mostly right."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from speech.audio.wav import HEARING_RATE
from speech.hearing.hearing import Hearing, recognisers
from speech.training.common.people_speech import announcement, by_word, takes
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme

TUNERS = ("hd05", "kl-Wiese/Dibbern")
"""One says the ranks and one the letters; both may tune (`speech.training.common.people`)."""
SQUARES = [(f"letter.{file}", f"rank.{rank}") for file in "bdeg" for rank in "2457"]


def sounds(folder: Path) -> list[bytes]:
    said_by, chance = by_word(takes(folder, TUNERS)), random.Random(17)
    spoken = [announcement(folder, words, said_by, None, chance) for words in SQUARES]
    return [(np.pad(one, HEARING_RATE // 4) * 32_767).astype("<i2").tobytes() for one in spoken]


@pytest.mark.law("L184")
@pytest.mark.needs("vosk", "shared")
async def test_a_doubtful_letter_gives_two_squares_and_the_same_sound_always_the_same_two(
    shared: Path, german: Scheme
) -> None:
    hearing = Hearing(recognisers("vosk"))
    try:
        await hearing.start()
        every = sounds(shared / "data" / "human")
        found = [await hearing.hear(pcm, german) for pcm in every]
        asked = [(words, one) for words, one in zip(SQUARES, found, strict=True) if one.two_squares]
        assert asked, "none of these is in doubt between two squares"
        assert sum(words in one.two_squares for words, one in asked) >= 0.8 * len(asked)
        assert {one.verdict for _, one in asked} <= {"confirm", "repeat"}
        words, first = asked[0]
        again = await hearing.hear(every[SQUARES.index(words)], german)
        assert again.two_squares == first.two_squares
        without = load_scheme("d21+also_heard=none", "de")
        assert not (await hearing.hear(every[SQUARES.index(words)], without)).two_squares, "letters are not heard here"
    finally:
        await hearing.close()
