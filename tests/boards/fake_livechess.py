"""What is documented of LiveChess's local API, for one board: a server that the driver connects to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer


class FakeLiveChess:
    """One board's feed. `socket`: the connection of the driver; `ready`: it has subscribed."""

    def __init__(self, serial: str) -> None:
        self.serial = serial
        self.subscribed: list[Any] = []
        self.socket: web.WebSocketResponse | None = None
        self.ready = asyncio.Event()

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        self.socket = web.WebSocketResponse()
        await self.socket.prepare(request)
        self.subscribed.append(await self.socket.receive_json())
        self.ready.set()
        async for _ in self.socket:
            pass
        return self.socket

    async def feed(self, time: int, **param: Any) -> None:
        assert self.socket is not None
        await self.socket.send_json(
            {"response": "feed", "id": 1, "param": {"serialnr": self.serial, **param}, "time": time}
        )

    async def hang_up(self) -> None:
        assert self.socket is not None
        self.ready.clear()
        await self.socket.close()


@asynccontextmanager
async def fake_livechess(serial: str = "24958") -> AsyncIterator[tuple[FakeLiveChess, str]]:
    """The server and the address of its API."""
    fake, app = FakeLiveChess(serial), web.Application()
    app.router.add_get("/api/v1.0", fake.handle)
    async with TestServer(app) as server:
        yield fake, str(server.make_url("/api/v1.0")).replace("http", "ws")
