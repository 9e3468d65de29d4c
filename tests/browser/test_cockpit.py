"""The arbiter's cockpit: three states, incidents settled in at most three touches, acts found by an arbiter's words."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Browser, Page, Route, expect

from server.game.values.words import Seat
from tests.browser.test_dead_hardware import becomes
from tests.browser.test_pages import GREETED_AGAIN, a_game_under_way, later, opened, violations, visitors
from tests.waiting import PATIENCE_S, until
from tests.web.open_house import House, TestLine

pytestmark = pytest.mark.needs("chromium")

MOST_TOUCHES = 3
SIZES = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})
PHONES = ((390, 844), (360, 640))
ON_ITS_SIDE = {"width": 640, "height": 360}
TALLEST = 2_300
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
WORDS = {"g1f3": "Springer Felix drei", "g8f6": "Springer Felix sechs", "f3g1": "Springer Gustav eins",
         "f6g8": "Springer Gustav acht"}  # fmt: skip

WATCHES_CARDS = """() => {
  window.taken = [];
  window.handed = [];
  new MutationObserver((changes) => {
    const nodes = changes.flatMap((one) => [...one.removedNodes]);
    window.taken.push(...nodes.map((one) => one.dataset.kind).filter(Boolean));
  }).observe(document.querySelector("#alerts"), { childList: true });
  document.addEventListener("focusin", ({ target, relatedTarget }) => {
    window.handed.push([relatedTarget?.textContent ?? "", target.textContent]);
  });
}"""


class Hand:
    """The arbiter's hand: every touch of it is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.touches = 0

    async def touch(self, name: str, *, within: str = "body") -> None:
        await self.page.locator(within).get_by_role("button", name=name).first.click()
        self.touches += 1


async def begun(house: House) -> tuple[TestLine, TestLine, TestLine]:
    """The lines of the arbiter, of White (tactile) and of Black (sighted), in a game that has started."""
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    await desk.do({"do": "start_game"})
    return desk, white, black


@pytest.mark.law("L080", "L083")
async def test_an_illegal_move_is_settled_in_two_touches_from_its_card_and_stays_so_on_another_device(
    house: House, browser: Browser
) -> None:
    """7.5.1, 7.5.5: one touch stops the clocks, rules, takes back and gives two minutes; one lets the clocks run."""
    _, white, black = await begun(house)
    await white.type("Bauer Eva zwei Eva fuenf")
    await black.type("Bauer Eva zwei Eva fuenf")
    await white.do({"do": "press"})
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[1]) as watched:
        page, hand = watched.page, Hand(watched.page)
        card = page.locator("#alerts .alert-line", has_text="The announced move is not legal")
        await expect(card).to_contain_text("7.5.1")
        await expect(card.locator(".steps > li")).to_have_count(4)
        await hand.touch("Do all steps", within="#alerts")
        await expect(card.locator(".steps > li.done")).to_have_count(4)
        assert house.table.state.rulings.illegals == ((Seat.WHITE, "illegal"),)
        assert (house.table.state.made_plies, house.table.state.time.given) == (0, (0, 120_000))
        await expect(card.get_by_role("button", name="Undo all of it")).to_be_visible()
        assert await violations(page) == []
        await hand.touch("Resume clocks", within="#alerts")
        await expect(card).to_have_count(0)
        assert hand.touches == 2
        assert watched.complaints == []
    async with opened(browser, house, await house.arbiter()) as second:
        await expect(second.page.locator("#record")).to_contain_text("ruling on the irregularity")
        await expect(second.page.locator("#alerts .alert-line", has_text="not legal")).to_have_count(0)


@pytest.mark.law("L080", "L113")
async def test_what_was_only_heard_is_first_listened_to_and_a_step_is_changed_or_all_undone(
    house: House, browser: Browser
) -> None:
    _, white, _ = await begun(house)
    await white.type("Bauer Eva zwei Eva fuenf")
    await white.do({"do": "press"})
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page, hand = watched.page, Hand(watched.page)
        card = page.locator("#alerts .alert-line", has_text="The announced move is not legal")
        await expect(card.get_by_role("button", name="Only the server misheard")).to_be_visible()
        await expect(card.locator(".steps")).to_have_count(0)
        running = house.table.state.time.clock.running
        assert running is Seat.BLACK, "nothing stops before the arbiter says that it happened"
        # Another alert takes nothing away from who reads; a card drawn anew hands the focus on before it goes.
        await page.evaluate(WATCHES_CARDS)
        await white.do({"do": "call_arbiter", "reason": "", "stop": False})
        await expect(page.locator("#alerts .alert-line")).to_have_count(2)
        assert await page.evaluate("window.taken") == []
        await card.get_by_role("button", name="It happened").focus()
        await hand.touch("It happened", within="#alerts")
        await expect(card.locator(".steps > li.done")).to_have_count(1)
        assert [one for one in await page.evaluate("window.handed") if "Do all steps" in one[1]] == [
            ["It happened – The announced move is not legal", "Do all steps – The announced move is not legal"]
        ]
        assert house.table.state.time.clock.running is None
        give = card.locator(".steps > li", has_text="Extra time")
        await give.get_by_text("Change").click()
        await give.locator("#step-add-time-ms").fill("3:00")
        await give.locator("#step-add-time-ms").press("Tab")
        await expect(give).to_contain_text("3 minutes")
        await hand.touch("Do all steps", within="#alerts")
        await expect(card.get_by_role("button", name="Undo all of it")).to_be_visible()
        assert house.table.state.time.given == (0, 180_000)
        await hand.touch("Undo all of it", within="#alerts")
        await expect(card.locator(".steps > li.done")).to_have_count(1)
        assert (house.table.state.made_plies, house.table.state.time.given) == (1, (0, 0))
        assert watched.complaints == []


@pytest.mark.law("L080", "L113")
async def test_a_step_that_is_touched_keeps_the_focus_its_fold_and_what_is_being_typed(
    house: House, browser: Browser
) -> None:
    """The clocks stop at the first touch and the card is drawn anew: the next key does what it says, and no ruling."""
    desk, white, black = await begun(house)
    await white.type("Bauer Eva zwei Eva fuenf")
    await black.type("Bauer Eva zwei Eva fuenf")
    await white.do({"do": "press"})
    await desk.do({"do": "open_incident", "kind": "phone", "seat": "black"})
    await desk.do({"do": "resume"})
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page = watched.page
        card = page.locator("#alerts .alert-line:nth-child(2)", has_text="The announced move is not legal")
        done, give = card.locator(".steps > li.done"), card.locator(".steps > li", has_text="Extra time")
        box, change, field = give.get_by_role("checkbox"), give.locator("summary"), give.locator("#step-add-time-ms")
        await box.focus()
        await page.keyboard.press("Space")
        await expect(done).to_have_count(1)
        await expect(box).to_be_focused()
        await expect(box).not_to_be_checked()
        await page.keyboard.press("Space")
        await expect(box).to_be_checked()
        await desk.do({"do": "resume"})
        await expect(done).to_have_count(0)
        await change.focus()
        await page.keyboard.press("Enter")
        await expect(done).to_have_count(1)
        await expect(change).to_be_focused()
        await field.focus()
        await field.select_text()
        await page.keyboard.type("3:")
        await desk.do({"do": "resume"})
        await expect(done).to_have_count(0)
        await expect(field).to_be_focused()
        await page.keyboard.type("30")
        await expect(field).to_have_value("3:30")
        await desk.do({"do": "pause"})
        await expect(done).to_have_count(1)
        await expect(field).to_be_focused()
        await page.keyboard.press("Tab")
        await expect(give).to_contain_text("3 minutes 30 seconds")
        # A step that is gone, and a card: the focus is on the whole card, and no act is under the fingers.
        await desk.do({"do": "resume"})
        await card.locator(".steps > li", has_text="Pause clocks").get_by_role("checkbox").focus()
        await page.keyboard.press("Space")
        await expect(done).to_have_count(1)
        await expect(card.get_by_role("group").first).to_be_focused()
        await desk.do({"do": "resume"})
        await expect(done).to_have_count(0)
        await expect(card.get_by_role("group").first).to_be_focused()
        assert (house.table.state.rulings.illegals, house.table.state.moves.line) == ((), ("e2e5",))
        assert watched.complaints == []


async def test_a_card_that_is_drawn_anew_keeps_the_focus_on_the_same_act_wherever_it_stands(
    house: House, browser: Browser
) -> None:
    """The same alert comes once more; two that are more urgent come before it; the clocks run, each is made anew."""
    desk, white, _ = await begun(house)
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page = watched.page
        called = page.locator("#alerts .alert-line", has_text="White calls the arbiter")
        await white.do({"do": "call_arbiter", "reason": "", "stop": False})
        await called.get_by_role("button", name="Put off").focus()
        await white.do({"do": "call_arbiter", "reason": "", "stop": False})
        await expect(called).to_contain_text("2 times")
        await expect(called.get_by_role("button", name="Put off")).to_be_focused()
        await desk.do({"do": "open_incident", "kind": "phone", "seat": "white"})
        phone = page.locator("#alerts .alert-line", has_text="opened by the arbiter: White")
        put_off = phone.get_by_role("button", name="Put off")
        await put_off.focus()
        for kind in ("phone", "clock"):
            await desk.do({"do": "open_incident", "kind": kind, "seat": "black"})
        await expect(page.locator("#alerts .alert-line")).to_have_count(4)
        await expect(put_off).to_be_focused()
        await desk.do({"do": "resume"})
        await expect(phone.locator(".steps > li.done")).to_have_count(0)
        await expect(put_off).to_be_focused()
        assert watched.complaints == []


@pytest.mark.law("L080", "L125")
async def test_a_telephone_takes_three_touches_and_an_illegal_move_four_keys(house: House, browser: Browser) -> None:
    """11.3.2.2: opened by whose it is, the penalty, the yes. 7.5: F2, Tab, Enter does all steps, Enter goes on."""
    _, white, black = await begun(house)
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page, hand = watched.page, Hand(watched.page)
        await white.type("Bauer Eva zwei Eva fuenf")
        await black.type("Bauer Eva zwei Eva fuenf")
        await white.do({"do": "press"})
        card = page.locator("#alerts .alert-line", has_text="The announced move is not legal")
        await expect(card.locator(".steps > li")).to_have_count(4)
        for key in ("F2", "Tab", "Enter"):
            await page.keyboard.press(key)
            if key == "F2":
                await expect(card.get_by_role("group").first).to_be_focused()
        await expect(card.get_by_role("button", name="Resume clocks")).to_be_focused()
        assert house.table.state.time.given == (0, 120_000)
        await page.keyboard.press("Enter")
        await expect(card).to_have_count(0)
        await page.locator("#act-find").fill("ringing")
        await expect(page.locator("#act")).to_have_value("open_incident")
        await expect(page.locator("#act-kind")).to_have_value("phone")
        await hand.touch("White", within="#act-form")
        await until(lambda: house.table.state.time.clock.running is None)
        await hand.touch("Do all steps", within="#alerts")
        await hand.touch("Yes", within="dialog")
        await until(lambda: house.table.state.ending.result == "0-1")
        assert hand.touches == 3
        assert watched.complaints == []


@pytest.mark.law("L113")
async def test_an_alert_is_heard_once_in_an_open_question_and_f2_tells_it_there(house: House, browser: Browser) -> None:
    """A screen reader reads nothing outside a modal question: the regions that tell are in it then, and only there."""
    _, white, _ = await begun(house)
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page = watched.page
        await page.locator("#ruling summary").click()
        await page.locator("#result").select_option("1-0")
        await page.locator("#rule-button").click()
        await expect(page.locator("dialog [aria-live]")).to_have_count(2)
        await white.do({"do": "call_arbiter", "reason": "", "stop": False})
        told = page.locator("dialog [aria-live=assertive] p")
        await expect(told).to_have_count(1)
        await expect(told).to_contain_text("The arbiter has been called")
        assert await page.locator("body > [aria-live] p", has_text="has been called").count() == 0, "once"
        await page.keyboard.press("F2")
        await expect(page.locator("dialog [aria-live=polite] p")).to_contain_text("No valid reason to stop")
        assert await page.evaluate("document.activeElement.closest('dialog') !== null"), "the question keeps the focus"
        assert await violations(page) == []
        await page.keyboard.press("Escape")
        await page.keyboard.press("F2")
        await expect(page.locator("#alerts [role=group]").first).to_be_focused()
        assert watched.complaints == []


@pytest.mark.law("L113")
async def test_a_wrong_claim_is_settled_in_two_touches(house: House, browser: Browser) -> None:
    _, white, black = await begun(house)
    for mover, word in ((white, "Bauer Eva vier"), (black, "Bauer Eva fuenf")):
        await mover.type(word)
        await mover.do({"do": "press"})
    await white.do({"do": "claim_draw", "kind": "fifty_moves"})
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[1]) as watched:
        hand = Hand(watched.page)
        await hand.touch("Claim incorrect", within="#alerts")
        card = watched.page.locator("#alerts li", has_text="Draw claimed")
        await expect(card.get_by_role("button", name="Undo all of it")).to_be_visible()
        await card.get_by_role("button", name="Resume clocks").click()
        await expect(card).to_have_count(0)
        assert house.table.state.draws.claim is None


@pytest.mark.law("L197")
async def test_differing_boards_are_settled_in_three_touches(house: House, browser: Browser) -> None:
    _, white, black = await begun(house)
    await white.type("Bauer Eva vier")
    await white.do({"do": "press"})
    await black.type("Bauer Eva vier")
    await black.do({"do": "execute", "uci": "e2e3"})
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page, hand = watched.page, Hand(watched.page)
        await expect(page.locator("#boards-state.differs")).to_contain_text("they differ")
        await hand.touch("The board is now correct: Black", within="#alerts")
        await expect(page.locator("#alerts li", has_text="Board does not match")).to_have_count(0)
        await expect(page.locator("#boards-state")).to_contain_text("they are the same")
        assert hand.touches <= MOST_TOUCHES
        assert watched.complaints == []


async def test_the_same_alert_twice_is_one_card_which_is_put_off_and_filed(house: House, browser: Browser) -> None:
    desk, white, _ = await begun(house)
    for _ in range(2):
        await white.do({"do": "call_arbiter", "reason": "", "stop": False})
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page = watched.page
        card = page.locator("#alerts .alert-line")
        await expect(card).to_have_count(1)
        await expect(card).to_contain_text("2 times")
        await card.get_by_role("button", name="Put off").press("Enter")
        await expect(card).to_have_count(0)
        await expect(page.locator("#put-off-count")).to_have_text("1")
        await white.do({"do": "call_arbiter", "reason": "", "stop": False})
        await expect(card).to_have_count(1)  # a new call is news, whatever was put off
        await card.get_by_role("button", name="Acknowledge").press("Enter")
        await expect(card).to_have_count(0)
        await expect(page.locator("#alerts-title")).to_be_focused()
        await page.reload()
        await expect(page.locator("#put-off")).to_be_visible()  # a key does not wait for what is still being asked for
        await page.locator("#put-off summary").press("Enter")
        await page.locator("#alerts-put-off").get_by_role("button", name="File").press("Enter")
        await expect(page.locator("#filed-count")).to_have_text("1")
        await expect(page.locator("#put-off")).to_be_hidden()
        assert [one.how for one in house.table.state.rulings.unsettled] == ["filed", "filed"]
        refused = await desk.do({"do": "settle_alert", "numbers": [1], "how": "acknowledged"})
        assert not refused["outcome"]["ok"]
        assert watched.complaints == []


async def test_an_alert_that_comes_before_the_page_knows_the_others_is_told_all_the_same(
    house: House, browser: Browser
) -> None:
    _, white, _ = await begun(house)
    answers = asyncio.Event()
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page, told = watched.page, watched.page.locator("[aria-live=assertive]")
        await page.route("**/api/alerts?*", lambda route: later(answers, route))
        await page.reload()
        await page.locator("header .state", has_text="Connected").wait_for()
        await white.do({"do": "call_arbiter", "reason": "", "stop": False})
        await expect(page.locator("#record li[data-event=alerted]")).to_have_count(1)
        answers.set()
        await expect(told).to_contain_text("The arbiter has been called")
        await page.reload()
        await expect(page.locator("#alerts .alert-line")).to_have_count(1)
        await expect(told).to_be_empty()  # a page that is opened tells nothing of those before


async def test_alerts_that_could_not_be_fetched_are_asked_for_again(house: House, browser: Browser) -> None:
    """The line stands, and nothing else would ask: an alert that no card shows waits for nobody."""
    _, white, _ = await begun(house)
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page, failed = watched.page, asyncio.Event()

        async def fail_once(route: Route) -> None:
            if failed.is_set():
                return await route.continue_()
            failed.set()
            return await route.fulfill(status=503, body="")

        await page.locator("header .state", has_text="Connected").wait_for()
        await expect(page.locator("#alerts")).to_have_attribute("data-empty", "yes")
        await page.route("**/api/alerts?*", fail_once)
        await white.do({"do": "call_arbiter", "reason": "", "stop": False})
        await expect(page.locator("#alerts .alert-line")).to_have_count(1)
        assert failed.is_set()


OF_A_LONGER_RECORD = {
    "numbers": [4], "kind": "arbiter_called", "ply": 0, "at": 0, "grey": False, "at_once": False, "how": None,
    "text": "", "sound": None, "article": "", "offers": [], "steps": [],
}  # fmt: skip


@pytest.mark.parametrize("looks", [2, 1])
async def test_a_server_that_goes_on_with_an_older_copy_is_asked_for_its_new_alerts(
    house: House, browser: Browser, looks: int
) -> None:
    """There the alerts changed less often than the page has seen: what is new there is no less new.

    It may have come before the page looked there, under a number that another one had.
    """
    _, white, _ = await begun(house)
    longer = {"changes": 9, "count": 4, "cards": [OF_A_LONGER_RECORD]}
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page, told = watched.page, watched.page.locator("[aria-live=assertive]")
        await page.route("**/api/alerts?*", lambda route: route.fulfill(json=longer))
        for shown in (1, 0)[:looks]:
            await page.evaluate(GREETED_AGAIN)
            await expect(page.locator("#alerts .alert-line")).to_have_count(shown)
            await page.unroute_all()
        await white.do({"do": "call_arbiter", "reason": "", "stop": False})
        if looks == 1:
            await page.evaluate(GREETED_AGAIN)
        await expect(told).to_contain_text("The arbiter has been called")
        await expect(page.locator("#alerts .alert-line")).to_have_count(1)


async def regions(page: Page) -> list[str]:
    """The names of the regions in the order in which a screen reader meets them: of the browser's own tree."""
    session = await page.context.new_cdp_session(page)
    found = {one["nodeId"]: one for one in (await session.send("Accessibility.getFullAXTree"))["nodes"]}
    (root,) = [id for id, one in found.items() if "parentId" not in one]
    names, left = [], [root]
    while left:
        one = found[left.pop()]
        left += [id for id in reversed(one.get("childIds", ())) if id in found]
        if not one["ignored"] and one["role"]["value"] == "region":
            names.append(one["name"]["value"].partition(" –")[0].strip())
    return names


async def test_the_arbiters_keys_lead_from_anywhere_to_what_is_urgent_and_tell_the_clocks(
    house: House, browser: Browser
) -> None:
    _, white, _ = await begun(house)
    async with opened(browser, house, await house.arbiter(), requests=True, viewport=SIZES[0]) as watched:
        page = watched.page
        await until(lambda: any("/api/alerts" in one for one in watched.finished))
        urgent, polite = page.locator("[aria-live=assertive]"), page.locator("[aria-live=polite]")
        await page.locator("#act-find").focus()
        await page.keyboard.press("F2")
        await expect(polite).to_have_text("Alerts: None.")
        # A call is told at once, whatever is being read.
        await white.do({"do": "call_arbiter", "reason": ""})
        await expect(urgent).to_contain_text("The arbiter has been called")
        card = page.locator("#alerts [role=group]").first
        await expect(card).to_have_accessible_name(re.compile("^The arbiter has been called. "))
        await page.keyboard.press("F2")
        await expect(card).to_be_focused()
        await page.keyboard.press("Tab")
        await expect(card.get_by_role("button", name="Resume clocks")).to_be_focused()
        await page.keyboard.press("Enter")
        await card.get_by_role("button", name="Acknowledge").press("Enter")
        await expect(page.locator("#alerts .alert-line")).to_have_count(0)
        await expect(page.locator("#alerts-title")).to_be_focused()
        await page.keyboard.press("F4")
        await expect(polite).to_contain_text(re.compile(r"White: 1 hour .*, running\. Black: 1 hour .*, stopped"))
        await page.keyboard.press("F8")
        await expect(polite).to_contain_text("The arbiter has been called")
        # What a screen reader meets in the order of urgency: alerts, clocks, boards, the next acts.
        assert await regions(page) == ["Alerts", "Clocks", "Both boards", "Game", "All arbiter actions", "More"]
        assert await violations(page) == []
        assert watched.complaints == []


FOUND_BY = {
    "en": {
        "illegal move": "rule_irregularity", "threefold": "rule_claim", "resign": "rule_result",
        "take back": "restore_to", "pause": "pause", "stop the clocks": "pause", "50 moves": "rule_claim",
        "flag": "call_flag", "wrong result": "rule_result", "add time": "add_time", "7.5": "rule_irregularity",
        "ringing": "open_incident", "doctor": "open_incident", "forgot the clock": "open_incident",
        "not started": "open_incident", "2 minutes": "add_time", "wrong colour": "rule_set_up", "draw": "rule_result",
        "7.5.1": "rule_irregularity", "7.5.5": "add_time", "9.2.2": "rule_claim", "5.1.2": "rule_result",
    },
    "de": {
        "illegaler Zug": "rule_irregularity", "dreimal": "rule_claim", "aufgeben": "rule_result",
        "zurücknehmen": "restore_to", "Pause": "pause", "5.1.2": "rule_result",
    },
    "hu": {
        "szabálytalan lépés": "rule_irregularity", "háromszori": "rule_claim", "feladja": "rule_result",
        "visszavétel": "restore_to", "szünet": "pause",
    },
    "he": {"דגל": "call_flag"},
}  # fmt: skip
BY_KEYS = 2
"""How many words of a language are typed letter by letter; the list is made anew of all that stands in the field."""


async def test_acts_are_found_by_the_words_of_arbiters(house: House, browser: Browser) -> None:
    async with opened(browser, house, await house.arbiter()) as watched:
        page = watched.page
        for tag, known in FOUND_BY.items():
            await page.locator("#language").select_option(tag)
            await page.locator(f"html[lang={tag}]").wait_for()
            await page.locator("#act option").nth(40).wait_for(state="attached")
            for number, (words, act) in enumerate(known.items()):
                if number < BY_KEYS:
                    await page.locator("main").focus()
                    await page.keyboard.press("/")  # what stands there is chosen, and gives way
                    await expect(page.locator("#act-find")).to_be_focused()
                    await page.keyboard.type(words)
                else:
                    await page.locator("#act-find").fill(words)
                await expect(page.locator("#act")).to_have_value(act)
            await page.locator("#act-find").fill("")


async def test_an_act_that_was_chosen_stays_when_the_acts_come_a_second_time(house: House, browser: Browser) -> None:
    """They are asked for once more where the first answer is not there when the line is."""
    first, second = [asyncio.Event() for _ in range(2)]
    left = [first, second]
    async with opened(browser, house, await house.arbiter()) as watched:
        page = watched.page
        await page.route("**/api/forms", lambda route: later(left.pop(0), route))
        await page.reload(wait_until="commit")
        await until(lambda: not left)
        async with page.expect_response("**/api/forms"):
            first.set()
        await page.locator("#act").select_option("note_incident")
        await page.locator("#act-text").fill("noise")
        await page.evaluate("document.querySelector('#act option').dataset.before = 'yes'")
        second.set()
        await expect(page.locator("#act option[data-before]")).to_have_count(0)
        await expect(page.locator("#act-text")).to_have_value("noise")
        await expect(page.locator("#act-text")).to_be_visible()


async def test_a_slash_in_a_field_is_a_slash_and_the_acts_used_last_stand_on_top(
    house: House, browser: Browser
) -> None:
    async with opened(browser, house, await house.arbiter()) as watched:
        page = watched.page
        await page.locator("#act").select_option("note_incident")
        await page.locator("#act-text").fill("")
        await page.locator("#act-text").press("/")
        assert await page.locator("#act-text").input_value() == "/"
        await page.get_by_role("button", name="Apply").click()
        await page.locator("#said", has_text="Done").wait_for()
        doubled = "all => all.map((one) => one.value).filter((one, at, list) => list.indexOf(one) < at)"
        assert await page.eval_on_selector_all("#act option", doubled) == [], "no act twice"
        first = page.locator("#act optgroup").first
        await expect(first).to_have_attribute("label", "Used last")
        await expect(first.locator("option").first).to_have_attribute("value", "note_incident")
        await page.reload()
        await expect(page.locator("#act optgroup").first).to_have_attribute("label", "Used last")


LONG = "The game has not started yet, so this was not done: start White's clock first, then ask for it again. " * 2
IN_THE_BAR = ("#clock-white", "#clock-black", "#strip-to")
IN_VIEW = """(parts) => new Promise((done) => {
  const watch = new IntersectionObserver((seen) => {
    watch.disconnect();
    done(Math.min(...seen.map((one) => one.intersectionRatio)));
  });
  const found = parts.map((part) => document.querySelector(part));
  if (found.includes(null)) done(0);
  else for (const one of found) watch.observe(one);
})"""
"""The share in view of the part that is least in view; `to_be_in_viewport` takes a frame for each part."""


async def in_view(page: Page, *parts: str) -> None:
    """Wait until each is in view."""
    async with asyncio.timeout(PATIENCE_S):
        while parts and await page.evaluate(IN_VIEW, parts) < 0.99:
            await asyncio.sleep(0.05)


async def stands(page: Page, *parts: str) -> None:
    """The bar is in view on each size, scrolled to the end too, whatever was said; on a phone it takes a third."""
    for width, height in (*PHONES, (740, 360), (320, 200), (1280, 800)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate("scrollTo(0, 0)")
        heights = []
        for text in ("", LONG):
            await page.locator("#said").evaluate("(one, text) => { one.textContent = text; }", text)
            await page.evaluate("scrollTo(0, document.body.scrollHeight)")
            await in_view(page, *IN_THE_BAR, *parts)
            await page.evaluate("scrollTo(0, 0)")
            await in_view(page, *parts)
            bar = await page.locator("#top").bounding_box()
            assert bar is not None
            heights.append(bar["height"])
        assert heights[0] == heights[1], "what is said moves nothing"
        assert (width, height) not in PHONES or heights[0] * 3 <= height
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
        scrolls = """[...document.querySelectorAll("main *")].filter((one) =>
          ["auto", "scroll"].includes(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight)
          .map((one) => one.id || one.tagName)"""
        assert await page.evaluate(scrolls) == [], "nothing scrolls within the page"
    await page.locator("#said").evaluate("one => { one.textContent = ''; }")


@pytest.mark.law("L080", "L197")
async def test_one_bar_stands_at_every_size_in_each_state_and_axe_finds_nothing(house: House, browser: Browser) -> None:
    people = await visitors(house)
    async with opened(browser, house, people["arbiter"], viewport=SIZES[0]) as watched:
        page = watched.page
        await expect(page.locator("body[data-state=before]")).to_be_visible()
        await expect(page.locator("#todo li")).to_have_count(5)
        await expect(page.locator("#pause")).to_be_hidden()
        await expect(page).to_have_title("demo – Arbiter – Anna Eins")
        await stands(page, "#start")
        assert await violations(page) == []
        await a_game_under_way(house, people)
        await expect(page.locator("body[data-state=play]")).to_be_visible()
        await expect(page.locator("#todo")).to_be_hidden()
        await expect(page.locator("#strip")).to_contain_text("(1) Announcement and repetition differ")
        line = await people["tactile"].line()
        await line.do({"do": "call_arbiter", "reason": ""})
        # What just happened is in the bar and in the title of the tab, with the first act of its card.
        await expect(page.locator("#strip")).to_contain_text("(2) The arbiter has been called")
        await expect(page).to_have_title("(2) called – demo – Arbiter – Anna Eins")
        await stands(page, "#pause", "#resume", "#strip button")
        await expect(page.locator(".gone")).to_be_hidden()
        # Beside one another on a wide screen; on a phone one board or both.
        for part in ("#white-board", "#black-board", "#alerts .alert-line h3"):
            await expect(page.locator(part).first).to_be_in_viewport(ratio=0.99)
        # An act is looked for and filled in, and both boards are still in view with the clocks.
        await page.locator("#act").select_option("rule_irregularity")
        await page.locator("#act-form button").focus()
        await expect(page.locator("#act-form button")).to_be_in_viewport()
        for part in ("#clocks", "#white-board", "#black-board"):
            await expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
        tabs = {"Scores": "#white-score", "Devices": "#stations", "Set-up": "#rules", "Record": "#record"}
        for tab, part in tabs.items():
            await expect(page.locator(part)).to_be_hidden()
            await page.get_by_role("tab", name=tab).press("Enter")
            await expect(page.locator(part)).to_be_visible()
        await page.get_by_role("tab", name="Record").press("ArrowLeft")
        await expect(page.get_by_role("tab", name="Save or send")).to_be_focused()
        assert await violations(page) == []
        await page.set_viewport_size(ON_ITS_SIDE)
        await page.evaluate("scrollTo(0, 0)")
        for part in ("#clocks", "#white-board", "#black-board"):
            await expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
        await page.set_viewport_size(SIZES[1])
        await page.evaluate("scrollTo(0, 0)")
        for part in ("#white-board", "#black-board", "#alerts .alert-line h3"):
            await expect(page.locator(part).first).to_be_in_viewport(ratio=0.99)
        await page.get_by_role("radio", name="Black's board").check()
        await expect(page.locator("#white-board")).to_be_hidden()
        await expect(page.locator("#black-board")).to_be_in_viewport(ratio=0.99)
        assert await violations(page) == []
        # The act of the strip is that of the card; what came of it stands in the bar, and is gone with the next touch.
        await page.locator("#strip").get_by_role("button", name="Resume clocks").click()
        await expect(page.locator("#bar #said")).to_have_text("Done.")
        await page.locator("#resume").click()
        await expect(page.locator("#bar #said")).to_have_text("Nothing changed: it was so already.")
        line = await people["arbiter"].line()
        await line.do({"do": "rule_result", "result": "1-0", "reason": "checkmate", "article": "5.1.1"})
        await expect(page.locator("body[data-state=after]")).to_be_visible()
        await expect(page.locator("#outcome")).to_contain_text("1-0")
        assert await page.locator("#outcome strong").evaluate("one => parseFloat(getComputedStyle(one).fontSize)") > 22
        await expect(page.locator("#white-score")).to_be_visible()
        await expect(page.locator("[data-export=report]")).to_be_visible()
        await stands(page)
        assert await violations(page) == []
        assert watched.complaints == []


async def test_after_sixty_half_moves_the_page_has_not_grown(house: House, browser: Browser) -> None:
    _, white, black = await begun(house)
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page = watched.page
        for ply in range(60):
            uci = SHUFFLE[ply % 4]
            mover, other = (white, black) if ply % 2 == 0 else (black, white)
            await mover.type(WORDS[uci])
            await mover.do({"do": "press"})
            await other.do({"do": "execute", "uci": uci})
        await expect(page.locator("#state")).to_contain_text("Last move: 30 (Black)")
        await expect(page.locator("#white-board .went-to")).to_have_count(1)
        await expect(page.locator("#record")).to_contain_text("White's board: knight g8 to f6")
        await becomes(page, f"document.documentElement.scrollHeight < {TALLEST}")
        # Of many alerts the most urgent two stand there, and the others by one touch.
        shown = page.locator("#alerts .alert-line").filter(visible=True)
        await expect(shown).to_have_count(2)
        await page.get_by_role("button", name=re.compile("^All alerts: [0-9]+$")).press("Enter")
        await expect(shown.nth(2)).to_be_visible()
        assert watched.complaints == []


async def test_the_door_says_where_codes_are_locked_and_one_touch_opens_them(house: House, browser: Browser) -> None:
    visitor, arbiter = house.visitor(), await house.arbiter()
    async with opened(browser, house, arbiter) as desk:
        notice = desk.page.locator("#codes-locked")
        await expect(notice).to_be_hidden()
        for _ in range(5):
            await visitor.post("/api/join", {"code": "a1 a1 a1"})
        await expect(notice).to_contain_text("no code is read from 127.0.0.1")
        await notice.get_by_role("button", name="Accept codes again").press("Enter")
        await expect(notice).to_be_hidden()
        await expect(desk.page.locator("#door-title")).to_be_focused()
        assert house.access.locked == () and desk.complaints == []


async def test_before_the_game_one_touch_ticks_a_group_and_one_opens_cards_whose_codes_work(
    house: House, browser: Browser
) -> None:
    """The checklist by seat and by table; the table's own seat cards have codes at once, that let a device in."""
    async with opened(browser, house, await house.arbiter(), viewport=SIZES[0]) as watched:
        page, hand = watched.page, Hand(watched.page)
        await page.locator("#checklist-sheet > summary").press("Enter")
        for group in ("White", "Black", "table"):
            await hand.touch(f"All checked: {group}", within="#checklist")
            await expect(page.get_by_role("button", name=f"All checked: {group}")).to_have_count(0)
        await expect(page.locator("#checklist input:not(:checked)")).to_have_count(0)
        assert hand.touches == 3
        await expect(page.locator("#checklist-sheet > summary")).to_be_focused()  # where the button was that is gone
        await hand.touch("Open seat cards", within="#invite-sheet")
        await page.locator("#state", has_text="The codes are valid until").wait_for()
        cards = page.locator(".card dd b")
        await expect(cards).to_have_count(2)
        visitor = house.visitor()
        status, said = await visitor.post("/api/join", {"code": await cards.first.inner_text()})
        assert (status, said["state"], said["role"]) == (202, "waiting", "tactile")
