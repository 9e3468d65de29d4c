"""The test of whether our own voice comes back through a microphone. Pure.

Short tones of several pitches are played, one after the other. What the microphone has at a tone's pitch while it
sounds, above what it has there while the others sound, came back. Noise and a hum are in both and cancel out; the
clocks of the two devices may differ.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from speech.audio.sound import Sound

RATE = 16_000
PITCHES_HZ = (600, 1500, 900, 2300, 1200, 1900)
"""The tones lie where speech is; no two that differ by a whole factor stand side by side."""
TONE_MS, PAUSE_MS = 100, 60
TONE_DBFS = -20.0
VOICE_DBFS = -14.0
"""How loud the loudest fifth of eSpeak NG's speech is here (`Levels.speech_dbfs`): our voice is so much louder than a
tone."""
LATEST_MS = 800
"""A sound is in the microphone at the latest so long after the station said that it began (wireless headsets)."""
BELOW_VOICE_DB = 20.0
"""Distance below the player's own voice at which ours disturbs no more than a neighbour of whom voice activity takes
nothing (tests/bench/voice_activity.py); it also stays 6 dB under the level that opens a microphone."""
_WINDOW, _HOP = 640, 160
_FAINTEST = -96.0


@cache
def check_tones() -> Sound:
    """Return six short tones, 0.96 s altogether."""
    return Sound(np.rint(_tones()).astype("<i2").tobytes(), RATE)


def tones_in(pcm: bytes, begun: int) -> float:
    """Return how loud the tones are in mono s16le sound at 16 kHz (rms, dBFS).

    `begun`: the sample at which they began to be played. Where the sound is too short to tell, it is the faintest level
    there is.
    """
    samples = np.frombuffer(pcm[: len(pcm) // 2 * 2], "<i2").astype(np.float64)[max(0, begun) :]
    frames = 1 + (len(samples) - _WINDOW) // _HOP
    on = _sounding()
    if frames < on.shape[1]:
        return _FAINTEST
    power = _power(samples[: (frames - 1) * _HOP + _WINDOW])
    found = 0.0
    for late in range(min(LATEST_MS * RATE // 1000 // _HOP, frames - on.shape[1]) + 1):
        part = power[:, late : late + on.shape[1]]
        # Take the median of each tone: a knock is loud at every pitch for a moment, a tone as long as it sounds.
        there = [np.median(row[now]) - np.median(row[~now]) for row, now in zip(part, on, strict=True)]
        found = max(found, float(np.mean(there)))
    return round(max(_FAINTEST, 10 * float(np.log10(max(found, 1e-12)))), 1)


def voice_from_tones(tones_dbfs: float, gain_db: float) -> float:
    """Return how loud our voice is in a microphone in which the tones are so loud.

    `gain_db`: what the player has added.
    """
    return min(0.0, round(tones_dbfs + VOICE_DBFS - TONE_DBFS + gain_db, 1))


def stays_out(ours_dbfs: float, own_dbfs: float) -> bool:
    """Return whether our voice is far enough below the player's own in the player's microphone."""
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
    """Return, at each pitch (rows) and hop (columns), the power of a tone there; 1 is full scale."""
    frames = np.lib.stride_tricks.sliding_window_view(samples / 32_768.0, _WINDOW)[::_HOP]
    window = np.hanning(_WINDOW)
    waves = np.exp(-2j * np.pi * np.outer(np.array(PITCHES_HZ) / RATE, np.arange(_WINDOW))) * window / window.sum()
    return np.asarray(2 * np.abs(waves @ frames.T) ** 2)


@cache
def _sounding() -> npt.NDArray[np.bool_]:
    """Return for each pitch the hops that lie within its tone."""
    length = len(PITCHES_HZ) * (TONE_MS + PAUSE_MS) * RATE // 1000
    begins = np.arange(0, length - _WINDOW, _HOP)
    tone = TONE_MS * RATE // 1000
    at = np.arange(len(PITCHES_HZ)) * (TONE_MS + PAUSE_MS) * RATE // 1000
    return (begins[None, :] >= at[:, None]) & (begins[None, :] + _WINDOW <= at[:, None] + tone)
