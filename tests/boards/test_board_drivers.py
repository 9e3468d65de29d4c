"""The drivers: a fake LiveChess, a pegged board on a pty, a bridge over HTTP; pulled out and plugged in again."""

from __future__ import annotations

import asyncio
import os
import pty
import stat
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import chess
import pytest
from aiohttp import WSServerHandshakeError
from aiohttp.test_utils import TestClient, TestServer

from server.app import build_app
from server.boards.boards import Boards, BoardSettings, Bridged
from server.boards.drivers.line_protocol import PeggedLine, line_of
from server.boards.drivers.livechess import ANEW_MS, LiveChess, of_message
from server.boards.drivers.serial import SerialBoard
from server.boards.event import BoardEvent, ClockShown, Lifted, Link, Placed, Snapshot
from server.boards.squares import of_board, of_occupied
from server.boards.watched_board import WatchedBoard
from server.game.acts import Alerted
from server.game.values.words import Seat
from server.game.views.messages import Recorded
from server.machine.clock import Clock, ScriptedClock, SystemClock
from server.settings import Settings
from server.web.keys import BOARDS
from speech.complaint import Complaint
from tests.boards.fake_livechess import FakeLiveChess, fake_livechess
from tests.table.open_hall import Played, played, reopened
from tests.waiting import PATIENCE_S, idle

START = of_board(chess.Board())


class Taken:
    """What a driver said, and a wait until it has said something."""

    def __init__(self) -> None:
        self.events: list[BoardEvent] = []
        self._more = asyncio.Event()

    def __call__(self, event: BoardEvent) -> None:
        self.events.append(event)
        self._more.set()

    async def until(self, true: Callable[[list[BoardEvent]], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not true(self.events):
                self._more.clear()
                await self._more.wait()

    def of(self, kind: type[Any]) -> list[Any]:
        return [one for one in self.events if isinstance(one, kind)]

    def links(self) -> list[str]:
        states = [one.state for one in self.of(Link)]
        return [state for index, state in enumerate(states) if index == 0 or states[index - 1] != state]


@asynccontextmanager
async def livechess(serial: str = "24958", clock: Clock | None = None) -> AsyncIterator[tuple[FakeLiveChess, Taken]]:
    taken = Taken()
    async with fake_livechess(serial) as (fake, address):
        driver = LiveChess(serial, clock or SystemClock(), taken, address)
        try:
            await asyncio.wait_for(fake.ready.wait(), PATIENCE_S)
            yield fake, taken
        finally:
            await driver.close()


async def test_livechess_placements_clocks_and_what_is_not_for_us() -> None:
    async with livechess() as (fake, taken):
        assert fake.subscribed[0]["param"]["param"] == {"serialnr": "24958"}
        await fake.feed(1, board=chess.STARTING_BOARD_FEN, flipped=False, san=[], start=None)
        await fake.feed(3, clock={"white": 5400, "black": 5399, "run": True, "time": 1})
        await fake.feed(2, board="8/8/8/8/8/8/8/8")  # overtaken
        assert fake.socket is not None
        await fake.socket.send_str("no JSON")
        await fake.socket.send_json({"response": "call", "id": 2, "param": []})
        await fake.feed(4, board="9/8/8/8/8/8/8/8")  # no placement
        fake.serial = "other"
        await fake.feed(5, board="8/8/8/8/8/8/8/8")
        fake.serial = "24958"
        await fake.feed(6, board=chess.STARTING_BOARD_FEN, flipped=True)
        await taken.until(lambda events: len([one for one in events if isinstance(one, Snapshot)]) == 2)
        assert [one.squares for one in taken.of(Snapshot)] == [START, START[::-1]]
        (clock,) = taken.of(ClockShown)
        assert (clock.white_ms, clock.black_ms, clock.running) == (5_400_000, 5_399_000, Seat.WHITE)


async def test_livechess_pulled_out_and_plugged_in_again() -> None:
    async with livechess() as (fake, taken):
        await fake.feed(1, board=chess.STARTING_BOARD_FEN)
        await taken.until(lambda _: taken.links() == ["up"])
        await fake.hang_up()
        await asyncio.wait_for(fake.ready.wait(), PATIENCE_S)
        await fake.feed(1, board=chess.STARTING_BOARD_FEN)  # its time began anew
        await taken.until(lambda _: taken.links() == ["up", "down", "up"])
        assert len(taken.of(Snapshot)) == 2


async def test_one_time_of_livechess_that_is_too_late_makes_no_board_dumb() -> None:
    clock, boards = ScriptedClock(), [chess.Board() for _ in range(6)]
    for number, board in enumerate(boards):
        for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")[:number]:
            board.push_uci(move)
    shown = [of_board(board) for board in boards]

    async with livechess(clock=clock) as (fake, taken):

        async def feed(time: int, number: int) -> None:
            await fake.feed(time, board=boards[number].board_fen())

        async def told(*numbers: int) -> None:
            await taken.until(lambda _: len(taken.of(Snapshot)) == len(numbers))
            assert [one.squares for one in taken.of(Snapshot)] == [shown[number] for number in numbers]

        await feed(100_000, 0)
        await feed(4_000_000_000_000, 1)  # its computer's time of day was set, and set back
        await feed(100_500, 2)
        await feed(100_400, 5)  # overtaken
        await feed(101_000, 3)
        await told(0, 1, 2, 3)
        clock.advance(ANEW_MS)
        await feed(100_900, 4)
        await told(0, 1, 2, 3, 4)
        assert taken.links() == ["up"]


def test_what_livechess_may_never_say() -> None:
    for text in ("", "[]", '{"response":"feed","param":{"board":7}}', '{"response":"feed","param":{"board":"x"}}'):
        with pytest.raises(ValueError):
            of_message(text, "", 1)


class PeggedBoard:
    """The board's end of a pty: numbered lines out, the host's questions in."""

    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        tty.setraw(self.master)
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        self._slave = slave
        self.number = 0

    def say(self, body: str, *, times: int = 1, skip: int = 0) -> None:
        self.number += 1 + skip
        os.write(self.master, line_of(self.number, body) * times)

    async def asked(self) -> None:
        """The host wants the whole board."""
        loop, question = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self.master, question.set)
        try:
            await asyncio.wait_for(question.wait(), PATIENCE_S)
        finally:
            loop.remove_reader(self.master)
        os.read(self.master, 100)

    def unplug(self) -> None:
        os.close(self._slave)
        os.close(self.master)


async def test_a_pegged_board_on_a_line() -> None:
    board, taken = PeggedBoard(), Taken()
    driver = SerialBoard(board.port, PeggedLine(), SystemClock(), taken)
    try:
        await board.asked()
        board.say("=FFFF00000000FFFF")
        board.say("-e2", times=2)
        board.say("+e4")
        await taken.until(lambda _: len(taken.of(Placed)) == 1)
        assert [one.squares for one in taken.of(Snapshot)] == [of_occupied(0xFFFF00000000FFFF)]
        assert [one.square for one in taken.of(Lifted)] == ["e2"]
        board.say("-d2", skip=1)  # a line was lost: what it said is not known
        await board.asked()
        board.say("=FFFF00001000EFFF")
        await taken.until(lambda _: len(taken.of(Snapshot)) == 2)
        assert [one.square for one in taken.of(Lifted)] == ["e2"]
        os.write(board.master, b"half a line")
        os.write(board.master, b" and rubbish\n")
        await board.asked()
        board.unplug()
        await taken.until(lambda _: taken.links() == ["up", "down"])
    finally:
        await driver.close()


async def test_a_port_that_is_not_there_is_one_sentence() -> None:
    taken = Taken()
    driver = SerialBoard("/dev/no-such-port", PeggedLine(), SystemClock(), taken)
    try:
        await taken.until(lambda events: bool(events))
        assert taken.of(Link)[0].state == "down" and "/dev/no-such-port" in taken.of(Link)[0].detail
    finally:
        await driver.close()


async def test_a_bridge_posts_with_its_own_key(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        settings = Settings(boards=(BoardSettings(name="tables-3", table="t1", seat=Seat.BLACK, driver="bridge"),))
        app = build_app(game.hall, settings)
        async with TestClient(TestServer(app)) as client:
            key_file = tmp_path / "boards" / "tables-3.key"
            assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
            key = key_file.read_text().strip()
            address = "/api/boards/tables-3"
            for wrong in ({}, {"Authorization": "Bearer " + "x" * 22}, {"Authorization": key}):
                assert (await client.post(address, data=b"{}", headers=wrong)).status == 403
            right = {"Authorization": f"Bearer {key}"}
            bridged = app[BOARDS].bridge("tables-3", "\udcff")
            assert bridged is None, "bytes of a header that are no text are no key either"
            answer = await client.post(address, data=b'{"lifted":"e9"}', headers=right)
            assert answer.status == 400 and "docs/boards.md" in (await answer.json())["text"]
            assert (await client.post(address, data=b'{"lifted":"e7"}', headers=right)).status == 204
            assert (await client.post("/api/boards/other", data=b"{}", headers=right)).status == 403
            foreign = {**right, "Origin": "http://evil.example"}
            assert (await client.post(address, data=b"{}", headers=foreign)).status == 403


@pytest.mark.parametrize("kept", [b"", b"\n", bytes(23), b"\xff" * 23, b"aB3"])
async def test_a_key_file_that_holds_no_key_opens_the_board_to_nobody(tmp_path: Path, kept: bytes) -> None:
    """The disk was full, or the power went, when it was written."""
    async with played(tmp_path) as game:
        key_file = tmp_path / "boards" / "t.key"
        key_file.parent.mkdir(mode=0o700)
        key_file.write_bytes(kept)
        settings = Settings(boards=(BoardSettings(name="t", table="t1", seat=Seat.BLACK, driver="bridge"),))
        app = build_app(game.hall, settings)
        async with TestClient(TestServer(app)) as client:
            for given in ("Bearer", "Bearer ", f"Bearer {kept.strip().decode('ascii', 'ignore').strip(chr(0))}"):
                answer = await client.post("/api/boards/t", data=b"{}", headers={"Authorization": given})
                assert answer.status == 403
            key = key_file.read_text().strip()
            assert len(key) == 22 and stat.S_IMODE(key_file.stat().st_mode) == 0o600
            right = {"Authorization": f"Bearer {key}"}
            assert (await client.post("/api/boards/t", data=b'{"lifted":"e7"}', headers=right)).status == 204
    keyless = Bridged("", SystemClock(), lambda _: None)
    assert not keyless.knows("")
    await keyless.close()


def test_a_bridge_key_that_cannot_be_written_is_one_sentence_and_leaves_no_half(tmp_path: Path) -> None:
    (tmp_path / "boards").write_text("no folder")
    with pytest.raises(Complaint):
        Boards(tmp_path / "boards", SystemClock()).key_of("t")


async def test_a_bridge_over_a_line_pulled_out_and_plugged_in_again_in_mid_game(tmp_path: Path) -> None:
    """Its numbers begin anew; what was moved meanwhile is read from a board that knows its pieces."""
    async with played(tmp_path) as game:
        settings = Settings(boards=(BoardSettings(name="t", table="t1", seat=Seat.BLACK, driver="bridge"),))
        app = build_app(game.hall, settings)
        async with TestClient(TestServer(app)) as client:
            own = {"Authorization": f"Bearer {(tmp_path / 'boards' / 't.key').read_text().strip()}"}
            with pytest.raises(WSServerHandshakeError):
                await client.ws_connect("/api/boards/t", headers={"Authorization": "Bearer no"})
            board = chess.Board()
            for number, (mine, san) in enumerate((("e4", "e5"), ("d4", "Nc6"), ("c4", "a6"))):
                await game.type("white", mine, "announce")
                await game.press("white")
                board.push_san(mine)
                board.push_san(san)
                async with client.ws_connect("/api/boards/t", headers=own) as line:
                    if number == 1:
                        await line.send_str("no message")
                        assert "docs/boards.md" in (await line.receive_json())["text"]
                    await line.send_json({"number": 1, "placement": board.board_fen()})
                    async with asyncio.timeout(PATIENCE_S):
                        while game.table.state.board_of(Seat.BLACK).position.placement != board.board_fen():
                            await game.pass_time(200)
                            await asyncio.gather(*(desk.reported_all() for desk in app[BOARDS]._desks))
                            await asyncio.sleep(0.01)  # the line and the disk keep step with the scripted clock
                await game.press("black")
                async with asyncio.timeout(PATIENCE_S):
                    while links(game)[-1] != "Black's board: the board cannot be reached: the bridge hung up":
                        await asyncio.sleep(0.01)
            assert game.table.state.moves.line == tuple(move.uci() for move in board.move_stack)
            assert links(game)[:3] == [
                "Black's board: the board cannot be reached: the bridge hung up",
                "Black's board: the board is connected again",
                "Black's board: the board cannot be reached: the bridge hung up",
            ]


def links(game: Played) -> list[str]:
    """What the arbiter was told of a board's line."""
    told = game.ears["arbiter"].of(Recorded)
    found = [one for one in told if isinstance(one.event, Alerted) and one.event.kind == "board_link"]
    return [one.told["en"] for one in found if one.told is not None] or [""]


async def test_a_bridge_started_anew_is_believed_and_a_silent_one_is_stale() -> None:
    taken, clock = Taken(), ScriptedClock()
    bridge = Bridged("key", clock, taken)
    try:
        bridge.post(b'{"number":900,"placed":"e4"}')
        bridge.post(b'{"number":3,"lifted":"e2"}')
        assert [one.square for one in taken.of(Placed)] == ["e4"] and not taken.of(Lifted), "overtaken"
        clock.advance(31_000)
        bridge.post(b'{"number":1,"lifted":"e4"}')
        assert [one.square for one in taken.of(Lifted)] == ["e4"]
        bridge.post(b"{}")
        for _ in range(4):
            clock.advance(2_500)
            await idle()
        assert taken.links()[-1] == "stale"
        bridge.post(b"{}")
        assert taken.links()[-1] == "up"
    finally:
        await bridge.close()


async def test_a_pegged_board_pulled_out_and_plugged_in_again(tmp_path: Path) -> None:
    """The port comes back under its name (as udev gives one); the board is asked for whole."""
    first, second, taken = PeggedBoard(), PeggedBoard(), Taken()
    port = tmp_path / "board"
    port.symlink_to(first.port)
    driver = SerialBoard(str(port), PeggedLine(), SystemClock(), taken)
    try:
        await first.asked()
        first.say("=FFFF00000000FFFF")
        await taken.until(lambda _: len(taken.of(Snapshot)) == 1)
        port.unlink()  # before its pty ends, whose name another test may have at once
        first.unplug()
        await taken.until(lambda _: taken.links() == ["up", "down"])
        port.symlink_to(second.port)
        await second.asked()
        second.say("=FFFF00001000EFFF")
        await taken.until(lambda _: len(taken.of(Snapshot)) == 2)
        assert taken.links() == ["up", "down", "up"]
    finally:
        await driver.close()
        second.unplug()


async def test_a_pegged_board_pulled_out_in_mid_game_makes_no_wrong_move(tmp_path: Path) -> None:
    """It knows occupancy alone: what was moved while it was away is told to the arbiter and not guessed."""
    async with played(tmp_path) as game:
        first, second, port = PeggedBoard(), PeggedBoard(), tmp_path / "board"
        port.symlink_to(first.port)
        desk = WatchedBoard(game.table, game.clock, Seat.BLACK, occupancy=True)
        driver = SerialBoard(str(port), PeggedLine(), game.clock, desk.take)
        plugged = [first]

        async def until(true: Callable[[], bool]) -> None:
            async with asyncio.timeout(PATIENCE_S):
                while not true():
                    for board in plugged:
                        board.say(".")  # it lives, however long this takes
                    await game.pass_time(30)
                    await desk.reported_all()
                    await asyncio.sleep(0.02)  # a thread reads the port; the scripted clock keeps its pace

        async def hand(board: PeggedBoard, body: str, square: int, *, there: bool) -> None:
            board.say(body)
            await until(lambda: raw(desk)[square] != "." if there else raw(desk)[square] == ".")
            await game.pass_time(400)

        try:
            await game.type("white", "e4", "announce")
            await game.press("white")
            await first.asked()
            first.say("=FFFF00000000FFFF")
            await until(lambda: raw(desk) != "")
            await game.pass_time(3_000)  # the board has stood before a hand comes near it
            await desk.reported_all()
            for lift, place in (("e2", "e4"), ("e7", "e5")):
                await hand(first, f"-{lift}", chess.parse_square(lift), there=False)
                await hand(first, f"+{place}", chess.parse_square(place), there=True)
                await game.pass_time(3_000)
                await desk.reported_all()
            await until(lambda: game.table.state.moves.line == ("e2e4", "e7e5"))
            plugged.clear()
            port.unlink()
            first.unplug()
            await until(lambda: "cannot be reached" in links(game)[-1])
            await game.press("black")
            port.symlink_to(second.port)
            await second.asked()
            plugged.append(second)
            board = chess.Board()
            for san in ("e4", "e5", "Nf3"):
                board.push_san(san)
            second.say(f"={int(board.occupied):016X}")
            await until(lambda: links(game)[-1].endswith("the board is connected again"))
            await until(lambda: odd(game) == 1)
            assert game.table.state.moves.line == ("e2e4", "e7e5")
        finally:
            await driver.close()
            await desk.close()
            second.unplug()


def odd(game: Played) -> int:
    """How often the arbiter was told that no move leads to what a board shows."""
    told = [one.event for one in game.ears["arbiter"].of(Recorded)]
    return sum(isinstance(one, Alerted) and one.kind == "board_odd" for one in told)


def raw(desk: WatchedBoard) -> str:
    """What the desk's board senses now; "" where it has said nothing."""
    settling = desk._watch.settling
    return settling.raw if settling is not None else ""


async def test_a_board_of_no_table_is_one_sentence(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, clock):
        boards = Boards(tmp_path / "boards", clock)
        with pytest.raises(Complaint, match="no table"):
            boards.watch(BoardSettings(name="a", table="t", seat=Seat.WHITE, driver="serial"), hall.table("t"))
        await boards.close()


@pytest.mark.parametrize("text", [b'{"response":"feed","param":' + b"[" * 60_000, b'{"response":"\xff"}'])
def test_what_livechess_nests_or_garbles_ends_no_driver(text: bytes) -> None:
    with pytest.raises(ValueError, match="not documented") as told:
        of_message(text, "", 1)
    assert not isinstance(told.value, UnicodeError)
