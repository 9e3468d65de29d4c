"""Planned utterances spoken, and an engine's answer turned into figures.

The figures are those that the curves weigh. One fresh voice says everything in order, because eSpeak NG's samples
depend on what it said before; so the same plan gives the same sound and the same figures on the same versions.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
import numpy.typing as npt

from speech.audio.wav import HEARING_RATE, resample_sound
from speech.training.common.planned_utterances import Kind, PlannedUtterance
from speech.voices.voice import Voice

FULL_SCALE = 32767.0
LOUDEST = 0.6
"""Every utterance is brought to this peak: the recogniser must judge words, not levels."""
SILENCE_S = 0.25
"""Silence before and after the speech, as when a talk key is held."""

Samples = npt.NDArray[np.float64]


class Evidence(msgspec.Struct, frozen=True):
    """One utterance as heard.

    It has each of `speech.hearing.confidence.FIGURES`, and says whether the meaning was found.
    """

    kind: Kind
    speaker: str
    figures: Mapping[str, float]
    right: bool

    @property
    def for_us(self) -> bool:
        """Return whether the utterance was an announcement or a command."""
        return self.kind not in ("free", "noise")


async def sound_of(utterance: PlannedUtterance, place: int, seed: int, voice: Voice) -> bytes:
    """Return the sound of an utterance, mono s16le at 16 kHz.

    The noise depends on the seed and the place in the plan alone.
    """
    chance = np.random.default_rng([seed, place])
    if not utterance.segments:
        return _pcm(noise(place, chance))
    said = resample_sound(await voice.render(utterance.segments, utterance.manner)).array.astype(np.float64)
    samples = np.pad(said, round(SILENCE_S * HEARING_RATE))
    if utterance.noise_db is not None:
        samples += chance.normal(0.0, np.sqrt((said**2).mean() / 10 ** (utterance.noise_db / 10)), len(samples))
    return _pcm(samples * LOUDEST / max(1.0, float(np.abs(samples).max())))


def noise(turn: int, chance: np.random.Generator) -> Samples:
    """Return a sound that is no speech, -1 to 1, 1 to 4 s, soft to loud.

    It is by turns hiss, rumble, flutter and a tone.
    """
    length = HEARING_RATE * int(chance.choice([1, 2, 4]))
    loudness = float(chance.choice([0.003, 0.03, 0.2]))
    hiss = chance.normal(0.0, 1.0, length)
    time = np.arange(length) / HEARING_RATE
    match turn % 4:
        case 0:
            samples = hiss
        case 1:
            samples = np.cumsum(hiss)
            samples = samples / np.abs(samples).max()
        case 2:
            samples = hiss * np.abs(np.sin(2 * np.pi * 0.85 * time))
        case _:
            samples = np.sin(2 * np.pi * float(chance.choice([220.0, 440.0, 1000.0])) * time)
    return np.asarray(np.clip(loudness * samples, -1.0, 1.0), dtype=np.float64)


def _pcm(samples: Samples) -> bytes:
    """Return samples from -1 to 1 as mono s16le."""
    return (np.clip(samples, -1.0, 1.0) * FULL_SCALE).astype("<i2").tobytes()
