"""One take at a microphone, followed to its end, and how good it is. Pure.

A take begins when our own voice has ended. Voice activity or the volunteer ends it. One word says what becomes of it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from speech.audio.frames import FRAME_BYTES
from speech.audio.level import FAINTEST_DBFS, QUIET_DBFS, Finding, finding, level_of, levels
from speech.audio.vad import FRAME_MS, Activity, ActivitySettings

Judgement = Literal["good", "noisy", "soft", "loud", "empty", "long"]
USABLE: tuple[Judgement, ...] = ("good", "noisy")
"""Judgements that need no repetition: noise is the room's, and belongs to the figures."""
_WORDS: dict[Finding, Judgement] = {
    "good": "good",
    "noisy": "noisy",
    "quiet": "soft",
    "clipped": "loud",
    "silent": "empty",
}

PATIENCE_MS = 8_000
"""Silence after which a take is empty."""
LONGEST_MS = 15_000
"""No announcement lasts longer; what does has no end that could be heard."""
PAUSE_MS = 1_200
"""A pause that ends a take; longer than in play, so that nobody's announcement is cut in two."""
KEPT_PAUSE_MS = 600
"""Part of that pause that stays in the recording, as in play."""
SHORTEST_MS = 160
"""Sound of less than this is a key or a knock and no word."""
WITHIN_DB = 20.0
"""Frames so far below the speech belong to it."""
_MS_BYTES = FRAME_BYTES // FRAME_MS


class Patience(msgspec.Struct, frozen=True):
    """How long a take waits for a voice, and how long it may last, in ms."""

    silent_ms: int = PATIENCE_MS
    longest_ms: int = LONGEST_MS


def take_activity(settings: ActivitySettings, patience: Patience) -> Activity:
    """Return the voice activity for takes: longer pauses than in play, and a voice as soft as may just be kept."""
    slower = msgspec.structs.replace(settings, hangover_ms=PAUSE_MS, longest_ms=patience.longest_ms)
    return Activity(QUIET_DBFS, slower)


class Take:
    """Take that is fed the microphone's frames from the end of the prompt on, until it is over."""

    def __init__(self, activity: Activity, patience: Patience) -> None:
        """`activity` goes on from take to take, because it knows the noise of the room."""
        self._activity = activity
        self._patience = patience
        self._all = bytearray()
        self._said: bytearray | None = None
        self._over = False
        self._frames = 0  # of the utterance, what was muted too
        self._cut = False
        self._by_silence = False
        # What was said before the prompt ended is forgotten: so much muted sound ends any utterance.
        activity.take(bytes(FRAME_BYTES * (2 * PAUSE_MS // FRAME_MS)), muted=True)

    @property
    def over(self) -> bool:
        """Return whether the take needs no more sound."""
        return self._over

    @property
    def heard_ms(self) -> int:
        """Return how much sound came, in ms."""
        return len(self._all) // _MS_BYTES

    def feed(self, frame: bytes) -> bool:
        """Take some sound (mono s16le, 16 kHz); return whether the take is over."""
        if self._over:
            return True
        self._all += frame
        for piece in self._activity.take(frame):
            self._frames += 1
            if piece.muted:
                continue
            if self._said is None:
                self._said = bytearray()
            self._said += piece.pcm
            if piece.ends:
                self._over = True
                self._cut = self._frames * FRAME_MS >= self._patience.longest_ms
                self._by_silence = not self._cut
        if self._said is None and len(self._all) >= self._patience.silent_ms * _MS_BYTES:
            self._over = True
        return self._over

    def end(self) -> None:
        """End the take: the volunteer has said so."""
        self._over = True

    @property
    def pcm(self) -> bytes:
        """Return what was said; all there is where no voice was noticed, since a soft one may be in it."""
        if self._said is None:
            return bytes(self._all)
        cut = (PAUSE_MS - KEPT_PAUSE_MS) * _MS_BYTES if self._by_silence else 0
        return bytes(self._said[: len(self._said) - cut])

    @property
    def judgement(self) -> Judgement:
        """Return one word about the take."""
        word = judge(self.pcm)
        return "long" if self._cut and word in USABLE else word


def judge(pcm: bytes) -> Judgement:
    """Return one word about a recording (mono s16le, 16 kHz); the worst finding comes first."""
    found = levels(pcm)
    word = _WORDS[finding(found)]
    if word == "empty" or spoken_ms(pcm, found.speech_dbfs) < SHORTEST_MS:
        return "empty"
    return word


def spoken_ms(pcm: bytes, speech_dbfs: float) -> int:
    """Return how many ms of the sound are about as loud as its speech."""
    least = max(FAINTEST_DBFS + 1.0, speech_dbfs - WITHIN_DB)
    frames = range(0, len(pcm) - FRAME_BYTES + 1, FRAME_BYTES)
    return FRAME_MS * sum(level_of(pcm[place : place + FRAME_BYTES]) >= least for place in frames)


class Talk:
    """Free speech, cut into utterances where the program itself would cut, with a count of how much was spoken."""

    def __init__(self, settings: ActivitySettings) -> None:
        self._activity = Activity(QUIET_DBFS, settings)
        self._under_way = bytearray()

    def feed(self, frame: bytes) -> bytes | None:
        """Take some sound; return an utterance when it has just ended."""
        for piece in self._activity.take(frame):
            if piece.begins:
                self._under_way.clear()
            self._under_way += piece.pcm
            if piece.ends:
                return self.rest()
        return None

    def rest(self) -> bytes | None:
        """Return the utterance that is under way, where the talk ends in the middle of it."""
        pcm = bytes(self._under_way)
        self._under_way.clear()
        return pcm if pcm else None
