"""The answer to a command, for the station that gave it."""

from __future__ import annotations

import msgspec


class OutcomeShown(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a command: done, or refused with the article. Says nothing about the position."""

    id: str
    ok: bool
    code: str = ""
    article: str = ""
