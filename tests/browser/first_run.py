"""A newcomer's first run, with pictures: from the terminal's lines to the first spoken move, as each screen says.

`python -m tests.browser.first_run docs/pictures` starts the real server on a fresh folder, as `make run` does, and goes
the way of docs/first-run.md: the arbiter's link, the player's code, Admit, Start, the talk key, the press.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

from tests.browser.conftest import hearing
from tests.browser.test_five_pages import NOTES, speak, write_spoken
from tests.conftest import chromium_path
from tests.waiting import PATIENCE_MS

SIZE = {"width": 700, "height": 620}
READY_S = 60.0


async def until_told(server: asyncio.subprocess.Process, said: list[str]) -> None:
    """Read what the terminal shows, to its last line."""
    assert server.stdout is not None
    while not (said and said[-1].startswith("Then the arbiter starts")):
        said.append((await asyncio.wait_for(server.stdout.readline(), READY_S)).decode().rstrip())


async def new_page(browser: Browser) -> Page:
    """A device of its own."""
    context = await browser.new_context(locale="en-GB", viewport=SIZE)  # type: ignore[arg-type]
    await context.add_init_script(NOTES)
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    return page


async def walk(said: list[str], browser: Browser, folder: Path) -> None:
    """Only what the screens say."""
    address = re.search(r"On this computer:\s+(\S+)", "\n".join(said))
    link = re.search(r"Arbiter, open this once: (\S+)", "\n".join(said))
    code = re.search(r"White, tactile:\s+(.*)", "\n".join(said))
    assert address is not None and link is not None and code is not None

    async def picture(page: Page, name: str) -> None:
        await page.screenshot(path=str(folder / f"first-run-{name}.png"), animations="disabled")

    arbiter, player = await new_page(browser), await new_page(browser)
    await arbiter.goto(link[1])
    await arbiter.locator("header .state", has_text="Connected").wait_for()
    await player.goto(address[1])
    await player.get_by_label("Code (three squares)").fill(code[1])
    await picture(player, "1-code")
    await player.get_by_role("button", name="Join").click()
    await player.get_by_text("The arbiter has been told").first.wait_for()
    admit = arbiter.get_by_role("button", name="Admit").first
    await admit.scroll_into_view_if_needed()
    await picture(arbiter, "2-admit")
    await admit.click()
    await player.locator("header .state", has_text="Connected").wait_for()
    start = arbiter.get_by_role("button", name="Start White's clock")
    await start.scroll_into_view_if_needed()
    await picture(arbiter, "3-start")
    await start.click()
    await player.locator("#last", has_text="started").wait_for()
    await speak(player)
    await player.locator("#last", has_text="Bauer Eva vier").wait_for()
    await picture(player, "4-spoken")
    await player.keyboard.press("Control+Enter")
    await arbiter.locator("#record", has_text="White: move completed").wait_for()


async def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        spoken = Path(temporary) / "spoken.wav"
        await write_spoken(spoken, "e4")
        program = str(Path(sys.executable).with_name("anna-eins"))
        options = ("--demo-table", "--port", "0", "--data", f"{temporary}/data")
        server = await asyncio.create_subprocess_exec(program, "serve", *options, stdout=asyncio.subprocess.PIPE)
        said: list[str] = []
        try:
            await until_told(server, said)
            await asyncio.sleep(8)  # the ears are loaded while the server already serves
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(
                    executable_path=chromium_path(), args=hearing(spoken, once=True)
                )
                await walk(said, browser, folder)
                await browser.close()
        finally:
            server.terminate()
            await server.wait()
    print("\n".join(said))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
