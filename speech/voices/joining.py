"""Phrases of several voices joined into one sound. Pure.

The engine's own silence is cut off; short even gaps stand between the phrases.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from speech.audio.sound import BYTES_PER_SAMPLE, Sound
from speech.voices.voice import Segment

SILENT_BELOW = 100
"""Samples under this magnitude (of 32768, -50 dB) count as silence at the edges."""
LEAD_MS = 20
TAIL_MS = 60
GAP_MS = 60


def merge_segments(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Join neighbours of one language and pace into one phrase; empty ones are dropped.

    One phrase sounds better and costs one rendering.
    """
    phrases: list[Segment] = []
    for segment in segments:
        text = " ".join(segment.text.split())
        if not text:
            continue
        manner = (segment.voice_language, segment.pace)
        if phrases and (phrases[-1].voice_language, phrases[-1].pace) == manner:
            phrases[-1] = Segment(f"{phrases[-1].text} {text}", *manner)
        else:
            phrases.append(Segment(text, *manner))
    return tuple(phrases)


def trim_silence(sound: Sound) -> Sound:
    """Return the sound without the silence at both ends; nothing is left of a silent sound."""
    loud = np.flatnonzero(np.abs(sound.array.astype(np.int32)) >= SILENT_BELOW)
    if loud.size == 0:
        return Sound(b"", sound.sample_rate)
    first, last = int(loud[0]), int(loud[-1]) + 1
    return Sound(sound.pcm[first * BYTES_PER_SAMPLE : last * BYTES_PER_SAMPLE], sound.sample_rate)


def join_sounds(sounds: Sequence[Sound]) -> Sound:
    """Return the sounds one after the other, trimmed, with short silences around them.

    The silences are `LEAD_MS` before, `GAP_MS` between and `TAIL_MS` after. All sounds must have one sample rate.
    Raises ValueError where they do not, or where there is none.
    """
    rates = {sound.sample_rate for sound in sounds}
    if len(rates) != 1:
        raise ValueError(f"sounds of one sample rate are joined, not of {sorted(rates)}")
    rate = rates.pop()
    heard = [sound.pcm for sound in map(trim_silence, sounds) if sound.pcm]
    return Sound(_silence(LEAD_MS, rate) + _silence(GAP_MS, rate).join(heard) + _silence(TAIL_MS, rate), rate)


def _silence(length_ms: int, sample_rate: int) -> bytes:
    return bytes(sample_rate * length_ms // 1000 * BYTES_PER_SAMPLE)
