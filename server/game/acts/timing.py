"""What happened to the clock (Article 6)."""

from __future__ import annotations

from server.game.acts.event import Event
from server.game.values.words import Role, Seat


class ClockPressed(Event, frozen=True, kw_only=True):
    """A press. `effective`: it stopped the presser's running time. A press is never refused (L052).

    `held`: it takes effect when the machine's announcement has been heard; until then the mover's clock runs (`mover`)
    or none does (`none`).
    """

    seat: Seat
    ply: int
    effective: bool
    held: str = ""


class ClockPaused(Event, frozen=True, kw_only=True):
    """Both clocks stand (6.11); by a seat seeking the arbiter (6.11.2) or by the arbiter.

    `medical`: the arbiter's, for medical attention to this player (12.2.6).
    """

    by: Role
    seat: Seat | None
    reason: str
    medical: Seat | None = None


class ClockResumed(Event, frozen=True, kw_only=True):
    """The arbiter restarts the game (6.11.3, L070)."""


class ClockSet(Event, frozen=True, kw_only=True):
    """The arbiter set both times, and if given both move counters and periods, White's first (6.10, 7.1).

    `by_hand`: the arbiter chose the times, so that the players are told of it. `anew`: a move begins with these
    times, so that its delay begins, too, and the arbiter is told again of low time that they are above. `move_ms`: so
    long the time of `turn` had run in its move, where the clock goes back to a move that was pressed (G1).
    """

    white_ms: int
    black_ms: int
    turn: Seat
    reason: str
    moves: tuple[int, int] | None = None
    periods: tuple[int, int] | None = None
    by_hand: bool = False
    anew: bool = False
    move_ms: int | None = None


class TimeAdded(Event, frozen=True, kw_only=True):
    """Time given to a side, or taken (below zero), by the arbiter: 7.5.5, 9.5.3, 12.5, 12.9."""

    seat: Seat
    ms: int
    reason: str
    article: str = ""


class IncrementSet(Event, frozen=True, kw_only=True):
    """From now on every move brings this increment to both (Guidelines III.4)."""

    increment_ms: int
    article: str = "III.4"
    reason: str = ""


class PeriodBegun(Event, frozen=True, kw_only=True):
    """A display came to zero and the time of the next period was added (time controls that add at zero)."""

    seat: Seat


class FlagFell(Event, frozen=True, kw_only=True):
    """A display reached zero at this instant. Not a call of the flag: nothing ends by it (6.8, L064)."""

    seat: Seat
