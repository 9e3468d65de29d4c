"""The default time: who is late and whose time is lost meanwhile.

See 6.7, I.10, I.11; L062, L063, L221. It also gives the result that is proposed to the arbiter.
"""

from __future__ import annotations

from server.game.values.words import Seat


def loses_the_time(default_time_s: int, present: tuple[Seat, ...], first: Seat) -> Seat | None:
    """Return whose clock runs while a player is missing at the start; None where no clock needs to run.

    `first`: White at the start of a game (6.7.2); at a resumption the player who replies to the sealed move (I.11).
    With a default time of zero and neither player present both have lost (6.7.1), so no clock decides anything.

    >>> loses_the_time(900, (), Seat.BLACK).value
    'black'
    """
    if not present and default_time_s == 0:
        return None
    return first


def absent_after_default(present: tuple[Seat, ...], moved: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return who has not come by the end of the default time.

    They were not seen by the arbiter and have completed no move.
    """
    return tuple(seat for seat in Seat if seat not in present and seat not in moved)


def proposed_result(absent: tuple[Seat, ...]) -> str:
    """Return the forfeit that 6.7.1 provides for, for the arbiter to confirm or not.

    >>> proposed_result((Seat.WHITE,))
    '-/+'
    """
    marks = {seat: "-" if seat in absent else "+" for seat in Seat}
    return f"{marks[Seat.WHITE]}/{marks[Seat.BLACK]}"
