"""A sighted player's board of a maker beside the other player's pegged one: real bytes over ptys, a real table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import chess
import msgspec
import pytest

from server.boards.boards import Boards, BoardSettings
from server.boards.event import Lifted
from server.boards.watched_board import WatchedBoard
from server.game.acts import Alerted
from server.game.values.words import ClockMaster, Origin, Seat
from server.game.views.messages import Recorded
from speech.announcements.announce import announce, text_of
from speech.complaint import Complaint
from speech.words.loading import load_scheme
from tests.boards.simulated_boards import SimulatedBoard, SimulatedChessLink, SimulatedDgt, odd_parity
from tests.boards.test_board_drivers import PeggedBoard
from tests.table.hands import Hands
from tests.table.open_hall import Played, played
from tests.waiting import PATIENCE_S

SCHEME = load_scheme("d21", "de")
KINDS = {"dgt": SimulatedDgt, "chesslink": SimulatedChessLink}
# A capture, castling, a capture with a promotion, en passant: everything that hands do on a board.
FEN = "r3k3/1P4p1/8/3p4/4P2P/8/8/4K2R w K - 0 1"
LINE = "exd5 Kf7 O-O+ Ke7 h5 g5 hxg6 Kd6 bxa8=N Kxd5"


class Table:
    """White plays by touch on a pegged board, Black sees and has a board of a maker; both know nothing of it."""

    def __init__(self, game: Played, folder: Path, kind: str, **settings: object) -> None:
        self.game = game
        self.board = game.table.state.board_of(Seat.WHITE).position.board()
        self.pegged = PeggedBoard()
        placement = self.board.board_fen()[:: -1 if settings.get("turned") else 1]
        self.maker: SimulatedBoard = KINDS[kind](folder / "port", chess.BaseBoard(placement))
        self.maker.plug_in()
        self.boards = Boards(folder / "boards", game.clock)
        blocks = (
            {"name": "w", "seat": "white", "driver": "serial", "port": self.pegged.port, "occupancy": True},
            {"name": "b", "seat": "black", "driver": kind, "port": str(self.maker.port), **settings},
        )
        self.white, self.black = (
            self.boards.watch(msgspec.convert({"table": "t1", **block}, BoardSettings), game.table) for block in blocks
        )
        self.hands = {seat: Hands(3, occupancy=False, snapshots=False, board=self.board) for seat in Seat}

    async def until(self, true: Callable[[], bool]) -> None:
        """The lines, the threads that read them and the disk keep step with the scripted clock."""
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                self.pegged.say(".")
                await self.game.pass_time(30)
                for desk in (self.white, self.black):
                    await desk.reported_all()
                await asyncio.sleep(0.005)

    async def senses(self, desk: WatchedBoard, square: int, *, there: bool) -> None:
        def shown() -> bool:
            settling = desk._watch.settling
            return settling is not None and (settling.settled[square] != ".") is there

        await self.until(shown)

    async def carry_out(self, seat: Seat, move: chess.Move) -> None:
        """The hands of a player carry a move out, and the record has it on that player's board."""
        taken: list[chess.Piece] = []
        for event in self.hands[seat].play(self.board, move):
            assert not hasattr(event, "squares")
            square, lifted = chess.parse_square(event.square), isinstance(event, Lifted)  # type: ignore[union-attr]
            if seat is Seat.WHITE:
                self.pegged.say(("-" if lifted else "+") + chess.square_name(square))
            elif lifted:
                taken.append(self.maker.lift(square))
            else:
                self.maker.put(square, self.hands[seat].on.piece_at(square) or taken[0])
            await self.senses(self.white if seat is Seat.WHITE else self.black, square, there=not lifted)
        after = self.board.copy()
        after.push(move)
        await self.until(lambda: self.game.table.state.board_of(seat).position.placement == after.board_fen())

    async def play(self, san: str) -> None:
        """The player to move moves, announces and presses; the opponent carries the move out."""
        move = self.board.parse_san(san)
        mover = Seat.WHITE if self.board.turn else Seat.BLACK
        words = text_of(announce(self.board, move, SCHEME))
        if mover is Seat.WHITE:
            outcome = await self.game.type("white", words, "announce")
            assert outcome.outcome.ok
        await self.carry_out(mover, move)
        await self.game.press(mover.value)
        await self.carry_out(mover.other, move)
        self.board.push(move)

    def alerts(self, *kinds: str) -> list[str]:
        told = self.game.ears["arbiter"].of(Recorded)
        found = [one for one in told if isinstance(one.event, Alerted) and one.event.kind in kinds]
        return [one.told["en"] for one in found if one.told is not None]

    async def close(self) -> None:
        await self.boards.close()
        self.maker.pull_out()
        self.pegged.unplug()


@asynccontextmanager
async def table(
    folder: Path, kind: str, fen: str = chess.STARTING_FEN, master: ClockMaster = ClockMaster.SERVER, **settings: object
) -> AsyncIterator[Table]:
    async with played(folder / "data", fen=fen, master=master) as game:
        at = Table(game, folder, kind, **settings)
        try:
            await at.until(lambda: at.maker.asked.endswith(b"\x42" if kind == "dgt" else odd_parity("S53")))
            yield at
        finally:
            await at.close()


@pytest.mark.law("L176", "L189", "L191")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_game_between_a_pegged_board_and_a_makers_board(tmp_path: Path, kind: str) -> None:
    async with table(tmp_path, kind, FEN) as at:
        for san in LINE.split():
            await at.play(san)
        state = at.game.table.state
        assert state.moves.line == tuple(move.uci() for move in at.board.move_stack)
        for seat in Seat:
            assert state.board_of(seat).position.placement == at.board.board_fen()
        assert all(one.executed_ms is not None for one in state.moves.plies)
        lifts = {one.seat for one in state.rulings.touches if one.how == "lifted" and one.origin is Origin.SENSED}
        assert lifts == set(Seat)
        assert at.alerts("board_odd", "board_link", "board_differs") == []
        if isinstance(at.maker, SimulatedChessLink):
            assert at.maker.lights == ["00"] * 81
            assert b"L" not in bytes(byte & 0x7F for byte in at.maker.asked), "no light is lit"
            assert b"W" not in bytes(byte & 0x7F for byte in at.maker.asked), "nothing is written into it"
        else:
            assert set(at.maker.asked) == {0x40, 0x42, 0x44}, "no clock is set, no trade mark is asked for"


@pytest.mark.law("L099")
@pytest.mark.parametrize("kind", KINDS)
async def test_the_kings_in_the_middle_of_both_boards_are_a_result_and_no_move(tmp_path: Path, kind: str) -> None:
    """8.7, DGT's rule: both on white squares, White has won; the arbiter confirms it."""
    async with table(tmp_path, kind, "r3k3/ppp5/8/8/8/8/PPP5/R3K3 b q - 0 1") as at:
        kings = {"e8": "d5", "e1": "e4"}
        for home, to in kings.items():
            king = at.maker.lift(chess.parse_square(home))
            await at.senses(at.black, chess.parse_square(home), there=False)
            at.maker.put(chess.parse_square(to), king)
            await at.senses(at.black, chess.parse_square(to), there=True)
        for body in ("-e8", "-e1", "+d5", "+e4"):
            at.pegged.say(body)
            await at.senses(at.white, chess.parse_square(body[1:]), there=body[0] == "+")
        await at.until(lambda: len(at.alerts("result_signal")) == 2)
        ends = "'s board: the kings on e4 d5 show 1-0; no move was made of it"
        assert set(at.alerts("result_signal")) == {f"{who}{ends}" for who in ("White", "Black")}
        state = at.game.table.state
        assert state.moves.plies == () and not state.over and state.time.clock.running is Seat.BLACK
        assert at.alerts("board_odd", "board_differs") == []


@pytest.mark.parametrize("kind", KINDS)
async def test_pulled_out_with_a_piece_in_the_hand_and_plugged_in_after_noise(tmp_path: Path, kind: str) -> None:
    """What was moved meanwhile is read when the board is back; half a message and noise move nothing."""
    async with table(tmp_path, kind) as at:
        await at.play("e4")
        pawn = at.maker.lift(chess.E7)
        await at.senses(at.black, chess.E7, there=False)
        at.maker.pull_out()
        await at.until(lambda: len(at.alerts("board_link")) == 1)
        assert at.game.table.state.time.clock.running is Seat.BLACK, "no clock stops for a cable"
        at.maker.on.set_piece_at(chess.E5, pawn)
        at.maker.plug_in()
        at.maker.send(b"\x86\x00\x43\x07\x07 half a message \xff\x00s" + bytes(range(256)))
        await at.until(lambda: at.game.table.state.moves.line == ("e2e4", "e7e5"))
        at.maker.send(b"\x8e\x00\x05")
        at.hands[Seat.BLACK].on = at.maker.on.copy()
        at.board.push_uci("e7e5")
        await at.game.press("black")
        told = at.alerts("board_link")
        assert "the board cannot be reached" in told[0] and told[1] == "Black's board: the board is connected again"
        assert len(told) == 2


@pytest.mark.law("L049")
async def test_a_dgt_clock_leads_where_the_organiser_said_who_sits_where(tmp_path: Path) -> None:
    async with table(tmp_path, "dgt", master=ClockMaster.LIVECHESS, white_on_clock="left") as at:
        dgt = at.maker
        assert isinstance(dgt, SimulatedDgt)
        await at.until(lambda: dgt.tells == "fields and clock")
        dgt.show("1:30:00", "1:30:00", to_move="left")
        await at.game.type("white", "e4", "announce")
        dgt.show("1:29:50", "1:30:00", to_move="right")
        await at.until(lambda: at.game.table.state.moves.plies[0].completed)
        read = at.game.table.state.time.clock_read
        assert read is not None and read[1:] == (5_390_000, 5_400_000)


async def test_a_board_that_lies_the_other_way_round(tmp_path: Path) -> None:
    async with table(tmp_path, "chesslink", turned=True) as at:
        await at.game.type("white", "e4", "announce")
        await at.game.press("white")
        at.maker.put(63 - chess.E4, at.maker.lift(63 - chess.E2))
        await at.until(lambda: at.game.table.state.board_of(Seat.BLACK).position.board().piece_at(chess.E4) is not None)
        assert at.alerts("board_odd", "board_differs") == []


def test_a_makers_board_needs_a_port(tmp_path: Path) -> None:
    for driver in KINDS:
        settings = msgspec.convert({"name": "b", "table": "t", "seat": "black", "driver": driver}, BoardSettings)
        with pytest.raises(Complaint, match=r"boards\.b\.port: name the serial port"):
            Boards(tmp_path, None)._driver(settings, lambda _: None, lambda _: None)  # type: ignore[arg-type]
