"""How the events of the reconciliation desk change the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.play import events as ev
from server.play.desk import Desk, TypedCell
from server.play.state import GameState
from server.play.values import Seat


def _board_read(state: GameState, event: ev.BoardRead) -> GameState:
    if state.desk is None:
        return state
    white, black = state.desk.boards
    boards = (event.placement, black) if event.board is Seat.WHITE else (white, event.placement)
    return replace(state, desk=replace(state.desk, boards=boards))


def _cell_typed(state: GameState, event: ev.CellTyped) -> GameState:
    if state.desk is None:
        return state
    others = tuple(one for one in state.desk.cells if (one.seat, one.ply) != (event.seat, event.ply))
    typed = (TypedCell(event.seat, event.ply, event.text, event.language),) if event.text.strip() else ()
    return replace(state, desk=replace(state.desk, cells=(*others, *typed)))


def _cell_heard(state: GameState, event: ev.CellHeard) -> GameState:
    if state.desk is None or (event.seat, event.ply) in state.desk.heard:
        return state
    return replace(state, desk=replace(state.desk, heard=(*state.desk.heard, (event.seat, event.ply))))


def _decided(state: GameState, event: ev.DeskDecided) -> GameState:
    if state.desk is None:
        return state
    return replace(state, desk=replace(state.desk, decided=event, confirmed=(), asked=(None, None)))


def _confirmed(state: GameState, event: ev.BoardConfirmed) -> GameState:
    if state.desk is None or event.board in state.desk.confirmed:
        return state
    desk = replace(state.desk, confirmed=(*state.desk.confirmed, event.board))
    return _ask(replace(state, desk=desk), event.board, None)


def _ask(state: GameState, seat: Seat, event: ev.SquareAsked | None) -> GameState:
    if state.desk is None:
        return state
    white, black = state.desk.asked
    asked = (event, black) if seat is Seat.WHITE else (white, event)
    return replace(state, desk=replace(state.desk, asked=asked))


CHANGES: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.DeskOpened: lambda state, event: replace(state, desk=Desk(event.snapshot)),
    ev.BoardRead: _board_read,
    ev.CellTyped: _cell_typed,
    ev.CellHeard: _cell_heard,
    ev.DeskDecided: _decided,
    ev.SquareAsked: lambda state, event: _ask(state, event.seat, event),
    ev.BoardSaidSet: lambda state, event: _ask(state, event.seat, None),
    ev.BoardConfirmed: _confirmed,
    ev.DeskClosed: lambda state, event: replace(state, desk=None),
}
