"""All that a tactile player may do, reached in each way of entering by keyboard alone, and by speaking."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.async_api import Browser, Page, Playwright, expect

from server.game import acts as cmd
from server.game.acts import Command
from server.game.values.words import Seat
from server.protocol import AtEar, Outcome, ReadOut
from server.table.connections import Sink
from server.table.intake import Arrival
from server.voice.intents import body_of_command
from tests.browser.conftest import hearing, started
from tests.browser.test_pages import GREETED_AGAIN, opened, violations
from tests.browser.test_talk_way import write_speech
from tests.game.core_table import altered
from tests.waiting import until
from tests.web.every_function import BY_VOICE_NEVER, OF_A_CLAIM, OF_HIS_EAR, SPOKEN, TO_THE_ARBITER, WITHOUT_A_WORD
from tests.web.open_house import House, Visitor, open_house

pytestmark = pytest.mark.needs("chromium")

ARGUMENTS = {"piece": "2", "move": "12", "article": "4.3", "square": "e4", "file": "d", "rank": "5"}
WAYS = ("letters", "chords", "keypad", "two")
SOME_WAYS = ["letters", "two", *(pytest.param(way, marks=pytest.mark.thorough) for way in ("chords", "keypad"))]
"""The ways for what one situation adds to the page's table: a usual game shows that each way works at all."""

NUMPAD = {".": "NumpadDecimal", "*": "NumpadMultiply", "+": "NumpadAdd", "\n": "NumpadEnter"}
SAID = {"chords": "six keys", "keypad": "keypad", "two": "two keys"}
WITHOUT_A_BODY = {"again": "repeat", "silence": "stop", "press": "press", "next": "next", "previous": "previous"}
"""The functions of the page itself, and what each of them sends."""
DOT_KEYS = "fdsjkl"
LETTER_DOTS = ["1", "12", "14", "145", "15", "124", "1245", "125", "24", "245"]
BY_KEYS_ALONE = {*OF_HIS_EAR, *OF_A_CLAIM, *TO_THE_ARBITER, *WITHOUT_A_WORD}


class Noted:
    """What reached the table and the ear from one page, in order."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.said: list[dict[str, Any] | str] = []
        submit, at_ear = house.table.submit, house.table.teller.at_ear

        async def submitted(command: Command, came: Arrival | None = None) -> Outcome:
            self.said.append(msgspec.to_builtins(command.body))
            return await submit(command, came)

        def ear(station: str, said: AtEar | ReadOut, line: Sink) -> None:
            if isinstance(said, AtEar) and said.did not in ("on", "off", "began", "ended"):
                self.said.append(said.did)
            at_ear(station, said, line)

        monkeypatch.setattr(house.table, "submit", submitted)
        monkeypatch.setattr(house.table.teller, "at_ear", ear)

    async def until(self, wanted: Callable[[Any], bool], why: str) -> None:
        await until(lambda: any(wanted(one) for one in self.said), lambda: f"{why}: {self.said}")
        self.said.clear()


@asynccontextmanager
async def at_the_page(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch, way: str, who: Visitor | None = None
) -> AsyncIterator[tuple[Page, Noted]]:
    noted = Noted(house, monkeypatch)
    async with opened(browser, house, who or await house.station("tactile", Seat.WHITE)) as watched:
        page = watched.page
        if way != "letters":
            await page.locator("summary", has_text="Settings for this device").press("Enter")
            await page.get_by_role("combobox", name="Alternative input", exact=True).select_option(way)
            await page.locator("#field").focus()
            await page.keyboard.press("F4")
            await page.locator(
                "[role=status]", has_text={"chords": "six keys", "keypad": "keypad", "two": "two keys"}[way]
            ).wait_for()
        yield page, noted
        assert watched.complaints == []


async def cell(page: Page, dots: str) -> None:
    keys = [DOT_KEYS[int(dot) - 1] for dot in dots]
    for key in keys:
        await page.keyboard.down(key)
    for key in keys:
        await page.keyboard.up(key)


async def in_cells(page: Page, text: str) -> None:
    """Words letter by letter and numbers with their sign, each character by the keys of its dots."""
    number = False
    for mark in text:
        if mark == " ":
            await page.keyboard.press("Space")
        elif mark.isdigit():
            if not number:
                await cell(page, "3456")
            await cell(page, LETTER_DOTS[int(mark) - 1])
        else:
            await cell(page, "256" if mark == "." else LETTER_DOTS["abcdefghij".index(mark)])
        number = mark.isdigit() or (number and mark == ".")


NEXT: dict[str, str] = {}
"""What was shown after what, in any menu: so many steps at once are taken to what has been met there."""


async def shown_by(page: Page) -> str:
    """Read what the menu of two keys shows now: a locator takes longer, hundreds of times in one test."""
    return str(await page.evaluate("document.getElementById('scan').innerText"))


async def stepped_to(page: Page, label: str) -> None:
    """Step until this is shown, and choose it; a round without it is a failure."""
    first = shown = await shown_by(page)
    while shown != label:
        steps = known_steps(shown, label) or 1
        await page.keyboard.type(" " * steps)
        before, shown = shown, await shown_by(page)
        if steps == 1:
            NEXT[before] = shown
        elif shown != label:  # another menu, where something else comes after it
            NEXT.clear()
            first = ""
        assert shown != first, f"{label} is not among what can be chosen ({before})"
    await page.keyboard.press("Enter")


def known_steps(shown: str, label: str) -> int:
    """How many steps lead from one choice to another by what was met before; 0 where it was not."""
    steps = 0
    while shown != label and shown in NEXT and steps < len(NEXT):
        shown, steps = NEXT[shown], steps + 1
    return steps if shown == label else 0


async def by(way: str, page: Page, one: dict[str, Any], words: dict[str, str]) -> None:
    argument = ARGUMENTS.get(one.get("argument", ""), "")
    code = f"{one['code']} {argument}".strip()
    match way:
        case "letters":
            await page.keyboard.type(f"*{code}")
            await page.keyboard.press("Enter")
        case "chords":
            await in_cells(page, code)
            await page.keyboard.press("Enter")
        case "keypad":
            in_digits = "".join(str("abcdefgh".index(mark) + 1) if mark in "abcdefgh" else mark for mark in argument)
            for mark in f"*{one['code']}" + (f".{in_digits}" if argument else "") + "\n":
                await page.keyboard.press(NUMPAD.get(mark, f"Numpad{mark}"))
        case "two":
            if one.get("group"):
                await stepped_to(page, words[one["group"]])
            await stepped_to(page, words[one["name"]])
            if one.get("argument") == "piece":
                await stepped_to(page, "knight")
            elif one.get("argument") == "square":
                await stepped_to(page, argument[0])
                await stepped_to(page, argument)
            elif one.get("argument") in ("move", "article"):
                for mark in argument:
                    await stepped_to(page, mark)
                await stepped_to(page, f"Ready: {argument}")
            elif argument:
                await stepped_to(page, argument)


async def functions_of(page: Page) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The table of the page, and the words under which groups and functions are found."""
    found: list[dict[str, Any]] = await page.evaluate(
        "import('/static/player/functions.js').then((one) => one.FUNCTIONS)"
    )
    names = {one["name"] for one in found}
    words: dict[str, str] = await page.evaluate(
        """async (names) => {
             const { t } = await import('/static/core/language.js');
             const { GROUPS } = await import('/static/player/two_keys.js');
             const keys = [...names.map((name) => [name, name]), ...Object.entries(GROUPS)];
             return Object.fromEntries(keys.map(([name, key]) => [name, t(key)]));
           }""",
        list(names),
    )
    return found, words


def wanted_of(one: dict[str, Any]) -> Callable[[Any], bool]:
    """What must reach the server."""
    if one.get("page") in WITHOUT_A_BODY:
        return lambda said: said == WITHOUT_A_BODY[one["page"]]
    body = dict(one["body"])
    if one.get("field"):
        text = ARGUMENTS[one["argument"]]
        body[one["field"]] = {"move": int, "piece": lambda _: "knight"}.get(one["argument"], str)(text)
    return lambda said: isinstance(said, dict) and body.items() <= said.items()


@pytest.mark.law("L049")
@pytest.mark.parametrize("way", WAYS)
async def test_every_function_is_reached_by_keys_alone(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    async with at_the_page(house, browser, monkeypatch, way) as (page, noted):
        functions, words = await functions_of(page)
        here = [one for one in functions if not one.get("where") and one.get("group") != "training"]
        here = [one for one in here if one.get("page") not in ("talk", "help")]
        here.sort(key=lambda one: one["name"] == "turn_read_keys")  # after it, choices come half a second late
        assert len({one["code"] for one in functions}) == len(functions) and len(here) > 25
        for one in here:
            await by(way, page, one, words)
            await noted.until(wanted_of(one), f"{one['name']} by {way}")
        (listed,) = [one for one in functions if one.get("page") == "help"]
        await by(way, page, listed, words)
        await page.locator("#functions li", has_text="My time").wait_for()
        assert await violations(page) == []


@pytest.mark.law("L101")
async def test_what_is_only_asked_about_is_not_said_to_be_done(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await (await house.arbiter()).line()).do({"do": "start_game"})
    async with at_the_page(house, browser, monkeypatch, "letters") as (page, _):
        await page.evaluate("""() => {
          window.told = [];
          addEventListener("page-says", ({ detail }) => told.push(detail.text), true);
        }""")
        await page.locator("#field").focus()
        for code in ("*22", "*21"):  # to resign, which needs a yes; to call the arbiter, which is done
            await page.keyboard.type(code)
            await page.keyboard.press("Enter")
            await expect(page.locator("#field")).to_have_value("")
        await until(lambda: house.table.state.rulings.unsettled != ())
        await page.wait_for_function("told.includes('Done.')")
        assert (await page.evaluate("told")).count("Done.") == 1
        assert house.table.state.ending.resigned is None


async def test_a_dot_that_is_let_go_beside_another_key_or_elsewhere_does_not_stick(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_the_page(house, browser, monkeypatch, "chords") as (page, _):
        field = page.locator("#field")
        await field.focus()
        await page.keyboard.down("KeyF")
        await page.keyboard.down("Control")
        await page.keyboard.up("KeyF")
        await page.keyboard.up("Control")
        await expect(field).to_have_value("\u2801")
        await page.keyboard.down("KeyD")
        await page.evaluate("document.activeElement.blur()")
        await page.keyboard.up("KeyD")
        await expect(field).to_have_value("\u2801\u2802")
        await field.focus()
        await cell(page, "4")
        await expect(field).to_have_value("\u2801\u2802\u2808")


@pytest.mark.parametrize("way", SOME_WAYS)
async def test_every_question_of_training_is_reached_by_keys_alone(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    house.table.state = altered(house.table.state, {"table.rated": False, "table.training": True})
    async with at_the_page(house, browser, monkeypatch, way) as (page, noted):
        functions, words = await functions_of(page)
        questions = [one for one in functions if one.get("group") == "training"]
        assert len(questions) == 12
        for one in questions:
            await by(way, page, one, words)
            await noted.until(wanted_of(one), f"{one['name']} by {way}")
        await page.locator("#last", has_text="Nothing.").wait_for()


@pytest.mark.law("L235", "L236", "L240")
@pytest.mark.parametrize("way", SOME_WAYS)
async def test_every_claim_of_a_quickplay_finish_is_reached_by_keys_alone(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    desk = await (await house.arbiter()).line()
    async with at_the_page(house, browser, monkeypatch, way) as (page, noted):
        functions, words = await functions_of(page)
        claims = [one for one in functions if one.get("where")]
        assert len(claims) == 3
        await expect(page.locator("#functions li", has_text="five extra seconds")).to_have_count(0)
        settled = {"do": "settle_guidelines", "adjournments": False, "quickplay": True}
        assert (await desk.do(settled))["outcome"]["ok"]
        await expect(page.locator("#functions li", has_text="five extra seconds")).to_have_count(0)  # an increment
        assert (await desk.do({"do": "set_up_clock", "control": "1800"}))["outcome"]["ok"]
        await page.locator("#functions li", has_text="five extra seconds").wait_for(state="attached")
        for one in claims:
            await by(way, page, one, words)
            await noted.until(wanted_of(one), f"{one['name']} by {way}")
        # Without an arbiter nobody grants an increment (III.6).
        assert (await desk.do({**settled, "unsupervised": True}))["outcome"]["ok"]
        await expect(page.locator("#functions li", has_text="five extra seconds")).to_have_count(0)
        await expect(page.locator("#functions li", has_text="no effort")).to_have_count(1)


@pytest.mark.law("L121")
async def test_a_rated_page_does_not_know_them(house: House, browser: Browser) -> None:
    async with opened(browser, house, await house.station("tactile", Seat.WHITE)) as watched:
        await watched.page.keyboard.type("*31")
        await watched.page.keyboard.press("Enter")
        await watched.page.locator("[role=alert]", has_text="not understood").wait_for()
        assert await watched.page.locator("#functions li", has_text="The whole board").count() == 0


async def test_the_talk_key_in_every_way(
    tmp_path: Path, playwright: Playwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_speech(tmp_path / "speech.wav")
    async with (
        open_house(tmp_path / "data") as house,
        started(playwright, hearing(tmp_path / "speech.wav")) as browser,
    ):
        player = await house.station("tactile", Seat.WHITE)
        for way in WAYS:
            async with at_the_page(house, browser, monkeypatch, way, player) as (page, _):
                functions, words = await functions_of(page)
                (talk,) = [one for one in functions if one.get("page") == "talk"]
                await by(way, page, talk, words)
                await page.locator("#talk[aria-pressed=true]").wait_for()
                await page.keyboard.press("Escape")
                await page.locator("#talk[aria-pressed=false]").wait_for()


async def announced(page: Page, way: str, square: str) -> None:
    """A pawn's move to a square, in one of the ways."""
    match way:
        case "letters":
            await page.keyboard.type(square)
            await page.keyboard.press("Enter")
            await expect(page.locator("#field")).to_have_value("")
        case "chords":  # as the player's own code writes it: the file, the rank as a lower digit
            await cell(page, LETTER_DOTS["abcdefgh".index(square[0])])
            await cell(page, {"4": "256", "5": "26"}[square[1]])
            await page.keyboard.press("Enter")
            await expect(page.locator("#field")).to_have_value("")
        case "keypad":
            for mark in ["abcdefgh".index(square[0]) + 1, square[1], "\n"]:
                await page.keyboard.press(NUMPAD.get(str(mark), f"Numpad{mark}"))
        case "two":
            for label in ("Announce a move", "pawn", square[0], square, f"Send: pawn {square}"):
                await stepped_to(page, label)


@pytest.mark.law("L182", "L190")
@pytest.mark.parametrize("way", WAYS)
async def test_a_move_is_announced_corrected_pressed_and_echoed(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    black = await (await house.station("sighted", Seat.BLACK)).line()
    async with at_the_page(house, browser, monkeypatch, way) as (page, _):
        await announced(page, way, "d4")
        await desk.until(event="announced")
        await announced(page, way, "e4")
        corrected = await desk.until(event="announced")
        assert corrected["message"]["event"]["speech"]["announcement"]["to_square"] == "e4"
        if way in ("letters", "chords"):
            await page.keyboard.press("Control+Enter")
        elif way == "keypad":
            await page.keyboard.press("NumpadAdd")
        else:
            await stepped_to(page, "Press the clock")
        await desk.until(event="completed")
        await black.do({"do": "enter_move", "uci": "e7e5"})
        await black.do({"do": "press"})
        await announced(page, way, "e5")
        await desk.until(event="echoed")


async def test_a_line_that_is_back_leaves_the_menu_of_two_keys_where_it_stood(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_the_page(house, browser, monkeypatch, "two") as (page, _):
        for label in ("Announce a move", "pawn", "e"):
            await stepped_to(page, label)
        await page.evaluate(GREETED_AGAIN)
        await expect(page.locator("#scan")).to_have_text("e1")


async def test_one_key_switches_the_way_and_it_is_kept(house: House, browser: Browser) -> None:
    async with opened(browser, house, await house.station("tactile", Seat.WHITE)) as watched:
        page = watched.page
        await page.keyboard.type("fd")
        assert await page.locator("#field").input_value() == "fd"
        await page.locator("#field").fill("")
        await page.keyboard.press("F4")
        await page.locator("[role=status]", has_text="six keys").wait_for()
        await cell(page, "15")
        await cell(page, "256")
        assert await page.locator("#field").input_value() == "⠑⠲"
        await page.reload()
        await page.locator("#entry-state", has_text="six keys").wait_for()
        await page.keyboard.press("F4")
        await page.locator("[role=status]", has_text="in letters").wait_for()


@pytest.mark.law("L049")
def test_by_speaking_all_but_the_press_and_what_has_no_word(repo: Path) -> None:
    """Each function of the page's table stands for a word of the six languages, or is named here with its reason."""
    table = (repo / "server" / "web" / "static" / "player" / "functions.js").read_text("utf-8")
    rows = re.findall(r'\{ code: \d+, name: "([\w.]+)"(.*)\},', table)
    for name, row in rows:
        if name in BY_VOICE_NEVER | BY_KEYS_ALONE or 'group: "training"' in row:
            assert name not in SPOKEN
            continue
        number = 12 if name == "ask_score_move" else None
        body = msgspec.to_builtins(body_of_command(SPOKEN[name], number=number))
        asked = re.search(r'body: \{ do: "(\w+)"(?:, what: "(\w+)")?', row)
        assert asked is not None and (body["do"] == asked[1] or body["do"] == "propose"), name
        assert body.get("what") == asked[2] or asked[2] is None, name
    assert {name for name, _ in rows} >= SPOKEN.keys() | BY_KEYS_ALONE | BY_VOICE_NEVER
    assert all(not isinstance(body_of_command(word), cmd.Press) for word in SPOKEN.values())


@pytest.mark.law("L017", "L183")
@pytest.mark.parametrize("way", ["keypad", "two"])
async def test_a_pawn_on_the_last_rank_becomes_what_is_chosen_and_nothing_else(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    async with at_the_page(house, browser, monkeypatch, way) as (page, _):
        if way == "keypad":
            for mark in "58\n":
                await page.keyboard.press(NUMPAD.get(mark, f"Numpad{mark}"))
            await page.locator("[role=alert]", has_text="Promote to which piece").wait_for()
            for mark in "58.4\n":
                await page.keyboard.press(NUMPAD.get(mark, f"Numpad{mark}"))
        else:
            for label in ("Announce a move", "pawn", "e", "e8"):
                await stepped_to(page, label)
            assert await shown_by(page) == "promotes to queen", "a move without its piece is not offered"
            for label in ("promotes to rook", "Send: pawn e8 rook"):
                await stepped_to(page, label)
        said = (await desk.until(event="announced"))["message"]["event"]["speech"]["announcement"]
        assert (said["to_square"], said["promotion"]) == ("e8", "rook")
