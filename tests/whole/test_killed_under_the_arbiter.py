"""Kill -9 of the real server under the arbiter's page, its data folder deleted: the page's file starts another one."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from playwright.async_api import async_playwright, expect

from server.hall.restore import load_copy
from tests.browser.conftest import ARGS
from tests.browser.test_dead_hardware import HEAD
from tests.conftest import chromium_path
from tests.waiting import PATIENCE_MS, PATIENCE_S
from tests.whole.running_server import STOP_S, RunningServer, begin

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]


async def restarted(repo: Path, data: Path, file: Path, code: str) -> RunningServer:
    """Another laptop, with the file and the code in words."""
    process = await begin(
        *(repo, "serve", "--data", str(data), "--port", "0", "--restore-from", str(file), "--restore-code", code)
    )
    assert process.stdout is not None
    told = ""
    async with asyncio.timeout(PATIENCE_S):
        while "the arbiter admits each device" not in told:
            line = await process.stdout.readline()
            assert line, told
            told += line.decode()
    return RunningServer(process, told)


async def test_the_arbiters_page_outlives_the_server_and_starts_another(repo: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    server = await RunningServer.start(repo, first)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(timeout=PATIENCE_MS, executable_path=chromium_path(), args=ARGS)
        page = await (await browser.new_context(locale="en-GB")).new_page()
        page.set_default_timeout(PATIENCE_MS)
        try:
            await page.goto(f"http://localhost:{server.port}/#join={server.arbiter_secrets['demo']}")
            # The button is there before its page's program is; a click that comes between is heard by nobody.
            await page.locator("header .state", has_text="Connected").wait_for()
            await page.get_by_role("button", name="Start White's clock").click()
            await expect(page.locator("#record")).to_contain_text("game started")
            await page.get_by_role("tab", name="Save or send").click()
            await page.get_by_text("If the server fails").click()
            async with asyncio.timeout(PATIENCE_S):
                while not await page.evaluate("localStorage.getItem('copies:demo') !== null"):
                    await asyncio.sleep(0.05)
                while not await page.evaluate(f"{HEAD}.until?.witness"):
                    await asyncio.sleep(0.05)
                while not await page.evaluate("Object.keys(localStorage).some((key) => key.startsWith('held:'))"):
                    await asyncio.sleep(0.05)
        finally:
            await server.kill()
        shutil.rmtree(first)
        await expect(page.locator("[role=alert]")).to_contain_text("The server is not responding")
        await expect(page.locator(".gone .last")).to_contain_text("Set a clock to: White 1 hour")
        await page.get_by_role("button", name="Show the copy's code").click()
        code = (await page.locator("#copy-code").inner_text()).partition(": ")[2].partition(" (")[0]
        async with page.expect_download() as saving:
            await page.get_by_role("button", name="Save this table's copy").click()
        await (await saving.value).save_as(tmp_path / "demo.json")

        # A server that knows nothing comes up at the same address: its table has the same name, and the copy stays.
        blank = await RunningServer.start(repo, tmp_path / "blank", port=server.port)
        try:
            # This server does not know the page and sends it to the entrance, where the link is opened.
            await page.locator("#notice").wait_for()
            await page.goto(f"http://localhost:{blank.port}/#join={blank.arbiter_secrets['demo']}")
            await page.get_by_text("If the server fails").click()
            async with page.expect_download() as saving:
                await page.get_by_role("button", name="Save the previous server's copy").click()
            assert (await page.locator("#copy-code").inner_text()).partition(": ")[2].partition(" (")[0] == code
            await (await saving.value).save_as(tmp_path / "before.json")
        finally:
            assert await blank.stop(STOP_S) == 0
        assert load_copy(tmp_path / "before.json", code) == load_copy(tmp_path / "demo.json", code)

        other = await restarted(repo, second, tmp_path / "before.json", code)
        try:
            await page.goto(f"http://localhost:{other.port}/#join={other.arbiter_secrets['demo']}")
            await expect(page.locator("#record")).to_contain_text("Continued from a copy on another machine")
            await expect(page.locator("#state")).to_have_text("Table: the players speak to each other")  # no move
            await page.get_by_role("button", name="Resume clocks", exact=True).click()
            await expect(page.locator("#record")).to_contain_text("clocks resumed")
        finally:
            await browser.close()
            assert await other.stop(STOP_S) == 0
