"""A player sets his board square by square as the arbiter has decided (D.2.9): one is told, his yes asks for the next.

What he hears rests on the decision alone. His word ends nothing: the arbiter reads the board and confirms it.
"""

from __future__ import annotations

from server.play import events as ev
from server.play.deciding import Draft
from server.play.values import Seat, SeatKind


def ask_first(draft: Draft, decided: ev.DeskDecided) -> None:
    """Each tactile player whose board deviates is told his first square; a sighted one reads the list."""
    for seat, squares in zip(Seat, (decided.white, decided.black), strict=True):
        if squares and draft.state.plan(seat).kind is SeatKind.TACTILE:
            _ask(draft, seat, squares, 1)


def answer_square(draft: Draft, seat: Seat, *, stands: bool) -> None:
    """Yes: the next square, and after the last one the arbiter is told. No, or a wish to hear it again: the same."""
    desk = draft.state.desk
    asked = desk.asked_of(seat) if desk is not None else None
    decided = desk.decided if desk is not None else None
    if asked is None or decided is None:
        return
    if stands and asked.number == asked.of:
        draft.emit(ev.BoardSaidSet(at=draft.now, seat=seat))
        return
    squares = decided.white if seat is Seat.WHITE else decided.black
    _ask(draft, seat, squares, asked.number + stands)


def _ask(draft: Draft, seat: Seat, squares: tuple[ev.SquareToSet, ...], number: int) -> None:
    one = squares[number - 1]
    draft.emit(
        ev.SquareAsked(
            at=draft.now, seat=seat, number=number, of=len(squares), square=one.square, should_be=one.should_be
        )
    )
