"""A saying is what the program tells the arbiter, as a key and values: its words are in `detail` of the catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import msgspec

from server.game.values.words import Seat


class Saying(msgspec.Struct, frozen=True):
    """Sentence of the catalogue by its key, with the values of its places.

    A value that is itself a word of the catalogue is a saying; all other text is the same in every language. Several
    values of one place stand side by side with commas.
    """

    key: str
    values: dict[str, Value] = {}  # a dict: a saying is not hashable


Value = str | int | Saying | tuple[str | int | Saying, ...]


def saying(key: str, /, **values: Value) -> Saying:
    """Return a saying; a seat among its values becomes the word for that player.

    >>> saying("calls", who=Seat.WHITE).values
    {'who': Saying(key='white', values={})}
    """
    said = {name: Saying(value.value) if isinstance(value, Seat) else value for name, value in values.items()}
    return Saying(key, said)


def players(seats: Sequence[Seat]) -> Saying:
    """Return the word for one player, or for both."""
    return saying("white_and_black") if len(seats) > 1 else Saying(seats[0].value)


def join_sayings(*parts: Saying) -> Saying:
    """Return several sayings one after the other, as one."""
    return reduce(lambda first, then: saying("and_then", first=first, then=then), parts)
