"""A bridge is any program that posts what a board shows (docs/boards.md).

A message is a JSON object: `placement` (of a FEN) or `occupied` (16 hex digits, bit 0 a1); or `lifted`, `placed` with
a square and perhaps a `piece`; `clock`; `number` to drop what is doubled or overtaken. Pure but for its clock.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.boards.event import (
    BoardEvent,
    ClockMs,
    ClockShown,
    Lifted,
    Link,
    PieceLetter,
    Placed,
    Snapshot,
    SquareName,
)
from server.boards.squares import of_occupied, of_placement
from server.protocol import UNREADABLE
from speech.complaint import Complaint

LARGEST_MESSAGE = 4_096
ANEW_MS = 30_000
"""No message is this late: a smaller number after such a silence means that the bridge was restarted."""


class Clocks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Times of the board's own clock, in ms."""

    white_ms: ClockMs
    black_ms: ClockMs


class BridgeMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One message of a bridge.

    `number` grows from message to message; a smaller one than before came too late.
    """

    number: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None
    placement: Annotated[str, msgspec.Meta(max_length=80)] | None = None
    occupied: Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Fa-f]{16}\Z")] | None = None
    lifted: SquareName | None = None
    placed: SquareName | None = None
    piece: PieceLetter | None = None
    clock: Clocks | None = None


class Bridge(msgspec.Struct, frozen=True):
    """State of a bridge: the number of its newest message, and when it came.

    `lives`: it has sent a message without news ({}), so that its silence means something.
    """

    newest: int = -1
    heard: int = 0
    lives: bool = False

    def read(self, text: bytes, at: int) -> tuple[Bridge, tuple[BoardEvent, ...]]:
        """Return the events of one message.

        Raises Complaint, with what to do, for what is not a message.
        """
        try:
            message = msgspec.json.decode(text[: LARGEST_MESSAGE + 1], type=BridgeMessage)
        except UNREADABLE as wrong:
            raise Complaint(f"This is no board message ({wrong}); see docs/boards.md.") from wrong
        late = message.number is not None and message.number <= self.newest
        if late and at - self.heard < ANEW_MS:
            return self, ()
        newest = self.newest if message.number is None else message.number
        after = Bridge(newest, at, self.lives or message == BridgeMessage(number=message.number))
        events: list[BoardEvent] = [Link(at, "up")]
        if message.placement is not None:
            try:
                events.append(Snapshot(at, of_placement(message.placement)))
            except ValueError as wrong:
                raise Complaint(f"The placement is none ({wrong}); send the first part of a FEN.") from wrong
        elif message.occupied is not None:
            events.append(Snapshot(at, of_occupied(int(message.occupied, 16))))
        if message.lifted is not None:
            events.append(Lifted(at, message.lifted, message.piece))
        if message.placed is not None:
            events.append(Placed(at, message.placed, message.piece))
        if message.clock is not None:
            events.append(ClockShown(at, message.clock.white_ms, message.clock.black_ms))
        return after, tuple(events)
