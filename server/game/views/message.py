"""What every message to a station is."""

from __future__ import annotations

import msgspec

from server.game.values.words import snake_case


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=snake_case):
    """Anything a station is told."""
