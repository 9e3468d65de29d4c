"""The open house and a browser to visit it with; and a microphone into which a file speaks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright, expect

from tests.conftest import chromium_path
from tests.waiting import PATIENCE_MS
from tests.web.open_house import House, open_house

expect.set_options(timeout=PATIENCE_MS)

ARGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run"]


def hearing(wav: Path, *, once: bool = False) -> list[str]:
    """Arguments for a Chromium whose microphone hears this file, over and over or once; no page need ask for leave."""
    return [
        *ARGS,
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-audio-capture={wav}{'%noloop' if once else ''}",
    ]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "data") as open_one:
        yield open_one


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=chromium_path(), args=ARGS)
        yield started
        await started.close()
