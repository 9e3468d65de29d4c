"""A game is its events: `Game.replay(events)` restores it and shows it at any ply.

Tests are written with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from server.game.acts import AnyEvent
from server.game.state.apply import apply
from server.game.state.state import GameState
from server.game.values.clock import ClockReading


class Game:
    """Game as its events tell it."""

    @staticmethod
    def replay(events: Iterable[AnyEvent]) -> GameState:
        """Return the state after all events."""
        return reduce(apply, events, GameState())

    @staticmethod
    def readings(state: GameState) -> tuple[ClockReading | None, ...]:
        """Return the clock readings after each ply (ms), for D.2.9 and 7.1 (L074, L198).

        None where the ply was not completed.
        """
        return tuple(
            ClockReading(record.white_ms, record.black_ms, None)
            if record.white_ms is not None and record.black_ms is not None
            else None
            for record in state.moves.plies
        )
