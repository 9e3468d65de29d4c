"""The line above talk and press: an offer, a question, a fallen flag, the result; each is answered there, in words."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, expect

from server.game.values.words import Duty, Seat
from tests.browser.test_everything_by_keys import Noted
from tests.browser.test_pages import GREETED_AGAIN, drawn, opened, violations
from tests.browser.test_sighted_page import TWICE
from tests.waiting import until
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


async def typed(page: Page, text: str) -> None:
    await page.locator("#field").fill(text)
    await page.locator("#field").press("Enter")


@pytest.mark.law("L101", "L207")
async def test_an_offer_to_who_does_not_hear_is_shown_until_they_have_seen_it_on_a_new_page_too(
    house: House, browser: Browser
) -> None:
    """D.2.11: it lapses by their move only then (9.1.2.1), and a page that is loaded again asks for it again."""
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    await house.station("assistant", Seat.BLACK, Duty.ANNOUNCE)
    await desk.do({"do": "describe_player", "seat": "black", "hearing_impaired": True})
    await desk.do({"do": "start_game"})
    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        page, dialog = watched.page, watched.page.get_by_role("dialog")
        await white.type("Bauer Eva vier")
        await white.do({"do": "offer_draw"})
        await expect(dialog).to_contain_text("Your opponent offers a draw.")
        await page.reload()
        await expect(dialog).to_contain_text("Your opponent offers a draw.")
        await page.evaluate(GREETED_AGAIN)
        await expect(dialog).to_have_count(1)
        assert not house.table.state.draws.offer_delivered
        await dialog.get_by_role("button").press("Enter")
        await until(lambda: house.table.state.draws.offer_delivered)
        await page.reload()
        await expect(page.locator("#due")).to_contain_text("Your opponent offers a draw.")
        await expect(dialog).to_have_count(0)
        await page.locator("#due").get_by_role("button", name="Decline").click()
        await expect(page.locator("#last")).to_have_text("You have declined the draw.")
        assert watched.complaints == []


async def test_an_answer_that_is_pressed_twice_answers_one_question(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second press, before the answer to the first, would be the answer to the next question."""
    noted, desk = Noted(house, monkeypatch), await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    async with opened(browser, house, await house.station("sighted", Seat.WHITE)) as watched:
        page = watched.page
        await typed(page, "resign")
        await expect(page.locator("#due")).to_contain_text("Do you resign?")
        await page.evaluate(TWICE + "document.querySelector('#due-acts > :last-child').click()")
        await expect(page.locator("#last")).to_have_text("You have not resigned.")
        await typed(page, "time")
        await expect(page.locator("#last")).to_contain_text("minutes")
        assert sum(isinstance(one, dict) and one["do"] == "confirm" for one in noted.said) == 1


@pytest.mark.law("L036", "L064", "L099", "L105")
async def test_what_is_due_stands_above_the_press_and_every_act_is_answered_in_words(
    house: House, browser: Browser
) -> None:
    """9.1.2.1, 6.8, 8.7: by the sighted player, who had no way to approve; nothing of it hints at the position."""
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    async with opened(browser, house, await house.station("sighted", Seat.BLACK), requests=True) as watched:
        page = watched.page
        due, last = page.locator("#due"), page.locator("#last")
        act = due.get_by_role("button")
        await desk.do({"do": "start_game"})
        await expect(last).to_have_text("The game has started.")
        await expect(due).to_be_hidden()
        await white.type("Bauer Eva vier")
        await white.do({"do": "offer_draw"})
        await white.do({"do": "press"})
        await expect(due).to_contain_text("Your opponent offers a draw.")
        # Accepted in a typed word it is asked about once; a no ends the question, and the offer still stands.
        await typed(page, "accept draw")
        await expect(due).to_contain_text("Do you accept the draw?")
        await act.get_by_text("No", exact=True).click()
        await expect(last).to_have_text("It stays as it was.")
        await expect(due).to_contain_text("Your opponent offers a draw.")
        await act.get_by_text("Decline").click()
        await expect(last).to_have_text("You have declined the draw.")
        await expect(due).to_be_hidden()
        # A typed promotion without its piece is asked about, from the words alone: by a button here, or by its word.
        await typed(page, "e1")
        await expect(due).to_contain_text("Promote to which piece?")
        await expect(act).to_have_text(["queen", "rook", "bishop", "knight"])
        assert await violations(page) == []  # here, where no time runs for the answer
        await act.get_by_text("rook").click()
        await expect(last).to_contain_text("Turm")
        await expect(due).to_be_hidden()
        # A question about the player's own word goes with a no that is typed, and by itself when a yes counts no more.
        await typed(page, "resign")
        await expect(due).to_contain_text("Do you resign?")
        await typed(page, "no")
        await expect(last).to_have_text("You have not resigned.")
        await expect(due).to_be_hidden()
        # Pause, time and resumption are said in words to who sees the clocks too.
        await desk.do({"do": "pause"})
        await expect(last).to_have_text("The clocks are stopped.")
        await desk.do({"do": "add_time", "seat": "black", "ms": 60_000, "reason": "noise", "article": "12.5"})
        await desk.do({"do": "resume"})
        # It takes the place of nothing that was said just before it.
        await expect(last).to_contain_text("1 minute")
        await expect(last).to_contain_text("Play continues.")
        # A fallen flag offers its claim.
        await desk.do({"do": "set_clock", "white_ms": 0, "black_ms": 60_000, "turn": "black", "reason": "noise"})
        await act.get_by_text("Claim flag-fall").click()
        await expect(last).to_have_text("You have claimed the flag-fall. The arbiter decides. The clocks are stopped.")
        await expect(due).to_be_hidden()
        # After the game: the result to approve, the arbiter to call, and then what there is to look through.
        await desk.do({"do": "rule_result", "result": "0-1", "reason": "flag", "article": "6.9"})
        await expect(due).to_contain_text("Game over: 0-1 · a flag")
        await expect(page.locator("#press")).to_be_hidden()
        await act.get_by_text("Call the arbiter").click()
        await expect(last).to_have_text("You have called the arbiter.")
        await expect(page.locator("#after")).to_have_count(0)
        assert not [one for one in watched.finished if "/static/hall/" in one], "no board to look through before"
        await act.get_by_text("Approve").click()
        await expect(last).to_contain_text("You have approved the result: Black wins.")
        await until(lambda: house.table.state.ending.approvals == ((Seat.BLACK, "0-1"),))
        await page.reload()
        await expect(due).to_contain_text("Result approved: 0-1")
        await act.get_by_text("Score").click()
        await expect(page.locator("#score-title")).to_be_focused()
        # The game on a board, as displays have shown it: by button, by key in it, and in words.
        await act.get_by_text("Board").click()
        await expect(page.locator("#after-title")).to_be_focused()
        await expect(page.locator("#board")).to_be_hidden()
        await expect(page.locator("#after-at")).to_have_text("Starting position")
        await page.get_by_role("button", name="Move forward").press("Enter")
        await expect(page.locator("#after-at")).to_have_text("Position after 1. e4")
        await expect(page.locator("[aria-live=polite]")).to_contain_text("1. White: pawn Eva four.")
        await expect(page.locator("#after .went-to")).to_have_text("e4 White pawn, the last move went here")
        await page.locator("#after [role=gridcell][tabindex='0']").press("PageUp")
        await expect(page.locator("#after-at")).to_have_text("Starting position")
        await page.locator("#after-about").fill("e2")
        await page.locator("#after-about").press("Enter")
        await expect(page.locator("#after .hush")).to_contain_text("pawn")
        for size in ({"width": 360, "height": 640}, {"width": 390, "height": 844}, {"width": 1280, "height": 800}):
            await page.set_viewport_size(size)  # type: ignore[arg-type]
            await act.get_by_text("Board").click()
            await expect(page.locator("#after-title")).to_be_focused()
            await drawn(page)
            assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            box = await page.locator("#after-board").bounding_box()
            bar = await page.locator(".hand").bounding_box()
            assert box and bar and box["y"] >= 0 and box["y"] + box["height"] <= bar["y"], (size, box, bar)
        assert await violations(page) == []
        # Another result is approved anew, and until then there is nothing to look through.
        await desk.do({"do": "rule_result", "result": "1/2-1/2", "reason": "corrected", "article": "8.7"})
        await expect(page.locator("#after")).to_be_hidden()
        await act.get_by_text("Approve").click()
        await expect(page.locator("#after")).to_be_visible()
        await desk.do({"do": "release_review", "released": True})
        await expect(due.get_by_role("link", name="Review")).to_be_visible()
        assert await violations(page) == []
        assert watched.complaints == []
