"""A Baum display of 40 cells as BRLTTY sees it, on a pseudo-terminal: it shows what it is sent and presses keys."""

from __future__ import annotations

import os
import pty
import secrets
import shutil
import subprocess
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from server.stations.braille_display import BrailleDisplay
from speech.complaint import Complaint
from tests.waiting import PATIENCE_S

CELLS = 40
ESC = 0x1B
DISPLAY, IDENTITY, SERIAL, ROUTING, KEYS, DOTS = 0x01, 0x84, 0x8A, 0x22, 0x24, 0x33
LENGTHS = {DISPLAY: CELLS, 0x08: 0, 0x50: 6, IDENTITY: 0, SERIAL: 0}


class Baum:
    """The device. `shown`: the 40 cells it was sent last, as Unicode braille."""

    def __init__(self) -> None:
        self._ours, theirs = pty.openpty()
        tty.setraw(self._ours)
        tty.setraw(theirs)
        self._theirs = theirs
        self.port = os.ttyname(theirs)
        self.shown = ""
        self._changed = threading.Condition()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        held = b""
        while True:
            try:
                held += os.read(self._ours, 1024)
            except OSError:
                return
            held = self._take(held)

    def _take(self, held: bytes) -> bytes:
        """Answer every whole request in these bytes; what is left of them."""
        while len(held) > 1:
            if held[0] != ESC or held[1] not in LENGTHS:
                held = held[1:]
                continue
            kind = held[1]
            if kind == SERIAL:
                self._say(SERIAL, b"00000001")
            elif kind == IDENTITY:
                self._say(IDENTITY, b"VarioConnect 40".ljust(16))
            elif kind == DISPLAY and held[2:3] == b"\0" and held[3:4] == bytes([ESC]) and held[4:5] != bytes([ESC]):
                self._say(DISPLAY, bytes([CELLS]))  # the question how many cells there are
                held = held[3:]
                continue
            body, used = self._body(held, LENGTHS[kind])
            if body is None:
                return held
            if kind == DISPLAY:
                with self._changed:
                    self.shown = "".join(chr(0x2800 + cell) for cell in body)
                    self._changed.notify_all()
            held = held[used:]
        return held

    @staticmethod
    def _body(held: bytes, length: int) -> tuple[bytes | None, int]:
        body, at = bytearray(), 2
        while len(body) < length:
            if at >= len(held) or (held[at] == ESC and at + 1 >= len(held)):
                return None, 0
            at += 1 if held[at] == ESC else 0  # an escape is sent twice
            body.append(held[at])
            at += 1
        return bytes(body), at

    def _say(self, kind: int, body: bytes) -> None:
        os.write(self._ours, bytes([ESC, kind]) + body.replace(b"\x1b", b"\x1b\x1b"))

    def wait_for(self, cells: str) -> bool:
        """Whether these cells come to stand at the left of the display."""
        with self._changed:
            return self._changed.wait_for(lambda: self.shown.rstrip("\u2800") == cells, PATIENCE_S)

    def wait_until(self, true: Callable[[str], bool]) -> str:
        """The cells at the left of the display as soon as this is true of them. Raises TimeoutError with the last."""
        with self._changed:
            if not self._changed.wait_for(lambda: true(self.shown.rstrip("\u2800")), PATIENCE_S):
                raise TimeoutError(self.shown)
            return self.shown.rstrip("\u2800")

    def pan(self, *, back: bool = False) -> None:
        """The panning key: a display on, or back."""
        self._say(KEYS, bytes([0x02 if back else 0x10]))
        self._say(KEYS, bytes(1))

    def route(self, cell: int) -> None:
        """The routing key over a cell (from 0), pressed and let go."""
        keys = bytearray(CELLS // 8)
        keys[cell // 8] = 1 << cell % 8
        self._say(ROUTING, bytes(keys))
        self._say(ROUTING, bytes(CELLS // 8))

    def type_dots(self, cell: str) -> None:
        """A letter on the braille keyboard: its dots pressed together and let go."""
        self._say(DOTS, bytes([0, ord(cell) - 0x2800]))
        self._say(DOTS, bytes(2))

    def space(self) -> None:
        """The space bar."""
        self._say(DOTS, bytes([1, 0]))
        self._say(DOTS, bytes(2))

    def backspace(self) -> None:
        """Dot 7 alone, which BRLTTY takes for the backspace key."""
        self.type_dots("\u2840")

    def enter(self) -> None:
        """Dot 8 alone, which BRLTTY takes for the enter key."""
        self.type_dots("\u2880")

    def close(self) -> None:
        os.close(self._ours)
        os.close(self._theirs)


class Brltty:
    """BRLTTY, without screen and speech, on an emulated display; `host` is its BrlAPI address, which no other has."""

    def __init__(self, folder: Path, table: str = "en-nabcc") -> None:
        self.host = f":{1000 + secrets.randbelow(50_000)}"  # the whole machine shares these numbers
        self.display = Baum()
        program = shutil.which("brltty") or "/usr/sbin/brltty"
        files = [f"-P{folder / 'pid'}", f"-U{folder}", f"-W{folder}", f"-L{folder / 'log'}"]
        self._process = subprocess.Popen(
            [
                *(program, "-n", "-q", "-M", "10", "-b", "bm", "-d", f"serial:{self.display.port}", "-x", "no"),
                *("-s", "no", "-t", table, "-A", f"auth=none,host={self.host}", "-f", "/dev/null", *files),
            ],
            stderr=subprocess.DEVNULL,
        )

    def connected(self, connect: Callable[[str], BrailleDisplay]) -> BrailleDisplay:
        """The display as soon as BRLTTY has found it: it gives no sign when it is ready."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                return connect(self.host)
            except Complaint:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def __enter__(self) -> Brltty:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE_S)
        self.display.close()
