"""The delay of a display, by as much as the arbiter says. Pure.

A display in the hall may be read by somebody who helps a player; one at the table, for an opponent who does not hear,
shows everything at once. The arbiter distinguishes them by a delay for all and one for each.
"""

from __future__ import annotations

import msgspec

from server.game.state.state import GameState
from server.game.values.words import Role, Station
from server.game.views import messages as msg
from server.game.views.messages import PressKeysShown
from server.game.views.seats.stations import press_keys_shown
from server.game.views.view import greeting


def delay_of(state: GameState, station: Station) -> int:
    """Return by how much this station is shown things later, in ms; it is 0 for all but displays."""
    if station.role is not Role.DISPLAY:
        return 0
    delays = dict(state.stations.display_delays)
    return 1_000 * delays.get(station.id, delays.get("", 0))


def longest_delay(state: GameState) -> int:
    """Return the longest delay of all displays, in ms."""
    return 1_000 * max((seconds for _, seconds in state.stations.display_delays), default=0)


def is_held_back(message: msg.AnyMessage) -> bool:
    """Return whether a delay holds this message back.

    What a device is told of its own keys is not held back: it shows no game.
    """
    return not isinstance(message, PressKeysShown)


def display_greeting(then: GameState, at: int, state: GameState, station: Station) -> msg.Greeting:
    """Return what a display sees when it connects.

    It sees the game as it stood at `at`, and its own settings as they are now.
    """
    seen = greeting(then, station, at)
    return msgspec.structs.replace(
        seen, press_keys=press_keys_shown(state, station), delay_s=delay_of(state, station) // 1_000
    )
