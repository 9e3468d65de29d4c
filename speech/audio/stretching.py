"""Changing the length of a sound and the pitch of its voice, each by itself. Pure.

Overlapping pieces of 40 ms are put together at another distance; each is taken from where its wave continues the one
before (WSOLA, Verhelst and Roelands 1993), so that a voice keeps its pitch.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import soxr

from speech.audio.sound import Sound

PIECE_MS = 40
SEARCH_MS = 12
"""A piece may be taken so far from its place: the wave of a voice of 85 Hz is that long."""
Samples = npt.NDArray[np.float32]


def stretch_sound(sound: Sound, factor: float) -> Sound:
    """Return the sound `factor` times as long (0.25 to 4), at the same pitch.

    Raises ValueError for another factor.
    """
    if not 0.25 <= factor <= 4:
        raise ValueError(f"a sound is stretched by 0.25 to 4, not by {factor:g}")
    if factor == 1.0 or not sound.pcm:
        return sound
    samples = sound.array.astype(np.float32)
    return _sound(_laid_out(samples, sound.sample_rate, round(len(samples) * factor)), sound.sample_rate)


def lower_pitch(sound: Sound, semitones: float) -> Sound:
    """Return the sound as long as it was, everything in it so many semitones lower (0 to 12).

    It is for players who hear high tones badly: an octave down brings 4 kHz to 2 kHz. Raises ValueError for other
    numbers.
    """
    if not 0 <= semitones <= 12:
        raise ValueError(f"a voice is lowered by 0 to 12 semitones, not by {semitones:g}")
    if semitones == 0 or not sound.pcm:
        return sound
    samples = sound.array.astype(np.float32)
    down = 2.0 ** (semitones / 12)
    slower: Samples = np.asarray(soxr.resample(samples, sound.sample_rate, sound.sample_rate * down), dtype=np.float32)
    return _sound(_laid_out(slower, sound.sample_rate, len(samples)), sound.sample_rate)


def _laid_out(samples: Samples, rate: int, wanted: int) -> Samples:
    """Return the sound laid out over `wanted` samples, in pieces that overlap by half."""
    half = rate * PIECE_MS // 2000
    search = rate * SEARCH_MS // 1000
    if len(samples) <= 2 * half or wanted <= 2 * half:
        positions = np.linspace(0, max(0, len(samples) - 1), wanted)
        return np.interp(positions, np.arange(len(samples)), samples).astype(np.float32)
    window = np.hanning(2 * half + 1)[: 2 * half].astype(np.float32)
    pieces = -(-wanted // half)
    padded = np.concatenate([np.zeros(half, np.float32), samples, np.zeros(3 * half + search, np.float32)])
    out = np.zeros((pieces + 2) * half, np.float32)
    place = 0
    last = len(samples) + half
    for number in range(pieces + 1):
        ideal = round(number * half * len(samples) / wanted)
        if number:
            first = max(0, min(last, ideal) - search)
            follows = padded[place + half : place + 3 * half]  # what would come next
            room = padded[first : first + 2 * search + 2 * half]
            place = first + int(np.correlate(room, follows[: len(room)], "valid").argmax())
        out[number * half : number * half + 2 * half] += window * padded[place : place + 2 * half]
    return out[half : half + wanted]


def _sound(samples: Samples, rate: int) -> Sound:
    return Sound(np.clip(np.rint(samples), -32_768, 32_767).astype("<i2").tobytes(), rate)
