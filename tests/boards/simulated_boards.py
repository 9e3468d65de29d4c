"""Boards of two makers at the other end of a pty, as their published protocols describe them; nothing of the server.

`SimulatedDgt`: DGT's `dgtbrd.h`. `SimulatedChessLink`: "ChessLink: Magic Chessboard Communications Protocol". What they
are asked is kept, so that a test can see that nobody lit a light or wrote into their memory.
"""

from __future__ import annotations

import asyncio
import os
import pty
import tty
from pathlib import Path

import chess


class SimulatedBoard:
    """A board with its men, on a port that can be pulled out and plugged in again under the same name."""

    def __init__(self, port: Path, board: chess.BaseBoard | None = None) -> None:
        self.port = port
        self.on = chess.BaseBoard((board or chess.BaseBoard()).board_fen())
        self.asked = b""
        self._ends: tuple[int, int] | None = None

    def plug_in(self) -> None:
        master, slave = pty.openpty()
        tty.setraw(master)
        tty.setraw(slave)
        self._ends = master, slave
        self.port.symlink_to(os.ttyname(slave))
        self.starts()
        asyncio.get_running_loop().add_reader(master, self._asked)

    def pull_out(self) -> None:
        if self._ends is None:
            return
        asyncio.get_running_loop().remove_reader(self._ends[0])
        self.port.unlink()  # before its pty ends, whose name another test may have at once
        for end in self._ends:
            os.close(end)
        self._ends = None

    def send(self, data: bytes) -> None:
        if self._ends is not None:
            os.write(self._ends[0], data)

    def lift(self, square: int) -> chess.Piece:
        piece = self.on.remove_piece_at(square)
        assert piece is not None
        self.changed(square)
        return piece

    def put(self, square: int, piece: chess.Piece) -> None:
        self.on.set_piece_at(square, piece)
        self.changed(square)

    def _asked(self) -> None:
        assert self._ends is not None
        data = os.read(self._ends[0], 1_000)
        self.asked += data
        self.hear(data)

    def starts(self) -> None:
        """It has just got its power."""

    def hear(self, data: bytes) -> None:
        raise NotImplementedError

    def changed(self, square: int) -> None:
        raise NotImplementedError


READING_ORDER = [chess.square(file, rank) for rank in range(7, -1, -1) for file in range(8)]


class SimulatedDgt(SimulatedBoard):
    """Idle until it is told to send changes; a whole board on request."""

    def starts(self) -> None:
        self.tells: str = "nothing"
        self.clock = bytes(7)

    def hear(self, data: bytes) -> None:
        for command in data:
            match command:
                case 0x40:
                    self.tells = "nothing"
                case 0x44:
                    self.tells = "fields"
                case 0x43 | 0x4B:
                    self.tells = "fields and clock"
                case 0x42:
                    self.send(self.dump())

    def dump(self) -> bytes:
        return bytes((0x86, 0, 67, *map(self._code, READING_ORDER)))

    def changed(self, square: int) -> None:
        if self.tells != "nothing":
            self.send(bytes((0x8E, 0, 5, READING_ORDER.index(square), self._code(square))))

    def show(self, left: str, right: str, *, to_move: str) -> None:
        """Its clock shows "1:29:58" at each side, and runs for one of them."""
        sides = [[int(part, 16) for part in shown.split(":")] for shown in (right, left)]
        self.clock = bytes((*sides[0], *sides[1], {"right": 0x0B, "left": 0x11}[to_move]))
        if self.tells == "fields and clock":
            self.send(bytes((0x8D, 0, 10)) + self.clock)

    def _code(self, square: int) -> int:
        piece = self.on.piece_at(square)
        return ".PRNBKQprnbkq".index("." if piece is None else piece.symbol())


def odd_parity(text: str) -> bytes:
    """Each character with an eighth bit, so that the ones in it are odd in number."""
    return bytes(int(f"{(f'{ord(letter):07b}'.count('1') + 1) % 2}{ord(letter):07b}", 2) for letter in text)


def block_parity(text: str) -> str:
    parity = 0
    for letter in text:
        parity ^= ord(letter)
    return f"{text}{parity:02X}"


class SimulatedChessLink(SimulatedBoard):
    """It answers commands whose parities are right; `reports`: "on change", or "on request" alone."""

    reports = "on change"

    def starts(self) -> None:
        self.lights = ["00"] * 81

    def hear(self, data: bytes) -> None:
        text = "".join(chr(byte & 0x7F) for byte in data if byte.bit_count() % 2)
        while text:
            length = {"S": 3, "X": 3, "V": 3, "L": 167}.get(text[0], 1)
            command, text = text[:length], text[length:]
            if block_parity(command[:-2]) != command:
                continue
            match command[0]:
                case "S":
                    self.report()
                case "X":
                    self.lights = ["00"] * 81
                    self.send(odd_parity(block_parity("x")))
                case "L":
                    self.lights = [command[place : place + 2] for place in range(3, 165, 2)]
                    self.send(odd_parity(block_parity("l")))

    def report(self) -> None:
        squares = "".join("." if piece is None else piece.symbol() for piece in map(self.on.piece_at, READING_ORDER))
        self.send(odd_parity(block_parity("s" + squares)))

    def changed(self, square: int) -> None:
        if self.reports == "on change":
            self.report()
