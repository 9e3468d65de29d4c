"""An electronic board of any maker says: lifted, placed, a snapshot, its clock, its link.

Untrusted: a driver makes these events of what came over a wire, and everything here is checked when it is decoded.
`at`: ms of this run, when it happened as far as the driver knows. Pieces are FEN letters, None where the board knows
occupancy alone.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.values.words import Seat

SquareName = Annotated[str, msgspec.Meta(pattern=r"^[a-h][1-8]\Z")]
PieceLetter = Annotated[str, msgspec.Meta(pattern=r"^[pnbrqkPNBRQK]\Z")]
Squares = Annotated[str, msgspec.Meta(pattern=r"^[pnbrqkPNBRQKx.]{64}\Z")]
ClockMs = Annotated[int, msgspec.Meta(ge=0, le=864_000_000)]


class Lifted(msgspec.Struct, frozen=True, tag="lifted"):
    """A piece left its square: evidence of a touch (D.2.2), never a penalty."""

    at: int
    square: SquareName
    piece: PieceLetter | None = None


class Placed(msgspec.Struct, frozen=True, tag="placed"):
    """A piece stands on a square that was empty."""

    at: int
    square: SquareName
    piece: PieceLetter | None = None


class Snapshot(msgspec.Struct, frozen=True, tag="snapshot"):
    """Whole board: 64 signs from a1, b1 to h8 (`server.boards.squares`)."""

    at: int
    squares: Squares


class ClockShown(msgspec.Struct, frozen=True, tag="clock"):
    """Reading of the board's own clock; `running`: whose time runs."""

    at: int
    white_ms: ClockMs
    black_ms: ClockMs
    running: Seat | None = None


class Link(msgspec.Struct, frozen=True, tag="link"):
    """State of the line to the board: up, down, or stale (connected and silent)."""

    at: int
    state: Literal["up", "down", "stale"]
    detail: str = ""


BoardEvent = Lifted | Placed | Snapshot | ClockShown | Link


class SerialNews(msgspec.Struct, frozen=True):
    """Result of reading some bytes of a serial line.

    `want_board`: something may be missing or wrong, ask for the whole board. `understood`: at least one message could
    be read, so the board is there.
    """

    events: tuple[BoardEvent, ...] = ()
    want_board: bool = False
    understood: bool = False
