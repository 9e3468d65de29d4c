"""Our own model while the speaker speaks: one decoder a speed, fed as the sound comes.

The network hears 40 MFCC without any mean taken off, so all that must be known before is the level. It is told from the
first half second of speech; when what comes later shows that it was wrong, the decoders begin again and catch up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from speech.recognisers.levelling import ENOUGH, Estimate, Levelling
from speech.recognisers.preparing import PAD_S
from speech.recognisers.warp import Warp

LOUDER_DB = 3.0
"""The level was wrong by so much: begin again."""

EARLIER = 20
"""Frames by which the speech began elsewhere: begin again."""

LOOKED_AT = (100, 200, 400, 800)
"""After so many frames of speech, and at the end, it is seen whether that was right."""


class _Ear:
    """A `KaldiRecognizer` that takes sound as a pocketsphinx decoder does."""

    def __init__(self, recogniser: Any) -> None:
        self.recogniser = recogniser

    def process_raw(self, pcm: bytes) -> None:
        self.recogniser.AcceptWaveform(pcm)


class LiveHearings:
    """One utterance: `feed` it, then `finish` it and ask the decoders what they heard."""

    def __init__(self, speeds: Sequence[float], fresh: Callable[[], Any]) -> None:
        """`fresh` gives a new decoder for one hearing."""
        self._speeds = speeds
        self._fresh = fresh
        self._sound = Levelling()
        self._estimate: Estimate | None = None
        self._handed = 0
        self._to_look_at = list(LOOKED_AT)
        self._ears: list[_Ear] = []
        self._warps: list[Warp] = []
        self.restarts = 0
        self.frames = 0
        """Length of the speech in 10 ms, when it is over."""

    def feed(self, pcm: bytes) -> None:
        """Some more samples, mono s16le at 16 kHz."""
        self._sound.take(pcm)
        while self._sound.look():
            self._go_on()

    def finish(self) -> list[Any]:
        """The last sample is in: the decoders, one a speed, none where there was no speech."""
        while self._sound.look(over=True):
            pass
        span = self._sound.span
        if span is None:
            self.drop()
            return []
        if self._estimate is None or self._was_wrong(span):
            self._begin(span)
        self._hand_out(span)
        self.frames = span[1] - span[0]
        for warp in self._warps:
            warp.put(np.zeros(0, np.float32), last=True)
            warp.pad(PAD_S)
        return [ear.recogniser for ear in self._ears]

    def drop(self) -> None:
        """Nobody wants to know any more."""
        self._ears, self._warps = [], []

    def _go_on(self) -> None:
        span = self._sound.span
        if span is None:
            return
        if self._estimate is None:
            if span[1] - span[0] < ENOUGH:
                return
            self._begin(span)
        elif self._to_look_at and span[1] - self._estimate.first >= self._to_look_at[0]:
            del self._to_look_at[0]
            if self._was_wrong(span):
                self._begin(span)
        self._hand_out(span)

    def _was_wrong(self, span: tuple[int, int]) -> bool:
        assert self._estimate is not None
        louder = self._sound.estimate(span).louder_than(self._estimate)
        return louder > LOUDER_DB or abs(span[0] - self._estimate.first) > EARLIER

    def _begin(self, span: tuple[int, int]) -> None:
        self.restarts += self._estimate is not None
        self._estimate = self._sound.estimate(span)
        self._handed = span[0]
        self._ears = [_Ear(self._fresh()) for _ in self._speeds]
        self._warps = [Warp(speed, [ear]) for speed, ear in zip(self._speeds, self._ears, strict=True)]
        for warp in self._warps:
            warp.pad(PAD_S)

    def _hand_out(self, span: tuple[int, int]) -> None:
        assert self._estimate is not None
        if span[1] <= self._handed:
            return
        speech = self._sound.speech(self._handed, span[1], self._estimate)
        self._handed = span[1]
        for warp in self._warps:
            warp.put(speech)
