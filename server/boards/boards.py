"""The sensing boards of this server.

Each has a driver, and stands at a table and seat.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal, Protocol

import chess
import msgspec

from server.boards.drivers.bridge import Bridge
from server.boards.drivers.chesslink import ChessLinkLine
from server.boards.drivers.dgt import DgtLine, Side
from server.boards.drivers.line_protocol import PeggedLine
from server.boards.event import BoardEvent, Lifted, Link, Placed, Snapshot
from server.boards.squares import squares_turned_round
from server.boards.watch import Patience
from server.boards.watched_board import WatchedBoard
from server.game.values.saying import Saying, saying
from server.game.values.words import Seat
from server.journal.sqlite.schema import write_private
from server.machine.clock import Clock
from server.machine.tasks import Told, lasting
from server.table.table import Table
from speech.complaint import Complaint, Phrase

Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,31}\Z")]

SILENT_MS = 5_000
_KEY = re.compile(r"[!-~]{16,}")
DriverName = Literal["livechess", "serial", "dgt", "chesslink", "bridge"]


class BoardSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[boards]]` entry of the configuration.

    `serial`, `port`: the serial number or the serial port of the board; a bridge is known by `name`. `occupancy`: the
    board knows where something stands, but not what. `turned`: the board lies the other way round, its a1 where h8
    should be. `white_on_clock`: DGT alone, on which side White sits as one looks at the front of the clock.
    """

    name: Name
    table: Annotated[str, msgspec.Meta(max_length=64)]
    seat: Seat
    driver: DriverName
    serial: Annotated[str, msgspec.Meta(max_length=40)] = ""
    port: Annotated[str, msgspec.Meta(max_length=200)] = ""
    address: Annotated[str, msgspec.Meta(max_length=200, pattern=r"^(ws://(localhost|127\.0\.0\.1)(:\d+)?/.*)?\Z")] = ""
    occupancy: bool = False
    turned: bool = False
    white_on_clock: Side = ""
    patience: Patience = Patience()


class Driver(Protocol):
    """Follower of one board until it is closed: `LiveChess`, `SerialBoard` or `Bridged`."""

    async def close(self) -> None:
        """Stop following the board."""


class Bridged:
    """Board for which a bridge posts; `key` is the secret of the bridge."""

    def __init__(self, key: str, clock: Clock, take: Callable[[BoardEvent], None], told: Told | None = None) -> None:
        self._key = key
        self._clock = clock
        self._take = take
        self._bridge = Bridge()
        self._lines = 0
        self._task = lasting("A board's bridge", self._listen, told)

    def knows(self, key: str) -> bool:
        """Say whether this is the key; an empty one is nobody's."""
        return self._key != "" and hmac.compare_digest(key.encode(errors="replace"), self._key.encode())

    def post(self, text: bytes) -> None:
        """Take one message of the bridge. Raises Complaint."""
        self._bridge, events = self._bridge.read(text, self._clock.mono_ms())
        for event in events:
            self._take(event)

    @contextmanager
    def line(self) -> Iterator[None]:
        """Open a connection of the bridge's own, whose message numbers start again.

        After the last one ends, the board is out of reach.
        """
        self._lines += 1
        self._bridge = Bridge(heard=self._clock.mono_ms(), lives=self._bridge.lives)
        try:
            yield
        finally:
            self._lines -= 1
            if not self._lines:
                self._take(Link(self._clock.mono_ms(), "down", "the bridge hung up"))

    async def _listen(self) -> None:
        """Report a bridge that gave signs of life and has fallen silent."""
        while True:
            due = self._bridge.heard + SILENT_MS
            if self._bridge.lives and self._clock.mono_ms() >= due:
                self._take(Link(self._clock.mono_ms(), "stale", "the bridge is silent"))
            await self._clock.sleep_until(max(due, self._clock.mono_ms() + SILENT_MS // 2))

    async def close(self) -> None:
        """Stop listening."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


class Boards:
    """All sensing boards of the server; made when the tables are open."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        """Begin with no board.

        `folder`: where the keys of bridges lie (0700).
        """
        self._folder = folder
        self._clock = clock
        self._desks: list[WatchedBoard] = []
        self._settings: list[BoardSettings] = []
        self._drivers: list[Driver] = []
        self._bridges: dict[str, Bridged] = {}

    def watch(self, settings: BoardSettings, table: Table) -> WatchedBoard:
        """Follow one board from now on.

        Raises Complaint where the settings lack what its driver needs.
        """
        desk = WatchedBoard(table, self._clock, settings.seat, settings.patience, occupancy=settings.occupancy)
        self._desks.append(desk)
        self._settings.append(settings)

        def take(event: BoardEvent) -> None:
            desk.take(_event_turned_round(event) if settings.turned else event)

        self._drivers.append(self._driver(settings, take, table.note_fault))
        return desk

    def at_table(self, table: str) -> tuple[tuple[BoardSettings, Saying], ...]:
        """Return the boards of a table, each with what the arbiter is told of it: its line, and what it cannot tell."""
        found = zip(self._settings, self._desks, strict=True)
        return tuple((one, _told_of(one, desk)) for one, desk in found if one.table == table)

    def _driver(self, settings: BoardSettings, take: Callable[[BoardEvent], None], told: Told) -> Driver:
        match settings.driver:
            case "livechess":
                from server.boards.drivers.livechess import ADDRESS, LiveChess

                return LiveChess(settings.serial, self._clock, take, settings.address or ADDRESS, told)
            case "serial" | "dgt" | "chesslink":
                from server.boards.drivers.serial import SerialBoard

                if not settings.port:
                    raise Complaint(Phrase("value.serial_port", board=settings.name))
                return SerialBoard(settings.port, _dialect(settings), self._clock, take, told)
            case "bridge":
                bridged = Bridged(self.key_of(settings.name), self._clock, take, told)
                self._bridges[settings.name] = bridged
                return bridged

    def key_of(self, name: str) -> str:
        """Return the key of a bridge, made where its file holds none: 128 bits that only this user can read.

        Raises Complaint.
        """
        path = self._folder / f"{name}.key"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            kept = path.read_text("ascii", "replace").strip() if path.exists() else ""
            if _KEY.fullmatch(kept):
                return kept
            made = secrets.token_urlsafe(16)
            write_private(path, f"{made}\n".encode())
        except OSError as wrong:
            raise Complaint(Phrase("files.unwritten", place=path, why=wrong.strerror)) from wrong
        return made

    def bridge(self, name: str, key: str) -> Bridged | None:
        """Return the bridge of that name if the key is right, else None."""
        found = self._bridges.get(name)
        return found if found is not None and found.knows(key) else None

    async def close(self) -> None:
        """Stop following all boards."""
        for one in (*self._drivers, *self._desks):
            await one.close()


def _dialect(settings: BoardSettings) -> PeggedLine | DgtLine | ChessLinkLine:
    """Return the dialect of this board on its serial line."""
    match settings.driver:
        case "dgt":
            return DgtLine(settings.white_on_clock)
        case "chesslink":
            return ChessLinkLine()
        case _:
            return PeggedLine()


def _event_turned_round(event: BoardEvent) -> BoardEvent:
    """Return an event of a board that lies the other way round."""
    match event:
        case Snapshot():
            return Snapshot(event.at, squares_turned_round(event.squares))
        case Lifted() | Placed():
            square = chess.square_name(63 - chess.parse_square(event.square))
            return msgspec.structs.replace(event, square=square)
        case _:
            return event


LINES: Mapping[str, Saying] = {
    "up": saying("board_connected"),
    "down": saying("board_down"),
    "stale": saying("board_silent"),
}


def _told_of(settings: BoardSettings, desk: WatchedBoard) -> Saying:
    limits = saying("board_of_places" if settings.occupancy else "board_of_pieces")
    told = saying("board_listed", link=LINES[desk.line], limits=limits)
    return saying("board_of", who=settings.seat, what=told)
