"""The clock of this computer is compared with a reference: a time server, or a clock that a person reads.

What is compared is the monotonic clock that every game clock counts by (`server/machine/clock.py`). A system clock that
no time server sets runs on the same crystal, so it is no reference; one that a time server sets is, as far as the
system follows it. `anna-eins approve` writes the comparison into its evidence.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Literal

import msgspec

from server.machine.clock import SOURCE, Clock

LOOK_MS = 60_000
_TIME_ERROR = 5
_ROOM_FOR_TIMEX = 512


class ClockCheck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One comparison, in ms: time gone by on the reference, and time counted by this computer.

    `limit_ms`: by how much they may differ. `farthest_ms`: the largest difference at any look meanwhile. `source`: the
    name of the system's clock that was compared.
    """

    reference: Literal["hand", "time_server"]
    reference_ms: int
    measured_ms: int
    limit_ms: int
    farthest_ms: int
    source: str = SOURCE

    @property
    def difference_ms(self) -> int:
        """Return how much more this computer counted than the reference (less where it is below zero)."""
        return self.measured_ms - self.reference_ms

    @property
    def passed(self) -> bool:
        """Say whether the difference stayed within the limit all the time."""
        return max(abs(self.difference_ms), self.farthest_ms) <= self.limit_ms


def set_by_time_server() -> bool | None:
    """Say whether a time server sets this computer's clock; None where the system does not tell (not Linux)."""
    if sys.platform == "linux":
        room = ctypes.create_string_buffer(_ROOM_FOR_TIMEX)  # struct timex, all zero: only read
        state = ctypes.CDLL(None).adjtimex(room)
        return None if state < 0 else state != _TIME_ERROR
    else:
        return None


async def beside_the_system(clock: Clock, minutes: int, limit_ms: int) -> ClockCheck:
    """Compare with the system's time, which a time server sets, and look once a minute, so that a step shows."""
    mono, wall, farthest = clock.mono_ms(), clock.wall_ms(), 0
    end = mono + minutes * 60_000
    while (now := clock.mono_ms()) < end:
        await clock.sleep_until(min(end, now + LOOK_MS))
        farthest = max(farthest, abs((clock.mono_ms() - mono) - (clock.wall_ms() - wall)))
    return ClockCheck(
        reference="time_server",
        reference_ms=clock.wall_ms() - wall,
        measured_ms=clock.mono_ms() - mono,
        limit_ms=limit_ms,
        farthest_ms=farthest,
    )


def pressed_by_hand(began: int, ended: int, minutes: int, limit_ms: int) -> ClockCheck:
    """Return the comparison with a clock that a person read: pressed at its beginning and `minutes` later (mono ms)."""
    reference, measured = minutes * 60_000, ended - began
    return ClockCheck(
        reference="hand",
        reference_ms=reference,
        measured_ms=measured,
        limit_ms=limit_ms,
        farthest_ms=abs(measured - reference),
    )
