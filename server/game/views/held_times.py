"""The times to which a station can have a clock set in case the server fails. Pure.

It is part of `views`, which alone decides who gets it. None of it is shown while the server is running: a tactile
player who wants to know the time asks for it (D.2.6.1), and the station holds no more than the answer to that question.
"""

from __future__ import annotations

import msgspec

from server.game.state.state import GameState
from server.game.values.words import ClockMaster, Role, Seat, Station


class HeldTimes(msgspec.Struct, frozen=True):
    """Both times (ms) as a restart would find them, and whose time ran.

    `press`: the ply (from 1) that a player's next press is about; None where only the press can tell. The player's
    station names it with the press: a press that was delayed while the game went on without it has no effect.
    """

    white_ms: int
    black_ms: int
    running: Seat | None = None
    press: int | None = None


def held_times(state: GameState, station: Station, witnessed_ms: int) -> HeldTimes | None:
    """Return the times at the last instant that is certainly on disk.

    None where there is nothing to set a clock to. `witnessed_ms`: the last witness of this run; a press after it is on
    disk as well. The hall's display and observers hold no times: they are at no clock, and a display may show things
    later than the game.
    """
    if not state.table.started or state.over or state.time.clock_master is not ClockMaster.SERVER:
        return None
    if station.role not in (Role.PLAYER, Role.ASSISTANT, Role.ARBITER):
        return None
    at = witnessed_ms if state.time.clock.since is None else max(witnessed_ms, state.time.clock.since)
    reading = state.time.clock.reading(at)
    press = _press_about(state, station.seat) if station.role is Role.PLAYER and station.seat is not None else None
    return HeldTimes(max(0, reading.white_ms), max(0, reading.black_ms), reading.running, press)


def _press_about(state: GameState, seat: Seat) -> int | None:
    """Return the first ply of this seat that is not completed.

    None where, after a forgotten press, it may be either of two (6.2.2).
    """
    last = next((ply for ply in reversed(state.moves.plies) if ply.seat is seat and ply.made), None)
    if last is not None and not last.completed:
        return None if seat is state.on_move else last.index
    return state.ply_to_make if seat is state.on_move else state.ply_to_make + 1
