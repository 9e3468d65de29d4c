"""The arbiter's list of stations has the sensing boards of the table, whether each can be heard, and what it misses."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, expect

from server.boards.boards import BoardSettings
from server.game.values.words import Seat
from server.web.keys import BOARDS
from tests.boards.simulated_boards import SimulatedDgt
from tests.browser.test_pages import opened, violations
from tests.web.open_house import House


async def test_the_arbiter_reads_what_each_board_cannot_tell(house: House, browser: Browser, tmp_path: Path) -> None:
    board = SimulatedDgt(tmp_path / "dgt")
    board.plug_in()
    pegged = BoardSettings(name="pegged", table="demo", seat=Seat.WHITE, driver="bridge", occupancy=True)
    dgt = BoardSettings(name="black", table="demo", seat=Seat.BLACK, driver="dgt", port=str(board.port))
    for settings in (pegged, dgt):
        house.app[BOARDS].watch(settings, house.table)
    async with opened(browser, house, await house.arbiter()) as watched:
        page = watched.page
        await expect(page.locator("#stations")).to_contain_text(
            "White's board: the board is connected; it reports on which square a piece is, not which piece it is or "
            "whose hand moved it; for a promotion the announced piece counts (pegged, bridge)"
        )
        line = page.locator("#stations li", has_text="(black, dgt)")
        await expect(line).to_contain_text(
            "Black's board: the board is connected; it reports which piece is on which square"
        )
        board.pull_out()
        await expect(line).to_contain_text("Black's board: the board cannot be reached; it reports which piece")
        assert await line.get_by_role("button").count() == 0, "a board is no device to be sent away"
        assert await violations(page) == []
        await page.locator("#language").select_option("de")
        await expect(line).to_contain_text("Brett von Schwarz: das Brett ist nicht erreichbar; es meldet, welche")
    status, listed = await (await house.arbiter()).get("/api/stations")
    assert status == 200 and [one["driver"] for one in listed["boards"]] == ["bridge", "dgt"]
    for kind, seat in (("tactile", Seat.WHITE), ("sighted", Seat.BLACK)):
        assert (await (await house.station(kind, seat)).get("/api/stations"))[0] == 403, "for the arbiter alone"
