"""What screen readers make of braille, got ready beside the loop before a player's first word asks for it.

A language takes liblouis seconds (Hungarian ten); nobody who types waits for that, as long as he has been here so long.
"""

from __future__ import annotations

import asyncio
import threading
from functools import partial

from server.game.state.state import GameState
from server.game.values.words import Role, Station
from server.machine.tasks import passing
from server.wording.typed_braille import prepare
from server.wording.words import scheme_for


class TypingTables:
    """The languages in which somebody may type at this server."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._making: dict[str, asyncio.Task[None]] = {}

    def expect(self, state: GameState, station: Station) -> None:
        """This station is here, and its player may type. Returns at once."""
        if station.seat is None or station.role not in (Role.PLAYER, Role.ASSISTANT):
            return
        language = scheme_for(state, station.seat).language
        if language not in self._making:
            self._making[language] = passing(
                f"What is typed in {language}", partial(asyncio.to_thread, prepare, language, self._stop.is_set)
            )

    async def ready(self) -> None:
        """Everything expected so far is there."""
        await asyncio.gather(*self._making.values())

    async def close(self) -> None:
        """Make no more."""
        self._stop.set()
        await asyncio.gather(*self._making.values(), return_exceptions=True)
