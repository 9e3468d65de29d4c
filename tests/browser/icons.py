"""The icons of an installed station as PNG, from the SVG of the pages: `python -m tests.browser.icons`.

Chromium installs a page only with such icons. A maskable one fills its square, for a telephone cuts its own shape.
"""

from __future__ import annotations

import asyncio

from playwright.async_api import async_playwright

from tests.browser.conftest import ARGS
from tests.conftest import REPO, chromium_path
from tests.waiting import PATIENCE_MS

FOLDER = REPO / "server" / "web" / "static" / "pages"
ICONS = {"192": (192, False), "512": (512, False), "maskable": (512, True)}


async def draw() -> None:
    """Write each icon into its folder among the pages."""
    drawing = (FOLDER / "icon.svg").read_text("utf-8")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(timeout=PATIENCE_MS, executable_path=chromium_path(), args=ARGS)
        for name, (size, whole) in ICONS.items():
            page = await browser.new_page(viewport={"width": size, "height": size})
            picture = drawing.replace(' rx="7"', "") if whole else drawing
            await page.set_content(f"<style>* {{ margin: 0; display: block; width: {size}px }}</style>{picture}")
            await page.screenshot(path=str(FOLDER / "icons" / f"{name}.png"), omit_background=True)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(draw())
