"""A voice described in some numbers, whatever it says. Pure.

The numbers are the timbre and the pitch of an utterance. Timbre: mel cepstra without the first (the loudness) over the
voiced frames, their means and spreads: the shape of the throat and of the microphone, and of the room as far as it is
heard. Pitch: the median of the fundamental frequency.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

VERSION = 1
"""Raise this when the same sound gives other numbers: what was fitted or enrolled before is then useless."""
CEPSTRA = 16
SIZE = 2 * CEPSTRA
"""How many numbers a timbre has."""
RATE = 16_000

_HOP, _WINDOW, _FFT, _BANDS = 160, 400, 1024, 24
_LOWEST_HZ, _HIGHEST_HZ = 120.0, 7000.0
_PITCH_HZ = 60.0, 400.0
_LOUD = 10**2.5
"""Frames within 25 dB of the loudest are speech."""
_VOICED = 0.55
"""A frame may be voiced if its waves repeat at least so closely (1: exactly)."""
_LOW_SHARE = 0.1
"""Share of a voiced frame's power that is below 1 kHz at least: a whistle is no voice."""
_VOICED_SHARE = 0.3
"""Share of the loud frames that is voiced at least where somebody speaks: in a hiss a few are so by chance."""
_AS_HIGH = 0.88
_FEWEST = 20
"""Fewest voiced frames (0.2 s) for a statement about a voice."""
_MOST = 300
"""Frames taken from a longer utterance, evenly spaced; more are not needed to tell who it is."""

Floats = npt.NDArray[np.float32]


class VoiceSketch(msgspec.Struct, frozen=True):
    """Description of the voice of one utterance.

    It has the `timbre` (`SIZE` numbers) and the `pitch` (logarithm of Hz).
    """

    timbre: tuple[float, ...]
    pitch: float


def _mel(hertz: float | npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(1127.0 * np.log1p(np.asarray(hertz) / 700.0))


def _bank() -> Floats:
    """Return how much of each frequency's power is in each band, after a lift of the high ones."""
    edges = 700.0 * np.expm1(np.linspace(_mel(_LOWEST_HZ), _mel(_HIGHEST_HZ), _BANDS + 2) / 1127.0)
    hertz = np.arange(_FFT // 2 + 1) * RATE / _FFT
    up = (hertz - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    down = (edges[2:, None] - hertz) / (edges[2:] - edges[1:-1])[:, None]
    lift = np.abs(1.0 - 0.97 * np.exp(-2j * np.pi * hertz / RATE)) ** 2
    return np.asarray(np.clip(np.minimum(up, down), 0.0, None) * lift, dtype=np.float32).T


_BANK = _bank()
_COSINES = np.asarray(
    np.cos(np.pi / _BANDS * (np.arange(_BANDS)[:, None] + 0.5) * np.arange(1, CEPSTRA + 1)) * np.sqrt(2.0 / _BANDS),
    dtype=np.float32,
)
_HANN = np.hanning(_WINDOW).astype(np.float32)
_SHORTEST, _LONGEST = round(RATE / _PITCH_HZ[1]), round(RATE / _PITCH_HZ[0])
_OWN_REPEAT = np.fft.irfft(np.abs(np.fft.rfft(_HANN, _FFT)) ** 2)[: _LONGEST + 1].astype(np.float32)
_OWN_REPEAT = np.maximum(_OWN_REPEAT / _OWN_REPEAT[0], np.float32(0.12))
"""How the ends of a frame, which fade away, make its repeats fade; the longest repeats are not raised beyond their
worth.
"""
_BELOW = np.s_[round(50 * _FFT / RATE) : round(1000 * _FFT / RATE)]
"""Where the pitch and its first overtones are."""


def sketch_of(pcm: bytes) -> VoiceSketch | None:
    """Return the voice of an utterance (mono s16le at 16 kHz); None where too little of it is voiced.

    >>> sketched(bytes(32_000)) is None
    True
    """
    samples = np.frombuffer(pcm[: len(pcm) // 2 * 2], "<i2").astype(np.float32)
    count = (len(samples) - _WINDOW) // _HOP + 1
    if count < _FEWEST:
        return None
    samples -= samples.mean()
    frames = np.lib.stride_tricks.sliding_window_view(samples, _WINDOW)[::_HOP]
    power = (frames**2).mean(axis=1)
    loud = np.flatnonzero(power > max(float(power.max()) / _LOUD, 1.0))
    if len(loud) > _MOST:
        loud = loud[np.linspace(0, len(loud) - 1, _MOST).astype(np.int64)]
    spectra = np.abs(np.fft.rfft(frames[loud] * _HANN, _FFT)).astype(np.float32) ** 2
    lags, repeats = _repeats(spectra)
    voiced = (repeats > _VOICED) & (spectra[:, _BELOW].sum(axis=1) > _LOW_SHARE * spectra.sum(axis=1))
    if int(voiced.sum()) < max(_FEWEST, _VOICED_SHARE * len(loud)):
        return None
    cepstra = np.log(spectra[voiced] @ _BANK + 1.0) @ _COSINES
    timbre = np.concatenate([cepstra.mean(axis=0), np.log(cepstra.std(axis=0) + 0.1)])
    return VoiceSketch(tuple(float(one) for one in timbre), float(np.log(RATE / np.median(lags[voiced]))))


def _repeats(spectra: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return, for each frame, after how many samples its waves below 1 kHz repeat, and how closely."""
    low = np.zeros_like(spectra)
    low[:, _BELOW] = spectra[:, _BELOW]
    likeness = np.fft.irfft(low)[:, : _LONGEST + 1].astype(np.float32)
    likeness /= (likeness[:, :1] + 1e-6) * _OWN_REPEAT
    asked = likeness[:, _SHORTEST:]
    # Waves that repeat after one period repeat after two as well: the first peak that is nearly as high as the highest.
    peak = asked >= _AS_HIGH * asked.max(axis=1, keepdims=True)
    peak[:, 1:] &= asked[:, 1:] >= asked[:, :-1]
    peak[:, :-1] &= asked[:, :-1] >= asked[:, 1:]
    best = np.argmax(peak, axis=1)
    return best + _SHORTEST, asked[np.arange(len(asked)), best]
