"""Whose table this is, and what it waits for, stands where the eye falls first; words that were not taken give way."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from server.game.values.words import Duty, Role, Seat
from server.web.door.access import Place
from tests.browser.test_dead_hardware import becomes
from tests.browser.test_pages import opened, violations
from tests.waiting import until
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.law("L135")
async def test_an_arbiter_with_several_tables_sees_whose_page_it_is_and_decides_a_claim_from_its_alert(
    house: House, browser: Browser
) -> None:
    arbiter = await house.arbiter()
    white = await house.station("tactile", Seat.WHITE)
    black = await house.station("sighted", Seat.BLACK)
    line, other = await white.line(), await black.line()
    async with opened(browser, house, arbiter, viewport={"width": 1280, "height": 900}) as watched:
        page = watched.page
        await expect(page).to_have_title("demo – Arbiter – Anna Eins")
        await expect(page.locator("#who")).to_have_text("Arbiter – demo")
        await expect(page.locator("#clocks .player")).to_have_text(["Anna", "Hector"])
        await page.get_by_role("button", name="Start White's clock").click()
        await page.locator("#record", has_text="game started").wait_for()
        await line.do({"do": "say", "announcement": {"piece": "knight", "to_square": "f3"}})
        await line.do({"do": "press"})
        await other.do({"do": "claim_draw", "kind": "unstated"})
        button = page.locator("#alerts").get_by_role("button", name="Claim correct")
        await button.wait_for()
        assert await button.evaluate("one => one.getBoundingClientRect().bottom < innerHeight"), "without scrolling"
        # Both clocks set in the middle of a game: whose move it is stands there, White is not presumed.
        await page.locator("#act").select_option("set_clock")
        await expect(page.locator("#act-turn")).to_have_value("black")
        # A time is said out as it is written: minutes are not taken for hours.
        for field, said in (("#act-white-ms", "#act-white-ms-hint"), ("#correct-time", "#correct-time-said")):
            await page.locator(field).fill("1:30")
            await expect(page.locator(said)).to_have_text("1 minute 30 seconds")
            await page.locator(field).fill("1:30:00")
            await expect(page.locator(said)).to_have_text("1 hour 30 minutes")
        await page.locator("#language").select_option("de")
        await page.locator("#who", has_text="Schiedsrichter – demo").wait_for()
        await expect(page).to_have_title("(1) Remis reklamiert – demo – Schiedsrichter – Anna Eins")
        assert await violations(page) == []
        await page.locator("#alerts button.first").first.press("Enter")
        await until(lambda: house.table.state.ending.result == "1/2-1/2")


async def test_a_player_and_the_hall_read_who_plays(house: House, browser: Browser) -> None:
    for name, seat in (("sighted", Seat.BLACK), ("display", None)):
        async with opened(browser, house, await house.station(name, seat)) as watched:
            await expect(watched.page.locator("#clocks .player")).to_have_text(["Anna", "Hector"])
            await expect(watched.page.get_by_role("group", name="White Anna")).to_have_count(1)


async def test_on_a_phone_the_press_is_under_the_thumb_wherever_the_page_is(house: House, browser: Browser) -> None:
    phone = {"width": 360, "height": 640}
    async with opened(browser, house, await house.station("sighted", Seat.BLACK), viewport=phone) as watched:
        page = watched.page
        seen = "one => { const box = one.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }"
        for where in (0, 600, 9000):
            await page.evaluate(f"scrollTo(0, {where})")
            assert await page.locator("#press").evaluate(seen), where
        # What is below it is reached all the same: the last thing on the page scrolls clear of it.
        last = page.locator("summary").last
        await last.focus()
        clear = (
            "one => one.getBoundingClientRect().bottom <= document.getElementById('press').getBoundingClientRect().top"
        )
        assert await last.evaluate(clear)
        # A page zoomed to four times its size has no room for it there.
        await page.set_viewport_size({"width": 320, "height": 256})
        assert await page.locator("#press").evaluate("one => getComputedStyle(one).position") == "static"


async def test_words_that_were_not_taken_are_replaced_by_the_next_and_words_begun_meanwhile_stay(
    house: House, browser: Browser
) -> None:
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, await house.station("tactile", Seat.WHITE)) as watched:
        await desk.do({"do": "start_game"})
        # The lines of forty cells are those of what stands above them, of the page's own words too.
        await expect(watched.page.locator("#last")).to_have_text("The game has started.")
        await expect(watched.page.locator("#cells")).to_have_text("The game has started.")
        await desk.do({"do": "set_clock", "white_ms": 3_600_000, "black_ms": 3_600_000, "turn": "white"})
        # What the player's ear is told too comes in the seat's language.
        await expect(watched.page.locator("#cells")).to_contain_text("set the clock")
        await desk.do({"do": "pause"})
        await expect(watched.page.locator("#last")).to_have_text("The clocks are stopped.")
        await expect(watched.page.locator("#cells")).to_have_text("The clocks are stopped.")
        await desk.do({"do": "resume"})
        page, field = watched.page, watched.page.locator("#field")
        await field.focus()
        await page.keyboard.type("Springer Feliks dray")
        await page.keyboard.press("Enter")
        await page.locator("#last", has_text="not known").wait_for()
        selected = "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))"
        await becomes(page, f"{selected}(document.getElementById('field')) === 'Springer Feliks dray'")
        await page.keyboard.type("Springer Felix drei")
        await page.keyboard.press("Enter")
        await page.locator("#last", has_text="Springer Felix drei").wait_for()
        await expect(field).to_have_value("")
        # The answer comes while the player already writes on.
        await page.evaluate(
            """() => { const field = document.getElementById("field");
            field.value = "time"; field.form.requestSubmit(); field.value = "Bauer Eva vier"; }"""
        )
        await page.locator("#last", has_text="minutes").wait_for()
        assert await field.input_value() == "Bauer Eva vier"


@pytest.mark.law("L199")
async def test_what_an_assistant_may_do_is_settled_at_the_door(house: House, browser: Browser) -> None:
    async with opened(browser, house, await house.arbiter()) as watched:
        page = watched.page
        await page.locator("#invite-for").select_option("assistant-white")
        await page.get_by_role("button", name="Create code").press("Enter")
        text = page.locator("#invitation-text")
        await expect(text).to_contain_text("White's assistant")
        code = (await text.inner_text()).splitlines()[2]
        helper = house.visitor()
        await helper.post("/api/join", {"code": code})
        execute = page.locator("#devices").get_by_role("checkbox", name="Make the moves on the opponent's board")
        await execute.press("Space")
        # Another device comes to the door: what was ticked stays, and so does the focus.
        spare = house.access.invite(Place(table="demo", page="display"))
        await house.visitor().post("/api/join", {"secret": spare.secret, "label": "screen"})
        await page.locator("#devices", has_text="screen").wait_for()
        await expect(execute).to_be_checked()
        await expect(execute).to_be_focused()
        assert await violations(page) == []
        # The device that was to be refused is not admitted by the same Enter, nor the next one once it is gone.
        refuse = page.locator("#devices li", has_text="screen").get_by_role("button", name="Refuse")
        await refuse.focus()
        more = house.access.invite(Place(table="demo", page="display"))
        await house.visitor().post("/api/join", {"secret": more.secret, "label": "projector"})
        await page.locator("#devices", has_text="projector").wait_for()
        await expect(refuse).to_be_focused()
        await refuse.press("Enter")
        await expect(page.locator("#devices li", has_text="screen")).to_have_count(0)
        await expect(page.locator("#door-title")).to_be_focused()
        await page.locator("#devices li", has_text="Assistant").get_by_role("button", name="Admit").press("Enter")
        await page.locator("#record", has_text="device admitted – assistant").wait_for()
        station = next(one for one in house.table.state.stations.admitted if one.role is Role.ASSISTANT)
        assert station.duties == (Duty.EXECUTE,)
