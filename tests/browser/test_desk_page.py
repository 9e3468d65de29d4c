"""The reconciliation desk on the arbiter's page: a divergence marked, explained, settled and confirmed (D.2.9)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright, expect

from server.play.values import Seat
from tests.browser.test_pages import ARGS, opened, violations
from tests.conftest import chromium_path
from tests.web.open_house import House, open_house

pytestmark = pytest.mark.needs("chromium")

AFTER_E6 = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "data") as open_one:
        yield open_one


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=chromium_path(), args=ARGS)
        yield started
        await started.close()


@pytest.mark.law("L197")
async def test_a_divergence_is_settled_at_the_desk_by_keyboard(house: House, browser: Browser) -> None:
    """1.e4 e6 was announced; the tactile board shows e5. The arbiter marks it, types two lines, decides, confirms."""
    arbiter = await house.arbiter()
    desk = await arbiter.line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    await desk.do({"do": "start_game"})
    for mover, other, word in ((white, black, "Eva vier"), (black, white, "Eva sechs")):
        await mover.type(word)
        await mover.do({"do": "press"})
        await other.type(word)
    await white.do({"do": "execute"})
    async with opened(browser, house, arbiter) as visitor:
        page = visitor.page
        await page.locator("#desk > summary").press("Enter")
        await page.locator("#desk-open").press("Enter")
        await page.locator("#desk-body").wait_for()
        assert house.table.state.clock.running is None
        board = page.locator("#desk-white")
        await board.get_by_role("button", name="e6").press("Enter")  # empty is chosen: what stood there goes
        await page.get_by_label("Man to set").select_option("p")
        await board.get_by_role("button", name="e5").press("Enter")
        await page.locator("#desk-show-white").press("Enter")
        await page.locator("#desk-show-black").press("Enter")
        explanation = page.locator("#desk-explanations li").first
        await expect(explanation).to_contain_text("set down elsewhere")
        await expect(explanation).to_contain_text("White's board")
        for ply, move in ((1, "e4"), (2, "e6")):
            for side in ("white", "black"):
                field = page.locator(f"#desk-{side}-{ply}")
                await field.fill(move)
                await field.press("Tab")
        await expect(page.locator("#desk-answer")).to_contain_text("The scores agree")
        await expect(page.locator("#desk-answer")).to_contain_text("Every board is accounted for")
        await expect(page.locator("#desk-white-2-read")).to_contain_text("understood: e6")
        await page.locator("#desk-sheet-white").fill("1. e4 e6")
        await page.locator("#desk-sheet-black").fill("1. e4 e6")
        await page.get_by_role("button", name="Compare").press("Enter")
        await expect(page.locator("#desk-compared")).to_contain_text("The scores agree")
        await expect(page.locator("#desk-compared")).to_contain_text("Most likely: 1. e4 e6")
        assert await violations(page) == []
        await page.locator("#desk-adjust").press("Enter")
        await expect(page.locator("#desk-answer")).to_contain_text("To set on White's board: e5 empty, e6 Black pawn")
        for side in ("white", "black"):
            await page.locator(f"#desk-confirm-{side}").press("Enter")
        await page.locator("#desk-body").wait_for(state="hidden")
        state = house.table.state
        assert state.desk is None
        assert state.white_board.position.placement == state.black_board.position.placement == AFTER_E6
        await page.get_by_role("button", name="Go on").press("Enter")
        await expect(page.locator("#said")).to_contain_text("Done")
    assert house.table.state.clock.running is Seat.WHITE
    while True:
        said = await white.next()
        if said.get("kind") == "message" and said["message"]["type"] == "board_to_set":
            break
    assert said["message"]["squares"] == [
        {"square": "e5", "should_be": None},
        {"square": "e6", "should_be": "p"},
    ]
