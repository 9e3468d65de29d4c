"""Sound turned into the network's input, with a label for each frame.

The network sees 40 MFCC every 10 ms, as Vosk computes them; the label is what the network should say of the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from speech.recognisers.lexicon import SILENCE, units
from speech.recognisers.own.features import Frames
from speech.recognisers.preparing import FLOOR, FRAME, LEVEL, PAD_S, speech_span
from speech.training.model.corpora.corpus import RATE, Samples, Sounded

Labels = npt.NDArray[np.int16]


def at_the_ear(
    samples: Samples, sounded: Sequence[Sounded], chance: np.random.Generator
) -> tuple[Samples, list[Sounded]]:
    """Return the speech cut out and levelled as before recognition, only less exactly.

    See `speech.recognisers.preparing`.
    """
    samples = samples - samples.mean()
    count = len(samples) // FRAME
    loudness = np.sqrt((samples[: count * FRAME].reshape(count, FRAME) ** 2).mean(axis=1))
    first, last = speech_span(loudness.astype(np.float32)) if count else (0, 0)
    speech = samples[first * FRAME : last * FRAME]
    level = LEVEL * np.exp(chance.normal(0.0, 0.15)) / np.sqrt((speech**2).mean() + 1e-9)
    pad = round(PAD_S * RATE * chance.uniform(0.4, 1.1))
    whole = np.pad(speech * level, pad)
    whole = whole + chance.standard_normal(len(whole)) * FLOOR * np.exp(chance.uniform(-1.5, 0.7))
    shift = (pad - first * FRAME) / RATE
    places = [Sounded(one.phone, one.token, one.start + shift, one.end + shift) for one in sounded]
    return np.clip(whole, -1, 1).astype(np.float32), places


def labels(count: int, sounded: Iterable[Sounded], number: Callable[[str, str], int]) -> Labels:
    """Return for each of `count` frames the number of its unit, by (unit, token).

    There is silence between the phones.
    """
    found = np.full(count, number(SILENCE, ""), np.int16)
    for one in sounded:
        parts = units((one.phone,))
        length = (one.end - one.start) / len(parts)
        for place, unit in enumerate(parts):
            # Frame n is centred 12.5 ms after 10 n ms.
            start, end = (one.start + (place + more) * length for more in (0, 1))
            first, last = (max(0, round((time - 0.0125) * 100)) for time in (start, end))
            found[first : max(last, first + 1)] = number(unit, one.token)
    return found


class Shard(msgspec.Struct, frozen=True):
    """Many utterances in a row.

    It has the features (half precision), the unit by frame, and the first frame of each utterance and the end.
    """

    frames: npt.NDArray[np.float16]
    labels: Labels
    starts: npt.NDArray[np.int64]


def save(path: Path, utterances: Sequence[tuple[Frames, Labels]]) -> None:
    """Write a shard."""
    starts = np.cumsum([0, *(len(frames) for frames, _ in utterances)])
    np.savez(
        path,
        frames=np.concatenate([frames for frames, _ in utterances]).astype(np.float16),
        labels=np.concatenate([labels for _, labels in utterances]),
        starts=starts,
    )


def load(path: Path) -> Shard:
    """Read a shard."""
    with np.load(path) as found:
        return Shard(found["frames"], found["labels"], found["starts"])
