"""How cues, the clock set before the game, the buttons that press it and the displays' delay change the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.game.acts import events as ev
from server.game.state.state import GameState
from server.game.values.clock import ChessClock
from server.game.values.words import PressKeys, Seat

COUNTED_S = 10
"""The countdown of the last seconds begins here."""


def told_again(cued: tuple[tuple[Seat, int], ...], seat: Seat, *, all_of_them: bool) -> tuple[tuple[Seat, int], ...]:
    """What counts as told after a move of this seat (the countdown begins anew), or after a new time on its display."""
    return tuple((one, s) for one, s in cued if one is not seat or not (all_of_them or s <= COUNTED_S))


def _cues_asked(state: GameState, event: ev.CuesAsked) -> GameState:
    others = tuple(one for one in state.cues if one.seat is not event.seat)
    wants = event.at_s or event.countdown != "off"
    return replace(state, cues=(*others, event) if wants else others)


def _set_up(state: GameState, event: ev.ClockSetUp) -> GameState:
    return replace(state, clock=ChessClock.set_to(event.control), proposed_clock=None)


def _without(state: GameState, seat: Seat) -> tuple[ev.ClockChoiceAsked, ...]:
    return tuple(one for one in state.choosing if one.seat is not seat)


def _display_delayed(state: GameState, event: ev.DisplayDelayed) -> GameState:
    others = tuple(one for one in state.display_delays if one[0] != event.station)
    return replace(state, display_delays=(*others, (event.station, event.delay_s)))


CHANGES: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.CuesAsked: _cues_asked,
    ev.TimeCued: lambda state, event: replace(state, cued=(*state.cued, (event.seat, event.left_s))),
    ev.ClockProposed: lambda state, event: replace(state, proposed_clock=(event.seat, event.control)),
    ev.ClockSetUp: _set_up,
    ev.ClockChoiceAsked: lambda state, event: replace(state, choosing=(*_without(state, event.seat), event)),
    ev.ClockChoiceEnded: lambda state, event: replace(state, choosing=_without(state, event.seat)),
    ev.PressKeysAsked: lambda state, event: replace(
        state, press_keys=PressKeys(event.where, learning=event.where is not None)
    ),
    ev.PressKeysTold: lambda state, event: replace(state, press_keys=PressKeys(event.where, event.white, event.black)),
    ev.DisplayDelayed: _display_delayed,
    ev.ClockKept: lambda state, event: replace(state, proposed_clock=None),
}
