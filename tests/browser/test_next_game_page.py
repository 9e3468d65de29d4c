"""A cancelled game in a real browser: one act on the arbiter's page, and every page goes on at the new table (L075)."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, expect

from server.game.values.words import Seat
from tests.browser.test_arbiter_acts import find
from tests.browser.test_pages import opened, violations
from tests.waiting import until
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.law("L075", "L077")
async def test_the_pages_go_on_by_themselves_with_the_colours_as_ruled(house: House, browser: Browser) -> None:
    player, opponent, desk = (
        await house.station("tactile", Seat.WHITE),
        await house.station("sighted", Seat.BLACK),
        await house.arbiter(),
    )
    async with (
        opened(browser, house, player) as by_touch,
        opened(browser, house, opponent) as in_sight,
        opened(browser, house, desk) as watched,
    ):
        page = watched.page
        await page.get_by_role("button", name="Start White's clock").click()
        await by_touch.page.locator("#last", has_text="The game has started").wait_for()
        await find(page, "cancel the game", "cancel_game")
        await page.get_by_label("Swap colours").check()
        await page.get_by_role("button", name="Apply").press("Enter")
        # It stands there for four seconds: the wait for it begins before the act.
        await asyncio.gather(
            by_touch.page.locator("#last", has_text="A new game will be played. You have Black.").wait_for(),
            page.get_by_role("dialog").get_by_role("button", name="Yes").press("Enter"),
        )
        # Nobody does anything: each page is at the new table, on its new side.
        await by_touch.page.wait_for_url("**/tactile?table=demo-game2&seat=black")
        await in_sight.page.wait_for_url("**/sighted?table=demo-game2&seat=white")
        await page.wait_for_url("**/arbiter?table=demo-game2")
        for one in (page, by_touch.page):
            await one.locator("header .state", has_text="Connected").wait_for()
        await by_touch.page.locator("#who", has_text="Black").wait_for()
        await expect(page.get_by_role("button", name="Start White's clock")).to_be_enabled()
        assert await violations(page) == []
        await page.get_by_role("button", name="Start White's clock").click()
        await in_sight.page.locator(".clock.running").wait_for()
        await until(lambda: house.hall.tables["demo-game2"].state.table.started)
        # The old game is a link away, with its result, and leads on to the new one.
        await page.get_by_role("link", name="Cancelled game").click()
        await page.locator("#outcome", has_text="Game over: * (cancelled, 7.2.1)").wait_for()
        await expect(page.get_by_role("link", name="Replacement game")).to_be_visible()
        assert watched.complaints == [] and by_touch.complaints == []
