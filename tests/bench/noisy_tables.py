"""Noisy boards at real tables: what stands on record, and of what the arbiter was told (`noisy_boards --tables`).

Two boards of one kind at one table: White is tactile and announces moves, Black is sighted and Black's are known by
the board alone. Messages go the way of their driver (LiveChess's feed, a bridge's posts, the pegged board's lines),
to the desk, the table and the disk, by a scripted clock.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import chess
import msgspec

from server.boards.boards import Bridged
from server.boards.drivers.line_protocol import LineReader, line_of
from server.boards.drivers.livechess import of_message
from server.boards.event import BoardEvent, Lifted, Placed, Snapshot
from server.boards.watched_board import WatchedBoard
from server.game import acts as cmd
from server.game.acts import Alerted
from server.game.values.words import Seat, SeatKind
from server.game.views.messages import Recorded
from speech.announcements.announce import announce, text_of
from speech.words.loading import load_scheme
from tests.bench.noisy_boards import PAUSE_MS, Counts, Wire
from tests.table.hands import Hands
from tests.table.open_hall import Played, played

SCHEME = load_scheme("d21", "de")
STEP_MS = 200
CALLS = ("board_odd", "board_differs", "board_not_followed", "result_signal")


class Wired:
    """One board, its hands, its noisy line and its driver's way to the desk."""

    def __init__(self, game: Played, seat: Seat, seed: int, *, occupancy: bool, snapshots: bool, loss: float) -> None:
        self.game, self.seat = game, seat
        self.hands = Hands(seed, occupancy=occupancy, snapshots=snapshots)
        self.desk = WatchedBoard(game.table, game.clock, seat, occupancy=occupancy)
        self._wire = Wire(Random(seed), loss)
        self._newest = -1
        self._reader = LineReader(0)
        self._bridge = Bridged("key", game.clock, self.desk.take)
        self._carry: Callable[[int, BoardEvent], None] = (
            self._line if not snapshots else self._post if occupancy else self._feed
        )

    def _feed(self, number: int, event: BoardEvent) -> None:
        """The way of LiveChess: its own time drops what was overtaken (`LiveChess._read`)."""
        assert isinstance(event, Snapshot)
        board = self._placement(event.squares)
        said = {"response": "feed", "param": {"serialnr": "1", "board": board}, "time": number}
        events, own_time = of_message(msgspec.json.encode(said), "1", self.game.clock.mono_ms())
        if own_time is not None and own_time >= self._newest:
            self._newest = own_time
            for one in events:
                self.desk.take(one)

    def _post(self, number: int, event: BoardEvent) -> None:
        """The way of a bridge that knows occupancy alone."""
        assert isinstance(event, Snapshot)
        bits = sum(1 << square for square, sign in enumerate(event.squares) if sign != ".")
        self._bridge.post(msgspec.json.encode({"number": number, "occupied": f"{bits:016x}"}))

    def _line(self, number: int, event: BoardEvent) -> None:
        """The way of the pegged board: a gap asks for the whole board, which answers at once."""
        assert isinstance(event, (Placed, Lifted))
        body = f"+{event.square}{event.piece or ''}" if isinstance(event, Placed) else f"-{event.square}"
        text = line_of(number, body)
        self._reader, found = self._reader.read(text, self.game.clock.mono_ms())
        for one in found.events:
            self.desk.take(one)
        if found.want_board:
            self.whole()

    def whole(self) -> None:
        """The pegged board says how it stands."""
        self.desk.take(Snapshot(self.game.clock.mono_ms(), self.hands.squares()))

    @staticmethod
    def _placement(squares: str) -> str:
        board = chess.BaseBoard(None)
        for square, sign in enumerate(squares):
            if sign != ".":
                board.set_piece_at(square, chess.Piece.from_symbol(sign))
        return board.board_fen()

    async def play(self, board: chess.Board, move: chess.Move) -> None:
        """The hands carry it out; what comes through comes at its time."""
        self.hands.now = max(self.hands.now, self.game.clock.mono_ms())
        for arrival, number, event in self._wire.numbered(self.hands.play(board, move)):
            await self.wait(arrival)
            self._carry(number, event)
        await self.wait(self.hands.now)

    async def wait(self, until: int) -> None:
        """In small steps, so that the disk and all who look keep step with the scripted clock."""
        while (left := until - self.game.clock.mono_ms()) > 0:
            await self.desk.reported_all()
            await self.game.pass_time(min(left, STEP_MS))
        await self.desk.reported_all()

    async def close(self) -> None:
        await self._bridge.close()
        await self.desk.close()


async def play_table(
    sans: list[str], seed: int, *, occupancy: bool, snapshots: bool, loss: float, counts: Counts
) -> None:
    """One game at one table; each ply counts for both boards. The arbiter sets right what they are told of."""
    with tempfile.TemporaryDirectory() as folder:
        async with played(Path(folder), black=SeatKind.SIGHTED) as game:
            wired = {
                seat: Wired(game, seat, 2 * seed + number, occupancy=occupancy, snapshots=snapshots, loss=loss)
                for number, seat in enumerate(Seat)
            }
            try:
                await _moves(game, wired, sans, counts, f"game {seed}", again=not snapshots)
            finally:
                for one in wired.values():
                    await one.close()


async def _moves(
    game: Played, wired: dict[Seat, Wired], sans: list[str], counts: Counts, name: str, *, again: bool
) -> None:
    board, stood = chess.Board(), {chess.STARTING_BOARD_FEN}
    for ply, san in enumerate(sans, 1):
        move = board.parse_san(san)
        mover = Seat.WHITE if board.turn else Seat.BLACK
        told = _calls(game)
        await wired[mover].play(board, move)
        if mover is Seat.WHITE or move.promotion:  # which piece, a board without names leaves to the words
            await game.type(mover.value, text_of(announce(board, move, SCHEME)), "announce")
        await wired[mover].wait(game.clock.mono_ms() + 1_000)
        await game.press(mover.value)
        await wired[mover.other].play(board, move)
        board.push(move)
        stood.add(board.board_fen())
        await game.pass_time(1_000)
        for one in wired.values() if again else ():  # a sign of life brings the whole board now and then
            one.whole()
        for one in wired.values():
            await one.wait(game.clock.mono_ms() + PAUSE_MS // 2)
        await _count(game, board, stood, ply, counts, f"{name}, {san}", called=_calls(game) > told)


async def _count(
    game: Played, board: chess.Board, stood: set[str], ply: int, counts: Counts, name: str, *, called: bool
) -> None:
    """Both boards of the record, and the move of the game: right, late, told, or wrong with nobody told."""
    wanted, uci = board.board_fen(), board.move_stack[-1].uci()
    record = game.table.state.ply(ply)
    wrong = record is not None and record.entered is not None and record.entered != uci
    for seat in Seat:
        counts.plies += 1
        there = game.table.state.board_of(seat).position.placement
        if there == wanted and not wrong:
            counts.right += 1
        elif called:
            counts.told += 1
        elif there in stood and not wrong:
            counts.late += 1
            continue
        else:
            counts.silent.append(f"{name}, {seat.value}: {there} {record.entered if record else None}")
        if there != wanted:
            await game.done("arbiter", cmd.SetBoard(board=seat, placement=wanted, turn=_turn(board)))
    line = game.table.state.moves.line
    if len(line) < ply or line[ply - 1] != uci:
        await game.done("arbiter", cmd.Mend(ply=ply, uci=uci))


def _turn(board: chess.Board) -> Seat:
    return Seat.WHITE if board.turn else Seat.BLACK


def _calls(game: Played) -> int:
    """How often the arbiter was called for a board."""
    events = (one.event for one in game.ears["arbiter"].of(Recorded))
    return sum(isinstance(one, Alerted) and one.kind in CALLS for one in events)
