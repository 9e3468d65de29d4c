"""This file says how events about scores (not their cells) and about sound change the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.state import GameState, Helped, Reconstruction
from server.game.values.words import ArbiterEar, Seat, station_of_devices


def _sheet_recorded(state: GameState, event: ev.ScoresheetRecorded) -> GameState:
    white, black = state.sheets
    return replace(state, sheets=(event.sheet, black) if event.seat is Seat.WHITE else (white, event.sheet))


def _reconstruction_begun(state: GameState, event: ev.ReconstructionBegun) -> GameState:
    return replace(state, reconstruction=Reconstruction(event.snapshot, (), (state.positions[0],)))


def _reconstruction_moved(state: GameState, event: ev.ReconstructionMoved) -> GameState:
    work = state.reconstruction
    if work is None:
        return state
    work = Reconstruction(
        work.snapshot, (*work.line, event.uci), (*work.positions, work.positions[-1].after(event.uci))
    )
    return replace(state, reconstruction=work)


def _reconstruction_undone(state: GameState, event: ev.ReconstructionUndone) -> GameState:
    work = state.reconstruction
    if work is None or not work.line:
        return state
    return replace(state, reconstruction=Reconstruction(work.snapshot, work.line[:-1], work.positions[:-1]))


def _sound(state: GameState, seat: Seat, **chosen: Any) -> GameState:
    white, black = state.sound
    if seat is Seat.WHITE:
        return replace(state, sound=(replace(white, **chosen), black))
    return replace(state, sound=(white, replace(black, **chosen)))


def _devices_chosen(state: GameState, event: ev.DevicesChosen) -> GameState:
    """Change a seat's devices; what was found about an earlier headset says nothing about this one."""
    own = station_of_devices(event.seat).id
    headsets = tuple(one for one in state.sound_of(event.seat).headsets if one.station != own)
    return _sound(state, event.seat, devices=event.devices, headsets=headsets)


def _ear_chosen(state: GameState, event: ev.EarChosen) -> GameState:
    """Change how a player is spoken to.

    If it is louder, their microphone may now hear us, so checks are forgotten.
    """
    sound = state.sound_of(event.seat)
    louder = event.ear.gain_db > sound.ear.gain_db
    return _sound(state, event.seat, ear=event.ear, headsets=() if louder else sound.headsets)


def _headset_checked(state: GameState, event: ev.HeadsetChecked) -> GameState:
    others = tuple(one for one in state.sound_of(event.seat).headsets if one.station != event.found.station)
    return _sound(state, event.seat, headsets=(*others, event.found))


def _room_allowed(state: GameState, event: ev.RoomAllowed) -> GameState:
    return replace(state, room=event.language if event.allowed else "")


def _alerts_chosen(state: GameState, event: ev.AlertsChosen) -> GameState:
    ears = tuple(one for one in state.arbiter_ears if one.station != event.station)
    if event.spoken:
        ears = (*ears, ArbiterEar(event.station, event.language))
    return replace(state, arbiter_ears=ears)


def _answered(state: GameState, event: ev.Answered) -> GameState:
    """Remember where a player is in the score, and whether they have just heard the first words for help."""
    white = event.seat is Seat.WHITE
    if event.move is not None:
        return replace(state, read_to=(event.move, state.read_to[1]) if white else (state.read_to[0], event.move))
    if event.what != "help":
        return state
    told = None if event.more else Helped(event.at, event.words)
    return replace(state, helped=(told, state.helped[1]) if white else (state.helped[0], told))


CHANGES: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.ScoresheetRecorded: _sheet_recorded,
    ev.ScoreDue: lambda state, event: replace(state, due=event.seats, due_through=event.ply),
    ev.ScoreLent: lambda state, event: replace(state, lent=event.to),
    ev.ReconstructionBegun: _reconstruction_begun,
    ev.ReconstructionMoved: _reconstruction_moved,
    ev.ReconstructionUndone: _reconstruction_undone,
    ev.ReconstructionEnded: lambda state, event: replace(state, reconstruction=None),
    ev.Answered: _answered,
    ev.EarChosen: _ear_chosen,
    ev.TalkingChosen: lambda state, event: _sound(state, event.seat, talking=event.talking),
    ev.VoiceActivityPermitted: lambda state, event: _sound(state, event.seat, permitted=event.granted),
    ev.DevicesChosen: _devices_chosen,
    ev.HeadsetChecked: _headset_checked,
    ev.RoomAllowed: _room_allowed,
    ev.AlertsChosen: _alerts_chosen,
    ev.VoiceBound: lambda state, event: _sound(state, event.seat, profile=event.profile),
    ev.ScoreReturned: lambda state, event: replace(state, lent=None),
}
