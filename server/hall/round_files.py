"""Each round is written as PGN at every move, for a broadcast or the organiser.

The file is `rounds/round-ROUND.pgn` in the data folder. Every game is a legal prefix with `[%clk]` on every ply (one
illegal move stops a public broadcast of that game; what follows it stands in a comment). A cancelled game gives its
board to the new one (7.2.1). A file is replaced whole, so a reader never sees half of one.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from server.exports.table_pgn import pgn_day, pgn_of
from server.game.acts.command import event_in
from server.game.state.apply import apply
from server.game.state.state import GameState
from server.game.state.table import TableState
from server.hall.live_table import LiveTable
from server.journal.entry import Entry
from server.machine.clock import Clock
from server.machine.tasks import passing

_log = logging.getLogger(__name__)
INSTANTS = 30
"""Into so many steps the time before a start is divided: of a quarter of an hour, one is half a minute."""
PLAIN = re.compile(r"[^A-Za-z0-9_-]+")


def file_name(round: str) -> str:
    """Return the name of a round's file.

    >>> file_name("5"), file_name("a/b")
    ('round-5.pgn', 'round-a-b.pgn')
    """
    return f"round-{PLAIN.sub('-', round)[:40]}.pgn"


class RoundFiles:
    """Writer of the files of all rounds, at the tables that have one.

    It may be asked to look often; it writes one file at a time.
    """

    def __init__(self, folder: Path, tables: Mapping[str, LiveTable], clock: Clock) -> None:
        """Take the hall's live `tables`; `clock` gives the day of a game that has not started yet."""
        self._folder = folder
        self._tables = tables
        self._clock = clock
        self._due: set[str] = set()
        self._written: dict[str, tuple[GameState, str]] = {}  # for each table its game as last written
        self._task: asyncio.Task[None] | None = None
        self.on_written: Callable[[str, str], None] = lambda round, games: None
        """Called with a round and its games whenever they were written."""

    def look(self, table: LiveTable) -> None:
        """Write the round's file, because something has changed at this table."""
        if not table.state.table.round:
            return
        self._due.add(table.state.table.round)
        if self._task is None or self._task.done():
            self._task = passing("The games of a round", self._write, table.note_fault)

    async def before(
        self, round: str, read: Callable[[str], Awaitable[Sequence[Entry]]], back_ms: int, wall_ms: int
    ) -> list[tuple[int, str]]:
        """Return how a round stood at instants of the last `back_ms`: the age of each in ms, and its games.

        `read`: gives the record of a table. An instant at which nothing had changed is left out.
        """
        days = {id: day for id, _, day in self._states(round)}
        records = {id: await read(id) for id in days}
        return await asyncio.to_thread(self._before, round, records, days, back_ms, wall_ms)

    def _before(
        self, round: str, records: Mapping[str, Sequence[Entry]], days: Mapping[str, str], back_ms: int, wall_ms: int
    ) -> list[tuple[int, str]]:
        waiting = {id: deque(entries) for id, entries in records.items()}
        stood = dict.fromkeys(records, GameState())
        games = dict.fromkeys(records, "")
        found: list[tuple[int, str]] = []
        for step in range(INSTANTS + 1):
            age = back_ms - back_ms * step // INSTANTS
            for id, entries in waiting.items():
                state = stood[id]
                while entries and (entries[0].wall_ms <= wall_ms - age or step == INSTANTS):
                    state = apply(state, event_in(entries.popleft().body))
                if state is not stood[id]:
                    stood[id] = state
                    games[id] = self._game(id, state, days[id]) if _is_played(round, state.table) else ""
            told = "\n".join(filter(None, games.values()))
            if told and (not found or found[-1][1] != told):
                found.append((age, told))
        return found

    async def close(self) -> None:
        """Wait until everything that is due is written."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def _write(self) -> None:
        while self._due:
            round = self._due.pop()
            try:
                games = await asyncio.to_thread(self._write_round, round, self._states(round))
                self.on_written(round, games)
            except OSError as wrong:  # the journal is the record; this file is only a copy for others
                _log.warning("The games of round %s cannot be written (%s).", round, wrong.strerror)

    def _states(self, round: str) -> list[tuple[str, GameState, str]]:
        """Return the name, the state and the day of each game of a round, by boards."""
        today = self._clock.wall_ms()
        tables = [
            (table.id, table.state, pgn_day(today if table.started_wall_ms is None else table.started_wall_ms))
            for table in self._tables.values()
            if table.state.table.round == round
        ]
        return sorted(tables, key=lambda one: (one[1].table.board_number, one[0]))

    def _write_round(self, round: str, states: list[tuple[str, GameState, str]]) -> str:
        """Write one round, in a thread, and return its games.

        A game takes ten milliseconds, and no press of the clock may wait for the games of a whole hall.
        """
        for id, state, day in states:
            if id not in self._written or self._written[id][0] is not state:
                self._written[id] = (state, self._game(id, state, day))
        games = "\n".join(self._written[id][1] for id, state, _ in states if _is_played(round, state.table))
        _replace(self._folder, file_name(round), games)
        return games

    def _game(self, id: str, state: GameState, day: str) -> str:
        """Return one game; where it cannot be written, what the file had of it before.

        The other games are written in any case.
        """
        try:
            return pgn_of(state, day)
        except Exception:
            _log.exception("The game of table %s cannot be written", id)
            return self._written[id][1] if id in self._written else ""


def _is_played(round: str, table: TableState) -> bool:
    """Return whether the game of this table is one of the round, and no new one is played at its board instead."""
    return table.round == round and (table.next_game is None or not table.next_game.open)


def _replace(folder: Path, name: str, games: str) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    waiting = folder / f".{name}.new"
    waiting.write_text(games, encoding="utf-8")
    waiting.replace(folder / name)
