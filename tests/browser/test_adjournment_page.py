"""The envelope on the pages: the warning and the words for the sealer, the code for the arbiter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browser.test_pages import opened, violations
from tests.web.open_house import open_house
from tests.web.test_sealing_on_the_line import adjourning, start

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.law("L208", "L211", "L216")
async def test_the_pages_show_the_warning_the_words_and_the_code(tmp_path: Path, browser: Browser) -> None:
    async with open_house(tmp_path / "data") as house:
        people = await adjourning(house)
        desk = await people["arbiter"].line()
        await start(desk)
        async with (
            opened(browser, house, people["arbiter"]) as arbiter,
            opened(browser, house, people["tactile"]) as sealer,
            opened(browser, house, people["sighted"]) as opponent,
        ):
            assert (await desk.do({"do": "order_seal"}))["outcome"]["ok"]
            code = arbiter.page.locator("dialog.to-print", has_text="the server does not keep it")
            await code.wait_for()
            await arbiter.page.reload()  # and it is there again, until it is written down
            await expect(code).to_contain_text(re.compile("[a-h][1-8]"))
            assert await violations(arbiter.page) == []
            await code.get_by_role("button", name="I have written it down").press("Enter")
            await expect(code).to_have_count(0)
            await expect(arbiter.page.locator("#acts-title")).to_be_focused()
            await arbiter.page.reload()
            await arbiter.page.locator("header .state", has_text="Connected").wait_for()
            await expect(code).to_have_count(0)
            await sealer.page.locator("#last", has_text="loses the game (I.8)").wait_for()
            await opponent.page.locator("#last", has_text="Your opponent is sealing a move").wait_for()
            field = sealer.page.locator("#field")
            await field.fill("Springer Hector drei")
            # Nothing of it is kept by the browser, where it would lie open on the disk.
            assert await sealer.page.evaluate("sessionStorage.length") == 0
            await field.press("Enter")
            await sealer.page.locator("#last", has_text="Springer Hector drei").wait_for()
            await expect(sealer.page.locator("#last-by")).to_have_text("in your envelope")
            await sealer.page.locator("#press").click()
            await opponent.page.locator("#last", has_text="adjourned").wait_for()
            assert (await desk.do({"do": "prepare_resumption"}))["outcome"]["ok"]
            listed = "set-up list for the resumption – rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR · To move: White"
            await arbiter.page.locator("#record", has_text=listed).wait_for()
            for watched in (arbiter, opponent):
                assert "Springer Hector" not in (await watched.page.locator("main").text_content() or "")
                assert not watched.complaints
        await desk.socket.close()
