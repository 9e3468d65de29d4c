"""DGT's boards on their own serial line (USB or Bluetooth serial port), without LiveChess.

Facts from DGT's published protocol description (`dgtbrd.h`, 1998 to 2015): 9600 baud, 8N1. A command is one byte. A
message begins with the only byte that has its highest bit set (0x80 and a code), then its whole length in two bytes of
seven bits, then data of seven bits. Fields count from a8 (0) to h1 (63), as the board lies with its connector at
White's left; the board does not turn the numbers. The trade mark message is not asked for, and no clock or light is
ever commanded.

A message has no check sum: so after each change of a field the whole board is asked for, and again after each half
second of silence. What one message said wrongly is put right before a move is read of it (`Patience.steady_ms`). Pure.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import chess
import msgspec

from server.boards.event import BoardEvent, ClockShown, Lifted, Placed, SerialNews, Snapshot
from server.boards.squares import UNKNOWN, of_reading_order
from server.game.values.words import Seat

RESET, WHOLE_BOARD, FIELDS_ALONE, FIELDS_AND_CLOCK = b"\x40", b"\x42", b"\x44", b"\x4b"
BOARD, CLOCK, FIELD = 0x86, 0x8D, 0x8E
LENGTHS = {BOARD: 67, CLOCK: 10, FIELD: 5}
HEAD = 3
PIECES = ".PRNBKQprnbkqxxx"
"""By code; the last three are DGT's pieces that stand for a result, which are no chessmen."""
ACKNOWLEDGED = 0x0A  # in the place of an hour: the clock answers a command, it shows no time
RUNS, RIGHT_TO_MOVE, LEFT_TO_MOVE, NO_CLOCK = 0x01, 0x08, 0x10, 0x20

Side = Literal["", "left", "right"]


class DgtLine(msgspec.Struct, frozen=True):
    """Reader of a DGT board from bytes as they come.

    `white_on_clock`: on which side White sits as one looks at the front of the clock; "": the clock is not read.
    `rest`: the message that is not whole yet.
    """

    baud: ClassVar[int] = 9_600
    ask: ClassVar[bytes] = WHOLE_BOARD
    silence_s: ClassVar[float] = 0.5

    white_on_clock: Side = ""
    rest: bytes = b""

    @property
    def hello(self) -> bytes:
        """Return the first bytes for the board: stop what another program asked for, tell changes, tell all."""
        return RESET + (FIELDS_AND_CLOCK if self.white_on_clock else FIELDS_ALONE) + WHOLE_BOARD

    def read(self, data: bytes, at: int) -> tuple[DgtLine, SerialNews]:
        """Read what came at `at` (ms of the run); what is broken is passed over, and the whole board asked for."""
        rest = self.rest + data
        events: list[BoardEvent] = []
        want_board = understood = False
        while True:
            message, rest, passed_over = _next(rest)
            want_board |= passed_over
            if message is None:
                break
            found = self._events_of(message, at)
            understood |= found is not None
            want_board |= found is None or message[0] == FIELD
            events += found or ()
        return DgtLine(self.white_on_clock, rest), SerialNews(tuple(events), want_board, understood)

    def _events_of(self, message: bytes, at: int) -> tuple[BoardEvent, ...] | None:
        """Return the events of a whole message; None where it is not one."""
        body = message[HEAD:]
        if message[0] == BOARD:
            if max(body) >= len(PIECES):
                return None
            return (Snapshot(at, of_reading_order("".join(PIECES[code] for code in body))),)
        if message[0] == FIELD:
            field, code = body
            if field > 63 or code >= len(PIECES):
                return None
            square, piece = chess.square_name(chess.square_mirror(field)), PIECES[code]
            if piece == ".":
                return (Lifted(at, square),)
            return (Placed(at, square, None if piece == UNKNOWN else piece),)
        return self._times(body, at)

    def _times(self, body: bytes, at: int) -> tuple[ClockShown, ...] | None:
        status = body[6]
        if ACKNOWLEDGED in (body[0] & 0x0F, body[3] & 0x0F) or status & NO_CLOCK or not any(body):
            return ()
        right, left = _time_ms(body[:3]), _time_ms(body[3:6])
        if right is None or left is None:
            return None
        if not self.white_on_clock:
            return ()
        to_move = status & (RIGHT_TO_MOVE | LEFT_TO_MOVE) if status & RUNS else 0
        side = {RIGHT_TO_MOVE: "right", LEFT_TO_MOVE: "left"}.get(to_move)
        running = None if side is None else Seat.WHITE if side == self.white_on_clock else Seat.BLACK
        white, black = (left, right) if self.white_on_clock == "left" else (right, left)
        return (ClockShown(at, white, black, running),)


def _next(rest: bytes) -> tuple[bytes | None, bytes, bool]:
    """Return the next whole message (None: there is none yet), what follows, and whether anything was passed over."""
    passed_over = False
    while True:
        start = _next_begin(rest, 0)
        passed_over |= start > 0
        rest = rest[start:]
        if not rest:
            return None, b"", passed_over
        length, again = LENGTHS.get(rest[0], 0), _next_begin(rest, 1)
        if not length or again < min(length, len(rest)) or not bytes((0, length)).startswith(rest[1:HEAD]):
            passed_over, rest = True, rest[again:]
        elif len(rest) < length:
            return None, rest, passed_over
        else:
            return rest[:length], rest[length:], passed_over


def _next_begin(rest: bytes, begin: int) -> int:
    """Return where the next message begins, or the length where none does."""
    return next((place for place in range(begin, len(rest)) if rest[place] & 0x80), len(rest))


def _time_ms(shown: bytes) -> int | None:
    """Return the ms in three bytes: hours, minutes, seconds, each digit in four bits; None where it is no time."""
    hours, minutes, seconds = (shown[0] & 0x0F), _two_digits(shown[1]), _two_digits(shown[2])
    if hours > 9 or minutes is None or seconds is None:
        return None
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000


def _two_digits(byte: int) -> int | None:
    tens, units = byte >> 4, byte & 0x0F
    return tens * 10 + units if tens < 6 and units < 10 else None
