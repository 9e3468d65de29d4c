"""How much later the displays of a table show the game."""

from __future__ import annotations

from server.game.acts.event import Event


class DisplayDelayed(Event, frozen=True, kw_only=True):
    """From now on this display (`station` "": all without a delay of their own) shows what stood so long ago."""

    station: str
    delay_s: int
