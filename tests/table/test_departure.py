"""When bytes leave for players: at a fixed instant after their command came, whatever the position (12.6, 11.3.1)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from aiohttp import web

from server.game import acts as cmd
from server.game.acts import Command
from server.game.values.words import Seat, SeatKind
from server.journal.entry import Entry
from server.journal.entry import Outcome as KeptOutcome
from server.machine.clock import ScriptedClock
from server.protocol import Beat, Greeted, Outgoing
from server.table.departure import Departures, instant_of
from server.web.sockets.heartbeat import Heartbeat
from server.web.sockets.line import Line
from tests.game.core_table import said
from tests.table.open_hall import Ear, Played, played, turn
from tests.waiting import PATIENCE_S, idle
from tests.web.open_house import open_house

AFTER_MS = 15
MS_PER_EVENT = 1
KNIGHT = {
    "legal": "4k3/8/8/8/8/8/3N4/4K2R w - - 0 1",
    "pinned": "4k3/8/8/8/1b6/8/3N4/4K2R w - - 0 1",
    "ambiguous": "4k3/8/8/8/8/8/3N4/4K1NR w - - 0 1",
}
"""What "knight f3" may be; the words are the same."""
MOVE = cmd.Say(announcement=said("Nf3"))
ACTS: dict[str, tuple[Sequence[tuple[str, cmd.StationAct]], str, cmd.StationAct]] = {
    "press": ([("white", MOVE)], "white", cmd.Press()),
    "echo": ([("white", MOVE), ("white", cmd.Press())], "black", MOVE),
    "offer": ([("white", MOVE)], "white", cmd.OfferDraw()),
    "claim": ([], "white", cmd.ClaimDraw(kind="fifty_moves", intended=MOVE.announcement)),
}
"""What goes before, and then the act that is measured."""


class TimedEar(Ear):
    """A line that notes when each message leaves on it."""

    def __init__(self, game: Played) -> None:
        super().__init__()
        self.game, self.at = game, list[int]()

    def __call__(self, outgoing: Outgoing) -> None:
        super().__call__(outgoing)
        self.at.append(self.game.clock.mono_ms())

    def left(self, since: int) -> list[tuple[int, bytes]]:
        """Each message after the greeting, with when it left (ms since then)."""
        lines = [msgspec.json.encode(one) for one in self.received]
        return [(at - since, line) for at, line in zip(self.at, lines, strict=True)][1:]


def slow_disk(game: Played) -> None:
    """Each event costs the table a millisecond: more of them, for whatever reason, take more time."""
    journal = game.table._journal
    append = journal.append

    async def slowly(entries: Sequence[Entry], outcome: KeptOutcome | None = None) -> None:
        await append(entries, outcome)
        game.clock.advance(MS_PER_EVENT * len(entries))

    journal.append = slowly  # type: ignore[method-assign]


def hold_back(game: Played) -> Departures:
    """From now on players are answered at the fixed instant, as on a server in real time."""
    departures = game.table._departures
    departures.at_once, departures._after_ms = False, AFTER_MS
    return departures


async def carried_out(game: Played, station: str, body: cmd.StationAct, departures: Departures) -> None:
    """Give the command, and let time go by a millisecond at a time until it is answered."""
    doing = asyncio.create_task(game.done(station, body))
    while not doing.done():
        await turn(lambda: doing.done() or bool(departures._waiting))
        game.clock.advance(1)
        await idle()  # each task that slept until now wakes, and tells
    await doing


async def left(folder: Path, fen: str, act: str, *, at_once: bool = False) -> dict[str, list[tuple[int, bytes]]]:
    """When what left for each station after the act."""
    before, station, body = ACTS[act]
    async with played(folder, fen=fen, black=SeatKind.SIGHTED) as game:
        for one, earlier in before:
            await game.done(one, earlier)
        await game.told()
        game.table.teller.use(None)  # what is spoken comes when the disk has taken it, and is not measured here
        ears = {}
        for name in ("white", "black", "arbiter"):
            ears[name] = game.ears[name] = TimedEar(game)
            game.table.attach(name, 2**53, ears[name])
        slow_disk(game)
        begun = game.clock.mono_ms()
        if at_once:
            await game.done(station, body)
        else:
            await carried_out(game, station, body, hold_back(game))
        return {name: ear.left(begun) for name, ear in ears.items()}


@pytest.mark.law("L141")
@pytest.mark.parametrize("act", list(ACTS))
async def test_the_same_bytes_leave_at_the_same_instants_in_every_position(tmp_path: Path, act: str) -> None:
    found = {}
    for name in ("legal", "pinned", "ambiguous"):
        found[name] = await left(tmp_path / name, KNIGHT[name], act)
        assert {at for at, _ in found[name]["white"] + found[name]["black"]} == {AFTER_MS}, "all of it together"
    for name, one in found.items():
        assert (one["white"], one["black"]) == (found["legal"]["white"], found["legal"]["black"]), name
    assert {at for at, _ in found["pinned"]["arbiter"]} < {*range(AFTER_MS)}, "the arbiter is told without delay"


@pytest.mark.law("L141")
async def test_told_at_once_a_press_would_tell_by_its_time(tmp_path: Path) -> None:
    """The measure can fail: without the instant more events for the arbiter are a later answer for the player."""
    took = {name: (await left(tmp_path / name, KNIGHT[name], "press", at_once=True))["white"][-1][0] for name in KNIGHT}
    assert took["legal"] < took["pinned"]


@pytest.mark.law("L052")
async def test_a_command_has_the_time_at_which_it_came_but_never_one_before_the_last_event(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.SIGHTED) as game:
        await game.done("white", MOVE)
        said_at = game.clock.mono_ms()
        came, late = game.table.arrival(), game.table.arrival()
        game.clock.advance(7)
        for arrival in (came, late):
            command = Command(id=game.id(), table=game.table.id, station="white", body=cmd.Press())
            assert (await game.table.submit(command, arrival)).outcome.ok
            game.clock.advance(7)
            await game.done("black", MOVE)
        times = [entry.mono_ms - said_at for entry in await game.hall.journal.read(game.table.id)]
        assert times == sorted(times) and times[-1] == 21
        pressed = [one.mono_ms - said_at for one in await game.hall.journal.read(game.table.id) if "press" in one.kind]
        assert pressed == [0, 14], "its own arrival; and that of the echo, which is on record before it"


@pytest.mark.law("L052")
async def test_a_press_does_not_wait_for_the_answer_to_what_the_same_line_said_before_it(tmp_path: Path) -> None:
    clock = ScriptedClock()
    async with open_house(tmp_path / "data", clock, answer_after_ms=AFTER_MS) as house:
        player = await house.station("tactile", Seat.WHITE)
        desk, hand = await (await house.arbiter()).line(), await player.line()
        assert (await desk.do({"do": "start_game"}))["outcome"]["ok"]
        clock.advance(AFTER_MS)
        began = clock.mono_ms()
        await hand.send({"kind": "typed", "id": "a" * 32, "text": "Bauer Eva vier"})
        await desk.until(event="announced")
        clock.advance(4)
        await hand.send({"kind": "do", "id": "b" * 32, "body": {"do": "press"}})
        await desk.until(event="clock_pressed")  # and the first command is still to be answered, as no time goes by
        times = {entry.kind: entry.mono_ms - began for entry in await house.hall.journal.read("demo")}
        assert (times["announced"], times["clock_pressed"]) == (0, 4)
        for _ in range(2):
            clock.advance(AFTER_MS)
        for id in ("a" * 32, "b" * 32):
            assert (await hand.until(kind="outcome", id=id))["outcome"]["ok"], "answered in the order of the commands"


async def test_who_says_hello_before_the_instant_is_shown_nothing_of_the_command(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.SIGHTED) as game:
        await game.done("white", MOVE)
        departures = hold_back(game)
        pressing = asyncio.create_task(game.done("white", cmd.Press()))
        await turn(lambda: bool(departures._waiting))
        early, arbiter = Ear(), Ear()
        game.table.attach("black", 2**53, early)
        game.table.attach("arbiter", 2**53, arbiter)
        (shown,), (known,) = early.received, arbiter.received
        assert isinstance(shown, Greeted) and isinstance(known, Greeted)
        assert shown.greeting.clock is not None and shown.greeting.clock.running == "white"
        assert known.greeting.picture is not None and known.greeting.picture.running == "black"
        game.clock.advance(AFTER_MS)
        await pressing
        assert len(early.numbers) == len(game.ears["black"].numbers[shown.n :]) > 0, "each message once"
        assert early.numbers[0] == shown.n + 1


class Beaten(Line):
    """A line of which the test keeps what is sent."""

    def __init__(self) -> None:
        super().__init__(web.WebSocketResponse())
        self.sent: list[Outgoing] = []

    def send(self, outgoing: Outgoing) -> None:
        self.sent.append(outgoing)


async def test_a_beat_before_the_instant_tells_nothing_of_the_command(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.SIGHTED) as game:
        await game.done("white", MOVE)
        departures, beating, line = hold_back(game), Heartbeat(game.hall), Beaten()
        beating.add(line, game.table, "black")
        pressing = asyncio.create_task(game.done("white", cmd.Press()))
        await turn(lambda: bool(departures._waiting))
        beating.beat()
        game.clock.advance(AFTER_MS)
        await pressing
        beating.beat()
        held = [one.held for one in line.sent if isinstance(one, Beat)]
        assert [one.running for one in held if one is not None] == ["white", "black"]


async def test_a_table_that_closes_answers_what_it_held_back(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        departures = hold_back(game)
        saying = asyncio.create_task(game.done("white", MOVE))
        await turn(lambda: bool(departures._waiting))
        await game.table.close()
        await asyncio.wait_for(saying, PATIENCE_S)


def test_work_that_overran_is_answered_at_the_next_multiple() -> None:
    assert [instant_of(100, now, 15) for now in (100, 113, 114, 128, 130, 250)] == [115, 115, 130, 130, 145, 265]
