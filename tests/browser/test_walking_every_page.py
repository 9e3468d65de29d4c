"""Every page in every language at 390 and 1280 px, before, in and after a game: no foreign word, key or cut text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser

from server.wording.words import scheme_of
from speech.words.config_file import language_tags
from tests.browser.walk import LOOK, PAPERS, PHONE, PLACES, Looking, Round, every_page
from tests.waiting import PATIENCE_MS
from tests.web.open_house import House, open_house

pytestmark = pytest.mark.needs("chromium")


SHOWING_MOST = ("ar",)
"""Pages from the right, in another script. A thorough run walks all six; `test_pseudo_languages.py` has long words."""


@pytest.mark.parametrize(
    "tag", [pytest.param(tag, marks=() if tag in SHOWING_MOST else pytest.mark.thorough) for tag in language_tags()]
)
async def test_no_page_shows_a_foreign_word_a_key_or_cut_text(
    tmp_path: Path, browser: Browser, request: pytest.FixtureRequest, tag: str
) -> None:
    async with open_house(tmp_path / "data") as house:
        walk = await Round.begin(house, browser, tag)
        if not request.config.getoption("--thorough"):
            walk.looking.sizes = (PHONE,)  # the pseudo-languages are looked at in both widths
        await walk.from_first_to_last()
    met = walk.looking.met
    assert walk.looking.seen > 5_000
    assert met == {}, "\n".join(f"{place}: {sorted(texts)}" for place, texts in met.items())


async def test_the_walk_knows_every_page_that_the_server_has(house: House) -> None:
    assert await every_page(house) == {
        "/",
        "/tables",
        "/hall",
        "/cards",
        "/review",
        "/training",
        *(f"/{page}" for page in PLACES),
        *PAPERS,
    }


async def test_the_walk_sees_what_is_wrong(browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 390, "height": 600})
    page.set_default_timeout(PATIENCE_MS)
    await page.set_content(
        """<html lang="he" dir="rtl"><meta charset="utf-8"><body><p id="word">Hello השעון</p><p id="named">Anna e2e4</p>
        <p id="key">machine_announces</p><p id="dotted" lang="en">title.player</p>
        <p id="place">{who}</p><p id="none">undefined</p>
        <p id="marked" lang="de">Bauer Eva vier</p><img id="seen" alt="Picture">
        <button id="narrow" style="width: 3rem; padding: 0; white-space: nowrap">מילים רבות מאוד</button>
        <p id="hidden" style="width: 5rem; overflow: hidden; white-space: nowrap">מילים רבות מאוד</p>
        <p id="split" style="width: 2rem; overflow-wrap: anywhere">מילהאחתארוכהמאוד</p>
        <input id="field" style="width: 2rem" placeholder="1:30:00"><p id="wide" style="width: 500px">מילים</p>"""
    )
    await page.evaluate(LOOK)
    looking = Looking("he")
    await looking.at("page", page)
    met = {place.split("#")[-1].split()[0] for place in looking.met}
    assert {
        "word",
        "key",
        "dotted",
        "place",
        "none",
        "seen",
        "narrow",
        "hidden",
        "split",
        "field",
        "wide",
    } - met == set()
    assert not met & {"named", "marked"}


def test_the_pages_mark_every_word_of_the_german_announcements(repo: Path) -> None:
    script = (repo / "server" / "web" / "static" / "core" / "spoken.js").read_text("utf-8")
    known = {word for text in re.findall(r"\[([^\]]*)\];", script) for word in re.findall(r'"([^"]+)"', text)}
    scheme = scheme_of("d21", "en")
    said = {scheme.text(id) for id in scheme.words if not id.startswith(("cmd.", "letter."))}
    missing = {text for text in said if text not in known and not set(text.split()) <= known}
    assert missing == set()
