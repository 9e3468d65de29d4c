"""Our own model while the speaker speaks: one decoder a speed, fed as sound comes.

The network hears 40 MFCC without any mean taken off, so all that must be known before is the level.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from speech.recognisers.levelling import Estimate
from speech.recognisers.live_speech import LiveSpeech, Span
from speech.recognisers.preparing import PAD_S
from speech.recognisers.warp import Warp

EARLIER = 20
"""If the speech began so many frames elsewhere, the decoders begin again."""

TOLD_FROM, TOLD_EVERY = 80, 10
"""After the first number of frames of speech, and then every so many frames, it is told what is heard so far."""


class _Ear:
    """A `KaldiRecognizer` that takes sound as a `Warp` gives it."""

    def __init__(self, recogniser: Any) -> None:
        self.recogniser = recogniser

    def process_raw(self, pcm: bytes) -> None:
        self.recogniser.AcceptWaveform(pcm)


class LiveHearings(LiveSpeech):
    """One utterance: `feed` it, `finish` it, then ask the decoders what they heard."""

    def __init__(self, speeds: Sequence[float], fresh: Callable[[], Any]) -> None:
        """`fresh` gives a new decoder for one hearing."""
        super().__init__(speeds)
        self._fresh = fresh
        self._ears: list[_Ear] = []
        self._told_at = 0

    def finish(self) -> list[Any]:
        """Return the decoders, one a speed, after the last sample; none where there was no speech."""
        return [ear.recogniser for ear in self._ears] if self._over() else []

    def so_far(self) -> list[str] | None:
        """Return the words that each decoder thinks likeliest by now; None where that was asked a moment ago.

        What is heard at the end does not depend on it.
        """
        if self._estimate is None or self._handed - self._estimate.first < TOLD_FROM:
            return None
        if abs(self._handed - self._told_at) < TOLD_EVERY:
            return None
        self._told_at = self._handed
        return [str(json.loads(ear.recogniser.PartialResult()).get("partial", "")) for ear in self._ears]

    def drop(self) -> None:
        """Drop the utterance, because nobody waits for its result any more."""
        self._ears, self.warps = [], ()

    def _was_wrong(self, span: Span, estimate: Estimate) -> bool:
        return super()._was_wrong(span, estimate) or abs(span[0] - estimate.first) > EARLIER

    def _open(self, span: Span, estimate: Estimate) -> Sequence[Warp]:
        self._ears = [_Ear(self._fresh()) for _ in self._speeds]
        warps = [Warp(speed, [ear]) for speed, ear in zip(self._speeds, self._ears, strict=True)]
        for warp in warps:
            warp.pad(PAD_S)
        return warps
