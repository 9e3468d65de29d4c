"""Our voice shaped for players with hearing aids. Pure.

The voice can be lower, up to 12 dB louder without clipping, and in one ear or both.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np
import numpy.typing as npt

from speech.audio.sound import Sound
from speech.audio.stretching import lower_pitch

MOST_GAIN_DB = 12
LOWEST_SEMITONES = 12
CEILING = 29_204
"""No sample is above this after the limiter: 1 dB below full scale."""
LOOK_AHEAD_MS = 5
RELEASE_MS = 60


class Shape(msgspec.Struct, frozen=True):
    """Shape in which a player wants our voice.

    `gain_db`: so many dB louder. `lower`: semitones lower. `balance`: -100 left ear alone, 0 both, 100 right.
    """

    gain_db: Annotated[int, msgspec.Meta(ge=0, le=MOST_GAIN_DB)] = 0
    lower: Annotated[int, msgspec.Meta(ge=0, le=LOWEST_SEMITONES)] = 0
    balance: Annotated[int, msgspec.Meta(ge=-100, le=100)] = 0


PLAIN = Shape()


def shape_sound(sound: Sound, shape: Shape) -> Sound:
    """Return the mono sound lower and louder; the balance is for `both_ears`."""
    return louder(lower_pitch(sound, shape.lower), shape.gain_db)


def louder(sound: Sound, gain_db: float) -> Sound:
    """Return the sound so many dB louder.

    Where that would clip, the limiter turns it down before the peak, and slowly up again.
    """
    if gain_db == 0 or not sound.pcm:
        return sound
    samples = sound.array.astype(np.float64) * 10 ** (gain_db / 20)
    limited = samples * _turned_down(np.abs(samples), sound.sample_rate)
    return Sound(np.rint(limited).astype("<i2").tobytes(), sound.sample_rate)


def both_ears(sound: Sound, balance: int) -> npt.NDArray[np.int16]:
    """Return left and right, shape (samples, 2).

    Both have the whole sound at 0; the other ear fades to nothing at -100 and 100.
    """
    left, right = min(1.0, 1.0 - balance / 100), min(1.0, 1.0 + balance / 100)
    samples = sound.array.astype(np.float64)
    return np.rint(np.stack([samples * left, samples * right], axis=1)).astype(np.int16)


def _turned_down(loudness: npt.NDArray[np.float64], rate: int) -> npt.NDArray[np.float64]:
    """Return the factor for each sample, which keeps it under the ceiling and never jumps."""
    step = max(1, rate // 1000)
    blocks = -(-len(loudness) // step)
    padded = np.concatenate([loudness, np.zeros(blocks * step - len(loudness))])
    needed = np.minimum(1.0, CEILING / np.maximum(padded.reshape(blocks, step).max(axis=1), 1.0))
    # Each ms gets the least factor from the release before it to the look-ahead after it, then the mean of the least
    # of the last ms of look-ahead: each of them already counts this one.
    around = np.concatenate([np.ones(RELEASE_MS), needed, np.ones(LOOK_AHEAD_MS)])
    least = np.lib.stride_tricks.sliding_window_view(around, RELEASE_MS + LOOK_AHEAD_MS + 1).min(axis=1)
    before = np.concatenate([np.full(LOOK_AHEAD_MS, least[0]), least])
    mean = np.lib.stride_tricks.sliding_window_view(before, LOOK_AHEAD_MS + 1).mean(axis=1)
    # Between two ms it moves in a straight line that stays under both.
    borders = np.minimum(np.concatenate([mean[:1], mean]), np.concatenate([mean, mean[-1:]]))
    return np.asarray(np.interp(np.arange(len(loudness)), np.arange(blocks + 1) * step, borders))
