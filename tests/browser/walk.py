"""One person's round of all pages in one language: every place of a table in one browser, everything unfolded."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page, ViewportSize

from server.game import acts as cmd
from server.game.exercises import KINDS
from server.game.values.time_control import TimeControl
from server.game.values.words import Duty, Seat, SeatKind, SeatPlan
from server.web.api.record import TYPES
from server.web.door.access import Place
from server.wording.pages import page_words
from server.wording.words import scheme_of
from speech.words.loading import load_language
from tests.browser.test_pages import Watched, violations
from tests.waiting import PATIENCE_MS
from tests.web.open_house import House
from tests.web.test_all_tables import START, hall_arbiter
from tests.wording.pseudo_language import KEPT_WORDS, ON_PAGES, PSEUDO, english_in

PLACES: dict[str, tuple[Seat | None, tuple[Duty, ...]]] = {
    "arbiter": (None, ()),
    "tactile": (Seat.WHITE, ()),
    "sighted": (Seat.BLACK, ()),
    "assistant": (Seat.WHITE, tuple(Duty)),
    "display": (None, ()),
    "observer": (None, ()),
}
"""The pages of one table, and who has them."""

EXAMINED = ("ar",)
ASKED = ("time", "opponent_time", "moves", "score", "clock", "last", "position", "help")
SETTLED: tuple[dict[str, Any], ...] = (
    {"do": "approve_clock", "approved": False},
    {"do": "settle_guidelines", "adjournments": True, "quickplay": True},
    {"do": "record_adaptation", "name": "sighted_press_without_announcement", "value": "note"},
    {"do": "record_adaptation", "name": "position_readout", "value": "on"},
    {"do": "tick_checklist", "item": "zones", "ok": True},
)
"""What the arbiter settles before the game."""

RULED: tuple[dict[str, Any], ...] = (
    {"do": "release_law", "seat": "white", "article": "4.3"},
    {"do": "penalise", "seat": "white", "penalty": "warning", "reason": "1"},
    {"do": "penalise", "seat": "black", "penalty": "more_time_for_opponent", "amount": 120_000, "reason": "1"},
    {"do": "note_incident", "kind": "noise", "text": "1", "seat": None},
    {"do": "register_device", "device": "7", "approved": True},
    {"do": "demand_two_boards", "seat": "white"},
)
"""What the arbiter rules during the game."""

PAPERS = ("/handout", "/api/exports/protocol", "/api/exports/report")
"""Pages that are printed, and change with no event."""

ALL_KNOWN = 1_000_000
"""A line that asks for no message of before."""

NARROW: ViewportSize = {"width": 320, "height": 640}
PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
LATIN = Path(__file__).with_name("latin_words.toml")

LOOK = Path(__file__).with_name("look.js").read_text("utf-8")
UNFOLD = "for (const one of document.querySelectorAll('details')) one.open = true"

WORD = re.compile(r"[A-Za-zÀ-ɏ]{2,}")
GERMAN = "de"
"""What is said in German in every language, and marked so: the announcements of D.2.1."""
NOTATION = re.compile(
    "[\u2066-\u2069]|"
    r"\b[0-9a-f]{64}\b|"
    r"https?://\S+|"
    r"[pnbrqkPNBRQK1-8]+(/[pnbrqkPNBRQK1-8]+){7}|[a-h][1-8][a-h][1-8][qrbn]?"
    r"|[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=?[QRBN])?|\b[a-h]x[a-h]\d\b"
    r"|\bG1?\d\b|\b[IVX]+\.[\d.]+|\bI{1,3}\b|\bD\.[\d.]+|O-O(-O)?"
    r"|\b(player|assistant|arbiter|display|observer|tactile|sighted)-[\w-]+"
)
PLACEHOLDER = re.compile(r"\{\w*\}")
BROKEN = re.compile(r"\bundefined\b|\[object|\bNaN\b|\bInfinity\b")
RAW = re.compile(r"(?<![\w/@.-])(?:[a-z0-9]+(?:_[a-z0-9]+)+|[a-z][a-z_]*(?:\.[a-z0-9_]+)+)(?![\w/-])")


@cache
def latin_words() -> frozenset[str]:
    """What stands in Latin letters in every language."""
    read = tomllib.loads(LATIN.read_text("utf-8"))
    return frozenset(word for group in read.values() for word in group)


@cache
def german() -> re.Pattern[str]:
    """Two words of D.2.1 together as a German writes them, which a page in another language marks as German."""
    scheme = scheme_of("d21", "de")
    one = "|".join(scheme.text(id) for id in scheme.words if id.startswith(("piece.", "file.", "rank.")))
    return re.compile(rf"\b({one}),? ({one})\b")


class Looking:
    """Looks at open pages in one language and notes by page and place what is wrong there."""

    def __init__(self, tag: str) -> None:
        scheme = scheme_of("d21", tag)
        self.tag = tag
        self.sizes: Sequence[ViewportSize] = (PHONE, DESKTOP)
        self.pseudo = tag in PSEUDO
        self.other_script = scheme.listener.script != "Latn"
        self.known = (KEPT_WORDS | ON_PAGES if self.pseudo else latin_words()) | {
            word for id in scheme.words if not id.startswith("cmd.") for word in WORD.findall(scheme.text(id))
        }
        self.met: dict[str, set[str]] = {}
        self.seen = 0
        self._plain: set[tuple[str, str]] = set()  # texts that were read, with their language, and nothing was wrong

    def note(self, where: str, what: str) -> None:
        self.met.setdefault(where, set()).add(what)

    def read(self, name: str, texts: Iterable[tuple[str, str, str]]) -> None:
        """Every text of a page: no word of another script, no key, no place left empty."""
        for place, text, tag in texts:
            if (text, tag) in self._plain:
                continue
            noted, where = len(self.met), f"{name} {place}"
            for wrong in (*PLACEHOLDER.findall(text), *BROKEN.findall(text), *RAW.findall(text)):
                self.note(where, f"raw: {wrong} in {text[:160]}")
            strange = set(self.strange(text, tag))
            if strange - self.known:
                self.note(where, f"Latin: {sorted(strange - self.known)} in {text[:160]}")
            if tag == self.tag != "de" and german().search(text):
                self.note(where, f"German without lang: {text[:160]}")
            if len(self.met) == noted and where not in self.met:
                self._plain.add((text, tag))

    def strange(self, text: str, tag: str) -> list[str]:
        """The words of a text that are in the letters of another language."""
        if self.pseudo:
            return [] if tag == GERMAN else english_in(NOTATION.sub(" ", text))
        return WORD.findall(NOTATION.sub(" ", text)) if self.other_script and tag == self.tag else []

    async def at(
        self, name: str, page: Page, what: str = "[window.look()]", sizes: Sequence[ViewportSize] | None = None
    ) -> None:
        """The page as it stands, or what a script shows on it: at the width of a phone and of a desk."""
        # Laid out anew once, not twice: the width that the page already has comes first.
        for size in sorted(sizes or self.sizes, key=lambda one: one != page.viewport_size):
            if size != page.viewport_size:
                await page.set_viewport_size(size)
            for found in await page.evaluate(what):
                self.seen += found["seen"]
                self.read(name, found["texts"])
                for place, wrong in found["cut"]:
                    self.note(f"{name} {place}", f"{size['width']}: {wrong}")


async def every_page(house: House) -> set[str]:
    """The address of everything that the server answers with a page, from its routes: no new one is forgotten."""
    arbiter = await house.arbiter()
    found = {f"/api/exports/{what}" for what, (_, kind) in TYPES.items() if kind == "text/html"}
    for route in house.app.router.routes():
        path = route.resource.canonical if route.resource is not None else ""
        if route.method == "GET" and "{" not in path and not path.startswith("/api/"):
            async with arbiter.session.get(house.base + path) as answer:
                found |= {path} if answer.content_type == "text/html" else set()
    return found


class Round:
    """The pages of one table in a browser whose person reads `tag`, and the lines by which its game is played."""

    def __init__(self, house: House, tag: str, context: BrowserContext) -> None:
        self.house, self.tag, self.context = house, tag, context
        self.looking = Looking(tag)
        self.pages: dict[str, Page] = {}
        self.watched: list[Watched] = []

    @classmethod
    async def begin(cls, house: House, browser: Browser, tag: str) -> Round:
        body = cmd.OpenTable(
            white=SeatPlan(SeatKind.TACTILE, name="Nora", language=tag),
            black=SeatPlan(SeatKind.SIGHTED, name="Omar", language=tag),
            control=TimeControl.parse("5400+30"),
            start_fen=START,
        )
        await house.hall.open_table(body, "t1")
        visitor = await hall_arbiter(house)
        addresses = {"tables": "/tables", "index": "/"}
        for page, (seat, duties) in PLACES.items():
            place = Place(table="t1", page=page, seat=seat, duties=duties)
            _, said = await visitor.post("/api/join", {"secret": house.access.invite(place, admits=True).secret})
            addresses[page] = said["page"]
        context = await browser.new_context(locale=tag, viewport=PHONE)
        await context.add_init_script(LOOK)
        await context.add_cookies(
            [{"name": one.key, "value": one.value, "url": house.base} for one in visitor.session.cookie_jar]
        )
        self = cls(house, tag, context)
        for name, address in addresses.items():
            page = self.pages[name] = await context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            self.watched.append(Watched(page, house.base, requests=True))
            await page.goto(house.base + address)
        # A spectator's browser is another one than a player's, which may not open that page.
        await visitor.post("/api/spectators", {"show": True, "delay_s": 0})
        self.outside = await browser.new_context(locale=tag, viewport=PHONE)
        await self.outside.add_init_script(LOOK)
        page = self.pages["hall"] = await self.outside.new_page()
        page.set_default_timeout(PATIENCE_MS)
        self.watched.append(Watched(page, house.base, requests=True))
        await page.goto(f"{house.base}/hall#t1")
        page = self.pages["training"] = await self.outside.new_page()
        page.set_default_timeout(PATIENCE_MS)
        self.watched.append(Watched(page, house.base, requests=True))
        await page.goto(f"{house.base}/training")
        await page.locator("#task:not(:empty)").wait_for()
        for name, page in self.pages.items():
            if name not in ("index", "training"):
                await page.locator("header .state", has_text=page_words(tag)["connected"]).wait_for()
        self.visitor, self.addresses = visitor, addresses
        return self

    async def do(self, name: str, *bodies: dict[str, Any] | str) -> None:
        """What a person of this table does, or types, on a line of its own: a line that nobody reads is closed."""
        line = await self.visitor.line(f"/ws?page={name}&{self.addresses[name].partition('?')[2]}", ALL_KNOWN)
        for body in bodies:
            await (line.type(body) if isinstance(body, str) else line.do(body))
        await line.socket.close()

    async def look(self, *names: str) -> None:
        for name, page in self.pages.items():
            if names and name not in names:
                continue
            await page.evaluate(UNFOLD)
            await self.looking.at(name, page)

    async def shown(self, kind: str, *names: str) -> None:
        """The arbiter has it on the page, and with the arbiter everyone."""
        await self.pages["arbiter"].locator(f"#record [data-event={kind}]").first.wait_for(state="attached")
        await self.look(*names)

    async def from_first_to_last(self) -> None:
        """Walk all pages, from before the game to its review, and close them."""
        await self.before_the_game()
        await self.in_play()
        await self.at_the_desk()
        await self.finished()
        await self.reviewed()
        await self.whole()
        await self.end()

    async def before_the_game(self) -> None:
        index, arbiter = self.pages["index"], self.pages["arbiter"]
        await self.look("tactile", "sighted")
        await index.locator("#code").fill("nonsense")
        await index.locator("#code").press("Enter")
        await index.locator("#notice").wait_for()
        spare = self.house.access.invite(Place(table="t1", page="assistant", seat=Seat.BLACK))
        await self.house.visitor().post("/api/join", {"secret": spare.secret, "label": "Tablet"})
        await arbiter.locator("#devices .device").first.wait_for()
        await arbiter.locator("#invite-for").select_option("assistant-white")
        await arbiter.locator("#invite button").dispatch_event("click")
        await arbiter.locator("#invitation svg").wait_for()
        await self.do("tactile", {"do": "set_up_clock", "control": "900+10"})
        await self.do("arbiter", *SETTLED)
        await self.shown("checklist_ticked")
        await self.visitor.session.post(
            f"{self.house.base}/cards", data={"of": "table:t1", "do": "anew"}, headers=self.visitor.own
        )
        await index.goto(f"{self.house.base}/cards?of=table:t1")
        await index.locator(".card").first.wait_for()
        await self.looking.at("/cards", index)

    async def in_play(self) -> None:
        await self.do("arbiter", {"do": "start_game"})
        await self.do("tactile", "e2 e4", {"do": "press"})
        executed, moved = {"do": "execute", "uci": "e2e4"}, {"do": "enter_move", "uci": "e7e5"}
        await self.do("sighted", "e2 e4", executed, moved, {"do": "press"})
        await self.do("sighted", {"do": "write_score", "index": 1, "text": "e4"})
        await self.do("tactile", "e7 e5", "g1 f3", {"do": "press"})
        await self.do("sighted", "d2 d4")
        await self.do("tactile", *({"do": "ask", "what": what} for what in ASKED), {"do": "offer_draw"})
        await self.shown("draw_offered", "tactile", "sighted")
        await self.do("sighted", {"do": "answer_draw", "accept": False})
        await self.do("tactile", {"do": "ask_law", "article": "4.3"})
        await self.do("observer", {"do": "report_to_arbiter", "kind": "noise", "seat": "white"})
        await self.do("arbiter", *RULED)
        await self.spectators()
        await self.practice()
        await self.pages["tactile"].locator("#field").fill("7777")
        await self.pages["tactile"].locator("#field").press("Enter")
        await self.shown("two_boards_demanded")
        await self.do("tactile", {"do": "call_arbiter"})
        for name in ("tactile", "sighted"):
            await self.looking.at(name, self.pages[name], "window.lookAtDialogs()")
        await self.looking.at("arbiter", self.pages["arbiter"], "window.lookAtActs()")
        await self.ways_of_entering()
        await self.one_by_hand()

    async def spectators(self) -> None:
        """A spectator follows the table, asks, goes back, and looks at the whole hall in each look."""
        page = self.pages["hall"]
        await page.locator("#moves tbody tr").nth(1).wait_for()
        await page.locator("#about").fill("e4")
        await page.locator("#about").press("Enter")
        await page.locator("#answer:not(:empty)").wait_for()
        await page.locator("#previous").dispatch_event("click")
        await self.looking.at("hall", page)
        await page.locator("#all").dispatch_event("click")
        for look in ("paper", "screen"):
            await page.locator("#look").select_option(look)
            await self.looking.at("hall", page)

    async def practice(self) -> None:
        """A player puts each kind of task and answers it; what is wrong shows a right answer and the position."""
        page = self.pages["training"]
        for kind in KINDS:
            async with page.expect_response("**/api/training/task*") as came:
                await page.locator("#kind").select_option(kind)
            await (await came.value).finished()
            await page.locator("#told:empty").wait_for(state="attached")  # the new task is put
            await page.locator("#field").fill("1")
            await page.locator("#field").press("Enter")
            await page.locator("#told:not(:empty)").wait_for()
            await self.looking.at("training", page)

    async def ways_of_entering(self) -> None:
        """The tactile player's other ways of entering; with two keys one steps through all that can be chosen."""
        page = self.pages["tactile"]
        await page.bring_to_front()  # a page behind others gets its keys late
        for way in ("chords", "keypad", "two"):
            await page.locator("#entry-other").select_option(way)
            await page.locator("#field").focus()
            await page.keyboard.press("F4")
            await self.looking.at("tactile", page)
            if way == "two":
                for _ in range(4):
                    await page.keyboard.press("Space")
                    await self.looking.at("tactile", page, "[window.look('#scan')]")
            await page.keyboard.press("F4")
        await self.pages["sighted"].locator("#large-clock").dispatch_event("click")
        await self.looking.at("sighted", self.pages["sighted"])
        await self.pages["sighted"].locator("#large-clock").dispatch_event("click")

    async def one_by_hand(self) -> None:
        """A table is prepared on the page of all tables, and the copy's code is shown on the arbiter's."""
        page = self.pages["tables"]
        await page.locator("#one-white").fill("Nora")
        await page.locator("#one-black").fill("Omar")
        await page.locator("#one-form button").dispatch_event("click")
        await page.locator("#open-form").wait_for()
        await self.looking.at("tables", page)
        await self.pages["arbiter"].locator("#copy-show").dispatch_event("click")
        await self.looking.at("arbiter", self.pages["arbiter"])

    async def at_the_desk(self) -> None:
        await self.do("arbiter", {"do": "open_desk"})
        page = self.pages["arbiter"]
        await page.locator("#desk-body").wait_for()
        await (
            page.locator("#desk-white button").nth(28).dispatch_event("click")
        )  # empty is chosen: what stood there goes
        await page.locator("#desk-piece").select_option("p")
        await page.locator("#desk-white button").nth(20).dispatch_event("click")
        await page.locator("#desk-show-white").dispatch_event("click")
        await page.locator("#desk-show-black").dispatch_event("click")
        await page.locator("#desk-explanations li").first.wait_for()
        for ply, text in enumerate(("e4", "e5", "Nf3", "-"), 1):
            cell = {"do": "type_cell", "ply": ply, "text": text, "language": "en"}
            await self.do("arbiter", {**cell, "seat": "white"}, {**cell, "seat": "black"})
        await page.locator("#desk-sheets button").dispatch_event("click")
        await page.locator("#desk-compared p").first.wait_for()
        await self.shown("desk_opened", "arbiter")
        await self.do("arbiter", {"do": "close_desk"}, {"do": "restore_to", "ply": 2, "times": "leave", "reason": "1"})
        await page.locator("#desk-setting li").first.wait_for()
        await self.look("arbiter", "tactile", "sighted")
        await self.do("arbiter", *({"do": "confirm_board", "board": seat} for seat in ("white", "black")))

    async def finished(self) -> None:
        await self.do("arbiter", {"do": "resume"})
        await self.do("sighted", {"do": "claim_time"})
        await self.do("arbiter", {"do": "call_flag", "seat": "black"})
        await self.shown("flag_called", "arbiter", "tactile", "tables")
        await self.do("arbiter", {"do": "rule_result", "result": "1-0", "reason": "penalty", "article": "12.9"})
        await self.shown("game_ended")

    async def reviewed(self) -> None:
        """The arbiter releases the game; a move of it is read."""
        page = self.pages["review"] = await self.context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        self.watched.append(Watched(page, self.house.base, requests=True))
        await page.goto(f"{self.house.base}/review?page=arbiter&{self.addresses['arbiter'].partition('?')[2]}")
        await page.locator("#release-now:not(:empty)").wait_for()
        await page.locator("#release-on").dispatch_event("click")
        await page.locator("#plies tbody tr").first.wait_for()
        await page.locator("#next").dispatch_event("click")
        await page.locator("#told:not(:empty)").wait_for()
        await self.looking.at("review", page)

    async def whole(self) -> None:
        """Each page says its language and its direction, holds a width of 320 px, and mirrors no board; one passes axe.

        What axe looks at differs by the direction, not by the words; the English pages are examined elsewhere.
        """
        way = [self.tag, load_language(self.tag).direction]
        for name, page in self.pages.items():
            await page.set_viewport_size(NARROW)
            html = await page.evaluate("[document.documentElement.lang, document.documentElement.dir]")
            if html != way:
                self.looking.note(name, f"language and direction: {html}")
            if (wide := await page.evaluate("document.documentElement.scrollWidth")) > NARROW["width"]:
                self.looking.note(name, f"320: the page is {wide} wide")
            if self.looking.pseudo:
                await self.looking.at(name, page, sizes=(NARROW,))
            for wrong in await violations(page) if self.tag in EXAMINED else ():
                self.looking.note(name, wrong)
        squares = self.pages["sighted"].locator("#board td")
        left, right = await squares.nth(0).bounding_box(), await squares.nth(7).bounding_box()
        if not (left and right and left["x"] < right["x"]):
            self.looking.note("sighted", "the board is mirrored")

    async def end(self) -> None:
        page = await self.context.new_page()
        for path in PAPERS:
            await page.goto(f"{self.house.base}{path}?page=arbiter&table=t1&language={self.tag}")
            await self.looking.at(path, page)
        for one in self.watched:
            for said in (*one.complaints, *one.foreign):
                if not said.endswith("400 (Bad Request)"):  # the code that is none
                    self.looking.note("console", said)
        await self.context.close()
        await self.outside.close()
