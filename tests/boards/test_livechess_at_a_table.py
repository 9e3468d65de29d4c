"""A LiveChess board at a table, pulled out and plugged in again in mid-game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from server.boards.drivers.livechess import LiveChess
from server.boards.event import Snapshot
from server.boards.squares import of_board
from server.boards.watched_board import WatchedBoard
from server.game import acts as cmd
from server.game.acts import Alerted
from server.game.values.words import ClockMaster, Seat
from server.game.views.messages import Recorded
from tests.boards.fake_livechess import FakeLiveChess, fake_livechess
from tests.table.hands import Hands
from tests.table.open_hall import Played, played
from tests.waiting import PATIENCE_S


class Rig:
    """Black's board, its cable and its desk."""

    def __init__(self, game: Played, fake: FakeLiveChess, address: str) -> None:
        self.game, self.fake = game, fake
        self.hands = Hands(1, occupancy=False, snapshots=True)
        self.desk = WatchedBoard(game.table, game.clock, Seat.BLACK)
        self._driver = LiveChess("24958", game.clock, self.desk.take, address)
        self._time = 0

    async def until(self, true: Callable[[], bool]) -> None:
        """The line and the disk keep step with the scripted clock."""
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                await self.game.pass_time(50)
                await self.desk.reported_all()
                await asyncio.sleep(0.005)

    async def shows(self) -> None:
        """It sends what stands on it, twice as LiveChess does, and a hint in SAN that nobody reads."""
        for _ in range(2):
            self._time += 1
            await self.fake.feed(self._time, board=self.hands.on.board_fen(), san=["Qh5"], start=None, flipped=False)
        shown = of_board(self.hands.on)
        await self.until(lambda: (there := self.desk._watch.settling) is not None and there.raw == shown)
        for _ in range(4):
            await self.game.pass_time(100)
            await self.desk.reported_all()

    async def play(self, board: chess.Board, san: str) -> None:
        """The hands carry a move out, and the record has it on this board."""
        move = board.parse_san(san)
        for event in self.hands.play(board, move):
            assert isinstance(event, Snapshot)
            await self.shows()
        board.push(move)
        await self.stands(board)

    async def stands(self, board: chess.Board) -> None:
        """The record has this position on this board."""
        placement = board.board_fen()
        await self.until(lambda: self.game.table.state.board_of(Seat.BLACK).position.placement == placement)

    async def pulled_out(self) -> None:
        await self.fake.hang_up()
        await self.until(lambda: "cannot be reached" in self.alerts("board_link")[-1])

    async def plugged_in(self) -> None:
        await self.until(self.fake.ready.is_set)
        self._time = 0  # its time begins anew
        await self.shows()

    def alerts(self, *kinds: str) -> list[str]:
        told = self.game.ears["arbiter"].of(Recorded)
        found = [one for one in told if isinstance(one.event, Alerted) and one.event.kind in kinds]
        return [one.told["en"] for one in found if one.told is not None] or [""]

    async def close(self) -> None:
        await self._driver.close()
        await self.desk.close()


@pytest.mark.law("L182", "L026")
async def test_moves_made_while_it_was_out_are_read_and_who_adjusts_is_not_bound(tmp_path: Path) -> None:
    async with played(tmp_path) as game, fake_livechess() as (fake, address):
        rig, board = Rig(game, fake, address), chess.Board()

        async def white(text: str) -> None:
            await game.type("white", text, "announce")
            await game.press("white")

        try:
            await rig.until(fake.ready.is_set)
            await rig.shows()
            await white("e4")
            await rig.play(board, "e4")
            await rig.play(board, "e5")
            await game.press("black")
            await white("Springer f3")
            knight, _ = rig.hands.lift(chess.G1)
            await rig.shows()  # the cable falls out with a knight in the opponent's hand
            await rig.pulled_out()
            clock = game.table.state.time.clock
            assert clock.running is Seat.BLACK, "no clock stops for a cable"
            rig.hands.put(chess.F3, knight)
            await game.done("black", cmd.Adjust())
            rook, _ = rig.hands.lift(chess.A8)
            rig.hands.put(chess.A8, rook)
            own, _ = rig.hands.lift(chess.B8)
            rig.hands.put(chess.C6, own)
            await rig.plugged_in()
            for san in ("Nf3", "Nc6"):
                board.push_san(san)
            await rig.stands(board)
            await game.press("black")
            assert rig.alerts("board_link") == [
                "Black's board: the board cannot be reached: LiveChess closed the connection",
                "Black's board: the board is connected again",
            ]
            await white("d4")
            await rig.play(board, "d4")
            await game.done("black", cmd.Adjust())
            pawn, _ = rig.hands.lift(chess.D7)
            await rig.shows()
            rig.hands.put(chess.D7, pawn)
            await rig.shows()
            (adjusted,) = [one for one in game.table.state.rulings.touches if one.square == "d7"]
            assert (adjusted.how, adjusted.because) == ("lifted", "adjusting")
            await rig.play(board, "exd4")
            await game.press("black")
            assert game.table.state.moves.line == tuple(move.uci() for move in board.move_stack)
            told = rig.alerts("board_odd", "board_differs", "board_not_followed")
            assert not [one for one in told if "black" in one], "White's board senses nothing, and waits for an echo"
        finally:
            await rig.close()


@pytest.mark.law("L049")
async def test_its_clock_leads_and_what_was_pressed_while_it_was_out_is_nobodys_guess(tmp_path: Path) -> None:
    async with played(tmp_path, master=ClockMaster.LIVECHESS) as game, fake_livechess() as (fake, address):
        rig = Rig(game, fake, address)

        async def clock(time: int, white: int, black: int, *, run: bool) -> None:
            await fake.feed(time, clock={"white": white, "black": black, "run": run, "time": time})
            read = (white * 1000, black * 1000)
            await rig.until(lambda: (there := game.table.state.time.clock_read) is not None and there[1:] == read)

        try:
            await rig.until(fake.ready.is_set)
            await clock(1, 5400, 5400, run=True)
            await game.type("white", "e4", "announce")
            await clock(2, 5390, 5400, run=False)
            await rig.until(
                lambda: game.table.state.moves.plies[0].completed
            )  # White's own time stopped there: pressed (6.2.1)
            await rig.fake.hang_up()
            await rig.until(lambda: "cannot be reached" in rig.alerts("board_link")[-1])
            await rig.until(fake.ready.is_set)
            await clock(1, 5390, 5380, run=True)  # pressed meanwhile, or not
            await rig.desk.reported_all()
            assert game.table.state.made_plies == 1
            await rig.play(chess.Board(), "e4")
            await clock(9, 5385, 5380, run=False)
            assert game.table.state.moves.line == ("e2e4",)
        finally:
            await rig.close()


@pytest.mark.law("L099")
async def test_kings_in_the_middle_of_a_livechess_board_are_a_result_and_put_back_they_are_none(tmp_path: Path) -> None:
    """8.7: the kings are put back, and the game goes on."""
    async with played(tmp_path) as game, fake_livechess() as (fake, address):
        rig = Rig(game, fake, address)
        try:
            await rig.until(fake.ready.is_set)
            await rig.shows()
            kings = {}
            for home, to in ((chess.E8, chess.E5), (chess.E1, chess.E4)):
                kings[home], _ = rig.hands.lift(home)
                await rig.shows()
                rig.hands.put(to, kings[home])
                await rig.shows()
            await rig.until(lambda: "show 1/2-1/2" in rig.alerts("result_signal")[-1])
            for home, to in ((chess.E8, chess.E5), (chess.E1, chess.E4)):
                rig.hands.lift(to)
                rig.hands.put(home, kings[home])
                await rig.shows()
            await rig.until(lambda: not game.table.state.rulings.unsettled)
            assert game.table.state.moves.plies == () and game.table.state.time.clock.running is Seat.WHITE
            await game.type("white", "e4", "announce")
            await game.press("white")
            board = chess.Board()
            await rig.play(board, "e4")
            await rig.play(board, "e5")
            assert game.table.state.moves.line == ("e2e4", "e7e5")
        finally:
            await rig.close()
