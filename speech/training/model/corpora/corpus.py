"""Spoken utterances on disk, with the place of every phone.

A corpus is NAME.pcm (mono s16le 16 kHz) and NAME.jsonl beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import soxr

RATE = 16_000
"""Hz."""

Samples = npt.NDArray[np.float32]


class Sounded(msgspec.Struct, frozen=True, array_like=True):
    """Phone of the word `token`, from `start` to `end` (s).

    The token is none for a word that is not ours.
    """

    phone: str
    token: str
    start: float
    end: float


class CorpusLine(msgspec.Struct, frozen=True):
    """One utterance.

    It says who spoke, where its samples are, and its phones in order (what lies between is silence).
    """

    speaker: str
    first: int
    count: int
    sounded: tuple[Sounded, ...]


class CorpusWriter:
    """Writer that adds utterances to a new corpus."""

    def __init__(self, stem: Path) -> None:
        stem.parent.mkdir(parents=True, exist_ok=True)
        self._pcm = stem.with_suffix(".pcm").open("wb")
        self._lines = stem.with_suffix(".jsonl").open("wb")
        self._place = 0
        self.seconds = 0.0

    def add(self, speaker: str, samples: Samples, rate: int, sounded: Sequence[Sounded]) -> None:
        """Add one utterance, mono, -1 to 1."""
        if rate != RATE:
            samples = soxr.resample(samples, rate, RATE)
        pcm = (np.clip(samples, -1, 1) * 32767).astype("<i2")
        line = CorpusLine(speaker, self._place, len(pcm), tuple(sounded))
        self._pcm.write(pcm.tobytes())
        self._lines.write(msgspec.json.encode(line) + b"\n")
        self._place += len(pcm)
        self.seconds += len(pcm) / RATE

    def close(self) -> None:
        """Close the corpus: no more utterances come."""
        self._pcm.close()
        self._lines.close()


def utterances(stem: Path) -> Iterator[tuple[CorpusLine, Samples]]:
    """Yield everything in a corpus, in order, samples of -1 to 1."""
    pcm = np.memmap(stem.with_suffix(".pcm"), dtype="<i2", mode="r")
    with stem.with_suffix(".jsonl").open("rb") as lines:
        for text in lines:
            line = msgspec.json.decode(text, type=CorpusLine)
            yield line, pcm[line.first : line.first + line.count].astype(np.float32) / np.float32(32768)
