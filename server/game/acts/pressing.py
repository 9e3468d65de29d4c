"""The two buttons of a table that press the clock."""

from __future__ import annotations

from typing import Literal

from server.game.acts.event import Event


class PressKeysAsked(Event, frozen=True, kw_only=True):
    """The arbiter wants both buttons pressed once at this device; None: there are no such buttons any more."""

    where: Literal["white", "black", "display", "server"] | None


class PressKeysTold(Event, frozen=True, kw_only=True):
    """Both were pressed: which key is whose."""

    where: Literal["white", "black", "display", "server"]
    white: str
    black: str


PressKeyEvent = PressKeysAsked | PressKeysTold
