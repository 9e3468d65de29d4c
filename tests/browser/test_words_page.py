"""The page on which a native reads the words of a language, as a mailed file: by keyboard alone, and taken back."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from server.exports.words.correction import ProofReader, correction_of, texts_to_correct
from server.exports.words.page import page_of
from server.exports.words.saved import read_saved
from speech.words.catalogue import load_messages
from tests.browser.test_pages import violations
from tests.waiting import PATIENCE_S

NARROW = 320
"""The width at which nothing may need scrolling to both sides (WCAG 1.4.10)."""


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def to(page: Page, selector: str) -> None:
    """Go on with Tab until the focus is there; a page on which that is a long way is none for the keyboard."""
    for _ in range(25):
        await press(page, "Tab")
        if await page.evaluate("at => document.activeElement.matches(at)", selector):
            return
    pytest.fail(f"no way to {selector} by Tab")


async def reload_until_kept(page: Page, text: str) -> None:
    """Load the page anew until it opens at this text.

    A process of the browser learns a moment later what another one has kept; a page without it loses nothing.
    """
    end = time.monotonic() + PATIENCE_S
    await page.reload()
    while text not in (await page.locator("#heading").text_content() or ""):
        assert time.monotonic() < end, "what was chosen is lost"
        await page.reload()


@pytest.mark.parametrize(("tag", "direction"), [("hu", "ltr"), ("ar", "rtl")])
async def test_a_native_reads_by_keyboard_alone_stops_goes_on_and_sends_a_file_back(
    tag: str, direction: str, tmp_path: Path, browser: Browser
) -> None:
    file = tmp_path / "words.html"
    file.write_text(page_of(tag, sound=False), encoding="utf-8")
    context = await browser.new_context(viewport={"width": NARROW, "height": 900}, accept_downloads=True)
    page = await context.new_page()
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda told: errors.append(told.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    await page.goto(file.as_uri())
    words = load_messages(tag, part="proof")
    texts = {key: forms for key, forms in texts_to_correct(tag).items() if key.startswith("messages.say.")}
    first, second, third = list(texts)[:3]
    assert await page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == [tag, direction]
    assert await page.evaluate("document.documentElement.scrollWidth") <= NARROW
    assert await violations(page) == []
    await expect(page.locator("#note")).to_contain_text("anna-eins words serve")
    await expect(page.locator("button[id^=listen]")).to_have_count(0)
    assert await page.evaluate("localStorage.length") == 0, "a page that is only opened keeps nothing"

    # The name, then the first chapter: the focus is on the text, which a screen reader reads with its English.
    await to(page, "#by")
    await page.keyboard.type("Kim")
    await to(page, "#chapters button")
    await press(page, "Enter")
    await expect(page.locator("#heading")).to_be_focused()
    await expect(page.locator("#heading")).to_contain_text(texts[first][""])
    await expect(page.locator("#where")).to_contain_text(words.text("scene.unclear"))

    # Right: one key chooses, one goes on.
    await to(page, "[name=verdict]")
    await press(page, "Space", "Enter")
    await expect(page.locator("#heading")).to_be_focused()
    await expect(page.locator("#heading")).to_contain_text(texts[second][""])

    # A better text says that the old one is wrong.
    await to(page, "#texts textarea")
    await press(page, "Control+a")
    await page.keyboard.type("Jobb {time}")
    await expect(page.locator("#lost")).to_contain_text(words.text("page.strange", places="{time}").split(":")[0])
    await press(page, *["Backspace"] * len(" {time}"))
    await expect(page.locator("#lost")).to_be_empty()
    await expect(page.locator("[value=wrong]")).to_be_checked()
    await to(page, "#comment")
    await page.keyboard.type("So sagt man es.")
    await to(page, "#entry [type=submit]")
    await press(page, "Enter")
    await expect(page.locator("#heading")).to_contain_text(texts[third][""])

    # Unsure, and then the reader stops. Another day the page opens where they stopped.
    await to(page, "[name=verdict]")
    await press(page, "Space", "ArrowDown", "ArrowDown")
    await expect(page.locator("[value=unsure]")).to_be_checked()
    await reload_until_kept(page, texts[third][""])
    await expect(page.locator("[value=unsure]")).to_be_checked()
    assert await violations(page) == []

    await page.locator("#by").focus()
    await to(page, "#file [type=submit]")
    async with page.expect_download() as download:
        await press(page, "Enter")
    saved = tmp_path / "saved.json"
    await (await download.value).save_as(saved)
    back = read_saved(saved.read_text("utf-8"), saved.name)
    assert (back.tag, back.by) == (tag, "Kim")
    correction = correction_of(back.proof, tag, saved.name, reader=ProofReader(back.by))
    assert correction.complaints == () and correction.reviewed == 2
    assert [(one.key, one.after) for one in correction.changes] == [(second, "Jobb")]
    assert [(one.key, one.verdict, one.text) for one in correction.remarks] == [
        (second, "wrong", "So sagt man es."),
        (third, "unsure", ""),
    ]

    # In a browser that knows nothing, the saved file is where one goes on.
    await page.evaluate("localStorage.clear()")
    await page.goto(file.as_uri())
    await expect(page.locator("#by")).to_have_value("")
    await page.locator("#open").set_input_files(saved)
    await expect(page.locator("#heading")).to_be_focused()
    await expect(page.locator("#by")).to_have_value("Kim")
    await expect(page.locator("#status")).to_have_text(words.text("page.opened", read=3))
    assert {url for url in asked if not url.startswith(("file:", "blob:"))} == set(), "it speaks to nobody"
    assert errors == []
    await context.close()
