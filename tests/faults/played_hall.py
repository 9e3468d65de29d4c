"""A hall whose game goes on at random in a process that may die at any moment, and what must be there afterwards."""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from itertools import groupby
from pathlib import Path
from typing import Any

import chess
import msgspec

from server.game import acts as cmd
from server.game.acts import AnyEvent, Command
from server.game.game import Game
from server.game.values.time_control import TimeControl
from server.game.values.words import SeatKind, SeatPlan
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.protocol import Numbered, Outcome, Outgoing
from tests.faults.dying import Say
from tests.table.open_hall import STATIONS, Ear, reopened

TABLE = "t1"
SENT_AGAIN = 20
"""So many of the commands answered last are sent again after a kill, beside all that were never answered."""
BEGUN = (
    (f"{1:032x}", "arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore")),
    (f"{2:032x}", "arbiter", cmd.StartGame()),
)


class Known:
    """What the outside knows of the hall: what was sent, what was answered, what was told to whom."""

    def __init__(self) -> None:
        self.sent: dict[str, tuple[str, cmd.StationAct]] = {}
        self.answered: dict[str, str] = {}
        self.told: dict[str, dict[int, str]] = defaultdict(dict)

    def take(self, said: tuple[str, ...]) -> None:
        """Learn from what the process said before it died."""
        for line in said:
            kind, *rest = line.split(" ", 3)
            if kind == "sent":
                self.sent[rest[0]] = (rest[1], msgspec.json.decode(rest[2], type=cmd.StationAct))
            elif kind == "answered":
                self.answered[rest[0]] = rest[1]
            elif kind == "told":
                self.told[rest[0]][int(rest[1])] = rest[2]


def digest(outgoing: Outgoing) -> str:
    """The bytes of a message; of the arbiter's pictures only the newest is kept, so it does not count."""
    if isinstance(outgoing, Numbered) and getattr(outgoing.message, "picture", None) is not None:
        outgoing = msgspec.structs.replace(outgoing, message=msgspec.structs.replace(outgoing.message, picture=None))
    if isinstance(outgoing, Numbered):
        outgoing = msgspec.structs.replace(outgoing, lines=())  # the newest messages alone have these
    return hashlib.sha256(msgspec.json.encode(outgoing)).hexdigest()[:16]


async def opened(hall: Hall, name: str = TABLE) -> LiveTable:
    """The table with its stations, whatever of that a kill left to do."""
    table = hall.tables.get(name)
    if table is None:
        plan = SeatPlan(SeatKind.SIGHTED, language="en")
        body = cmd.OpenTable(white=plan, black=plan, control=TimeControl.parse("5400+30"), start_fen=chess.STARTING_FEN)
        table = await hall.open_table(body, name)
    for station in STATIONS:
        if table.state.stations.find(station.id) is None:
            assert (await table.admit(station)).outcome.ok
    for id, station_name, act in BEGUN:
        assert (await sent(table, id if name == TABLE else id.replace("0", "a"), station_name, act)).outcome.ok
    return table


async def sent(table: LiveTable, id: str, station: str, body: cmd.StationAct) -> Outcome:
    """A command over the wire."""
    return await table.submit(Command(id=id, table=table.id, station=station, body=body))


async def play_on(folder: Path, known: Known, chance: random.Random, say: Say) -> None:
    """Take the table up and play at random until killed, saying what is sent, answered and told as it happens."""
    async with reopened(folder) as (hall, clock):
        table = await opened(hall)
        for station in STATIONS:

            def tell(outgoing: Outgoing, name: str = station.id) -> None:
                if isinstance(outgoing, Numbered):
                    say(f"told {name} {outgoing.n} {digest(outgoing)}")

            table.attach(station.id, max(known.told[station.id], default=0), tell)
        while True:
            id = f"{chance.getrandbits(128):032x}"
            name, body = drawn_act(table, chance)
            say(f"sent {id} {name} {msgspec.json.encode(body).decode()}")
            outcome = await sent(table, id, name, body)
            say(f"answered {id} {_packed(outcome)}")
            clock.advance(chance.choice((0, 200, 1_500)))


def drawn_act(table: LiveTable, chance: random.Random) -> tuple[str, cmd.StationAct]:
    """Something that happens in a game: most often a legal move, its score, its press."""
    seat = table.state.on_move
    board = table.state.board_of(seat).position.board()
    moves = list(board.legal_moves)
    ply = table.state.made_plies // 2 + 1
    if table.state.time.clock.running is None and chance.random() < 0.5:
        return "arbiter", cmd.Resume()
    acts: list[tuple[str, cmd.StationAct]] = [
        (seat.value, cmd.Press()),
        (seat.other.value, cmd.Execute()),
        (seat.value, cmd.WriteScore(index=min(ply, 300), text=chance.choice(("e4", "Nf3", "O-O")))),
        (chance.choice(("white", "black")), cmd.Ask(what="time")),
        ("arbiter", cmd.Pause(reason="")),
        ("arbiter", cmd.Resume()),
    ]
    if moves:
        acts += [(seat.value, cmd.EnterMove(uci=chance.choice(moves).uci()))] * 3
    return chance.choice(acts)


async def kept(folder: Path, known: Known, say: Say) -> None:
    """Take the table up once more and say `wrong ...` of whatever is not as it was told before."""
    async with reopened(folder) as (hall, _):
        for name, found in hall.shut.items():
            say(f"wrong table {name} is shut: {found}")
        table = hall.tables.get(TABLE)
        if table is None:
            if known.answered or known.told:
                say("wrong the table is lost")
            return
        for wrong in await _wrong_with(table, hall, known):
            say(f"wrong {wrong}")


async def _wrong_with(table: LiveTable, hall: Hall, known: Known) -> list[str]:
    wrong = []
    for name, told in known.told.items():
        ear = Ear()
        table.attach(name, 0, ear)
        now = {one.n: digest(one) for one in ear.received if isinstance(one, Numbered)}
        changed = [n for n, one in told.items() if now.get(n) != one]
        wrong += [f"{name} was told message {n}, and it is another one now" for n in changed]
    entries, chain = await hall.journal.record(TABLE)
    if chain.wrong:
        wrong.append(chain.wrong)
    events = [msgspec.json.decode(entry.body, type=AnyEvent) for entry in entries]
    if Game.replay(events) != table.state:
        wrong.append("the replay is another state")
    blocks = Counter(command for command, _ in groupby(entry.command for entry in entries) if command)
    repeated = [one for one, times in blocks.items() if times > 1]
    wrong += [f"command {one} was done twice" for one in repeated]
    done, before = {entry.command for entry in entries}, table.seq
    for id, outcome in list(known.answered.items())[-SENT_AGAIN:]:
        name, body = known.sent[id]
        if _packed(await sent(table, id, name, body)) != outcome:
            wrong.append(f"command {id} is answered otherwise than before")
    for id, (name, body) in known.sent.items():
        if id not in known.answered and id in done:
            await sent(table, id, name, body)
    if table.seq != before:
        wrong.append("a command that had been carried out was carried out again")
    return wrong


def _packed(outcome: Outcome) -> str:
    return hashlib.sha256(msgspec.json.encode(outcome)).hexdigest()[:16]


def record_of(table: LiveTable) -> dict[str, Any]:
    """What stations are shown of a table, for comparing two runs."""
    shown = {}
    for station in STATIONS:
        ear = Ear()
        table.attach(station.id, 0, ear)
        shown[station.id] = [digest(one) for one in ear.received if isinstance(one, Numbered)]
    return shown
