"""Who gets a place when connections crowd in, and how requests take turns; on a loop that knows no readers."""

from __future__ import annotations

import asyncio
import errno
import logging
import secrets
import socket
import ssl
import struct
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from yarl import URL

from server.game import acts as ev
from server.game.acts import AnyEvent
from server.game.values.words import Seat
from server.settings import Settings
from server.table.table import Observer
from server.web.door import entrance
from server.web.door.entrance import Limits, raise_descriptors
from server.web.door.turns import Turns
from server.web.keys import ADDRESSES
from server.web.pace import LONGEST_WAIT_S, PINGS, SHOWN, Pace
from server.web.sockets import audio, line, station
from server.web.sockets.line import MOST_LINES, TOO_MANY
from tests.waiting import PATIENCE_S, until
from tests.web.open_house import House, Visitor, open_house
from tests.windows_loop import WindowsPolicy

pytestmark = pytest.mark.filterwarnings("ignore:Overriding the .event_loop_policy:pytest.PytestDeprecationWarning")

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def event_loop_policy() -> asyncio.AbstractEventLoopPolicy:
    """All of it with what the event loop of Windows has; every other test of the server has the loop of its system."""
    return WindowsPolicy()


@pytest.fixture
async def narrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A house with six places for a device that is not admitted, and ten for all of them."""
    monkeypatch.setattr(entrance, "EACH", 6)
    monkeypatch.setattr(entrance, "STRANGERS", 10)
    async with open_house(tmp_path / "data") as house:
        yield house


class Caller:
    """A connection of some device, which says what it is told to and no more."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def answer(self, said: bytes = GET) -> bytes:
        """The status line of what is answered, b"" where the connection was closed."""
        self.writer.write(said)
        return await self.reader.readline()


async def called(house: House, device: str = "127.0.0.1") -> Caller:
    port = int(house.base.rpartition(":")[2])
    return Caller(*await asyncio.open_connection("127.0.0.1", port, local_addr=(device, 0)))


async def crowd(house: House, count: int, device: str) -> list[Caller]:
    """So many silent connections, each of which the server has taken before the next."""
    callers = []
    for _ in range(count):
        before = house.entrance.taken
        callers.append(await called(house, device))
        await until(lambda before=before: house.entrance.taken > before)  # type: ignore[misc]
    return callers


def faults(house: House) -> list[str]:
    """Watch for what the arbiter is told of."""
    told: list[str] = []

    def note(event: AnyEvent) -> None:
        if isinstance(event, ev.Alerted) and event.kind == "fault":
            told.append(event.said.key if event.said is not None else "")

    house.table.observers.append(Observer("A test", event=note))
    return told


async def test_a_crowd_of_one_device_displaces_only_itself_and_the_arbiter_is_told_once(narrow: House) -> None:
    told = faults(narrow)
    silent = await crowd(narrow, 9, "127.0.0.2")
    assert narrow.entrance.strangers == 6
    assert [await one.reader.read() for one in silent[:3]] == [b""] * 3, "the oldest made room"
    other = await crowd(narrow, 4, "127.0.0.3")
    assert narrow.entrance.strangers == 10
    newcomer = await called(narrow, "127.0.0.4")
    assert await newcomer.answer() == b"HTTP/1.1 200 OK\r\n"
    assert narrow.entrance.strangers == 10
    assert await silent[3].reader.read() == b"", "of the device that had most"
    assert not any(one.reader.at_eof() for one in other)
    await until(lambda: bool(told))
    await crowd(narrow, 9, "127.0.0.2")
    assert told == ["places_short"]


async def test_an_admitted_station_keeps_its_place_and_comes_back_through_a_crowd(narrow: House) -> None:
    player = await narrow.station("tactile", Seat.WHITE)
    playing = await player.line()
    await playing.next()
    crowding = [one for device in range(2, 7) for one in await crowd(narrow, 6, f"127.0.0.{device}")]
    assert (await playing.do({"do": "ask", "what": "clock"}))["kind"] == "outcome"
    await playing.socket.close()
    again = await player.line()
    assert (await again.next())["greeting"]["seat"] == "white"
    assert narrow.entrance.strangers <= 10 and len(crowding) == 30


async def test_what_has_said_nothing_costs_no_http(narrow: House) -> None:
    before = len(narrow.entrance.talks)
    callers = await crowd(narrow, 5, "127.0.0.2")
    assert len(narrow.entrance.talks) == before
    assert await callers[0].answer() == b"HTTP/1.1 200 OK\r\n"
    assert len(narrow.entrance.talks) == before + 1


async def test_a_connection_put_off_before_it_is_let_in_is_closed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_next_in, kept = entrance.Entrance._let_next_in, list[socket.socket | None]()

    def at_once_put_off(door: entrance.Entrance) -> None:
        let_next_in(door)
        for guest in [one for one in door._all() if one.turn is not None and one.turn.done()]:
            kept.append(guest.connection)
            door.put_off(guest)

    monkeypatch.setattr(entrance.Entrance, "_let_next_in", at_once_put_off)
    with suppress(ConnectionResetError):
        assert await (await called(house)).answer() == b""
    assert [one.fileno() for one in kept if one is not None] == [-1]


async def test_silence_half_a_head_and_half_a_body_end(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "SILENT_S", 0.2)
    monkeypatch.setattr("server.web.door.answers.BODY_S", 0.2)
    half = b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n"
    assert await (await called(house)).answer(b"") == b""
    assert await (await called(house)).answer(half) == b""
    monkeypatch.setattr(entrance, "SILENT_S", PATIENCE_S)  # from here on the heads come whole
    assert await (await called(house)).answer(half + b"\r\n{") == b"HTTP/1.1 408 Request Timeout\r\n"
    form = b"POST /cards HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    form += b"Content-Length: 9\r\n%b\r\ndo"
    async with asyncio.timeout(PATIENCE_S):
        assert await (await called(house)).answer(form % b"") == b"HTTP/1.1 403 Forbidden\r\n", (
            "a stranger's is not read"
        )
        cookies = (await house.arbiter()).session.cookie_jar.filter_cookies(URL(house.base))
        own = "; ".join(f"{name}={one.value}" for name, one in cookies.items())
        cookie = f"Cookie: {own}\r\n".encode()
        assert await (await called(house)).answer(form % cookie) == b"HTTP/1.1 408 Request Timeout\r\n"


async def test_a_head_too_long_gets_one_sentence_and_names_no_program(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    for head in (b"GET /" + b"x" * 9_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x16\x03\x01\r\n\r\n"):
        caller = await called(house)
        caller.writer.write(head)
        told = (await caller.reader.read()).decode()
        assert " 400 Bad Request\r\n" in told and '"text"' in told and "Server: Anna Eins" in told
        assert not any(name in told.lower() for name in ("python", "aiohttp", "traceback", "error"))
    assert not caplog.records


async def test_no_descriptor_left_is_told_once_and_is_no_flood(house: House, caplog: pytest.LogCaptureFixture) -> None:
    class Spent(socket.socket):
        tries = 0

        def accept(self) -> tuple[socket.socket, Any]:
            self.tries += 1
            raise OSError(errno.EMFILE, "Too many open files")

    told = faults(house)
    with Spent() as listener, caplog.at_level(logging.DEBUG, "server"):
        taking = asyncio.create_task(house.entrance._take_all(listener, None))
        await until(lambda: listener.tries > 50)
        taking.cancel()
        await asyncio.gather(taking, return_exceptions=True)
    await until(lambda: bool(told))
    assert told == ["places_short"] and len(caplog.records) == 1
    assert await (await called(house)).answer() == b"HTTP/1.1 200 OK\r\n"


def test_places_follow_the_descriptors() -> None:
    assert Limits.of(65_536) == Limits(each=64, strangers=400, admitted=512, places=65_280)
    few = Limits.of(64)
    assert few.each == 4 and few.strangers == 10 and few.places == 32, "half of them, where there are few"
    soft = raise_descriptors()
    assert soft >= 1_024 and raise_descriptors() == soft


@pytest.mark.parametrize("encrypted", [False, True])
async def test_no_connection_is_read_for_long_before_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encrypted: bool
) -> None:
    read: list[int] = []
    receive = entrance.Talk.data_received

    def noted(talk: entrance.Talk, data: bytes) -> None:
        read.append(len(data))
        receive(talk, data)

    monkeypatch.setattr(entrance.Talk, "data_received", noted)
    body = bytes(entrance.READ_AT_ONCE * 20)
    asked = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    async with open_house(tmp_path / "data", settings=Settings(port=0, lan=encrypted, https_port=0)) as house:
        if encrypted and not house.app[ADDRESSES].hall:
            pytest.skip("this machine has no network address")
        port = (house.app[ADDRESSES].hall[0] if encrypted else house.base).rpartition(":")[2]
        trusting = ssl._create_unverified_context() if encrypted else None
        caller = Caller(*await asyncio.open_connection("127.0.0.1", int(port), ssl=trusting))
        assert (await caller.answer(asked)).startswith(b"HTTP/1.1 4")
        await until(lambda: sum(read) >= len(body))
        caller.writer.close()
    # What is decrypted comes in whole records of TLS, of 16 KiB at most: one, and one that ended with it.
    assert max(read) < (2 * 16 * 1024 if encrypted else entrance.READ_AT_ONCE + 1)


async def test_devices_take_turns() -> None:
    turns, came = Turns(burst=1, a_second=100), []

    async def ask(device: str) -> None:
        await turns.turn(device)
        came.append(device)

    await ask("first")
    await asyncio.gather(*(ask("many") for _ in range(20)), ask("one"), ask("two"))
    assert came.index("two") <= 6 and came.count("many") == 20, "not behind the twenty"


# on lines


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """The faults that were written to files."""
    met: list[BaseException] = []
    for place in (station, audio):
        monkeypatch.setattr(place, "record_fault", lambda fault: met.append(fault) or "noted")
    return met


async def reset(player: Visitor, path: str) -> None:
    """A line that asks for an answer and is torn off before it comes."""
    torn = await player.line(path, after=None)
    transport = torn.socket._writer.transport  # type: ignore[attr-defined]
    for _ in range(5):
        await torn.socket.ping()
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


@pytest.mark.parametrize("path", ["/ws", "/audio"])
async def test_a_line_torn_off_after_a_ping_is_no_fault(house: House, noted: list[BaseException], path: str) -> None:
    player = await house.station("tactile", Seat.WHITE)
    name = next(one.id for one in house.table.state.stations.admitted if one.seat is Seat.WHITE)
    for _ in range(5):
        await reset(player, path)
    await until(lambda: not house.app[line_key()].of("demo", name))
    assert not noted


def line_key() -> Any:
    from server.web.sockets.line import LINES

    return LINES


async def test_pings_are_answered_and_too_many_end_the_line(house: House) -> None:
    asking = await (await house.station("tactile", Seat.WHITE)).line(after=None)
    for _ in range(PINGS + 5):
        await asking.socket.ping()
    assert (await asking.closed())[0] == TOO_MANY


async def test_a_station_has_so_many_lines_and_its_oldest_makes_room(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "MOST_LINES", 3)
    player = await house.station("tactile", Seat.WHITE)
    lines = [await player.line() for _ in range(4)]
    for one in lines[1:]:
        await one.next()
    assert (await lines[0].closed())[0] == TOO_MANY
    assert (await lines[3].do({"do": "ask", "what": "clock"}))["kind"] == "outcome"
    assert MOST_LINES >= 20, "a broken network leaves dead lines behind, one for each new try"


async def test_many_lines_of_a_player_reach_the_table_as_one_line_would(house: House) -> None:
    """However many lines flood, the opponent's press waits for one of their commands at most."""
    flooder = await house.station("sighted", Seat.BLACK)
    waiting: list[int] = []
    house.table.observers.append(Observer("A test", arrival=lambda: waiting.append(house.table._queue.qsize())))
    lines = [await flooder.line(after=10_000) for _ in range(6)]
    for one in lines:
        for _ in range(5):
            await one.send({"kind": "do", "id": secrets.token_hex(16), "body": {"do": "ask", "what": "clock"}})
    await until(lambda: len(waiting) >= 30)
    assert max(waiting) <= 1


async def test_a_press_waits_for_nothing_that_the_same_station_says_on_other_lines() -> None:
    pace, came, decided = Pace(), [], asyncio.Event()

    async def say(name: str, *, press: bool = False) -> None:
        async with pace.turn(press=press):
            came.append(name)
            await decided.wait()

    saying = [asyncio.create_task(say(f"word {number}")) for number in range(3)]
    saying += [asyncio.create_task(say(name, press=True)) for name in ("press", "gone", "next press")]
    await asyncio.sleep(0)
    assert came == ["word 0", "press"]
    saying[4].cancel()
    decided.set()
    await asyncio.gather(*saying, return_exceptions=True)
    assert [one for one in came if "press" in one] == ["press", "next press"]
    assert [one for one in came if "word" in one] == ["word 0", "word 1", "word 2"]


async def test_a_station_that_floods_is_shown_once_and_slowed(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[bool] = []
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    pace = Pace(burst=10, a_second=0.01, shown=lambda: shown.append(True))
    monkeypatch.setattr("server.web.pace.asyncio.sleep", wait)
    for _ in range(3 * SHOWN):
        await pace.step()
    assert shown == [True]
    assert len(waits) == 3 * SHOWN - 10 and max(waits) <= LONGEST_WAIT_S


async def test_the_arbiter_sees_which_device_floods(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.pace.SHOWN", 3)
    told = faults(house)
    line = await (await house.station("sighted", Seat.BLACK)).line(after=10_000)
    async with asyncio.timeout(PATIENCE_S):
        while not told:  # however slow this machine is, that is more than may come in a second
            await line.send({"kind": "beat", "n": 1})
            await asyncio.sleep(0.001)
    assert told == ["sends_too_much"]
    assert (await line.do({"do": "ask", "what": "clock"}))["kind"] == "outcome", "slowed, never refused"
    assert isinstance(line.socket, aiohttp.ClientWebSocketResponse)
