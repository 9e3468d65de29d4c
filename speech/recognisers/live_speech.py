"""This module hands the speech of one utterance to an engine's decoders while it is spoken.

It is what all engines share. What must be known before the first sample is heard (its level, and more for some
engines) is taken from the first half second of speech. When what comes later shows that this was wrong, the decoders
begin again and catch up.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from speech.recognisers.levelling import ENOUGH, Estimate, Levelling
from speech.recognisers.preparing import PAD_S
from speech.recognisers.warp import Warp

LOUDER_DB = 3.0
"""If the level was wrong by more than this, the decoders begin again."""

LOOKED_AT = (100, 200, 400, 800)
"""After so many frames of speech, and at the end, it is checked whether all that was right."""

Span = tuple[int, int]
"""First frame of the speech and the one after its last, frames of 10 ms."""


class LiveSpeech(ABC):
    """A `LiveSpeech` is one utterance: `feed` it.

    The engine's subclass says how its decoders begin, and what they find at the end.
    """

    def __init__(self, speeds: Sequence[float]) -> None:
        self._speeds = speeds
        self._sound = Levelling()
        self._estimate: Estimate | None = None
        self._handed = 0
        self._to_look_at = list(LOOKED_AT)
        self.warps: tuple[Warp, ...] = ()
        self.restarts = 0
        self.frames = 0
        """Length of the speech in 10 ms, when it is over."""

    def feed(self, pcm: bytes) -> None:
        """Take some more samples, mono s16le at 16 kHz."""
        self._sound.take(pcm)
        while self._sound.look():
            self._go_on()

    @abstractmethod
    def drop(self) -> None:
        """Drop the utterance, because nobody waits for its result any more."""

    @abstractmethod
    def _open(self, span: Span, estimate: Estimate) -> Sequence[Warp]:
        """Return fresh decoders, one a speed, for speech of this level."""

    def _was_wrong(self, span: Span, estimate: Estimate) -> bool:
        """Return whether the speech so far is not what the decoders were begun for."""
        return self._sound.estimate(span).louder_than(estimate) > LOUDER_DB

    def _over(self, *, pad_all: bool) -> bool:
        """Hand out all of the speech, after the last sample; return False where there was none.

        `pad_all`: the floor after it goes to every decoder of a speed, else to the first alone.
        """
        while self._sound.look(over=True):
            pass
        span = self._sound.span
        if span is None:
            self.drop()
            return False
        if self._estimate is None or self._was_wrong(span, self._estimate):
            self._begin(span)
        self._hand_out(span)
        self.frames = span[1] - span[0]
        for warp in self.warps:
            warp.put(np.zeros(0, np.float32), last=True)
            warp.pad(PAD_S, last=not pad_all)
        return True

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
            if self._was_wrong(span, self._estimate):
                self._begin(span)
        self._hand_out(span)

    def _begin(self, span: Span) -> None:
        self.restarts += self._estimate is not None
        self._estimate = self._sound.estimate(span)
        self._handed = span[0]
        self.warps = tuple(self._open(span, self._estimate))

    def _hand_out(self, span: Span) -> None:
        assert self._estimate is not None
        if span[1] <= self._handed:
            return
        speech = self._sound.speech(self._handed, span[1], self._estimate)
        self._handed = span[1]
        for warp in self.warps:
            warp.put(speech)
