"""The language of a page: the last choice counts, and where its words do not come the page says so and goes on."""

from __future__ import annotations

import asyncio
import json

import pytest
from playwright.async_api import Browser, Route, WebSocket, expect

from server.game.values.words import Seat
from server.wording.pages import page_words
from tests.browser.test_pages import opened
from tests.browser.test_pages_in_six_languages import CONNECTED, page_in
from tests.waiting import until
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")

HELD = "() => [document.documentElement.lang, document.getElementById('language').value, localStorage.language ?? null]"
GONE = page_words("en")["server_gone"]
HELLOS = 3
"""At the start, and after each choice that was not overtaken; the test makes two of these."""


async def test_the_last_choice_counts_whichever_words_come_first(house: House, browser: Browser) -> None:
    released = asyncio.Event()
    told: list[str] = []

    async def late(route: Route) -> None:
        await released.wait()
        await route.continue_()

    def listen(line: WebSocket) -> None:
        line.on("framesent", lambda sent: told.extend([sent] if '"hello"' in sent else []))

    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        page = watched.page
        page.on("websocket", listen)
        await page.reload()
        await page.locator("header .state", has_text="Connected").wait_for()
        await page.route("**/words/hu.json", late)
        await page.locator("#language").select_option("hu")
        await page.locator("#language").select_option("de")
        await page.locator("header .state", has_text=CONNECTED["de"]).wait_for()
        async with page.expect_response("**/words/hu.json") as came:
            released.set()
        await (await came.value).finished()
        await page.evaluate("import('/static/core/language.js').then(() => new Promise(requestAnimationFrame))")
        assert await page.evaluate(HELD) == ["de", "de", "de"]
        await page.locator("#language").select_option("ar")
        await page.locator("header .state", has_text=CONNECTED["ar"]).wait_for()
        assert await page.evaluate(HELD) == ["ar", "ar", "ar"]
        spoken = ["en", "de", "ar"]
        await until(lambda: [json.loads(one)["language"] for one in told[-HELLOS:]] == spoken, lambda: told)
        assert watched.complaints == []


async def test_a_language_whose_words_do_not_come_is_not_chosen_and_the_page_says_so(
    house: House, browser: Browser
) -> None:
    faults: list[str] = []
    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        page = watched.page
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        await page.route("**/words/hu.json", lambda route: route.abort())
        await page.locator("#language").select_option("hu")
        await expect(page.locator("[role=alert]")).to_have_text(page_words("en")["no_answer"])
        assert await page.evaluate(HELD) == ["en", "en", None]
        await page.unroute("**/words/hu.json")
        await page.locator("#language").select_option("hu")
        await page.locator("header .state", has_text=CONNECTED["hu"]).wait_for()
        assert await page.evaluate(HELD) == ["hu", "hu", "hu"]
        assert faults == []


async def test_a_page_whose_first_words_do_not_come_says_so_once_and_begins_when_they_do(
    house: House, browser: Browser
) -> None:
    tried = 0

    async def at_the_third_time(route: Route) -> None:
        nonlocal tried
        tried += 1
        await (route.continue_() if tried > 2 else route.fulfill(status=503) if tried == 2 else route.abort())

    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        page = watched.page
        await page.locator("#language").select_option("de")
        await page.locator("header .state", has_text=CONNECTED["de"]).wait_for()
        await page.add_init_script(
            """window.alerts = [];
            addEventListener("page-says", ({ detail }) => alerts.push(detail.text), true);"""
        )
        await page.route("**/words/de.json", at_the_third_time)
        await page.reload()
        await page.locator("header .state", has_text=CONNECTED["de"]).wait_for()
        assert tried == 3
        assert await page.evaluate("alerts") == [GONE, CONNECTED["de"]]


async def test_the_last_message_is_worded_anew_in_the_new_language(house: House, browser: Browser) -> None:
    white = await house.station("tactile", Seat.WHITE)
    await (await (await house.arbiter()).line()).do({"do": "start_game"})
    await (await white.line()).type("Bauer Eva vier")
    async with opened(browser, house, white) as watched:
        page = watched.page
        await expect(page.locator("#last-by")).to_have_text("as understood")
        await page.locator("#language").select_option("de")
        await expect(page.locator("#last-by")).to_have_text("wie verstanden")
        await expect(page.locator("#last")).to_have_text("Bauer Eva vier")


@pytest.mark.parametrize(("tag", "form"), [("he", "many"), ("en", "few")])
async def test_a_form_that_the_catalogue_has_not_is_counted_like_any_other_number(
    house: House, browser: Browser, tag: str, form: str
) -> None:
    watched = await page_in(browser, house, await house.station("sighted", Seat.BLACK), tag)
    page = watched.page
    await page.locator("header .state", has_text=CONNECTED.get(tag, "Connected")).wait_for()
    await page.evaluate("form => { Intl.PluralRules.prototype.select = () => form; }", form)
    said = await page.evaluate("import('/static/core/language.js').then(({ counted }) => counted('hour', 20))")
    assert f"hour.{form}" not in page_words(tag)
    assert said == page_words(tag)["hour.other"].format(count=20)
    await page.context.close()


async def test_the_first_page_says_where_no_native_has_reviewed_the_words(house: House, browser: Browser) -> None:
    async with await browser.new_context(locale="en") as context:
        page = await context.new_page()
        await page.goto(f"{house.base}/")
        await expect(page.locator("#language")).to_have_value("en")
        await expect(page.locator("#not-reviewed")).to_be_hidden()
        await page.locator("#language").select_option("hy")
        await expect(page.locator("#not-reviewed")).to_have_text(page_words("hy")["not_reviewed"])
