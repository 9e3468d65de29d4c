"""What every event is."""

from __future__ import annotations

import msgspec

from server.game.values.words import snake_case

VERSION = 1


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=snake_case):
    """Anything that happened; `at` is ms of this run."""

    at: int
