"""A line carries what goes out on one connection.

It is bounded, so that a slow client costs the others nothing.
"""

from __future__ import annotations

import asyncio
from collections import deque
from functools import partial

import msgspec
from aiohttp import WSMessage, WSMsgType, web

from server.machine.tasks import Faults, Told, passing
from server.protocol import Greeted, Numbered, Outgoing
from server.web.pace import Pace

LONGEST = 256
"""Messages that may wait beyond what the station asked for when it attached."""
SEND_S = 10.0
CLOSE_S = 2.0

NOT_ADMITTED = 4401
NO_HELLO = 4400
ELSEWHERE = 4409
"""Another server of the hall leads the table now; the message before it says which."""
NOT_YET = 1013
TOO_SLOW = 4408
TOO_MANY = 4429
MOST_LINES = 24
"""Most lines of one station, for messages and sound; the oldest makes room, which may be one that broke."""
GOING_AWAY = 1001
FAULT = 1011

_encode = msgspec.json.Encoder().encode


class Line:
    """A line holds what is on its way to one WebSocket.

    `send` never waits; `carry` writes until the line is closed.
    """

    def __init__(self, socket: web.WebSocketResponse, longest: int = LONGEST, told: Told | None = None) -> None:
        self.socket = socket
        self._faults = Faults("A message to a station", told)
        self._longest = longest
        self._waiting: deque[Outgoing] = deque()
        self._backlog = 0
        self._more = asyncio.Event()
        self._catching_up = False
        self.too_slow = False

    def send(self, outgoing: Outgoing) -> None:
        """Put a message on the line; a line that is too long marks its client as too slow."""
        if self.too_slow:
            return
        if self._catching_up:
            self._backlog += 1
        elif len(self._waiting) - self._backlog >= self._longest:
            self.too_slow = True
            self._waiting.clear()
            self._more.set()
            return
        self._waiting.append(outgoing)
        self._more.set()

    @property
    def waiting(self) -> bool:
        """Say whether something is still on its way."""
        return bool(self._waiting)

    def catch_up(self, begun: bool) -> None:
        """Mark the greeting and the backlog, which do not count towards the line's length.

        They come between True and False. What an earlier hello asked for and is still on its way is dropped, because
        it comes again with this one: a station that says hello over and over without reading fills no memory.
        """
        if begun:
            self._waiting = deque(one for one in self._waiting if not isinstance(one, Greeted | Numbered))
            self._backlog = 0
        self._catching_up = begun

    async def carry(self) -> None:
        """Write what comes, until cancelled; close a client that does not read, with the reason."""
        try:
            while not self.too_slow:
                await self._more.wait()
                self._more.clear()
                while self._waiting and not self.too_slow:
                    outgoing = self._waiting.popleft()
                    self._backlog = max(0, self._backlog - 1)
                    text = self._write_message(outgoing)
                    if text is not None:
                        async with asyncio.timeout(SEND_S):
                            await self.socket.send_str(text)
        except TimeoutError:
            self.too_slow = True
        except ConnectionError:
            return
        except Exception:  # a line that sends nothing any more must not look alive
            await close(self.socket, FAULT, "The server made a mistake; connect again.")
            raise
        await close(self.socket, TOO_SLOW, "This connection is too slow; connect again to go on.")

    def _write_message(self, outgoing: Outgoing) -> str | None:
        """Return a message as JSON; None, with the fault noted, where it cannot be written."""
        try:
            return _encode(outgoing).decode()
        except Exception as fault:
            self._faults.note(fault, secret=True)
            return None


class Lines:
    """All open WebSockets, to be closed with a reason when the server stops."""

    def __init__(self) -> None:
        self._open: set[web.WebSocketResponse] = set()
        self._places: dict[web.WebSocketResponse, tuple[str, str]] = {}

    def add(self, socket: web.WebSocketResponse, table: str, station: str) -> None:
        """Add an opened socket of a station of this table; where it has too many, its oldest is closed."""
        self._open.add(socket)
        self._places[socket] = (table, station)
        for oldest in self.of(table, station)[:-MOST_LINES]:
            del self._places[oldest]
            passing("A line too many", partial(close, oldest, TOO_MANY, "This device has too many connections."))

    def discard(self, socket: web.WebSocketResponse) -> None:
        """Forget a closed socket; how it ended is not kept, because its traceback would hold the socket itself."""
        self._open.discard(socket)
        self._places.pop(socket, None)
        wrong = socket.exception()
        if wrong is not None:
            wrong.__traceback__ = wrong.__context__ = wrong.__cause__ = None

    @property
    def count(self) -> int:
        """Return how many sockets are open."""
        return len(self._open)

    def of(self, table: str, station: str) -> tuple[web.WebSocketResponse, ...]:
        """Return the open sockets of one station."""
        return tuple(socket for socket, place in self._places.items() if place == (table, station))

    def of_table(self, table: str) -> tuple[tuple[str, web.WebSocketResponse], ...]:
        """Return the open sockets of a table's stations, each with its station."""
        return tuple((station, socket) for socket, (of, station) in self._places.items() if of == table)

    async def close(self) -> None:
        """Tell all that the server stops."""
        await asyncio.gather(*(close(one, GOING_AWAY, "The server stops.") for one in tuple(self._open)))


LINES = web.AppKey("LINES", Lines)


async def next_message(socket: web.WebSocketResponse, pings: Pace, seconds: float | None = None) -> WSMessage | None:
    """Return the next message of a line; None when it is over, which is no fault however it ended.

    `pings`: a new pace for each line. A PING is answered here, so that a line which sends nothing else takes no more
    than its share; one that sends too many is closed. `seconds`: raises TimeoutError after so long.
    """
    async with asyncio.timeout(seconds):
        while True:
            try:
                message = await socket.receive()
                if message.type is WSMsgType.PONG:
                    continue
                if message.type is not WSMsgType.PING:
                    return message if message.type in (WSMsgType.TEXT, WSMsgType.BINARY) else None
                if pings.spend():
                    await close(socket, TOO_MANY, "This connection asks for too many answers.")
                    return None
                await socket.pong(message.data)
            except ConnectionError:
                return None


async def close(socket: web.WebSocketResponse, code: int, reason: str) -> None:
    """Close a socket with a reason of at most 123 bytes; cut off a client that does not take even that."""
    try:
        async with asyncio.timeout(CLOSE_S):
            await socket.close(code=code, message=reason.encode()[:123], drain=False)
    except TimeoutError:
        transport = socket._req.transport if socket._req is not None else None
        if transport is not None:
            transport.abort()
