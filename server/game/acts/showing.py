"""How much later the displays of a table show the game (6.12.1)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.game.acts.base import Body

Seconds = Annotated[int, msgspec.Meta(ge=0, le=3_600)]
Display = Annotated[str, msgspec.Meta(max_length=64)]


class DelayDisplay(Body, frozen=True, kw_only=True):
    """The arbiter has a display show what stood `delay_s` seconds ago, and never anything later.

    `station`: this display alone, as the one at the table for an opponent who does not hear; "": all that have no
    delay of their own, those that come later too.
    """

    delay_s: Seconds
    station: Display = ""
