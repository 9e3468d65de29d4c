"""What happened at the reconciliation desk (D.2.9)."""

from __future__ import annotations

from typing import get_args

import msgspec

from server.play.events.event import Event
from server.play.events.reconstructing import Snapshot
from server.play.values import Seat


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


class DeskDecided(Event, frozen=True, kw_only=True):
    """The arbiter's decision; `white`, `black`: what each player sets on his board."""

    kind: str
    verdict: str
    ply: int | None
    placement: str
    turn: Seat
    reason: str
    white: tuple[SquareToSet, ...] = ()
    black: tuple[SquareToSet, ...] = ()


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
    """The desk is closed: both boards are confirmed, or the arbiter closed it."""

    reason: str


DeskEvent = (
    DeskOpened
    | BoardRead
    | CellTyped
    | CellHeard
    | DeskDecided
    | SquareAsked
    | BoardSaidSet
    | BoardConfirmed
    | DeskClosed
)
DESK_EVENTS = get_args(DeskEvent)
