"""The pages in a real browser: they load, speak to the server alone, and pass axe-core in light and dark."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources

import pytest
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route, expect

from server.game import acts as cmd
from server.game.acts import Command
from server.game.values.words import Duty, Origin, Seat
from tests.waiting import PATIENCE_MS, until
from tests.web.open_house import House, Visitor

pytestmark = pytest.mark.needs("chromium")

AXE = resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,
}
"""None of these rules asks for the sheets of styles or the sounds of a page, which axe would fetch once more."""


BLOCKED = "Service Worker registration blocked by Playwright"
"""What Playwright notes where a test has no use for what a browser keeps (`opened`)."""
GIVEN_UP = "WebSocket is closed before the connection is established."
"""What Chromium notes where our page gives up an attempt that takes too long, and tries anew (`station.js`): it does so
on a busy machine, and that is no fault."""


class Watched:
    """A page of which every complaint is noted; every request, too, where a test looks at them (`requests`).

    A page asks for dozens of files, and Playwright sends several messages for each request that somebody listens to.
    """

    def __init__(self, page: Page, base: str, *, requests: bool = False) -> None:
        self.page = page
        self.complaints: list[str] = []
        self._base, self._requests = base, requests
        self._asked: list[Request] = []
        self._finished: list[Request] = []
        page.on("console", self._note)
        page.on("pageerror", lambda fault: self.complaints.append(str(fault)))
        if requests:
            page.on("request", lambda one: self._asked.append(one))
            page.on("requestfinished", lambda one: self._finished.append(one))

    def _note(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning") and not said.text.endswith((GIVEN_UP, BLOCKED)):
            self.complaints.append(said.text)

    @property
    def foreign(self) -> list[str]:
        """The addresses on other servers that were asked for."""
        assert self._requests, "opened without requests=True"
        return [one.url for one in self._asked if not one.url.startswith((self._base, "data:"))]

    @property
    def finished(self) -> list[str]:
        """The addresses of all answers so far."""
        assert self._requests, "opened without requests=True"
        return [one.url for one in self._finished]

    async def transferred(self) -> int:
        """Bytes of the answers so far, headers included, as they came over the wire.

        What the page asks again on a slow machine (who is at the door) counts once: the first load has it once.
        """
        assert self._requests, "opened without requests=True"
        asked = {one.url: one for one in self._finished if "/api/" in one.url}
        once = (*asked.values(), *(one for one in self._finished if "/api/" not in one.url))
        sizes = [await one.sizes() for one in once]
        return sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes)


@asynccontextmanager
async def opened(
    browser: Browser, house: House, visitor: Visitor, path: str | None = None, *, requests: bool = False, **more: object
) -> AsyncIterator[Watched]:
    """A visitor's page in a browser with the visitor's cookies; it installs nothing unless a test asks for that."""
    more.setdefault("service_workers", "block")
    context: BrowserContext = await browser.new_context(locale="en-GB", **more)  # type: ignore[arg-type]
    await context.add_cookies(
        [{"name": one.key, "value": one.value, "url": house.base} for one in visitor.session.cookie_jar]
    )
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    watched = Watched(page, house.base, requests=requests)
    await page.goto(house.base + (path or visitor.page))
    if path is None:
        await page.locator("header .state", has_text="Connected").wait_for()
    yield watched
    await context.close()


async def drawn(page: Page) -> None:
    """Wait until a frame was drawn whole: what the page itself measures of its size (ResizeObserver) is in it."""
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


async def later(answers: asyncio.Event, route: Route) -> None:
    """An answer that is held up on its way until then."""
    await answers.wait()
    await route.fallback()


async def visitors(house: House) -> dict[str, Visitor]:
    return {
        "tactile": await house.station("tactile", Seat.WHITE),
        "sighted": await house.station("sighted", Seat.BLACK),
        "assistant": await house.station("assistant", Seat.WHITE, *Duty),
        "arbiter": await house.arbiter(),
        "display": await house.station("display", None),
        "observer": await house.station("observer", None),
    }


GREETED_AGAIN = """() => new Promise((greeted) => {
  document.addEventListener("greeted", greeted, { once: true });
  document.dispatchEvent(new CustomEvent("language", { detail: {} }));
})"""
"""What a new line brings, too: the server greets the page, and all that it holds is shown anew."""

# A colour that is still fading has no contrast to be measured.
FADED = """() => Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished.catch(() => {})))"""


async def violations(page: Page, *rules: str) -> list[str]:
    """What axe-core finds by all its rules, or by these alone."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE)
    await page.evaluate(FADED)
    found = await page.evaluate(
        "rules => axe.run(document, rules).then(({ violations }) => violations)",
        {**RULES, "runOnly": rules} if rules else RULES,
    )
    return [f"{one['id']}: {one['help']} {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found]


async def a_game_under_way(house: House, people: dict[str, Visitor]) -> None:
    """Two moves, an echo and a contested word, so that no page is empty."""
    desk, white, black = [await people[name].line() for name in ("arbiter", "tactile", "sighted")]
    await desk.do({"do": "start_game"})
    await white.type("Bauer Eva vier")
    await white.do({"do": "press"})
    await black.type("Bauer Eva vier")
    await black.do({"do": "execute", "uci": "e2e4"})
    await black.do({"do": "enter_move", "uci": "e7e5"})
    await black.do({"do": "press"})
    await black.do({"do": "write_score", "index": 1, "text": "e4"})
    await black.do({"do": "write_score", "index": 2, "text": "e5"})
    await white.type("Bauer Eva fuenf")
    await white.type("Springer Gustav eins Felix drei")
    await white.do({"do": "press"})
    assert (await black.type("Springer Felix vier"))["outcome"]["ok"]
    await white.do({"do": "ask", "what": "time"})
    for line in (desk, white, black):
        await line.socket.close()


async def clean_in_light_and_dark(page: Page) -> None:
    """Fail where axe-core finds anything; in dark colours by the rules alone that colours can change."""
    for scheme, rules in (("dark", ("color-contrast", "link-in-text-block")), ("light", ())):
        await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert await violations(page, *rules) == [], f"{page.url} in {scheme} colours"


async def test_every_page_is_clean_in_light_and_dark(house: House, browser: Browser) -> None:
    people = await visitors(house)
    await a_game_under_way(house, people)
    waiting = house.visitor()
    from server.web.door.access import Place

    invitation = house.access.invite(Place(table="demo", page="tactile", seat=Seat.WHITE))
    await waiting.post("/api/join", {"secret": invitation.secret, "label": "spare phone"})
    boards = {"arbiter": 2, "observer": 2, "sighted": 1, "display": 1}
    for name, visitor in people.items():
        async with opened(browser, house, visitor, requests=True) as watched:
            # The last move is marked on every board, for a page too that was not there when it was made.
            await expect(watched.page.locator(".board .went-to")).to_have_count(boards.get(name, 0))
            if name == "arbiter":
                await watched.page.get_by_role("button", name="Admit").first.wait_for()
                await watched.page.get_by_role("tab", name="Devices").click()
                await watched.page.locator("#invite-sheet > summary").click()
                await watched.page.get_by_role("button", name="Create code").click()
                await watched.page.locator("#invitation svg").wait_for()
            for tab in await watched.page.get_by_role("tab").all() or [None]:
                if tab is not None:
                    await tab.click()
                shut = watched.page.locator("details:not([open]) > summary").filter(visible=True)
                while await shut.count():
                    await shut.first.click()
                await clean_in_light_and_dark(watched.page)
            assert watched.complaints == [], name
            assert watched.foreign == [], name
    async with opened(browser, house, house.visitor(), "/", requests=True) as watched:
        await watched.page.get_by_label("Code (three squares)").fill("a1 b2")
        await watched.page.get_by_role("button", name="Join").click()
        await watched.page.locator("#notice", has_text="three squares").wait_for()
        await clean_in_light_and_dark(watched.page)
        assert watched.foreign == []


@pytest.mark.law("L182", "L049")
async def test_a_game_by_keyboard_alone_reaches_the_arbiters_page(house: House, browser: Browser) -> None:
    people = await visitors(house)
    async with (
        opened(browser, house, people["arbiter"]) as desk,
        opened(browser, house, people["tactile"]) as white,
        opened(browser, house, people["sighted"]) as black,
    ):
        await desk.page.get_by_role("button", name="Start White's clock").press("Enter")
        await white.page.locator("#last", has_text="started").wait_for()

        # White: the field has the focus from the start, and keeps it.
        await white.page.keyboard.type("Bauer Eva vier")
        await white.page.keyboard.press("Enter")
        await white.page.locator("#last", has_text="Eva vier").wait_for()
        await white.page.keyboard.press("Control+Enter")
        await desk.page.locator("#record", has_text="White: move completed").wait_for()
        await expect(white.page.locator("#field")).to_be_focused()
        waiting = "the last move is not yet executed on Black's board"
        await desk.page.locator("#boards-state:not(.differs)", has_text=waiting).wait_for()

        # Black makes White's move, then Black's own, on the board, by arrows and Enter.
        page = black.page
        await page.locator("#board button[tabindex='0']").focus()  # e7, seen from Black's side

        async def walk(*keys: str) -> None:
            for key in keys:
                await page.keyboard.press(key)

        await walk(*["ArrowUp"] * 5, "Enter", "ArrowDown", "ArrowDown", "Enter")
        await page.locator("#board button", has_text="e4 White pawn").wait_for()
        await desk.page.locator("#boards-state", has_text="they are the same").wait_for()
        await walk("ArrowDown", "ArrowDown", "ArrowDown", "Enter", "ArrowUp", "ArrowUp", "Enter")
        await page.locator("#board button", has_text="e5 Black pawn").wait_for()
        await expect(page.locator("#board button", has_text="e5 Black pawn")).to_be_focused()
        await page.locator("#field").fill("Bauer Eva fuenf")  # what stands on a screen announces nothing
        await walk("Enter", "Control+Enter")
        await desk.page.locator("#record", has_text="Black: move completed").wait_for()
        await desk.page.locator("#black-board", has_text="e5 Black pawn").wait_for()
        await desk.page.locator(".clock.running", has_text="White").wait_for()

        # The score, asked for and read back; and the same answer twice is read twice.
        await white.page.keyboard.type("time")
        await white.page.keyboard.press("Enter")
        await white.page.locator("#last", has_text="Your time: 1 hour").wait_for()
        await white.page.locator("#score td", has_text="Eva vier").first.wait_for()
        await white.page.get_by_role("button", name="Last move again").press("Enter")
        await white.page.locator("#last", has_text="Bauer Eva fünf").wait_for()
        for watched in (desk, white, black):
            assert watched.complaints == []


async def test_the_same_words_are_read_again(house: House, browser: Browser) -> None:
    async with opened(browser, house, await house.station("tactile", Seat.WHITE)) as watched:
        added = await watched.page.evaluate(
            """async () => {
                 const { say } = await import('/static/core/live.js');
                 let added = 0;
                 new MutationObserver(all => { for (const one of all) added += one.addedNodes.length; })
                   .observe(document.querySelector('[role=status]'), { childList: true });
                 for (let i = 0; i < 2; i++) { say('Pressed.'); await new Promise(done => setTimeout(done, 120)); }
                 return added;
               }"""
        )
        assert added == 2


async def test_a_lost_connection_comes_back_and_nothing_is_sent_twice(house: House, browser: Browser) -> None:
    people = await visitors(house)
    desk = await people["arbiter"].line()
    await desk.do({"do": "start_game"})
    async with opened(browser, house, people["tactile"]) as white:
        await white.page.keyboard.type("Bauer Eva vier")
        await white.page.keyboard.press("Enter")
        await desk.until(event="announced")
        from server.web.sockets.line import LINES

        for socket in tuple(house.app[LINES]._open):
            if socket is not desk.socket:
                transport = socket._req.transport if socket._req is not None else None
                if transport is not None and "tactile" in str(socket._req.url if socket._req is not None else ""):
                    transport.abort()
        await white.page.keyboard.press("Control+Enter")
        await desk.until(event="completed")
        await white.page.locator("header .state", has_text="Connected").wait_for()
        presses = [one for one in desk.seen if one.get("message", {}).get("event", {}).get("event") == "clock_pressed"]
        assert len(presses) == 1


async def test_joining_from_a_link_and_from_a_code(house: House, browser: Browser) -> None:
    async with opened(browser, house, house.visitor(), f"/#join={house.arbiter_secret()}") as desk:
        await desk.page.wait_for_url("**/arbiter?table=demo")
        await desk.page.locator("header .state", has_text="Connected").wait_for()
        await desk.page.get_by_role("button", name="Create code").click()
        words = await desk.page.locator("#invitation .code:not(:empty)").inner_text()
        assert "join=" not in desk.page.url
        async with opened(browser, house, house.visitor(), "/") as phone:
            there = asyncio.Event()
            await phone.page.route("**/static/entry/index.js", lambda route: later(there, route))
            await phone.page.reload(wait_until="commit")
            await phone.page.get_by_label("Code (three squares)").fill("wrong")
            await phone.page.keyboard.press("Enter")
            await phone.page.get_by_label("Code (three squares)").fill(words)
            await phone.page.keyboard.press("Enter")  # once, before the page's script is there
            there.set()
            await phone.page.get_by_text("The arbiter has been told").first.wait_for()
            mark = (await phone.page.locator("#mark-line:not(:empty)").inner_text())[:2]
            await desk.page.locator("#devices .mark", has_text=mark).wait_for()
            await desk.page.get_by_role("button", name="Admit").press("Enter")
            await phone.page.wait_for_url("**/tactile?table=demo&seat=white")
            await phone.page.locator("header .state", has_text="Connected").wait_for()


SENT_BY_ITSELF = """() => new Promise((shut) => {
  addEventListener("securitypolicyviolation", (event) => shut(event.effectiveDirective));
  document.querySelector("#act-search").requestSubmit();
})"""


async def test_a_form_that_is_pressed_before_its_script_is_there_leaves_the_page_as_it_is(
    house: House, browser: Browser
) -> None:
    """Sent by the browser itself, it would load the page anew, without `?table=` and what was typed."""
    arbiter = await house.arbiter()
    async with opened(browser, house, arbiter) as watched:
        await watched.page.route("**/*.js", lambda route: route.abort())
        await watched.page.reload()
        assert await watched.page.evaluate(SENT_BY_ITSELF) == "form-action"
        assert watched.page.url == house.base + arbiter.page


async def test_a_promotion_asks_and_has_no_default(house: House, browser: Browser) -> None:
    people = await visitors(house)
    desk = await people["arbiter"].line()
    await desk.do({"do": "start_game"})
    white = await people["tactile"].line()
    await white.type("Bauer Eva vier")
    await white.do({"do": "press"})
    await desk.do({"do": "set_board", "board": "black", "placement": "4k3/8/8/8/8/8/p7/4K3", "turn": "black"})
    async with opened(browser, house, people["sighted"]) as black:
        page = black.page
        await page.locator("#board button", has_text="a2 Black pawn").click()
        await page.locator("#board button", has_text="a1 empty").click()
        dialog = page.get_by_role("dialog")
        await dialog.wait_for()
        await expect(dialog.locator("h2")).to_be_focused()
        assert await violations(page) == []
        await dialog.get_by_role("button", name="knight").click()
        await page.locator("#board button", has_text="a1 Black knight").wait_for()


async def test_which_of_two_squares_it_was_is_asked_on_the_players_page(house: House, browser: Browser) -> None:
    desk = await (await house.arbiter()).line()
    player = await house.station("tactile", Seat.WHITE)
    await house.station("sighted", Seat.BLACK)
    await desk.do({"do": "start_game"})
    (station,) = (one for one in house.table.state.stations.admitted if one.seat is Seat.WHITE)
    async with opened(browser, house, player) as watched:
        either = (("file.b", "rank.4"), ("file.d", "rank.4"))
        said = cmd.Say(announcement=None, origin=Origin.HEARD, either=either)
        await house.table.own(Command(id="a" * 32, table="demo", station=station.id, body=said))
        await expect(watched.page.locator("#last")).to_have_text("Bella vier or David vier?")
        assert await violations(watched.page) == []
        assert watched.complaints == []


async def test_refusals_and_boards_follow_the_language_of_the_page(house: House, browser: Browser) -> None:
    people = await visitors(house)
    async with opened(browser, house, people["arbiter"]) as desk:
        page = desk.page
        await page.locator("#act").select_option("resume")
        await page.get_by_role("button", name="Apply").click()
        await page.locator("#said", has_text="The game has not started yet.").wait_for()
        await page.locator("#language").select_option("de")
        await page.get_by_role("button", name="Ausführen").click()
        await page.locator("#said", has_text="Die Partie hat noch nicht begonnen.").wait_for()
        assert desk.complaints == []


async def test_a_page_turns_german_by_its_choice_of_languages(house: House, browser: Browser) -> None:
    async with opened(browser, house, await house.station("tactile", Seat.WHITE)) as watched:
        await watched.page.get_by_label("Language", exact=True).select_option("de")
        await watched.page.locator("header .state", has_text="Verbunden").wait_for()
        assert await watched.page.evaluate("document.documentElement.lang") == "de"


async def test_the_arbiter_answers_the_question_of_g1_and_ticks_the_checklist_by_keyboard(
    house: House, browser: Browser
) -> None:
    async with opened(browser, house, await house.arbiter()) as watched:
        page = watched.page
        await page.get_by_role("radio", name="Note for the arbiter").focus()
        await page.keyboard.press("ArrowDown")
        await page.evaluate(GREETED_AGAIN)  # what is chosen and not recorded yet stays
        await page.keyboard.press("Enter")
        await until(lambda: house.table.state.table.adaptations[-1].value == "clock_back")  # "note" was recorded before
        await expect(page.get_by_role("radio", name="The player's clock runs again until the")).to_be_checked()
        await page.get_by_text("Checklist before the game").click()
        await page.get_by_role("checkbox", name="White: The near corner").focus()
        await page.keyboard.press("Space")
        await page.get_by_text("White: checked").first.wait_for()
        assert [tick.item for tick in house.table.state.table.ticks] == ["orientation"]
        await page.get_by_role("button", name="Read out the set-up").click()
        await page.get_by_text("White: Turm Anna eins").wait_for()


async def test_a_value_of_an_adaptation_that_is_chosen_stays_until_it_is_recorded(
    house: House, browser: Browser
) -> None:
    """A line that comes back, another adaptation recorded elsewhere, a language: Enter records what was chosen."""
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, await house.arbiter()) as watched:
        page, value = watched.page, watched.page.locator("#adaptation-value")
        await page.locator("#adaptation-sheet > summary").press("Enter")
        await page.locator("#adaptation").select_option("position_readout")
        await expect(value).to_have_value("off")
        await value.select_option("on")
        await page.evaluate(GREETED_AGAIN)
        await expect(value).to_have_value("on")
        await desk.do({"do": "record_adaptation", "name": "file_names", "value": "nato"})
        await page.locator("#record", has_text="Alfa to Hotel").wait_for()
        await page.locator("#language").select_option("de")
        await expect(page.locator("#adaptation-sheet button")).to_have_text("Festhalten")
        await expect(value).to_have_value("on")
        await page.locator("#adaptation-sheet button").press("Enter")
        await until(lambda: house.table.state.table.adaptations[-1].name == "position_readout")
        assert house.table.state.table.adaptations[-1].value == "on"
        # What nobody has chosen here is what was recorded last, also elsewhere.
        await desk.do({"do": "record_adaptation", "name": "position_readout", "value": "off"})
        await expect(value).to_have_value("off")
        await page.locator("#adaptation").select_option("file_names")
        await expect(value).to_have_value("nato")
        assert watched.complaints == []


@pytest.mark.law("L193", "L203")
@pytest.mark.parametrize("page", ["tactile", "assistant"])
async def test_a_time_that_was_read_off_another_clock_is_told_with_its_age(
    house: House, browser: Browser, page: str
) -> None:
    """Each player's: an old time of the opponent, told as if it were now, misleads as much as one's own."""
    duties = Duty if page == "assistant" else ()
    visitor, desk = await house.station(page, Seat.WHITE, *duties), await (await house.arbiter()).line()
    for body in (
        {"do": "set_clock_master", "clock_master": "manual"},
        {"do": "start_game"},
        {"do": "read_clock", "white_ms": 3_540_000, "black_ms": 3_480_000},
    ):
        assert (await desk.do(body))["outcome"]["ok"]
    async with opened(browser, house, visitor) as watched:
        for what, minutes in (("time", 59), ("opponent_time", 58)):
            await watched.page.locator(f"[data-ask={what}]").click()
            told = watched.page.locator("#last", has_text=f"{minutes} minutes")
            await told.wait_for()
            assert re.search(r"Read .+ ago", await told.inner_text()), what
