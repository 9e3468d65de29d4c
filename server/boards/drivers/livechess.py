"""DGT LiveChess is the local program that speaks with DGT's boards; its feed becomes neutral events.

Facts (equipment.md): `ws://localhost:1982/api/v1.0`; subscribe to `eboardevent` with a serial number; the feed sends
whole placements, left out when unchanged, sometimes twice, sometimes two moves in one; its `san` is a hint that is not
read.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Annotated, Any

import aiohttp
import msgspec

from server.boards.event import BoardEvent, ClockShown, Link, Snapshot
from server.boards.squares import of_placement, squares_turned_round
from server.game.values.words import Seat
from server.machine.clock import Clock
from server.machine.tasks import Faults, Told, lasting
from server.protocol import UNREADABLE

ADDRESS = "ws://localhost:1982/api/v1.0"
STALE_MS = 15 * 60_000  # LiveChess is silent while nothing moves; the heartbeat notices a dead line
LONGEST_WAIT_MS = 15_000
LARGEST_MESSAGE = 64 * 1024
ANEW_MS = 30_000
"""No message is this late: a time that is so much smaller, or comes after such a silence, begins anew."""
_log = logging.getLogger(__name__)

Seconds = Annotated[int, msgspec.Meta(ge=0, le=864_000)]


class FeedClock(msgspec.Struct, frozen=True):
    """Clock in a feed message, in seconds.

    `run`: whose side runs (True White), None none.
    """

    white: Seconds
    black: Seconds
    run: bool | None = None


class FeedParam(msgspec.Struct, frozen=True):
    """News of one board in a feed message.

    `board`: a FEN placement, absent when unchanged.
    """

    serialnr: Annotated[str, msgspec.Meta(max_length=40)] = ""
    flipped: bool = False
    board: Annotated[str, msgspec.Meta(max_length=80)] | None = None
    clock: FeedClock | None = None


class FeedMessage(msgspec.Struct, frozen=True):
    """One message of LiveChess; anything but a feed is passed over.

    `time`: its own ms, to drop older news.
    """

    response: str = ""
    id: int | None = None
    param: Any = None
    time: int | None = None


def of_message(text: str | bytes, serial: str, at: int) -> tuple[tuple[BoardEvent, ...], int | None]:
    """Return the events of one message and its own time; none for what is not about this board.

    Raises ValueError.
    """
    try:
        message = msgspec.json.decode(text, type=FeedMessage)
        if message.response != "feed":
            return (), None
        param = msgspec.convert(message.param, FeedParam)
    except UNREADABLE as wrong:
        raise ValueError(f"LiveChess said what is not documented ({wrong})") from wrong
    if serial and param.serialnr != serial:
        return (), None
    events: list[BoardEvent] = []
    if param.board is not None:
        squares = of_placement(param.board)
        events.append(Snapshot(at, squares_turned_round(squares) if param.flipped else squares))
    if param.clock is not None:
        run = None if param.clock.run is None else Seat.WHITE if param.clock.run else Seat.BLACK
        events.append(ClockShown(at, param.clock.white * 1000, param.clock.black * 1000, run))
    return tuple(events), message.time


class FeedOrder(msgspec.Struct, frozen=True):
    """LiveChess's own time of the newest message, and when that came."""

    newest: int = -1
    heard: int = 0

    def is_overtaken(self, own_time: int | None, at: int) -> bool:
        """Say whether a message is older than what is known already.

        >>> order = FeedOrder(100_000, heard=0)
        >>> order.is_overtaken(99_990, 5), order.is_overtaken(60_000, 5), order.is_overtaken(99_990, 30_000)
        (True, False, False)
        """
        late = own_time is not None and self.newest - ANEW_MS < own_time < self.newest
        return late and at - self.heard < ANEW_MS


class LiveChess:
    """Follower of one LiveChess board until it is closed.

    It connects again by itself after every loss of the connection.
    """

    def __init__(
        self,
        serial: str,
        clock: Clock,
        take: Callable[[BoardEvent], None],
        address: str = ADDRESS,
        told: Told | None = None,
    ) -> None:
        """Begin to follow the board; `told` tells the arbiter of a fault of the program."""
        self._serial = serial
        self._clock = clock
        self._take = take
        self._address = address
        self._faults = Faults("The line to LiveChess", told)
        self._task = lasting("The line to LiveChess", self._follow, told)

    async def close(self) -> None:
        """Stop following the board."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self) -> None:
        wait = 250
        async with aiohttp.ClientSession() as session:
            while True:
                detail = "LiveChess closed the connection"
                try:
                    async with session.ws_connect(self._address, heartbeat=10, max_msg_size=LARGEST_MESSAGE) as socket:
                        await socket.send_json(
                            {
                                "id": 2,
                                "call": "subscribe",
                                "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": self._serial}},
                            }
                        )
                        wait = 250
                        await self._read(socket)
                except (aiohttp.ClientError, OSError, TimeoutError) as wrong:
                    detail = f"LiveChess does not answer ({type(wrong).__name__})"
                except Exception as fault:  # whatever it said: connect again
                    self._faults.note(fault)
                    detail = f"LiveChess cannot be followed ({type(fault).__name__})"
                self._take(Link(self._clock.mono_ms(), "down", detail))
                await self._clock.sleep_until(self._clock.mono_ms() + wait)
                wait = min(2 * wait, LONGEST_WAIT_MS)

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        order = FeedOrder()
        receiving = asyncio.ensure_future(socket.receive())
        try:
            while True:
                napping = asyncio.ensure_future(self._clock.sleep_until(self._clock.mono_ms() + STALE_MS))
                await asyncio.wait((receiving, napping), return_when=asyncio.FIRST_COMPLETED)
                napping.cancel()
                if not receiving.done():
                    self._take(Link(self._clock.mono_ms(), "stale"))
                    await receiving
                message = receiving.result()
                if message.type is not aiohttp.WSMsgType.TEXT:
                    return
                receiving = asyncio.ensure_future(socket.receive())
                at = self._clock.mono_ms()
                try:
                    events, own_time = of_message(message.data, self._serial, at)
                except ValueError as wrong:
                    _log.warning("%s", wrong)
                    continue
                if order.is_overtaken(own_time, at):
                    continue
                order = order if own_time is None else FeedOrder(own_time, at)
                if events:
                    self._take(Link(at, "up"))
                for event in events:
                    self._take(event)
        finally:
            receiving.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await receiving
