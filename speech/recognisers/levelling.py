"""The speech in a sound that is still coming, brought to one level.

Found are its beginning, its level, and its samples as far as they are certain. `preparing` does this with a
whole sound; here the end is not known. The level is taken from the first half second of speech, and a pause is held
back until speech goes on (a pause at the end does not belong to it). What is found depends on the samples alone, not
on the pieces that they come in.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from speech.recognisers.preparing import FAINTEST_RMS, FRAME, LEVEL, Sound, is_steady, speech_span
from speech.recognisers.recogniser import LONGEST_UTTERANCE_S, SAMPLE_RATE

STEP = 5
"""Frames that are looked at in one go: 50 ms."""

ENOUGH = 50
"""Frames of speech from which the level can be told."""

_LONGEST = LONGEST_UTTERANCE_S * SAMPLE_RATE
_LEAST = 10


class Estimate(msgspec.Struct, frozen=True):
    """Estimate of where speech begins and how to level it.

    It has the first frame of the speech, what to take off each sample, and what to multiply it by.
    """

    first: int
    offset: float
    gain: float

    def louder_than(self, other: Estimate) -> float:
        """Return the difference of the two levels in dB, never negative."""
        return abs(20.0 * float(np.log10(self.gain / other.gain)))


class Levelling:
    """`Levelling` follows one utterance, at most 30 s of it."""

    def __init__(self) -> None:
        self._samples: npt.NDArray[np.float32] = np.zeros(SAMPLE_RATE, np.float32)
        self._loudness: npt.NDArray[np.float32] = np.zeros(_LONGEST // FRAME, np.float32)
        self._length = 0
        self._sum = 0.0
        self._odd = b""
        self.frames = 0
        """Frames looked at so far."""

    def take(self, pcm: bytes) -> None:
        """Take some more samples, mono s16le at 16 kHz."""
        pcm = self._odd + pcm
        self._odd = pcm[len(pcm) - len(pcm) % 2 :]
        new = np.frombuffer(pcm[: len(pcm) - len(pcm) % 2], "<i2").astype(np.float32)[: _LONGEST - self._length]
        if self._length + len(new) > len(self._samples):
            more = np.zeros(max(self._length + len(new), 2 * len(self._samples)) - self._length, np.float32)
            self._samples = np.concatenate([self._samples[: self._length], more])
        self._samples[self._length : self._length + len(new)] = new
        self._length += len(new)

    def look(self, *, over: bool = False) -> bool:
        """Look at the next 50 ms, or (`over`) at what is left; return whether there were any."""
        there = self._length // FRAME - self.frames
        count = min(there, STEP)
        if count < (1 if over else STEP):
            return False
        begin = self.frames * FRAME
        new = self._samples[begin : begin + count * FRAME]
        self._sum += float(new.sum(dtype=np.float64))
        offset = np.float32(self._sum / (begin + len(new)))
        self._loudness[self.frames : self.frames + count] = np.sqrt(
            ((new - offset).reshape(count, FRAME) ** 2).mean(axis=1)
        )
        self.frames += count
        return True

    @property
    def span(self) -> tuple[int, int] | None:
        """Return the first frame of the speech and the one after its last so far.

        None for silence and for a steady noise.
        """
        loudness = self._loudness[: self.frames]
        if self.frames < _LEAST or loudness.max() < FAINTEST_RMS or is_steady(loudness):
            return None
        return speech_span(loudness)

    def estimate(self, span: tuple[int, int]) -> Estimate:
        """Return the level of that speech."""
        speech = self._samples[span[0] * FRAME : span[1] * FRAME]
        offset = speech.mean(dtype=np.float64)
        rms = float(np.sqrt(((speech - np.float32(offset)) ** 2).mean(dtype=np.float64)))
        return Estimate(span[0], float(offset), LEVEL / max(rms, 1e-3))

    def speech(self, begin: int, end: int, estimate: Estimate) -> Sound:
        """Return these frames, at one level."""
        samples = self._samples[begin * FRAME : end * FRAME]
        levelled: Sound = ((samples - np.float32(estimate.offset)) * np.float32(estimate.gain)).astype(np.float32)
        return levelled
