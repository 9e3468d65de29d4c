"""A quickplay finish on the pages: announced, asked for, claimed, ruled, and verified where no arbiter is (III)."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from server.game.values.words import Seat
from tests.browser.test_adjournment_whole_way import carry_out, open_written, seated, start, write_by_hand
from tests.browser.test_pages import opened, violations
from tests.waiting import until
from tests.web.open_house import open_house
from tests.web.test_all_tables import hall_arbiter

pytestmark = pytest.mark.needs("chromium")
ANNOUNCED = "A quickplay finish is announced"


async def claim(page: Page, name: str) -> None:
    """A claim by keyboard, which is asked about once."""
    fold = page.locator("details", has=page.locator("summary", has_text="Draw, resignation"))
    if await fold.get_attribute("open") is None:
        await fold.locator("summary").press("Enter")
    await page.get_by_role("button", name=name).press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Yes").press("Enter")


@pytest.mark.law("L232", "L235", "L236", "L237", "L238", "L239")
async def test_request_claim_and_every_ruling(tmp_path: Path, browser: Browser) -> None:
    async with open_house(tmp_path / "data") as house:
        chief = await hall_arbiter(house)
        async with opened(browser, house, chief, "/tables") as desk:
            page = desk.page
            await page.locator("#glance tbody tr").first.wait_for()
            await write_by_hand(page, "Ida", "Jo", "1800", ANNOUNCED)
            await open_written(page, "Ida")
            table = house.hall.tables["1"]
            white, black = (
                await seated(house, "1", "tactile", Seat.WHITE),
                await seated(house, "1", "sighted", Seat.BLACK),
            )
            async with opened(browser, house, white) as asker, opened(browser, house, black) as opponent:
                await asker.page.locator("#last", has_text="Quickplay finish").wait_for()
                await opponent.page.locator("#last", has_text="Quickplay finish").wait_for()
                await start(page)
                await carry_out(page, "set_clock", white_ms="1:59", black_ms="1:30", turn="white")
                assert await violations(asker.page) == []
                # III.4: refused, then III.5: postponed, rejected; each waits for its form beside the alert.
                await claim(asker.page, "Request five extra seconds")
                await expect(asker.page.locator("#due")).to_contain_text("Your claim is with the arbiter")
                await opponent.page.locator("#last", has_text="draw").wait_for()
                await (
                    page.locator("#alerts li", has_text="five extra seconds per move")
                    .first.get_by_role("button", name="Claim correct")
                    .wait_for()
                )
                await carry_out(page, "rule_claim", ruling="wrong")
                assert table.state.draws.increment_request == "refused"
                await page.locator("#resume").press("Enter")
                await expect(asker.page.locator("#due")).to_be_hidden()
                await expect(asker.page.get_by_role("button", name="Request five extra seconds")).to_be_visible()
                await claim(asker.page, "Claim a draw: no effort")
                await page.locator("#alerts li", has_text="no effort").first.wait_for()
                before = table.state.time.clock.remaining(Seat.BLACK, house.hall.clock.mono_ms())
                await carry_out(page, "rule_claim", ruling="postponed", bonus=False)
                assert table.state.draws.postponed is not None
                assert table.state.time.clock.remaining(Seat.BLACK, house.hall.clock.mono_ms()) == before
                await carry_out(page, "rule_claim", ruling="wrong")
                assert table.state.time.clock.remaining(Seat.BLACK, house.hall.clock.mono_ms()) == before + 120_000
                await page.locator("#resume").press("Enter")
                await until(lambda: table.state.time.clock.running is not None)
                await claim(asker.page, "Claim a draw: the opponent cannot win by normal means")
                await page.locator("#alerts li", has_text="the opponent cannot win by normal means").first.wait_for()
                await page.locator("#act").select_option("rule_claim")
                await page.locator("#act-ruling").select_option("correct")
                await page.get_by_role("button", name="Apply").press("Enter")
                await page.get_by_role("dialog").get_by_role("button", name="Yes").press("Enter")
                await opponent.page.locator("#last", has_text="1/2-1/2").wait_for()


@pytest.mark.law("L235")
async def test_the_increment_is_granted_and_the_clock_corrected(tmp_path: Path, browser: Browser) -> None:
    async with open_house(tmp_path / "data") as house:
        chief = await hall_arbiter(house)
        async with opened(browser, house, chief, "/tables") as desk:
            page = desk.page
            await page.locator("#glance tbody tr").first.wait_for()
            await write_by_hand(page, "Ida", "Jo", "1800", ANNOUNCED)
            await open_written(page, "Ida")
            table = house.hall.tables["1"]
            async with opened(browser, house, await seated(house, "1", "tactile", Seat.WHITE)) as asker:
                await start(page)
                await carry_out(page, "set_clock", white_ms="1:59", black_ms="1:30", turn="white")
                await asker.page.locator("#field").fill("*57")  # by its number
                await asker.page.locator("#field").press("Enter")
                await page.locator("#alerts li", has_text="five extra seconds per move").first.wait_for()
                await page.locator("#act").select_option("rule_claim")
                await page.get_by_role("button", name="Apply").press("Enter")
                await page.get_by_role("dialog").get_by_role("button", name="Yes").press("Enter")
                await page.locator("#record", has_text="increment set").wait_for()
                now = house.hall.clock.mono_ms()
                assert 210_000 - 60_000 <= table.state.time.clock.remaining(Seat.BLACK, now) <= 210_000
                assert all(one.increment_ms == 5_000 for one in table.state.time.clock.control.periods)
                await page.locator("#correct-side").select_option("black")
                await page.locator("#correct-time").fill("3:00")
                await page.locator("#correct-time").press("Enter")
                await page.locator("#said", has_text="3 minutes").wait_for()
                assert table.state.time.clock.remaining(Seat.BLACK, house.hall.clock.mono_ms()) == 180_000


@pytest.mark.law("L240")
async def test_without_an_arbiter_the_opponent_verifies(tmp_path: Path, browser: Browser) -> None:
    async with open_house(tmp_path / "data") as house:
        chief = await hall_arbiter(house)
        async with opened(browser, house, chief, "/tables") as desk:
            page = desk.page
            await page.locator("#glance tbody tr").first.wait_for()
            await write_by_hand(page, "Ida", "Jo", "1800", ANNOUNCED, "No arbiter is present")
            assert await violations(page) == []
            await open_written(page, "Ida")
            table = house.hall.tables["1"]
            white, black = (
                await seated(house, "1", "tactile", Seat.WHITE),
                await seated(house, "1", "sighted", Seat.BLACK),
            )
            async with opened(browser, house, white) as asker, opened(browser, house, black) as opponent:
                await start(page)
                await carry_out(page, "set_clock", white_ms="1:59", black_ms="1:30", turn="white")
                await expect(asker.page.get_by_role("button", name="Request five extra seconds")).to_be_hidden()
                await claim(asker.page, "Claim a draw: no effort")
                # The claimant reads what follows; the opponent who left the question answers it in the bar.
                await expect(asker.page.locator("#due")).to_contain_text(
                    "the designated arbiter decides. Complete your"
                )
                await opponent.page.get_by_role("dialog").press("Escape")
                await opponent.page.locator("#due").get_by_role("button", name="Yes").press("Enter")
                await expect(opponent.page.locator("#due")).to_be_hidden()
                await page.locator("#record li[data-event=position_verified]").wait_for()
                assert table.state.draws.concluded is not None and table.state.draws.concluded.agrees is True
                assert table.state.ending.result is None, "the designated arbiter decides (III.6.2)"
