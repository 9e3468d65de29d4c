"""Small changes to features at every look. Pure.

The utterance then sounds like another throat, another microphone, or as if a sound was missed. All of it is linear in
the logarithms of the mel bands that the 40 MFCC are made of, so it needs no sound, and each look at an utterance is a
new one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from speech.recognisers.own.recipe import DIMENSIONS

Frames = npt.NDArray[np.float32]

_LIFTER = 22.0
_LOWEST, _HIGHEST = 20.0, 7600.0
THROAT = 0.085
"""Spread of the logarithm of how long a throat is."""
_MICROPHONE = 0.15
"""Spread of the step from one mel band to the next (natural logarithm of the power)."""
_DB = float(np.log(10) / 10)
"""A decibel as the natural logarithm of a power."""
_SWELL_DB = 2.0
"""Spread of how loud the speaker is at each end of a window and in its middle."""
_KNOTS = 3
_HOP_S = 0.01
"""Seconds from one frame to the next."""


def _mel(frequency: npt.NDArray[np.float64] | float) -> npt.NDArray[np.float64]:
    return 1127.0 * np.log1p(np.asarray(frequency) / 700.0)


def _cosines() -> npt.NDArray[np.float64]:
    """Return the matrix from logarithms of the mel bands to MFCC, as Kaldi computes them.

    It has cosines, then the lifter.
    """
    place = np.arange(DIMENSIONS)
    table = np.sqrt(2 / DIMENSIONS) * np.cos(np.pi / DIMENSIONS * np.outer(place, place + 0.5))
    table[0] /= np.sqrt(2)
    lifter = 1 + 0.5 * _LIFTER * np.sin(np.pi * place / _LIFTER)
    return np.asarray(lifter[:, None] * table)


COSINES = _cosines()
BANDS = np.linalg.inv(COSINES)
"""The matrix from MFCC to logarithms of the mel bands."""


def throat(length: float) -> npt.NDArray[np.float64]:
    """Return the matrix from the mel bands of one throat to those of one so many times as long.

    The bands are logarithms; all resonances become lower.
    """
    edges = np.linspace(_mel(_LOWEST), _mel(_HIGHEST), DIMENSIONS + 2)
    centres = edges[1:-1]
    asked = _mel(700.0 * np.expm1(centres / 1127.0) * length)
    place = np.clip((asked - centres[0]) / (centres[1] - centres[0]), 0, DIMENSIONS - 1)
    below = np.minimum(place.astype(int), DIMENSIONS - 2)
    share = place - below
    table = np.zeros((DIMENSIONS, DIMENSIONS))
    rows = np.arange(DIMENSIONS)
    table[rows, below] = 1 - share
    table[rows, below + 1] = share
    return table


def overlaid(frames: Frames, other: Frames, below_db: float) -> Frames:
    """Add somebody who speaks at the same time, so many dB softer.

    The powers of the mel bands are added.
    """
    ours, theirs = (one @ BANDS.T.astype(np.float32) for one in (frames, other))
    both = np.logaddexp(ours, theirs - np.float32(below_db * _DB))
    return np.asarray(both @ COSINES.T.astype(np.float32), np.float32)


def stretch_frames(
    frames: Frames, labels: npt.NDArray[np.int16], length: float
) -> tuple[Frames, npt.NDArray[np.int16]]:
    """Let the same sounds last so many times as long: frames between two are between them, labels are the nearest's."""
    at = np.arange(int((len(frames) - 1) * length) + 1) / length
    below = np.minimum(at.astype(int), len(frames) - 2)
    share = (at - below).astype(np.float32)[:, None]
    between = frames[below] * (1 - share) + frames[below + 1] * share
    return between.astype(np.float32), labels[np.minimum(np.rint(at).astype(int), len(labels) - 1)]


def echoing(frames: Frames, decay_s: float, strength: float) -> Frames:
    """Put the voice in a room whose echoes die away (by 60 dB) in so many seconds.

    `strength`: the echoes' power against the voice's. Each frame of 10 ms gets what is left of the powers of those
    before it; the whole stays as loud as it was.
    """
    left = 10.0 ** (-6.0 * _HOP_S / decay_s)
    powers = np.exp(frames @ BANDS.T)
    since = np.subtract.outer(np.arange(len(frames)), np.arange(len(frames)))
    tail = np.where(since > 0, strength * (1.0 - left) * left ** np.maximum(since - 1, 0), 0.0) @ powers
    return np.asarray(np.log((powers + tail) / (1.0 + strength) + 1e-30) @ COSINES.T, np.float32)


def perturb_frames(frames: Frames, chance: np.random.Generator) -> Frames:
    """Return a window of features (frames, 40), as another throat and microphone would have given it."""
    bands = np.eye(DIMENSIONS)
    if chance.random() < 0.7:
        bands = throat(float(np.exp(np.clip(chance.normal(0, THROAT), -0.2, 0.2))))
    if chance.random() < 0.4:
        # Some bands are lost: they get the mean of the whole.
        count = int(chance.integers(1, 8))
        first = int(chance.integers(DIMENSIONS - count))
        bands[first : first + count] = bands.mean(axis=0)
    found = frames @ (COSINES @ bands @ BANDS).T.astype(np.float32)
    if chance.random() < 0.6:
        gains = np.cumsum(chance.normal(0, _MICROPHONE, DIMENSIONS))
        found += (COSINES @ (gains - gains.mean())).astype(np.float32)
    if chance.random() < 0.3:
        # Nobody speaks each word as loud as the last: a softer word does not yet come from another table.
        swell = np.interp(np.linspace(0, 1, len(found)), np.linspace(0, 1, _KNOTS), chance.normal(0, _SWELL_DB, _KNOTS))
        found[:, 0] += (swell * _DB * COSINES[0].sum()).astype(np.float32)
    if chance.random() < 0.4:
        count = int(chance.integers(2, 10))
        first = int(chance.integers(len(found) - count))
        found[first : first + count] = found.mean(axis=0)
    return np.asarray(found, np.float32)
