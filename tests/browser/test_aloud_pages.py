"""On the arbiter's page the room is allowed, a display's sound is switched on, and it speaks there and only there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from server.game.values.words import Seat
from tests.browser.test_ear_page import NOTES, ToneVoice, sounding
from tests.browser.test_pages import opened, violations
from tests.waiting import until
from tests.web.open_house import House, open_house

pytestmark = pytest.mark.needs("chromium")


@pytest_asyncio.fixture(loop_scope="session")
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "data", voice=ToneVoice()) as open_one:
        yield open_one


async def test_a_display_speaks_what_the_arbiter_allows_until_they_take_it_back(house: House, browser: Browser) -> None:
    arbiter, hall = await house.arbiter(), await house.station("display", None)
    white = await house.station("tactile", Seat.WHITE)
    async with opened(browser, house, arbiter) as desk, opened(browser, house, hall, bypass_csp=True) as shown:
        page = shown.page
        await page.add_init_script(NOTES)
        await page.reload()
        await page.locator("header .state", has_text="Connected").wait_for()
        button = page.get_by_role("button", name="Speak public announcements here")
        assert await button.get_attribute("aria-pressed") == "false"
        await button.click()
        assert await button.get_attribute("aria-pressed") == "true"
        assert await violations(page) == []
        await desk.page.locator("summary", has_text="Speech in the room and").press("Enter")
        form = desk.page.locator("#allow-room")
        await form.get_by_label("Speech in the room").select_option("yes")
        await form.get_by_role("button").press("Enter")
        await until(lambda: bool(house.table.state.sound.room))
        assert await violations(desk.page) == []
        # A line that nobody reads answers no ping, and is closed: both are opened when they are wanted.
        line, player = await arbiter.line(), await white.line()
        await line.do({"do": "start_game"})
        await player.type("Eva vier")
        # What is public while no display can sound is not said later: a busy page begins to sound late, or was away.
        await until(lambda: not house.hall.table("demo").teller._tongues["room"].channel.off)
        await player.do({"do": "press"})
        said = (await line.until(event="spoken_privately", listener="room"))["message"]["event"]
        assert (said["seat"], said["text"]) == (None, "Eva vier")
        await sounding(page, True)
        await desk.page.get_by_role("tab", name="Set-up").press("Enter")
        await form.get_by_label("Speech in the room").select_option("no")
        await form.get_by_role("button").press("Enter")
        await until(lambda: not house.table.state.sound.room)
        await sounding(page, False)


async def test_the_arbiters_page_is_silent_until_they_ask(house: House, browser: Browser) -> None:
    arbiter = await house.arbiter()
    line = await arbiter.line()
    await line.do({"do": "start_game"})
    player = await (await house.station("tactile", Seat.WHITE)).line()
    async with opened(browser, house, arbiter, bypass_csp=True) as desk:
        page = desk.page
        await page.add_init_script(NOTES)
        await page.reload()
        await page.locator("header .state", has_text="Connected").wait_for()
        await page.get_by_role("tab", name="Set-up").press("Enter")
        await page.locator("summary", has_text="Speech in the room and").press("Enter")
        form = page.locator("#choose-alerts")
        assert await form.get_by_label("Alerts and answers").input_value() == "no"
        await form.get_by_label("Alerts and answers").select_option("yes")
        await form.get_by_role("button").press("Enter")
        await until(lambda: bool(house.table.state.sound.arbiter_ears))
        await until(lambda: bool(house.hall.table("demo").teller._aloud._audible))  # the page says that it plays now
        await player.do({"do": "call_arbiter", "reason": ""})
        await sounding(page, True)
        await page.keyboard.press("Escape")
        await sounding(page, False)
        cut = (await line.until(event="speech_cut"))["message"]["event"]
        assert cut["why"] == "stop" and cut["listener"].startswith("arbiter:")
