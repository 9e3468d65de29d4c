"""pocketsphinx while the speaker speaks: one decoder a speed, and a loop of phones beside them, fed as sound comes.

The mean of the features, which batch decoding takes from the whole utterance, is taken here from its first half second;
when what comes later shows that the level or the mean were wrong, the decoders begin again and catch up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from speech.recognisers.levelling import ENOUGH, Estimate, Levelling
from speech.recognisers.preparing import PAD_S
from speech.recognisers.warp import Warp

END_PAD_S = PAD_S
"""Seconds of the floor alone after the speech. It is decoded only when the last sample is in, but with half of it some
passes do not reach the end of the graph."""

LOUDER_DB = 3.0
"""The level was wrong by so much: begin again."""

FARTHER = 6.5
"""The mean was wrong by so much (root of the mean square over its coefficients but the first): begin again."""

LOOKED_AT = (100, 200, 400, 800)
"""After so many frames, and at the end, it is seen whether level and mean were right."""


class LivePasses:
    """One utterance: `feed` it, then `finish` it and ask the decoders what they heard."""

    def __init__(self, speeds: Sequence[float], decoders: Sequence[Any], loop: Any, means: Any) -> None:
        """`loop`: listens to the first speed beside its decoder. `means`: a decoder that only makes features."""
        self._speeds = speeds
        self._decoders = decoders
        self._loop = loop
        self._means = means
        self._sound = Levelling()
        self._estimate: Estimate | None = None
        self._mean: list[float] = []
        self._handed = 0
        self._to_look_at = list(LOOKED_AT)
        self._running = False
        self.warps: tuple[Warp, ...] = ()
        self.restarts = 0

    def feed(self, pcm: bytes) -> None:
        """Some more samples."""
        self._sound.take(pcm)
        while self._sound.look():
            self._go_on()

    def finish(self) -> bool:
        """The last sample is in; whether there was any speech."""
        while self._sound.look(over=True):
            pass
        span = self._sound.span
        if span is None:
            self.drop()
            return False
        if self._estimate is None or self._was_wrong(span):
            self._begin(span)
        self._hand_out(span)
        for warp in self.warps:
            warp.put(np.zeros(0, np.float32), last=True)
            warp.pad(END_PAD_S, last=True)
        self._end()
        return True

    def drop(self) -> None:
        """Nobody wants to know any more."""
        self._end()

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
        now = self._sound.estimate(span)
        if now.louder_than(self._estimate) > LOUDER_DB:
            return True
        means = np.array(self._mean_of(span, self._estimate, 1.0)[1:])
        return bool(np.sqrt(((means - np.array(self._mean[1:])) ** 2).mean()) > FARTHER)

    def _begin(self, span: tuple[int, int]) -> None:
        self._end()
        self.restarts += self._estimate is not None
        self._estimate = estimate = self._sound.estimate(span)
        self._handed = estimate.first
        warps = []
        for place, (speed, decoder) in enumerate(zip(self._speeds, self._decoders, strict=True)):
            mean = self._mean_of(span, estimate, speed)
            decoders = [decoder] if place else [decoder, self._loop]
            for one in decoders:
                one.start_stream()  # nothing that was heard before may colour this one
                one.start_utt()
                one.set_cmn(",".join(f"{value:.3f}" for value in mean))
            if not place:
                self._mean = mean
            warps.append(Warp(speed, decoders))
            warps[-1].pad(PAD_S)
        self.warps = tuple(warps)
        self._running = True

    def _hand_out(self, span: tuple[int, int]) -> None:
        assert self._estimate is not None
        if span[1] <= self._handed:
            return
        speech = self._sound.speech(self._handed, span[1], self._estimate)
        self._handed = span[1]
        for warp in self.warps:
            warp.put(speech)

    def _mean_of(self, span: tuple[int, int], estimate: Estimate, speed: float) -> list[float]:
        """The mean of the features of that speech after its pad."""
        speech = self._sound.speech(span[0], span[1], estimate)
        warp = Warp(speed, ())
        warp.pad(PAD_S)
        warp.put(speech, last=True)
        self._means.start_stream()
        self._means.start_utt()
        self._means.process_raw(bytes(warp.pcm), no_search=True, full_utt=True)
        mean = [float(value) for value in self._means.get_cmn(False).split(",")]
        self._means.end_utt()
        return mean

    def _end(self) -> None:
        if self._running:
            for decoder in (*self._decoders, self._loop):
                decoder.end_utt()
            self._running = False
