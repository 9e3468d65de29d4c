"""Every page in its main states in a language of another script: what stands there in Latin letters is English or
German that escaped the catalogues, but for names, notation and the words of D.2.1."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Page

from server.game import acts as cmd
from server.game.values.time_control import TimeControl
from server.game.values.words import Duty, Seat, SeatKind, SeatPlan
from server.web.door.access import Place
from server.wording.words import scheme_of
from tests.waiting import PATIENCE_MS
from tests.web.open_house import House, Visitor, open_house
from tests.web.test_all_tables import START, hall_arbiter

pytestmark = pytest.mark.needs("chromium")

# All that is read or heard of a page: place and text. The chooser of languages names each in its own.
SEEN = """() => {
  const found = [["title", document.title]];
  const own = (node) => [...node.childNodes].filter((one) => one.nodeType === 3).map((one) => one.data).join(" ");
  for (const node of document.querySelectorAll("body, body *")) {
    if (["SCRIPT", "STYLE"].includes(node.tagName) || node.closest("#language, [lang]:not(html)")) continue;
    const said = ["aria-label", "title", "placeholder", "aria-valuetext", "alt"].map((name) => node.getAttribute(name));
    const place = node.closest("[id]")?.id ?? node.tagName;
    for (const text of [own(node), ...said]) if (text?.trim()) found.push([place, text]);
  }
  return found;
}"""
WORD = re.compile(r"[A-Za-zÀ-ɏ]{2,}")
NOTATION = re.compile(
    "[\u2066-\u2069]|"
    r"[pnbrqkPNBRQK1-8]+(/[pnbrqkPNBRQK1-8]+){7}|[a-h][1-8][a-h][1-8][qrbn]?|[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=?[QRBN])?"
    r"|\bG1?\d\b|\b[IVX]+\.[\d.]+|\bI{1,3}\b|\bD\.[\d.]+|O-O(-O)?|(tactile|sighted|assistant|arbiter|display|observer)-[\w-]+"
)
NAMES = frozenset(
    {
        *(
            "Anna",
            "Eins",
            "Nora",
            "Omar",
            "Alfa",
            "Hotel",
            "FIDE",
            "LiveChess",
            "PGN",
            "BRF",
            "FEN",
            "TRF",
            "QR",
            "https",
            "ms",
        ),
        *("Enter", "Escape", "Ctrl", "Pause", "Insert", "Space"),  # keys, as they stand on the keyboard
        *("English", "Deutsch", "magyar", "demo", "anna", "eins", "serve", "restore", "from", "FILE"),
    }
)


async def table_of_one_language(house: House, tag: str) -> None:
    body = cmd.OpenTable(
        white=SeatPlan(SeatKind.TACTILE, name="Nora", language=tag),
        black=SeatPlan(SeatKind.SIGHTED, name="Omar", language=tag),
        control=TimeControl.parse("5400+30"),
        start_fen=START,
    )
    await house.hall.open_table(body, "t1")


async def person(house: House, page: str, seat: Seat | None, *duties: Duty) -> Visitor:
    """Somebody of that table, by a link of the terminal's kind."""
    visitor = house.visitor()
    place = Place(table="t1", page=page, seat=seat, duties=duties)
    status, said = await visitor.post("/api/join", {"secret": house.access.invite(place, admits=True).secret})
    assert status == 200, said
    visitor.page = said["page"]
    return visitor


async def context_of(browser: Browser, house: House, visitor: Visitor, tag: str) -> BrowserContext:
    context = await browser.new_context(locale=tag)
    await context.add_cookies(
        [{"name": one.key, "value": one.value, "url": house.base} for one in visitor.session.cookie_jar]
    )
    return context


class Looking:
    """Looks at open pages in one language and notes every text with a foreign word, by page and place."""

    def __init__(self, tag: str) -> None:
        schemes = (scheme_of("d21", tag), scheme_of("d21", "de"))
        said = (scheme.text(id) for scheme in schemes for id in scheme.words if not id.startswith("cmd."))
        self.known = NAMES | {word for text in said for word in WORD.findall(text)}
        self.tag = tag
        self.met: dict[str, set[str]] = {}
        self.seen = 0

    async def at(self, pages: Mapping[str, Page]) -> None:
        for name, page in pages.items():
            await page.locator(f"html[lang={self.tag}]").wait_for(state="attached")
            await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            for place, text in await page.evaluate(SEEN):
                self.seen += 1
                if set(WORD.findall(NOTATION.sub(" ", text))) - self.known:
                    self.met.setdefault(f"{name} #{place}", set()).add(text)


@pytest.mark.parametrize("tag", ["hy", "ar", "he"])
async def test_no_page_shows_a_word_of_another_language(tmp_path: Path, browser: Browser, tag: str) -> None:
    looking = Looking(tag)
    async with open_house(tmp_path / "data") as house:
        await table_of_one_language(house, tag)
        people = {
            "arbiter": await person(house, "arbiter", None),
            "tactile": await person(house, "tactile", Seat.WHITE),
            "sighted": await person(house, "sighted", Seat.BLACK),
            "assistant": await person(house, "assistant", Seat.WHITE, *Duty),
            "display": await person(house, "display", None),
            "observer": await person(house, "observer", None),
            "tables": await hall_arbiter(house),
            "index": house.visitor(),
        }
        people["tables"].page, people["index"].page = "/tables", "/"
        pages: dict[str, Page] = {}
        for name, visitor in people.items():
            pages[name] = await (await context_of(browser, house, visitor, tag)).new_page()
            pages[name].set_default_timeout(PATIENCE_MS)
            await pages[name].goto(house.base + visitor.page)
        desk, white, black, eyes = [await people[name].line() for name in ("arbiter", "tactile", "sighted", "observer")]

        async def shown(kind: str) -> None:
            """The arbiter has it on his page, and with him everyone his own."""
            await pages["arbiter"].locator(f"#record [data-event={kind}]").first.wait_for(state="attached")
            await looking.at(pages)

        await looking.at(pages)
        await pages["index"].locator("#code").fill("nonsense")
        await pages["index"].locator("#code").press("Enter")
        await pages["index"].locator("#notice").wait_for()
        await pages["arbiter"].locator("#invite button").click()
        await pages["arbiter"].locator("#invitation svg").wait_for()
        await white.do({"do": "set_up_clock", "control": "900+10"})
        await desk.do({"do": "approve_clock", "approved": False})
        for name, value in (("sighted_press_without_announcement", "note"), ("position_readout", "on")):
            await desk.do({"do": "record_adaptation", "name": name, "value": value})
        await desk.do({"do": "tick_checklist", "item": "zones", "ok": True})
        await desk.do({"do": "start_game"})
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        await black.do({"do": "execute", "uci": "e2e4"})
        await black.do({"do": "enter_move", "uci": "e7e5"})
        await black.do({"do": "press"})
        await white.type("Bauer Eva fuenf")
        await white.type("Springer Gustav eins Felix drei")
        await white.do({"do": "press"})
        await black.type("Springer Felix vier")
        for what in ("time", "opponent_time", "moves", "score", "clock", "last", "position", "help"):
            await white.do({"do": "ask", "what": what})
        await white.do({"do": "offer_draw"})
        await white.do({"do": "ask_law", "article": "4.3"})
        await desk.do({"do": "release_law", "seat": "white", "article": "4.3"})
        await eyes.do({"do": "report_to_arbiter", "kind": "noise", "seat": "white"})
        await desk.do({"do": "penalise", "seat": "white", "penalty": "warning", "reason": "1"})
        await desk.do({"do": "note_incident", "kind": "noise", "text": "1", "seat": None})
        await desk.do({"do": "register_device", "device": "7", "approved": True})
        await desk.do({"do": "demand_two_boards", "seat": "white"})
        await shown("two_boards_demanded")
        await white.do({"do": "call_arbiter"})
        await pages["tactile"].locator("#field").fill("Springer")
        await pages["tactile"].locator("#field").press("Enter")
        await desk.do({"do": "open_desk"})
        await shown("desk_opened")
        await desk.do({"do": "close_desk"})
        await desk.do({"do": "resume"})
        await black.do({"do": "claim_time"})
        await desk.do({"do": "call_flag", "seat": "black"})
        await shown("flag_called")
        await desk.do({"do": "rule_result", "result": "1-0", "reason": "penalty", "article": "12.9"})
        await shown("game_ended")
        for line in (desk, white, black, eyes):
            await line.socket.close()
    assert looking.seen > 3000
    assert looking.met == {}, "\n".join(f"{place}: {sorted(texts)}" for place, texts in looking.met.items())
