"""PGN a round, rewritten at every move: `rounds/ROUND.pgn` of the data folder, for a broadcast or the organiser.

Every game is a legal prefix with `[%clk]` on every ply (one illegal move stops a public broadcast of that game; what
follows it stands in a comment). A file is replaced whole: a reader never sees half of one.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from server.exports.table_pgn import pgn_of
from server.game.state.state import GameState
from server.machine.tasks import passing
from server.table.table import Table

_log = logging.getLogger(__name__)
PLAIN = re.compile(r"[^A-Za-z0-9_-]+")


def file_name(round: str) -> str:
    """The file of a round.

    >>> file_name("5"), file_name("a/b")
    ('round-5.pgn', 'round-a-b.pgn')
    """
    return f"round-{PLAIN.sub('-', round)[:40]}.pgn"


class RoundFiles:
    """Writes the rounds of the tables that have one; looks are many, writings one at a time."""

    def __init__(self, folder: Path, tables: Mapping[str, Table], wall_ms: int) -> None:
        """`tables`: the hall's, live. `wall_ms`: the day that the games are dated by."""
        self._folder = folder
        self._tables = tables
        self._date = f"{datetime.fromtimestamp(wall_ms / 1000, UTC):%Y.%m.%d}"
        self._due: set[str] = set()
        self._written: dict[str, tuple[GameState, str]] = {}  # each table's game as it was written last
        self._task: asyncio.Task[None] | None = None

    def look(self, table: Table) -> None:
        """Something has changed at this table."""
        if not table.state.round:
            return
        self._due.add(table.state.round)
        if self._task is None or self._task.done():
            self._task = passing("The games of a round", self._write, table.note_fault)

    async def close(self) -> None:
        """What is due is written first."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def _write(self) -> None:
        while self._due:
            round = self._due.pop()
            try:
                await asyncio.to_thread(self._write_round, round, self._states(round))
            except OSError as wrong:  # the record is the journal; this file is a copy for others
                _log.warning("The games of round %s cannot be written (%s).", round, wrong.strerror)

    def _states(self, round: str) -> list[tuple[str, GameState]]:
        tables = [(table.id, table.state) for table in self._tables.values() if table.state.round == round]
        return sorted(tables, key=lambda one: (one[1].board_number, one[0]))

    def _write_round(self, round: str, states: list[tuple[str, GameState]]) -> None:
        """In a thread: a game takes ten milliseconds, and no press may wait for the games of a whole hall."""
        for id, state in states:
            if id not in self._written or self._written[id][0] is not state:
                self._written[id] = (state, self._game(id, state))
        _replace(self._folder, file_name(round), "\n".join(self._written[id][1] for id, _ in states))

    def _game(self, id: str, state: GameState) -> str:
        """One game; where it cannot be written the file keeps what it had of it, and the other games."""
        try:
            return pgn_of(state, self._date)
        except Exception:
            _log.exception("The game of table %s cannot be written", id)
            return self._written[id][1] if id in self._written else ""


def _replace(folder: Path, name: str, games: str) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    waiting = folder / f".{name}.new"
    waiting.write_text(games, encoding="utf-8")
    waiting.replace(folder / name)
