"""Two buttons on one device of the table, one for each player's reach: a physical press for who has no station.

How much later the displays of a table show the game (6.12.1).

The two buttons of a table that press the clock.

How much later the displays of a table show the game.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body, Event

Key = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_+-]{1,40}\Z")]
At = Literal["white", "black", "display", "server"]


class LearnPressKeys(Body, frozen=True, kw_only=True):
    """The arbiter says at which device the two buttons are; there each is pressed once, White's first.

    `at`: the stations of that player, of a display, or the server's own machine; None: there are none any more.
    """

    at: At | None


class TellPressKeys(Body, frozen=True, kw_only=True):
    """At that device both buttons were pressed: each key by its place on a keyboard ("F13", "NumpadAdd")."""

    white: Key
    black: Key


class PressKey(Body, frozen=True, kw_only=True):
    """One of the two was pressed: it is that player's press of the clock (6.2.1, L049)."""

    key: Key


Seconds = Annotated[int, msgspec.Meta(ge=0, le=3_600)]
Display = Annotated[str, msgspec.Meta(max_length=64)]


class DelayDisplay(Body, frozen=True, kw_only=True):
    """The arbiter has a display show what stood `delay_s` seconds ago, and never anything later.

    `station`: this display alone, as the one at the table for an opponent who does not hear; "": all that have no
    delay of their own, those that come later too.
    """

    delay_s: Seconds
    station: Display = ""


class PressKeysAsked(Event, frozen=True, kw_only=True):
    """The arbiter wants both buttons pressed once at this device; None: there are no such buttons any more."""

    where: Literal["white", "black", "display", "server"] | None


class PressKeysTold(Event, frozen=True, kw_only=True):
    """Both were pressed: which key is whose."""

    where: Literal["white", "black", "display", "server"]
    white: str
    black: str


PressKeyEvent = PressKeysAsked | PressKeysTold


class DisplayDelayed(Event, frozen=True, kw_only=True):
    """From now on this display (`station` "": all without a delay of their own) shows what stood so long ago."""

    station: str
    delay_s: int
