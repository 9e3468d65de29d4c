"""The speech of one utterance, handed to an engine's decoders while it is spoken.

All engines share this part. What must be known before the first sample is heard (its level, and more for some
engines) is taken from the first half second of speech. When what comes later shows that this was wrong, the decoders
begin again and catch up: a little at a time, so that the others who speak need not wait. What is handed to them, and in
which pieces, depends on the sound alone; only when depends on the time that it takes.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence

import numpy as np

from speech.recognisers.levelling import ENOUGH, Estimate, Levelling
from speech.recognisers.preparing import PAD_S
from speech.recognisers.warp import Warp

LOUDER_DB = 3.0
"""If the level was wrong by more than this, the decoders begin again."""

LOOKED_AT = (100, 200, 400, 800)
"""After so many frames of speech, and at the end, it is checked whether all that was right."""

LONGEST_SPEECH = 1_200
"""So many frames of speech are heard, 12 s; no announcement is longer. Half a minute without one word that is certain
kept decoders busy for a minute, each piece longer than the one before it."""

SHORT = 400
AT_ONCE = 5
"""Frames in one piece, when decoders that begin again catch up on what they missed."""
WORK_S = 0.05
"""After so much work the next piece waits until the others who speak had their turn."""

Span = tuple[int, int]
"""First frame of the speech and the one after its last, frames of 10 ms."""


class LiveSpeech(ABC):
    """One utterance: `feed` it.

    The engine's subclass says how its decoders begin, and what they find at the end.
    """

    def __init__(self, speeds: Sequence[float]) -> None:
        self._speeds = speeds
        self._sound = Levelling()
        self._estimate: Estimate | None = None
        self._handed = 0
        self._due: deque[int] = deque()  # the end of each piece that is still to be handed out
        self._ended = False
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
        self._hand_out(WORK_S)

    @property
    def is_short(self) -> bool:
        """Say whether it is as short as announcements are: then it is no burden to end it in one go."""
        return self._handed - (self._estimate.first if self._estimate is not None else 0) <= SHORT

    def goes_on(self) -> bool:
        """End the utterance, do some of what is left to do, and say whether more is left."""
        self._end_of_sound()
        if len(self._due) > 2:
            self._hand_out(WORK_S)
        return len(self._due) > 2

    @abstractmethod
    def drop(self) -> None:
        """Drop the utterance, because nobody waits for its result any more."""

    @abstractmethod
    def _open(self, span: Span, estimate: Estimate) -> Sequence[Warp]:
        """Return fresh decoders, one a speed, for speech of this level."""

    def _was_wrong(self, span: Span, estimate: Estimate) -> bool:
        """Return whether the speech so far is not what the decoders were begun for."""
        return self._sound.estimate(span).louder_than(estimate) > LOUDER_DB

    def _over(self) -> bool:
        """Hand out all of the speech, after the last sample; return False where there was none."""
        self._end_of_sound()
        span = self._span
        if span is None:
            self.drop()
            return False
        self._hand_out()
        self.frames = span[1] - span[0]
        for warp in self.warps:
            warp.put(np.zeros(0, np.float32), last=True)
            warp.pad(PAD_S)
        return True

    def _end_of_sound(self) -> None:
        """Look at what is left of the sound, once."""
        if self._ended:
            return
        self._ended = True
        while self._sound.look(over=True):
            pass
        span = self._span
        if span is None:
            self._due.clear()
            return
        if self._estimate is None or self._was_wrong(span, self._estimate):
            self._begin(span)
        self._due_to(span)

    @property
    def _span(self) -> Span | None:
        """Return where the speech is, as far as it is heard."""
        span = self._sound.span
        return None if span is None else (span[0], min(span[1], span[0] + LONGEST_SPEECH))

    def _go_on(self) -> None:
        span = self._span
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
        self._due_to(span)

    def _begin(self, span: Span) -> None:
        self.restarts += self._estimate is not None
        self._estimate = self._sound.estimate(span)
        self._handed = span[0]
        self._due.clear()
        if span[1] - span[0] > 2 * ENOUGH:
            self._due.extend(range(span[0] + AT_ONCE, span[1], AT_ONCE))
        self.warps = tuple(self._open(span, self._estimate))

    def _due_to(self, span: Span) -> None:
        if span[1] > (self._due[-1] if self._due else self._handed):
            self._due.append(span[1])

    def _hand_out(self, seconds: float | None = None) -> None:
        """Hand out what is due, a piece at least; nothing more after so much work."""
        until = None if seconds is None else time.monotonic() + seconds
        while self._due:
            assert self._estimate is not None
            end = self._due.popleft()
            speech = self._sound.speech(self._handed, end, self._estimate)
            self._handed = end
            for warp in self.warps:
                warp.put(speech)
            if until is not None and time.monotonic() >= until:
                return
