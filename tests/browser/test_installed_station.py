"""An installed station opens without a network, finds its server again, and is never an older server's page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

import server.app
from server.game.values.words import Seat
from server.settings import Settings
from server.web.pages import File, load_files
from tests.browser.test_pages import violations
from tests.browser.test_pages_in_six_languages import CONNECTED
from tests.ports import free_port
from tests.waiting import PATIENCE_MS, PATIENCE_S
from tests.web.open_house import House, Visitor, open_house

pytestmark = pytest.mark.needs("chromium")

KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys()) found[name] = (await (await caches.open(name)).keys()).map(one => new URL(one.url).pathname);
  return found;
}"""  # noqa: E501
FORGET = """async (path) => {
  for (const name of await caches.keys()) await (await caches.open(name)).delete(path);
}"""
READY = "navigator.serviceWorker.ready.then(() => true)"
VERSION = "document.querySelector('meta[name=version]').content"


def words_kept(tag: str) -> str:
    """Both parts of a language's words, without which a page of a player does not open."""
    files = [f"/static/words/{part}{tag}.json" for part in ("", "player-")]
    return f"((kept) => {files}.every((one) => kept.includes(one)))(Object.values(await ({KEPT})()).flat())"


@asynccontextmanager
async def telephone(browser: Browser) -> AsyncIterator[BrowserContext]:
    context = await browser.new_context(locale="en-GB", viewport={"width": 360, "height": 640}, has_touch=True)
    yield context
    await context.close()


async def let_in(phone: BrowserContext, house: House, visitor: Visitor) -> None:
    cookies = [{"name": one.key, "value": one.value, "url": house.base} for one in visitor.session.cookie_jar]
    await phone.add_cookies(cookies)  # type: ignore[arg-type]


async def open_station(phone: BrowserContext, address: str) -> Page:
    page = await phone.new_page()
    page.set_default_timeout(PATIENCE_MS)
    await page.goto(address)
    return page


async def holds(page: Page, condition: str) -> None:
    """Wait until this is so in the page, whose policy lets no text be run as a script later."""
    async with asyncio.timeout(PATIENCE_S):
        await page.evaluate(
            f"async () => {{ while (!({condition})) await new Promise(done => setTimeout(done, 50)); }}"
        )


async def test_a_station_opens_without_its_server_says_so_and_finds_it_again(tmp_path: Path, browser: Browser) -> None:
    settings = Settings(port=free_port())
    async with telephone(browser) as phone:
        async with open_house(tmp_path / "data", settings=settings) as house:
            base = house.base
            visitor = await house.station("tactile", Seat.WHITE)
            line = await visitor.line()
            await line.do({"do": "choose_ear", "language": "de"})
            await let_in(phone, house, visitor)
            page = await open_station(phone, base + visitor.page)
            await page.locator("header .state", has_text=CONNECTED["de"]).wait_for(state="attached")
            link = await page.locator("link[rel=manifest]").get_attribute("href")
            assert link == "/station.webmanifest?table=demo&seat=white&page=tactile&language=de"
            await page.evaluate(READY)
            await holds(page, words_kept("de"))
            await page.evaluate("fetch('/api/places'); fetch('/phrase/sound_lost-de')")
            kept = await page.evaluate(KEPT)
            (name,) = kept
            assert name == f"anna-eins-{await page.evaluate(VERSION)}"
            assert all(one.startswith("/static/") or one in ("/tactile", "/sighted") for one in kept[name])
            await page.close()
        # The server is gone: the page opens all the same, in the seat's language.
        page = await open_station(phone, base + visitor.page)
        await page.locator("html[lang=de] header .state.lost", has_text="Verbindung verloren").wait_for()
        await page.locator("[role=alert]", has_text="Der Server antwortet nicht").wait_for(state="attached")
        assert await page.locator("#press").is_visible()
        assert await violations(page) == []
        async with open_house(tmp_path / "data", settings=settings):
            await page.locator("header .state:not(.lost)", has_text=CONNECTED["de"]).wait_for(state="attached")
            await page.locator("[role=status]", has_text=CONNECTED["de"]).wait_for(state="attached")


async def test_a_newer_server_leaves_no_older_page(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(port=free_port())
    async with telephone(browser) as phone:
        async with open_house(tmp_path / "data", settings=settings) as house:
            base = house.base
            visitor = await house.station("sighted", Seat.BLACK)
            await let_in(phone, house, visitor)
            page = await open_station(phone, base + visitor.page)
            await page.evaluate(READY)
            older = await page.evaluate(VERSION)
            # The server goes before the device has kept the words of its page.
            await holds(page, words_kept("en"))
            await page.evaluate(FORGET, "/static/words/en.json")
            await page.close()
        # Opened while no server is there, out of what the older one left: it says so all the same.
        page = await open_station(phone, base + visitor.page)
        await page.locator("header .state.lost", has_text="The server is not responding").wait_for()
        assert await page.evaluate(VERSION) == older
        changed = {**load_files()}
        style = changed["/static/pages/style.css"]
        changed["/static/pages/style.css"] = File(style.body + b"\nbody { --newer: yes; }", style.type, '"newer"')
        monkeypatch.setattr(server.app, "load_files", lambda: changed)
        async with open_house(tmp_path / "data", settings=settings):
            await page.locator(f"meta[name=version]:not([content='{older}'])").wait_for(state="attached")
            await page.locator("header .state:not(.lost)", has_text="Connected").wait_for(state="attached")
            # The page may be loaded once more meanwhile, which would end a script that asks it something.
            await expect(page.locator("body")).to_have_css("--newer", "yes")
            newer = await page.locator("meta[name=version]").get_attribute("content")
            await holds(page, f"String(await caches.keys()) === 'anna-eins-{newer}'")
