"""The chess clock as a value: no timer inside, integer milliseconds (Article 6)."""

from __future__ import annotations

import msgspec

from server.play.time_control import TimeControl
from server.play.values import Seat


class ClockSide(msgspec.Struct, frozen=True):
    """One display: the time left (ms; below zero after the flag fell), moves completed, the period, the flag.

    `used_ms`: how long this side's time ran, whatever was added or set (D.2.10.4).
    """

    remaining_ms: int
    moves: int = 0
    period: int = 0
    flagged: bool = False
    used_ms: int = 0


class ClockReading(msgspec.Struct, frozen=True):
    """What the two displays show at one instant, in ms (never below zero), and whose time runs."""

    white_ms: int
    black_ms: int
    running: Seat | None
    first_flag: Seat | None = None

    def of(self, seat: Seat) -> int:
        """The time shown for a seat, in ms."""
        return self.white_ms if seat is Seat.WHITE else self.black_ms


class ChessClock(msgspec.Struct, frozen=True):
    """Two coupled displays of which at most one runs (6.1, L048).

    `turn` is whose time runs or will run on; `since` is the instant (ms of this run) at which it began, None while
    both stand. The increment of a move is added in advance: for the first move at the start, then at each press
    (6.3.2, L058), so that the time for the next move is always what the display shows.
    """

    control: TimeControl
    white: ClockSide
    black: ClockSide
    turn: Seat = Seat.WHITE
    since: int | None = None
    first_flag: Seat | None = None

    @classmethod
    def set_to(cls, control: TimeControl) -> ChessClock:
        """A clock before the game: base time and the first increment on both sides, both standing."""
        first = control.periods[0]
        side = ClockSide(first.base_ms + first.increment_ms)
        return cls(control, side, side)

    def side(self, seat: Seat) -> ClockSide:
        """The display of a seat."""
        return self.white if seat is Seat.WHITE else self.black

    @property
    def running(self) -> Seat | None:
        """Whose time runs, or None while both stand."""
        return self.turn if self.since is not None else None

    def started(self, now: int) -> ChessClock:
        """The clock of the player to move starts or goes on (6.6, 6.11.3)."""
        if self.since is not None:
            return self
        return msgspec.structs.replace(self, since=now)

    def paused(self, now: int) -> ChessClock:
        """Both stand (6.11.1)."""
        return msgspec.structs.replace(self._settled(now), since=None)

    def pressed(self, seat: Seat, now: int) -> ChessClock:
        """The player stops his own time and starts the opponent's (6.2.1). A press by the other side changes nothing.

        After his flag a side gains no increment; both sides stand still if they stood still before.
        """
        if seat is not self.turn:
            return self
        clock = self._settled(now)
        side = clock.side(seat)
        period = self.control.periods[min(side.period, len(self.control.periods) - 1)]
        gained = 0 if side.flagged else period.increment_ms
        mine = msgspec.structs.replace(side, remaining_ms=side.remaining_ms + gained, moves=side.moves + 1)
        clock = clock._with(seat, mine)
        return msgspec.structs.replace(clock, turn=seat.other)

    def corrected(self, white_ms: int, black_ms: int, turn: Seat, now: int) -> ChessClock:
        """Both times set by the arbiter (6.10.2, 7.1); whether the clock runs stays as it was."""
        clock = self._settled(now)
        still = self.first_flag is not None and (white_ms if self.first_flag is Seat.WHITE else black_ms) <= 0
        return msgspec.structs.replace(
            clock,
            white=msgspec.structs.replace(clock.white, remaining_ms=white_ms, flagged=white_ms <= 0),
            black=msgspec.structs.replace(clock.black, remaining_ms=black_ms, flagged=black_ms <= 0),
            turn=turn,
            first_flag=self.first_flag if still else None,
        )

    def stood_at(self, white_ms: int, black_ms: int, turn: Seat) -> ChessClock:
        """Both standing at the times of an earlier instant of the same running time (6.10.1): after a crash."""

        def back(side: ClockSide, ms: int) -> ClockSide:
            return msgspec.structs.replace(side, remaining_ms=ms, used_ms=side.used_ms + side.remaining_ms - ms)

        return msgspec.structs.replace(
            self, white=back(self.white, white_ms), black=back(self.black, black_ms), turn=turn, since=None
        )

    def flagged(self, seat: Seat, now: int) -> ChessClock:
        """The flag of a seat is marked as fallen; which fell first stays visible. Nothing ends by it (6.8, L064)."""
        clock = self._settled(now)
        fallen = msgspec.structs.replace(clock.side(seat), flagged=True)
        return msgspec.structs.replace(clock._with(seat, fallen), first_flag=clock.first_flag or seat)

    def remaining(self, seat: Seat, now: int) -> int:
        """The time left for a seat, in ms; below zero after the flag fell."""
        return self.side(seat).remaining_ms - self._running_for(seat, now)

    def used(self, seat: Seat, now: int) -> int:
        """How long the time of a seat has run since the start, in ms."""
        return self.side(seat).used_ms + self._running_for(seat, now)

    def reading(self, now: int) -> ClockReading:
        """What the displays show."""
        return ClockReading(
            max(0, self.remaining(Seat.WHITE, now)),
            max(0, self.remaining(Seat.BLACK, now)),
            self.running,
            self.first_flag,
        )

    def flag_at(self) -> int | None:
        """The instant at which the running side's flag falls, None while nothing runs or it has fallen already."""
        if self.since is None or self.side(self.turn).flagged:
            return None
        return self.since + max(0, self.side(self.turn).remaining_ms)

    def _running_for(self, seat: Seat, now: int) -> int:
        if seat is not self.turn or self.since is None:
            return 0
        return max(0, now - self.since)

    def _settled(self, now: int) -> ChessClock:
        """The same clock with the running time booked up to now."""
        if self.since is None:
            return self
        side = self.side(self.turn)
        booked = msgspec.structs.replace(
            side, remaining_ms=self.remaining(self.turn, now), used_ms=self.used(self.turn, now)
        )
        return msgspec.structs.replace(self._with(self.turn, booked), since=max(now, self.since))

    def _with(self, seat: Seat, side: ClockSide) -> ChessClock:
        if seat is Seat.WHITE:
            return msgspec.structs.replace(self, white=side)
        return msgspec.structs.replace(self, black=side)
