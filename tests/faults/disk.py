"""The disk is full at every write: nothing that was not written is acknowledged, and the game goes on with room."""

from __future__ import annotations

import asyncio
import random
import tempfile
from pathlib import Path

from server.game.acts import Alerted
from server.journal.entry import Run
from server.journal.failure import JournalFailed
from server.journal.journal import Journal
from tests.faults.appending import command_of
from tests.faults.dying import Death, Ended, Say, forked, limit_files
from tests.faults.kills import lost_or_twice
from tests.faults.played_hall import TABLE, drawn_act, opened, record_of, sent
from tests.faults.tally import Tally
from tests.table.open_hall import Ear, reopened

COMMANDS = 12
HEAD, FRAME_HEAD, PAGE = 32, 24, 4_096
"""What SQLite writes ahead: a head, then a head and a page for each page that a commit changes."""


def writes_until(size: int) -> list[int]:
    """The bytes at which each single write begins, and one in the middle of each page."""
    places = [0, HEAD - 1]
    for frame in range(HEAD, size, FRAME_HEAD + PAGE):
        places += [frame, frame + FRAME_HEAD, frame + FRAME_HEAD + PAGE // 2]
    return places


async def append_until_full(path: Path, full_at: int | None, again: bool, say: Say) -> None:
    """Append twelve commands on a disk that takes no more; with `again` there is room after the first that failed."""
    journal = await asyncio.to_thread(Journal.open, path)
    await journal.begin_run(Run("run", 0, 0, "test"))
    limit_files(full_at, deadly=False)
    seq, failed = 0, 0
    for number in range(COMMANDS):
        command = f"{number + 1:032x}"
        try:
            await journal.append(*command_of("t1", "run", seq, command))
        except JournalFailed:
            failed += 1
            if not again:
                continue
            limit_files(None, deadly=False)
            await journal.append(*command_of("t1", "run", seq, command))
        seq += 2
        say(f"t1 {seq} {command}")
    say(f"failed {failed} size {path.with_name(path.name + '-wal').stat().st_size}")
    limit_files(None, deadly=False)
    await journal.close()


def of_the_journal(count: int, minutes: float, seed: int) -> Tally:
    """Every write of twelve commits, and the middle of each; every second time room is made after the first refusal."""
    tally = Tally("disk full at each write, journal")
    with tempfile.TemporaryDirectory() as folder:
        whole = _appended(Path(folder) / "journal.sqlite", None, True)
        places = writes_until(int(whole.said[-1].split()[-1]))
    for number in tally.trials(min(count, 2 * len(places)), minutes):
        place, again = places[number // 2 * max(1, 2 * len(places) // count) % len(places)], bool(number % 2)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "journal.sqlite"
            ended = _appended(path, place, again)
            tally.check(ended.status == 0, ended.how)
            if ended.status:
                continue
            acknowledged = {
                line.split()[2]: (line.split()[0], int(line.split()[1])) for line in ended.said if line.startswith("t1")
            }
            failed = int(ended.said[-1].split()[1])
            tally.seen["with commands refused" if failed else "where all fitted"] += 1
            tally.check(not again or len(acknowledged) == COMMANDS, "with room, not every command was taken")
            tally.check(again or len(acknowledged) + failed == COMMANDS, "a command was neither taken nor refused")
            for wrong in lost_or_twice(path, acknowledged):
                tally.check(False, f"full at byte {place}: {wrong}")
    return tally


def _appended(path: Path, full_at: int | None, again: bool) -> Ended:
    return forked(lambda say: asyncio.run(append_until_full(path, full_at, again, say)), Death())


def of_the_hall(count: int, minutes: float, seed: int) -> Tally:
    """A game on a disk that is full at some byte: the arbiter is told, and what was refused is done with room."""
    tally, chance = Tally("disk full, hall"), random.Random(seed)
    for _ in tally.trials(count, minutes):
        drawn = random.Random(chance.random())
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / "data"
            ended = forked(lambda say, d=data, c=drawn: asyncio.run(play_while_full(d, c, say)), Death())  # type: ignore[misc]
            tally.check(ended.status == 0, ended.how)
            for line in ended.said:
                tally.check(not line.startswith("wrong "), line)
                if not line.startswith(("wrong ", "fault ")):
                    tally.seen[line] += 1
    return tally


async def play_while_full(folder: Path, chance: random.Random, say: Say) -> None:
    """Thirty acts; from some byte on nothing is written, until ten acts later there is room again."""
    async with reopened(folder) as (hall, clock):
        table = await opened(hall)
        ear = Ear()
        table.attach("arbiter", 0, ear)
        written_ahead = hall.data.journal.with_name(hall.data.journal.name + "-wal").stat().st_size
        limit_files(max(0, written_ahead + chance.randrange(-20_000, 120_000)), deadly=False)
        refused = []
        for number in range(30):
            id = f"{chance.getrandbits(128):032x}"
            name, body = drawn_act(table, chance)
            outcome = await sent(table, id, name, body)
            clock.advance(200)
            if outcome.outcome.code == "not_recorded":
                refused.append((id, name, body))
                if any(entry.command == id for entry in await hall.journal.read(TABLE)):
                    say("wrong a command that is not recorded is in the record")
            if number == 20:
                limit_files(None, deadly=False)
        for id, name, body in refused:
            if (await sent(table, id, name, body)).outcome.code == "not_recorded":
                say("wrong a command is not recorded although there is room")
        told = any(isinstance(getattr(one, "event", None), Alerted) for one in ear.messages)
        say("with acts refused" if refused else "where all fitted")
        if refused and not told:
            say("wrong the arbiter was never told")
        shown = record_of(table)
    async with reopened(folder) as (hall, _):
        again = {} if hall.shut else record_of(hall.tables[TABLE])
        if any(again.get(name, [])[: len(told)] != told for name, told in shown.items()):
            say("wrong the record tells another game")
