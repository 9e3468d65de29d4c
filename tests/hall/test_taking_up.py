"""After a restart a hall serves before all its tables are taken up; none of them is the worse for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from server.game.values.words import Seat
from server.journal.admissions import Admission, new_token
from server.journal.chain import Chain
from server.journal.entry import Entry
from server.journal.failure import NoAnswer
from server.journal.journal import Journal
from server.machine.clock import ScriptedClock
from tests.hall.test_damaged_record import alerts_at, open_table
from tests.journal.conftest import tampered
from tests.table.open_hall import reopened
from tests.waiting import until
from tests.web.open_house import open_house
from tests.web.test_all_tables import hall_arbiter, open_tables

NAMES = ("t1", "t2", "t3")


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], asyncio.Event]:
    """`gate(name)` keeps the record of a table from being read until its event is set."""
    shut: dict[str, asyncio.Event] = {}
    record = Journal.record

    async def waits(journal: Journal, table: str) -> tuple[list[Entry], Chain]:
        if table in shut:
            await shut[table].wait()
        return await record(journal, table)

    monkeypatch.setattr(Journal, "record", waits)
    return lambda name: shut.setdefault(name, asyncio.Event())


async def three_games(folder: Path) -> int:
    """Three tables whose clocks run, and the wall time (ms) of the last sign of life; t2 was played at last."""
    async with reopened(folder) as (hall, clock):
        for name in ("t1", "t3", "t2"):
            clock.advance(1_000)
            await open_table(hall, name)
            await hall.admissions.admit(new_token(), Admission(name, "arbiter", "arbiter", "", (), 0))
        return clock.wall_ms()


async def test_a_table_that_is_asked_for_comes_next_and_its_clock_stands_at_the_last_witness(
    tmp_path: Path, gate: Callable[[str], asyncio.Event]
) -> None:
    wall = await three_games(tmp_path)
    first = gate("t2")
    async with reopened(tmp_path, ScriptedClock(wall_ms=wall + 60_000), serves_within_ms=0) as (hall, clock):
        assert not hall.tables and hall.waiting == ("t2", "t3", "t1") and hall.has("t1")
        asked = asyncio.create_task(hall.wait_for("t1", "never heard of"))
        await asyncio.sleep(0)
        clock.advance(5_000)  # a table that waits loses no time
        first.set()
        await asked
        assert list(hall.tables) == ["t2", "t1"]
        await hall.wait_for_all()
        await hall.wait_for("t1")  # at once: it is there
        assert hall.waiting == () and not hall.shut
        for name in NAMES:
            state = hall.tables[name].state
            assert state.time.clock.running is None
            left = state.time.clock.reading(clock.mono_ms()).white_ms
            assert left is not None and left >= 600_000 - 2_000, "the clock stands where it was seen last"


async def test_a_changed_table_is_found_while_the_hall_serves(tmp_path: Path) -> None:
    await three_games(tmp_path)
    tampered(tmp_path / "journal.sqlite", "UPDATE events SET body = x'7b22' WHERE \"table\" = 't1' AND seq = 2")
    async with reopened(tmp_path, serves_within_ms=0) as (hall, _):
        assert hall.waiting
        await hall.wait_for("t1")
        assert "event 2 was changed" in hall.shut["t1"]
        await hall.wait_for_all()
        await until(lambda: any("Table t1 is shut" in one for one in alerts_at(hall, "t3")))
        assert set(hall.tables) == {"t2", "t3"}


async def test_a_database_that_falls_silent_meanwhile_shuts_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await three_games(tmp_path)
    record, answers = Journal.record, asyncio.Event()
    asked = asyncio.Event()

    async def silent(journal: Journal, table: str) -> tuple[list[Entry], Chain]:
        if table == "t1" and not answers.is_set():
            asked.set()
            raise NoAnswer("The database of the record does not answer.")
        return await record(journal, table)

    monkeypatch.setattr(Journal, "record", silent)
    async with reopened(tmp_path, serves_within_ms=0) as (hall, clock):
        await asked.wait()
        await until(lambda: any("wait to be taken up" in one for one in alerts_at(hall, "t2")))
        answers.set()
        clock.advance(2_000)
        await hall.wait_for_all()
        assert set(hall.tables) == set(NAMES) and not hall.shut


async def test_a_browser_waits_for_its_table_and_not_for_the_others(
    tmp_path: Path, gate: Callable[[str], asyncio.Event]
) -> None:
    async with open_house(tmp_path) as first:
        await open_tables(first, "r1-b1")
        chief, player = await hall_arbiter(first), await first.station("tactile", Seat.WHITE)
        kept = [{one.key: one.value for one in visitor.session.cookie_jar} for visitor in (chief, player)]
    gates = [gate("demo"), gate("r1-b1")]
    async with open_house(tmp_path, serves_within_ms=0) as second:
        visitors = [second.visitor() for _ in kept]
        for visitor, cookies in zip(visitors, kept, strict=True):
            visitor.session.cookie_jar.update_cookies(cookies)
        spectating = asyncio.create_task(visitors[1].get("/api/hall"))
        status, said = await visitors[0].get("/api/overview")
        assert (status, said["tables"], said["to_come"]) == (200, [], 2)
        for one in gates:
            one.set()
        status, said = await spectating
        assert (status, said["code"]) == (403, "players_stay_out"), "a restart is no way round the rule for players"
        await (await visitors[0].line("/ws?page=arbiter&table=r1-b1")).socket.close()
        assert [line["table"] for line in (await visitors[0].get("/api/overview"))[1]["tables"]] == ["demo", "r1-b1"]
        assert (await visitors[0].get("/api/overview"))[1]["to_come"] == 0
