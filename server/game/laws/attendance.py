"""Default time: who is late, what is proposed, whose time is lost meanwhile (6.7, I.10, I.11; L062, L063, L221)."""

from __future__ import annotations

from server.game.values.words import Seat


def loses_the_time(default_time_s: int, present: tuple[Seat, ...], first: Seat) -> Seat | None:
    """Whose clock runs while somebody is missing at the start; None where nobody need be waited for or all is lost.

    `first`: White at the start of a game (6.7.2); at a resumption the player who replies to the sealed move (I.11).
    With a default time of zero and neither present both have lost (6.7.1), so no clock decides anything.

    >>> loses_the_time(900, (), Seat.BLACK).value
    'black'
    """
    if not present and default_time_s == 0:
        return None
    return first


def absent_after_default(present: tuple[Seat, ...], moved: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Who has not come by the end of the default time: neither seen by the arbiter, nor has he completed a move."""
    return tuple(seat for seat in Seat if seat not in present and seat not in moved)


def proposed_result(absent: tuple[Seat, ...]) -> str:
    """The forfeit that 6.7.1 means, for the arbiter to confirm or not.

    >>> proposed_result((Seat.WHITE,))
    '-/+'
    """
    marks = {seat: "-" if seat in absent else "+" for seat in Seat}
    return f"{marks[Seat.WHITE]}/{marks[Seat.BLACK]}"
