"""Kills: of the journal's writer, and of a hall whose game is played. Nothing acknowledged is lost or done twice."""

from __future__ import annotations

import asyncio
import random
import tempfile
from pathlib import Path

from server.journal.sqlite.reader import JournalReader
from speech.complaint import Complaint
from tests.faults.appending import TABLES, append_for_ever
from tests.faults.dying import Death, Ended, forked
from tests.faults.played_hall import Known, kept, play_on
from tests.faults.tally import Tally

KILLS_A_FOLDER = 40
"""Then a fresh folder begins, so that no kill has to read a long record."""
LONGEST_LIFE_S = 0.12
LONGEST_LIFE_OF_A_HALL_S = 0.7


def drawn_death(chance: random.Random, longest_s: float, largest: int) -> Death:
    """An instant, or a byte of what is being written, one as often as the other."""
    if chance.random() < 0.5:
        return Death(after_s=chance.uniform(0, longest_s))
    return Death(at_byte=chance.randrange(largest))


def died_as_asked(tally: Tally, ended: Ended) -> None:
    """The process was killed and did not end by a fault of its own: one that was killed before can start again."""
    tally.check(ended.status < 0, ended.how)
    tally.seen[ended.how if ended.status < 0 else "ended by itself"] += 1


def of_the_journal(count: int, minutes: float, seed: int) -> Tally:
    """Kill the one who writes for three tables, at an instant or in the middle of a commit."""
    tally, chance = Tally("kill of the writer"), random.Random(seed)
    acknowledged: dict[str, tuple[str, int]] = {}
    place = tempfile.TemporaryDirectory()
    for number in tally.trials(count, minutes):
        if number % KILLS_A_FOLDER == 0:
            place.cleanup()
            place, acknowledged = tempfile.TemporaryDirectory(), {}
        path = Path(place.name) / "journal.sqlite"
        size = path.stat().st_size if path.exists() else 0
        death = drawn_death(chance, LONGEST_LIFE_S, size + 300_000)
        ended = forked(lambda say, n=number, p=path: asyncio.run(append_for_ever(p, f"run{n}", say)), death)  # type: ignore[misc]
        died_as_asked(tally, ended)
        for line in ended.said:
            table, seq, command = line.split()[:3]
            if table in TABLES:
                acknowledged[command] = (table, int(seq))
        for wrong in lost_or_twice(path, acknowledged):
            tally.check(False, f"killed {death}: {wrong}")
    tally.seen["commands acknowledged since the last new folder"] = len(acknowledged)
    place.cleanup()
    return tally


def lost_or_twice(path: Path, acknowledged: dict[str, tuple[str, int]]) -> list[str]:
    """What is not as it was acknowledged, a sentence each: every command whole, once, with its answer."""
    try:
        with JournalReader.open(path) as journal:
            wrong = []
            for table in TABLES:
                entries, chain = journal.record(table)
                commands = [entry.command for entry in entries]
                if chain.wrong or [entry.seq for entry in entries] != list(range(1, len(entries) + 1)):
                    wrong.append(f"the record of {table} is not whole: {chain.wrong}")
                if commands[::2] != commands[1::2] or len(set(commands)) * 2 != len(commands):
                    wrong.append(f"a command of {table} is there by half, or twice")
                missing = {one for one, (of, _) in acknowledged.items() if of == table} - set(commands)
                wrong += [f"command {one} of {table} was acknowledged and is lost" for one in missing]
            for command, (_, seq) in acknowledged.items():
                outcome = journal.outcome_of(command)
                if outcome is None or outcome.body != f'{{"seq":{seq}}}'.encode():
                    wrong.append(f"command {command} has lost its answer")
            return wrong
    except Complaint as told:
        # Killed while the file was made for the first time: there is nothing that could have been acknowledged.
        return [f"the journal cannot be read: {told}"] if acknowledged else []


def of_the_hall(count: int, minutes: float, seed: int) -> Tally:
    """Kill a hall while its game is played; then the record is replayed, and every command is sent again."""
    tally, chance = Tally("kill of the hall"), random.Random(seed)
    known = Known()
    place = tempfile.TemporaryDirectory()
    for number in tally.trials(count, minutes):
        if number % KILLS_A_FOLDER == 0:
            place.cleanup()
            place, known = tempfile.TemporaryDirectory(), Known()
        folder = Path(place.name) / "data"
        journal = folder / "journal.sqlite"
        size = journal.stat().st_size if journal.exists() else 0
        death = drawn_death(chance, LONGEST_LIFE_OF_A_HALL_S, size + 600_000)
        again = random.Random(chance.random())
        ended = forked(lambda say, f=folder, k=known, a=again: asyncio.run(play_on(f, k, a, say)), death)  # type: ignore[misc]
        died_as_asked(tally, ended)
        known.take(ended.said)
        looked = forked(lambda say, f=folder, k=known: asyncio.run(kept(f, k, say)), Death())  # type: ignore[misc]
        tally.check(looked.status == 0, looked.how)
        for line in looked.said:
            tally.check(not line.startswith("wrong "), f"killed {death}: {line}")
    tally.seen["commands answered since the last new folder"] = len(known.answered)
    tally.seen["messages told since then"] = sum(map(len, known.told.values()))
    place.cleanup()
    return tally
