"""One round of all pages in a language of `ANNA_EINS_LANGUAGES`, as a program: what is wrong there, as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

from tests.browser.conftest import BRIEF
from tests.browser.walk import Round
from tests.conftest import chromium_path
from tests.waiting import PATIENCE_MS
from tests.web.open_house import open_house


async def walked(tag: str, folder: Path) -> dict[str, object]:
    async with async_playwright() as playwright, open_house(folder / "data") as house:
        browser = await playwright.chromium.launch(timeout=PATIENCE_MS, executable_path=chromium_path(), args=BRIEF)
        walk = await Round.begin(house, browser, tag)
        await walk.from_first_to_last()
        await browser.close()
    looking = walk.looking
    return {"seen": looking.seen, "met": {place: sorted(texts) for place, texts in looking.met.items()}}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print(json.dumps(asyncio.run(walked(sys.argv[1], Path(place)))))
