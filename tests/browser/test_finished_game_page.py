"""A finished game on the arbiter's page and on that of all tables: the result, and nothing that would go on with it."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

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
        await expect(page.get_by_role("button", name="Resume clocks")).to_be_visible()
        await expect(page.locator("#outcome")).to_be_hidden()
        hand = await player.line()
        await line.do({"do": "rule_result", "result": "0-1", "reason": "flag", "article": "6.9"})
        await page.locator("#outcome", has_text="Game over: 0-1 (a flag, 6.9).").wait_for()
        await expect(page.locator("#outcome")).to_contain_text("White has not approved the result yet.")
        await hand.do({"do": "approve_result", "result": "0-1"})
        await page.locator("#outcome", has_text="White has approved 0-1. Black has not approved").wait_for()
        for name in ("Resume clocks", "Start White's clock", "Pause clocks", "Correct", "Begin reconciliation"):
            await expect(page.get_by_role("button", name=name, exact=True).filter(visible=True)).to_have_count(0)
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
            "release_review",
            "rule_result",
        }
        kept = await page.eval_on_selector_all(
            "[data-export]", "all => all.filter((one) => !one.closest('[hidden]')).map((one) => one.dataset.export)"
        )
        assert {"game", "scores", "report", "fair-play", "protocol", "protocol-brf"} <= set(kept), (
            "signed after the game"
        )
        assert await violations(page) == []
        # One touch opens the report on a page of its own, and one more the same as PDF.
        async with page.expect_popup() as opening:
            await page.get_by_role("link", name="Report", exact=True).click()
        report = await opening.value
        await report.get_by_role("heading", name="Report of table demo", level=1).wait_for()
        assert await report.get_by_text("Times of day:").is_visible()
        assert await report.get_by_role("listitem").filter(has_text="0-1, a flag (6.9) – Arbiter").count() == 1
        assert await violations(report) == []
        for colour, size in (("light", {"width": 390, "height": 844}), ("dark", {"width": 1280, "height": 800})):
            await report.emulate_media(color_scheme=colour)  # type: ignore[arg-type]
            await report.set_viewport_size(size)  # type: ignore[arg-type]
            assert await report.evaluate("document.documentElement.scrollWidth <= innerWidth")
        address = await report.get_by_role("link", name="Open as PDF").get_attribute("href")
        answer = await report.request.get(f"{report.url.rsplit('/', 1)[0]}/{address}")
        assert answer.headers["content-type"] == "application/pdf" and (await answer.body()).startswith(b"%PDF-")
        await report.close()
        # A result that was written wrong is put right, and the page says so.
        await page.locator("summary", has_text="Result").click()
        await expect(page.get_by_role("button", name="Correct the result")).to_be_visible()
        await page.reload()
        await page.locator("#outcome", has_text="White has approved 0-1.").wait_for()
        await expect(page.get_by_role("button", name="Resume clocks").filter(visible=True)).to_have_count(0)
        assert watched.complaints == []


@pytest.mark.law("L115", "L135")
async def test_among_all_tables_the_result_stands_with_its_reason(house: House, browser: Browser) -> None:
    chief, desk = await hall_arbiter(house), await house.arbiter()
    line = await desk.line()
    await line.do({"do": "start_game"})
    await line.do({"do": "rule_result", "result": "1-0", "reason": "resigned", "article": "5.1.2"})
    async with opened(browser, house, chief, "/tables") as watched:
        await watched.page.locator("#glance .state", has_text="Game over: 1-0 (resigned)").wait_for()
