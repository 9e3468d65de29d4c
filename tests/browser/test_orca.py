"""Orca, the screen reader, under Xvfb: what a player needs is really spoken, and is on a display of forty cells."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from server.game.values.words import Seat
from tests.browser.conftest import ARGS
from tests.browser.screen_reader import CHROMIUM, reading
from tests.browser.test_pages import opened
from tests.conftest import chromium_path
from tests.web.open_house import open_house

pytestmark = [pytest.mark.needs("chromium", "orca", "brltty"), pytest.mark.slow]


@pytest.mark.law("L195")
async def test_moves_the_clock_and_corrections_are_spoken_and_stand_on_the_braille_display(
    tmp_path: Path, worker_id: str
) -> None:
    number = 110 + int(worker_id.removeprefix("gw")) if worker_id.startswith("gw") else 109
    async with (
        reading(tmp_path, number) as orca,
        open_house(tmp_path / "data") as house,
        async_playwright() as playwright,
    ):
        desk = await (await house.arbiter()).line()
        black = await (await house.station("sighted", Seat.BLACK)).line()
        approved = {"do": "record_adaptation", "name": "machine_announces", "value": "on", "approved": True}
        for body in (approved, {"do": "set_mode", "mode": "relay"}):
            assert (await desk.do(body))["outcome"]["ok"]
        browser = await playwright.chromium.launch(
            executable_path=chromium_path(), headless=False, args=[*ARGS, *CHROMIUM], env=dict(orca.environment)
        )
        async with opened(browser, house, await house.station("tactile", Seat.WHITE)) as white:
            await orca.to_front("Announcement, repetition or question")
            await desk.do({"do": "start_game"})
            await orca.says("The game has started.")

            # His own move, typed: read back to the ear, and to the finger.
            await orca.types("Bauer Eva vier")
            await orca.says("Bauer Eva vier")
            await orca.brailles("Bauer Eva vier")
            await orca.shown(" Bauer Eva vier")
            await orca.xdotool("key", "ctrl+Return")
            await orca.says("Pressed.")
            await desk.until(event="completed")

            # The opponent's announcement, carried by the server; then his correction (D.2.8).
            await black.type("Bauer Eva vier")
            await black.type("Bauer Eva fuenf")
            await orca.says("Bauer Eva fuenf")
            await orca.brailles("Bauer Eva fuenf")
            await black.type("Bauer David fuenf")
            await orca.says("Bauer David fuenf")
            assert (await black.do({"do": "press"}))["outcome"]["ok"]
            await desk.until(event="completed")

            # His echo, in the very words that he heard last, is read back nevertheless.
            mark = orca.mark()
            await orca.types("Bauer David fuenf")
            await orca.says("Bauer David fuenf", mark)
            # The longest announcement has no room beside the blank that Orca puts before it: the short form.
            await orca.types("Bauer Hector sieben schlaegt Gustav acht Springer Schach")
            await orca.says("h7g8N")
            await orca.brailles("h7g8N")
            await orca.shown(" h7g8N")
            # A slip of the tongue, corrected before the press (D.2.8).
            mark = orca.mark()
            await orca.types("Springer Felix drei")
            assert await orca.says("Springer Felix drei", mark) == "Springer Felix drei"

            # The clock, at his request; and set anew by the arbiter.
            await orca.types("time")
            assert (await orca.says("Your time:", mark)).startswith("Your time: 1 hour")
            await orca.brailles("Your time: 1 hour", mark)
            mark = orca.mark()
            await desk.do({"do": "correct_clock", "seat": "white", "ms": 3_900_000, "reason": "6.10.2"})
            await orca.says("The arbiter has set the clock.", mark)

            # What flashed by can be gone back to: the last message is text in the order of the page.
            mark = orca.mark()
            await white.page.locator("#last").focus()
            last = await white.page.locator("#last").inner_text()
            assert len(await orca.brailles(last, mark)) <= 40
            assert len(max(orca.brailled(), key=len)) <= 40
            assert white.complaints == []
        await browser.close()
