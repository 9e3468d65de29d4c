"""The pictures of the README, made from the real pages: `python -m tests.browser.pictures docs/pictures [THEME]`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

from server.game.values.words import Seat
from server.web.door.access import Place
from tests.browser.conftest import ARGS
from tests.browser.test_pages import a_game_under_way, opened, visitors
from tests.conftest import chromium_path
from tests.waiting import PATIENCE_MS
from tests.web.open_house import open_house

SIZES = {
    "tactile": (760, 1180),
    "sighted": (1280, 1140),
    "arbiter": (1360, 1400),
    "assistant": (760, 900),
    "display": (900, 1180),
    "observer": (760, 900),
}
THEMES: dict[str, dict[str, str]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced": {"forced_colors": "active", "color_scheme": "dark"},
}


async def take(folder: Path, theme: str) -> None:
    """One picture a page, of a game of three half-moves."""
    with tempfile.TemporaryDirectory() as data:
        async with open_house(Path(data) / "data") as house, async_playwright() as playwright:
            browser = await playwright.chromium.launch(timeout=PATIENCE_MS, executable_path=chromium_path(), args=ARGS)
            people = await visitors(house)
            await a_game_under_way(house, people)
            spare = house.access.invite(Place(table="demo", page="assistant", seat=Seat.BLACK))
            await house.visitor().post("/api/join", {"secret": spare.secret, "label": "Tablet"})
            for name, (width, height) in SIZES.items():
                size = {"width": width, "height": height}
                async with opened(browser, house, people[name], viewport=size, **THEMES[theme]) as watched:
                    if name == "tactile":
                        await watched.page.get_by_role("button", name="Last move again").click()
                        await watched.page.locator("#last", has_text="Bauer Eva fünf").wait_for()
                    if name == "arbiter":
                        await watched.page.locator("#alerts .alert-line").first.wait_for()
                    await watched.page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
                    await watched.page.mouse.move(1, 1)
                    await watched.page.screenshot(path=str(folder / f"{name}.png"), animations="disabled")
            await browser.close()


if __name__ == "__main__":
    asyncio.run(take(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "light"))
