"""The sighted player's page: what he may claim and announce, the legend, and the opponent's words only in relay."""

from __future__ import annotations

import msgspec
import pytest
from playwright.async_api import Browser

from server.play.values import Seat
from tests.browser.test_pages import opened, violations
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.law("L231")
@pytest.mark.parametrize("chess960", [True, False])
async def test_about_to_castle_is_there_in_chess960_alone(house: House, browser: Browser, chess960: bool) -> None:
    first = house.table.state.positions[0]
    positions = (msgspec.structs.replace(first, chess960=chess960),)
    house.table.state = msgspec.structs.replace(house.table.state, positions=positions)
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, await house.station("sighted", Seat.WHITE)) as watched:
        page = watched.page
        await desk.do({"do": "start_game"})
        await page.locator("summary", has_text="Draw, resignation").press("Enter")
        castle = page.get_by_role("button", name="I am about to castle")
        assert await castle.is_visible() is chess960
        if chess960:
            await castle.press("Enter")
            await desk.until(event="castling_meant", seat="white")


async def test_a_player_whose_board_is_not_to_be_shown_finds_no_empty_one(house: House, browser: Browser) -> None:
    """A low-vision player's or a tactile seat's page of this kind has no board to look at: it is not there at all."""
    async with opened(browser, house, await house.station("sighted", Seat.WHITE)) as watched:
        assert not await watched.page.locator("#board").is_visible()
        assert await violations(watched.page) == []
    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        assert await watched.page.locator("#board").is_visible()


async def test_a_draw_is_claimed_by_keyboard_and_asked_about_first(house: House, browser: Browser) -> None:
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        page = watched.page
        await desk.do({"do": "start_game"})
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        await page.locator("summary", has_text="Draw, resignation").press("Enter")
        claim = page.get_by_role("button", name="Claim a draw")
        await claim.press("Enter")
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("button", name="No").press("Enter")
        assert house.table.state.claim is None
        await claim.press("Enter")
        assert await violations(page) == []
        await dialog.get_by_role("button", name="Yes").press("Enter")
        await desk.until(event="draw_claimed", seat="black")


async def test_the_opponents_words_are_large_in_relay_and_nowhere_otherwise(house: House, browser: Browser) -> None:
    """At the table the players speak to each other; the legend is always there, and needs no unfolding."""
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        page = watched.page
        assert await page.locator("#legend li").count() == 8
        assert await page.locator("#legend li").last.is_visible()
        assert (await page.locator("#legend li").first.inner_text()).split() == ["a", "1", "Anna", "eins"]
        await desk.do({"do": "start_game"})
        await page.locator("#last", has_text="Nothing yet").wait_for()  # no more "has not begun"
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        await page.locator(".clock.running", has_text="Black").wait_for()
        assert "Eva" not in await page.locator("#last").inner_text()
        await desk.do({"do": "record_adaptation", "name": "machine_announces", "value": "approved"})
        assert (await desk.do({"do": "set_mode", "mode": "relay"}))["outcome"]["ok"]
        await page.locator("#last", has_text="carries the words").wait_for()
        black = await (await house.station("sighted", Seat.BLACK)).line()
        await black.type("Bauer Eva fuenf")
        await black.do({"do": "press"})
        await white.type("Bauer Eva fuenf")  # his echo comes first
        await white.type("Springer Felix drei")
        await page.locator("#last", has_text="Springer Felix drei").wait_for()
        size = await page.evaluate("parseFloat(getComputedStyle(document.getElementById('last')).fontSize)")
        assert size >= 24
