"""How what concerns the scores besides their cells changes the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.play import events as ev
from server.play.state import GameState
from server.play.values import Seat


def _sheet_recorded(state: GameState, event: ev.ScoresheetRecorded) -> GameState:
    white, black = state.sheets
    return replace(state, sheets=(event.sheet, black) if event.seat is Seat.WHITE else (white, event.sheet))


CHANGES: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.ScoresheetRecorded: _sheet_recorded,
    ev.ScoreDue: lambda state, event: replace(state, due=event.seats, due_through=event.ply),
    ev.ScoreLent: lambda state, event: replace(state, lent=event.to),
    ev.ScoreReturned: lambda state, event: replace(state, lent=None),
}
