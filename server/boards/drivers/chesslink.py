"""Millennium's ChessLink boards on a serial line (USB).

Facts from "ChessLink: Magic Chessboard Communications Protocol" (D. Woodfield, 25 October 2017): 38 400 baud, seven
bits with odd parity, one stop bit, printable ASCII. A command or an answer is a letter, its data, and the XOR of all
that as two hex digits. `S` asks for the board; the answer, which by default also comes by itself at each scan, is `s`
and 64 letters from a8 to h1, "." for an empty square. `X` puts all lights out.

Seven bits with a parity bit are eight bits on the line, and are read as such: a byte of the wrong parity is noise here.
Nothing is written into the board's memory, and no light is ever lit: `X` is the only other thing that it is sent. Pure.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import xor
from typing import ClassVar

import msgspec

from server.boards.event import BoardEvent, SerialNews, Snapshot
from server.boards.squares import of_reading_order

STATUS, LIGHTS_OUT = "S", "X"
ANSWER = re.compile(r"s(?P<squares>[KQRNBPkqrnbp.]{64})[0-9A-Fa-f]{2}")
LENGTH = 67
NOISE = "?"


def in_parity(text: str) -> bytes:
    """Return ASCII with the parity bit that makes the number of ones in each byte odd.

    >>> in_parity("S53").hex()
    'd3b5b3'
    """
    return bytes(byte | (0 if byte.bit_count() % 2 else 0x80) for byte in text.encode("ascii"))


def with_check_sum(text: str) -> str:
    """Return a command or an answer with its check sum."""
    return f"{text}{reduce(xor, text.encode('ascii')):02X}"


class ChessLinkLine(msgspec.Struct, frozen=True):
    """Reader of a ChessLink board from bytes as they come; `rest` is the answer that is not whole yet."""

    baud: ClassVar[int] = 38_400
    hello: ClassVar[bytes] = in_parity(with_check_sum(LIGHTS_OUT) + with_check_sum(STATUS))
    ask: ClassVar[bytes] = in_parity(with_check_sum(STATUS))
    silence_s: ClassVar[float] = 0.5

    rest: str = ""

    def read(self, data: bytes, at: int) -> tuple[ChessLinkLine, SerialNews]:
        """Read what came at `at` (ms of the run); what is broken is passed over, and the whole board asked for."""
        _, *answers = (self.rest + "".join(map(_letter, data))).split("s")
        events: list[BoardEvent] = []
        want_board, rest = False, ""
        for answer in ("s" + body for body in answers):
            want_board |= rest != ""  # the next answer began before this one was whole
            rest = ""
            found = ANSWER.match(answer)
            if found is not None and found[0].upper() == with_check_sum(found[0][:-2]).upper():
                events.append(Snapshot(at, of_reading_order(found["squares"])))
            elif len(answer) < LENGTH:
                rest = answer
            else:
                want_board = True
        return ChessLinkLine(rest), SerialNews(tuple(events), want_board, bool(events))


def _letter(byte: int) -> str:
    return chr(byte & 0x7F) if byte.bit_count() % 2 else NOISE
