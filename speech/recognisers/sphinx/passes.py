"""This module runs pocketsphinx while the speaker speaks.

There is one decoder a speed, and a loop of phones beside them, fed as sound comes. The mean of the features, which
batch decoding takes from the whole utterance, is taken here from its first half second of speech, as the level is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from speech.recognisers.levelling import Estimate
from speech.recognisers.live_speech import LiveSpeech, Span
from speech.recognisers.preparing import PAD_S
from speech.recognisers.warp import Warp

FARTHER = 6.5
"""If the mean was wrong by so much (root of the mean square over its coefficients except the first), begin again."""


class LivePasses(LiveSpeech):
    """A `LivePasses` is one utterance: `feed` it, `finish` it, then ask the decoders what they heard."""

    def __init__(self, speeds: Sequence[float], decoders: Sequence[Any], loop: Any, means: Any) -> None:
        """`loop`: listens to the first speed beside its decoder. `means`: a decoder that only makes features."""
        super().__init__(speeds)
        self._decoders = decoders
        self._loop = loop
        self._means = means
        self._mean: list[float] = []
        self._running = False

    def finish(self) -> bool:
        """End the utterance after the last sample; return whether there was any speech."""
        # The floor after the speech is decoded only now, but with half of it some passes do not reach the end of the
        # graph. A loop of phones needs no end.
        spoken = self._over(pad_all=False)
        self._end()
        return spoken

    def drop(self) -> None:
        """Drop the utterance, because nobody waits for its result any more."""
        self._end()

    def _was_wrong(self, span: Span, estimate: Estimate) -> bool:
        if super()._was_wrong(span, estimate):
            return True
        means = np.array(self._mean_of(span, estimate, 1.0)[1:])
        return bool(np.sqrt(((means - np.array(self._mean[1:])) ** 2).mean()) > FARTHER)

    def _open(self, span: Span, estimate: Estimate) -> Sequence[Warp]:
        self._end()
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
        self._running = True
        return warps

    def _mean_of(self, span: Span, estimate: Estimate, speed: float) -> list[float]:
        """Return the mean of the features of that speech after its pad."""
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
