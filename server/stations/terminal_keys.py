"""The keys of a terminal become four wishes: go on, again, skip, stop. A pipe does as well as a keyboard.

The keys are the same in every language and on every layout of letters: Enter or the space bar, 1, 2 and 0.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import termios
import threading
import tty
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

Key = Literal["go", "again", "skip", "stop"]
_DIGITS: dict[int, Key] = {1: "again", 2: "skip", 0: "stop"}
_END = ""
"""What comes after the last letter: nobody can press a key any more."""


def key_of(letter: str) -> Key | None:
    """Return what a key asks for; None where it has no meaning here. An end of the input asks to stop.

    >>> key_of("1"), key_of("\\u0662"), key_of("\\n"), key_of("x")
    ('again', 'skip', 'go', None)
    """
    if letter == _END:
        return "stop"
    if letter in ("\n", "\r", " "):
        return "go"
    return _DIGITS.get(unicodedata.digit(letter, -1))


class TerminalKeys:
    """The `TerminalKeys` are what is typed, as it comes; they need a running event loop."""

    def __init__(self, descriptor: int | None = None) -> None:
        """`descriptor`: of the input; standard input where it is not given."""
        self._descriptor = sys.stdin.fileno() if descriptor is None else descriptor
        self._letters: asyncio.Queue[str] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        # A thread that ends with the program: a read from a terminal cannot be taken back.
        threading.Thread(target=self._read, name="terminal keys", daemon=True).start()

    async def next(self) -> Key:
        """Return the next key that has a meaning."""
        while (key := key_of(letter := await self._letters.get())) is None:
            pass
        if letter == _END:
            self._letters.put_nowait(_END)
        return key

    async def line(self) -> str | None:
        """Return a line as it was typed, without its end; None where the input is over."""
        typed = ""
        while (letter := await self._letters.get()) not in ("\n", "\r", _END):
            typed += letter
        if letter == _END:
            self._letters.put_nowait(_END)
            return None
        return typed

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Get each key of a terminal when it is pressed, while the block runs, and not with the next Enter."""
        if not os.isatty(self._descriptor):
            yield
            return
        before = termios.tcgetattr(self._descriptor)
        try:
            tty.setcbreak(self._descriptor)
            yield
        finally:
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, before)

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            try:
                data = os.read(self._descriptor, 256)
            except OSError:
                data = b""
            letters = [*decoder.decode(data)] if data else [_END]
            try:
                for letter in letters:
                    self._loop.call_soon_threadsafe(self._letters.put_nowait, letter)
            except RuntimeError:  # the program is ending
                return
            if not data:
                return
