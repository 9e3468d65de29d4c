"""The reconciliation desk is a value here: what was recorded, read, typed, heard, decided.

Boards that are being set are described here too (D.2.9).
"""

from __future__ import annotations

import msgspec

from server.game.acts.desk import DeskDecided, SquareAsked, SquareToSet
from server.game.acts.scores import Snapshot
from server.game.values.words import Seat


class TypedCell(msgspec.Struct, frozen=True):
    """This is a cell of a score as the arbiter read it. `language`: "" for the player's own."""

    seat: Seat
    ply: int
    text: str
    language: str


class Desk(msgspec.Struct, frozen=True):
    """This is everything on the desk.

    `boards`: what the arbiter saw on White's and on Black's board; None before anybody looked.
    """

    snapshot: Snapshot
    boards: tuple[str | None, str | None] = (None, None)
    cells: tuple[TypedCell, ...] = ()
    heard: tuple[tuple[Seat, int], ...] = ()
    decided: DeskDecided | None = None

    def typed(self, seat: Seat, ply: int) -> TypedCell | None:
        """Return the cell as the arbiter typed it; None where nothing was typed.

        A blank cell says that nothing is written there.
        """
        return next((one for one in self.cells if (one.seat, one.ply) == (seat, ply)), None)

    def seen(self, seat: Seat) -> str | None:
        """Return what the arbiter saw on a board; None before anybody looked."""
        return self.boards[0 if seat is Seat.WHITE else 1]

    def board(self, seat: Seat) -> str:
        """Return what stands on a board, as the arbiter saw it, else as the record had it."""
        seen = self.seen(seat)
        kept = self.snapshot.white_board if seat is Seat.WHITE else self.snapshot.black_board
        return seen if seen is not None else kept


class Setting(msgspec.Struct, frozen=True):
    """The boards are being set to what the arbiter decided (D.2.9), or to a position that was restored.

    See 7.5.1. `because`: desk or restored. `ply`: the ply after which the placement stands. `white`, `black`: the
    squares of each board that must be set. `asked`: the square that each player is told now. `said`: the players who
    say that their board stands.
    """

    because: str
    ply: int
    placement: str
    turn: Seat
    white: tuple[SquareToSet, ...] = ()
    black: tuple[SquareToSet, ...] = ()
    asked: tuple[SquareAsked | None, SquareAsked | None] = (None, None)
    said: tuple[Seat, ...] = ()
    confirmed: tuple[Seat, ...] = ()

    def squares(self, seat: Seat) -> tuple[SquareToSet, ...]:
        """Return the squares that this player sets."""
        return self.white if seat is Seat.WHITE else self.black

    def asked_of(self, seat: Seat) -> SquareAsked | None:
        """Return the square that this player must set now."""
        return self.asked[0 if seat is Seat.WHITE else 1]

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Return whose board must still be confirmed: at the desk both, otherwise those that differ."""
        return tuple(
            seat for seat in Seat if seat not in self.confirmed and (self.because == "desk" or self.squares(seat))
        )
