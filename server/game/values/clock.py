"""The chess clock is a plain value here: no timer inside, integer milliseconds (Article 6).

A time under a minute is told as it will be when the phrase ends (D.2.6.1); the length of the phrase is given from
outside.
"""

from __future__ import annotations

import msgspec

from server.game.values.time_control import ClockPeriod, TimeControl
from server.game.values.words import Seat


def time_text(ms: int) -> str:
    """Return a time in ms to the second, h:mm:ss, with a minus where it is below zero.

    >>> time_text(3_661_999), time_text(-65_500)
    ('1:01:01', '-0:01:05')
    """
    seconds = abs(ms) // 1000
    return f"{'-' if ms < 0 else ''}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def at_most(ms: int) -> str:
    """Return how long something may have lasted, h:mm:ss: every second that had begun is counted whole.

    >>> at_most(8_200), at_most(8_000)
    ('0:00:09', '0:00:08')
    """
    return time_text(-(-ms // 1000) * 1000)


class ClockSide(msgspec.Struct, frozen=True):
    """One display: the time left (ms), the moves completed, the period and the flag.

    `remaining_ms` is below zero after the flag fell.

    `used_ms`: how long the time of this side has run, whatever was added or set (D.2.10.4).
    """

    remaining_ms: int
    moves: int = 0
    period: int = 0
    flagged: bool = False
    used_ms: int = 0


class ClockReading(msgspec.Struct, frozen=True):
    """Reading of the two displays at one instant, in ms (never below zero), and whose time runs."""

    white_ms: int
    black_ms: int
    running: Seat | None
    first_flag: Seat | None = None


class ChessClock(msgspec.Struct, frozen=True):
    """Two coupled displays of which at most one runs (6.1, L048).

    `turn`: whose time runs, or will run when the clock goes on. `since`: the instant (ms of this run) at which it
    began; None while both stand. A Fischer increment is added in advance: for the first move at the start, then at each
    press (6.3.2, L058), so that the display always shows the time for the next move. On a Bronstein clock the extra is
    on the display in advance too, and the part of it that was used comes back at the press. A delay is not on the
    display, which stands still while the delay passes. Either way the main time starts after the extra. `this_move_ms`:
    how long the time of `turn` has run in this move up to `since`, however often it was stopped.
    """

    control: TimeControl
    white: ClockSide
    black: ClockSide
    turn: Seat = Seat.WHITE
    since: int | None = None
    first_flag: Seat | None = None
    this_move_ms: int = 0

    @classmethod
    def set_to(cls, control: TimeControl) -> ChessClock:
        """Return a clock before the game.

        Both sides have the base time and the extra of the first move, and stand.
        """
        first = control.periods[0]
        side = ClockSide(first.base_ms + _in_advance(first) + _kept_ready(control, first))
        return cls(control, side, side)

    def side(self, seat: Seat) -> ClockSide:
        """Return the display of a seat."""
        return self.white if seat is Seat.WHITE else self.black

    @property
    def running(self) -> Seat | None:
        """Return whose time runs; None while both stand."""
        return self.turn if self.since is not None else None

    def after_start(self, now: int) -> ChessClock:
        """Start or continue the clock of the player on move (6.6, 6.11.3)."""
        if self.since is not None:
            return self
        return msgspec.structs.replace(self, since=now)

    def after_pause(self, now: int) -> ChessClock:
        """Stop both displays (6.11.1)."""
        return msgspec.structs.replace(self._as_of(now), since=None)

    def after_press(self, seat: Seat, now: int) -> ChessClock:
        """Stop this player's time and start the opponent's (6.2.1).

        A press by the other side changes nothing.

        The last move of a period brings the time of the next one (`add_at` control). A side whose flag has fallen gains
        no increment. If both sides stood still before, they stand still afterwards.
        """
        if seat is not self.turn:
            return self
        clock = self._as_of(now)
        side = msgspec.structs.replace(clock.side(seat), moves=clock.side(seat).moves + 1)
        side = _with_time(side, clock.comes_back(seat, clock.this_move_ms))
        if self.control.add_at == "control" and clock._has_made_its_moves(side) and not side.flagged:
            side = clock._in_next_period(side)
        if not side.flagged:
            side = _with_time(side, _in_advance(clock._period(side)))
        return msgspec.structs.replace(clock._with(seat, side), turn=seat.other, this_move_ms=0)

    def with_times(
        self,
        white_ms: int,
        black_ms: int,
        turn: Seat,
        now: int,
        *,
        moves: tuple[int, int] | None = None,
        periods: tuple[int, int] | None = None,
        move_ms: int | None = None,
    ) -> ChessClock:
        """Set both times, and if given both move counters and periods, as the arbiter ordered (6.10.2, 7.1).

        Whether the clock runs stays as it was. A time is what the display must show: on a Bronstein clock never less
        than what is left of the extra of the move, unless the flag is down. `move_ms`: how long the time of `turn` has
        run in its move; if it is not given, it stays where `turn` stays, and is zero otherwise.
        """
        clock = self._as_of(now)
        begun_ms = clock.this_move_ms if turn is clock.turn else 0
        if move_ms is not None:
            begun_ms = move_ms
        still = self.first_flag is not None and (white_ms if self.first_flag is Seat.WHITE else black_ms) <= 0

        def put(seat: Seat, ms: int, index: int) -> ClockSide:
            side = clock.side(seat)
            period = min(periods[index], len(self.control.periods) - 1) if periods is not None else side.period
            extra = _kept_ready(self.control, self.control.periods[period]) - (begun_ms if seat is turn else 0)
            return msgspec.structs.replace(
                side,
                remaining_ms=max(ms, extra) if ms > 0 else ms,
                flagged=ms <= 0,
                moves=moves[index] if moves is not None else side.moves,
                period=period,
            )

        return msgspec.structs.replace(
            clock,
            white=put(Seat.WHITE, white_ms, 0),
            black=put(Seat.BLACK, black_ms, 1),
            turn=turn,
            first_flag=self.first_flag if still else None,
            this_move_ms=begun_ms,
        )

    def with_moves(self, white: int, black: int) -> ChessClock:
        """Set both move counters as the arbiter was shown them, and the periods that follow from them.

        See 8.5.3.
        """
        clock = self
        for seat, moves in ((Seat.WHITE, white), (Seat.BLACK, black)):
            side = msgspec.structs.replace(clock.side(seat), moves=moves)
            while clock._has_made_its_moves(side):
                side = clock._in_next_period(side)
            clock = clock._with(seat, side)
        return clock

    def in_period(self, period: int) -> ChessClock:
        """Begin this period, with its time, for each side that is still in an earlier one (8.6)."""
        clock = self
        for seat in Seat:
            if clock.side(seat).period < period:
                clock = clock._with(seat, clock._in_next_period(clock.side(seat)))
        return clock

    def with_time_added(self, seat: Seat, ms: int, now: int) -> ChessClock:
        """Add time to a side, or take it away where `ms` is negative (7.5.5, 9.5.3, 12.9).

        A fallen flag stays fallen.
        """
        clock = self._as_of(now)
        return clock._with(seat, _with_time(clock.side(seat), ms))

    def with_increment(self, increment_ms: int, now: int) -> ChessClock:
        """Let every move bring this increment from the next press on (Guidelines III.4)."""
        return msgspec.structs.replace(self._as_of(now), control=self.control.with_increment(increment_ms))

    def stood_at(self, white_ms: int, black_ms: int, turn: Seat, move_ms: int | None = None) -> ChessClock:
        """Stop both sides at the times of an earlier instant of the same running time (6.10.1): a crash.

        `move_ms`: how long the time of `turn` had run in its move at that instant; older records do not say.
        """
        ran = None if move_ms is None else move_ms - self.this_move_ms

        def back(seat: Seat, ms: int) -> ClockSide:
            side = self.side(seat)
            gone = side.remaining_ms - ms if ran is None or seat is not turn else ran
            return msgspec.structs.replace(side, remaining_ms=ms, used_ms=side.used_ms + gone)

        return msgspec.structs.replace(
            self,
            white=back(Seat.WHITE, white_ms),
            black=back(Seat.BLACK, black_ms),
            turn=turn,
            since=None,
            this_move_ms=self.this_move_ms if move_ms is None else move_ms,
        )

    def in_this_move(self, now: int) -> int:
        """Return how long the time of `turn` has run in its move, in ms."""
        return self.this_move_ms + self._running_for(self.turn, now)

    def comes_back(self, seat: Seat, move_ms: int) -> int:
        """Return how much of a Bronstein extra (ms) a press brings back when the move has used `move_ms`."""
        side = self.side(seat)
        period = self._period(side)
        return 0 if side.flagged or period.kind != "bronstein" else min(period.increment_ms, move_ms)

    def at_zero(self, seat: Seat) -> str:
        """Return the meaning of a display at zero.

        "period": its next time is due; "count": that too, but the arbiter must count the moves (6.4); "flag".
        """
        side = self.side(seat)
        if self.control.add_at != "zero" or self._in_last_period(side):
            return "flag"
        if not self.control.count_moves:
            return "count"
        return "period" if self._has_made_its_moves(side) else "flag"

    def next_period(self, seat: Seat, now: int) -> ChessClock:
        """Add the time of the next period at zero: to this side, or to both where no moves are counted."""
        clock = self._as_of(now)
        for one in (seat,) if self.control.count_moves else tuple(Seat):
            if not clock._in_last_period(clock.side(one)):
                clock = clock._with(one, clock._in_next_period(clock.side(one)))
        return clock

    def with_flag_fallen(self, seat: Seat, now: int) -> ChessClock:
        """Mark the flag of a seat as fallen; which fell first stays visible.

        This alone does not end the game (6.8, L064).
        """
        clock = self._as_of(now)
        fallen = msgspec.structs.replace(clock.side(seat), flagged=True)
        frozen = self.control.freeze and self._in_last_period(fallen)
        return msgspec.structs.replace(
            clock._with(seat, fallen),
            first_flag=clock.first_flag or seat,
            since=None if frozen else clock.since,
        )

    def remaining(self, seat: Seat, now: int) -> int:
        """Return the time left for a seat, in ms; below zero after the flag fell."""
        return self.side(seat).remaining_ms - max(0, self._running_for(seat, now) - self._delay_left(seat))

    def time_used(self, seat: Seat, now: int) -> int:
        """Return how long the time of a seat has run since the start, in ms."""
        return self.side(seat).used_ms + self._running_for(seat, now)

    def reading(self, now: int) -> ClockReading:
        """Return the reading of the displays."""
        return ClockReading(
            max(0, self.remaining(Seat.WHITE, now)),
            max(0, self.remaining(Seat.BLACK, now)),
            self.running,
            self.first_flag,
        )

    def flag_at(self) -> int | None:
        """Return the instant at which the running flag falls.

        None while nothing runs or it has fallen already.
        """
        if self.since is None or self.side(self.turn).flagged:
            return None
        return self.since + self._delay_left(self.turn) + max(0, self.side(self.turn).remaining_ms)

    def moves_to_control(self, seat: Seat) -> int | None:
        """Return how many moves a side still has to make in its period.

        None where the period has no number of moves.
        """
        through = self.control.moves_through(self.side(seat).period)
        return None if through is None else max(0, through - self.side(seat).moves)

    def base_ms(self, seat: Seat) -> int:
        """Return the base time of the period in which a side is."""
        return self._period(self.side(seat)).base_ms

    def _period(self, side: ClockSide) -> ClockPeriod:
        return self.control.periods[side.period]

    def _in_last_period(self, side: ClockSide) -> bool:
        return side.period >= len(self.control.periods) - 1

    def _has_made_its_moves(self, side: ClockSide) -> bool:
        through = self.control.moves_through(side.period)
        return through is not None and side.moves >= through and not self._in_last_period(side)

    def _in_next_period(self, side: ClockSide) -> ClockSide:
        following = self.control.periods[side.period + 1]
        extra = _kept_ready(self.control, following) - _kept_ready(self.control, self._period(side))
        return msgspec.structs.replace(
            side, period=side.period + 1, remaining_ms=side.remaining_ms + following.base_ms + extra, flagged=False
        )

    def _delay_left(self, seat: Seat) -> int:
        """Return how much of the delay of this move is still to pass before the main time runs."""
        period = self._period(self.side(seat))
        return max(0, period.increment_ms - self.this_move_ms) if period.kind == "delay" else 0

    def _running_for(self, seat: Seat, now: int) -> int:
        if seat is not self.turn or self.since is None:
            return 0
        return max(0, now - self.since)

    def _as_of(self, now: int) -> ChessClock:
        """Return the same clock with the running time accounted for up to now."""
        if self.since is None:
            return self
        side = self.side(self.turn)
        booked = msgspec.structs.replace(
            side, remaining_ms=self.remaining(self.turn, now), used_ms=self.time_used(self.turn, now)
        )
        return msgspec.structs.replace(
            self._with(self.turn, booked),
            since=max(now, self.since),
            this_move_ms=self.in_this_move(now),
        )

    def _with(self, seat: Seat, side: ClockSide) -> ChessClock:
        if seat is Seat.WHITE:
            return msgspec.structs.replace(self, white=side)
        return msgspec.structs.replace(self, black=side)


def _in_advance(period: ClockPeriod) -> int:
    """Return the Fischer increment, which a side gets before a move."""
    return period.increment_ms if period.kind == "fischer" else 0


def _kept_ready(control: TimeControl, period: ClockPeriod) -> int:
    """Return the Bronstein extra that a display holds ready for the coming move throughout the period."""
    return period.increment_ms if period.kind == "bronstein" and control.in_advance else 0


def _with_time(side: ClockSide, ms: int) -> ClockSide:
    return msgspec.structs.replace(side, remaining_ms=side.remaining_ms + ms)


SPOKEN_AHEAD_MS = 60_000
"""Below this time a listener notices a second more or less."""


def time_at_end(clock: ChessClock, seat: Seat, begins: int, length_ms: int) -> int:
    """Return what the display of a seat will show (ms, not below zero) at the end of a phrase.

    The phrase begins at `begins` (ms of this run) and lasts `length_ms`. Above a minute the answer is what the display
    shows at the beginning: nobody notices a second there, and the phrase stays the same for longer.
    """
    now = clock.remaining(seat, begins)
    if now >= SPOKEN_AHEAD_MS:
        return now
    return max(0, clock.remaining(seat, begins + length_ms))


def still_true(told_ms: int, clock: ChessClock, seat: Seat, begins: int, length_ms: int) -> bool:
    """Return whether this time names the right second at the end of a phrase that begins then.

    Above a minute it always does.
    """
    if clock.remaining(seat, begins) >= SPOKEN_AHEAD_MS:
        return True
    return told_ms // 1000 == time_at_end(clock, seat, begins, length_ms) // 1000
