"""The reconciliation desk as a value: what was put down, read, typed, heard, decided and confirmed (D.2.9)."""

from __future__ import annotations

import msgspec

from server.play.events.desk import DeskDecided, SquareAsked
from server.play.events.reconstructing import Snapshot
from server.play.values import Seat


class TypedCell(msgspec.Struct, frozen=True):
    """A cell of a score as the arbiter read it. `language`: "" for the player's own."""

    seat: Seat
    ply: int
    text: str
    language: str


class Desk(msgspec.Struct, frozen=True):
    """Everything on the desk. `boards`: what the arbiter saw on White's and on Black's board, None while not looked."""

    snapshot: Snapshot
    boards: tuple[str | None, str | None] = (None, None)
    cells: tuple[TypedCell, ...] = ()
    heard: tuple[tuple[Seat, int], ...] = ()
    decided: DeskDecided | None = None
    confirmed: tuple[Seat, ...] = ()
    asked: tuple[SquareAsked | None, SquareAsked | None] = (None, None)

    def asked_of(self, seat: Seat) -> SquareAsked | None:
        """The square that this player is to set now."""
        return self.asked[0 if seat is Seat.WHITE else 1]

    def typed(self, seat: Seat, ply: int) -> TypedCell | None:
        """The cell as the arbiter typed it, None where he did not; a blank one says that nothing is written there."""
        return next((one for one in self.cells if (one.seat, one.ply) == (seat, ply)), None)

    def board(self, seat: Seat) -> str:
        """What stands on a board: as the arbiter saw it, else as the record had it."""
        seen = self.boards[0 if seat is Seat.WHITE else 1]
        kept = self.snapshot.white_board if seat is Seat.WHITE else self.snapshot.black_board
        return seen if seen is not None else kept
