"""A table's broadcast: how its game stood for spectators at each moment of the last hour.

It is kept whether or not spectators may see the table, so that a table that is opened to them with a delay shows at
once what is old enough, and never what is younger (`server/game/views/spectators.py` says what may be shown).
"""

from __future__ import annotations

from collections import deque

import msgspec

from server.game.state.state import GameState
from server.game.values.clock import ChessClock, ClockReading
from server.game.views.spectators import GameShown, shown_after

LONGEST_MS = 3_600_000
"""The longest delay that an arbiter can choose (`ShowToSpectators`)."""


class _Moment(msgspec.Struct, frozen=True):
    """Game and clock as they stood from one instant on.

    `clock`: None where its times are those of an earlier run, or of another clock. `read_at`: when that was read;
    `reading` None: it was not.
    """

    since: int
    game: GameShown
    reading: ClockReading | None
    clock: ChessClock | None
    read_at: int | None


class TableSeen(msgspec.Struct, frozen=True):
    """Table as spectators see it: the game, and both displays of its clock.

    `age_ms`: how old the reading of another clock is that counts; `clock` None: nobody has read it.
    """

    game: GameShown
    clock: ClockReading | None
    age_ms: int | None = None


class Broadcast:
    """States of a table as spectators are shown it, each with the moment from which on it held.

    All times are ms of this run; what an earlier run recorded lies before its beginning.
    """

    def __init__(self) -> None:
        self._moments: deque[_Moment] = deque()
        self._rests_on: tuple[object, ...] = ()

    def stands(self, state: GameState, since: int, event_at: int, *, live: bool) -> None:
        """Note the game as it stands from `since` on.

        `event_at`: the same instant in ms of the run in which it was recorded. `live`: it is this run.
        """
        newest = self._moments[-1] if self._moments else None
        game = newest.game if newest is not None else GameShown()
        rests_on = (state.moves, state.table, state.adjournment, state.ending)
        if newest is None or any(one is not other for one, other in zip(rests_on, self._rests_on, strict=True)):
            game, self._rests_on = shown_after(game, state), rests_on
        reading, age_ms = state.clock_known(event_at)
        clock = state.time.clock if live and reading is not None and age_ms is None else None
        if reading is not None and not live:
            reading = msgspec.structs.replace(reading, running=None)
        read_at = None if age_ms is None else since - age_ms
        if newest is not None:
            since = max(since, newest.since)  # an earlier run's wall clock may have been set back
            stood = (reading, read_at) == (newest.reading, newest.read_at) if clock is None else True
            if game is newest.game and clock is newest.clock and stood:
                return
        self._moments.append(_Moment(since, game, reading, clock, read_at))
        while len(self._moments) > 1 and self._moments[1].since <= since - LONGEST_MS:
            self._moments.popleft()

    def seen_at(self, then: int) -> TableSeen | None:
        """Return the game as it stood at `then`; None where nothing of it is so old."""
        found = next((one for one in reversed(self._moments) if one.since <= then), None)
        if found is None:
            return None
        if found.clock is not None:
            return TableSeen(found.game, found.clock.reading(then))
        age_ms = None if found.read_at is None else max(0, then - found.read_at)
        return TableSeen(found.game, found.reading, age_ms)
