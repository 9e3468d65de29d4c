"""Two buttons at one device of the table: learnt by pressing each once, then the clock of both players (L049)."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from server.game.values.words import Seat
from tests.browser.test_pages import opened, violations
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.law("L049")
@pytest.mark.parametrize("at", ["white", "display"])
async def test_a_sighted_player_with_no_station_presses_a_button(house: House, browser: Browser, at: str) -> None:
    arbiter = await house.arbiter()
    white = await house.station("tactile", Seat.WHITE)
    device = white if at == "white" else await house.station("display", None)
    line = await arbiter.line()
    async with opened(browser, house, arbiter) as desk, opened(browser, house, device) as table:
        await desk.page.locator("summary", has_text="Two clock buttons").press("Enter")
        await desk.page.get_by_label("Location").select_option(at)
        await desk.page.get_by_role("button", name="Set up buttons").press("Enter")
        page = table.page
        await page.locator("#press-keys", has_text="White's button").wait_for()
        if at == "white":
            await page.keyboard.press("KeyB")
            await page.locator("[role=alert]", has_text="needed for typing").wait_for()
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


async def test_a_page_that_waits_for_buttons_keeps_its_own_keys_and_waits_no_longer_in_the_game(
    house: House, browser: Browser
) -> None:
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, await house.station("tactile", Seat.WHITE)) as watched:
        page = watched.page
        await desk.do({"do": "learn_press_keys", "at": "white"})
        await page.locator("#press-keys", has_text="White's button").wait_for()
        await page.keyboard.type("Bauer Eva vier")
        await expect(page.locator("#field")).to_have_value("Bauer Eva vier")
        await page.keyboard.press("F4")
        await page.locator("#entry-state", has_text="six keys").wait_for()
        await page.keyboard.press("F4")
        await expect(page.locator("#press-keys")).to_contain_text("White's button")  # F4 was taken for no button
        await desk.do({"do": "start_game"})
        await page.locator("#last", has_text="started").wait_for()
        await expect(page.locator("#press-keys")).to_be_hidden()
        await page.locator("#field").press("Enter")
        await desk.until(event="announced")
        assert watched.complaints == []
