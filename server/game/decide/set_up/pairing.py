"""Which pairing a player is told of, on which device, and when it has changed. Pure.

A player's device is told once, as soon as the round is in: at the table of the last round when that game is over, and
at the new table when the device is admitted there. While the player's game is under way nothing is told of another
board (11.3.1). Players are known by their names in the event, and where a name stands twice nobody is told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from server.game import acts as cmd
from server.game.acts import PairingChanged, PairingTold, Refusal
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.state.state import GameState
from server.game.values.pairing import OwnPairing
from server.game.values.words import Role, Seat, Station


@decides(cmd.ChangePairing)
def change_pairing(draft: Draft, body: cmd.ChangePairing) -> Refusal | None:
    """Record another pairing at this table, while its game has not started.

    Where a player is replaced, the device of the one before must have been sent away: it would hear what is not meant
    for it.
    """
    state = draft.state
    if state.table.started or state.over:
        return Refusal("pairing_before_start", "6.6")
    for seat, name in ((Seat.WHITE, body.white), (Seat.BLACK, body.black)):
        if name != state.plan(seat).name and state.stations.has_player(seat):
            return Refusal("pairing_has_device", "11.3.2")
    draft.emit(
        PairingChanged(
            at=draft.now, white=body.white, black=body.black, board=body.board, starts=body.starts, way=body.way
        )
    )
    return None


@decides(cmd.TellPairing)
def tell_pairing(draft: Draft, body: cmd.TellPairing) -> Refusal | None:
    """Record that a device is told of its player's pairing; nothing is recorded where it was told the same before."""
    state = draft.state
    station = state.stations.find(body.station)
    if station is None or station.role is not Role.PLAYER or (state.table.started and not state.over):
        return Refusal("pairing_not_now", "11.3.1")
    before = state.stations.pairing_told(body.station)
    if before != body.pairing:
        changed = body.pairing.replaces(before)
        draft.emit(PairingTold(at=draft.now, station=body.station, pairing=body.pairing, changed=changed))
    return None


def pairing_of(table: str, state: GameState, seat: Seat) -> OwnPairing:
    """Return the pairing of one seat of the table of this name."""
    return OwnPairing(
        table=table,
        round=state.table.round,
        board=state.table.board_number,
        seat=seat,
        opponent=state.plan(seat.other).name,
        starts=state.table.starts,
        way=state.table.way,
    )


def pairing_asked(state: GameState, seat: Seat, station: Station | None) -> OwnPairing | None:
    """Return the pairing for a player who asks: this table's; after its game the next one, None until it is in."""
    if not state.over:
        return pairing_of("", state, seat)
    told = state.stations.pairing_told(station.id) if station is not None else None
    return told if told is not None and told.round != state.table.round else None


def pairings_to_tell(states: Mapping[str, GameState]) -> Iterator[tuple[str, Station, OwnPairing]]:
    """Yield each device that is to be told of a pairing: the table where it is, the device, and the pairing.

    `states`: all tables of the hall by name.
    """
    coming: dict[tuple[str, str], list[OwnPairing]] = defaultdict(list)
    for name, state in states.items():
        if state.table.round and not state.table.started and not state.over:
            for seat in Seat:
                coming[state.table.event_name, state.plan(seat).name].append(pairing_of(name, state, seat))
    for name, state in states.items():
        if not state.table.round or state.table.next_game is not None or (state.table.started and not state.over):
            continue
        for station in state.stations.admitted:
            if station.role is not Role.PLAYER or station.seat is None:
                continue
            player = state.plan(station.seat).name
            found = [pairing_of(name, state, station.seat)]
            if state.over:
                found = coming.get((state.table.event_name, player), []) if player else []
            if len(found) == 1 and state.stations.pairing_told(station.id) != found[0]:
                yield name, station, found[0]
