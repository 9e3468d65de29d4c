"""Speech passed into a decoder as it comes: at one speed, on a floor of faint noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import soxr

from speech.recognisers.preparing import Sound, floor
from speech.recognisers.recogniser import SAMPLE_RATE


class Warp:
    """Sound at one speed on its way into some decoders (each takes `process_raw`).

    It lies on the floor of noise.
    """

    def __init__(self, speed: float, decoders: Sequence[Any]) -> None:
        self.pcm = bytearray()
        self._stream = None if speed == 1.0 else soxr.ResampleStream(SAMPLE_RATE, SAMPLE_RATE * speed, 1, "float32")
        self._decoders = decoders

    def put(self, speech: Sound, *, last: bool = False) -> None:
        """Take more speech as it was spoken; it goes on at the speed of this warp."""
        levelled = speech if self._stream is None else self._stream.resample_chunk(speech, last)
        self._lay(levelled, self._decoders)

    def pad(self, seconds: float) -> None:
        """Add the floor of noise alone."""
        self._lay(np.zeros(int(seconds * SAMPLE_RATE), np.float32), self._decoders)

    def _lay(self, samples: Sound, decoders: Sequence[Any]) -> None:
        if not len(samples):
            return
        place = len(self.pcm) // 2
        whole = samples + floor()[place : place + len(samples)]
        pcm = (np.clip(whole, -1.0, 1.0) * 32767).astype("<i2").tobytes()
        self.pcm += pcm
        for decoder in decoders:
            decoder.process_raw(pcm)
