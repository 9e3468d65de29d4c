"""The rehearsal on three pages at once: the arbiter begins it and hears the bell, the players are led step by step."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser

from server.game.values.words import Seat
from tests.browser.test_pages import opened, violations
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


async def test_three_pages_rehearse_by_keyboard(house: House, browser: Browser) -> None:
    arbiter = await house.arbiter()
    white, black = await house.station("tactile", Seat.WHITE), await house.station("sighted", Seat.BLACK)
    async with (
        opened(browser, house, arbiter) as desk,
        opened(browser, house, white) as of_white,
        opened(browser, house, black) as of_black,
    ):
        page = desk.page
        await page.locator("summary", has_text="Rehearsal before the game").press("Enter")
        assert await violations(page) == []
        await page.locator("#rehearsal-begin").press("Enter")
        await page.locator("#rehearsal-now", has_text="Step 1 of 19: White, voice level").wait_for()
        for then in (2, 3):  # no microphone here: the arbiter passes both levels over
            await page.locator("#rehearsal-pass").press("Enter")
            await page.locator("#rehearsal-now", has_text=f"Step {then} of 19").wait_for()
        await of_white.page.locator("#last-by", has_text="Rehearsal, step 3 of 19").wait_for()

        async def typed(words: str, at: object, then: str) -> None:
            player = of_white.page if at is of_white else of_black.page
            await player.locator("#last", has_text=words).wait_for()
            await player.locator("#field").fill(words)
            await player.locator("#field").press("Enter")
            await page.locator("#rehearsal-now", has_text=then).wait_for()

        await typed("Bauer Eva vier", of_white, "Step 4")
        await of_white.page.keyboard.press("Control+Enter")
        await page.locator("#rehearsal-now", has_text="Step 5 of 19: Black, repetition").wait_for()
        await of_black.page.locator("#field").fill("d4")
        await of_black.page.locator("#field").press("Enter")
        await of_black.page.locator("#last", has_text="That was not right").wait_for()
        await typed("Bauer Eva vier", of_black, "Step 6")
        await of_black.page.reload()  # a player who comes back finds the step
        await of_black.page.locator("#last-by", has_text="Rehearsal, step 6 of 19").wait_for()
        assert await violations(of_white.page) == [] and await violations(of_black.page) == []
        await page.locator("#rehearsal-reason").fill("the round begins")
        await page.locator("#rehearsal-reason").press("Enter")
        await page.locator("#rehearsal-now", has_text="over").wait_for()
        await of_white.page.locator("#last", has_text="The rehearsal has ended.").wait_for()
        await page.locator("#record", has_text="rehearsal – the round begins").wait_for()
        assert not house.table.state.moves.plies and not house.table.state.table.started
        for watched in (desk, of_white, of_black):
            assert watched.complaints == []
