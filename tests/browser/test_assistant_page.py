"""The assistant's page: in each duty alone and in all six, by thumb, with what is due in one bar (D.2.10, D.2.11)."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, expect

from server.game.values.words import Duty, Seat
from tests.browser.test_pages import opened, violations
from tests.browser.test_station_in_the_hand import BOXES, touched
from tests.waiting import until
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")

THERE = {
    Duty.EXECUTE: {"#due"},
    Duty.ANNOUNCE: {"#field", "#whose", "#talk"},
    Duty.SCORE_AND_CLOCK: {"#press", "#write"},
    Duty.INFORM: {"[data-ask=time]"},
    Duty.CLAIM_AND_REPORT: {"#touch", "[data-sure='sure.flag']"},
    Duty.ADJOURN: set(),
}
"""What each duty brings to the page; the move to seal has its field when it is ordered."""
EVERYTHING = sorted(set().union(*THERE.values()))
SIZES = ((1280, 800), (390, 844), (360, 640), (740, 360), (320, 200))


async def visible(page: Page) -> set[str]:
    return {one for one in EVERYTHING if await page.locator(one).is_visible()}


async def said(page: Page, text: str) -> None:
    await expect(page.locator("#last")).to_contain_text(text)


@pytest.mark.law("L199", "L200", "L201", "L203", "L204", "L205")
async def test_an_assistant_has_what_is_granted_in_one_bar_and_every_act_is_answered(
    house: House, browser: Browser
) -> None:
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    helpers = {duty: await house.station("assistant", Seat.WHITE, duty) for duty in Duty}
    every = await house.station("assistant", Seat.WHITE, *Duty)
    await desk.do({"do": "settle_guidelines", "adjournments": True, "quickplay": False})
    await desk.do({"do": "start_game"})
    await white.type("Bauer Eva vier")
    for duty, helper in helpers.items():
        async with opened(browser, house, helper, **touched((390, 844))) as watched:
            await watched.page.locator("#duties li").first.wait_for()
            assert await visible(watched.page) == THERE[duty], duty
            assert await violations(watched.page) == [], duty
            assert watched.complaints == []
            if duty is not Duty.ADJOURN:
                continue
            await watched.page.locator("#last", has_text="Bauer Eva vier").wait_for()
    async with opened(browser, house, every, **touched((390, 844))) as watched:
        page = watched.page
        due, act = page.locator("#due"), page.locator("#due").get_by_role("button")
        # What the player said, and whose it is; made on the other board, and answered.
        await expect(due).to_contain_text("White: Bauer Eva vier")
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            boxes = await page.evaluate(BOXES, ["#press", "#talk"])
            assert all(box["seen"] and box["bottom"] <= height for box in boxes.values()), (width, boxes)
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
        await page.set_viewport_size({"width": 390, "height": 844})
        # A player's words may also repeat the opponent's move: the assistant sees which board it is.
        await expect(act).to_have_text(["Made: White's board", "Made: Black's board"])
        await act.get_by_text("Made: Black's board").click()
        await said(page, "Made: Black's board")
        # Then the press is due, when the player asks for it, and no longer than that; it is heard too.
        await expect(due).to_contain_text("Press the clock when your player asks for it.")
        await expect(page.locator("body > [role=status]")).to_contain_text(
            "Press the clock when your player asks for it."
        )
        await page.locator("#press").click()
        await expect(due).not_to_contain_text("asks for it")
        # The opponent's move is announced as the opponent's.
        await page.locator("#whose").get_by_label("Black").check()
        await expect(page.locator("#talk")).to_be_hidden()  # a voice at this seat is the own player's
        await page.locator("#field").fill("Bauer Eva fuenf")
        await page.locator("#field").press("Enter")
        await expect(due).to_contain_text("Black: Bauer Eva fünf – Still to be repeated: White.")
        await expect(page.locator("body > [role=status]")).to_contain_text("Still to be repeated: White.")
        await expect(act).to_have_text(["Repeat: White", "Made: White's board"])
        await expect(page.locator("#last-by")).to_have_text("Black")
        assert house.table.state.moves.plies[1].seat is Seat.BLACK
        # The player repeats it aloud, or has it repeated: one touch, and it is due no longer (D.2.1).
        await act.get_by_text("Repeat: White").click()
        await expect(act).to_have_text(["Made: White's board"])
        await until(lambda: house.table.state.moves.plies[1].echoed)
        # The set-up is read in the language of this page.
        await page.get_by_role("button", name="Read out the set-up").click()
        await said(page, "White: Turm Anna eins")
        # A touch runs no clock down; the flag is asked about once.
        await page.locator("#touch-square").fill("e7")
        await page.get_by_role("button", name="Report", exact=True).click()
        await said(page, "Reported: e7, touched. The clocks run on.")
        assert house.table.state.time.clock.running is Seat.BLACK
        await page.locator("[data-ask=time]").click()
        await said(page, "The player's time:")
        await page.get_by_role("button", name="Claim flag-fall").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("button", name="No").click()
        assert house.table.state.time.clock.running is Seat.BLACK
        # A word that claims it is asked about in the same way.
        await page.locator("#field").fill("flag fall")
        await page.locator("#field").press("Enter")
        await dialog.get_by_role("heading", name="The clocks stop.").wait_for()
        await dialog.get_by_role("button", name="No").click()
        assert house.table.state.time.clock.running is Seat.BLACK
        assert await violations(page) == []
        # A move to seal is due in the bar, and so is its envelope.
        await (await (await house.station("sighted", Seat.BLACK)).line()).do({"do": "press"})
        assert (await desk.do({"do": "order_seal"}))["outcome"]["ok"]
        await expect(due).to_contain_text("Your player must seal a move")
        await page.locator("#field").fill("Springer Felix drei")
        await page.locator("#field").press("Enter")
        await expect(due).to_contain_text("A move is in the envelope")
        await page.reload()  # by then the page does not know what lies in it, and it is closed all the same
        await act.get_by_text("Close the envelope").click()
        await said(page, "Your envelope is closed.")
        await until(lambda: house.table.state.adjournment is not None and house.table.state.adjournment.closed)
        assert watched.complaints == []


@pytest.mark.law("L200", "L201", "L206", "L207")
async def test_for_a_deaf_opponent_in_relay_the_page_says_whose_words_they_are(house: House, browser: Browser) -> None:
    """D.2.11: by keyboard and by ear alone, as a screen reader reads the live regions."""
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    carries = await house.station("assistant", Seat.BLACK, Duty.EXECUTE, Duty.ANNOUNCE)
    makes = await house.station("assistant", Seat.BLACK, Duty.EXECUTE)
    for body in (
        {"do": "describe_player", "seat": "black", "hearing_impaired": True},
        {"do": "record_adaptation", "name": "machine_announces", "value": "on", "approved": True},
        {"do": "set_mode", "mode": "relay"},
        {"do": "start_game"},
    ):
        assert (await desk.do(body))["outcome"]["ok"], body
    async with opened(browser, house, carries) as watched, opened(browser, house, makes) as other:
        page, heard = watched.page, watched.page.locator("body > [role=status]")
        due = page.locator("#due")
        await white.type("Bauer Eva vier")
        await expect(heard).to_contain_text("White: Bauer Eva vier")
        await expect(heard).to_contain_text("Still to be repeated: Black.")
        await due.get_by_role("button").last.press("Enter")
        await expect(heard).to_contain_text("Made: Black's board")
        await expect(page.locator("#last")).to_be_focused()
        # An offer reaches the deaf player through who brings the words, and through nobody else (9.1.2.1).
        await white.do({"do": "offer_draw"})
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("told to Black: Your opponent offers a draw.")
        assert await violations(page) == []
        await page.reload()  # it is shown until it has been seen
        await expect(dialog).to_contain_text("told to Black: Your opponent offers a draw.")
        await other.page.reload()
        await dialog.get_by_role("button").press("Enter")
        await until(lambda: house.table.state.draws.offer_delivered)
        await expect(other.page.locator("#last")).to_have_text("Your opponent offers a draw.")
        await expect(other.page.get_by_role("dialog")).to_have_count(0)
        await white.do({"do": "press"})
        # The deaf player's repetition and own move: it is said whose they are, and White is told of the move.
        await due.get_by_role("button", name="Repeat: Black").press("Enter")
        await expect(heard).to_contain_text("Black: Bauer Eva vier")
        await expect(due).not_to_contain_text("Still to be repeated")
        await page.locator("#field").fill("Bauer Eva sechs")
        await page.locator("#field").press("Enter")
        await expect(heard).to_contain_text("Black: Bauer Eva sechs")
        said = await white.until(type="relayed")
        assert said["message"]["words"] == ["piece.pawn", "file.e", "rank.6"]
        await black.do({"do": "press"})
        assert watched.complaints == [] and other.complaints == []
