"""A whole game by display and two keys: the page of docs is what a player reads; and the same against a browser."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest
from playwright.async_api import Browser, Page, async_playwright, expect

from braille.loading import load_profile
from tests.browser.conftest import BRIEF
from tests.browser.test_pages import opened
from tests.conftest import chromium_path
from tests.waiting import PATIENCE_MS
from tests.web.braille_game import GAME, PAGE, Game, against_a_line, page_of, played_by, repeated

pytestmark = pytest.mark.needs("brltty")


def expect_whole(game: Game) -> None:
    """The record holds the game as it was played, and every announcement of White was echoed and pressed."""
    state, board = game.state, chess.Board()
    for san in GAME.split():
        board.push_san(san)
    assert state.moves.line == tuple(move.uci() for move in board.move_stack)
    assert state.ending.result == "1-0" and all(one.completed for one in state.moves.plies)
    assert all(one.echo_agrees for one in state.moves.plies), [
        one.index for one in state.moves.plies if not one.echo_agrees
    ]
    assert len(state.scores.white) == len(GAME.split()) and all(state.scores.white)
    assert state.moves.plies[4].announcement is not None and state.moves.plies[4].announcement.to_square == "d4"


@pytest.mark.law("L182", "L187", "L197", "L192")
async def test_the_page_of_docs_is_what_a_deaf_blind_player_reads(tmp_path: Path) -> None:
    game = await against_a_line(tmp_path)
    expect_whole(game)
    texts = [text for _, _, text in game.rows]
    assert any(text.endswith("Wiederholung") for text in texts), "an echo that is due is shown"
    assert not any(":" in text and text[0].isdigit() for text in texts[:6]), "no time that was not asked for"
    assert page_of(game.rows) == PAGE.read_text("utf-8"), "python -m tests.web.braille_game writes the page anew"


class ByPage:
    """Black at the page of a sighted player, in Chromium."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def echo(self, move: chess.Move) -> None:
        """Black repeats White's move and carries it out on Black's own board."""
        await self._page.locator("#field").fill(repeated(move))
        await self._page.locator("#field").press("Enter")
        await expect(self._page.locator("#field")).to_have_value("")
        await self._squares(move)

    async def move(self, move: chess.Move) -> None:
        await self._squares(move)

    async def press(self) -> None:
        await self._page.keyboard.press("Control+Enter")

    async def offer_draw(self) -> None:
        await self._page.locator("summary", has_text="Draw, resignation, arbiter").press("Enter")
        await self._page.get_by_role("button", name="Offer a draw").press("Enter")
        await self._page.get_by_role("dialog").get_by_role("button", name="Yes").press("Enter")

    async def _squares(self, move: chess.Move) -> None:
        start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
        for square in (start, end):
            await self._page.locator("#board button", has_text=square).click()
        await expect(self._page.locator("#board button", has_text=f"{start} empty")).to_be_visible()


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.needs("chromium")
@pytest.mark.law("L182", "L187", "L197")
async def test_the_same_game_against_a_player_at_a_browser(tmp_path: Path) -> None:
    async with async_playwright() as playwright:
        browser: Browser = await playwright.chromium.launch(
            timeout=PATIENCE_MS, executable_path=chromium_path(), args=BRIEF
        )
        async with played_by(tmp_path) as opened_table:
            black = await opened_table.visitor("sighted")
            async with opened(browser, opened_table.house, black) as watched:
                game = await opened_table.play(ByPage(watched.page))
                assert watched.complaints == []
        await browser.close()
    expect_whole(game)


@pytest.mark.parametrize("name", ["de", "computer-de"])
def test_the_page_shows_cells_of_both_codes(name: str) -> None:
    """What White writes is in the six-dot code, what White reads in computer braille."""
    page, code = PAGE.read_text("utf-8"), load_profile(name)
    assert code.pieces["knight"].cells + code.files["f"] + code.digits["3"] in page
