"""The log-Mel spectrogram that Whisper's encoder takes, from samples.

The encoder learnt from spectra of 25 ms every 10 ms (Hann window, 400 points), in 80 or 128 bands of the Mel scale, as
logarithms of base 10 from the loudest value to 8 below it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from speech.recognisers.recogniser import SAMPLE_RATE

Floats = npt.NDArray[np.float32]

FRAME, STEP = 400, 160
"""Samples in one spectrum, and from one spectrum to the next."""
_RANGE = 8.0
_PAUSE = 10**-3.5
_LINEAR_HZ, _LINEAR_MELS = 1000.0, 15.0
_LOG_STEP = float(np.log(6.4) / 27)


def _mel(hertz: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return frequencies on the Mel scale: linear up to 1 kHz, logarithmic above."""
    above = _LINEAR_MELS + np.log(np.maximum(hertz, 1.0) / _LINEAR_HZ) / _LOG_STEP
    return np.where(hertz >= _LINEAR_HZ, above, hertz * _LINEAR_MELS / _LINEAR_HZ)


def _hertz(mels: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    above = _LINEAR_HZ * np.exp(_LOG_STEP * (mels - _LINEAR_MELS))
    return np.where(mels >= _LINEAR_MELS, above, mels * _LINEAR_HZ / _LINEAR_MELS)


@cache
def mel_bands(count: int) -> Floats:
    """Return the weight of each frequency in each band, (`count`, 201): triangles of one area."""
    ends = _mel(np.array([0.0, SAMPLE_RATE / 2]))
    corners = _hertz(np.linspace(ends[0], ends[1], count + 2))
    frequencies = np.linspace(0.0, SAMPLE_RATE / 2, FRAME // 2 + 1)
    distance = corners[:, None] - frequencies[None, :]
    widths = np.diff(corners)[:, None]
    rising, falling = -distance[:-2] / widths[:-1], distance[2:] / widths[1:]
    area = 2.0 / (corners[2:] - corners[:-2])
    return np.asarray(np.maximum(0.0, np.minimum(rising, falling)) * area[:, None], np.float32)


@cache
def _window() -> Floats:
    return np.asarray(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME), np.float32)


def log_mel(samples: Floats, seconds: int, bands: int = 80) -> Floats:
    """Return the spectrogram of samples (-1 to 1, 16 kHz), filled up with silence or cut to a length.

    Its shape is (`bands`, 100 * `seconds`).
    """
    whole = seconds * SAMPLE_RATE
    filled = np.zeros(whole, np.float32)
    filled[: min(whole, len(samples))] = samples[:whole]
    padded = np.pad(filled, FRAME // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, FRAME)[::STEP][: whole // STEP]
    spectra = np.abs(np.fft.rfft(frames * _window(), axis=1)) ** 2
    energy = mel_bands(bands) @ spectra.T.astype(np.float32)
    levels = np.log10(np.maximum(energy, 1e-10))
    return np.asarray((np.maximum(levels, levels.max() - _RANGE) + 4.0) / 4.0, np.float32)


def without_long_pauses(speech: Floats, longest_s: float) -> Floats:
    """Return speech (-1 to 1, 16 kHz) with each pause shortened to a length (s), its ends cut off likewise.

    A pause is what lies 35 dB below the loudest twentieth.
    """
    count = len(speech) // STEP
    frames = speech[: count * STEP].reshape(count, STEP)
    power = (frames * frames).mean(axis=1)
    loud = np.sort(power)[-max(3, count // 20) :].mean()
    spoken = power > loud * _PAUSE
    kept = spoken.copy()
    for away in range(1, round(longest_s * SAMPLE_RATE / STEP / 2) + 1):
        kept[away:] |= spoken[:-away]
        kept[:-away] |= spoken[away:]
    return np.ascontiguousarray(frames[kept].reshape(-1))
