"""A day of play on sensing boards whose messages are lost, doubled, delayed and overtaken: what becomes of it.

`python -m tests.bench.noisy_boards [games]`: for each kind of board how many plies stood right in the record within
12 s, how many came later, for how many the arbiter was called (a grey alert), and how many were wrong with nobody told.
`--tables`: the same at real tables, two boards each (tests/bench/noisy_tables.py); a ply counts once for each board.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Iterator
from random import Random

import chess
import msgspec

from server.boards.drivers.line_protocol import LineReader, line_of
from server.boards.event import BoardEvent, Lifted, Placed, Snapshot
from server.boards.watch import BoardWatch, MoveSensed, ResultShown, UnexpectedBoard
from server.game.values.position import Position
from tests.table.hands import Hands

PAUSE_MS = 12_000


class Counts(msgspec.Struct):
    """What became of the plies of one kind of board."""

    plies: int = 0
    right: int = 0
    late: int = 0
    told: int = 0
    silent: list[str] = []

    def row(self, name: str) -> str:
        """One line of the table."""
        return f"{name:<34}{self.plies:>8}{self.right:>8}{self.late:>8}{self.told:>8}{len(self.silent):>8}"


class Wire:
    """Between board and server: loses, doubles, delays and reorders, seeded."""

    def __init__(self, draw: Random, loss: float) -> None:
        self.draw, self.loss = draw, loss
        self.number = 0

    def numbered(self, events: Iterable[BoardEvent]) -> list[tuple[int, int, BoardEvent]]:
        """(arrival, number, event), in the order of arrival."""
        carried = []
        for event in events:
            self.number += 1
            for _ in range(1 + (self.draw.random() < self.loss)):
                if self.draw.random() >= self.loss:
                    late = self.draw.randrange(50, 900) if self.draw.random() < self.loss else 5
                    carried.append((event.at + late, self.number, event))
        return sorted(carried, key=lambda one: one[0])


class Record:
    """What a table would keep of one board; the arbiter sets it right where they were told."""

    def __init__(self, occupancy: bool, board: chess.Board) -> None:
        self.watch = BoardWatch(occupancy=occupancy)
        self.position = self.before = Position.from_board(board)
        self.told = False

    def until(self, now: int) -> None:
        while (due := self.watch.due()) is not None and due <= now:
            self.watch, found = self.watch.look(due, self.position, self.before)
            for one in found:
                if isinstance(one, UnexpectedBoard | ResultShown):
                    self.told = True
                elif isinstance(one, MoveSensed):
                    base = self.before if one.instead else self.position
                    self.keeps(due, base, base.after(one.uci.replace("?", "q")))

    def keeps(self, now: int, before: Position, position: Position) -> None:
        """The record is another one now."""
        self.before, self.position = before, position
        self.watch = self.watch.compare(now, position)

    def take(self, event: BoardEvent, arrival: int) -> None:
        self.until(arrival)
        self.watch, _ = self.watch.take(msgspec.structs.replace(event, at=arrival), self.position)

    def set_right(self, now: int, board: chess.Board) -> None:
        """The arbiter enters what stands on the board."""
        position = Position.from_board(board)
        self.keeps(now, position, position)
        self.told = False


def by_line(
    record: Record, reader: LineReader, arrived: Iterable[tuple[int, int, BoardEvent]], hands: Hands
) -> LineReader:
    """The pegged board: numbered lines; a gap asks for the whole board, which answers at once."""
    for arrival, number, event in arrived:
        assert isinstance(event, Placed | Lifted), "a pegged board sends nothing else"
        sign = "+" if isinstance(event, Placed) else "-"
        reader, found = reader.read(line_of(number, f"{sign}{event.square}"), arrival)
        for one in found.events:
            record.take(one, arrival)
        if found.want_board:
            record.take(Snapshot(arrival, hands.squares()), arrival)
    return reader


def play(sans: list[str], seed: int, *, occupancy: bool, snapshots: bool, loss: float, counts: Counts) -> None:
    """One game on one board, pressed after each move; the arbiter sets right what they are told of."""
    board = chess.Board()
    hands, wire = Hands(seed, occupancy=occupancy, snapshots=snapshots), Wire(Random(seed), loss)
    record, reader, newest = Record(occupancy, board), LineReader(0), -1
    stood = {board.board_fen()}
    for san in sans:
        move = board.parse_san(san)
        events = list(hands.play(board, move))
        board.push(move)
        stood.add(board.board_fen())
        arrived = wire.numbered(events)
        if snapshots:
            for arrival, number, event in arrived:
                if number > newest:  # LiveChess and bridges number theirs
                    newest = number
                    record.take(event, arrival)
        else:
            reader = by_line(record, reader, arrived, hands)
        record.until(hands.now + 1_000)
        record.watch = record.watch.press(hands.now + 1_000)
        hands.now += PAUSE_MS
        if not snapshots:  # a sign of life brings the whole board now and then
            record.take(Snapshot(hands.now - 11_000, hands.squares()), hands.now - 11_000)
        record.until(hands.now)
        counts.plies += 1
        if record.position.placement == board.board_fen():
            counts.right += 1
        elif record.told:
            counts.told += 1
            record.set_right(hands.now, board)
        elif record.position.placement in stood:
            counts.late += 1
        else:
            counts.silent.append(f"game {seed}, {san}: {record.position.placement}")
            record.set_right(hands.now, board)


def real_games(number: int) -> Iterator[list[str]]:
    """Games of the shared data."""
    from tests.conftest import shared_folder

    lines = (shared_folder() / "data/games/real-games.san").read_text("utf-8").splitlines()
    for line in [line for line in lines if line.strip() and not line.startswith("#")][:number]:
        yield line.split()


def main(number: int, *, tables: bool = False) -> int:
    """Print the table; how many silent ones there were."""
    games = list(real_games(number))
    print(f"{'board':<34}{'plies':>8}{'right':>8}{'late':>8}{'told':>8}{'silent':>8}")
    wrong = 0
    for loss in (0.0, 0.02, 0.1, 0.25):
        for occupancy, snapshots in ((False, True), (True, True), (True, False)):
            counts = Counts()
            for seed, sans in enumerate(games):
                if tables:
                    from tests.bench.noisy_tables import play_table

                    kind = {"occupancy": occupancy, "snapshots": snapshots}
                    asyncio.run(play_table(sans, seed, **kind, loss=loss, counts=counts))
                else:
                    play(sans, seed, occupancy=occupancy, snapshots=snapshots, loss=loss, counts=counts)
            name = (
                f"{'occupancy' if occupancy else 'pieces'}, {'placements' if snapshots else 'lines'}, {loss:.0%} noise"
            )
            print(counts.row(name), flush=True)
            wrong += len(counts.silent)
            for one in counts.silent:
                print("  ", one)
    return wrong


if __name__ == "__main__":
    given = [one for one in sys.argv[1:] if one != "--tables"]
    sys.exit(1 if main(int(given[0]) if given else 60, tables="--tables" in sys.argv) else 0)
