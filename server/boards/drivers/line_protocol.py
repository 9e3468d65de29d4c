"""The line protocol of a pegged board of reed or hall sensors (docs/boards.md).

One ASCII line an event, `NNN BODY*XX`: a counter 000 to 999, the body, and the XOR of all bytes before `*` in two hex
digits. Bodies: `+e4` or `+e4N` placed, `-e4` lifted, `=` and 16 hex digits (occupancy, bit 0 a1) or `=` and a FEN
placement, `.` alive. The host sends `?` when it wants the whole board. Pure.
"""

from __future__ import annotations

import re
from typing import ClassVar, Literal

import msgspec

from server.boards.event import BoardEvent, Lifted, Placed, SerialNews, Snapshot
from server.boards.squares import of_occupied, of_placement

LONGEST_LINE = 120
WANT_BOARD = b"?\n"
_LINE = re.compile(rb"(?P<said>(?P<number>\d{3}) (?P<body>[^*\r\n]{1,100}))\*(?P<sum>[0-9A-Fa-f]{2})")
_SQUARE = re.compile(r"([+-])([a-h][1-8])([pnbrqkPNBRQK]?)")
_BITS = re.compile(r"[0-9A-Fa-f]{16}")
COUNTERS = 1_000


class LineRead(msgspec.Struct, frozen=True):
    """Result of reading one line.

    `want_board`: something may be missing, ask for the whole board.
    """

    events: tuple[BoardEvent, ...] = ()
    want_board: bool = False
    kind: Literal["event", "alive", "repeated", "unreadable"] = "event"


class LineReader(msgspec.Struct, frozen=True):
    """Reader of single lines, with the counter of the last one.

    None at the beginning and after a loss of the line.
    """

    last: int | None = None

    def read(self, line: bytes, at: int) -> tuple[LineReader, LineRead]:
        """Read one line, without trusting it.

        A doubled line counts for nothing; a gap or a broken line asks for the whole board.
        """
        found = _LINE.fullmatch(line.strip(b"\r\n"))
        if len(line) > LONGEST_LINE or found is None or _sum(found["said"]) != int(found["sum"], 16):
            return self, LineRead(want_board=True, kind="unreadable")
        number, body = int(found["number"]), found["body"].decode("ascii", "replace")
        if number == self.last:
            return self, LineRead(kind="repeated")
        ahead = 1 if self.last is None else (number - self.last) % COUNTERS
        if ahead > COUNTERS // 2:
            return self, LineRead(want_board=True, kind="repeated")  # the line was overtaken: what it says is old
        event = _event(body, at)
        whole = isinstance(event, Snapshot)
        if event is None and body != ".":
            return LineReader(number), LineRead(want_board=True, kind="unreadable")
        if ahead != 1 and not whole:
            return LineReader(number), LineRead(want_board=True)  # lines are missing: only the whole board counts
        if event is None:
            return LineReader(number), LineRead(kind="alive", want_board=self.last is None)
        return LineReader(number), LineRead((event,), want_board=self.last is None and not whole)


class PeggedLine(msgspec.Struct, frozen=True):
    """Reader of the line protocol from bytes as they come; `rest` is the line that is not whole yet."""

    baud: ClassVar[int] = 115_200
    hello: ClassVar[bytes] = WANT_BOARD
    ask: ClassVar[bytes] = WANT_BOARD
    silence_s: ClassVar[float] = 5.0

    reader: LineReader = LineReader()
    rest: bytes = b""

    def read(self, data: bytes, at: int) -> tuple[PeggedLine, SerialNews]:
        """Read what came at `at` (ms of the run), without trusting it."""
        *lines, rest = (self.rest + data).split(b"\n")
        if len(rest) > LONGEST_LINE:
            lines, rest = [*lines, rest], b""
        reader = self.reader
        events: list[BoardEvent] = []
        want_board = understood = False
        for line in lines:
            reader, found = reader.read(line + b"\n", at)
            events += found.events
            want_board |= found.want_board
            understood |= found.kind != "unreadable"
        return PeggedLine(reader, rest), SerialNews(tuple(events), want_board, understood)


def line_of(number: int, body: str) -> bytes:
    """Return the line a board sends, for those who build one, and for tests.

    >>> line_of(7, "+e4")
    b'007 +e4*6D\\n'
    """
    said = f"{number % COUNTERS:03} {body}".encode("ascii")
    return said + b"*%02X\n" % _sum(said)


def _sum(said: bytes) -> int:
    total = 0
    for byte in said:
        total ^= byte
    return total


def _event(body: str, at: int) -> BoardEvent | None:
    found = _SQUARE.fullmatch(body)
    if found is not None:
        sign, square, piece = found.groups()
        return Placed(at, square, piece or None) if sign == "+" else Lifted(at, square, piece or None)
    if not body.startswith("="):
        return None
    if _BITS.fullmatch(body[1:]):
        return Snapshot(at, of_occupied(int(body[1:], 16)))
    try:
        return Snapshot(at, of_placement(body[1:]))
    except ValueError:
        return None
