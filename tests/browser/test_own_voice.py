"""Getting to know a voice on the player's page, by keyboard alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Browser, Playwright, Route, expect

from server.game.values.words import Seat
from server.stations.microphone import Microphone, Speaking
from speech.audio.mic_check import LevelCheck
from tests.browser.conftest import hearing, started
from tests.browser.test_dead_hardware import becomes
from tests.browser.test_microphone_page import NOTES_OPENING
from tests.browser.test_pages import opened, violations
from tests.browser.test_talk_way import write_speech
from tests.web.open_house import House, open_house

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


async def test_prompts_that_come_late_are_not_put_over_newer_ones(house: House, browser: Browser) -> None:
    late, asked = asyncio.Event(), 0

    async def held(route: Route) -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            await route.continue_()
            return
        await late.wait()
        await route.fulfill(json={"prompts": ["late"], "read": [], "known": False, "outside": True})

    async with opened(browser, house, await house.station("tactile", Seat.WHITE)) as watched:
        page = watched.page
        await page.route("**/api/voice*", held)
        sheet, prompt = page.locator("#voice-sheet summary"), page.locator("#prompt")
        async with page.expect_request("**/api/voice*"):
            await sheet.click()
        await sheet.click()
        async with page.expect_request("**/api/voice*"):
            await sheet.click()
        await prompt.filter(has_text="1 of").wait_for()
        stood = await prompt.inner_text()
        async with page.expect_response("**/api/voice*") as older:
            late.set()
        await (await older.value).finished()
        await page.evaluate("() => new Promise((done) => setTimeout(done))")
        assert await prompt.inner_text() == stood


async def test_a_finding_that_comes_while_the_next_prompt_is_read_is_of_the_one_before(
    tmp_path: Path, playwright: Playwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_speech(tmp_path / "speech.wav")
    tell_outcome, late = Microphone._tell_outcome, asyncio.Event()

    async def tell_late(microphone: Microphone, check: LevelCheck, spoken: Speaking) -> None:
        if check.prompt == 1:
            await late.wait()
        await tell_outcome(microphone, check, spoken)

    monkeypatch.setattr(Microphone, "_tell_outcome", tell_late)
    async with (
        open_house(tmp_path / "data") as house,
        started(playwright, hearing(tmp_path / "speech.wav")) as browser,
    ):
        player = await house.station("tactile", Seat.WHITE)
        async with opened(browser, house, player) as watched:
            page, read = watched.page, watched.page.locator("#prompt-read")
            await page.locator("#voice-sheet summary").click()
            await page.locator("#prompt", has_text="1 of").wait_for()
            await page.evaluate(NOTES_OPENING)
            await read.press("Enter")
            await becomes(page, "window.microphoneIsOpen")
            await page.wait_for_timeout(1_500)
            await read.press("Enter")
            await expect(read).to_have_attribute("aria-pressed", "false")
            await page.locator("#prompt-next").click()
            await page.locator("#prompt", has_text="2 of").wait_for()
            await read.press("Enter")
            await expect(read).to_have_attribute("aria-pressed", "true")
            late.set()
            await page.locator("#voice-state", has_text="Prompts read: 1").wait_for()
            await expect(read).to_have_attribute("aria-pressed", "true")
            await page.wait_for_timeout(1_500)
            await read.press("Enter")
            await page.locator("#voice-state", has_text="Prompts read: 2").wait_for()
            assert await page.locator("#level").text_content() == "", "neither was a check"
