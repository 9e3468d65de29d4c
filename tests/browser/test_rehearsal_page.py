"""The rehearsal on three pages at once: the arbiter begins it and hears his bell, the players are led step by step."""

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
        opened(browser, house, white) as his,
        opened(browser, house, black) as hers,
    ):
        page = desk.page
        await page.locator("summary", has_text="Rehearsal before the game").press("Enter")
        assert await violations(page) == []
        await page.locator("#rehearsal-begin").press("Enter")
        await page.locator("#rehearsal-now", has_text="Step 1 of 19: White, voice level").wait_for()
        for _ in range(2):  # no microphone here: the arbiter passes both levels over
            await page.locator("#rehearsal-pass").press("Enter")
        await page.locator("#rehearsal-now", has_text="Step 3").wait_for()
        await his.page.locator("#last-by", has_text="Rehearsal, step 3 of 19").wait_for()

        async def typed(words: str, at: object, then: str) -> None:
            player = his.page if at is his else hers.page
            await player.locator("#last", has_text=words).wait_for()
            await player.locator("#field").fill(words)
            await player.locator("#field").press("Enter")
            await page.locator("#rehearsal-now", has_text=then).wait_for()

        await typed("Bauer Eva vier", his, "Step 4")
        await his.page.keyboard.press("Control+Enter")
        await page.locator("#rehearsal-now", has_text="Step 5 of 19: Black, repetition").wait_for()
        await hers.page.locator("#field").fill("d4")
        await hers.page.locator("#field").press("Enter")
        await hers.page.locator("#last", has_text="That was not right").wait_for()
        await typed("Bauer Eva vier", hers, "Step 6")
        await hers.page.reload()  # whoever comes back finds the step
        await hers.page.locator("#last-by", has_text="Rehearsal, step 6 of 19").wait_for()
        assert await violations(his.page) == [] and await violations(hers.page) == []
        await page.locator("#rehearsal-reason").fill("the round begins")
        await page.locator("#rehearsal-reason").press("Enter")
        await page.locator("#rehearsal-now", has_text="over").wait_for()
        await his.page.locator("#last", has_text="The rehearsal has ended.").wait_for()
        await page.locator("#record", has_text="rehearsal – the round begins").wait_for()
        assert not house.table.state.moves.plies and not house.table.state.table.started
        for watched in (desk, his, hers):
            assert watched.complaints == []
