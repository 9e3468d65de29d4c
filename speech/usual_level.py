"""How loud a seat's own player usually is: what comes much softer may be another table's announcement. Pure.

A microphone at a board hears the next tables too, 6 to 12 dB below its own player. With nobody speaking into it while
the key is held, their announcement is all there is, and as clear as any. It is a function of the sounds alone.
"""

from __future__ import annotations

import statistics

import msgspec

FAR_DB = 4.5
"""Softer than usual by more than this is asked again: other tables are 6 dB and more below; a player seldom is."""
KNOWN_AFTER = 3
"""Utterances after which a player's level is known."""
REMEMBERED = 9
SAME_DB = 3.0
"""Said again within this of the sound that was asked back: then it is he, who speaks more softly now."""
UNKNOWN_DBFS = -90.0
"""Below this no level was measured."""


class UsualLevel(msgspec.Struct, frozen=True):
    """The levels (dBFS of the speech) of the last utterances taken; `doubted`: of one that was asked again."""

    taken: tuple[float, ...] = ()
    doubted: float | None = None

    def far_below(self, dbfs: float) -> bool:
        """Whether this is softer than the player ever is, and he has not just been asked at the same level."""
        if dbfs < UNKNOWN_DBFS or len(self.taken) < KNOWN_AFTER:
            return False
        if self.doubted is not None and abs(dbfs - self.doubted) <= SAME_DB:
            return False
        return dbfs < statistics.median(self.taken) - FAR_DB

    def after_asking(self, dbfs: float) -> UsualLevel:
        """He was asked to say it again."""
        return UsualLevel(self.taken, dbfs)

    def after_taking(self, dbfs: float) -> UsualLevel:
        """An utterance of this level was taken; one after a doubt begins a new usual level."""
        if dbfs < UNKNOWN_DBFS:
            return self
        if self.doubted is not None and abs(dbfs - self.doubted) <= SAME_DB:
            return UsualLevel((dbfs,) * KNOWN_AFTER)
        return UsualLevel((*self.taken, dbfs)[-REMEMBERED:])
