"""One sensing board at one table: the driver's events come in, the program's own commands go out.

No player hears anything from the board itself (design: Silence); what it senses is for the record and the arbiter.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Literal

import chess
import msgspec

from server.boards.event import BoardEvent, ClockShown, Link
from server.boards.result_signal import MIDDLE_NAMES
from server.boards.watch import (
    BoardWatch,
    Found,
    LinkChanged,
    MoveSensed,
    Patience,
    ResultShown,
    TouchSensed,
    UnexpectedBoard,
)
from server.game import acts as cmd
from server.game.decide.adaptations import machine_announces_for
from server.game.values.position import Position
from server.game.values.words import ClockMaster, Seat
from server.machine.clock import Clock, came_first
from server.machine.tasks import Faults, lasting
from server.table.table import Observer, Table
from server.wording.words import PROMOTED, move_entered, scheme_for
from speech.complaint import Complaint

_log = logging.getLogger(__name__)
MOST_WAITING = 1_000
MOST_AHEAD_MS = 100
"""How far ahead of the clock the times of a board's messages may be spread; no hand moves pieces faster."""


class ClockPressedThere(msgspec.Struct, frozen=True):
    """`seat` pressed the board's own clock, which now runs for the other side."""

    seat: Seat


class WatchedBoard:
    """Watch over one board for one seat; its news reach the table in order.

    `take` never waits; what comes of it reaches the table in order.
    """

    def __init__(
        self, table: Table, clock: Clock, seat: Seat, patience: Patience | None = None, *, occupancy: bool = False
    ) -> None:
        self.seat = seat
        self._table = table
        self._clock = clock
        self._watch = BoardWatch(patience=patience or Patience(), occupancy=occupancy)
        self._wake = asyncio.Event()
        self._out: asyncio.Queue[Found | ClockShown | ClockPressedThere] = asyncio.Queue(MOST_WAITING)
        self._completed = self._completed_here()
        self._recorded = table.state.board_of(seat).position
        self._set_aside = table.state.boards_being_set
        self._unnamed: list[tuple[Position, MoveSensed]] = []
        self._watch = msgspec.structs.replace(self._watch, announced=machine_announces_for(table.state, seat))
        self._running: Seat | None = None
        self._newest = 0
        self.lost = 0
        """How many findings were dropped because the table could not follow (the queue is bounded)."""
        self._observer = Observer("A sensing board", change=self._note_change)
        table.observers.append(self._observer)
        part = f"The sensing board of {seat.value}"
        self._faults = Faults(part, table.note_fault)
        self._tasks = [lasting(part, self._look, table.note_fault), lasting(part, self._tell, table.note_fault)]

    def take(self, event: BoardEvent) -> None:
        """Take what the board says, from its driver, in ms of this run.

        The board may say anything: nothing is raised.
        """
        try:
            self._take(event)
        except Exception as fault:
            self._faults.note(fault)

    def _take(self, event: BoardEvent) -> None:
        if isinstance(event, ClockShown):
            before, self._running = self._running, event.running
            self._take_found((event,))
            if before is not None and event.running is before.other:
                self._take_found((ClockPressedThere(before),))
            return
        if isinstance(event, Link) and event.state != "up":
            self._running = None  # what is pressed meanwhile is not known
        board = self._table.state.board_of(self.seat)
        self._watch, found = self._watch.take(self._in_order(event), board.position)
        self._take_found(found)
        self._wake.set()

    def _in_order(self, event: BoardEvent) -> BoardEvent:
        """Return the event a millisecond after the one before it, where a busy machine took both in one.

        The order of the messages says what was lifted first and what stood later, whatever the clock says.
        """
        at = max(event.at, min(self._newest + 1, event.at + MOST_AHEAD_MS))
        self._newest = at
        return msgspec.structs.replace(event, at=at)

    @property
    def line(self) -> Literal["up", "down", "stale"]:
        """Return whether the board can be heard, as last known."""
        return self._watch.link

    async def reported_all(self) -> None:
        """Return when everything found so far has reached the table."""
        await self._out.join()

    async def close(self) -> None:
        """Stop watching."""
        if self._observer in self._table.observers:
            self._table.observers.remove(self._observer)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _completed_here(self) -> int:
        return sum(1 for one in self._table.state.moves.plies if one.seat is self.seat and one.completed)

    def _note_change(self) -> None:
        announced = machine_announces_for(self._table.state, self.seat)
        if announced != self._watch.announced:
            self._watch = msgspec.structs.replace(self._watch, announced=announced)
            self._wake.set()
        watch = self._watch.hear_of_kings(self._clock.mono_ms(), self._kings_said())
        if watch is not self._watch:
            self._watch = watch
            self._wake.set()
        completed = self._completed_here()
        if completed > self._completed:
            self._watch = self._watch.press(self._clock.mono_ms())
            self._wake.set()
        self._completed = completed
        board = self._table.state.board_of(self.seat).position
        set_aside, self._set_aside = self._set_aside, self._table.state.boards_being_set
        if board != self._recorded or (set_aside and not self._set_aside):  # or it was set until now
            self._recorded = board
            self._watch = self._watch.compare(self._clock.mono_ms(), board)
            self._wake.set()
        if self._unnamed:
            waiting, self._unnamed = self._unnamed, []
            self._take_found(tuple(found for known, found in waiting if known == self._base(found)))

    def _kings_said(self) -> frozenset[str]:
        """Return the squares in the middle to which a king goes in the last two moves, as they were announced."""
        board = self._table.state.board_of(self.seat).position.board()
        found = set[str]()
        for record in self._table.state.moves.plies[-2:]:
            said = record.announcement if record.announcement is not None else record.echo
            if said is None or said.to_square not in MIDDLE_NAMES or record.announced_by_board:
                continue
            named = None if said.from_square is None else board.piece_type_at(chess.parse_square(said.from_square))
            if said.piece_meant == "king" or (said.piece_meant is None and named == chess.KING):
                found.add(said.to_square)
        return frozenset(found)

    def _take_found(self, found: tuple[Any, ...]) -> None:
        for one in found:
            try:
                self._out.put_nowait(one)
            except asyncio.QueueFull:
                self.lost += 1
                _log.warning("A board of table %s said more than the table can take.", self._table.id)

    async def _look(self) -> None:
        """Sleep until something may have settled, look, and go on until cancelled."""
        while True:
            due = self._watch.due()
            if due is None:
                self._wake.clear()
                await self._wake.wait()
                continue
            self._wake.clear()
            if await came_first(self._clock, due, self._wake):
                await self.reported_all()  # what was found before has reached the board of the record
                board = self._table.state.board_of(self.seat)
                try:
                    self._watch, found = self._watch.look(self._clock.mono_ms(), board.position, board.before)
                except Exception as fault:  # the board may be readable when it next changes
                    self._faults.note(fault)
                    self._watch = msgspec.structs.replace(self._watch, moved_ms=0, settling=None, history=(), held=())
                    continue
                self._take_found(found)
                await self.reported_all()

    async def _tell(self) -> None:
        while True:
            one = await self._out.get()
            try:
                body = self._body(one)
                if body is not None:
                    outcome = await self._table.own(self._table.program_command(body))
                    if not outcome.outcome.ok:
                        _log.info("Table %s does not take %s: %s", self._table.id, one, outcome.outcome.code)
            except Exception as fault:  # one finding that fails must not silence the board
                self._faults.note(fault)
            finally:
                self._out.task_done()

    def _body(self, found: Found | ClockShown | ClockPressedThere) -> cmd.AnyAct | None:
        match found:
            case TouchSensed():
                return cmd.ReportTouch(
                    seat=self.seat, square=found.square, how=found.how, piece=found.piece, origin="sensed"
                )
            case MoveSensed():
                return self._move(found)
            case UnexpectedBoard():
                moves = f"more than one move leads there: {', '.join(found.moves[:6])}" if found.moves else ""
                return cmd.NoteBoard(seat=self.seat, what="odd", squares=found.squares[:32], detail=moves)
            case ResultShown():
                return cmd.NoteBoard(seat=self.seat, what="signal", squares=found.squares, result=found.result or "")
            case LinkChanged():
                return cmd.NoteBoard(seat=self.seat, what=found.state, detail=found.detail[:200])
            case ClockPressedThere() if self._table.state.time.clock_master is ClockMaster.LIVECHESS:
                return cmd.NotePress(seat=found.seat)
            case ClockShown() if self._table.state.time.clock_master is ClockMaster.LIVECHESS:
                return cmd.ReadClock(white_ms=found.white_ms, black_ms=found.black_ms)
        return None

    def _move(self, found: MoveSensed) -> cmd.SenseMove | None:
        position = self._base(found)
        uci = found.uci
        if uci.endswith("?"):
            piece = self._promotion_piece(position)
            if piece is None:
                self._unnamed.append((position, found))  # until somebody names the piece; a press alone does not
                return None
            uci = uci[:-1] + piece
        sensed = cmd.SenseMove(seat=self.seat, uci=uci, instead=found.instead, at_ms=found.at, on=found.on or None)
        try:
            announcement, words, text = move_entered(position, uci, scheme_for(self._table.state, self.seat))
        except Complaint:  # a pawn unpromoted on the last rank cannot be announced
            return sensed
        return msgspec.structs.replace(sensed, announcement=announcement, words=words, text=text)

    def _base(self, found: MoveSensed) -> Position:
        """Return the position of the record that a sensed move is read from."""
        board = self._table.state.board_of(self.seat)
        return board.before if found.instead else board.position

    def _promotion_piece(self, position: Position) -> str | None:
        """Return the piece on the last rank of an occupancy-only board: as it was announced, never a guess."""
        for record in reversed(self._table.state.moves.plies[-2:]):
            for said in (record.announcement, record.echo):
                if said is not None and said.promotion is not None and record.seat is position.turn:
                    return PROMOTED[said.promotion]
        return None
