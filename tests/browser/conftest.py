"""The open house and a browser to visit it with; and a microphone into which a file speaks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Playwright, async_playwright, expect
from pytest_asyncio import is_async_test

from tests.conftest import chromium_path
from tests.waiting import PATIENCE_MS
from tests.web.open_house import House, open_house

expect.set_options(timeout=PATIENCE_MS)

ARGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run"]
BRIEF = [*ARGS, "--js-flags=--no-opt"]
"""A page of a test lives for seconds: to make its code fast meanwhile costs more than it saves, a ninth of all the work
of a page and of axe on it. Where sound runs in real time it is made fast, as at a player's (`hearing`)."""


def hearing(wav: Path, *, once: bool = False) -> list[str]:
    """Arguments for a Chromium whose microphone hears this file, over and over or once; no page need ask for leave."""
    return [
        *ARGS,
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-audio-capture={wav}{'%noloop' if once else ''}",
    ]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of pages run in one event loop, so that one Chromium serves them all."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents and is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session")
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "data") as open_one:
        yield open_one


@asynccontextmanager
async def started(playwright: Playwright, args: list[str] = BRIEF) -> AsyncIterator[Browser]:
    """A Chromium with these arguments."""
    browser = await playwright.chromium.launch(timeout=PATIENCE_MS, executable_path=chromium_path(), args=args)
    yield browser
    await browser.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def playwright() -> AsyncIterator[Playwright]:
    """Start Playwright once a process: a program of its own, which takes a second to start."""
    async with async_playwright() as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium(playwright: Playwright) -> AsyncIterator[Browser]:
    """One Chromium for all tests of this process: to start it takes as long as a short test."""
    async with started(playwright) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Browser) -> AsyncIterator[Browser]:
    """That Chromium; what a test left open in it is closed."""
    yield chromium
    for left in chromium.contexts:
        await left.close()
