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
    """Game and clock as they stood from one instant on. `clock`: None where its times are those of an earlier run."""

    since: int
    game: GameShown
    reading: ClockReading
    clock: ChessClock | None


class TableSeen(msgspec.Struct, frozen=True):
    """Table as spectators see it: the game, and both displays of its clock."""

    game: GameShown
    clock: ClockReading


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
        clock = state.time.clock if live else None
        reading = state.time.clock.reading(event_at)
        if not live:
            reading = msgspec.structs.replace(reading, running=None)
        if newest is not None:
            since = max(since, newest.since)  # an earlier run's wall clock may have been set back
            if game is newest.game and (clock is newest.clock if live else reading == newest.reading):
                return
        self._moments.append(_Moment(since, game, reading, clock))
        while len(self._moments) > 1 and self._moments[1].since <= since - LONGEST_MS:
            self._moments.popleft()

    def seen_at(self, then: int) -> TableSeen | None:
        """Return the game as it stood at `then`; None where nothing of it is so old."""
        found = next((one for one in reversed(self._moments) if one.since <= then), None)
        if found is None:
            return None
        return TableSeen(found.game, found.clock.reading(then) if found.clock is not None else found.reading)
