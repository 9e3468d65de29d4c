"""Both clocks of a game as a sound: one pair of tones a half-move, higher for more time left.

The player's own clock is heard in the left ear and the opponent's in the right, own first, so that a glance at a curve
becomes half a minute of listening. With one ear or one loudspeaker the two are told apart by their sound: the
opponent's has an overtone.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from server.exports.reports.review import Review
from server.game.values.words import Seat
from speech.audio.wav import stereo_wav_bytes

RATE = 16_000
LOWEST_HZ, HIGHEST_HZ = 220.0, 880.0
"""No time left, and as much as any side had in the game."""
TONE_MS, GAP_MS = 90, 40
AMPLITUDE = 9_000.0


def pitch(ms: int, most_ms: int) -> float:
    """Return the pitch (Hz) of a time left, in equal steps for the ear.

    >>> pitch(0, 100), pitch(50, 100), pitch(100, 100)
    (220.0, 440.0, 880.0)
    """
    share = min(1.0, max(0.0, ms / most_ms)) if most_ms > 0 else 0.0
    return LOWEST_HZ * math.pow(HIGHEST_HZ / LOWEST_HZ, share)


def clock_curve(review: Review) -> bytes:
    """Return the curve as a WAV file with two channels; without any known time, a tenth of a second of silence."""
    times = [
        (one.white_ms, one.black_ms) for one in review.plies if one.white_ms is not None and one.black_ms is not None
    ]
    most = max(max(pair) for pair in (*times, review.base_ms))
    pieces: list[npt.NDArray[np.float64]] = []
    for white, black in times:
        own, other = (white, black) if review.seat is Seat.WHITE else (black, white)
        pieces += [_tone(pitch(own, most), 0), _tone(pitch(other, most), 1), _silence(GAP_MS)]
    whole = np.concatenate(pieces) if pieces else _silence(100)
    return stereo_wav_bytes(np.rint(whole).astype(np.int16), RATE)


def _tone(hz: float, ear: int) -> npt.NDArray[np.float64]:
    at = np.arange(RATE * TONE_MS // 1000) / RATE
    edge = np.minimum(1.0, np.minimum(at, at[-1] - at) / 0.005)  # no click at either end
    wave = np.sin(2 * np.pi * hz * at) + (0.4 * np.sin(4 * np.pi * hz * at) if ear else 0.0)
    ears = np.zeros((len(at), 2))
    ears[:, ear] = AMPLITUDE * edge * wave
    return ears


def _silence(ms: int) -> npt.NDArray[np.float64]:
    return np.zeros((RATE * ms // 1000, 2))
