"""This file says how the events of the reconciliation desk and of setting boards change the state."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.desk import Desk, Setting, TypedCell
from server.game.state.line import believed_line
from server.game.state.state import GameState, PlyRecord, ScoreCell
from server.game.values.position import Position
from server.game.values.words import Seat

BY_THE_PROGRAM = ("announcement", "echo")  # cells that the program assigned to the ply the words seemed to be about


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
    ply = event.ply if event.ply is not None else state.made_plies
    setting = Setting("desk", ply, event.placement, event.turn, event.white, event.black)
    desk = replace(state.desk, decided=event)
    return replace(state, desk=desk, setting=None if event.kind == "mend" else setting)


def _to_set(state: GameState, event: ev.BoardsToSet) -> GameState:
    """Replace what is being set; where only one board was read, the other board's progress stays."""
    new = Setting(event.because, event.ply, event.placement, event.turn, event.white, event.black)
    old = state.setting
    if old is None or event.read is None:
        return replace(state, setting=new)
    other = event.read.other
    asked = (None, old.asked[1]) if event.read is Seat.WHITE else (old.asked[0], None)
    said, confirmed = (tuple(seat for seat in seats if seat is other) for seats in (old.said, old.confirmed))
    return replace(state, setting=replace(new, asked=asked, said=said, confirmed=confirmed))


def _said_set(state: GameState, event: ev.BoardSaidSet) -> GameState:
    state = _ask(state, event.seat, None)
    if state.setting is None or event.seat in state.setting.said:
        return state
    return replace(state, setting=replace(state.setting, said=(*state.setting.said, event.seat)))


def _confirmed(state: GameState, event: ev.BoardConfirmed) -> GameState:
    if state.setting is None or event.board in state.setting.confirmed:
        return state
    setting = replace(state.setting, confirmed=(*state.setting.confirmed, event.board))
    state = _ask(replace(state, setting=setting), event.board, None)
    over = setting.because != "desk" and not setting.awaited
    return replace(state, setting=None) if over else state


def _ask(state: GameState, seat: Seat, event: ev.SquareAsked | None) -> GameState:
    if state.setting is None:
        return state
    white, black = state.setting.asked
    asked = (event, black) if seat is Seat.WHITE else (white, event)
    return replace(state, setting=replace(state.setting, asked=asked))


def _line_settled(state: GameState, event: ev.LineSettled) -> GameState:
    """Put each record where it belongs now, each settled one with its move.

    Records left over form a discarded line.
    """
    start = state.positions[0]
    plies = tuple(_settled_record(state, event, index) for index in range(1, len(event.records) + 1))
    fallen = tuple(record for record in state.plies if record.index not in event.records)
    line, positions = believed_line(start, plies)
    kept = zip(state.line, line, event.records, strict=False)
    same = next((ply for ply, (was, is_, number) in enumerate(kept) if was != is_ or number != ply + 1), len(plies))
    before = len(state.plies)
    state = replace(
        state,
        plies=plies,
        line=line,
        positions=positions,
        out_of_step=False,
        discarded=(*state.discarded, fallen) if fallen else state.discarded,
        ends_told=tuple(one for one in state.ends_told if one[1] <= same),  # what comes after is now another game
        set_aside=(),
    )
    identity = tuple(range(1, len(event.records) + 1))
    return state if event.records == identity and not fallen else _renumbered(state, event.records, before)


def _settled_record(state: GameState, event: ev.LineSettled, index: int) -> PlyRecord:
    number = event.records[index - 1]
    known = state.ply(number) if number else None
    if known is None:
        record = PlyRecord(index, state.seat_of(index), completed_ms=event.at)
    else:
        record = replace(known, index=index)
    if index > event.ply:
        return record
    record = replace(record, made_ms=record.made_ms if record.made_ms is not None else event.at)
    if event.moves is not None:
        return replace(record, settled=True, mended=event.moves[index - 1], anchor=None)
    if index < event.ply:
        return record
    position = Position.from_fen(event.fen, chess960=state.positions[0].chess960)
    return replace(record, settled=True, anchor=position)


def _renumbered(state: GameState, records: tuple[int, ...], before: int) -> GameState:
    """Give everything that names a ply its new number.

    Cells that the program assigned to a ply move with it. `before`: how many plies there were. A ply that was still to
    come follows the last one. Nothing is left of a ply that was dropped, except its cells where no later ply of the
    line was kept (as after a restoration).
    """
    numbers = {number: index for index, number in enumerate(records, 1) if number}
    known = max(numbers, default=0)

    def now(ply: int) -> int:
        return max((index for number, index in numbers.items() if number <= ply), default=0)

    def after(last: int, ply: int) -> int | None:
        return ply - last + len(records) if ply > last else numbers.get(ply)

    exact, cell = partial(after, before), partial(after, known)
    score = tuple(_renumbered_score(state.score_of(seat), cell) for seat in Seat)
    replacing = exact(state.replacing[0]) if state.replacing is not None else None
    return replace(
        state,
        white_score=score[0],
        black_score=score[1],
        ruled=tuple((ply, seat) for one, seat in state.ruled if (ply := exact(one)) is not None),
        touches=tuple(
            replace(touch, ply=exact(touch.ply) or 0, because=touch.because if exact(touch.ply) else "restored")
            for touch in state.touches
        ),
        offers_at=tuple(dict.fromkeys(now(ply) for ply in state.offers_at)),
        offer_marks=tuple((seat, now(ply)) for seat, ply in state.offer_marks),
        offer_after=now(state.offer_after),
        adjusting=None,
        castling_meant=None,
        replacing=(replacing, state.replacing[1]) if state.replacing is not None and replacing is not None else None,
        due_through=now(state.due_through),
        pending=tuple(replace(one, after=now(one.after)) for one in state.pending),
        claim=replace(state.claim, ply=now(state.claim.ply)) if state.claim is not None else None,
        postponed=replace(state.postponed, ply=now(state.postponed.ply)) if state.postponed is not None else None,
        intended=replace(state.intended, ply=now(state.intended.ply)) if state.intended is not None else None,
    )


def _renumbered_score(
    score: tuple[ScoreCell | None, ...], now: Callable[[int], int | None]
) -> tuple[ScoreCell | None, ...]:
    """Renumber a score: words and sounds move with their ply (D.2.7).

    What the player wrote stays where it was written.
    """
    cells: dict[int, ScoreCell] = {}
    for number, cell in enumerate(score, 1):
        if cell is not None and cell.source in BY_THE_PROGRAM and (index := now(number)) is not None:
            cells[index] = cell
    for number, cell in enumerate(score, 1):
        if cell is not None and cell.source not in BY_THE_PROGRAM:
            cells[number] = cell
    return tuple(cells.get(index) for index in range(1, max(cells, default=0) + 1))


CHANGES: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.DeskOpened: lambda state, event: replace(state, desk=Desk(event.snapshot), setting=None),
    ev.BoardRead: _board_read,
    ev.CellTyped: _cell_typed,
    ev.CellHeard: _cell_heard,
    ev.LineSettled: _line_settled,
    ev.DeskDecided: _decided,
    ev.BoardsToSet: _to_set,
    ev.SquareAsked: lambda state, event: _ask(state, event.seat, event),
    ev.BoardSaidSet: _said_set,
    ev.BoardConfirmed: _confirmed,
    ev.DeskClosed: lambda state, event: replace(state, desk=None, setting=None),
}
