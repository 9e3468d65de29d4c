"""A braille display driven over BrlAPI (libbrlapi by ctypes, optional): text out, keys in.

It is for a stand-alone station only: beside a screen reader the two would fight for the display. The text goes as
print, and the reader's own table in BRLTTY makes the cells. Not pure: it uses a shared library and its socket.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from enum import Enum
from types import TracebackType

import msgspec

from speech.complaint import Complaint, Phrase

MISSING = (
    "BrlAPI is not on this machine, so no braille display can be used; on Debian: apt-get install brltty libbrlapi0.8."
)
_NAMES = ("libbrlapi.so.0.8", "libbrlapi.so.0.7", "libbrlapi.dylib", "brlapi-0.8.dll")

_ANY_TTY = 0
_NO_CURSOR = 0

# From BrlAPI's own key codes: bit 29 tells a command of the display from the symbol of a key.
_COMMAND = 0x2000_0000
_CODE = 0x1FFF_FFFF
_UNICODE = 0x0100_0000
_ROUTE, _DOTS = 1, 34
_THESE_COMMANDS = 2
_RETAIN_DOTS = 10  # with this parameter keys come as dots, not as letters of the reader's table


class Key(Enum):
    """Keys of the display that are neither a letter nor a routing key."""

    LEFT = 23  # the line before, a window to the left (BrlAPI's FWINLT)
    RIGHT = 24
    UP = 1
    DOWN = 2
    TOP = 9
    BOTTOM = 10
    ENTER = 0xFF0D
    BACKSPACE = 0xFF08
    ESCAPE = 0xFF1B
    OTHER = -1


class Routed(msgspec.Struct, frozen=True):
    """The routing key over a cell was pressed; cells are counted from 0."""

    cell: int


class Typed(msgspec.Struct, frozen=True):
    """A letter came from the braille keyboard, by the reader's own table."""

    letter: str


class Dots(msgspec.Struct, frozen=True):
    """Dots that were pressed together on the braille keyboard, as a Unicode cell.

    The space bar is the empty cell.
    """

    cell: str


Pressed = Key | Routed | Typed | Dots


def key_of(code: int) -> Pressed:
    """Return the key that a key code of BrlAPI is to a station."""
    value = code & _CODE
    if code & _COMMAND:
        if value >> 16 == _ROUTE:
            return Routed(value & 0xFFFF)
        if value >> 16 == _DOTS:
            return Dots(chr(0x2800 + (value & 0xFF)))
        return next((key for key in Key if key.value == value and 0 < key.value < 0xFF00), Key.OTHER)
    if value in (Key.ENTER.value, Key.BACKSPACE.value, Key.ESCAPE.value):
        return Key(value)
    # A Latin-1 letter is its own key symbol; any other letter has the Unicode mark added.
    letter = value - _UNICODE if value & _UNICODE else value if value < 0x100 else 0
    return Typed(chr(letter)) if chr(letter if letter < 0x11_0000 else 0).isprintable() else Key.OTHER


class _Settings(ctypes.Structure):
    _fields_ = (("auth", ctypes.c_char_p), ("host", ctypes.c_char_p))


def _library() -> ctypes.CDLL:
    for name in (ctypes.util.find_library("brlapi"), *_NAMES):
        if name is None:
            continue
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise Complaint(MISSING)


class BrailleDisplay:
    """Display that BRLTTY drives, held until `close`.

    Do not use it from two threads at once. It has `cells` cells, in `rows` lines of `width` each.
    """

    def __init__(self, host: str | None = None) -> None:
        """Connect to the display.

        `host`: BrlAPI's address (":0"), None for the computer's own. Raises Complaint: no library, no display.
        """
        library = _library()
        library.brlapi_getHandleSize.restype = ctypes.c_size_t
        library.brlapi_strerror.restype = ctypes.c_char_p
        library.brlapi_error_location.restype = ctypes.c_void_p
        self._library = library
        self._handle = ctypes.create_string_buffer(library.brlapi_getHandleSize())
        # Without authorisation by name the library looks for the machine's key itself.
        wanted = _Settings(b"none" if host else None, host.encode() if host else None)
        self.file = library.brlapi__openConnection(self._handle, ctypes.byref(wanted), None)
        if self.file < 0:
            raise Complaint(Phrase("display.unreachable", why=self._why()))
        width, height = ctypes.c_uint(), ctypes.c_uint()
        self._open = True
        self._check_answer(library.brlapi__getDisplaySize(self._handle, ctypes.byref(width), ctypes.byref(height)))
        self.width, self.rows = width.value, height.value
        self.cells = self.width * self.rows
        if not self.cells:
            self.close()
            raise Complaint(Phrase("display.none"))
        path = (ctypes.c_int * 1)(_ANY_TTY)
        self._check_answer(library.brlapi__enterTtyModeWithPath(self._handle, path, 0, None))
        self._keep_dots()

    def _keep_dots(self) -> None:
        """Ask for the dots themselves.

        A BRLTTY that cannot do this sends letters, which the server reads as well.
        """
        if hasattr(self._library, "brlapi__setParameter"):
            yes = ctypes.c_uint8(1)
            what, which, local = ctypes.c_int(_RETAIN_DOTS), ctypes.c_uint64(0), ctypes.c_uint32(0)
            size = ctypes.c_size_t(ctypes.sizeof(yes))
            self._library.brlapi__setParameter(self._handle, what, which, local, ctypes.byref(yes), size)
            dots = ctypes.c_uint64(_COMMAND | _DOTS << 16)  # with every argument, which are the dots
            self._library.brlapi__acceptKeys(self._handle, ctypes.c_int(_THESE_COMMANDS), ctypes.byref(dots), 1)

    def _why(self) -> str:
        return str(self._library.brlapi_strerror(self._library_error()).decode("utf-8", "replace"))

    def _library_error(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self._library.brlapi_error_location())

    def _check_answer(self, answer: int) -> int:
        if answer < 0:
            why = self._why()
            self.close()
            raise Complaint(Phrase("display.failed", why=why))
        return answer

    def show(self, text: str) -> None:
        """Put a text on the display, cut to its length. Raises Complaint where the display is gone."""
        if not self._open:
            raise Complaint(Phrase("display.closed"))
        shown = ctypes.c_wchar_p(text[: self.cells])
        self._check_answer(self._library.brlapi__writeWText(self._handle, _NO_CURSOR, shown))

    def key(self, wait_ms: int = 0) -> Pressed | None:
        """Return the next key, or None where none comes within `wait_ms`.

        Raises Complaint where the display is gone.
        """
        if not self._open:
            raise Complaint(Phrase("display.closed"))
        code = ctypes.c_uint64()
        came = self._check_answer(
            self._library.brlapi__readKeyWithTimeout(self._handle, ctypes.c_int(wait_ms), ctypes.byref(code))
        )
        return key_of(code.value) if came else None

    def close(self) -> None:
        """Give the display back to the program that had it before."""
        if self._open:
            self._open = False
            self._library.brlapi__leaveTtyMode(self._handle)
            self._library.brlapi__closeConnection(self._handle)

    def __enter__(self) -> BrailleDisplay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
