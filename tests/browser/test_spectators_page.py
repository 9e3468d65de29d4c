"""The spectators' page in a browser: explored by keys, read from afar, drawn seldom on e-paper, closed to players."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, expect

from server.game import acts as cmd
from server.game.values.words import Seat
from server.web.pages import load_files
from tests.browser.test_pages import Watched, a_game_under_way, opened, violations
from tests.browser.test_running_display import contrast
from tests.waiting import until
from tests.web.open_house import House, Visitor
from tests.web.test_all_tables import hall_arbiter, open_tables

pytestmark = pytest.mark.needs("chromium")

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
GREYS = """() => {
  const found = new Set();
  for (const one of document.querySelectorAll("body, body *")) {
    if (one.closest("svg, .unseen, [hidden]")) continue;
    const style = getComputedStyle(one);
    for (const name of ["color", "backgroundColor", "borderTopColor", "borderBottomColor", "outlineColor"]) {
      const [red, green, blue, alpha = "1"] = style[name].match(/[\\d.]+/g);
      const plain = [red, green, blue].every((part) => part === red && ["0", "255"].includes(part));
      if (alpha !== "0" && !plain) found.add(`${one.tagName} ${name} ${style[name]}`);
    }
    const still = style.animationName === "none" && style.boxShadow === "none" && style.opacity === "1";
    if (!still) found.add(`${one.tagName} moves or fades`);
  }
  return [...found];
}"""
COUNT = """() => {
  window.drawn = 0;
  const all = { childList: true, subtree: true, characterData: true, attributes: true };
  new MutationObserver(() => { window.drawn += 1; }).observe(document.querySelector("main"), all);
}"""
POINT = """([kind, square, pointerType]) => {
  const cell = [...document.querySelectorAll("#board td")].find((one) => one.textContent.trim().startsWith(square));
  const { x, y, width, height } = cell.getBoundingClientRect();
  const at = { clientX: x + width / 2, clientY: y + height / 2, pointerType, isPrimary: true, bubbles: true };
  cell.dispatchEvent(new PointerEvent(kind, at));
}"""
TWO_IN_A_BREATH = """async () => {
  const { Saying } = await import("/static/audio/saying.js");
  const later = () => new Promise((done) => setTimeout(done, 20));
  let pressed = 0;
  navigator.mediaDevices.getUserMedia = async () => ({ getTracks: () => [] });
  window.AudioContext = class {
    audioWorklet = { addModule() {} };
    resume() {}
    createMediaStreamSource() { return { connect() {} }; }
  };
  window.AudioWorkletNode = class {
    port = { postMessage: ({ on }) => {
      if (on) pressed += 1;
      const data = on ? new ArrayBuffer(pressed) : null;
      setTimeout(() => this.port.onmessage({ data }), 5);
    } };
  };
  const sent = [], told = [];
  window.fetch = (_, { body }) => new Promise((done) => {
    sent.push({ size: body.size, answers: (text) => done({ ok: true, json: async () => text }) });
  });
  const button = document.createElement("button");
  button.append(document.createElement("span"), document.createElement("span"));
  const saying = new Saying(button, () => "/heard", () => {}, (said) => told.push(said));
  await saying.turn(true);
  await later();
  saying.turn(false);
  await saying.turn(true);
  await later();
  saying.turn(false);
  await later();
  for (const text of ["second", "first"]) {
    sent[text === "first" ? 0 : 1]?.answers(text);
    await later();
  }
  return [sent.map((one) => one.size), told];
}"""
SIZES = """() => [...document.querySelectorAll(".names, .stands, .clocks, #game-title, #facts, #last")]
  .filter((one) => one.textContent && one.offsetParent).map((one) => parseFloat(getComputedStyle(one).fontSize))"""


async def players(house: House) -> dict[str, Visitor]:
    """Two players and their arbiter, with a game of three half-moves under way."""
    people = {
        "arbiter": await house.arbiter(),
        "tactile": await house.station("tactile", Seat.WHITE),
        "sighted": await house.station("sighted", Seat.BLACK),
    }
    await a_game_under_way(house, people)
    return people


async def show(house: House) -> None:
    await house.table.own(house.table.program_command(cmd.ShowToSpectators(show=True)))


def is_shown(house: House) -> bool:
    chosen = house.table.state.stations.spectators
    return chosen is not None and chosen.show


@asynccontextmanager
async def asking_often(
    browser: Browser, house: House, visitor: Visitor, path: str, **more: object
) -> AsyncIterator[Watched]:
    """The page at this address, which asks the server for news every second, not every five."""
    source = load_files()["/static/entry/hall.js"].body.decode()
    often = source.replace("const ASK_MS = 5000;", "const ASK_MS = 1000;")
    assert often != source
    async with opened(browser, house, visitor, "/static/pages/icon.svg", **more) as watched:
        await watched.page.route(
            "**/static/entry/hall.js", lambda route: route.fulfill(body=often, content_type="text/javascript")
        )
        await watched.page.goto(house.base + path)
        yield watched


async def here(page: Page) -> str:
    """What has the focus, as a screen reader is given it."""
    said: str = await page.evaluate("document.activeElement.textContent.trim()")
    return said


async def test_a_visitor_explores_a_game_by_the_keys_and_hears_of_the_result(house: House, browser: Browser) -> None:
    await players(house)
    await show(house)
    async with asking_often(browser, house, house.visitor(), "/hall", viewport=LAPTOP) as watched:
        page = watched.page
        line = page.get_by_role("button", name="Anna – Hector")
        await expect(line).to_contain_text("2. Nf3, knight Gustav one Felix three")
        assert await violations(page) == []
        await line.press("Enter")
        await expect(page.locator("#game-title")).to_be_focused()
        await expect(page.locator("#moves tr")).to_have_count(3)
        await expect(page.locator("#moves tr").nth(1)).to_have_text("1.e4, pawn Eva foure5, pawn Eva five")
        # Who scrolls back in the moves is left there while the clock runs on.
        await page.evaluate("document.querySelector('.scroll').style.maxHeight = '3rem'")
        facts = page.locator("#facts")
        await expect(facts).not_to_have_text(await facts.text_content() or "")
        assert await page.evaluate("document.querySelector('.scroll').scrollTop") > 0
        await page.evaluate("document.querySelector('.scroll').scrollTop = 0")
        await expect(facts).not_to_have_text(await facts.text_content() or "")
        assert await page.evaluate("document.querySelector('.scroll').scrollTop") == 0
        # Into the board by one Tab stop, and through it by the arrow keys; the last move is named on its squares.
        await page.locator("#board [tabindex='0']").focus()
        assert await here(page) == "e4 White pawn"
        await page.keyboard.press("ArrowUp")
        assert await here(page) == "e5 Black pawn"
        for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
            await page.keyboard.press(key)
        assert await here(page) == "f3 White knight, the last move went here"
        await page.keyboard.press("Control+Home")
        assert await here(page) == "a8 Black rook"
        await page.keyboard.press("ArrowUp")
        await page.keyboard.press("End")
        assert await here(page) == "h8 Black rook"
        assert await page.locator("#board [tabindex='0']").count() == 1
        shape = await page.evaluate("getComputedStyle(document.querySelector('.went-to'), '::after').borderTopStyle")
        assert shape == "solid"
        # Board, clocks and whose they are stand whole on a laptop, on a screen 800 pixels wide and on a telephone.
        for size in (LAPTOP, {"width": 800, "height": 600}, {"width": 360, "height": 640}, PHONE):
            await page.set_viewport_size(size)
            await page.evaluate("scrollTo(0, 0)")
            for part in ("#board", "#facts", "#game-title"):
                box = await page.locator(part).bounding_box()
                assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= size["height"], (size, part)
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        box = await page.locator("#board").bounding_box()
        assert box is not None and box["y"] >= 0, "the board stays in view while one scrolls"
        await expect(facts).to_contain_text("White")
        await page.set_viewport_size(LAPTOP)
        # Asked, it answers in words; a move back shows the position then.
        await page.locator("#about").fill("knight")
        await page.locator("#about").press("Enter")
        await expect(page.locator("#answer")).to_contain_text("White: knight Bella one, knight Felix three.")
        await page.get_by_role("button", name="Move back").press("Enter")
        await expect(page.locator("#at")).to_have_text("Position after 1.… e5, pawn Eva five")
        # A button that leads nowhere any more keeps the focus.
        start = page.get_by_role("button", name="To the start")
        await start.press("Enter")
        await expect(start).to_have_attribute("aria-disabled", "true")
        await page.get_by_role("button", name="Move back").press("Enter")
        await expect(page.locator("#at")).to_have_text("Starting position")
        await page.get_by_role("button", name="Move forward").press("Enter")
        await page.get_by_role("button", name="Move forward").press("Enter")
        await expect(page.locator("#at")).to_have_text("Position after 1.… e5, pawn Eva five")
        await page.get_by_role("button", name="Whole position").press("Enter")
        await expect(page.locator("#answer")).to_contain_text("knight Gustav one")
        assert await violations(page) == []
        await page.emulate_media(forced_colors="active")
        assert await violations(page) == []
        ring = await page.evaluate("getComputedStyle(document.querySelector('.went-to'), '::after').borderTopWidth")
        assert ring == "3px", "the last move is seen without our colours"
        await house.table.own(house.table.program_command(cmd.RuleResult(result="1-0", reason="1")))
        said = page.locator("[role=status]")
        await expect(said).to_contain_text("Anna – Hector: Game over: White wins")
        await expect(page.locator("#last")).to_have_text("Game over: White wins")
        await expect(page.locator("#at")).to_have_text("Position after 1.… e5, pawn Eva five")
        assert watched.complaints == []


async def test_a_players_device_is_told_why_it_sees_nothing(house: House, browser: Browser) -> None:
    await show(house)
    player = await house.station("tactile", Seat.WHITE)
    async with opened(browser, house, player, "/hall") as watched:
        await expect(watched.page.locator("#notice")).to_contain_text("belongs to a player or an assistant")
        assert not await watched.page.locator("#hall").is_visible()
        assert await violations(watched.page) == []


@pytest.mark.parametrize("look", ["projector", "projector-light"])
async def test_a_projector_is_read_at_ten_metres(house: House, browser: Browser, look: str) -> None:
    await players(house)
    await show(house)
    async with opened(browser, house, house.visitor(), f"/hall?look={look}", viewport=LAPTOP) as watched:
        page = watched.page
        await page.locator(".hall-board").wait_for()
        for what in ("the hall", "a board"):
            if what == "a board":
                await page.locator(".hall-board").click()
                await page.locator("#moves td").first.wait_for()
            sizes: list[float] = await page.evaluate(SIZES)
            # Capitals are 0.7 of a letter's size; the picture is 2 m wide; 16 minutes of arc at 10 m are 47 mm.
            assert sizes and min(sizes) * 0.7 * 2_000 / LAPTOP["width"] >= 47, sizes
            colours = await page.evaluate(
                "(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))"
            )
            assert contrast(*colours) > 15
            assert await violations(page) == [], what
        box = await page.locator("#board").bounding_box()
        assert box is not None and box["y"] + box["height"] <= LAPTOP["height"], "the whole board is seen"


@pytest.mark.parametrize("size", [pytest.param(LAPTOP, marks=pytest.mark.thorough), PHONE])
async def test_e_paper_is_black_and_white_and_drawn_seldom(house: House, browser: Browser, size: Any) -> None:
    people = await players(house)
    await show(house)
    address = "/hall?look=paper&every=600#demo"
    async with asking_often(browser, house, house.visitor(), address, viewport=size) as watched:
        page = watched.page
        await page.locator("#moves td").first.wait_for()
        assert await page.evaluate(GREYS) == []
        assert await violations(page) == []
        await page.evaluate(COUNT)
        black = await people["sighted"].line()
        await black.do({"do": "execute", "uci": "g1f3"})
        await black.do({"do": "enter_move", "uci": "b8c6"})
        async with page.expect_response(lambda one: one.url.endswith("/api/hall/demo?language=en")):
            await black.do({"do": "press"})  # and the page has the move
        async with page.expect_response(lambda one: "/api/hall?" in one.url):
            pass  # and asked again since
        assert await page.evaluate("window.drawn") == 0, "ten minutes have not passed"
        await page.locator("#latest").dispatch_event("click")
        await page.locator("#look").select_option("screen")  # what the visitor asks for is drawn at once
        await expect(page.locator("#moves")).to_contain_text("Nc6")
        assert "look=screen" in page.url and page.url.endswith("#demo")
        await black.socket.close()


async def test_the_display_of_a_table_wears_the_same_looks(house: House, browser: Browser) -> None:
    display = await house.station("display", None)
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, display, f"{display.page}&look=paper&every=600", viewport=LAPTOP) as watched:
        page = watched.page
        await expect(page.locator(".digits").first).to_have_text("1:30′")
        assert await page.evaluate(GREYS) == []
        assert await violations(page) == []
        await page.evaluate(COUNT)
        await desk.do({"do": "start_game"})
        hand = await (await house.station("tactile", Seat.WHITE)).line()
        await hand.type("Bauer Eva vier")
        await hand.do({"do": "press"})
        await desk.until(event="completed")
        await page.evaluate("new Promise((done) => setTimeout(done, 300))")  # three beats of its clocks
        assert await page.evaluate("window.drawn") == 0
        await page.locator("#look").select_option("projector")
        await expect(page.locator("#last")).to_have_text("Bauer Eva vier")
        await expect(page.locator(".clock.running .digits")).to_contain_text("1:30:")
        assert await violations(page) == []


async def test_the_halls_arbiter_opens_the_boards_to_spectators(house: House, browser: Browser) -> None:
    await open_tables(house, "r1-b1")
    chief, visitor = await hall_arbiter(house), house.visitor()
    async with (
        opened(browser, house, chief, "/tables") as watched,
        asking_often(browser, house, visitor, "/hall") as outside,
    ):
        page = watched.page
        await expect(outside.page.locator("#notice")).to_contain_text("not open to spectators")
        await page.locator("#spectators-delay").select_option("0")
        await page.get_by_role("button", name="Show the boards to spectators").press("Enter")
        await expect(page.locator("#spectators-now")).to_have_text("Boards that spectators see: 2.")
        assert await violations(page) == []
        ida, jo = {"name": "Ida", "kind": "tactile"}, {"name": "Jo", "kind": "sighted"}
        assert (await chief.post("/api/tables", {"tables": [{"white": ida, "black": jo}]}))[0] == 201
        await expect(page.locator("#spectators-now")).to_have_text("Boards that spectators see: 3.")
        await outside.page.goto(f"{house.base}/hall#%")  # an address that nobody can read leads to all boards
        await outside.page.reload()
        boards = outside.page.locator(".hall-board")
        await expect(boards).to_have_count(3)
        await boards.nth(1).press("Enter")
        await expect(outside.page.locator("#game-title")).to_be_focused()
        await outside.page.get_by_role("button", name="All boards").press("Enter")
        await expect(boards.nth(1)).to_be_focused()
        await boards.nth(1).press("Enter")
        hide = page.get_by_role("button", name="Hide the boards from spectators")
        await hide.press("Enter")
        await expect(page.locator("#spectators-now")).to_have_text("Boards that spectators see: 0.")
        await expect(hide).to_be_focused()
        await expect(outside.page.locator("[role=status]")).to_contain_text("not open to spectators")
        await expect(outside.page.locator("#main")).to_be_focused()


async def test_the_last_question_and_choice_count_whichever_answer_comes_first(house: House, browser: Browser) -> None:
    await players(house)
    await show(house)
    late = asyncio.Event()

    async def held(route: Route) -> None:
        answer = await route.fetch()
        await late.wait()
        await route.fulfill(response=answer)

    async with (
        opened(browser, house, house.visitor(), "/hall#demo") as watched,
        opened(browser, house, await hall_arbiter(house), "/static/pages/icon.svg") as chief,
    ):
        page = watched.page
        await page.locator("#moves td").first.wait_for()
        await page.route("**/told?about=knight*", held)
        async with page.expect_request("**/told?about=knight*"):
            await page.locator("#about").fill("knight")
            await page.locator("#about").press("Enter")
        await page.get_by_role("button", name="Whole position").press("Enter")
        await expect(page.locator("#answer")).to_contain_text("queen")
        # What is chosen for spectators stands, though an older answer comes later.
        desk = chief.page
        await desk.goto(f"{house.base}/tables")
        now = desk.locator("#spectators-now")
        await expect(now).to_have_text("Boards that spectators see: 1.")
        await desk.route(
            "**/api/spectators", lambda route: held(route) if route.request.method == "GET" else route.continue_()
        )
        async with desk.expect_request("**/api/spectators"):
            await open_tables(house, "second")
        await desk.get_by_role("button", name="Hide the boards from spectators").press("Enter")
        await expect(now).to_have_text("Boards that spectators see: 0.")
        async with (
            page.expect_response("**/told?about=knight*") as answered,
            desk.expect_response("**/api/spectators") as told,
        ):
            late.set()
        for one in (answered, told):
            await (await one.value).finished()
        await expect(page.locator("#answer")).to_contain_text("queen")
        await expect(now).to_have_text("Boards that spectators see: 0.")
        await expect(page.locator("[role=status]")).not_to_contain_text("White: knight")
        await show(house)  # on another device: what was hidden here is hidden again by the same button
        await desk.get_by_role("button", name="Hide the boards from spectators").press("Enter")
        await until(lambda: not is_shown(house))


async def test_two_sentences_in_a_breath_are_both_heard_and_answered_in_their_order(
    house: House, browser: Browser
) -> None:
    """The last sound of the first comes when the key is down again, and its answer after that of the second."""
    async with opened(browser, house, house.visitor(), "/hall") as watched:
        assert await watched.page.evaluate(TWO_IN_A_BREATH) == [[1, 2], ["first", "second"]]


async def test_the_page_speaks_when_it_is_asked_to(house: House, browser: Browser) -> None:
    """Without a voice of the server, in the browser's; without that too, it says so."""
    await players(house)
    await show(house)
    async with opened(browser, house, house.visitor(), "/hall#demo") as watched:
        page = watched.page
        await page.locator("#moves td").first.wait_for()
        await page.evaluate(
            """() => { window.voices = [];
              speechSynthesis.getVoices = () => window.voices;
              speechSynthesis.speak = (said) => { document.body.dataset.heard = said.text; }; }"""
        )
        await page.get_by_role("button", name="Speak aloud").press("Enter")
        await expect(page.locator("[role=status]")).to_contain_text("This device has no voice for this language.")
        await page.evaluate(
            """() => { window.voices = [{ lang: "en-GB" }];
              window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } }; }"""
        )
        await page.get_by_role("button", name="Last move", exact=True).press("Enter")
        await expect(page.locator("body")).to_have_attribute("data-heard", "2. White: knight Gustav one Felix three.")
        # Each square that a finger comes to is heard at once; a mouse is silent.
        await page.locator("#board").scroll_into_view_if_needed()
        for kind, square, heard in (
            ("pointerdown", "e2", "e2 empty"),
            ("pointermove", "e4", "e4 White pawn"),
            ("pointermove", "f3", "f3 White knight, the last move went here"),
        ):
            await page.evaluate(POINT, [kind, square, "touch"])
            await expect(page.locator("body")).to_have_attribute("data-heard", heard)
        await page.evaluate(POINT, ["pointerup", "f3", "touch"])
        await page.evaluate(POINT, ["pointermove", "a1", "touch"])
        await page.evaluate(POINT, ["pointerdown", "a1", "mouse"])
        assert await page.evaluate("document.body.dataset.heard") == "f3 White knight, the last move went here"
