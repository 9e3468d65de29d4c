"""A page that is left in the middle of a move loses nothing, and two stations of one seat show the same."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, expect

from server.game.values.words import Seat
from tests.browser.test_dead_hardware import becomes, through
from tests.browser.test_pages import opened
from tests.waiting import PATIENCE_S
from tests.web.cable import cable
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


async def test_a_reload_in_the_middle_of_a_move_loses_neither_words_nor_commands(
    house: House, browser: Browser
) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    async with cable(house.base) as line, through(browser, line, player, phrases=False) as page:
        # Half a move stands in the field; what is typed after the reload stands behind it.
        await page.locator("#field").press_sequentially("Bauer Eva")
        await page.reload()
        await page.locator("header .state", has_text="Connected").wait_for()
        await expect(page.locator("#field")).to_have_value("Bauer Eva")
        await page.locator("#field").press("End")
        await page.keyboard.type(" vier")
        # Sent into a dead line, with the press; then the page is loaded anew as the line comes back.
        line.pull()
        await page.keyboard.press("Enter")
        await page.keyboard.press("Control+Enter")
        loading = page.reload(wait_until="commit")
        line.put_back()
        await loading
        await desk.until(event="completed")
        await page.locator("#score td", has_text="Eva vier").first.wait_for()
        await expect(page.locator("#field")).to_have_value("")
        events = [one["message"]["event"]["event"] for one in desk.seen if "event" in one.get("message", {})]
        assert events.count("announced") == events.count("clock_pressed") == 1
        # Nothing of it is left to be sent again.
        await becomes(page, "sessionStorage.length === 0")
        await page.reload()
        await page.locator("header .state", has_text="Connected").wait_for()
        assert await page.evaluate("sessionStorage.length") == 0
        assert house.table.state.made_plies == 1


async def test_a_press_that_waited_for_the_line_is_no_press_of_a_later_move(house: House, browser: Browser) -> None:
    player = await house.station("tactile", Seat.WHITE)
    tablet = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    async with cable(house.base) as line, through(browser, line, player, phrases=False) as page:
        await page.locator("#field").fill("Bauer Eva vier")
        await page.keyboard.press("Enter")
        await expect(page.locator("#last")).to_contain_text("Eva vier")
        while await page.evaluate("import('/static/core/gone.js').then((gone) => gone.pressAbout() ?? 0)") != 1:
            await asyncio.sleep(0.05)  # a beat has told which ply the player's press is about
        line.pull()
        await page.keyboard.press("Control+Enter")
        # The game goes on without this station: the other one presses, Black answers, White is to move again.
        await tablet.do({"do": "press"})
        await black.do({"do": "enter_move", "uci": "e7e5"})
        await black.do({"do": "press"})
        line.put_back()
        await becomes(page, "sessionStorage.length === 0")  # answered
        assert house.table.state.made_plies == 2
        assert house.table.state.time.clock.running is Seat.WHITE


async def test_two_stations_of_one_seat_agree(house: House, browser: Browser) -> None:
    desk = await (await house.arbiter()).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    await desk.do({"do": "start_game"})
    phone, tablet = [await house.station("tactile", Seat.WHITE) for _ in range(2)]
    async with opened(browser, house, phone) as one, opened(browser, house, tablet) as other:

        async def agree() -> None:
            async with asyncio.timeout(PATIENCE_S):
                for place in ("#score", "#last"):
                    while await one.page.text_content(place) != await other.page.text_content(place):
                        await asyncio.sleep(0.05)

        await one.page.locator("#field").fill("Bauer Eva vier")
        await one.page.keyboard.press("Enter")
        for station in (one, other):
            await expect(station.page.locator("#last")).to_contain_text("Eva vier")
        await agree()
        await other.page.keyboard.press("Control+Enter")  # said at one, pressed at the other
        await desk.until(event="completed")
        await black.do({"do": "enter_move", "uci": "e7e5"})
        await black.do({"do": "press"})
        await other.page.locator("#field").fill("Bauer Eva fuenf")
        await other.page.keyboard.press("Enter")
        await expect(one.page.locator("#score")).to_contain_text("Eva fünf")
        await agree()
        await one.page.reload()
        await expect(one.page.locator("#score")).to_contain_text("Eva fünf")
        await expect(one.page.locator("#last")).to_contain_text("Eva fünf")
        await agree()
