"""The player's own answer whether the voice may be kept: by keys alone, on both players' pages, seen by the arbiter."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from server.game.decide.set_up.table import may_keep_sound
from server.game.values.words import Seat
from tests.browser.test_pages import GREETED_AGAIN, opened, violations
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.law("L194")
@pytest.mark.parametrize(("name", "seat"), [("tactile", Seat.WHITE), ("sighted", Seat.BLACK)])
async def test_a_player_agrees_and_takes_it_back_by_keys_alone_and_the_arbiter_sees_who_answered(
    house: House, browser: Browser, name: str, seat: Seat
) -> None:
    player, arbiter = await house.station(name, seat), await house.arbiter()
    async with opened(browser, house, player) as player_page, opened(browser, house, arbiter) as desk:
        page = player_page.page
        await page.set_viewport_size({"width": 320, "height": 700})
        await page.locator("summary", has_text="Settings for this device").press("Enter")
        group = page.get_by_role("group", name="Voice recording")
        state = group.locator("#consent-state")
        await expect(state).to_have_text("You have not answered yet; this event keeps the sound of your moves.")
        yes, no = group.get_by_role("button", name="I agree"), group.get_by_role("button", name="I do not agree")
        await yes.focus()
        await page.keyboard.press("Enter")
        await expect(state).to_have_text("You agree: your voice is kept.")
        await expect(yes).to_have_attribute("aria-pressed", "true")
        await expect(yes).to_be_focused()
        await expect(page.locator("[role=status]")).to_contain_text("You agree")
        assert may_keep_sound(house.table.state, seat)
        record = desk.page.locator("#record li[data-event=checklist_ticked]")
        await expect(record.first).to_contain_text("Yes – player's own answer")
        box = desk.page.locator(f"[data-check='voice_recording {seat.value}']")
        await expect(box).to_be_checked()
        await page.keyboard.press("Tab")
        await expect(no).to_be_focused()
        await page.keyboard.down("Space")
        await page.evaluate(GREETED_AGAIN)
        await page.keyboard.up("Space")
        await expect(state).to_have_text("You do not agree: no sound of your voice is kept.")
        await expect(no).to_have_attribute("aria-pressed", "true")
        assert not may_keep_sound(house.table.state, seat)
        await expect(record.first).to_contain_text("No – player's own answer")
        await expect(box).not_to_be_checked()
        assert await violations(page) == []
        for button in (yes, no):
            bounds = await button.bounding_box()
            assert bounds is not None and bounds["height"] >= 44 and bounds["x"] + bounds["width"] <= 320
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320
        await page.reload()
        await page.locator("header .state", has_text="Connected").wait_for()
        await page.locator("summary", has_text="Settings for this device").press("Enter")
        await expect(state).to_have_text("You do not agree: no sound of your voice is kept.")
        assert player_page.complaints == [] and desk.complaints == []
