"""Setting a board, as its player is told to when the boards have been reconciled (D.2.9, 7.5.1)."""

from __future__ import annotations

from server.game import acts as ev
from server.game.values.words import Role, Seat, Station
from server.game.views.messages import BoardToSet, SquareToSetNow
from server.game.views.seats.shown import shown, silent

silent(
    *(ev.DeskOpened, ev.BoardRead, ev.CellTyped, ev.CellHeard, ev.UnreadAccepted, ev.LineSettled),
    *(ev.BoardConfirmed, ev.DeskClosed),
)


@shown(ev.DeskDecided, ev.BoardsToSet)
def _board_to_set(event: ev.DeskDecided | ev.BoardsToSet, seat: Seat) -> BoardToSet | None:
    """Return what the arbiter's decision has this player set on their board."""
    squares = event.white if seat is Seat.WHITE else event.black
    return BoardToSet(squares=squares) if squares else None


@shown(ev.SquareAsked, ev.BoardSaidSet)
def _next_square(event: ev.SquareAsked | ev.BoardSaidSet, seat: Seat, station: Station) -> SquareToSetNow | None:
    """Return the next square of the board that a player sets by voice."""
    if event.seat is not seat or station.role is not Role.PLAYER:
        return None
    if isinstance(event, ev.BoardSaidSet):
        return SquareToSetNow(square=None)
    return SquareToSetNow(square=event.square, should_be=event.should_be, number=event.number, of=event.of)
