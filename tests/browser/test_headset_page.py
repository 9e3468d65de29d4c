"""A player reports wearing a headset, has the microphone checked on the page, and is told what was found."""

from __future__ import annotations

import math
import struct
import wave
from pathlib import Path

import pytest
from playwright.async_api import Playwright

from server.game.values.words import Seat
from tests.browser.conftest import hearing, started
from tests.browser.test_dead_hardware import NOTES_SAID, becomes
from tests.browser.test_pages import opened, violations
from tests.waiting import until
from tests.web.open_house import House, open_house

pytestmark = pytest.mark.needs("chromium")

RATE = 16_000


def write_voice(path: Path) -> None:
    """Half a second of a sound, a quarter of silence, again and again: a voice that is no tone of the check."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        samples = (
            int(6_000 * math.sin(2 * math.pi * 1_050 * at / RATE)) * (at % 12_000 < 8_000) for at in range(RATE * 6)
        )
        file.writeframes(b"".join(struct.pack("<h", one) for one in samples))


def proven(house: House) -> list[bool]:
    return [one.stays_out for one in house.table.state.sound.of(Seat.WHITE).headsets]


async def test_a_headset_is_checked_and_taken_off(tmp_path: Path, playwright: Playwright) -> None:
    write_voice(tmp_path / "voice.wav")
    async with (
        open_house(tmp_path / "data") as house,
        started(playwright, hearing(tmp_path / "voice.wav")) as browser,
    ):
        player = await house.station("tactile", Seat.WHITE)
        async with opened(browser, house, player) as watched:
            page = watched.page
            await page.locator("summary", has_text="Settings for this device").press("Enter")
            await page.get_by_label("I wear a headset").check()
            await page.locator("[role=status] p", has_text="Check the microphone now").wait_for()
            await page.evaluate(NOTES_SAID)
            await page.get_by_role("button", name="Check the microphone").click()
            await becomes(page, "window.saidHere.some((text) => text.includes('If you hear tones'))")
            await page.locator("#level", has_text="does not hear the program").wait_for()
            await until(lambda: proven(house) == [True])
            assert await violations(page) == []
            await page.get_by_label("I wear a headset").uncheck()
            await until(lambda: proven(house) == [False])
            assert watched.complaints == []
