"""What a board that senses tells the table: the program's own commands, made of a driver's events."""

from __future__ import annotations

from typing import Literal

from server.game.acts.base import Body, Placement, Square, Text, Uci
from server.game.values.announcement import Announcement
from server.game.values.words import Seat


class SenseMove(Body, frozen=True, kw_only=True):
    """A move stands on this seat's board: geometry alone, legal or not (4.7, D.2.3.1, D.2.3.2; origin `sensed`).

    `instead`: of the last move that the record has on this board. `at_ms`: when the piece was let go (ms of this run).
    `on`: the placement on which it was read (None where that is not known): news of a board that the record knows
    otherwise by now is none, and the board is read again.
    `announcement`, `words`, `text`: the same move in words, where the program is to announce it.
    """

    seat: Seat
    uci: Uci
    instead: bool = False
    at_ms: int | None = None
    on: Placement | None = None
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: Text = ""


class NoteBoard(Body, frozen=True, kw_only=True):
    """A sensing board went out of reach or came back; or it stands so that no single move leads there."""

    seat: Seat
    what: Literal["up", "down", "stale", "odd"]
    squares: tuple[Square, ...] = ()
    detail: Text = ""


class NotePress(Body, frozen=True, kw_only=True):
    """The program's own: the clock that leads, another than ours, was pressed by this side (6.2.1)."""

    seat: Seat
