"""The keys of a terminal become four wishes: go on, again, skip, stop. A pipe does as well as a keyboard.

The keys are the same in every language and on every layout of letters: Enter or the space bar, 1, 2 and 0.
"""

from __future__ import annotations

import _thread
import asyncio
import codecs
import os
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

if sys.platform == "win32":
    import msvcrt

Key = Literal["go", "again", "skip", "stop"]
_DIGITS: dict[int, Key] = {1: "again", 2: "skip", 0: "stop"}
_END = ""
"""Sign after the last letter: nobody can press a key any more."""
_BACKSPACE = "\b"
"""A Windows console gives it; other terminals correct a line themselves."""


def meaning_of_key(letter: str) -> Key | None:
    """Return the meaning of a key; None where it has none here. An end of the input asks to stop.

    >>> key_of("1"), key_of("\\u0662"), key_of("\\n"), key_of("x")
    ('again', 'skip', 'go', None)
    """
    if letter == _END:
        return "stop"
    if letter in ("\n", "\r", " "):
        return "go"
    return _DIGITS.get(unicodedata.digit(letter, -1))


class TerminalKeys:
    """Keys as they are typed; they need a running event loop."""

    def __init__(self, descriptor: int | None = None) -> None:
        """`descriptor`: of the input; standard input where it is not given."""
        self._descriptor = sys.stdin.fileno() if descriptor is None else descriptor
        self._shown = True
        self._letters: asyncio.Queue[str] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        # A thread that ends with the program: a read from a terminal cannot be taken back.
        threading.Thread(target=self._read, name="terminal keys", daemon=True).start()

    async def next(self) -> Key:
        """Return the next key that has a meaning."""
        while (key := meaning_of_key(await self.letter())) is None:
            pass
        return key

    async def letter(self) -> str:
        """Return the next letter, "" where the input is over."""
        letter = await self._letters.get()
        if letter == _END:
            self._letters.put_nowait(_END)
        return letter

    async def line(self) -> str | None:
        """Return a line as it was typed, without its end; None where the input is over."""
        typed = ""
        while (letter := await self.letter()) not in ("\n", "\r", _END):
            typed = typed[:-1] if letter == _BACKSPACE else typed + letter
        return None if letter == _END else typed

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Get each key of a terminal when it is pressed, while the block runs, and not with the next Enter."""
        if not os.isatty(self._descriptor):
            yield
            return
        self._shown = False
        try:
            with _cbreak(self._descriptor):
                yield
        finally:
            self._shown = True

    def _read(self) -> None:
        try:
            for letter in self._letters_typed():
                self._loop.call_soon_threadsafe(self._letters.put_nowait, letter)
        except RuntimeError:  # the program is ending
            return

    def _letters_typed(self) -> Iterator[str]:
        """Give each letter as it comes, and the end of the input."""
        if sys.platform == "win32" and os.isatty(self._descriptor):
            yield from console_letters(msvcrt.getwch, lambda letter: msvcrt.putwch(letter) if self._shown else None)
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while data := _some_of(self._descriptor):
            yield from decoder.decode(data)
        yield _END


def console_letters(get: Callable[[], str], show: Callable[[str], None]) -> Iterator[str]:
    """Give the letters of a Windows console, which gives each key at once and shows nothing of it by itself.

    `get` waits for the next one; function keys come as two and have no meaning here; Ctrl-C interrupts the program.
    """
    while True:
        letter = get()
        if letter in ("\x00", "\xe0"):
            get()
        elif letter == "\x03":
            _thread.interrupt_main()
        else:
            for one in "\r\n" if letter == "\r" else "\b \b" if letter == _BACKSPACE else letter:
                show(one)
            yield letter


def _some_of(descriptor: int) -> bytes:
    """Return the next bytes, at most 256; none where the input is over or gone."""
    try:
        return os.read(descriptor, 256)
    except OSError:
        return b""


@contextmanager
def _cbreak(descriptor: int) -> Iterator[None]:
    """Have a terminal give each key at once, and show none; a Windows console does so by itself."""
    if sys.platform == "win32":
        yield
    else:
        import termios
        import tty

        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor, termios.TCSADRAIN)  # the default drops type-ahead
            yield
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
