"""The clock for those who look at it (D.2.6.1): read from 3 m, the running side seen from 10 m, the first flag."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from server.game.values.words import Seat
from tests.browser.test_pages import opened, violations
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")

LAPTOP = {"width": 1280, "height": 800}  # on a screen of 13.3 inches 179 mm high: 0.22 mm a pixel
PHONE = {"width": 390, "height": 844}  # 65 mm wide: 0.17 mm a pixel
MM = {1280: 0.224, 390: 0.167}
# ISO 9241-303: a character is legible from 16 minutes of arc on, 14 mm at 3 m. The running face is told by its shape
# and its area, for which half of that is ample: 23 mm at 10 m.
DIGITS_MM, SHAPE_MM = 14.0, 23.3

MEASURED = """() => [...document.querySelectorAll('.clock')].map(face => {
  const line = face.querySelector('.line'), digits = face.querySelector('.digits span');
  const style = getComputedStyle(digits), box = face.getBoundingClientRect();
  const canvas = new OffscreenCanvas(10, 10).getContext('2d');
  canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const size = canvas.measureText('0');
  return {
    cap: size.actualBoundingBoxAscent + size.actualBoundingBoxDescent,
    fits: line.scrollWidth <= face.clientWidth && box.right <= innerWidth + 0.5 && box.bottom <= innerHeight,
    face: [box.width, box.height], ink: style.color, paper: getComputedStyle(face).backgroundColor,
    wide: line.scrollWidth, runs: face.querySelector('.runs').textContent, classes: face.className,
    arrow: getComputedStyle(face.querySelector('.arrow')).visibility,
    flag: face.querySelector('.flag-line').textContent,
  };
})"""


def luminance(colour: str) -> float:
    """Relative luminance of `rgb(r, g, b)` (WCAG 2.2)."""
    channels = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


async def faces(page: Page) -> list[dict[str, Any]]:
    await page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))")
    measured: list[dict[str, Any]] = await page.evaluate(MEASURED)
    return measured


@pytest.mark.law("L048")
@pytest.mark.parametrize(
    ("name", "size", "large", "scheme"),
    [
        ("display", LAPTOP, False, "light"),
        ("display", PHONE, False, "dark"),
        ("sighted", LAPTOP, False, "dark"),
        ("sighted", LAPTOP, True, "light"),
        ("sighted", PHONE, True, "dark"),
    ],
)
async def test_the_running_display_is_read_from_afar(
    house: House, browser: Browser, tmp_path: Path, name: str, size: dict[str, int], large: bool, scheme: str
) -> None:
    arbiter = await house.arbiter()
    desk = await arbiter.line()
    await desk.do({"do": "start_game"})
    visitor = await house.station(name, Seat.BLACK if name == "sighted" else None)
    async with opened(browser, house, visitor, viewport=size, color_scheme=scheme) as watched:
        page = watched.page
        await page.locator(".clock.running").wait_for()
        if large:
            await page.get_by_role("button", name="Show clocks full screen").click()
            assert await page.locator("#press").is_visible()
        if name == "display":  # nobody scrolls a display
            for width, height in ((1920, 1080), (1024, 768), (1080, 1920), (360, 640), tuple(size.values())):
                await page.set_viewport_size({"width": width, "height": height})
                lies = """(({ scrollHeight, scrollWidth }) =>
                  [scrollHeight <= innerHeight, scrollWidth <= innerWidth])(document.documentElement)"""
                assert await page.evaluate(lies) == [True, True], (width, height)
                board = await page.locator("#board").bounding_box()
                assert board is not None and board["width"] > 150 and board["y"] + board["height"] <= height
        white, black = await faces(page)
        assert [white["runs"], black["runs"]] == ["running", "stopped"]
        assert [white["arrow"], black["arrow"]] == ["visible", "hidden"]
        scale = MM[size["width"]]
        for face in (white, black):
            assert face["fits"], face
            assert face["cap"] * scale >= DIGITS_MM, (name, size, face)
            assert contrast(face["ink"], face["paper"]) >= 7, (name, scheme, face)
        assert contrast(white["paper"], black["paper"]) >= 4.5  # told by light and dark, not by hue
        assert min(white["face"]) * scale >= SHAPE_MM, white
        picture = await page.screenshot(path=tmp_path / "display.png", animations="disabled")
        assert picture.startswith(b"\x89PNG")
        assert await violations(page) == []
        # A flag: the first to fall stays marked as the first, in words and by its frame.
        await desk.do({"do": "set_clock", "white_ms": 36_030_000, "black_ms": 3_599_000, "turn": "white"})
        await page.locator(".clock.long").wait_for()
        assert all(face["fits"] for face in await faces(page))
        await desk.do({"do": "set_clock", "white_ms": 100, "black_ms": 200, "turn": "white", "reason": "test"})
        await page.locator(".clock.first-flag").wait_for()
        white, black = await faces(page)
        assert white["flag"] == "⚑ flag fell first"
        assert "first-flag" not in black["classes"]
        assert black["flag"] == ""
        assert await violations(page) == []


async def test_an_hour_half_an_hour_and_the_last_seconds_fit_the_display(house: House, browser: Browser) -> None:
    visitor = await house.station("display", None)
    async with opened(browser, house, visitor, viewport=PHONE) as watched:
        shown = await watched.page.evaluate(
            """async () => {
                 const { digits } = await import('/static/core/times.js');
                 return [36000000, 3600000, 3599999, 60000, 59999, 20000, 19999, 9500, 90, 0, -5].map(ms => digits(ms));
               }"""
        )
        assert [large + small for large, small in shown] == [
            "10:00:00", "1:00:00", "59:59", "1:00", "0:59", "0:20", "0:19.9", "0:09.5", "0:00.0", "0:00.0", "0:00.0",
        ]  # fmt: skip


@pytest.mark.law("L193")
async def test_a_display_shows_what_was_read_off_another_clock_and_not_when_ours_stopped(
    house: House, browser: Browser
) -> None:
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    async with opened(browser, house, await house.station("display", None)) as watched:
        clock = watched.page.locator(".clock").first
        await expect(clock).to_contain_text("running")
        await desk.do({"do": "set_clock_master", "clock_master": "manual"})
        await expect(clock).to_contain_text("another clock counts")
        await expect(clock.locator(".digits")).to_have_text("–")
        await desk.do({"do": "read_clock", "white_ms": 3_540_000, "black_ms": 3_480_000})
        await expect(clock.locator(".digits")).to_have_text("59:00")
        await expect(clock).to_contain_text("ago.")
        assert watched.complaints == []


@pytest.mark.law("L072", "L085")
async def test_a_display_keeps_no_announcement_of_a_move_that_was_taken_back(house: House, browser: Browser) -> None:
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    async with opened(browser, house, await house.station("display", None)) as watched:
        last = watched.page.locator("#last")
        await expect(last).to_have_text("Nothing yet")
        await desk.do({"do": "start_game"})
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        await expect(last).to_contain_text("Eva vier")
        await desk.do({"do": "pause"})
        await desk.do({"do": "restore_to", "ply": 0, "times": "leave", "reason": "noise"})
        for seat in ("white", "black"):
            await desk.do({"do": "confirm_board", "board": seat})
        await expect(last).to_have_text("–")
