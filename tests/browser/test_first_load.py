"""The size of the first load of each page, and its fit on a phone; no other server is asked for anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from server.game import acts as cmd
from server.hall.engines import open_voice
from server.web.pages import load_files
from tests.browser.test_pages import Watched, opened, visitors
from tests.waiting import until
from tests.web.open_house import open_house

pytestmark = pytest.mark.needs("chromium")

FIRST_LOAD = 100_000  # bytes, headers included
WITH_EVERY_ACT = {"/arbiter": 120_000}  # the words of every act, and of the steps of every incident, come with the page
HANDED_OUT = ("/", "/tables", "/hall", "/review", "/training")
PHONE = {"width": 320, "height": 640}
"""The size of a small phone, and of a laptop's page at 400 percent."""
SMALL = """() => [...document.querySelectorAll('button, summary, select, input')]
  .filter(one => !['checkbox', 'radio'].includes(one.type))  // their labels are the targets
  .filter(one => one.offsetParent && !one.closest('.board'))
  .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect().height])
  .filter(([, height]) => height < 44)"""


async def fetched(watched: Watched, *wanted: str) -> None:
    """What the page asks for by and by has come."""
    await until(
        lambda: all(any(one in url for url in watched.finished) for one in wanted),
        lambda: f"{wanted} not all in {watched.finished}",
    )


async def fits_a_phone(page: Page, path: str) -> None:
    """Nothing goes out sideways, and every target is high enough for a finger."""
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
    assert await page.evaluate(SMALL) == [], path
    await expect(page.locator("[aria-live]")).to_have_count(2)


async def test_each_page_with_all_that_it_keeps_is_small_fits_a_phone_and_nothing_leaves_the_server(
    tmp_path: Path, browser: Browser
) -> None:
    """With a real voice: the phrases that a page keeps for the time without a server count too."""
    async with open_house(tmp_path / "data") as house, open_voice(house.hall.data) as voice:
        house.hall.use(voice=voice)
        people = await visitors(house)
        addresses = {f"/{page}": visitor for page, visitor in people.items()}
        addresses |= dict.fromkeys(HANDED_OUT, people["arbiter"])
        await house.table.own(house.table.program_command(cmd.ShowToSpectators(show=True)))
        pages = {path for path in load_files() if not path.startswith("/static/")}
        assert set(addresses) == pages, "a page that nobody looked at"
        for path, visitor in addresses.items():
            kept = [] if path in HANDED_OUT else ["connection_lost", "microphone_lost", "sound_lost"]
            address = path if path in HANDED_OUT else None
            async with opened(browser, house, visitor, address, requests=True, viewport=PHONE) as watched:
                await watched.page.wait_for_load_state("load")
                await fetched(watched, "/static/words/en.json", *(f"/phrase/{one}-en" for one in kept))
                size = await watched.transferred()
                print(f"{path}: {size} bytes")
                assert size < WITH_EVERY_ACT.get(path, FIRST_LOAD), path
                assert watched.foreign == [], path
                if path not in HANDED_OUT:
                    await fits_a_phone(watched.page, path)
