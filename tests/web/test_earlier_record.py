"""A device of the arbiter that is admitted in mid-game is told what was recorded before it came, page by page."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game.values.words import Seat
from tests.web.open_house import House, Visitor


async def all_pages(visitor: Visitor) -> tuple[list[Any], int]:
    """Every event, the oldest first, and how many pages they took."""
    events: list[Any] = []
    pages, before = 0, ""
    while True:
        status, found = await visitor.get(f"/api/record{before}")
        assert status == 200 and len(found["events"]) <= 200
        events += [one["event"] for one in found["events"]]
        pages += 1
        if not found["before"]:
            return events[::-1], pages
        before = f"?before={found['before']}"


@pytest.mark.law("L092")
async def test_the_record_before_it_came_and_its_line_after_that_are_the_whole_record(house: House) -> None:
    first = await house.arbiter()
    desk = await first.line()
    player = await house.station("tactile", Seat.WHITE)
    hand = await player.line()
    await desk.do({"do": "start_game"})
    await hand.type("Bauer Eva vier")
    await hand.do({"do": "press"})
    for number in range(230):
        await house.table.own(house.table.program_command(cmd.NoteFault(text=f"fault {number}")))
    sealed = cmd.ReportTouch(seat=Seat.BLACK, square="e7", how="touched", piece=None, origin="sensed")
    await house.table.own(house.table.program_command(sealed))
    late = await house.arbiter()
    line = await late.line()
    await desk.do({"do": "pause", "reason": "a test"})
    told = []
    while not told or told[-1]["event"] != "clock_paused":
        said = await line.next()
        if said["kind"] == "message" and said["message"]["type"] == "recorded":
            told.append(said["message"]["event"])
    earlier, pages = await all_pages(late)
    assert pages == 2
    envelopes = await house.hall.journal.read("demo")
    assert any(b'"sealed":true' in one.body for one in envelopes)
    record = [one.kind for one in envelopes]
    hidden = [one for one in earlier if one["event"] == "touch_reported" and one["sealed"]]
    assert hidden == [], "sealed evidence is opened by the arbiter's order alone"
    found = [one["event"] for one in [*earlier, *told]]
    assert [one for one in record if one != "touch_reported"] == [one for one in found if one != "touch_reported"]
    assert "Bauer Eva vier" in [one.get("text") for one in earlier]


async def test_nobody_else_is_told_and_odd_pages_are_harmless(house: House) -> None:
    player, arbiter = await house.station("tactile", Seat.WHITE), await house.arbiter()
    assert (await player.get("/api/record"))[0] == 403
    assert (await house.visitor().get("/api/record"))[0] in (401, 403)
    for odd in ("-1", "x", "1" * 40, "0", "٣"):
        assert (await arbiter.get(f"/api/record?before={odd}"))[0] == 200
    assert (await arbiter.get("/api/record?before=1"))[1] == {"events": [], "before": 0}
