"""A cable between a station and the server that a test can pull: nothing arrives, and nobody is told of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit


class Cable:
    """A relay on a port of its own; `base`: its address for a station."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._whole = asyncio.Event()
        self._whole.set()
        self._carrying: set[asyncio.Task[None]] = set()
        self.base = ""

    def pull(self) -> None:
        """Nothing arrives any more, on old connections and new ones."""
        self._whole.clear()

    def put_back(self) -> None:
        """What was on its way arrives."""
        self._whole.set()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of a station."""
        await self._whole.wait()
        to_reader, to_writer = await asyncio.open_connection("127.0.0.1", self._to)
        for one in (self._carry(reader, to_writer), self._carry(to_reader, writer)):
            task = asyncio.create_task(one)
            self._carrying.add(task)
            task.add_done_callback(self._carrying.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65_536):
                await self._whole.wait()
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            await self._whole.wait()
            writer.close()

    async def close(self) -> None:
        """Give up what is under way."""
        self._whole.set()
        for task in tuple(self._carrying):
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)


@asynccontextmanager
async def cable(base: str) -> AsyncIterator[Cable]:
    """A cable to the server at this address."""
    one = Cable(urlsplit(base).port or 80)
    server = await asyncio.start_server(one.take, "127.0.0.1", 0)
    one.base = f"http://localhost:{server.sockets[0].getsockname()[1]}"
    try:
        yield one
    finally:
        server.close()
        await one.close()
