"""The keys that press the clock, as a station is shown them."""

from __future__ import annotations

from server.game import acts as ev
from server.game.decide.set_up.stations import is_at
from server.game.state.state import GameState
from server.game.values.words import Role, Station
from server.game.views.messages import PressKeysShown
from server.game.views.seats.shown import shown, silent

silent(ev.DisplayDelayed, ev.ShownToSpectators)


def press_keys_shown(state: GameState, station: Station) -> PressKeysShown | None:
    """Return what a device is told of the buttons; None where they are not at this device."""
    keys = state.stations.press_keys
    if keys.where is None or not is_at(station, keys.where):
        return None
    return PressKeysShown(stage="learn" if keys.learning else "known", white=keys.white, black=keys.black)


@shown(ev.PressKeysAsked, everywhere=True)
def _asked(state: GameState, station: Station) -> PressKeysShown | None:
    """Return what a device is told when the buttons are to be learnt.

    A display, where they may have been before, is told once that no key presses the clock there.
    """
    none = PressKeysShown(stage="none") if station.role is Role.DISPLAY else None
    return press_keys_shown(state, station) or none


@shown(ev.PressKeysTold, everywhere=True)
def _learnt(state: GameState, station: Station) -> PressKeysShown | None:
    return press_keys_shown(state, station)
