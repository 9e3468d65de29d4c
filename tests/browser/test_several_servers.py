"""A page goes on, as it is, at the server that leads its table now, and is never loaded anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from server.game import acts as cmd
from server.game.values.words import Seat
from tests.browser.test_pages import opened
from tests.postgresql import Cluster
from tests.web.two_servers import two_servers

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.needs("postgresql")]


async def test_a_page_goes_on_at_the_other_server_and_back(tmp_path: Path, cluster: Cluster, browser: Browser) -> None:
    async with two_servers(tmp_path, cluster) as both:
        first = both.first
        player = await first.station("sighted", Seat.BLACK)
        async with opened(browser, first, player) as watched:
            page = watched.page
            state = page.locator("header .state")
            await expect(state).to_have_attribute("data-t", "connected")
            await page.evaluate("window.same = true")
            table = first.table
            assert (await table.own(table.program_command(cmd.StartGame()))).outcome.ok
            for back, hall in ((False, both.second), (True, first.hall)):
                await both.moved(back=back)
                assert back or hall.tables["demo"].clock_runs
                seq = hall.tables["demo"].seq
                await page.locator("#field").fill("arbiter")
                await page.keyboard.press("Enter")
                await expect(page.locator("#field")).to_have_value("")
                await expect(state).to_have_attribute("data-t", "connected")
                assert hall.tables["demo"].seq > seq, "what was typed came to the server that leads the table"
            assert await page.evaluate("window.same"), "it was never loaded anew"
            await expect(page.locator(".gone:visible")).to_have_count(0)
