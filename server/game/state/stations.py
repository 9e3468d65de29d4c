"""The slice of the devices at the table: admitted stations, press keys, displays."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.reducer import applies
from server.game.values.pairing import OwnPairing
from server.game.values.words import PressKeys, Role, Seat, Station


class SpectatorsChoice(msgspec.Struct, frozen=True):
    """Whether the spectators' page shows the table, and how many seconds late."""

    show: bool
    delay_s: int


class StationsState(msgspec.Struct, frozen=True):
    """Stations that the arbiter admitted, and what was settled about keys and displays."""

    admitted: tuple[Station, ...] = ()
    press_keys: PressKeys = PressKeys()
    display_delays: tuple[tuple[str, int], ...] = ()  # station ("": any other display) and its delay in s
    spectators: SpectatorsChoice | None = None  # None: nobody has said whether spectators may see the table
    pairings: tuple[tuple[str, OwnPairing], ...] = ()  # what each player's device was last told of its pairing
    devices: tuple[tuple[str, bool], ...] = ()  # what was registered with the arbiter, and whether it is approved

    sent_away: frozenset[str] = frozenset()  # ids of stations that the arbiter sent away

    def find(self, id: str) -> Station | None:
        """Return the admitted station of that id."""
        return next((station for station in self.admitted if station.id == id), None)

    def at(self, role: Role, seat: Seat) -> tuple[Station, ...]:
        """Return the admitted stations of a role at a seat, in the order in which they were admitted."""
        return tuple(station for station in self.admitted if station.role is role and station.seat is seat)

    def pairing_told(self, id: str) -> OwnPairing | None:
        """Return the pairing that this device was last told."""
        return dict(self.pairings).get(id)

    def has_player(self, seat: Seat) -> bool:
        """Return whether a device of the player's own is at the table."""
        return bool(self.at(Role.PLAYER, seat))


@applies(ev.StationAdmitted)
def _admitted(stations: StationsState, event: ev.StationAdmitted) -> StationsState:
    others = tuple(station for station in stations.admitted if station.id != event.station)
    one = Station(event.station, event.role, event.seat, event.duties, event.under, event.provided_by)
    return replace(stations, admitted=(*others, one), sent_away=stations.sent_away - {event.station})


@applies(ev.StationRevoked)
def _revoked(stations: StationsState, event: ev.StationRevoked) -> StationsState:
    left = tuple(one for one in stations.admitted if one.id != event.station)
    return replace(stations, admitted=left, sent_away=stations.sent_away | {event.station})


@applies(ev.PressKeysAsked)
def _press_keys_asked(stations: StationsState, event: ev.PressKeysAsked) -> StationsState:
    return replace(stations, press_keys=PressKeys(event.where, learning=event.where is not None))


@applies(ev.PressKeysTold)
def _press_keys_told(stations: StationsState, event: ev.PressKeysTold) -> StationsState:
    return replace(stations, press_keys=PressKeys(event.where, event.white, event.black))


@applies(ev.PairingTold)
def _pairing_told(stations: StationsState, event: ev.PairingTold) -> StationsState:
    others = tuple(one for one in stations.pairings if one[0] != event.station)
    return replace(stations, pairings=(*others, (event.station, event.pairing)))


@applies(ev.DisplayDelayed)
def _display_delayed(stations: StationsState, event: ev.DisplayDelayed) -> StationsState:
    others = tuple(one for one in stations.display_delays if one[0] != event.station)
    return replace(stations, display_delays=(*others, (event.station, event.delay_s)))


@applies(ev.ShownToSpectators)
def _shown_to_spectators(stations: StationsState, event: ev.ShownToSpectators) -> StationsState:
    return replace(stations, spectators=SpectatorsChoice(event.show, event.delay_s))


@applies(ev.DeviceRegistered)
def _device_registered(stations: StationsState, event: ev.DeviceRegistered) -> StationsState:
    return replace(stations, devices=(*stations.devices, (event.device, event.approved)))
