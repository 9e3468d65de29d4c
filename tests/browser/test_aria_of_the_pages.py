"""What a screen reader is given of each page: roles, names and states, as golden files (`tests/browser/aria`).

A change there is meant or it is a fault. Look at it, then write the files anew: `ANNA_EINS_WRITE_GOLDEN=1`.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from server.game import acts as cmd
from tests.browser.test_pages import a_game_under_way, visitors
from tests.browser.test_pages_in_six_languages import page_in
from tests.waiting import PATIENCE_S
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")

GOLDEN = Path(__file__).parent / "aria"


async def shape(page: Page) -> str:
    """The accessibility tree of a page, folds open; what differs from run to run (times, codes, counts) is #."""
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    # Who is on the line just now, and how quickly they answer, differs from run to run.
    await page.evaluate(
        """for (const one of document.querySelectorAll("#stations .grow")) {
          one.textContent = one.textContent.replace(/^[●○] |: .*$/g, "");
        }"""
    )
    said = await page.locator("body").aria_snapshot()
    return re.sub(r"\d+", "#", re.sub(r"-[0-9a-f]{4,6}\b", "-#", said)) + "\n"


async def at_rest(page: Page, wanted: str | None) -> str:
    """The tree as soon as it is the wanted one twice running, else at the end of our patience.

    Where none is wanted, because the files are written anew: as soon as it has been the same six times running.
    """
    end = time.monotonic() + PATIENCE_S
    seen = [await shape(page)]
    while time.monotonic() < end and seen[-2:] != [wanted] * 2:
        if wanted is None and seen[-6:] == seen[-1:] * 6:
            break
        await asyncio.sleep(0.1)
        seen.append(await shape(page))
    return seen[-1]


@pytest.mark.parametrize("tag", ["en", pytest.param("de", marks=pytest.mark.thorough)])
async def test_what_a_screen_reader_is_given_is_what_was_looked_at(house: House, browser: Browser, tag: str) -> None:
    people = await visitors(house)
    await a_game_under_way(house, people)
    desk = await people["arbiter"].line()
    await desk.do({"do": "pause", "reason": "noise"})  # so that nothing moves on
    await desk.socket.close()
    await house.table.own(house.table.program_command(cmd.ShowToSpectators(show=True)))
    people["hall"] = house.visitor()
    people["hall"].page = "/hall#demo"
    differing = []
    for name, visitor in people.items():
        page = (await page_in(browser, house, visitor, tag)).page
        await page.locator("header .state", has_text={"en": "Connected", "de": "Verbunden"}[tag]).wait_for()
        golden = GOLDEN / f"{name}.{tag}.txt"
        wanted = None if os.environ.get("ANNA_EINS_WRITE_GOLDEN") else golden.read_text(encoding="utf-8")
        found = await at_rest(page, wanted)
        await page.context.close()
        if wanted is None:
            golden.write_text(found, encoding="utf-8")
        elif wanted != found:
            golden.with_suffix(".new").write_text(found, encoding="utf-8")
            differing.append(name)
    assert differing == [], f"compare tests/browser/aria/NAME.{tag}.txt with .new"
