"""The server sends a heartbeat on every line: a station that misses it knows that the server is gone.

A closed connection is noticed at once; a pulled cable or a dead laptop says nothing. So each line that asked for it
gets a beat twice a second, with the times that its station holds (`game/views/held_times.py`). Every fourth beat asks
for an answer: how long it took is shown to the arbiter of the table.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterator

import msgspec
from aiohttp import web

from server.game.values.words import Role, Station
from server.game.views.held_times import held_times
from server.hall.hall import Hall
from server.machine.tasks import Faults
from server.protocol import Beat, LineSeen, LinesSeen
from server.table.table import Table
from server.web.sockets.line import Line

BEAT_S = 0.5
PARTS = 50
"""A round of beats is sent in so many parts at most, ten milliseconds apart."""
ASKED = 4
"""One beat in this many asks for an answer."""
SILENT_S = 3.0
"""A station that answers nothing for so long is shown as not answering."""


class _Beaten(msgspec.Struct):
    """One line that gets beats.

    Its station, when it was last asked and when it answered (s), and how long the answer took (ms).
    """

    table: Table
    station: str
    asked: tuple[int, float] | None = None
    answered: float | None = None
    took_ms: int | None = None


class Heartbeat:
    """Beats on all lines that asked for them; `run` sends them until it is cancelled."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._lines: dict[Line, _Beaten] = {}
        self._at: dict[Table, dict[Line, _Beaten]] = {}  # the same by their tables
        self._gone: dict[Table, set[str]] = {}
        self._number = 0
        self._faults: dict[Table, Faults] = {}

    def add(self, line: Line, table: Table, station: str) -> None:
        """Add a line that asked for beats."""
        self.discard(line)
        self._lines[line] = self._at.setdefault(table, {})[line] = _Beaten(table, station)
        self._gone.get(table, set()).discard(station)

    def discard(self, line: Line) -> None:
        """Forget a line that ended; its station is shown as away until it is back."""
        beaten = self._lines.pop(line, None)
        if beaten is None:
            return
        others = self._at[beaten.table]
        del others[line]
        if not others:
            del self._at[beaten.table]
        if not any(other.station == beaten.station for other in others.values()):
            self._gone.setdefault(beaten.table, set()).add(beaten.station)

    def note_answer(self, line: Line, number: int) -> None:
        """Note that a station answered the beat of this number."""
        beaten = self._lines.get(line)
        if beaten is None or beaten.asked is None or beaten.asked[0] != number:
            return
        beaten.answered = time.monotonic()
        beaten.took_ms = round((beaten.answered - beaten.asked[1]) * 1000)
        beaten.asked = None

    async def run(self) -> None:
        """Send beats until cancelled, some lines at a time: all at once they would hold up a press."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            for share in self._round():
                await asyncio.sleep(max(0.0, began + share * BEAT_S - loop.time()))

    def _faulty(self, table: Table) -> Faults:
        if table not in self._faults:
            self._faults[table] = Faults("The heartbeat of a station", table.note_fault)
        return self._faults[table]

    def beat(self) -> None:
        """Send one beat on every line; with every fourth, show each arbiter the lines of the table."""
        for _ in self._round():
            pass

    def _round(self) -> Iterator[float]:
        """Send one beat on every line, and say in between which share of the round is over."""
        self._number += 1
        ask = self._number % ASKED == 0
        tables = tuple(self._at)
        each = max(1, math.ceil(len(tables) / PARTS))
        for begin in range(0, len(tables), each):
            for table in tables[begin : begin + each]:
                self._beat_at(table, ask)
            yield min(1.0, (begin + each) / len(tables))
        if not tables:
            yield 1.0

    def _beat_at(self, table: Table, ask: bool) -> None:
        now = time.monotonic()
        shown: list[LinesSeen] = []
        for line, beaten in tuple(self._at.get(table, {}).items()):
            try:
                self._beat_on(line, beaten, ask, now, shown)
            except Exception as fault:  # the others must not think that the server is gone
                self._faulty(table).note(fault)

    def _beat_on(self, line: Line, beaten: _Beaten, ask: bool, now: float, shown: list[LinesSeen]) -> None:
        station = beaten.table.state.stations.find(beaten.station)
        if station is None or line.waiting:  # a line with messages waiting needs no beat
            return
        if ask and beaten.asked is None:
            beaten.asked = (self._number, now)
        known = beaten.table.known_to(station)
        line.send(Beat(self._number, ask, held_times(known, station, self._hall.witnessed_ms)))
        if ask and station.role is Role.ARBITER:
            if not shown:  # made once for all devices of the arbiter
                shown.append(self.lines_seen(beaten.table))
            line.send(shown[0])

    def lines_seen(self, table: Table) -> LinesSeen:
        """Return how the stations of a table answer."""
        now = time.monotonic()
        lines: dict[str, int | None] = dict.fromkeys(self._gone.get(table, ()))
        for beaten in self._at.get(table, {}).values():
            silent = beaten.asked is not None and now - beaten.asked[1] > SILENT_S
            known = lines.get(beaten.station)
            took = None if silent else beaten.took_ms if beaten.took_ms is not None else 0
            lines[beaten.station] = took if known is None else known if took is None else min(known, took)
        stations = [one for one in table.state.stations.admitted if one.id in lines]  # always in the same order
        return LinesSeen(tuple(_line_seen(station, lines[station.id]) for station in stations))


HEARTBEAT = web.AppKey("HEARTBEAT", Heartbeat)


def _line_seen(station: Station, ms: int | None) -> LineSeen:
    return LineSeen(station.id, station.role.value, station.seat, ms)
