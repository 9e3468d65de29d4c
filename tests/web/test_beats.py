"""The server's heartbeat: who asked gets it, answers count for the arbiter, held times are those of a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from server.game.values.words import Duty, Role, Seat, Station
from server.game.views.held_times import HeldTimes, held_times
from server.machine.clock import ScriptedClock
from server.protocol import Beat, Outgoing
from server.web.sockets.heartbeat import HEARTBEAT, Heartbeat
from tests.web.open_house import House, TestLine, Visitor
from tests.web.test_all_tables import open_tables


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.sockets.heartbeat.BEAT_S", 0.05)


async def beaten(visitor: Visitor) -> TestLine:
    """A line that asked for beats."""
    line = await visitor.line(after=None)
    await line.send({"kind": "hello", "after": 0, "beats": True})
    await line.until(kind="greeting")
    return line


async def lines_of(desk: TestLine, wanted: int) -> list[dict[str, Any]]:
    """The stations as the arbiter is shown them, once so many have answered or are away."""
    while True:
        said = await desk.next()
        if said["kind"] == "beat" and said["ask"]:
            await desk.send({"kind": "beat", "n": said["n"]})
        if said["kind"] == "lines" and len(said["lines"]) == wanted:
            return list(said["lines"])


async def test_only_who_asked_is_beaten_and_the_answer_is_shown_to_the_arbiter(house: House) -> None:
    desk = await beaten(await house.arbiter())
    player = await house.station("tactile", Seat.WHITE)
    white = await beaten(player)
    plain = await (await house.station("sighted", Seat.BLACK)).line()
    while True:
        said = await white.next()
        if said["kind"] == "beat" and said["ask"]:
            break
    assert said["held"] is None  # the game has not started
    await white.send({"kind": "beat", "n": said["n"] + 100})  # no such beat
    await white.send({"kind": "beat", "n": said["n"]})
    shown = {one["role"]: one for one in await lines_of(desk, 2)}
    assert shown["player"]["seat"] == "white" and 0 <= shown["player"]["ms"] < 5_000
    with pytest.raises(asyncio.TimeoutError):
        async with asyncio.timeout(0.3):
            while True:
                assert (await plain.next())["kind"] != "beat"
    await white.socket.close()
    while (shown := {one["role"]: one for one in await lines_of(desk, 2)})["player"]["ms"] is not None:
        pass
    again = await beaten(player)
    while (shown := {one["role"]: one for one in await lines_of(desk, 2)})["player"]["ms"] is None:
        pass
    for line in (desk, again, plain):
        await line.socket.close()


async def test_a_station_that_is_connected_and_silent_is_shown_as_away(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.web.sockets.heartbeat.SILENT_S", 0.0)
    desk = await beaten(await house.arbiter())
    silent = await beaten(await house.station("display", None))
    while True:
        shown = {one["role"]: one["ms"] for one in await lines_of(desk, 2)}
        if shown["display"] is None:
            break
    for line in (desk, silent):
        await line.socket.close()


async def test_what_a_station_holds_is_what_a_restart_would_find(
    scripted_house: House, scripted: ScriptedClock, tmp_path: Path
) -> None:
    house = scripted_house
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    stations = {
        "white": await house.station("tactile", Seat.WHITE),
        "assistant": await house.station("assistant", Seat.WHITE, *Duty),
        "display": await house.station("display", None),
    }
    state = house.table.state
    began = state.time.clock.since
    assert began is not None
    for role, shown in (
        (Role.PLAYER, HeldTimes(5_430_000 - 7_000, 5_430_000, Seat.WHITE, press=1)),
        (Role.ASSISTANT, HeldTimes(5_430_000 - 7_000, 5_430_000, Seat.WHITE)),
        (Role.ARBITER, HeldTimes(5_430_000 - 7_000, 5_430_000, Seat.WHITE)),
        (Role.DISPLAY, None),
    ):
        (station,) = [one for one in state.stations.admitted if one.role is role][:1]
        assert held_times(state, station, began + 7_000) == shown
    station = next(one for one in state.stations.admitted if one.role is Role.PLAYER)
    # A press that is newer than the last witness is on disk too.
    assert held_times(state, station, began - 500) == HeldTimes(5_430_000, 5_430_000, Seat.WHITE, press=1)
    assert house.app[HEARTBEAT].lines_seen(house.table).lines == ()
    await desk.do({"do": "rule_result", "result": "1-0", "reason": "", "article": "5.1.1"})
    assert held_times(house.table.state, station, began + 9_000) is None
    assert len(stations) == 3


async def test_phrases_for_a_page_are_sound_or_nothing_yet(house: House) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{house.base}/phrase/connection_lost-de") as answer:
            assert answer.status == 204  # no voice in this house
        async with session.get(f"{house.base}/phrase/chess960_castling-hy") as answer:
            assert answer.status == 204
        async with session.get(f"{house.base}/phrase/secret_plan-de") as answer:
            assert answer.status == 404
        async with session.get(f"{house.base}/phrase/connection_lost-xx") as answer:
            assert answer.status == 404


async def test_a_round_of_beats_is_sent_table_by_table_and_leaves_room_in_between(house: House) -> None:
    await open_tables(house, *(f"t{number}" for number in range(3)))
    beating, sent = Heartbeat(house.hall), list[str]()

    class Kept:
        """A line of a table's arbiter that notes when it is beaten."""

        waiting = False

        def __init__(self, table: str) -> None:
            self.table = table

        def send(self, outgoing: Outgoing) -> None:
            if isinstance(outgoing, Beat):
                sent.append(self.table)

    for name, table in house.hall.tables.items():
        await table.admit(Station("arbiter", Role.ARBITER))
        for _ in range(2):
            beating.add(Kept(name), table, "arbiter")  # type: ignore[arg-type]
    shares = [(share, len(sent)) for share in beating._round()]
    assert shares == [(0.25, 2), (0.5, 4), (0.75, 6), (1.0, 8)]
    assert sorted(sent) == sorted(name for name in house.hall.tables for _ in range(2))
