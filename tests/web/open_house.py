"""A real server over a real data folder for the tests, and people who come to it over real connections."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
from aiohttp import web

from server.app import Listening, listening, open_demonstration
from server.game.values.words import Duty, Seat
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.machine.clock import Clock, SystemClock
from server.machine.data_folder import DataFolder
from server.protocol import Outgoing
from server.settings import Settings
from server.web.door.access import ACCESS, Place
from tests.waiting import PATIENCE_S, until


class House:
    """The open server, its clock and its demonstration table (White tactile, Black sighted)."""

    def __init__(self, hall: Hall, listening: Listening) -> None:
        self.hall = hall
        self.app: web.Application = listening.app
        self.listening = listening
        self.base = listening.local
        self.hall_addresses = listening.hall
        self.entrance = listening.entrance
        self.access = self.app[ACCESS]
        self._sessions: list[aiohttp.ClientSession] = []

    def visitor(self) -> Visitor:
        """A visitor with a separate browser."""
        session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        self._sessions.append(session)
        return Visitor(self, session)

    def arbiter_secret(self) -> str:
        """The secret of the link that the terminal prints."""
        return self.access.invite(Place(table="demo", page="arbiter"), admits=True, lasting=True).secret

    async def arbiter(self) -> Visitor:
        """The arbiter, let in by the terminal's link."""
        visitor = self.visitor()
        status, said = await visitor.post("/api/join", {"secret": self.arbiter_secret()})
        assert (status, said["state"]) == (200, "admitted")
        visitor.page = said["page"]
        return visitor

    @property
    def table(self) -> LiveTable:
        """The demonstration's table."""
        return self.hall.tables["demo"]

    async def station(self, page: str, seat: Seat | None, *duties: Duty) -> Visitor:
        """A station by the whole way: code, waiting, admitted by an arbiter."""
        arbiter = await self.arbiter()
        invitation = self.access.invite(Place(table="demo", page=page, seat=seat, duties=duties))
        visitor = self.visitor()
        status, said = await visitor.post("/api/join", {"code": " ".join(invitation.squares)})
        assert status == 202
        status, _ = await arbiter.post(f"/api/introductions/{said['id']}", {"admit": True})
        assert status == 200
        status, said = await visitor.get(f"/api/join/{said['id']}")
        assert said["state"] == "admitted"
        visitor.page = said["page"]
        return visitor

    async def close(self) -> None:
        for session in self._sessions:
            await session.close()


class Visitor:
    """One browser: its cookies and its connections."""

    def __init__(self, house: House, session: aiohttp.ClientSession) -> None:
        self.house = house
        self.session = session
        self.page = ""

    @property
    def own(self) -> dict[str, str]:
        return {"Origin": self.house.base}

    async def post(self, path: str, body: Any, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        async with self.session.post(self.house.base + path, json=body, headers=headers or self.own) as answer:
            return answer.status, await answer.json()

    async def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        async with self.session.get(self.house.base + path, headers=headers) as answer:
            return answer.status, await answer.json()

    async def line(self, path: str = "/ws", after: int | None = 0, **more: Any) -> TestLine:
        """Open a WebSocket; with `after` say hello, and return when the greeting is there to be read."""
        socket = await self.session.ws_connect(self.house.base + path, headers=self.own, **more)
        line = TestLine(socket)
        if after is not None:
            await line.send({"kind": "hello", "after": after})
            await until(lambda: not line.unread.empty(), lambda: "nothing answers a hello")
        return line


class TestLine:
    """A WebSocket as a station holds it.

    It is read all the time, as a browser reads it: a line that nobody reads answers no ping, and the server closes it.
    """

    __test__ = False

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.seen: list[Any] = []
        self.unread: asyncio.Queue[aiohttp.WSMessage] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        """Keep what comes, to its end."""
        while True:
            message = await self.socket.receive()
            self.unread.put_nowait(message)
            if message.type not in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
                return

    async def send(self, message: Any) -> None:
        await self.socket.send_str(msgspec.json.encode(message).decode())

    async def next(self) -> Any:
        """The next thing said, as plain JSON that also decodes as a wire value."""
        async with asyncio.timeout(PATIENCE_S):
            message = await self.unread.get()
        assert message.type is aiohttp.WSMsgType.TEXT, message
        msgspec.json.decode(message.data, type=Outgoing)
        said = msgspec.json.decode(message.data)
        self.seen.append(said)
        return said

    async def until(self, **wanted: Any) -> Any:
        """Read until something has these fields (in itself, its message or its event), whatever else goes on coming."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                said = await self.next()
                if time.monotonic() > end:
                    raise TimeoutError
            except TimeoutError:
                last = [str(one)[:300] for one in self.seen[-6:]]
                raise AssertionError(
                    f"nothing with {wanted} came in {PATIENCE_S:g} s; the last of {len(self.seen)}: {last}"
                ) from None
            message = said.get("message", {})
            flat = {**said, **said.get("outcome", {}), **message, **message.get("event", {})}
            if all(flat.get(key) == value for key, value in wanted.items()):
                return said

    async def do(self, body: dict[str, Any], **more: Any) -> Any:
        """A command and its outcome."""
        id = more.pop("id", secrets.token_hex(16))
        await self.send({"kind": "do", "id": id, "body": body, **more})
        return await self.until(kind="outcome", id=id)

    async def type(self, text: str) -> Any:
        id = secrets.token_hex(16)
        await self.send({"kind": "typed", "id": id, "text": text})
        return await self.until(kind="outcome", id=id)

    async def closed(self) -> tuple[int | None, str]:
        """The code and reason with which the server closes."""
        async with asyncio.timeout(PATIENCE_S):
            while (message := await self.unread.get()).type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
                pass
        if message.type is aiohttp.WSMsgType.CLOSE:
            return int(message.data), str(message.extra)
        return self.socket.close_code, ""


@asynccontextmanager
async def open_house(
    folder: Path, clock: Clock | None = None, settings: Settings | None = None, **engines: Any
) -> AsyncIterator[House]:
    """The server on a port of the system's choice."""
    settings = settings or Settings(port=0)
    with DataFolder.open(folder, lock=True) as data:
        hall = await Hall.open(data, clock or SystemClock(), **engines)
        try:
            await open_demonstration(hall)
            async with listening(hall, settings, data) as open_to_all:
                house = House(hall, open_to_all)
                try:
                    yield house
                finally:
                    await house.close()
                    await asyncio.sleep(0)
        finally:
            await hall.close()
