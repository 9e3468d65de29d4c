"""The tick: a short soft sound for "something was heard", and no more. Pure."""

from __future__ import annotations

from functools import cache

import numpy as np

from speech.audio.sound import Sound

RATE = 16_000
LENGTH_MS = 40
PITCH_HZ = 1_000
AMPLITUDE = 6_000


@cache
def tick() -> Sound:
    """Return 40 ms of 1 kHz that dies away, in the middle of what aged ears hear."""
    at = np.arange(RATE * LENGTH_MS // 1000) / RATE
    rise = np.minimum(1.0, at / 0.002)  # no click at its beginning
    samples = AMPLITUDE * rise * np.exp(-at / 0.010) * np.sin(2 * np.pi * PITCH_HZ * at)
    return Sound(np.rint(samples).astype("<i2").tobytes(), RATE)
