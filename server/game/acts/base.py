"""This file holds the common base of all commands and events, and the value forms checked on entry."""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.game.values.words import snake_case

Text = Annotated[str, msgspec.Meta(max_length=400)]
Name = Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[A-Za-z0-9_.:-]*\Z")]
# Two different squares; a promotion piece on the last rank only.
Uci = Annotated[str, msgspec.Meta(pattern=r"^(?!(..)\1)[a-h][1-8][a-h](?:[1-8]|[18][nbrq])\Z")]
Placement = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[1-8pnbrqkPNBRQK/]+\Z")]
Square = Annotated[str, msgspec.Meta(pattern=r"^[a-h][1-8]\Z")]
Ms = Annotated[int, msgspec.Meta(ge=0, le=360_000_000)]
Count = Annotated[int, msgspec.Meta(ge=0, le=600)]
PeriodNumber = Annotated[int, msgspec.Meta(ge=0, le=8)]


class Body(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag=snake_case):
    """This is the body of a command."""


VERSION = 1


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=snake_case):
    """This is anything that happened; `at` is ms of this run."""

    at: int
