"""A page in another language than English: results from the right, and a language chosen again without the server."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser

from server.game.values.words import Seat
from speech.words.config_file import language_tags
from tests.browser.test_pages import Watched
from tests.waiting import PATIENCE_MS, until
from tests.web.open_house import House, Visitor

pytestmark = pytest.mark.needs("chromium")

CONNECTED = {"de": "Verbunden", "hu": "Kapcsolódva", "hy": "Միացված է", "ar": "متصل", "he": "מחובר"}


async def page_in(browser: Browser, house: House, visitor: Visitor, tag: str, *, requests: bool = False) -> Watched:
    """A visitor's page in a browser whose person reads `tag`, 320 px wide."""
    context = await browser.new_context(locale=tag, viewport={"width": 320, "height": 640})
    await context.add_cookies(
        [{"name": one.key, "value": one.value, "url": house.base} for one in visitor.session.cookie_jar]
    )
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    watched = Watched(page, house.base, requests=requests)
    await page.goto(house.base + visitor.page)
    return watched


async def test_a_result_and_a_move_keep_their_direction_on_a_page_from_the_right(
    house: House, browser: Browser
) -> None:
    watched = await page_in(browser, house, await house.station("tactile", Seat.WHITE), "ar")
    await watched.page.locator("header .state", has_text=CONNECTED["ar"]).wait_for()
    shown = await watched.page.evaluate(
        """async () => {
          const { counted, t } = await import("/static/core/language.js");
          return [t("ended", { result: "1-0" }), counted("hour", 2), counted("minute", 11), counted("second", 0)];
        }"""
    )
    assert shown == ["انتهت المباراة: \u20681-0\u2069", "ساعتان", "11 دقيقة", "0 ثانية"]
    # And where it stands on the screen: the 1 is left of the 0.
    places = await watched.page.evaluate(
        """() => {
          const line = document.createElement("p");
          line.textContent = "انتهت المباراة: \\u20681-0\\u2069";
          document.body.append(line);
          const text = line.firstChild;
          return [...line.textContent].map((letter, at) => {
            const range = new Range();
            range.setStart(text, at); range.setEnd(text, at + 1);
            return [letter, range.getBoundingClientRect().x];
          }).filter(([letter]) => "10".includes(letter));
        }"""
    )
    (one, left), (nought, right) = places
    assert (one, nought) == ("1", "0") and left < right


async def test_words_from_the_right_after_a_latin_one_are_read_from_the_right(house: House, browser: Browser) -> None:
    """In Arabic the pieces keep their names of D.2.1: "Läufer سيزر فير" has the bishop on the right."""
    watched = await page_in(browser, house, await house.station("tactile", Seat.WHITE), "ar")
    await watched.page.locator("header .state", has_text=CONNECTED["ar"]).wait_for()
    places = await watched.page.evaluate(
        """async () => {
          const { write } = await import("/static/core/spoken.js");
          return ["Läufer سيزر فير", "\u2068Läufer سيزر فير\u2069", "انتهت – 1-0 · 90+30"].map((said) => {
            const last = document.getElementById("last");
            write(last, said);
            const texts = document.createTreeWalker(last, NodeFilter.SHOW_TEXT);
            const at = {};
            for (let node = texts.nextNode(); node; node = texts.nextNode())
              for (const word of node.textContent.match(/\\p{L}+|\\d+/gu) ?? []) {
                const range = new Range();
                const from = node.textContent.indexOf(word);
                range.setStart(node, from); range.setEnd(node, from + word.length);
                at[word] = range.getBoundingClientRect().x;
              }
            return at;
          });
        }"""
    )
    for mixed in places[:2]:
        assert mixed["Läufer"] > mixed["سيزر"] > mixed["فير"]
    bare = places[2]
    assert bare["انتهت"] > bare["0"] > bare["1"] > bare["30"] > bare["90"], "a bare result is not turned round"


async def test_a_language_that_was_shown_needs_no_server_to_be_chosen_again(house: House, browser: Browser) -> None:
    watched = await page_in(browser, house, await house.station("sighted", Seat.BLACK), "hu", requests=True)
    page = watched.page
    await page.locator("header .state", has_text=CONNECTED["hu"]).wait_for()
    offered = "import('/static/core/language.js').then(({ LANGUAGES }) => Object.keys(LANGUAGES))"
    assert sorted(await page.evaluate(offered)) == list(language_tags())
    await page.select_option("#language", "de")
    await page.locator("header .state", has_text=CONNECTED["de"]).wait_for()
    await page.route("**/static/**", lambda route: route.abort())
    await page.select_option("#language", "hu")
    await page.locator("html[lang=hu]").wait_for()

    def words() -> list[str]:
        return sorted(url.rpartition("/")[2] for url in watched.finished if "/static/words/" in url)

    await until(lambda: words() == ["de.json", "hu.json", "player-de.json", "player-hu.json"], words)
    await page.context.close()
