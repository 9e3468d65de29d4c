"""The utterances of the player who wears an open microphone. Pure.

An adaptive noise floor and the player's own level decide, not a model of speech: in a playing hall it is all speech.
WebRTC's detector at its strictest took 9 of 40 announcements whole and by itself in 20 dB babble,
none in 10 dB and none beside a neighbour 16 dB below the player; this took all 40 (tests/bench/voice_activity.py).
"""

from __future__ import annotations

from collections import deque
from importlib.resources.abc import Traversable
from typing import Annotated

import msgspec
import numpy as np

from speech.audio.frames import FRAME_BYTES, FRAME_SAMPLES
from speech.audio.level import FAINTEST_DBFS, level_of
from speech.words.config_file import read_source

FRAME_MS = 20
_LEAST_HISTORY = 50
"""Frames (1 s) until the floor is known; until then the player's own level decides alone."""

Db = Annotated[float, msgspec.Meta(ge=0, le=60)]
Ms = Annotated[int, msgspec.Meta(ge=20, le=30_000)]
Frames = Annotated[int, msgspec.Meta(ge=1, le=50)]


class ActivitySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of `config/voice_activity.toml`.

    Levels are in dB, times in ms, frames are 20 ms long.
    """

    above_floor_db: Db
    below_own_db: Db
    floor_ms: Ms
    floor_share: Annotated[float, msgspec.Meta(gt=0, lt=1)]
    begin_frames: Frames
    begin_window: Frames
    hangover_ms: Ms
    preroll_ms: Ms
    longest_ms: Ms


class VoicedPiece(msgspec.Struct, frozen=True):
    """Piece of 20 ms of an utterance.

    `begins`, `ends`: it is the first or the last. `muted`: our own voice sounded meanwhile.
    """

    pcm: bytes
    begins: bool = False
    ends: bool = False
    muted: bool = False


def load_activity(root: Traversable | None = None) -> ActivitySettings:
    """Read `config/voice_activity.toml`. Raises Complaint that names the file and the key."""
    source = read_source("voice_activity.toml", root)
    found = source.in_shape(ActivitySettings)
    if found.begin_frames > found.begin_window:
        raise source.complain("begin_frames", "it must not be above begin_window")
    return found


class Activity:
    """Detector of utterances: an open microphone's sound goes in, their frames come out.

    The sound may come in pieces of any length (mono s16le, 16 kHz).
    """

    def __init__(self, own_dbfs: float, settings: ActivitySettings) -> None:
        """`own_dbfs`: how loud the player speaks into this microphone (`Levels.speech_dbfs`)."""
        self._settings = settings
        self._least = own_dbfs - settings.below_own_db
        self._rest = b""
        self._history: deque[float] = deque(maxlen=max(_LEAST_HISTORY, settings.floor_ms // FRAME_MS))
        self._before: deque[VoicedPiece] = deque(maxlen=settings.preroll_ms // FRAME_MS + settings.begin_window)
        self._window: deque[bool] = deque(maxlen=settings.begin_window)
        self._frames = 0  # of the utterance under way, 0 for none
        self._quiet = 0  # frames in a row
        self._too_long = False  # nothing is taken until it was quiet

    @property
    def open(self) -> bool:
        """Return whether an utterance is under way."""
        return self._frames > 0

    def take(self, pcm: bytes, *, muted: bool = False) -> list[VoicedPiece]:
        """Take some sound; return the frames that became part of an utterance.

        `muted`: our own voice sounds, and nobody else is listened to.
        """
        self._rest += pcm
        found: list[VoicedPiece] = []
        while len(self._rest) >= FRAME_BYTES:
            frame, self._rest = self._rest[:FRAME_BYTES], self._rest[FRAME_BYTES:]
            found += self._frame(frame, muted)
        return found

    def _frame(self, frame: bytes, muted: bool) -> list[VoicedPiece]:
        level = FAINTEST_DBFS if muted else level_of(frame)
        loud = not muted and self._loud(level)
        if not muted:
            self._history.append(level)
        self._quiet = 0 if loud else self._quiet + 1
        ended = self._quiet * FRAME_MS >= self._settings.hangover_ms
        if self._frames:
            self._frames += 1
            self._too_long = not ended and self._frames * FRAME_MS >= self._settings.longest_ms
            ended = ended or self._too_long
            if ended:
                self._frames = 0
                self._window.clear()
                self._before.clear()
            return [VoicedPiece(frame, ends=ended, muted=muted)]
        self._too_long = self._too_long and not ended
        self._before.append(VoicedPiece(frame, muted=muted))
        self._window.append(loud and not self._too_long)
        if sum(self._window) < self._settings.begin_frames:
            return []
        begun = [*self._before]
        self._before.clear()
        self._frames = len(begun)
        return [msgspec.structs.replace(begun[0], begins=True), *begun[1:]]

    def _loud(self, level: float) -> bool:
        if level < self._least:
            return False
        if len(self._history) < _LEAST_HISTORY:
            return True
        floor = float(np.quantile(np.fromiter(self._history, float), self._settings.floor_share))
        return level >= floor + self._settings.above_floor_db


assert FRAME_SAMPLES * 1000 == FRAME_MS * 16_000
