"""Who writes pieces with capitals says so once on the device, and is not asked which of two a small letter means."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from server.game.values.words import Seat
from tests.browser.test_pages import opened
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


async def test_small_letters_are_files_where_the_player_said_so(house: House, browser: Browser) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    async with opened(browser, house, player) as watched:
        page = watched.page
        await page.locator("#field").fill("bxc5")
        await page.keyboard.press("Enter")
        await expect(page.locator("#last")).to_contain_text("Läufer")  # bishop or pawn: the player is asked
        assert not house.table.state.moves.plies or house.table.state.moves.plies[0].announcement is None
        await page.locator("summary[data-t=settings]").click()
        await page.locator("#capitals").check()
        await page.reload()  # the device keeps it
        await page.locator("header .state", has_text="Connected").wait_for()
        await page.locator("#field").fill("bxc5")
        await page.keyboard.press("Enter")
        said = (await desk.until(event="announced"))["message"]["event"]["speech"]["announcement"]
        assert (said["from_square"], said["to_square"]) == ("b4", "c5")
