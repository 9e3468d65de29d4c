"""The private ear in a real browser: what is said sounds once, a key silences it within 50 ms, the server knows."""

from __future__ import annotations

import io
import math
import struct
from collections.abc import AsyncIterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import soundfile
from playwright.async_api import Browser, Page, expect

from server.game.values.words import Seat
from speech.audio.sound import Sound
from speech.voices.voice import ORDINARY, Manner, Segment
from tests.browser.test_dead_hardware import becomes
from tests.browser.test_pages import opened
from tests.waiting import until
from tests.web.open_house import House, open_house

pytestmark = pytest.mark.needs("chromium")

RATE = 16_000
LENGTH_S = 4

# Beside the loudspeaker, something that notes for every block whether it sounds, and when.
NOTES = """
window.blocks = [];
const connect = AudioNode.prototype.connect;
AudioNode.prototype.connect = function (to, ...more) {
  if (to instanceof AudioDestinationNode && !(this instanceof ScriptProcessorNode)) {
    const context = this.context;
    if (!context.notes) {
      context.notes = context.createScriptProcessor(256, 1, 1);
      context.notes.onaudioprocess = ({ inputBuffer }) =>
        window.blocks.push([performance.now(), inputBuffer.getChannelData(0).some((one) => Math.abs(one) > 0.001)]);
      connect.call(context.notes, context.destination);
    }
    connect.call(this, context.notes);
  }
  return connect.call(this, to, ...more);
};
// How long each phrase sounded, ms: a busy machine may drop a block or two inside one, gaps between them are longer.
window.phrases = () => {
  const found = [];
  let since = null, last = null;
  for (const [at, loud] of window.blocks) {
    if (!loud) continue;
    if (last === null || at - last > 150) { if (since !== null) found.push(last - since); since = at; }
    last = at;
  }
  return since === null ? found : [...found, last - since];
};
window.keyed = [];
addEventListener("keydown", () => window.keyed.push(performance.now()), { capture: true });
"""


@cache
def long_tone() -> bytes:
    """Samples of a tone, computed once: meanwhile the server of a test answers nobody."""
    samples = (int(8_000 * math.sin(2 * math.pi * 440 * i / RATE)) for i in range(RATE * LENGTH_S))
    return b"".join(struct.pack("<h", one) for one in samples)


class ToneVoice:
    """Every phrase is the same long tone."""

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        return Sound(long_tone(), RATE)

    async def close(self) -> None:
        """Nothing to let go."""


@pytest_asyncio.fixture(loop_scope="session")
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "data", voice=ToneVoice()) as open_one:
        yield open_one


async def sounding(page: Page, yes: bool) -> None:
    await becomes(page, f"(window.blocks.at(-1) ?? [0, false])[1] === {str(yes).lower()}")


async def ask(page: Page) -> None:
    await page.locator("[data-ask=moves]").click()


def channel(house: House) -> Any:
    return house.hall.table("demo").teller._tongues["white"].channel._channel


@pytest.mark.parametrize("key", ["Escape", "F9", "Control+Enter"])
async def test_a_key_silences_the_voice_within_50_ms(house: House, browser: Browser, key: str) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    async with opened(browser, house, player, "/static/pages/icon.svg", bypass_csp=True) as blank:
        page = blank.page
        await page.add_init_script(NOTES)
        await page.goto(house.base + player.page)
        await page.locator("header .state", has_text="Connected").wait_for()
        took = []
        for _ in range(3):
            await ask(page)
            await sounding(page, True)
            await page.wait_for_timeout(300)
            before = await page.evaluate("window.keyed.length")
            await page.keyboard.press(key)
            await sounding(page, False)
            pressed, last = await page.evaluate(
                f"[window.keyed[{before}], window.blocks.findLast(([, loud]) => loud)[0]]"
            )
            took.append(last - pressed)
        print(f"{key}: silent after {sorted(round(ms, 1) for ms in took)} ms")
        assert sorted(took)[1] < 50
        await until(lambda: channel(house).ear.playing is None, lambda: "the server does not know that it is silent")


async def test_what_plays_to_its_end_is_told_and_the_next_one_follows_once(house: House, browser: Browser) -> None:
    player = await house.station("tactile", Seat.WHITE)
    await (await (await house.arbiter()).line()).do({"do": "start_game"})
    black = await (await house.station("sighted", Seat.BLACK)).line()
    async with opened(browser, house, player, "/static/pages/icon.svg", bypass_csp=True) as blank:
        page = blank.page
        await page.add_init_script(NOTES)
        await page.goto(house.base + player.page)
        await page.locator("header .state", has_text="Connected").wait_for()
        await page.keyboard.press("Shift")
        await ask(page)
        await sounding(page, True)
        await black.do({"do": "offer_draw"})  # said after the answer, which it does not stop
        await becomes(page, "window.phrases().length === 2")  # a look now and then may miss the gap
        await page.keyboard.press("F8")  # the last phrase again
        await becomes(page, "window.phrases().length === 3")
        await page.keyboard.press("Escape")
        await sounding(page, False)
        lengths = await page.evaluate("window.phrases()")
        assert len(lengths) == 3 and abs(lengths[0] - LENGTH_S * 1000) < 300
        assert not [one for one in blank.complaints if "no sound" in one]


@pytest.mark.law("L192")
async def test_asking_again_stops_the_answer_and_is_answered_while_something_else_sounds(
    house: House, browser: Browser
) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    black = await (await house.station("sighted", Seat.BLACK)).line()
    async with opened(browser, house, player, "/static/pages/icon.svg", bypass_csp=True) as blank:
        page = blank.page
        await page.add_init_script(NOTES)
        await page.goto(house.base + player.page)
        await page.locator("header .state", has_text="Connected").wait_for()
        await page.keyboard.press("Shift")
        await ask(page)
        await sounding(page, True)
        await ask(page)  # only stops
        await sounding(page, False)
        await ask(page)
        await sounding(page, True)
        await page.keyboard.press("Escape")
        await sounding(page, False)
        await black.do({"do": "offer_draw"})
        await sounding(page, True)
        await ask(page)
        await page.locator("#last", has_text="Moves completed: 0").wait_for()
        await page.locator("[data-ask=time]").click()  # another question while that answer sounds
        await page.locator("#last", has_text="1 hour").wait_for()
        asked = [getattr(one, "what", "") for sent in house.table._sent.values() for one in sent]
        assert (asked.count("moves"), asked.count("time")) == (3, 1)


async def test_a_sound_that_stopped_comes_back_with_the_next_key(house: House, browser: Browser) -> None:
    player = await house.station("tactile", Seat.WHITE)
    async with opened(browser, house, player, "/static/pages/icon.svg", bypass_csp=True) as blank:
        page = blank.page
        await page.add_init_script(
            "window.contexts = []; const Real = AudioContext; window.AudioContext = class extends Real "
            "{ constructor(...all) { super(...all); window.contexts.push(this); } };"
        )
        await page.goto(house.base + player.page)
        await page.locator("header .state", has_text="Connected").wait_for()
        await page.keyboard.press("Shift")
        await becomes(page, "window.contexts[0]?.state === 'running'")
        await page.evaluate("window.contexts[0].suspend()")
        await becomes(page, "window.contexts[0].state === 'suspended'")
        await page.keyboard.press("Shift")
        await becomes(page, "window.contexts[0].state === 'running'")


async def test_the_player_chooses_with_keys_how_they_are_spoken_to_and_it_is_there_again(
    house: House, browser: Browser
) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, player) as watched:
        page = watched.page
        chosen = (await desk.until(event="ear_chosen"))["message"]["event"]
        assert chosen["ear"]["language"] == "en", "the seat takes the language of its page"
        await page.locator("details.sheet").last.locator("summary").click()
        await page.locator("#ear-speed").focus()
        await page.keyboard.press("ArrowRight")
        chosen = (await desk.until(event="ear_chosen"))["message"]["event"]
        assert chosen["ear"]["speed"] == 110
        await expect(page.locator("#ear-speed")).to_have_attribute("aria-valuetext", "110 per cent")
        await page.locator("#ear-read_back").select_option("tick")
        chosen = (await desk.until(event="ear_chosen"))["message"]["event"]
        assert chosen["ear"]["read_back"] == "tick" and chosen["ear"]["speed"] == 110
        await page.reload()
        await page.locator("header .state", has_text="Connected").wait_for()
        assert await page.locator("#ear-speed").input_value() == "110"
        assert await page.locator("#ear-read_back").input_value() == "tick"
        assert watched.complaints == []


QUICKLY = """() => {
  const range = document.getElementById("ear-speed");
  window.shown = [];
  document.addEventListener("told", ({ detail }) => {
    if (detail.message.type === "sound_shown") window.shown.push(document.getElementById("ear-speed").value);
  });
  for (const value of ["110", "120"]) { range.value = value; range.dispatchEvent(new Event("change")); }
}"""
"""Two choices, the second before the first is answered."""


async def test_an_answer_to_an_older_choice_undoes_no_newer_one(house: House, browser: Browser) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, player) as watched:
        page = watched.page
        await desk.until(event="ear_chosen")  # the language
        await page.evaluate(QUICKLY)
        await becomes(page, "document.getElementById('ear-speed').value === '120' && window.shown.length >= 2")
        assert set(await page.evaluate("window.shown")) == {"120"}
        assert house.table.state.sound.of(Seat.WHITE).ear.speed == 120


async def test_balance_goes_out_on_two_channels(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    line = await player.line()
    assert (await line.do({"do": "choose_ear", "balance": -100}))["outcome"]["ok"]
    await line.do({"do": "ask", "what": "moves"})
    ready = await line.until(kind="sound")
    async with player.session.get(f"{house.base}/sound/{ready['id']}") as answer:
        samples, rate = soundfile.read(io.BytesIO(await answer.read()), dtype="int16")
    assert samples.shape == (RATE * LENGTH_S, 2) and rate == RATE
    assert abs(samples[:, 0]).max() > 7_000 and abs(samples[:, 1]).max() == 0
