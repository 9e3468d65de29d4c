"""A player's own clock on the page, the arbiter's quick correction, and what is told to who does not hear (D.2.11)."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import Browser, expect

from server.game.values.words import Seat
from tests.browser.test_dead_hardware import becomes
from tests.browser.test_pages import opened, violations
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")

FELT = """() => { window.felt = []; Object.defineProperty(Navigator.prototype, 'vibrate',
  { value: (pattern) => { window.felt.push(pattern); return true; }, configurable: true, writable: true }); }"""


@pytest.mark.law("L057")
async def test_a_player_sets_the_clock_alone_by_keys_and_the_arbiter_approves(house: House, browser: Browser) -> None:
    arbiter, player = await house.arbiter(), await house.station("tactile", Seat.WHITE)
    async with opened(browser, house, arbiter) as desk, opened(browser, house, player) as white:
        page = white.page
        await page.locator("summary", has_text="Clock settings and spoken times").press("Enter")
        await page.get_by_label("Common settings").press("1")  # 15+10 begins so
        await page.get_by_label("Common settings").select_option("25+10")
        await expect(page.get_by_label("Minutes for all moves")).to_have_value("25")
        await page.get_by_label("Extra seconds per move").press("Enter")
        dialog = page.get_by_role("dialog")
        assert await dialog.locator("h2").inner_text() == (
            "Set the clock like this? All moves in 25 minutes, 10 seconds added per move."
        )
        await dialog.get_by_role("button", name="Yes").press("Enter")
        await page.locator("#cells li", has_text="All moves in 25 minutes").wait_for()
        assert house.table.state.time.clock.control.text == "5400+30"
        await desk.page.locator("#alerts").get_by_role("button", name="Approve clock setting").press("Enter")
        await page.locator("#cells li", has_text="The clock is set.").wait_for()
        assert house.table.state.time.clock.control.text == "1500+10"
        proposed = desk.page.locator("#proposed-clock")
        await expect(proposed).to_be_hidden()
        await (await player.line()).do({"do": "set_up_clock", "control": "900+10"})
        await proposed.get_by_role("button", name="Leave the clock unchanged").press("Enter")
        await expect(proposed).to_be_hidden()
        await expect(desk.page.locator("#acts-title")).to_be_focused()  # where the button was that is gone
        assert house.table.state.time.clock.control.text == "1500+10"
        lines = await page.locator("#cells li").all_inner_texts()
        assert lines and all(len(line) <= 40 for line in lines)
        assert await page.locator("#cells").get_attribute("lang") == "en"
        assert await violations(page) == []


@pytest.mark.law("L067")
async def test_one_clock_is_corrected_in_three_acts_and_confirmed_in_words(house: House, browser: Browser) -> None:
    arbiter = await house.arbiter()
    line = await arbiter.line()
    await line.do({"do": "start_game"})
    acts = 0
    async with opened(browser, house, arbiter) as desk:
        page = desk.page
        await page.get_by_label("Whose clock").select_option("black")
        acts += 1
        await page.locator("#correct-time").fill("1:05:00")
        acts += 1
        await page.keyboard.press("Enter")
        acts += 1
        await page.locator("[role=status] p", has_text="Black: 1 hour 5 minutes").wait_for()
        clock = house.table.state.time.clock
        assert clock.side(Seat.BLACK).remaining_ms == 3_900_000
        assert clock.running is Seat.WHITE, "White's time runs on"
        await page.locator("#correct-time").fill("half an hour")
        await page.keyboard.press("Enter")
        await page.locator("#said", has_text="Enter the time as").wait_for()
        assert await violations(page) == []
    assert acts == 3, "whose, which time, Enter"


@pytest.mark.law("L207")
@pytest.mark.parametrize("wanted", [False, True])
async def test_an_announcement_is_seen_and_where_it_is_wanted_felt(
    house: House, browser: Browser, wanted: bool
) -> None:
    desk, white = await (await house.arbiter()).line(), await (await house.station("tactile", Seat.WHITE)).line()
    visitor = await house.station("sighted", Seat.BLACK)
    for body in (
        {"do": "record_adaptation", "name": "machine_announces", "value": "on"},
        {"do": "set_mode", "mode": "relay"},
        {"do": "start_game"},
    ):
        assert (await desk.do(body))["outcome"]["ok"]
    async with opened(browser, house, visitor) as black:
        page = black.page
        await page.evaluate(FELT)
        if wanted:
            await page.locator("summary", has_text="Settings for this device").click()
            await page.get_by_label("Vibration").select_option("on")
        await white.type("Springer Gustav eins Felix drei")
        await page.locator("#cells li", has_text="Springer Gustav eins Felix drei").wait_for()
        await page.locator("section.arrived #last").wait_for()
        felt = [[80], [300, 120, 300]] if wanted else []
        await becomes(page, f"JSON.stringify(window.felt) === '{json.dumps(felt, separators=(',', ':'))}'")
        # The draw offer is a bell; one's own announcement is none.
        await white.do({"do": "press"})
        await white.do({"do": "offer_draw"})
        await (
            page.get_by_role("dialog")
            .or_(page.locator("#last", has_text="Your opponent offers a draw"))
            .first.wait_for()
        )
        await becomes(page, f"window.felt.length === {3 if wanted else 0}")


@pytest.mark.parametrize("touches", [True, False])
async def test_a_telephone_is_felt_when_its_player_is_heard_presses_or_is_refused_and_says_no_more(
    house: House, browser: Browser, touches: bool
) -> None:
    """The pattern is of the sort of answer: the same for a legal move and for one that no piece can make."""
    desk = await (await house.arbiter()).line()
    player = await house.station("tactile", Seat.WHITE)
    async with opened(browser, house, player, has_touch=touches, is_mobile=touches) as white:
        page = white.page
        await page.evaluate(FELT)
        await desk.do({"do": "start_game"})
        await page.locator("#last", has_text="started").wait_for()
        await page.locator("#field").fill("qwertz")
        await page.locator("#field").press("Enter")
        await page.locator("[role=alert] p").first.wait_for(state="attached")
        felt = [[50] * 7]
        for words in ("Springer Gustav eins Felix drei", "Turm Anna eins Hector acht"):
            await page.locator("#field").fill(words)
            await page.locator("#field").press("Enter")
            await page.locator("#last", has_text=words).wait_for()
            felt.append([50, 70, 50])
        await page.locator("#press").click()
        await page.locator("[role=status] p", has_text="Pressed.").wait_for(state="attached")
        felt.append([200])
        assert await page.evaluate("window.felt") == (felt if touches else [])
        assert await page.locator("#vibrate").evaluate("one => one.value") == ("own" if touches else "off")
        await page.locator("#vibrate").evaluate(
            "one => { one.value = 'off'; one.dispatchEvent(new Event('change')); window.felt.length = 0; }"
        )
        await page.locator("#press").click()
        await desk.do({"do": "pause"})
        await page.locator("#last", has_text="The clocks are stopped").wait_for()
        assert await page.evaluate("window.felt") == []
        await page.reload()
        await page.locator("header .state", has_text="Connected").wait_for()
        assert await page.locator("#vibrate").evaluate("one => one.value") == "off", "kept in this browser"


@pytest.mark.law("L192")
async def test_the_player_chooses_their_cues_and_hears_why_not(house: House, browser: Browser) -> None:
    desk = await (await house.arbiter()).line()
    player = await house.station("tactile", Seat.WHITE)
    async with opened(browser, house, player) as white:
        page = white.page
        await page.locator("summary", has_text="Clock settings and spoken times").click()
        await page.get_by_label("1 minute", exact=True).check()
        await page.get_by_label("The last ten seconds").select_option("ticks")
        await page.get_by_role("button", name="Tell me these times").click()
        await page.locator("#last", has_text="has not permitted the clock to tell the time").wait_for()
        await desk.do({"do": "record_adaptation", "name": "spoken_time_automatic", "value": "on"})
        await page.get_by_role("button", name="Tell me these times").click()
        await page.locator("[role=status] p", has_text="Done.").wait_for()
        (asked,) = house.table.state.time.cues
        assert (asked.seat, asked.at_s, asked.countdown) == (Seat.WHITE, (60,), "ticks")
        assert await violations(page) == []
