"""Whether somebody speaks into a microphone whose key is held: for the ears of the table, which then hear nothing else.

A held key without a voice may not keep everybody's announcements back, so the sound decides, and the first second is
taken for speech: whoever presses the key is about to. Pure.
"""

from __future__ import annotations

QUIET_MS = 1_000
"""Quiet for so long is no pause between two words any more."""
ABOVE_FLOOR_DB = 10.0
FAINTEST_DBFS = -60.0
_RISE_DB_A_S = 3.0


class HumanVoice:
    """One utterance as it comes, by the level of each piece."""

    def __init__(self) -> None:
        self.speaks = True
        self._floor: float | None = None
        self._quiet_ms = 0

    def take(self, level_dbfs: float, ms: int) -> bool:
        """The level of the next `ms`; whether he speaks."""
        floor = level_dbfs if self._floor is None else min(level_dbfs, self._floor + _RISE_DB_A_S * ms / 1000)
        self._floor = floor
        loud = level_dbfs >= max(FAINTEST_DBFS, floor + ABOVE_FLOOR_DB)
        self._quiet_ms = 0 if loud else self._quiet_ms + ms
        if loud:
            self.speaks = True
        elif self._quiet_ms >= QUIET_MS:
            self.speaks = False
        return self.speaks
