"""The half page for the opponent and the guides: in their languages, clean, half of A4 and A4 on paper."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser

from server.exports.guide import ROLES
from server.exports.handout import handout_page
from speech.complaint import Complaint
from speech.words.catalogue import texts_in
from speech.words.config_file import language_tags
from tests.browser.test_pages import violations
from tests.waiting import PATIENCE_MS
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")
HALF_PX = 138 * 96 / 25.4
WHOLE_PX = 277 * 96 / 25.4


async def test_every_language_is_clean_and_fits_half_a_page(house: House, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 718, "height": 1046})  # A4 less its margins
    page.set_default_timeout(PATIENCE_MS)
    for language in language_tags():
        await page.emulate_media(media="screen")
        await page.goto(f"{house.base}/handout?language={language}")
        assert await page.evaluate("document.documentElement.lang") == language
        assert await violations(page) == []
        assert "Anna" in await page.locator("td").first.inner_text()
        await page.emulate_media(media="print")
        height = await page.evaluate("document.querySelector('main').scrollHeight")
        assert height <= HALF_PX, (language, height)
    await page.close()


async def test_every_guide_fits_a_page_and_is_clean(house: House, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 718, "height": 1046})  # A4 less its margins
    page.set_default_timeout(PATIENCE_MS)
    for language in language_tags():
        for role in ROLES if language in ("de", "en") else ROLES[:2]:
            await page.emulate_media(media="print")
            await page.goto(f"{house.base}/guide/{language}/{role}")
            height = await page.evaluate("document.querySelector('main').scrollHeight")
            assert height <= WHOLE_PX, (language, role, height)
        await page.emulate_media(media="screen")
        await page.set_viewport_size({"width": 320, "height": 640})
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320, language
        assert await violations(page) == [], language
        await page.set_viewport_size({"width": 718, "height": 1046})
    await page.close()


def test_the_words_stand_once_and_in_the_readers_script_too() -> None:
    german = handout_page("de")
    assert german.count("König") == 1 and "<bdi>K</bdi>" in german, "a German reader needs no word twice"
    for language in ("de", "en", "hu"):
        assert "König" in handout_page(language) and "Koenig" not in handout_page(language), language
    for language, anna in (("ar", "أنا"), ("hy", "Աննա"), ("he", "אנה")):
        assert f'<td lang="{language}">{anna}' in handout_page(language), "who reads no Latin letters can say it"


def test_every_language_has_one() -> None:
    for language in language_tags():
        title, lines = texts_in("handout", language)["heading.title"], handout_page(language).split("<ol>")[1]
        assert title in handout_page(language) and lines.split("</ol>")[0].count("<li>") == 7
        assert max(len(text) for text in texts_in("handout", language).values()) <= 200
    with pytest.raises(Complaint, match='no language "xx"'):
        handout_page("xx")
