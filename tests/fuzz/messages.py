"""Messages of every registered act, whole and spoilt, on the lines of every role: nothing fails, replay holds."""

from __future__ import annotations

import asyncio
import logging
import random
import tempfile
from pathlib import Path

import msgspec

from server.game.acts import AnyEvent, StationAct
from server.game.decide.roles import why_refused
from server.game.game import Game
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.journal.admissions import Admission
from server.machine.clock import ScriptedClock
from server.protocol import Incoming, Numbered, Outcome, Outgoing, Wrong
from server.web.door.servers import OtherServers
from server.web.pace import Pace
from server.web.sockets.backup import Copying
from server.web.sockets.heartbeat import Heartbeat
from server.web.sockets.line import Line
from server.web.sockets.station import _Conversation
from tests.faults.played_hall import TABLE, opened
from tests.faults.tally import Tally, memory
from tests.fuzz.shapes import drawn, spoilt, type_of
from tests.table.open_hall import STATIONS, reopened

MESSAGES_A_HALL = 4_000
AT_ONCE = 40
SPOILT_SHARE = 0.3
FIT_SHARE = 0.7
ENDING = ("rule_result", "annul_game", "penalise", "resign", "rule_absence", "cancel_game")
"""Acts that end a game come once in a hall, as its last messages."""
FIRST = 100_000
GROWS_MB = 30.0
"""So much more than after the first hundred thousand messages the process may hold at the end."""


class Faulty(logging.Handler):
    """What the program logs as an error of its own."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.met: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the error with its cause."""
        cause = record.exc_info[1] if record.exc_info else None
        self.met.append(f"{record.getMessage()} {type(cause).__name__}: {cause}")


class KeptLine(Line):
    """A line whose messages are written out, as for a socket, and counted."""

    def __init__(self, tally: Tally) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self._tally = tally

    def send(self, outgoing: Outgoing) -> None:
        """Write it; what cannot be written breaks the run."""
        msgspec.json.encode(outgoing)
        if isinstance(outgoing, Outcome):
            self._tally.seen["done" if outgoing.outcome.ok else "refused"] += 1
            self._tally.check(outgoing.outcome.code not in ("fault", "not_recorded"), f"answered {outgoing}")
        elif isinstance(outgoing, Wrong):
            self._tally.seen["could not be read"] += 1
            self._tally.check("\n" not in outgoing.text and "Traceback" not in outgoing.text, outgoing.text)
        elif isinstance(outgoing, Numbered):
            self._tally.seen["told"] += 1


class Sender:
    """Draws messages: mostly acts, some of the rest of the protocol, and three of ten spoilt."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        kinds = type_of(Incoming)
        assert isinstance(kinds, msgspec.inspect.UnionType)
        self._do = next(one for one in kinds.types if getattr(one, "tag", "") == "do")
        self._kinds = kinds

    def message(self, table: LiveTable, *, ending: bool) -> tuple[str, str]:
        """Return a station and one text for its line; most acts come from a station that may give them."""
        kind = self._do if self._chance.random() < 0.8 else self._kinds
        said = drawn(kind, self._chance)
        if not ending and isinstance(said.get("body"), dict) and said["body"].get("do") in ENDING:
            said["body"] = {"do": "press"}
        station = self._chance.choice(STATIONS).id
        if "body" in said and self._chance.random() < FIT_SHARE:
            station = next((one for one in self._in_turn(table) if self._may(table, one, said["body"])), station)
        text = msgspec.json.encode(said).decode()
        return station, spoilt(text, self._chance) if self._chance.random() < SPOILT_SHARE else text

    def _in_turn(self, table: LiveTable) -> tuple[str, ...]:
        on_move = table.state.on_move
        return (on_move.value, on_move.other.value, "arbiter")

    def _may(self, table: LiveTable, station: str, body: object) -> bool:
        try:
            act = msgspec.convert(body, StationAct)
        except msgspec.ValidationError:
            return False
        return why_refused(table.state.stations.find(station), act) is None


def messages(count: int, minutes: float, seed: int) -> Tally:
    """So many messages, four thousand to a hall, forty at a time."""
    tally, faulty = Tally("message"), Faulty()
    logging.getLogger().addHandler(faulty)
    logging.getLogger().setLevel(logging.ERROR)
    chance = random.Random(seed)
    trials = tally.trials(count, minutes)
    levels: list[tuple[int, float]] = []
    try:
        while asyncio.run(_one_hall(tally, trials, chance)):
            levels.append((tally.tried, memory()))
            for one in faulty.met:
                tally.check(False, one)
            faulty.met.clear()
    finally:
        logging.getLogger().removeHandler(faulty)
    held = levels[-1][1] if levels else 0.0
    grown = held - next((level for number, level in levels if number >= FIRST), held)
    tally.seen[f"MB held at the end ({grown:+.0f})"] = round(held)
    tally.check(grown <= GROWS_MB, f"{grown:.0f} MB more than before")
    return tally


async def _one_hall(tally: Tally, trials: object, chance: random.Random) -> bool:
    """Play messages into one hall; whether there are more to come."""
    sender, more = Sender(chance), True
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        async with reopened(data) as (hall, clock):
            table = await opened(hall)
            conversations = {one.id: _conversation(hall, table, one.id, tally) for one in STATIONS}
            for one in conversations.values():
                await one._take('{"kind":"hello","after":0}', table.arrival())
            sent = 0
            while more and sent < MESSAGES_A_HALL:
                batch = []
                for _ in trials:  # type: ignore[attr-defined]
                    batch.append(sender.message(table, ending=sent > MESSAGES_A_HALL * 0.9))
                    if len(batch) == AT_ONCE:
                        break
                more = len(batch) == AT_ONCE
                sent += len(batch)
                results = await asyncio.gather(
                    *(conversations[station]._take(text, table.arrival()) for station, text in batch),
                    return_exceptions=True,
                )
                await asyncio.gather(*(one for talk in conversations.values() for one in tuple(talk._answering)))
                for (_, text), result in zip(batch, results, strict=True):
                    tally.check(result is None, f"{result!r} after {text[:300]}")
                clock.advance(chance.choice((0, 50, 900, 20_000)))
            for one in conversations.values():
                one.leave()
            await _replayed(tally, hall, table)
    return more


def _conversation(hall: Hall, table: LiveTable, station: str, tally: Tally) -> _Conversation:
    seat = station if station in ("white", "black") else ""
    admission = Admission(table.id, station, "sighted" if seat else station, seat, (), 0)
    pace = Pace(10**9, 1e9)
    line, others = KeptLine(tally), OtherServers(hall, ())
    return _Conversation(table, admission, line, hall.typing, Heartbeat(hall), Copying(hall), pace, others)


async def _replayed(tally: Tally, hall: Hall, table: LiveTable) -> None:
    """The record, read anew, is the game."""
    await table.teller.finish()
    before = table.state
    entries, chain = await hall.journal.record(TABLE)
    events = [msgspec.json.decode(entry.body, type=AnyEvent) for entry in entries]
    same = Game.replay(events) == before or table.state is not before
    tally.check(not chain.wrong and same, f"the replay of {len(events)} events is another game {chain.wrong}")
    assert isinstance(hall.clock, ScriptedClock)
