"""The talk button in a real browser: a tone from a (pretended) microphone arrives on disk at its pitch, whole."""

from __future__ import annotations

import math
import struct
import time
import wave
from pathlib import Path

import numpy as np
import pytest
import soundfile
from playwright.async_api import Browser, Playwright, expect

from server.game.values.words import Seat
from tests.browser.conftest import hearing, started
from tests.browser.test_dead_hardware import becomes
from tests.browser.test_pages import opened
from tests.web.open_house import House, open_house

pytestmark = pytest.mark.needs("chromium")

RATE = 44_100  # not the wire's rate: the page has to resample
PITCH = 1_000
NOTES_KEYS = """() => {
  window.at = {};
  addEventListener("keydown", ({ key }) => { window.at[key] = performance.now(); }, { capture: true });
}"""
NOTES_OPENING = "document.addEventListener('microphone-open', () => { window.microphoneIsOpen = true; })"
TOO_HIGH = 11_000  # above what 16 kHz can carry; without a filter it would come back at 5 kHz


def write_tone(path: Path) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        samples = (
            int(8_000 * math.sin(2 * math.pi * PITCH * i / RATE) + 8_000 * math.sin(2 * math.pi * TOO_HIGH * i / RATE))
            for i in range(RATE * 4)
        )
        file.writeframes(b"".join(struct.pack("<h", one) for one in samples))


NOTES_SOCKETS = """window.sockets = [];
window.WebSocket = class extends WebSocket { constructor(...how) { super(...how); sockets.push(this); } };"""
SOUND_LINE = "sockets.find((one) => one.url.includes('/audio')).readyState"


@pytest.mark.law("L194")
@pytest.mark.parametrize("key", ["F9", "Space"])
async def test_what_is_said_while_the_key_is_held_is_on_disk(tmp_path: Path, playwright: Playwright, key: str) -> None:
    write_tone(tmp_path / "tone.wav")
    async with (
        open_house(tmp_path / "data") as house,
        started(playwright, hearing(tmp_path / "tone.wav")) as browser,
    ):
        player = await house.station("tactile", Seat.WHITE)
        desk = await (await house.arbiter()).line()
        async with opened(browser, house, player) as watched:
            page = watched.page
            talk = page.locator("#talk")
            await page.add_init_script(NOTES_SOCKETS)
            await page.reload()
            await page.locator("header .state", has_text="Connected").wait_for()
            if key == "Space":
                await talk.focus()
            await page.evaluate(NOTES_OPENING)
            pressed = time.monotonic()
            await page.keyboard.down(key)
            await becomes(page, "document.querySelector('#talk').getAttribute('aria-pressed') === 'true'")
            await becomes(page, "window.microphoneIsOpen")
            await page.wait_for_timeout(1500)
            await page.keyboard.up(key)
            held_ms = 1000 * (time.monotonic() - pressed)
            assert await talk.get_attribute("aria-pressed") == "false"
            kept = (await desk.until(event="sound_kept"))["message"]["event"]
            # The page gives its line up: that of its sound, which goes the same way, is no better.
            assert await page.evaluate(SOUND_LINE) == 1
            await page.evaluate("sockets.find((one) => one.url.includes('/ws')).close()")
            await becomes(page, f"{SOUND_LINE} > 1")
            assert watched.complaints == []
        (file,) = (house.hall.data.audio / "demo").glob("*.flac")
        samples, rate = soundfile.read(file)
    assert rate == 16_000
    assert kept["length_ms"] == len(samples) // 16
    assert 300 < kept["length_ms"] < held_ms + 500
    middle = samples[len(samples) // 4 : len(samples) * 3 // 4]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    pitches = np.fft.rfftfreq(len(middle), 1 / rate)
    assert abs(pitches[spectrum.argmax()] - PITCH) < 15
    folded = spectrum[abs(pitches - (rate - TOO_HIGH)) < 100].max()
    assert folded < spectrum.max() / 100, "what is above 8 kHz must not fold back into the speech"


async def test_what_is_said_after_a_check_that_the_key_ended_is_no_check(
    tmp_path: Path, playwright: Playwright
) -> None:
    """The key held by habit while the microphone is checked ends the check; what is said next is heard and kept."""
    write_tone(tmp_path / "tone.wav")
    async with (
        open_house(tmp_path / "data") as house,
        started(playwright, hearing(tmp_path / "tone.wav")) as browser,
    ):
        player = await house.station("tactile", Seat.WHITE)
        desk = await (await house.arbiter()).line()
        async with opened(browser, house, player) as watched:
            page, pressed = watched.page, "document.querySelector('#talk').getAttribute('aria-pressed')"
            await page.evaluate(NOTES_OPENING)
            await page.evaluate("document.getElementById('check').click()")  # it lies in the settings
            await becomes(page, f"{pressed} === 'true'")
            await page.keyboard.press("F9")
            await becomes(page, f"{pressed} === 'false'")
            await page.keyboard.down("F9")
            await becomes(page, "window.microphoneIsOpen")
            await page.wait_for_timeout(3_500)  # longer than the rest of the check
            assert await page.evaluate(pressed) == "true"
            await page.keyboard.up("F9")
            kept = (await desk.until(event="sound_kept"))["message"]["event"]
            assert kept["length_ms"] > 3_000


async def test_where_no_microphone_opens_the_button_says_no_more_that_it_listens(
    house: House, browser: Browser
) -> None:
    async with opened(browser, house, await house.station("tactile", Seat.WHITE)) as watched:
        await watched.page.keyboard.down("F9")
        await expect(watched.page.locator("[role=alert]")).to_contain_text("The microphone cannot be used")
        await expect(watched.page.locator("#talk > [data-t=talk]")).to_be_visible()
        assert await watched.page.locator("#talk").get_attribute("aria-pressed") == "false"


async def test_the_moment_before_the_key_is_sent_only_where_the_player_wants_it(
    tmp_path: Path, playwright: Playwright
) -> None:
    """The microphone is open since the first press; what it heard between two presses never leaves the page."""
    write_tone(tmp_path / "tone.wav")
    async with (
        open_house(tmp_path / "data") as house,
        started(playwright, hearing(tmp_path / "tone.wav")) as browser,
    ):
        player = await house.station("tactile", Seat.WHITE)
        desk = await (await house.arbiter()).line()
        async with opened(browser, house, player) as watched:
            page = watched.page
            await page.evaluate(NOTES_OPENING)
            await page.evaluate(NOTES_KEYS)

            async def before_the_key(hold_ms: int) -> float:
                await page.wait_for_timeout(400)  # the microphone hears as much as the moment before can hold
                await page.keyboard.down("F9")
                await becomes(page, "window.microphoneIsOpen")
                await page.wait_for_timeout(hold_ms)
                await page.keyboard.press("Escape")  # lets go as well
                assert await page.locator("#talk").get_attribute("aria-pressed") == "false"
                await page.keyboard.up("F9")
                length = float((await desk.until(event="sound_kept"))["message"]["event"]["length_ms"])
                return length - float(await page.evaluate("window.at.Escape - window.at.F9"))

            await before_the_key(1_500)
            await page.locator("details.sheet").last.locator("summary").click()
            lengths = {}
            for wanted in (False, True):
                await page.locator("#preroll").set_checked(wanted)
                await page.wait_for_timeout(600)
                lengths[wanted] = min([await before_the_key(200) for _ in range(3)])
                await page.wait_for_timeout(600)
            assert lengths[True] >= lengths[False] + 150
            assert watched.complaints == []
