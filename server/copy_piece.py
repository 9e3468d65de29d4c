"""One piece of the copy of a record (see `held_copy`), as it goes over the wire and stands in a file."""

from __future__ import annotations

import msgspec


class Piece(msgspec.Struct, frozen=True):
    """The events `first` to `last` of the table, sealed (base64)."""

    first: int
    last: int
    sealed: str
