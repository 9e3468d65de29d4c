"""The review of a game in a real browser: released by its arbiter, read by keyboard, heard, taken home."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from server.game.values.words import Seat
from tests.browser.test_pages import opened, violations
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


async def test_a_released_game_is_read_move_by_move(house: House, browser: Browser) -> None:
    arbiter, white = await house.arbiter(), await house.station("tactile", Seat.WHITE)
    desk, hand = await arbiter.line(), await white.line()
    await desk.do({"do": "start_game"})
    await hand.type("Springer Felix drei")
    await hand.do({"do": "press"})
    await desk.do({"do": "rule_result", "result": "1-0", "reason": "resignation"})
    async with (
        opened(browser, house, arbiter, "/review?page=arbiter&table=demo") as chief,
        opened(browser, house, white) as own,
    ):
        page = own.page
        await page.goto(page.url.rpartition("/")[0] + "/review")
        await expect(page.locator("#notice")).to_have_text("The arbiter has not released this game for review yet.")
        await expect(page.locator("#review")).to_be_hidden()
        await chief.page.get_by_role("button", name="Release to the players").press("Enter")
        await expect(chief.page.locator("#release-now")).to_have_text("The players may review this game.")
        await page.go_back()
        await page.locator("#last").get_by_role("link").press("Enter")
        await expect(page.locator("#summary li").first).to_have_text("Result: 1-0.")
        await expect(page.locator("#release")).to_be_hidden()
        # The board is whole on the screen of a laptop, and is stepped through by a button or by a key in it.
        await expect(page.locator("#at")).to_have_text("Starting position")
        box = await page.locator("#board").bounding_box()
        assert box is not None and box["y"] + box["height"] <= 720, box
        await page.get_by_role("button", name="Move forward").press("Enter")
        await expect(page.locator("#at")).to_have_text("Position after 1. Nf3")
        await page.locator("#board [role=gridcell][tabindex='0']").press("PageUp")
        await expect(page.locator("#at")).to_have_text("Starting position")
        await page.keyboard.press("PageDown")
        await expect(page.locator("#board .went-to")).to_have_text("f3 White knight, the last move went here")
        await expect(page.locator("#told")).to_contain_text("1. White: Springer Felix drei.")
        await expect(page.locator("[aria-live=polite]")).to_contain_text("Time used:")
        await page.locator("#about").fill("f3")
        await page.locator("#about").press("Enter")
        await expect(page.locator("#answer")).to_contain_text("knight")
        await page.get_by_role("button", name="Whole position").press("Enter")
        await expect(page.locator("#answer")).to_contain_text("Felix three")
        await expect(page.locator("#plies tbody tr")).to_have_count(1)
        async with page.expect_download() as taken:
            await page.get_by_role("link", name="Game to take home (PGN)").click()
        assert (await taken.value).suggested_filename == "demo-game.pgn"
        async with page.expect_response("**/api/review/clocks.wav*") as heard:
            await page.get_by_role("button", name="Hear both clocks").press("Enter")
        assert (await heard.value).status == 200
        # On a phone the board stays in view at the end of the page.
        await page.set_viewport_size({"width": 390, "height": 844})
        await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        box = await page.locator("#board").bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 500, box
        await page.set_viewport_size({"width": 320, "height": 640})
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320
        assert await violations(page) == [] and await violations(chief.page) == []
        assert chief.complaints == []


async def test_a_review_that_could_not_be_fetched_stays_and_is_fetched_again(house: House, browser: Browser) -> None:
    arbiter = await house.arbiter()
    desk = await arbiter.line()
    await desk.do({"do": "start_game"})
    await desk.do({"do": "rule_result", "result": "1-0", "reason": "resignation"})
    async with opened(browser, house, arbiter, "/review?page=arbiter&table=demo") as watched:
        page, notice = watched.page, watched.page.locator("#notice")
        await expect(page.locator("#summary li").first).to_have_text("Result: 1-0.")
        await page.route("**/api/review?*", lambda route: route.abort())
        await page.locator("#language").select_option("de")
        await expect(notice).to_have_text("Der Server antwortet nicht; neuer Versuch läuft.")
        await expect(page.locator("#review")).to_be_visible()
        await page.unroute_all()
        await expect(page.locator("#summary li").first).to_have_text("Ergebnis: 1-0.")
        await expect(notice).to_be_hidden()
