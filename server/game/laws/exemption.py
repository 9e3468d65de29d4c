"""Who need not keep score, and who must bring it up to date (8.4, 8.5; L094-L096)."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.game.values.words import Seat

FEWER_THAN_MS = 5 * 60_000
INCREMENT_FROM_MS = 30_000


class Exemption(msgspec.Struct, frozen=True):
    """One player's exemption: the clock period (from 0) for the rest of which he need not record; None for none."""

    period: int | None = None

    def holds(self, period: int) -> bool:
        """Whether he is exempt in this period. A new period ends it: then the score is brought up to date."""
        return self.period == period


def exempted(exemption: Exemption, period: int, remaining_ms: int, increment_ms: int) -> Exemption:
    """The exemption after a reading of the player's own clock: fewer than five minutes, no increment of 30 s or more.

    It stays until the period ends even if the time rises again.
    """
    if exemption.holds(period):
        return exemption
    if remaining_ms < FEWER_THAN_MS and increment_ms < INCREMENT_FROM_MS:
        return Exemption(period)
    return Exemption()


class UpdateDuty(msgspec.Struct, frozen=True):
    """After a flag has fallen: the article, who must complete his score, and before what.

    "before_play": the arbiter stops the clock, both complete their scores before it runs again (8.5.1, 8.5.3);
    "before_moving": his clock runs on, he completes his score before he touches a piece (8.5.2).
    """

    article: str
    seats: tuple[Seat, ...]
    when: Literal["before_play", "before_moving"]


def update_duty(*, white_behind: bool, black_behind: bool, reconstructable: bool = True) -> UpdateDuty | None:
    """What 8.5 asks once a flag has fallen; None where both scores are complete.

    `reconstructable` False: the scores cannot be completed from each other or the arbiter's, so the game is
    reconstructed on another board under the arbiter's control (8.5.3).
    """
    behind = tuple(seat for seat, lacks in ((Seat.WHITE, white_behind), (Seat.BLACK, black_behind)) if lacks)
    if not behind:
        return None
    if not reconstructable:
        return UpdateDuty("8.5.3", (Seat.WHITE, Seat.BLACK), "before_play")
    if len(behind) == 2:
        return UpdateDuty("8.5.1", behind, "before_play")
    return UpdateDuty("8.5.2", behind, "before_moving")
