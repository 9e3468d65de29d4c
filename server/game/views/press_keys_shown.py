"""What the device at which the two buttons are is told of them."""

from __future__ import annotations

from typing import Literal

from server.game.views.message import Message


class PressKeysShown(Message, frozen=True, kw_only=True):
    """`learn`: White's button is to be pressed, then Black's; `known`: these keys press the clock; `none` does here."""

    stage: Literal["learn", "known", "none"]
    white: str = ""
    black: str = ""
