"""The record with its sounds, listening in on a private ear, exports; and a display that shows everything later."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from server.game import acts as cmd
from server.game.values.words import Seat
from tests.browser.test_dead_hardware import becomes
from tests.browser.test_pages import opened, violations
from tests.web.open_house import House

HEARD = """() => { window.heard = [];
  const usual = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () {
    window.heard.push(this.src); return usual.call(this).catch(() => {}); };
}"""


@pytest.mark.law("L092")
async def test_each_sound_of_the_record_is_heard_again_and_an_ear_is_listened_in_on(
    house: House, browser: Browser
) -> None:
    arbiter, player = await house.arbiter(), await house.station("tactile", Seat.WHITE)
    async with opened(browser, house, arbiter) as watched:
        page = watched.page
        await page.evaluate(f"({HEARD})()")
        hand = await player.line()
        pcm = b"\x10\x27\xf0\xd8" * 8_000
        await house.table.hear(house.table.state.stations.admitted[-1].id, 7, pcm, house.hall.clock.mono_ms())
        line = page.locator("#record li", has_text="sound kept")
        await line.get_by_role("button").press("Enter")
        await becomes(page, "heard.length === 1")
        assert "/evidence/" in (await page.evaluate("heard[0]"))
        # What goes into a private ear from now on is played as it is recorded, for the ear that was chosen.
        await page.locator("#listen-sheet > summary").press("Enter")
        await page.locator("#listen-in").select_option("white")
        said = cmd.NoteSpoken(seat=Seat.WHITE, text="Eva vier", utterance="told-5e", sha256="9f" * 32, length_ms=900)
        other = cmd.NoteSpoken(seat=Seat.BLACK, text="Zeit", utterance="told-6f", sha256="9f" * 32, length_ms=900)
        for body in (other, said):
            await house.table.own(house.table.program_command(body))
        await becomes(page, "heard.length === 2")
        assert "told-5e" in (await page.evaluate("heard[1]"))
        # Sifted by what it is about; exports lead to files.
        await page.locator("#record-about").select_option("ears")
        await expect(page.locator("#record li:visible")).to_have_count(2)
        await expect(page.locator("#record li:visible", has_text="Eva vier")).to_have_count(1)
        assert await violations(page) == []
        await page.locator("#exports > summary").press("Enter")
        async with page.expect_download() as download:
            await page.get_by_role("link", name="Game (PGN)").press("Enter")
        assert (await download.value).suggested_filename == "demo-game.pgn"
        await hand.socket.close()


async def test_what_the_arbiter_copies_out_of_the_page_is_the_browsers_own_affair(
    house: House, browser: Browser
) -> None:
    """The copy of the record is an event of the page too, and once had the name of the browser's own."""
    async with opened(browser, house, await house.arbiter()) as watched:
        await watched.page.locator("#copy-until", has_text="The copy goes up to").wait_for(state="attached")
        held = await watched.page.evaluate("JSON.stringify({ ...localStorage })")
        await watched.page.locator("#rules").select_text()
        await watched.page.keyboard.press("Control+c")
        await watched.page.evaluate("document.dispatchEvent(new ClipboardEvent('copy'))")
        assert await watched.page.evaluate("JSON.stringify({ ...localStorage })") == held
        assert watched.complaints == []


@pytest.mark.law("L072")
async def test_a_display_shows_everything_later(house: House, browser: Browser) -> None:
    display, player, arbiter = (
        await house.station("display", None),
        await house.station("tactile", Seat.WHITE),
        await house.arbiter(),
    )
    desk, hand = await arbiter.line(), await player.line()
    await desk.do({"do": "start_game"})
    async with opened(browser, house, display) as watched, opened(browser, house, arbiter) as office:
        page = watched.page
        await page.locator("header .state", has_text="Connected").wait_for()
        await expect(page.locator("#delayed")).to_be_hidden()
        row = office.page.locator("#stations li", has_text="Display")
        await office.page.locator("body[data-state=play]").wait_for()
        await office.page.get_by_role("tab", name="Devices").press("Enter")
        await row.get_by_role("combobox").select_option("900")
        await page.locator("#delayed", has_text="Shown with a delay. 15 minutes").wait_for()
        await expect(row.get_by_role("combobox")).to_have_value("900")
        await hand.type("Bauer Eva vier")
        await hand.do({"do": "press"})
        await desk.until(event="completed")
        # Another client, or the page loaded again: what is not minutes old is not there for anybody.
        greeted = await (await display.line()).until(kind="greeting")
        assert greeted["greeting"]["shown"]["text"] == ""
        await page.reload()
        await page.locator("header .state", has_text="Connected").wait_for()
        assert "Eva" not in await page.locator("#last").inner_text()
        await office.page.get_by_label("Delay on all displays").select_option("300")
        await office.page.locator("#record", has_text="display delay chosen").first.wait_for(state="attached")
        await expect(row.get_by_role("combobox")).to_have_value("900")  # its own counts
        assert await violations(office.page) == []
        await row.get_by_role("combobox").select_option("0")
        await page.locator("#last", has_text="Bauer Eva vier").wait_for()
        await expect(page.locator("#board").get_by_text("White pawn")).to_have_count(8)
        assert await violations(page) == []
        assert watched.complaints == [] and office.complaints == []


@pytest.mark.law("L092")
async def test_a_device_of_the_arbiter_that_comes_late_shows_what_was_recorded_before(
    house: House, browser: Browser
) -> None:
    desk, hand = (
        await (await house.arbiter()).line(),
        await (await house.station("tactile", Seat.WHITE)).line(),
    )
    await desk.do({"do": "start_game"})
    await hand.do({"do": "choose_ear", "language": "hy"})  # the record of this seat is in Armenian letters
    await hand.type("բաուը Եվա ֆիր")
    await hand.do({"do": "press"})
    await desk.until(event="completed")
    await house.table.own(house.table.program_command(cmd.NoteFault(text="a button is gone")))
    async with opened(browser, house, await house.arbiter()) as watched:
        page = watched.page
        await page.locator("#record li", has_text="table opened").wait_for(state="attached")
        said = page.locator("#record li[data-event=announced]")
        await expect(said).to_contain_text("Bauer Eva vier (բաուը Եվա ֆիր)")
        await expect(page.locator("#white-score td").nth(1)).to_have_text("Bauer Eva vier")
        await expect(page.locator("#record li").first).to_contain_text("device admitted")
        await expect(page.locator("#record li").last).to_contain_text("table opened")
        await expect(page.locator("#alerts li", has_text="a button is gone")).to_have_count(1)
        assert watched.complaints == []
