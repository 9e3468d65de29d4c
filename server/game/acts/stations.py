"""Two buttons on one device of the table, one for each player's reach: a physical press for who has no station."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body

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
