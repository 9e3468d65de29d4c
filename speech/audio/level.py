"""The quality of a microphone's sound, before the game. Pure.

Measured are loudness, clipping and noise; one word sums them up.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

Finding = Literal["silent", "quiet", "clipped", "noisy", "good"]

_FULL = 32_768.0
_FRAME = 320
"""Samples of one frame, 20 ms at 16 kHz."""

CLIPPED_SHARE = 0.001
"""Share of the speech's samples at the end of the scale above which a rattle is heard."""
QUIET_DBFS = -40.0
"""Speech below this loses its ends in the steps of 16 bit and in the noise of most microphones."""
SILENT_DBFS = -60.0
NOISY_DB = 15.0
"""Distance of speech above the noise below which words begin to be lost (tests/bench/hearing.py)."""
FAINTEST_DBFS = -96.0


class Levels(msgspec.Struct, frozen=True):
    """Levels of a sound, in dB below full scale.

    They are the speech (rms of its loudest fifth), the highest sample, and the noise under it. `clipped`: share of the
    samples at the end of the scale. `snr_db`: how far the speech stands above the noise.
    """

    speech_dbfs: float
    peak_dbfs: float
    floor_dbfs: float
    clipped: float

    @property
    def snr_db(self) -> float:
        """Return how far the speech stands above the noise."""
        return round(self.speech_dbfs - self.floor_dbfs, 1)


def levels(pcm: bytes) -> Levels:
    """Return the levels of mono s16le sound at 16 kHz.

    All are at the bottom where there is less than a tenth of a second.
    """
    samples = np.frombuffer(pcm[: len(pcm) // 2 * 2], "<i2").astype(np.float64)
    frames = len(samples) // _FRAME
    if frames < 5:
        return Levels(FAINTEST_DBFS, FAINTEST_DBFS, FAINTEST_DBFS, 0.0)
    clipped = float((np.abs(samples) >= 32_760).mean())
    samples = samples - samples.mean()
    power = np.sort((samples[: frames * _FRAME].reshape(frames, _FRAME) ** 2).mean(axis=1))
    some = max(1, frames // 5), max(1, frames // 10)
    return Levels(
        speech_dbfs=_db(float(power[-some[0] :].mean()) ** 0.5),
        peak_dbfs=_db(float(np.abs(samples).max())),
        floor_dbfs=_db(float(power[: some[1]].mean()) ** 0.5),
        clipped=round(clipped, 5),
    )


def level_of(frame: bytes) -> float:
    """Return the level of some mono s16le sound, dB below full scale, its mean taken off."""
    samples = np.frombuffer(frame, "<i2").astype(np.float64)
    power = float(samples.var()) / _FULL**2
    return max(FAINTEST_DBFS, 10.0 * float(np.log10(max(power, 1e-12))))


def finding(found: Levels) -> Finding:
    """Return one word about the levels; the worst finding comes first."""
    if found.speech_dbfs < SILENT_DBFS:
        return "silent"
    if found.clipped > CLIPPED_SHARE:
        return "clipped"
    if found.speech_dbfs < QUIET_DBFS:
        return "quiet"
    return "noisy" if found.snr_db < NOISY_DB else "good"


def _db(amplitude: float) -> float:
    return round(max(FAINTEST_DBFS, 20.0 * float(np.log10(max(amplitude, 1e-9) / _FULL))), 1)
