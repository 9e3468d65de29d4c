"""Whether our own voice comes back through a microphone: tones that are played, and how loud they are in it. Pure.

Short tones of several pitches, one after the other: what stands at a tone's pitch while it sounds, above what stands
there while the others do, came back. Noise and a hum are in both and fall out; the clocks of two devices may differ.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from speech.audio.sound import Sound

RATE = 16_000
PITCHES_HZ = (600, 1500, 900, 2300, 1200, 1900)
"""Where speech is, and no two that differ by a whole factor stand side by side."""
TONE_MS, PAUSE_MS = 100, 60
TONE_DBFS = -20.0
VOICE_DBFS = -14.0
"""The loudest fifth of what eSpeak NG says here (`Levels.speech_dbfs`): so much louder than a tone is our voice."""
LATEST_MS = 800
"""A sound is in the microphone at the latest so long after the station said that it began (wireless headsets)."""
BELOW_VOICE_DB = 20.0
"""So far below the player's own voice ours is no more than a neighbour of whom voice activity takes nothing
(tests/bench/voice_activity.py), and stays 6 dB under the level that opens a microphone."""
_WINDOW, _HOP = 640, 160
_FAINTEST = -96.0


@cache
def check_tones() -> Sound:
    """Six short tones, 0.96 s."""
    return Sound(np.rint(_tones()).astype("<i2").tobytes(), RATE)


def tones_in(pcm: bytes, begun: int) -> float:
    """How loud the tones are in mono s16le sound at 16 kHz (rms, dBFS); `begun`: the sample at which they began to be
    played. The faintest level there is where the sound is too short to tell."""
    samples = np.frombuffer(pcm[: len(pcm) // 2 * 2], "<i2").astype(np.float64)[max(0, begun) :]
    frames = 1 + (len(samples) - _WINDOW) // _HOP
    on = _sounding()
    if frames < on.shape[1]:
        return _FAINTEST
    power = _power(samples[: (frames - 1) * _HOP + _WINDOW])
    found = 0.0
    for late in range(min(LATEST_MS * RATE // 1000 // _HOP, frames - on.shape[1]) + 1):
        part = power[:, late : late + on.shape[1]]
        # The median of each tone: a knock is loud at every pitch for a moment, a tone as long as it sounds.
        there = [np.median(row[now]) - np.median(row[~now]) for row, now in zip(part, on, strict=True)]
        found = max(found, float(np.mean(there)))
    return round(max(_FAINTEST, 10 * float(np.log10(max(found, 1e-12)))), 1)


def voice_from_tones(tones_dbfs: float, gain_db: float) -> float:
    """How loud our voice is in a microphone in which the tones are so loud; `gain_db`: what the player has added."""
    return min(0.0, round(tones_dbfs + VOICE_DBFS - TONE_DBFS + gain_db, 1))


def stays_out(ours_dbfs: float, own_dbfs: float) -> bool:
    """Whether our voice, so loud in his microphone, is far enough below the player's own."""
    return own_dbfs - ours_dbfs >= BELOW_VOICE_DB


def _tones() -> npt.NDArray[np.float64]:
    tone, pause = TONE_MS * RATE // 1000, PAUSE_MS * RATE // 1000
    at = np.arange(tone)
    edge = np.minimum(1.0, np.minimum(at, tone - 1 - at) / (0.01 * RATE))  # no click
    loud = 32_768 * 2**0.5 * 10 ** (TONE_DBFS / 20)
    return np.concatenate(
        [np.append(loud * edge * np.sin(2 * np.pi * pitch * at / RATE), np.zeros(pause)) for pitch in PITCHES_HZ]
    )


def _power(samples: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """At each pitch (rows) and hop (columns), the power of a tone there; 1 is full scale."""
    frames = np.lib.stride_tricks.sliding_window_view(samples / 32_768.0, _WINDOW)[::_HOP]
    window = np.hanning(_WINDOW)
    waves = np.exp(-2j * np.pi * np.outer(np.array(PITCHES_HZ) / RATE, np.arange(_WINDOW))) * window / window.sum()
    return np.asarray(2 * np.abs(waves @ frames.T) ** 2)


@cache
def _sounding() -> npt.NDArray[np.bool_]:
    """For each pitch the hops that lie within its tone."""
    length = len(PITCHES_HZ) * (TONE_MS + PAUSE_MS) * RATE // 1000
    begins = np.arange(0, length - _WINDOW, _HOP)
    tone = TONE_MS * RATE // 1000
    at = np.arange(len(PITCHES_HZ)) * (TONE_MS + PAUSE_MS) * RATE // 1000
    return (begins[None, :] >= at[:, None]) & (begins[None, :] + _WINDOW <= at[:, None] + tone)
