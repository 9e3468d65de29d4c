"""A finished game on the arbiter's page and on that of all tables: the result, and nothing that would go on with it."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser

from server.game.values.words import Seat
from tests.browser.test_pages import opened, violations
from tests.web.open_house import House
from tests.web.test_all_tables import hall_arbiter

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.law("L115", "L134")
async def test_the_arbiter_sees_how_it_ended_and_is_offered_no_going_on(house: House, browser: Browser) -> None:
    player, desk = await house.station("tactile", Seat.WHITE), await house.arbiter()
    async with opened(browser, house, desk) as watched:
        page = watched.page
        line = await desk.line()
        await line.do({"do": "start_game"})
        await page.locator("#record", has_text="clock").first.wait_for()
        assert await page.get_by_role("button", name="Resume clocks").is_visible()
        assert not await page.locator("#outcome").is_visible()
        hand = await player.line()
        await line.do({"do": "rule_result", "result": "0-1", "reason": "flag", "article": "6.9"})
        await page.locator("#outcome", has_text="Game over: 0-1 (a flag, 6.9).").wait_for()
        assert "White has not approved the result yet." in await page.locator("#outcome").inner_text()
        await hand.do({"do": "approve_result", "result": "0-1"})
        await page.locator("#outcome", has_text="White has approved 0-1. Black has not approved").wait_for()
        for name in ("Resume clocks", "Start White's clock", "Pause clocks", "Correct", "Begin reconciliation"):
            assert await page.get_by_role("button", name=name, exact=True).filter(visible=True).count() == 0, name
        offered = await page.eval_on_selector_all("#act option", "all => all.map((one) => one.value)")
        assert set(offered) == {
            "set_board",
            "note_disturbance",
            "mend",
            "note_appeal",
            "note_incident",
            "decide_gap",
            "penalise",
            "release_law",
            "rule_result",
        }
        kept = await page.eval_on_selector_all(
            "[data-export]", "all => all.filter((one) => !one.closest('[hidden]')).map((one) => one.dataset.export)"
        )
        assert {"game", "scores", "report", "fair-play", "protocol", "protocol-brf"} <= set(kept), (
            "signed after the game"
        )
        assert await violations(page) == []
        # A result that was written wrong is put right, and the page says so.
        await page.locator("summary", has_text="Result").click()
        assert await page.get_by_role("button", name="Correct the result").is_visible()
        await page.reload()
        await page.locator("#outcome", has_text="White has approved 0-1.").wait_for()
        assert await page.get_by_role("button", name="Resume clocks").filter(visible=True).count() == 0
        assert watched.complaints == []


@pytest.mark.law("L115", "L135")
async def test_among_all_tables_the_result_stands_with_its_reason(house: House, browser: Browser) -> None:
    chief, desk = await hall_arbiter(house), await house.arbiter()
    line = await desk.line()
    await line.do({"do": "start_game"})
    await line.do({"do": "rule_result", "result": "1-0", "reason": "resigned", "article": "5.1.2"})
    async with opened(browser, house, chief, "/tables") as watched:
        await watched.page.locator("#glance .state", has_text="Game over: 1-0 (resigned)").wait_for()
