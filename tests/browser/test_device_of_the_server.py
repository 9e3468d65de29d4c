"""The arbiter gives a seat devices of the server; the seat's page keeps the talk key and falls silent."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser

from server.game.values.words import Seat
from server.protocol import LevelFound
from speech.audio.devices import Device
from tests.browser.test_ear_page import ToneVoice
from tests.browser.test_pages import opened, violations
from tests.waiting import until
from tests.web.open_house import open_house

pytestmark = pytest.mark.needs("chromium")


async def test_the_talk_key_of_a_page_works_the_servers_microphone(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    headset = Device(0, "USB Headset", 1, 2, 48_000)
    monkeypatch.setattr("server.web.api.devices.list_devices", lambda: (headset,))
    keys: list[tuple[Seat, str]] = []
    async with open_house(tmp_path / "data") as house:
        house.hall.device_keys = lambda table, seat, key: keys.append((seat, key)) is None
        player, arbiter = await house.station("tactile", Seat.WHITE), await house.arbiter()
        async with opened(browser, house, player) as player_page, opened(browser, house, arbiter) as desk:
            await desk.page.locator("#devices-sheet summary").click()
            form = desk.page.locator("#choose-devices")
            await form.locator("#device-microphone").select_option("USB Headset")
            await form.locator("#device-headphones").select_option("USB Headset")
            await form.get_by_label("A headset").check()
            assert await violations(desk.page) == []
            await form.get_by_role("button", name="Set").click()
            await player_page.page.locator("#talk small", has_text="at the server's microphone").wait_for()
            devices = house.table.state.sound.of(Seat.WHITE).devices
            assert (devices.microphone, devices.headphones, devices.headset) == ("USB Headset", "USB Headset", True)
            await player_page.page.keyboard.down("F9")
            await player_page.page.locator("#talk[aria-pressed=true]").wait_for()
            await player_page.page.keyboard.up("F9")
            await player_page.page.locator("#talk[aria-pressed=false]").wait_for()
            await player_page.page.locator("details.sheet").last.locator("summary").click()
            await player_page.page.locator("#check").click()
            await until(lambda: (Seat.WHITE, "check") in keys)
            (station,) = [one.id for one in house.table.state.stations.admitted if one.seat is Seat.WHITE]
            house.table.push(station, LevelFound("good", -20.0, -5.0, 40.0))
            await player_page.page.locator("#level", has_text="The microphone is good").wait_for()
            assert keys == [(Seat.WHITE, "talk"), (Seat.WHITE, "let_go"), (Seat.WHITE, "check")]
            assert player_page.complaints == [] and desk.complaints == []


async def test_a_server_without_a_sound_card_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.api.devices.list_devices", lambda: ())
    async with open_house(tmp_path / "data") as house:
        arbiter = await house.arbiter()
        status, said = await arbiter.get(f"/api/devices?{arbiter.page.partition('?')[2]}&page=arbiter")
        assert status == 200 and said["microphones"] == [] and "No sound card" in said["text"]
        status, _ = await house.visitor().get("/api/devices")
        assert status == 403


AWAITS_ITS_SOUND = """() => { window.shown = new Promise((shown) => document.addEventListener("told", ({ detail }) => {
  if (detail.message.device || detail.message.headphones) shown();
})); }"""
"""Until the page has been shown that some of its seat's sound is at the server; its language is told that way too."""


@pytest.mark.parametrize("given", ["microphone", "headphones"])
async def test_of_one_device_at_the_server_the_other_half_stays_with_the_page(
    tmp_path: Path, browser: Browser, given: str
) -> None:
    """With a microphone there the page goes on speaking; with headphones there its own microphone is opened."""
    keys: list[str] = []
    async with open_house(tmp_path / "data", voice=ToneVoice()) as house:
        house.hall.device_keys = lambda table, seat, key: keys.append(key) is None
        player = await house.station("tactile", Seat.WHITE)
        desk = await (await house.arbiter()).line()
        async with opened(browser, house, player) as watched:
            page = watched.page
            await page.evaluate(AWAITS_ITS_SOUND)
            assert (await desk.do({"do": "choose_devices", "seat": "white", given: "USB"}))["outcome"]["ok"]
            await page.evaluate("() => window.shown")
            if given == "microphone":
                async with page.expect_response("**/sound/*") as sounded:
                    await page.locator("[data-ask=moves]").click()
                assert (await sounded.value).ok, "nobody else speaks to this player"
            await page.keyboard.down("F9")
            if given == "microphone":
                await until(lambda: keys == ["talk"])
            else:  # this browser has none, and says so: the server would listen to nothing
                await page.locator("[role=alert] p").first.wait_for(state="attached")
            assert keys == ["talk"][: given == "microphone"]
