"""Preparing all sound alike before it is recognised.

The silence around the speech is cut off, the speech is brought to one level, and a floor of faint noise is laid under
it. An acoustic model that was trained on recordings meets digital silence as something it has never heard (half of all
synthesised announcements were lost to it), and a level that changes from one microphone to the next costs words too.
The same samples always give the same result: the noise is fixed.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
import soxr

from speech.recognisers.recogniser import LONGEST_UTTERANCE_S, SAMPLE_RATE

Sound = npt.NDArray[np.float32]
"""Samples of -1 to 1 at 16 kHz."""

FRAME = SAMPLE_RATE // 100
"""Samples of one frame, 10 ms."""

FAINTEST_RMS = 12.0
"""Below this (units of 16 bit, over 10 ms) nothing was said."""

LEVEL = 0.1
"""The loudness (rms) that all speech is brought to."""

FLOOR = 0.002
"""The loudness of the faint noise under it."""

PAD_S = 0.3
"""Seconds of the floor alone before and after the speech."""

_SPEECH = 0.03
_SEED = 7
_LEAST_SWING = 1.4


@cache
def floor() -> npt.NDArray[np.float32]:
    seconds = 2 * LONGEST_UTTERANCE_S
    noise = np.random.default_rng(_SEED).standard_normal(int(seconds * SAMPLE_RATE), dtype=np.float32)
    return noise * np.float32(FLOOR)


def is_steady(loudness: npt.NDArray[np.float32]) -> bool:
    """Return whether the loudness hardly moves, as of a fan, a hum or a hiss; speech moves much more."""
    smooth = np.convolve(loudness, np.ones(5) / 5, mode="valid")
    quiet, loud = np.percentile(smooth, [5, 95])
    return bool(loud < _LEAST_SWING * max(quiet, 1e-6))


def speech_span(loudness: npt.NDArray[np.float32]) -> tuple[int, int]:
    """Return the first frame of the speech and the one after its last.

    The span is a little longer than what is loud enough.
    """
    loud = np.flatnonzero(loudness > _SPEECH * loudness.max())
    return max(0, int(loud[0]) - 2), min(len(loudness), int(loud[-1]) + 3)


def prepare_speech(pcm: bytes) -> Sound | None:
    """Return the speech in mono s16le 16 kHz sound, cut out and at one level.

    None for silence and for a steady noise.
    """
    samples = np.frombuffer(pcm[: len(pcm) - len(pcm) % 2], "<i2").astype(np.float32)
    frames = len(samples) // FRAME
    if frames < 10:
        return None
    samples = samples[: frames * FRAME]
    samples = samples - samples.mean()
    loudness = np.sqrt((samples.reshape(frames, FRAME) ** 2).mean(axis=1))
    if loudness.max() < FAINTEST_RMS or is_steady(loudness):
        return None
    first, last = speech_span(loudness)
    speech = samples[first * FRAME : last * FRAME]
    level = np.float32(LEVEL) / np.sqrt((speech**2).mean(dtype=np.float32))
    even: Sound = (speech * level).astype(np.float32)
    return even


def warp_speech(speech: Sound, speed: float) -> bytes:
    """Return the speech so many times slower and deeper, on the floor of noise.

    The result is mono s16le at 16 kHz.
    """
    if speed != 1.0:
        speech = soxr.resample(speech, SAMPLE_RATE, SAMPLE_RATE * speed)
    pad = np.zeros(int(PAD_S * SAMPLE_RATE), np.float32)
    whole = np.concatenate([pad, speech, pad])
    whole = whole + floor()[: len(whole)]
    pcm: bytes = (np.clip(whole, -1.0, 1.0) * 32767).astype("<i2").tobytes()
    return pcm
