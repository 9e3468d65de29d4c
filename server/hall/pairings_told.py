"""Players are told of their pairing on their own devices, as soon as a round is in and whenever it changes.

Which device is told what is decided without I/O in `game/decide/set_up/pairing.py`; each telling is on the record of
the table where the device is, so that after a restart nobody is told twice.
"""

from __future__ import annotations

from collections.abc import Mapping

from server.game import acts as cmd
from server.game.acts import (
    AnyEvent,
    GameEnded,
    NextGameOpened,
    PairingChanged,
    SetUpRuled,
    StationAdmitted,
    TableOpened,
)
from server.game.decide.set_up.pairing import pairings_to_tell
from server.hall.live_table import LiveTable

CHANGES = (TableOpened, PairingChanged, StationAdmitted, SetUpRuled, GameEnded, NextGameOpened)
"""The events after which a player may have to be told."""


class PairingsTold:
    """This tells the players of all tables of a hall; a look at any table looks at all of them."""

    def __init__(self, tables: Mapping[str, LiveTable]) -> None:
        """Take the hall's live tables."""
        self._tables = tables

    def note(self, event: AnyEvent) -> None:
        """Look at all tables where an event may change who plays where."""
        if isinstance(event, CHANGES):
            self.look()

    def look(self) -> None:
        """Tell each device that does not know its player's pairing yet."""
        states = {id: table.state for id, table in self._tables.items()}
        for id, station, pairing in pairings_to_tell(states):
            table = self._tables[id]
            table.note(cmd.TellPairing(station=station.id, pairing=pairing))
