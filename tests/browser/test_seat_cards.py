"""From a profile and a pairing file to printed cards, and in with what stands on one: no card is cut on paper."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from server.game.values.words import Role, Seat
from tests.browser.test_pages import opened, violations
from tests.waiting import PATIENCE_MS
from tests.web.open_house import House
from tests.web.test_all_tables import hall_arbiter

pytestmark = pytest.mark.needs("chromium")

BOARDS = 7
ROUND = "\n".join(
    f'[White "Anna {board}"]\n[Black "Hector {board}"]\n[Round "5.{board}"]\n' for board in range(1, BOARDS + 1)
)
PROFILE = 'control = "rapid"\nlanguage = "de"\nsighted_language = "en"\n'


async def printed(page: Page, folder: Path) -> list[str]:
    """The text of each page of paper."""
    file = folder / "cards.pdf"
    file.write_bytes(await page.pdf(prefer_css_page_size=True))
    ran = subprocess.run(["pdftotext", "-layout", str(file), "-"], capture_output=True, text=True, check=True)
    return ran.stdout.split("\f")[:-1]


@pytest.mark.needs("pdftotext")
async def test_a_round_with_a_profile_all_its_cards_and_a_device_that_comes_in_with_one(
    house: House, browser: Browser, tmp_path: Path
) -> None:
    chief = await hall_arbiter(house)
    size = {"width": 1280, "height": 800}
    async with opened(browser, house, chief, "/tables", requests=True, viewport=size) as watched:
        page = watched.page
        for field, name, text in (("#profile", "city.toml", PROFILE), ("#file", "round5.pgn", ROUND)):
            await page.locator(field).set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
        await page.get_by_role("button", name="Load").click()
        await page.locator("#opening-said", has_text="Profile loaded").wait_for()
        await page.get_by_role("button", name="Preview").click()
        for board in range(1, BOARDS + 1):
            kind = page.get_by_role("combobox", name=f"White: Anna {board}")
            await kind.select_option(label="tactile board")
        await page.get_by_role("button", name=f"Open tables: {BOARDS}").click()
        await page.locator("#glance tbody tr", has_text="Hector 7").wait_for()
        assert house.hall.tables["r5-b1"].state.time.clock.control.text == "900+10"
        # One act makes the cards of all seats of the round.
        await page.get_by_label("Seat cards for").select_option("round:5")
        await page.get_by_role("button", name="Open seat cards").click()
        await page.locator("#state", has_text="The codes are valid until").wait_for()
        await expect(page.locator(".card")).to_have_count(2 * BOARDS)
        assert await violations(page) == []
        await page.set_viewport_size({"width": 320, "height": 640})
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320
        assert await violations(page) == []
        sheets = await printed(page, tmp_path)
        assert 3 <= len(sheets) <= 6, len(sheets)
        for sheet in sheets:
            heads = re.findall(r"(?:Table|Tisch) (?:\W*)r5-b\d", sheet)
            ends = re.findall(r"say nothing else|Schiedsrichter rufen", sheet)
            assert len(heads) == len(ends) == len(re.findall(r"#join|[a-h]\d [a-h]\d [a-h]\d", sheet)) > 0, sheet
        assert "Make the codes" not in "".join(sheets), "what is for the screen is not printed"
        # A player's device comes in with what stands on its card, once the arbiter says yes.
        white = page.locator(".card").first
        assert "Anna 1" in await white.inner_text() and await white.get_attribute("lang") == "de"
        code = await white.locator("dd b").inner_text()
        guest = await browser.new_context(locale="en-GB", service_workers="block")
        guest.set_default_timeout(PATIENCE_MS)
        device = await guest.new_page()
        await device.goto(house.base)
        await device.locator("#code").fill(code)
        await device.locator("#code").press("Enter")
        await device.locator("#waiting").wait_for()
        desk = await chief.get("/api/introductions?page=arbiter&table=r5-b1")
        (waiting,) = desk[1]["waiting"]
        admitted = await chief.post(f"/api/introductions/{waiting['id']}?page=arbiter&table=r5-b1", {"admit": True})
        assert admitted[0] == 200
        await device.wait_for_url("**/tactile?table=r5-b1&seat=white")
        assert house.hall.tables["r5-b1"].state.stations.at(Role.PLAYER, Seat.WHITE)
        await guest.close()
        await page.reload()
        await white.locator("text=No code is open for this seat.").wait_for()  # in the language that its player chose
        # New codes for all shut out everybody who has a card: nothing is made without a yes.
        for answer in ("Escape", "Yes"):
            await page.get_by_role("button", name="New codes for all").click()
            asked = page.get_by_role("dialog", name="New codes for all? The cards already handed out")
            await asked.wait_for()
            if answer == "Escape":
                assert await violations(page) == []
                await page.keyboard.press(answer)
                await expect(asked).to_be_hidden()
                await expect(white).to_contain_text("No code is open for this seat.")
            else:
                await asked.get_by_role("button", name=answer).press("Enter")
        await white.locator("dd b").wait_for()
        assert await white.locator("dd b").inner_text() != code
        async with page.expect_download() as labels:
            await page.get_by_role("link", name="Braille labels").click()
        assert (await labels.value).suggested_filename == "seat-cards.brf"
        assert watched.complaints == [] and watched.foreign == []
