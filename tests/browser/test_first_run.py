"""A newcomer's way (docs/first-run.md) goes as written, and what newcomers stumbled over stays mended."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, Playwright, expect

from server.game.values.words import Seat
from tests.browser import first_run
from tests.browser.test_pages import opened
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")

MOST_ACTS = 7
"""What a newcomer may have to do between `make run` and the first completed move, arbiter and player together."""


@pytest.mark.slow
@pytest.mark.needs("vosk")
async def test_from_the_terminal_to_the_first_spoken_move(
    tmp_path: Path, playwright: Playwright, capsys: pytest.CaptureFixture[str]
) -> None:
    acts = await first_run.main(tmp_path, playwright)
    assert len(acts) <= MOST_ACTS, acts
    assert "Then the arbiter starts White's clock" in capsys.readouterr().out
    assert len(list(tmp_path.glob("first-run-*.png"))) == 4


@pytest.mark.parametrize("page", ["tactile", "sighted"])
async def test_the_page_says_that_the_game_has_not_begun_and_which_key_talks(
    house: House, browser: Browser, page: str
) -> None:
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, await house.station(page, Seat.WHITE)) as watched:
        shown = watched.page.locator("#last")
        await shown.get_by_text("The game has not started.").wait_for()
        await watched.page.locator("#talk small", has_text="F9").wait_for()
        await watched.page.get_by_label("Language", exact=True).select_option("de")
        await watched.page.locator("#last", has_text="Die Partie hat noch nicht begonnen.").wait_for()
        await desk.do({"do": "start_game"})
        await watched.page.locator("#last", has_text="Die Partie hat begonnen").wait_for()
        await watched.page.locator("#field").fill("e4")
        await watched.page.locator("#field").press("Enter")
        await watched.page.locator("#last", has_text="Eva vier").wait_for()
        await watched.page.locator("#language").select_option("en")
        await watched.page.locator("#talk small", has_text="hold while speaking").wait_for()
        await expect(shown).to_contain_text("Eva vier")  # another language does not wipe the last message
        assert watched.complaints == []
