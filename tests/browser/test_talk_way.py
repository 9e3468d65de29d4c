"""How the microphone is opened, chosen on the page: by keyboard alone, recorded, and kept by the server."""

from __future__ import annotations

import time
import wave
from pathlib import Path

import numpy as np
import pytest
from playwright.async_api import Browser, Playwright, expect

from server.game.values.words import Seat
from server.voice.listener import UtteranceSound
from tests.browser.conftest import hearing, started
from tests.browser.test_pages import opened, violations
from tests.game.core_table import altered
from tests.waiting import until
from tests.web.open_house import House, open_house

pytestmark = pytest.mark.needs("chromium")

RATE = 16_000
SHORTLY = """() => {
  for (const kind of ["keydown", "keyup"])
    document.body.dispatchEvent(new KeyboardEvent(kind, { key: "F9", bubbles: true }));
}"""
"""The talk key pressed for less than HELD_MS of `talk.js`, however busy the machine is."""


def write_speech(path: Path) -> None:
    """Half a second of sound, then a second of near silence, again and again."""
    rng = np.random.default_rng(2)
    loud = np.sin(np.arange(RATE // 2) * 0.2) * 9_000
    part = np.concatenate([loud, np.zeros(RATE)]) + rng.normal(0, 15, RATE // 2 + RATE)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.tile(part, 8).astype("<i2").tobytes())


async def test_the_players_voice_opens_the_microphone_after_a_check(
    tmp_path: Path, playwright: Playwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_speech(tmp_path / "speech.wav")
    async with (
        open_house(tmp_path / "data") as house,
        started(playwright, hearing(tmp_path / "speech.wav")) as browser,
    ):
        player = await house.station("tactile", Seat.WHITE)
        desk = await (await house.arbiter()).line()
        async with opened(browser, house, player) as watched:
            page = watched.page
            await page.locator("details.sheet").last.locator("summary").click()
            group = page.get_by_role("group", name="How the microphone opens")
            held = group.get_by_role("radio", name="While I hold the talk key")
            await expect(held).to_be_checked()
            await held.focus()
            await page.keyboard.press("ArrowDown")
            await desk.until(event="talking_chosen", talking="toggled")
            await page.locator("#talk small", has_text="switches on and off").wait_for()
            await page.keyboard.press("ArrowDown")
            await desk.until(event="talking_chosen", talking="voice")
            voice = group.get_by_role("radio", name="When I speak")
            await page.locator("#talk small", has_text="opens and closes").wait_for()
            await expect(voice).to_be_checked()
            await expect(voice).to_be_focused()
            assert await violations(page) == []
            await page.keyboard.press("F9")
            await page.locator("#level", has_text="The microphone is").wait_for()
            await page.locator("#talk", has_text="Microphone open").wait_for()
            first = (await desk.until(event="sound_kept"))["message"]["event"]
            second = (await desk.until(event="sound_kept"))["message"]["event"]
            assert all(900 <= one["length_ms"] <= 2_000 for one in (first, second)), (first, second)
            heard: list[tuple[bool, int]] = []

            async def hear(_station: str, _count: int, sound: UtteranceSound, *_rest: object) -> None:
                heard.append((sound.by_voice, len(sound.pcm) // 32))

            monkeypatch.setattr(house.table, "hear", hear)
            pressed = time.monotonic()
            await page.keyboard.down("F9")  # held over the open microphone, it vouches for what is said
            await page.wait_for_timeout(1_500)
            await page.keyboard.up("F9")
            most = 1000 * (time.monotonic() - pressed) + 1_000
            await until(lambda: any(not by_voice and 1_000 <= ms <= most for by_voice, ms in heard))
            await until(lambda: heard[-1][0])  # and the microphone is open still
            await expect(page.locator("#talk")).to_have_attribute("aria-pressed", "true")
            count = len([1 for by_voice, _ in heard if not by_voice])
            await page.evaluate(SHORTLY)
            await page.locator("#talk[aria-pressed=false]").wait_for()
            assert count == len([1 for by_voice, _ in heard if not by_voice]) == 1
            assert watched.complaints == []


SENT = """async ([after, ends]) => {
  const { Talk } = await import("/static/audio/talk.js");
  const sent = [];
  const talk = Object.assign(Object.create(Talk.prototype), {
    uttered: [{ utterance: 1n, sample: 0n }], held: null, device: false, line() {}, turn() {},
    send: (one) => {
      const frame = typeof one !== "string" && new DataView(one).getBigUint64(0, true);
      sent.push(!frame ? "end" : frame === 1n ? "open" : "held");
    },
  });
  const frame = () => talk.frame(new ArrayBuffer(640));
  frame();
  talk.hold();
  frame();
  if (after) await new Promise((done) => setTimeout(done, after));
  frame();
  talk.release(ends);
  frame();
  return sent;
}"""


@pytest.mark.parametrize(
    ("after_ms", "shuts", "sent"),
    [
        (1_000, True, ["open", "held", "held", "end", "open"]),
        (0, True, ["open", "open", "open", "open"]),  # pressed shortly it is no key that vouches
        (0, False, ["open", "open", "open", "open"]),  # the page lost the focus
    ],
)
async def test_what_is_said_while_the_key_is_held_over_an_open_microphone_is_said_once(
    house: House, browser: Browser, after_ms: int, shuts: bool, sent: list[str]
) -> None:
    """Taken twice, one yes would raise a question and answer it."""
    async with opened(browser, house, await house.station("tactile", Seat.WHITE)) as watched:
        assert await watched.page.evaluate(SENT, [after_ms, shuts]) == sent


async def test_what_the_arbiter_has_not_permitted_cannot_be_chosen_and_the_page_says_why(
    tmp_path: Path, browser: Browser
) -> None:
    async with open_house(tmp_path / "data") as house:
        house.table.state = altered(house.table.state, {"table.rated": True})
        player, arbiter = await house.station("tactile", Seat.WHITE), await house.arbiter()
        async with opened(browser, house, player) as player_page, opened(browser, house, arbiter) as desk:
            await player_page.page.locator("details.sheet").last.locator("summary").click()
            voice = player_page.page.get_by_role("radio", name="When I speak")
            await voice.click()
            await player_page.page.get_by_role("alert").get_by_text("only if the arbiter has permitted it").wait_for()
            await expect(player_page.page.get_by_role("radio", name="While I hold the talk key")).to_be_checked()
            form = desk.page.locator("#permit-voice")
            await desk.page.locator("summary", has_text="Voice activity").click()
            await form.get_by_label("Voice activity").select_option("yes")
            await form.get_by_role("button", name="Record").click()
            await desk.page.locator("#record", has_text="voice activity: permission changed").wait_for()
            await voice.click()
            await player_page.page.locator("#talk small", has_text="opens and closes").wait_for()
            assert house.table.state.sound.of(Seat.WHITE).talking == "voice"
