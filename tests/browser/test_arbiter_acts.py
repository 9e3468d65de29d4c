"""The arbiter's acts in a real browser: found by article, filled in by keyboard, asked twice where the game ends."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, Page, expect

from server.game import acts as ev
from server.game.values.words import Duty, Seat
from server.table.table import Observer
from tests.browser.test_pages import GREETED_AGAIN, later, opened, violations
from tests.waiting import until
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")


async def find(page: Page, text: str, act: str) -> None:
    """Type into the search field until this act is named, and go to its form with Enter."""
    await page.locator("#act option").first.wait_for(state="attached")
    await page.locator("#act-find").fill(text)
    await expect(page.locator("#act")).to_have_value(act)
    await page.locator("#act-find").press("Enter")


async def test_acts_are_found_and_carried_out_by_keyboard(house: House, browser: Browser) -> None:
    async with opened(
        browser, house, await house.arbiter(), viewport={"width": 320, "height": 700}, forced_colors="active"
    ) as watched:
        page = watched.page
        await find(page, "6.6", "schedule_start")
        await expect(page.locator("#act-in-ms")).to_be_focused()
        await page.keyboard.type("ten")
        await page.keyboard.press("Enter")
        await page.locator("#said", has_text="Enter the time").wait_for()
        await expect(page.locator("#act-in-ms")).to_be_focused()
        await page.keyboard.press("Control+A")
        await page.keyboard.type("0:10:00")
        await page.keyboard.press("Enter")
        await page.locator("#record", has_text="start scheduled").wait_for()
        assert house.table.state.schedule.appointed_ms is not None
        # What is written stays when the page changes its language.
        await find(page, "incident", "note_incident")
        await page.get_by_label("Details").fill("a pawn fell")
        await page.locator("#language").select_option("de")
        await expect(page.get_by_label("Einzelheiten")).to_have_value("a pawn fell")
        await page.locator("#language").select_option("en")
        await page.get_by_role("button", name="Apply").press("Enter")
        await page.locator("#record", has_text="incident noted – pieces displaced · a pawn fell").wait_for()
        # A penalty that ends the game is asked once more, by its name; no is nothing done.
        await find(page, "penalty", "penalise")
        await page.locator("#act-penalty").select_option("loss")
        await page.get_by_role("button", name="Apply").press("Enter")
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("Impose a penalty? Player: White · Penalty: loss of the game")
        assert await violations(page) == []
        await dialog.get_by_role("button", name="No").press("Enter")
        await page.locator("#act-penalty").select_option("warning")
        await page.get_by_role("button", name="Apply").press("Enter")
        await page.locator("#record", has_text="penalty – warning").wait_for()
        assert house.table.state.ending.result is None
        # Another language says everything anew that stands on the page.
        await page.locator("#language").select_option("de")
        await page.locator("#record", has_text="Strafe – Verwarnung").wait_for()
        await page.locator("#devices", has_text="Kein Gerät wartet").wait_for()
        await page.locator("#language").select_option("en")
        for act in await page.locator("#act option").evaluate_all("all => all.map(one => one.value)"):
            await page.locator("#act").select_option(act)
            assert await page.evaluate("document.documentElement.scrollWidth") <= 320, act
        await page.locator("#act-find").fill("")
        await page.locator("#act option").nth(45).wait_for(state="attached")
        assert await violations(page) == []
        assert watched.complaints == []


async def test_an_act_stays_what_it_is_whatever_is_answered_or_recorded_while_it_is_filled_in(
    house: House, browser: Browser
) -> None:
    """The words for acts come late, another language is shown, the game ends: no other act is under the fingers."""
    answers = asyncio.Event()
    line = await (await house.arbiter()).line()
    await line.do({"do": "start_game"})
    async with opened(browser, house, await house.arbiter()) as watched:
        page, kind = watched.page, watched.page.locator("#act-kind")
        await page.route("**/static/words/acts-en.json", lambda route: later(answers, route))
        await page.locator("#act option").first.wait_for(state="attached")
        await page.locator("#act-find").fill("incident")
        await page.locator("#act").select_option("open_incident")
        await kind.focus()
        async with page.expect_response("**/static/words/acts-en.json"):
            answers.set()
        await page.evaluate(GREETED_AGAIN)
        await expect(kind).to_be_focused()
        await expect(page.locator("#act")).to_have_value("open_incident")
        await page.locator("#act-find").fill("")
        await page.locator("#act").select_option("pause")
        await page.get_by_role("button", name="Apply").focus()
        await line.do({"do": "rule_result", "result": "1-0", "reason": "checkmate", "article": "5.1.1"})
        await expect(page.locator("#act-form")).to_be_hidden()
        await expect(page.locator("#act-find")).to_be_focused()
        assert watched.complaints == []


async def test_what_came_of_an_act_stands_beside_what_asked_for_it_whatever_is_pressed_meanwhile(
    house: House, browser: Browser
) -> None:
    """Done or refused: the button that was pressed next did none of it."""
    async with opened(browser, house, await house.arbiter()) as watched:
        page = watched.page
        await page.locator("#aloud-sheet > summary").press("Enter")
        await page.locator("#room").select_option("yes")
        await page.locator("#act").select_option("resume")
        for form, told in (("allow-room", "Done."), ("act-form", "The game has not started yet. (6.6)")):
            both = f"['#{form} button', '#record-all']"
            await page.evaluate(f"for (const one of {both}) document.querySelector(one).click()")
            await expect(page.locator(f"#{form} + #said")).to_have_text(told)
        await page.locator("#delay-all").select_option("30")
        await expect(page.locator("#delay-all + #said")).to_have_text("Done.")
        # A delay that was chosen elsewhere, and that is none of those offered here.
        await (await (await house.arbiter()).line()).do({"do": "delay_display", "station": "", "delay_s": 60})
        await expect(page.locator("#delay-all option:checked")).to_have_text("1 minute")
        assert watched.complaints == []


@pytest.mark.parametrize(
    ("role", "form", "field", "texts", "event"),
    [
        ("arbiter", "act-form", "#act-ms", ("2:00", "3:00"), ev.TimeAdded),
        ("observer", "report", "#report-text", ("a telephone rang", "and again"), ev.ObserverReported),
        ("assistant", "touch", "#touch-square", ("e7", "d7"), ev.TouchReported),
    ],
)
async def test_what_is_sent_twice_before_the_answer_is_done_once(
    house: House, browser: Browser, role: str, form: str, field: str, texts: tuple[str, str], event: type
) -> None:
    """On a slow line a key is pressed once more: no time is given twice."""
    await (await (await house.arbiter()).line()).do({"do": "start_game"})
    done: list[ev.AnyEvent] = []
    house.table.observers.insert(0, Observer("test", event=done.append))
    seat, duties = (Seat.WHITE, tuple(Duty)) if role == "assistant" else (None, ())
    who = await house.arbiter() if role == "arbiter" else await house.station(role, seat, *duties)
    async with opened(browser, house, who) as watched:
        page = watched.page
        if role == "arbiter":
            await find(page, "add time", "add_time")
        if role == "observer":
            await page.locator("#report-kind").select_option("noise")
        for number, text in enumerate(texts, 1):  # the second comes after whatever the first has sent
            await page.locator(field).fill(text)
            await page.evaluate("id => { for (const _ of [1, 2]) document.getElementById(id).requestSubmit(); }", form)
            await until(lambda number=number: sum(isinstance(one, event) for one in done) >= number)
            if role == "arbiter":
                await expect(page.locator("#said")).to_have_text("Done.")
            else:
                await expect(page.locator(field)).to_have_value("")
        assert sum(isinstance(one, event) for one in done) == 2
        assert watched.complaints == []


@pytest.mark.law("L122")
async def test_a_device_is_sent_away_and_told_so(house: House, browser: Browser) -> None:
    people = {"arbiter": await house.arbiter(), "tactile": await house.station("tactile", Seat.WHITE)}
    async with opened(browser, house, people["tactile"]) as player, opened(browser, house, people["arbiter"]) as desk:
        page = desk.page
        line = page.locator("#stations li", has_text="Tactile board")
        await line.filter(has_text="Connected").wait_for()
        assert await violations(page) == []
        await line.get_by_role("button").press("Enter")
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("Tactile board, White")
        await dialog.get_by_role("button", name="Yes").press("Enter")
        await page.locator("#said", has_text="Device removed").wait_for()
        await player.page.locator("#notice", has_text="not admitted to that table").wait_for()
        await page.locator("#record", has_text="device removed").wait_for()
        assert desk.complaints == []
