"""The players' pages on a phone and on a laptop: what is needed in play stands on one screen, under both thumbs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from server.game.values.words import Seat
from tests.browser.test_pages import a_game_under_way, drawn, opened, violations, visitors
from tests.waiting import PATIENCE_S, until
from tests.web.open_house import House, Visitor

pytestmark = pytest.mark.needs("chromium")

PHONES = {"tall": (390, 844), "small": (360, 640), "on its side": (640, 360), "wide on its side": (740, 360)}
AT_400 = (320, 200)
"""A laptop's screen of 1280 by 800 whose page is enlarged four times."""
SAYING = ["#last", "#field", "#say button", "#talk", "#press"]
ASKING = [f"[data-ask={what}]" for what in ("time", "opponent_time", "moves", "clock", "last", "score")]
NEEDED = {
    "tactile": [*SAYING, *ASKING, "#again", "#silence"],
    "sighted": [*SAYING, "#board", ".clock:first-child", ".clock:last-child"],
}
TARGETS = ("#press", "#talk", "#say button", "#field", "#again", "#silence", "[data-ask", "#language")

BOXES = """names => Object.fromEntries(names.map(name => {
  const box = document.querySelector(name).getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const seen = document.elementFromPoint(x, y);
  return [name, { left: box.left, top: box.top, right: box.right, bottom: box.bottom,
    seen: Boolean(seen?.closest(name)) }];
}))"""


def touched(size: tuple[int, int]) -> dict[str, Any]:
    return {"viewport": {"width": size[0], "height": size[1]}, "has_touch": True, "is_mobile": True}


async def turned(visitor: Visitor, language: str) -> None:
    """The seat's language is this one."""
    line = await visitor.line()
    assert (await line.do({"do": "choose_ear", "language": language}))["outcome"]["ok"]
    await line.socket.close()


async def boxes_on_one_screen(page: Page, name: str) -> dict[str, dict[str, Any]]:
    """Where everything lies that is needed in play: in sight, and nothing over anything else."""
    await drawn(page)
    width, height = await page.evaluate("[innerWidth, innerHeight]")
    assert await page.evaluate("document.documentElement.scrollWidth") <= width
    found: dict[str, dict[str, Any]] = await page.evaluate(BOXES, NEEDED[name])
    for what, box in found.items():
        assert box["left"] >= 0 and box["right"] <= width + 0.5, (what, box)
        assert box["top"] >= 0 and box["bottom"] <= height + 0.5, (what, box)
        assert box["seen"], f"{what} is covered: {box}"
        if what.startswith(TARGETS):
            assert box["right"] - box["left"] >= 44 and box["bottom"] - box["top"] >= 44, (what, box)
    names = list(found)
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            a, b = found[one], found[other]
            beside = a["right"] <= b["left"] + 1 or b["right"] <= a["left"] + 1
            above = a["bottom"] <= b["top"] + 1 or b["bottom"] <= a["top"] + 1
            assert beside or above, f"{one} and {other} overlap: {a} {b}"
    return found


@pytest.mark.parametrize("language", ["de", "ar"])
async def test_what_is_needed_in_play_stands_on_the_screen_of_a_phone(
    house: House, browser: Browser, language: str
) -> None:
    people = await visitors(house)
    await a_game_under_way(house, people)
    desk = await people["arbiter"].line()
    for name in NEEDED:
        await turned(people[name], language)
        async with opened(browser, house, people[name], people[name].page, **touched(PHONES["tall"])) as watched:
            page = watched.page
            await page.locator(f"html[lang={language}] #who:not([data-t])").wait_for()
            # A long answer, an article that the arbiter releases, pushes nothing of that below the screen.
            released = {"do": "release_law", "seat": "white" if name == "tactile" else "black", "article": "9.5"}
            assert (await desk.do(released))["outcome"]["ok"]
            await expect(page.locator("#last-by")).to_contain_text("9.5")
            for held, (width, height) in PHONES.items():
                await page.set_viewport_size({"width": width, "height": height})
                found = await boxes_on_one_screen(page, name)
                for thumb in ("#talk", "#press"):
                    box = found[thumb]
                    assert box["top"] > height * 0.7 and height - box["bottom"] < 16, (held, thumb, box)
                # Wherever the page is scrolled to, they are there.
                await page.evaluate("scrollTo(0, 9000)")
                later = await page.evaluate(BOXES, ["#talk", "#press"])
                assert [later[one]["top"] for one in later] == [found[one]["top"] for one in later]
                await page.evaluate("scrollTo(0, 0)")
            await stands_at_400(page)
            await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            assert await violations(page) == [], name
            assert watched.complaints == []


async def stands_at_400(page: Page) -> None:
    """Talk and press are there at once, and most of what is little is left to the page."""
    await page.set_viewport_size({"width": AT_400[0], "height": AT_400[1]})
    await drawn(page)
    assert await page.evaluate("document.documentElement.scrollWidth") <= AT_400[0]
    for thumb, box in (await page.evaluate(BOXES, ["#talk", "#press"])).items():
        assert box["seen"] and box["bottom"] <= AT_400[1] and box["top"] > AT_400[1] / 2, (thumb, box)
        assert box["bottom"] - box["top"] >= 44, (thumb, box)


async def test_the_sighted_players_game_stands_on_one_screen_of_a_laptop(house: House, browser: Browser) -> None:
    people = await visitors(house)
    await a_game_under_way(house, people)
    laptop = {"width": 1280, "height": 800}
    async with opened(browser, house, people["sighted"], viewport=laptop) as watched:
        stood = await boxes_on_one_screen(watched.page, "sighted")
        line = await people["arbiter"].line()
        law = {"do": "release_law", "seat": "black", "article": "9.5"}
        for act, told in ((law, "9.5"), ({"do": "pause"}, "are stopped"), ({"do": "resume"}, "Play continues")):
            await line.do(act)
            await watched.page.locator("section:has(#last)", has_text=told).wait_for()
            assert (await boxes_on_one_screen(watched.page, "sighted"))["#field"] == stood["#field"], (
                "it keeps its place"
            )
        for name in ("Offer a draw", "Claim a draw"):
            box = await watched.page.get_by_role("button", name=name).bounding_box()
            assert box is not None and box["y"] + box["height"] <= 800, name
        assert await violations(watched.page) == []


@pytest.mark.parametrize("name", ["tactile", "sighted"])
async def test_a_screen_that_is_touched_names_no_key_until_there_is_a_keyboard(
    house: House, browser: Browser, name: str
) -> None:
    people = await visitors(house)
    keys = r"\b(Ctrl|Enter|Escape|Space|F\d+|Insert)\b"
    async with opened(browser, house, people[name], **touched(PHONES["small"])) as watched:
        page = watched.page
        for fold in await page.locator("summary").all():
            await fold.click()
        found = await page.evaluate("keys => document.body.innerText.match(new RegExp(keys, 'g')) ?? []", keys)
        assert found == []
        await page.locator("#field").press("a")  # a keyboard on the screen has letters too
        await expect(page.get_by_label("Talk key", exact=True)).to_be_hidden()
        await page.keyboard.press("F8")
        await page.locator("#press small", has_text="Ctrl+Enter").wait_for()
        await page.locator("#talk small", has_text="F9").wait_for()
        await expect(page.get_by_label("Talk key", exact=True)).to_be_visible()
    async with opened(browser, house, people[name]) as watched:
        assert await watched.page.locator("#press small").inner_text() == "Ctrl+Enter"


async def test_a_talk_button_is_held_by_a_finger_and_opens_no_menu(house: House, browser: Browser) -> None:
    async with opened(
        browser, house, await house.station("tactile", Seat.WHITE), **touched(PHONES["small"])
    ) as watched:
        talk = watched.page.locator("#talk")
        assert await talk.evaluate("one => getComputedStyle(one).touchAction") == "none"
        assert await talk.evaluate("one => !one.dispatchEvent(new MouseEvent('contextmenu', { cancelable: true }))")


AWAKE = """
window.locks = []; window.asked = 0; window.seen = "visible";
Object.defineProperty(document, "visibilityState", { get: () => window.seen });
Object.defineProperty(Navigator.prototype, "wakeLock", { configurable: true, value: { request: async (kind) => {
  window.asked += 1;
  const lock = new EventTarget();
  Object.assign(lock, { kind, held: true, release: async () => { lock.held = false; lock.dispatchEvent(new Event("release")); } });
  window.locks.push(lock);
  return lock;
} } });
window.held = () => window.locks.filter((one) => one.held && one.kind === "screen").length;
window.turn = (seen) => { window.seen = seen; document.dispatchEvent(new Event("visibilitychange")); };
"""  # noqa: E501


@pytest.mark.parametrize("name", ["tactile", "sighted"])
async def test_the_screen_stays_awake_while_a_clock_runs_and_no_longer(
    house: House, browser: Browser, name: str
) -> None:
    desk = await (await house.arbiter()).line()
    station = await house.station(name, Seat.WHITE if name == "tactile" else Seat.BLACK)
    async with opened(browser, house, station) as watched:
        page = watched.page
        await page.context.add_init_script(AWAKE)
        await page.reload()
        await page.locator("header .state", has_text="Connected").wait_for()

        async def held(count: int) -> None:
            async with asyncio.timeout(PATIENCE_S):
                while await page.evaluate("window.held()") != count:
                    await asyncio.sleep(0.05)

        assert await page.evaluate("window.asked") == 0, "no clock runs before the game"
        await desk.do({"do": "start_game"})
        await held(1)
        # Out of sight the browser takes the lock; in sight again the page asks for another.
        await page.evaluate("window.turn('hidden')")
        await held(0)
        await page.evaluate("window.turn('visible')")
        await held(1)
        await page.evaluate("window.locks.at(-1).release().then(() => window.turn('visible'))")
        await held(1)
        assert await page.evaluate("window.asked") == 3
        await desk.do({"do": "pause"})
        await held(0)
        await page.evaluate("window.turn('visible')")
        await desk.do({"do": "resume"})
        await held(1)
        assert await page.evaluate("window.asked") == 4
        assert watched.complaints == []


async def test_a_claim_and_an_offer_are_asked_about_once(house: House, browser: Browser) -> None:
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        page = watched.page
        await desk.do({"do": "start_game"})
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        await page.locator(".clock.running").wait_for()
        await page.get_by_role("button", name="Offer a draw").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("heading", name="Offer a draw?").wait_for()
        await dialog.get_by_role("button", name="No").click()
        assert house.table.state.draws.offer_by is None
        await page.get_by_role("button", name="Claim a draw").click()
        await dialog.get_by_role("heading", name="Claim a draw: repetition, fifty moves").wait_for()
        await expect(page.locator("#claim-title")).to_be_focused()
        assert await violations(page) == []
        await page.keyboard.press("Escape")
        await expect(page.locator("#claim-open")).to_be_focused()
        assert house.table.state.draws.claim is None
        await page.keyboard.press("Enter")
        await dialog.get_by_label("Claim", exact=True).select_option("fifty_moves")
        await dialog.get_by_role("button", name="Claim a draw").click()
        await until(lambda: house.table.state.draws.claim is not None)
        claim = house.table.state.draws.claim
        assert claim is not None and claim.kind == "fifty_moves" and not claim.awaits
        await expect(dialog).to_have_count(0)
