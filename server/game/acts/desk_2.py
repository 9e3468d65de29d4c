"""What happened at the reconciliation desk (D.2.9)."""

from __future__ import annotations

from typing import get_args

import msgspec

from server.game.acts.event import Event
from server.game.acts.reconstructing_2 import Snapshot
from server.game.values.words import Seat


class DeskOpened(Event, frozen=True, kw_only=True):
    """Boards, times, side to move, counters and scores as they were put down; the clocks stand."""

    snapshot: Snapshot
    reason: str


class BoardRead(Event, frozen=True, kw_only=True):
    """What the arbiter saw on one board; the board of the record is as it was."""

    board: Seat
    placement: str


class CellTyped(Event, frozen=True, kw_only=True):
    """A cell of a score as the arbiter read it; the player's own score is not changed."""

    seat: Seat
    ply: int
    text: str
    language: str


class CellHeard(Event, frozen=True, kw_only=True):
    """The arbiter has listened to the sound of this cell (D.2.7)."""

    seat: Seat
    ply: int
    utterance: str | None


class SquareToSet(msgspec.Struct, frozen=True, kw_only=True):
    """One square of a board and what shall stand there: a FEN letter, None for nothing."""

    square: str
    should_be: str | None


class StillDiffers(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision, or a desk that was closed, leaves open. `what`: line, white or black.

    "line": from this ply on the server does not know which moves led here. A board: its squares that are otherwise.
    """

    what: str
    ply: int
    squares: tuple[str, ...] = ()


class LineSettled(Event, frozen=True, kw_only=True):
    """The arbiter settled which game was played, up to `ply` (D.2.9). `fen`: the position after it.

    `moves` None: only that position is known. `records`: for each ply the number that its record (announcement, echo,
    times, sounds) had before, 0 for a ply of which the server had none; those behind `ply` stay behind it. Records
    that fall out are kept as a discarded line.
    """

    ply: int
    moves: tuple[str, ...] | None
    records: tuple[int, ...]
    fen: str


class DeskDecided(Event, frozen=True, kw_only=True):
    """The arbiter's decision; `white`, `black`: what each player sets on his board.

    `times`: stored (of that ply), read (off another clock), typed, or leave; "" in older records. `white_ms`,
    `black_ms`: what was set, None where the times stay. `differs`: what the decision leaves open.
    """

    kind: str
    verdict: str
    ply: int | None
    placement: str
    turn: Seat
    reason: str
    white: tuple[SquareToSet, ...] = ()
    black: tuple[SquareToSet, ...] = ()
    moves: tuple[str, ...] | None = None
    times: str = ""
    white_ms: int | None = None
    black_ms: int | None = None
    differs: tuple[StillDiffers, ...] = ()


class BoardsToSet(Event, frozen=True, kw_only=True):
    """What each player sets on their board, anew after the arbiter read one, or after a position was restored (7.5.1).

    `because`: desk or restored. `ply`: after which this placement stands. `read`: which board was read.
    """

    because: str
    ply: int
    placement: str
    turn: Seat
    white: tuple[SquareToSet, ...] = ()
    black: tuple[SquareToSet, ...] = ()
    read: Seat | None = None


class BoardConfirmed(Event, frozen=True, kw_only=True):
    """This board was read square by square and stands as decided."""

    board: Seat


class SquareAsked(Event, frozen=True, kw_only=True):
    """A player is told the next square of his board to set, `number` of `of`; his yes to it asks for the one after."""

    seat: Seat
    number: int
    of: int
    square: str
    should_be: str | None


class BoardSaidSet(Event, frozen=True, kw_only=True):
    """The player says that his board stands as decided; the arbiter reads it all the same."""

    seat: Seat


class DeskClosed(Event, frozen=True, kw_only=True):
    """The desk is closed: both boards are confirmed, or the arbiter closed it. `differs`: what was left open then."""

    reason: str
    differs: tuple[StillDiffers, ...] = ()


DeskEvent = (
    DeskOpened
    | BoardRead
    | CellTyped
    | CellHeard
    | LineSettled
    | DeskDecided
    | BoardsToSet
    | SquareAsked
    | BoardSaidSet
    | BoardConfirmed
    | DeskClosed
)
DESK_EVENTS = get_args(DeskEvent)
