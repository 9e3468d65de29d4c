"""A pegged board on a serial line is read here.

Where a line may be missing, the whole board is asked for. It connects again by itself. The port is read in a thread of
its own (pyserial has no other way on every system); events arrive on the loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable

import serial

from server.boards.drivers.line_protocol import LONGEST_LINE, WANT_BOARD, LineReader
from server.boards.event import BoardEvent, Link
from server.machine.clock import Clock
from server.machine.tasks import Faults, Told

BAUD = 115_200
READ_S = 0.5
STALE_MS = 5_000
RETRY_S = 1.0


class SerialBoard:
    """This follows one port until it is closed.

    `port`: "/dev/ttyUSB0", "COM3".
    """

    def __init__(self, port: str, clock: Clock, take: Callable[[BoardEvent], None], told: Told | None = None) -> None:
        """Begin to follow the port; `told` tells the arbiter of a fault of the program."""
        self._faults = Faults(f"The board at {port}", told)
        self._port = port
        self._clock = clock
        self._take = take
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, name=f"board {port}", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Stop following the port."""
        self._stop.set()
        await asyncio.to_thread(self._thread.join, READ_S * 4)

    def _say(self, event: BoardEvent) -> None:
        self._on_loop(self._take, event)

    def _on_loop(self, know: Callable[..., None], what: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, so the event is not needed
            self._loop.call_soon_threadsafe(know, what)

    def _follow(self) -> None:
        while not self._stop.is_set():
            try:
                with serial.Serial(self._port, BAUD, timeout=READ_S, write_timeout=READ_S) as line:
                    self._read(line)
            except (serial.SerialException, OSError) as wrong:
                detail = f"{self._port}: {wrong.strerror or type(wrong).__name__}"
                self._say(Link(self._clock.mono_ms(), "down", detail[:200]))
            except Exception as fault:  # whatever it said: open the port again
                self._say(Link(self._clock.mono_ms(), "down", f"{self._port}: {type(fault).__name__}"[:200]))
                self._on_loop(self._faults.met, fault)
            self._stop.wait(RETRY_S)

    def _read(self, line: serial.Serial) -> None:
        reader, heard, rest = LineReader(), time.monotonic(), b""
        line.write(WANT_BOARD)
        while not self._stop.is_set():
            got = line.read_until(b"\n", LONGEST_LINE)
            if not got:
                if time.monotonic() - heard > STALE_MS / 1000:
                    self._say(Link(self._clock.mono_ms(), "stale"))
                    heard = time.monotonic()
                    line.write(WANT_BOARD)
                continue
            rest += got
            if not rest.endswith(b"\n") and len(rest) <= LONGEST_LINE:
                continue  # the rest of the line is still to come
            now = self._clock.mono_ms()
            reader, found = reader.read(rest, now)
            rest = b""
            if found.kind != "unreadable":
                heard = time.monotonic()
                self._say(Link(now, "up"))
            if found.want_board:
                line.write(WANT_BOARD)
            for event in found.events:
                self._say(event)
