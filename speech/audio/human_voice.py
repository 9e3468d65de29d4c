"""Whether somebody speaks into a microphone whose key is held. Pure.

While somebody does, the ears of the table hear nothing else. A held key without a voice must not keep everybody's
announcements back, so the sound decides; the first second counts as speech, because the person who presses the key is
about to speak.
"""

from __future__ import annotations

QUIET_MS = 1_000
"""Quiet for longer than this is not a pause between two words any more."""
ABOVE_FLOOR_DB = 10.0
FAINTEST_DBFS = -60.0
_RISE_DB_A_S = 3.0


class HumanVoice:
    """Watch over one utterance as it comes, by the level of each piece."""

    def __init__(self) -> None:
        self.speaks = True
        self.heard = False
        """Whether any voice was heard yet."""
        self._floor: float | None = None
        self._quiet_ms = 0

    def take(self, level_dbfs: float, ms: int) -> bool:
        """Take the level of the next `ms`; return whether the person speaks."""
        floor = level_dbfs if self._floor is None else min(level_dbfs, self._floor + _RISE_DB_A_S * ms / 1000)
        self._floor = floor
        loud = level_dbfs >= max(FAINTEST_DBFS, floor + ABOVE_FLOOR_DB)
        self._quiet_ms = 0 if loud else self._quiet_ms + ms
        if loud:
            self.speaks = self.heard = True
        elif self._quiet_ms >= QUIET_MS:
            self.speaks = False
        return self.speaks
