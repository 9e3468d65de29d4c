"""Server, microphone or sound gone: the page itself says so, holds the times, and goes on the moment all is back."""

from __future__ import annotations

import asyncio
import math
import struct
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Playwright, expect

from server.game.values.words import Seat
from server.hall.restore import load_copy
from speech.audio.sound import Sound
from speech.voices.voice import ORDINARY, Manner, Segment
from tests.browser.conftest import ARGS, started
from tests.browser.test_pages import GREETED_AGAIN, opened
from tests.waiting import PATIENCE_MS, PATIENCE_S
from tests.web.cable import Cable, cable
from tests.web.open_house import House, Visitor, open_house

pytestmark = pytest.mark.needs("chromium")

HEAD = "JSON.parse(localStorage.getItem('copy:demo:' + JSON.parse(localStorage.getItem('copies:demo')).at(-1)))"
SAID_MS = 2_000  # the server gone, until the page has said so
BACK_MS = 1_000  # the network back, until the station is
TRIES = 4  # of which the quickest counts: a machine that is busy with something else is no fault of the page

NOTES_SAID = """() => {
  window.saidHere = [];
  document.addEventListener("page-says", ({ detail }) => window.saidHere.push(detail.text));
}"""
"""All that the page says for an ear without a screen reader."""

# When the alert region was filled, when a kept phrase sounded, when a greeting came; and every sound of the page.
NOTES = """
window.said = []; window.phrases = 0; window.greeted = []; window.contexts = []; window.beats = 0;
document.addEventListener("held", () => { window.beats += 1; });
document.addEventListener("greeted", () => window.greeted.push(Date.now()));
document.addEventListener("kept-phrase", () => { window.phrases += 1; });
const Real = AudioContext;
window.AudioContext = class extends Real { constructor(...all) { super(...all); window.contexts.push(this); } };
addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  const text = document.querySelector("[role=alert]")?.textContent;
  if (text && text !== window.stood) window.said.push({ text, at: Date.now() });
  window.stood = text;
}).observe(document.body, { childList: true, subtree: true }));
"""


class Tone:
    """A voice that says everything as one short tone."""

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        assert segments
        wave = (int(8_000 * math.sin(at / 6)) for at in range(4_000))
        return Sound(b"".join(struct.pack("<h", one) for one in wave), 16_000)

    async def close(self) -> None:
        """Nothing is held."""


@pytest_asyncio.fixture(loop_scope="session")
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "data", voice=Tone()) as open_one:
        yield open_one


@asynccontextmanager
async def through(
    browser: Browser, line: Cable, visitor: Visitor, *, phrases: bool = True, before: str = NOTES
) -> AsyncIterator[Page]:
    """The visitor's page at the other end of a cable; with `phrases` it has fetched all that it may have to say.

    `before`: a script that runs before the page's own.
    """
    context = await browser.new_context(locale="en-GB")
    await context.add_cookies(
        [{"name": one.key, "value": one.value, "url": line.base} for one in visitor.session.cookie_jar]
    )
    await context.add_init_script(before)
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    if phrases:
        async with page.expect_response("**/phrase/sound_lost-en") as came:
            await page.goto(line.base + visitor.page)
        await (await came.value).finished()
    else:
        await page.goto(line.base + visitor.page)
    await page.locator("header .state", has_text="Connected").wait_for()
    await page.keyboard.press("Shift")  # browsers give no sound before the first key
    yield page
    await context.close()


async def now(page: Page) -> int:
    return int(await page.evaluate("Date.now()"))


async def becomes(page: Page, true: str) -> None:
    """Wait for it; the pages' own rules allow a browser no `wait_for_function`."""
    async with asyncio.timeout(PATIENCE_S):
        while not await page.evaluate(true):
            await asyncio.sleep(0.05)


async def test_a_dead_server_is_said_within_two_seconds_and_a_living_one_found_within_one(
    house: House, browser: Browser
) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    async with cable(house.base) as line, through(browser, line, player) as page:
        await page.locator("#last", has_text="started").wait_for()
        said, back = [], []
        for number in range(TRIES):
            before = await page.evaluate("window.phrases")
            alerts, pulled = await page.evaluate("window.said.length"), await now(page)
            line.pull()
            await becomes(page, f"window.said.length > {alerts}")
            await expect(page.locator("[role=alert]")).to_contain_text("The server is not responding")
            said.append(await page.evaluate("window.said.at(-1).at") - pulled)
            # What the player types and presses meanwhile waits, and happens once.
            if number == 0:
                await page.locator("#field").fill("Bauer Eva vier")
                await page.keyboard.press("Enter")
                await page.keyboard.press("Control+Enter")
                await expect(page.locator("[role=alert]")).to_contain_text("Not received yet")
                await expect(page.locator(".gone")).to_contain_text("Not known: what has happened since.")
            await expect(page.locator(".gone .last")).to_contain_text("Set a clock to: White 1 hour 30 minutes")
            await expect(page.locator(".gone .last")).to_contain_text("(running)")
            await becomes(page, f"window.phrases == {before + 1}")
            greetings = await page.evaluate("window.greeted.length")
            line.put_back()
            put = await now(page)
            await becomes(page, f"window.greeted.length > {greetings}")
            back.append(await page.evaluate("window.greeted.at(-1)") - put)
            await expect(page.locator(".gone")).to_be_hidden()
            if min(said) < SAID_MS and min(back) < BACK_MS and number:
                break
        print("said after ms:", said, "back after ms:", back)
        assert 0 < min(said) < SAID_MS, said
        assert min(back) < BACK_MS, back
        await desk.until(event="completed")
        events = [one["message"]["event"]["event"] for one in desk.seen if "event" in one.get("message", {})]
        assert events.count("announced") == events.count("clock_pressed") == 1
        await page.locator("#score td", has_text="Eva vier").first.wait_for()


async def test_every_station_at_a_clock_holds_the_times_of_a_server_that_is_gone(
    house: House, browser: Browser
) -> None:
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})

    async def holding(visitor: Visitor, holds: bool) -> None:
        async with cable(house.base) as line, through(browser, line, visitor) as page:
            if holds:
                await becomes(page, "Object.keys(localStorage).some((key) => key.startsWith('held:'))")
            else:
                await becomes(page, "window.beats > 1")  # which bring it none
            line.pull()
            await expect(page.locator("[role=alert]")).to_contain_text("The server is not responding")
            await expect(page.locator(".gone .last", has_text="Black 1 hour 30 minutes")).to_have_count(int(holds))
            await expect(page.locator("[aria-live]")).to_have_count(2)
            kept = await page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('held:')).length")
            assert kept == int(holds)
            line.put_back()

    # Each waits for seconds that nothing can shorten: all at once.
    await asyncio.gather(
        holding(await house.station("sighted", Seat.BLACK), True),
        holding(await house.station("assistant", Seat.WHITE), True),
        holding(await house.arbiter(), True),
        holding(await house.station("display", None), False),
    )


async def test_a_microphone_that_goes_is_said_and_the_next_press_opens_another(
    house: House, playwright: Playwright
) -> None:
    more = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    async with (
        started(playwright, [*ARGS, *more]) as browser,
        cable(house.base) as line,
        through(browser, line, await house.station("tactile", Seat.WHITE)) as page,
    ):
        await page.evaluate(
            """() => {
                  window.opened = [];
                  window.streaming = 0;
                  document.addEventListener("microphone-open", () => { window.streaming += 1; });
                  window.frames = []; // whose sound comes after the second microphone has opened
                  const Node = AudioWorkletNode;
                  window.AudioWorkletNode = class extends Node {
                    constructor(...all) {
                      super(...all);
                      const number = window.streaming;
                      const noted = () => { if (window.streaming === 2) window.frames.push(number); };
                      this.port.addEventListener("message", noted);
                    }
                  };
                  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
                  navigator.mediaDevices.getUserMedia = async (wanted) => {
                    const stream = await ask(wanted);
                    window.opened.push(stream);
                    return stream;
                  };
                }"""
        )
        for number in (0, 1):
            await page.keyboard.down("F9")
            await becomes(page, f"window.opened.length === {number + 1} && window.streaming === {number + 1}")
            await expect(page.locator("#talk")).to_have_attribute("aria-pressed", "true")
            if number:  # now there is no server that could tell the player
                await becomes(page, "window.frames.length > 10")
                assert await page.evaluate("window.frames.every((one) => one === 1)"), "the first one says nothing more"
                line.pull()
                await expect(page.locator("[role=alert]")).to_contain_text("The server is not responding")
            began, sounded = await now(page), await page.evaluate("window.phrases")
            # As Chromium does it when the device is unplugged: `stop` alone tells nobody.
            await page.evaluate(f"window.opened[{number}].getTracks()[0].dispatchEvent(new Event('ended'))")
            if number:
                await expect(page.locator("[role=alert]")).to_contain_text("The microphone has stopped working")
                assert await page.evaluate("window.said.at(-1).at") - began < SAID_MS
                await becomes(page, f"window.phrases > {sounded}")
            else:
                await expect(page.locator("#last")).to_contain_text("No sound is coming from your microphone")
                await expect(page.locator("[role=alert]")).to_have_text("")
            await expect(page.locator("#talk")).to_have_attribute("aria-pressed", "false")
            await page.keyboard.up("F9")
        line.put_back()


async def test_a_sound_that_goes_is_said_in_words(house: House, browser: Browser) -> None:
    async with cable(house.base) as line, through(browser, line, await house.station("sighted", Seat.BLACK)) as page:
        await becomes(page, "window.contexts.at(0)?.state === 'running'")
        began = await now(page)
        await page.evaluate("window.contexts[0].suspend()")
        await expect(page.locator("[role=alert]")).to_contain_text("The sound of this device has stopped working")
        assert await page.evaluate("window.said.at(-1).at") - began < SAID_MS


# Sound that comes and goes before the page hears of its coming: both events are told when it is gone already.
COMES_AND_GOES = """
window.AudioContext = class {
  state = "suspended";
  addEventListener() {}
  resume() {
    this.state = "running";
    setTimeout(() => { this.state = "suspended"; this.onstatechange(); this.onstatechange(); });
    return Promise.resolve();
  }
};
"""


# The same of a browser whose sound is there when it is made.
THERE_AND_GOES = """
window.AudioContext = class {
  state = "running";
  addEventListener() {}
  constructor() { setTimeout(() => { this.state = "suspended"; this.onstatechange(); this.onstatechange(); }); }
};
"""


@pytest.mark.parametrize("sound", [COMES_AND_GOES, THERE_AND_GOES], ids=["after", "before"])
async def test_a_sound_that_goes_as_soon_as_it_has_come_is_said_too(house: House, browser: Browser, sound: str) -> None:
    black = await house.station("sighted", Seat.BLACK)
    async with cable(house.base) as line, through(browser, line, black, before=sound) as page:
        await expect(page.locator("[role=alert]")).to_contain_text("The sound of this device has stopped working")


async def test_status_answers_with_and_without_a_server(house: House, browser: Browser) -> None:
    async with cable(house.base) as line, through(browser, line, await house.station("tactile", Seat.WHITE)) as page:

        async def asked(answer: str) -> None:
            await page.locator("#field").fill("Status")
            await page.keyboard.press("Enter")
            await expect(page.locator("#last")).to_contain_text(answer)

        await becomes(page, "window.contexts.at(0)?.state === 'running'")
        await asked("The server is responding. The sound is working. The microphone opens with the talk key.")
        await expect(page.locator("[role=status]")).to_contain_text("The server is responding.")
        line.pull()
        await expect(page.locator("[role=alert]")).to_contain_text("The server is not responding")
        await asked("The server is not responding")
        await page.evaluate("window.contexts[0].suspend()")
        await expect(page.locator("[role=alert]")).to_contain_text("The sound of this device has stopped working")
        await asked("The sound of this device has stopped working.")
        line.put_back()
    assert not any(one.kind == "not_understood" for one in await house.hall.journal.read("demo"))


async def test_the_arbiters_device_saves_a_copy_when_the_server_is_gone(
    house: House, browser: Browser, tmp_path: Path
) -> None:
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    async with cable(house.base) as line, through(browser, line, await house.arbiter()) as page:
        await page.get_by_role("tab", name="Save or send").click()
        await page.get_by_text("If the server fails").click()
        await expect(page.locator("#copy-until")).to_contain_text("The copy goes up to ")
        white = await (await house.station("tactile", Seat.WHITE)).line()
        await white.type("Bauer Eva vier")
        await expect(page.locator("#record")).to_contain_text("Bauer Eva vier")
        await becomes(page, f"({HEAD}.until?.witness ?? '') !== ''")
        seq = (await house.hall.journal.read("demo"))[-1].seq
        await becomes(page, f"{HEAD}.until?.last >= {seq}")
        for again in (False, True):
            if again:  # a page that was left holds what it held
                line.put_back()
                await page.reload()
                await page.locator("header .state", has_text="Connected").wait_for()
                await page.get_by_role("tab", name="Save or send").click()
                await page.get_by_text("If the server fails").click()
            line.pull()
            await expect(page.locator("[role=alert]")).to_contain_text("The server is not responding")
            async with page.expect_download() as saving:
                await page.get_by_role("button", name="Save this table's copy").press("Enter")
            file = tmp_path / f"{again}.json"
            await (await saving.value).save_as(file)
            await page.get_by_role("button", name="Show the copy's code").press("Enter")
            words = await page.locator("#copy-code:not(:empty)").inner_text()
            restored = load_copy(file, words.partition(": ")[2].partition(" (")[0])
            assert restored.entries[-1].seq >= seq and restored.witness is not None
            assert any(b"Bauer Eva vier" in one.body for one in restored.entries)
        line.put_back()


async def test_what_no_server_takes_says_so_and_what_the_page_asks_by_itself_stays_as_it_is(
    house: House, browser: Browser
) -> None:
    gone = "The server did not answer. Please try again."
    async with opened(browser, house, await house.arbiter()) as watched:
        page, told = watched.page, watched.page.locator("body > [role=alert]")
        await page.locator("#rehearsal-sheet > summary").press("Enter")
        await page.route("**/api/**", lambda route: route.abort())
        await page.evaluate(NOTES_SAID)
        async with page.expect_event("requestfailed", lambda one: "/api/stations" in one.url):
            await page.evaluate(GREETED_AGAIN)  # stations, desk and alerts are asked for anew
        await page.get_by_role("button", name="Create code").press("Enter")
        await expect(page.locator("#said")).to_have_text(gone)
        await expect(told).to_have_text(gone)
        assert (await page.evaluate("window.saidHere")).count(gone) == 1, "nothing that the page asks by itself"
        await page.evaluate("document.querySelector('body > [role=alert]').replaceChildren()")
        await page.locator("#rehearsal-begin").press("Enter")
        await expect(told).to_have_text(gone)
        await page.unroute("**/api/**")
        await page.get_by_role("button", name="Create code").press("Enter")
        await expect(page.locator("#invitation")).to_be_visible()
        assert not [one for one in watched.complaints if "Failed to fetch" in one]


async def test_the_arbiter_sees_who_is_on_the_line_and_how_quickly_they_answer(house: House, browser: Browser) -> None:
    player = await house.station("tactile", Seat.WHITE)
    async with opened(browser, house, await house.arbiter()) as desk:
        lines = desk.page.locator("#stations")
        async with opened(browser, house, player):
            await expect(lines).to_contain_text("Tactile board, White: Connected")
            await expect(lines).to_contain_text("Arbiter 2: Connected")
        await expect(lines).to_contain_text("Tactile board, White: offline")
        assert desk.complaints == []
