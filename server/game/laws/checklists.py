"""What is looked at before a game: boards, men, clock, sound, zones, devices (2.1-2.3, 6.5, 11.2, D.1)."""

from __future__ import annotations

from typing import Literal

import msgspec

Scope = Literal["board", "special_board", "table"]


class ChecklistItem(msgspec.Struct, frozen=True):
    """One thing to look at. `scope`: at each board, at each board of a player by touch, or once."""

    name: str
    article: str
    scope: Scope
    text: tuple[tuple[str, str], ...]
