"""A piece of sound: mono, signed 16 bit, little endian."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

BYTES_PER_SAMPLE = 2


class Sound(msgspec.Struct, frozen=True):
    """Mono s16le samples (`pcm`) at a `sample_rate` in Hz."""

    pcm: bytes
    sample_rate: int

    @property
    def samples(self) -> int:
        """Return how many samples there are."""
        return len(self.pcm) // BYTES_PER_SAMPLE

    @property
    def duration_ms(self) -> int:
        """Return how long the sound lasts, in whole ms (rounded down)."""
        return self.samples * 1000 // self.sample_rate

    @property
    def array(self) -> npt.NDArray[np.int16]:
        """Return the samples as an array that shares the bytes (read only)."""
        return np.frombuffer(self.pcm, dtype="<i2")
