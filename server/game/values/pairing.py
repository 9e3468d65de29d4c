"""A pairing as its player is told of it: board, colour, opponent, time, and the way to the table.

The organiser settles it; nothing of it depends on a position. Pure.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.game.values.words import Seat

DayTime = Annotated[str, msgspec.Meta(pattern=r"^((?:[01][0-9]|2[0-3]):[0-5][0-9])?\Z")]
"""A time of day, "15:00"; "" where nobody has said it."""
PlayerName = Annotated[str, msgspec.Meta(max_length=120)]
Way = Annotated[str, msgspec.Meta(max_length=400)]
"""How a player finds the table, in the organiser's own words."""


class OwnPairing(msgspec.Struct, frozen=True, kw_only=True):
    """One player's pairing: where, with which colour, against whom and when.

    `round`: as the event numbers it. `board`: its number in the round, 0 for none. `table`: the name of the table here,
    "" where the table itself answers.
    """

    table: str
    round: str
    board: int
    seat: Seat
    opponent: str
    starts: str = ""
    way: str = ""

    def replaces(self, other: OwnPairing | None) -> bool:
        """Return whether the player was told another pairing of the same round before."""
        return other is not None and other.round == self.round and other != self
