"""This file makes what a station is shown of the keys that press the clock."""

from __future__ import annotations

from server.game.acts import PressKeysAsked, PressKeysTold
from server.game.decide.set_up.stations import is_at
from server.game.state.state import GameState
from server.game.values.words import Role, Station
from server.game.views.messages import PressKeysShown


def press_keys_shown(state: GameState, station: Station) -> PressKeysShown | None:
    """Return what a device is told of the buttons; None where they are not at this device."""
    keys = state.stations.press_keys
    if keys.where is None or not is_at(station, keys.where):
        return None
    return PressKeysShown(stage="learn" if keys.learning else "known", white=keys.white, black=keys.black)


def press_keys_told(event: PressKeysAsked | PressKeysTold, state: GameState, station: Station) -> PressKeysShown | None:
    """Return what a device is told when the buttons change.

    A device where they are not, or are no longer, is told once that no key presses the clock there.
    """
    shown = press_keys_shown(state, station)
    may_have_had_them = station.role is Role.DISPLAY and isinstance(event, PressKeysAsked)
    return shown or (PressKeysShown(stage="none") if may_have_had_them else None)
