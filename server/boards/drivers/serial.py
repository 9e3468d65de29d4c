"""A board on a serial line is read here, whichever maker's bytes come over it.

Where something may be missing, the whole board is asked for. It connects again by itself. The port is read in a thread
of its own (pyserial has no other way on every system); events arrive on the loop. What is written to a board is what
its dialect asks with, and nothing else: no light, no sound, no setting.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from typing import Protocol, Self

import serial

from server.boards.event import BoardEvent, Link, SerialNews
from server.machine.clock import Clock
from server.machine.tasks import Faults, Told

READ_S = 0.25
MOST_AT_ONCE = 4_096
STALE_S = 5.0
RETRY_S = 1.0


class Dialect(Protocol):
    """Language of one kind of board on its line: `PeggedLine`, `DgtLine` or `ChessLinkLine`. Pure."""

    @property
    def baud(self) -> int:
        """Return the speed of the line; it carries eight bits, no parity, one stop bit."""
        ...

    @property
    def hello(self) -> bytes:
        """Return the bytes that the board is sent when the port is open."""
        ...

    @property
    def ask(self) -> bytes:
        """Return the question for the whole board."""
        ...

    @property
    def silence_s(self) -> float:
        """Return after how many seconds of silence the whole board is asked for."""
        ...

    def read(self, data: bytes, at: int) -> tuple[Self, SerialNews]:
        """Read what came at `at` (ms of the run), without trusting it."""
        ...


class SerialBoard:
    """Follower of one serial port until it is closed.

    `port`: "/dev/ttyUSB0", "COM3".
    """

    def __init__(
        self,
        port: str,
        dialect: Dialect,
        clock: Clock,
        take: Callable[[BoardEvent], None],
        told: Told | None = None,
    ) -> None:
        """Begin to follow the port; `told` tells the arbiter of a fault of the program."""
        self._faults = Faults(f"The board at {port}", told)
        self._port = port
        self._dialect = dialect
        self._clock = clock
        self._take = take
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, name=f"board {port}", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Stop following the port."""
        self._stop.set()
        await asyncio.to_thread(self._thread.join, 2.0)

    def _say(self, event: BoardEvent) -> None:
        self._on_loop(self._take, event)

    def _on_loop(self, know: Callable[..., None], what: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, so the event is not needed
            self._loop.call_soon_threadsafe(know, what)

    def _follow(self) -> None:
        while not self._stop.is_set():
            try:
                with serial.Serial(self._port, self._dialect.baud, timeout=READ_S, write_timeout=1.0) as line:
                    self._read(line)
            except (serial.SerialException, OSError) as wrong:
                detail = f"{self._port}: {wrong.strerror or type(wrong).__name__}"
                self._say(Link(self._clock.mono_ms(), "down", detail[:200]))
            except Exception as fault:  # whatever it said: open the port again
                self._say(Link(self._clock.mono_ms(), "down", f"{self._port}: {type(fault).__name__}"[:200]))
                self._on_loop(self._faults.note, fault)
            self._stop.wait(RETRY_S)

    def _read(self, line: serial.Serial) -> None:
        dialect = self._dialect
        heard = asked = time.monotonic()
        line.write(dialect.hello)
        while not self._stop.is_set():
            data = line.read(min(max(1, line.in_waiting), MOST_AT_ONCE))
            now = self._clock.mono_ms()
            dialect, said = dialect.read(data, now)
            if said.understood:
                heard = time.monotonic()
                self._say(Link(now, "up"))
            for event in said.events:
                self._say(event)
            quiet = time.monotonic() - max(heard, asked)
            if said.want_board or quiet > dialect.silence_s:
                asked = time.monotonic()
                line.write(dialect.ask)
            if time.monotonic() - heard > STALE_S:
                self._say(Link(now, "stale", f"{self._port}: nothing that can be read"))
                heard = time.monotonic()
