"""A key that is held in silence keeps nobody's announcements back; a voice does, from its first syllable to its end."""

from __future__ import annotations

import numpy as np
import pytest

from speech.audio.human_voice import QUIET_MS, HumanVoice
from speech.audio.level import level_of
from speech.audio.wav import resample_sound
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Segment

FRAME = 640


def states(pcm: bytes) -> list[bool]:
    voice = HumanVoice()
    return [voice.take(level_of(pcm[at : at + FRAME]), 20) for at in range(0, len(pcm) - FRAME + 1, FRAME)]


@pytest.mark.parametrize("noise", [0, 30, 300])
async def test_from_the_first_syllable_to_a_second_after_the_last(noise: int) -> None:
    voice = Pyttsx3Voice()
    said = resample_sound(await voice.render([Segment("Springer Gustav eins, Felix drei", "de")]))
    await voice.close()
    chance = np.random.default_rng(7)
    quiet = np.zeros(16_000 * 3)
    whole = np.concatenate([quiet, said.array.astype(float), quiet])
    whole += chance.normal(0, noise, len(whole)) if noise else 0
    found = states(np.clip(whole, -32_768, 32_767).astype("<i2").tobytes())
    second = 1_000 // 20
    assert all(found[: second - 1]), "who presses the key is about to speak"
    assert not any(found[second + 5 : 3 * second - 5]), "and did not"
    begin, end = 3 * second, 3 * second + said.duration_ms // 20
    assert all(found[begin + 10 : end + QUIET_MS // 20 - 5])
    assert not any(found[end + 2 * second :])
