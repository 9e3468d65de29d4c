"""A time under a minute is said as it will be when the phrase ends (D.2.6.1). Pure: the length is given."""

from __future__ import annotations

from server.game.values.clock import ChessClock
from server.game.values.words import Seat

SPOKEN_AHEAD_MS = 60_000
"""From this time on downwards a second more or less is heard."""


def time_at_end(clock: ChessClock, seat: Seat, begins: int, length_ms: int) -> int:
    """What the display of a seat will show (ms, not below zero) when a phrase of `length_ms` ends that `begins` then.

    Above a minute it is what it shows at the beginning: nobody hears a second there, and the phrase is the same for
    longer. `begins` is ms of this run.
    """
    now = clock.remaining(seat, begins)
    if now >= SPOKEN_AHEAD_MS:
        return now
    return max(0, clock.remaining(seat, begins + length_ms))


def still_true(told_ms: int, clock: ChessClock, seat: Seat, begins: int, length_ms: int) -> bool:
    """Whether this time names the right second at the end of a phrase that begins then; above a minute, always."""
    if clock.remaining(seat, begins) >= SPOKEN_AHEAD_MS:
        return True
    return told_ms // 1000 == time_at_end(clock, seat, begins, length_ms) // 1000
