"""All tables at a glance in a real browser: a hundred rows, what is new in them, by keyboard, on a phone."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser

from server.game.values.words import Seat
from server.hall.event_profile import kept_profile
from tests.browser.test_pages import opened, violations
from tests.web.open_house import House
from tests.web.test_all_tables import PGN, hall_arbiter, open_tables

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.law("L135")
async def test_a_hundred_tables_are_found_and_followed_by_keyboard(house: House, browser: Browser) -> None:
    await open_tables(house, *(f"r1-b{number}" for number in range(1, 100)))
    chief = await hall_arbiter(house)
    player, arbiter = await house.station("tactile", Seat.WHITE), await house.arbiter()
    async with opened(browser, house, chief, "/tables", viewport={"width": 1280, "height": 900}) as watched:
        page = watched.page
        await page.locator("#summary", has_text="Tables: 100. In progress: 0. Need attention:").wait_for()
        await page.locator("#find").fill("White r1-b42")
        assert await page.locator("#glance tbody tr:visible").count() == 1
        await page.keyboard.press("Control+A")
        await page.keyboard.press("Delete")
        assert await page.locator("#glance tbody tr:visible").count() == 100
        # Something at one table: said once, politely, and it is the next that wants him.
        hand, desk = await player.line(), await arbiter.line()
        await desk.do({"do": "start_game"})
        await hand.type("Springer Felix vier")
        await hand.do({"do": "press"})
        await page.locator("tr.wanting", has_text="unconfirmed (speech)").wait_for()
        await page.locator("[aria-live=polite]", has_text="demo: ").wait_for()
        assert await page.locator("[aria-live=assertive] p").count() == 0
        await page.locator("tr.wanting .black", has_text="▶").wait_for()
        await page.keyboard.press("Enter")  # in the search field: the next table that wants him
        assert await page.evaluate("document.activeElement.textContent") == "demo"
        await page.locator("#show").select_option("wanting")
        assert await page.locator("#glance tbody tr:visible").count() == 1
        assert await violations(page) == []
        assert await page.locator("[aria-live]").count() == 2
        await page.set_viewport_size({"width": 320, "height": 640})
        await page.locator("#show").select_option("all")
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320
        assert await violations(page) == []
        # Looked at on its own page, it is new no more.
        await page.get_by_role("link", name="demo").press("Enter")
        await page.locator("#alerts .alert-line").first.wait_for()
        await page.get_by_role("link", name="All tables").click()
        await page.locator("#glance tbody tr").first.wait_for()
        assert await page.locator("tr.wanting .alerts", has_text="new").count() == 0
        assert watched.complaints == [] and watched.foreign == []


async def test_a_round_is_opened_out_of_a_file(house: House, browser: Browser) -> None:
    chief = await hall_arbiter(house)
    async with opened(browser, house, chief, "/tables", viewport={"width": 320, "height": 700}) as watched:
        page = watched.page
        file = {"name": "round3.pgn", "mimeType": "application/x-chess-pgn", "buffer": PGN.encode()}
        await page.locator("#file").set_input_files({**file, "buffer": b"nothing"})  # type: ignore[arg-type]
        await page.get_by_role("button", name="Preview").press("Enter")
        await page.locator("#opening-said", has_text="neither TRF").wait_for()
        await page.locator("#file").set_input_files(file)  # type: ignore[arg-type]
        await page.get_by_role("button", name="Preview").press("Enter")
        await page.get_by_role("checkbox", name="White: Anna Fried").press("Space")
        assert await page.locator("#opening-said").inner_text() == "", "the fault of the file before is gone"
        assert await violations(page) == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320
        await page.get_by_role("button", name="Open tables: 2").press("Enter")
        await page.locator("#glance tbody tr", has_text="Cesar Coe").wait_for()
        assert house.hall.tables["r3-b1"].state.table.white.kind == "tactile"
        await page.locator("#one-white").fill("Ida")
        await page.locator("#one-black").fill("Jo")
        await page.get_by_role("button", name="Add table").press("Enter")
        # The time is said out in words before anything is opened: minutes are not taken for seconds.
        said = page.locator("#open-control-said")
        assert await said.inner_text() == "1 hour 30 minutes + 30 seconds"
        for written, words in (
            ("90+30", "1 hour 30 minutes + 30 seconds"),
            ("ninety", "This was not understood."),
            ("40/90+30:30+30", "40 / 1 hour 30 minutes + 30 seconds : 30 minutes + 30 seconds"),
        ):
            await page.locator("#open-control").fill(written)
            assert await said.inner_text() == words
        # What is chosen is kept for the next rounds, and a profile out of a file comes in its place.
        await page.locator("#open-control").fill("Rapid")
        assert await said.inner_text() == "15 minutes + 10 seconds"
        await page.get_by_role("checkbox", name="Games may be adjourned").check()
        await page.get_by_role("button", name="Keep for the next rounds").press("Enter")
        await page.locator("#opening-said", has_text="Kept").wait_for()
        kept = kept_profile(house.hall.data)
        assert (kept.control, kept.regulations.guidelines) == ("Rapid", ("I",))
        profile = {"name": "city.toml", "mimeType": "application/toml"}
        for text, told in (("rated = 3", "city.toml, key rated"), ('language = "hu"\ndisplay_delay_s = 60', "loaded")):
            await page.locator("#profile").set_input_files({**profile, "buffer": text.encode()})  # type: ignore[arg-type]
            await page.get_by_role("button", name="Load").press("Enter")
            await page.locator("#opening-said", has_text=told).wait_for()
        assert await page.locator("#open-delay option:checked").inner_text() == "1 minute"
        assert await page.locator("#open-control").input_value() == ""
        assert await violations(page) == []
        await page.locator("#open-control").fill("40/90+30:30+30")
        await page.get_by_role("button", name="Open tables: 1").press("Enter")
        await page.locator("#glance tbody tr", has_text="Ida").get_by_role("link").press("Enter")
        await page.locator("header .state", has_text="Connected").wait_for()
        assert await page.locator("#who").inner_text() == "Arbiter – 1", "a table by hand has a number, no riddle"
        opened_one = house.hall.tables["1"].state
        assert opened_one.time.clock.control.text == "40/5400+30:1800+30"
        assert (opened_one.table.white.language, opened_one.stations.display_delays) == ("hu", (("", 60),))
        assert watched.foreign == [] and all("400" in one for one in watched.complaints)
