"""A newcomer's first run, with pictures: from the terminal's lines to the first spoken move, as each screen says.

`python -m tests.browser.first_run docs/pictures` starts the real server on a fresh folder, as `make run` does, and goes
the way of docs/first-run.md: the arbiter's link, the player's code, Admit, Start, the talk key, the press.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Awaitable
from pathlib import Path

import aiohttp
from playwright.async_api import Browser, Page, Playwright, async_playwright

from tests.browser.conftest import hearing, started
from tests.browser.test_five_pages import NOTES, speak, write_spoken
from tests.waiting import PATIENCE_MS

SIZE = {"width": 700, "height": 620}
READY_S = 60.0


async def until_told(server: asyncio.subprocess.Process, said: list[str]) -> None:
    """Read what the terminal shows, to its last line."""
    assert server.stdout is not None
    while not (said and said[-1].startswith("Then the arbiter starts")):
        said.append((await asyncio.wait_for(server.stdout.readline(), READY_S)).decode().rstrip())


async def until_it_listens(address: str) -> None:
    """The ears are loaded while the server already serves."""
    async with asyncio.timeout(READY_S), aiohttp.ClientSession() as session:
        while True:
            async with session.get(f"{address}/health") as answer:
                if (await answer.json())["ears"]:
                    return
            await asyncio.sleep(0.1)


async def new_page(browser: Browser) -> Page:
    """A device of its own."""
    context = await browser.new_context(locale="en-GB", viewport=SIZE)  # type: ignore[arg-type]
    await context.add_init_script(NOTES)
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    return page


async def walk(said: list[str], browser: Browser, folder: Path) -> list[str]:
    """Only what the screens say; return what people did up to the first completed move.

    An act is an address that is opened, a text that is typed and sent, a button or key, or a spoken sentence.
    """
    address = re.search(r"On this computer:\s+(\S+)", "\n".join(said))
    link = re.search(r"Arbiter, open this once: (\S+)", "\n".join(said))
    code = re.search(r"White, tactile:\s+(.*)", "\n".join(said))
    assert address is not None and link is not None and code is not None
    acts: list[str] = []

    async def picture(page: Page, name: str) -> None:
        await page.screenshot(path=str(folder / f"first-run-{name}.png"), animations="disabled")

    async def act(name: str, doing: Awaitable[object]) -> None:
        acts.append(name)
        await doing

    arbiter, player = await new_page(browser), await new_page(browser)
    await act("the arbiter opens the link", arbiter.goto(link[1]))
    await arbiter.locator("header .state", has_text="Connected").wait_for()
    await act("the player opens the address", player.goto(address[1]))
    field = player.get_by_label("Code (three squares)")
    await field.fill(code[1])
    await picture(player, "1-code")
    await act("the player types the code, and Enter", field.press("Enter"))
    await player.get_by_text("The arbiter has been told").first.wait_for()
    admit = arbiter.get_by_role("button", name="Admit").first
    await admit.scroll_into_view_if_needed()
    await picture(arbiter, "2-admit")
    await act("the arbiter admits the device", admit.click())
    await player.locator("header .state", has_text="Connected").wait_for()
    start = arbiter.get_by_role("button", name="Start White's clock")
    await start.scroll_into_view_if_needed()
    await picture(arbiter, "3-start")
    await act("the arbiter starts White's clock", start.click())
    await player.locator("#last", has_text="started").wait_for()
    await until_it_listens(address[1])
    await act("the player speaks the move", speak(player))
    await player.locator("#last", has_text="Bauer Eva vier").wait_for()
    await picture(player, "4-spoken")
    await act("the player presses the clock", player.keyboard.press("Control+Enter"))
    await arbiter.locator("#record", has_text="White: move completed").wait_for()
    return acts


async def main(folder: Path, playwright: Playwright) -> list[str]:
    with tempfile.TemporaryDirectory() as temporary:
        spoken = Path(temporary) / "spoken.wav"
        await write_spoken(spoken, "e4")
        program = str(Path(sys.executable).with_name("anna-eins"))
        options = ("--demo-table", "--port", "0", "--data", f"{temporary}/data")
        server = await asyncio.create_subprocess_exec(program, "serve", *options, stdout=asyncio.subprocess.PIPE)
        said: list[str] = []
        try:
            await until_told(server, said)
            async with started(playwright, hearing(spoken, once=True)) as browser:
                acts = await walk(said, browser, folder)
        finally:
            server.terminate()
            await server.wait()
    print("\n".join([*said, "", f"Acts to the first move: {len(acts)}", *acts]))
    return acts


async def by_itself(folder: Path) -> None:
    async with async_playwright() as playwright:
        await main(folder, playwright)


if __name__ == "__main__":
    asyncio.run(by_itself(Path(sys.argv[1])))
