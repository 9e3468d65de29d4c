"""Two buttons at one device of the table: learnt by pressing each once, then the clock of both players (L049)."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from server.game.values.words import Seat
from tests.browser.test_pages import opened, violations
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.law("L049")
async def test_a_sighted_player_with_no_station_presses_a_button(house: House, browser: Browser) -> None:
    arbiter = await house.arbiter()
    white = await house.station("tactile", Seat.WHITE)
    device = await house.station("display", None)
    line = await arbiter.line()
    async with opened(browser, house, arbiter) as desk, opened(browser, house, device) as table:
        await desk.page.locator("summary", has_text="Two clock buttons").press("Enter")
        await desk.page.get_by_label("Location").select_option("display")
        await desk.page.get_by_role("button", name="Set up buttons").press("Enter")
        page = table.page
        await page.locator("#press-keys", has_text="White's button").wait_for()
        await page.keyboard.press("F11")
        await page.locator("#press-keys", has_text="Black's button").wait_for()
        await page.keyboard.press("F11")
        await page.keyboard.press("NumpadAdd")
        await page.locator("#press-keys", has_text="F11 presses the clock for White, NumpadAdd for Black").wait_for()
        assert await violations(page) == []
        await line.do({"do": "start_game"})
        told = await white.line()
        await told.type("Bauer Eva vier")
        await page.keyboard.press("F11")
        await line.until(event="completed", ply=1)
        await page.keyboard.down("NumpadAdd")
        await page.keyboard.down("NumpadAdd")  # held: the keyboard repeats it
        await page.keyboard.up("NumpadAdd")
        await line.until(event="completed", ply=2)
        presses = [one.seat for one in house.table.state.moves.plies if one.completed]
        assert presses == [Seat.WHITE, Seat.BLACK]
        await page.reload()
        await page.locator("#press-keys", has_text="F11 presses").wait_for()
        assert desk.complaints == [] and table.complaints == []


async def test_a_display_waits_for_buttons_no_longer_in_the_game(house: House, browser: Browser) -> None:
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, await house.station("display", None)) as watched:
        await desk.do({"do": "learn_press_keys", "at": "display"})
        await watched.page.locator("#press-keys", has_text="White's button").wait_for()
        await desk.do({"do": "start_game"})
        await expect(watched.page.locator("#press-keys")).to_be_hidden()
        assert watched.complaints == []
