"""Getting to know a voice on the player's page, by keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Playwright

from server.game.values.words import Seat
from tests.browser.conftest import hearing, started
from tests.browser.test_dead_hardware import becomes
from tests.browser.test_microphone_page import NOTES_OPENING
from tests.browser.test_pages import opened, violations
from tests.browser.test_talk_way import write_speech
from tests.web.open_house import open_house

pytestmark = pytest.mark.needs("chromium")


async def test_prompts_are_read_one_after_the_other(tmp_path: Path, playwright: Playwright) -> None:
    write_speech(tmp_path / "speech.wav")
    async with (
        open_house(tmp_path / "data") as house,
        started(playwright, hearing(tmp_path / "speech.wav")) as browser,
    ):
        player = await house.station("tactile", Seat.WHITE)
        async with opened(browser, house, player) as watched:
            page = watched.page
            await page.locator("#voice-sheet summary").click()
            await page.locator("#prompt", has_text="1 of").wait_for()
            assert "Springer Felix drei" in str(await page.locator("#prompt").text_content())
            assert await violations(page) == []
            await page.evaluate(NOTES_OPENING)
            read = page.locator("#prompt-read")
            await read.focus()
            await page.keyboard.press("Enter")
            await page.locator("#prompt-read[aria-pressed=true]").wait_for()
            await page.locator("#talk[aria-pressed=true]").wait_for()
            await becomes(page, "window.microphoneIsOpen")
            await page.wait_for_timeout(1_500)
            await page.keyboard.press("Enter")
            await page.locator("#prompt", has_text="2 of").wait_for()
            await page.locator("#voice-state", has_text="Prompts read: 1").wait_for()
            await page.locator("#voice-learn").click()
            await page.get_by_role("alert").get_by_text("too few").wait_for()
            await page.locator("#voice-code").fill("a1 a1 a1")
            await page.locator("#voice-use button").click()
            await page.get_by_role("alert").get_by_text("No voice with this code").wait_for()
            assert not any((house.hall.data.audio / "demo").glob("*"))
            assert [one for one in watched.complaints if "409" not in one] == []
