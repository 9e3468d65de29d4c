"""All tables at a glance in a real browser: a hundred rows, what is new in them, by keyboard, on a phone."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from server.game.values.words import Seat
from server.hall.event_profile import kept_profile
from server.web.door.access import Place
from tests.browser.test_ear_page import NOTES, ToneVoice, sounding
from tests.browser.test_pages import later, opened, violations
from tests.web.open_house import House, open_house
from tests.web.test_all_tables import PGN, hall_arbiter, open_tables

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.law("L135")
async def test_a_hundred_tables_are_found_and_followed_by_keyboard(house: House, browser: Browser) -> None:
    await open_tables(house, *(f"r1-b{number}" for number in range(1, 100)))
    chief = await hall_arbiter(house)
    player, arbiter = await house.station("tactile", Seat.WHITE), await house.arbiter()
    size = {"width": 1280, "height": 900}
    async with opened(browser, house, chief, "/tables", requests=True, viewport=size) as watched:
        page = watched.page
        await page.locator("#summary", has_text="Tables: 100. In progress: 0. Need attention:").wait_for()
        await page.locator("#find").fill("White r1-b42")
        await expect(page.locator("#glance tbody tr:visible")).to_have_count(1)
        await page.keyboard.press("Control+A")
        await page.keyboard.press("Delete")
        await expect(page.locator("#glance tbody tr:visible")).to_have_count(100)
        # Something at one table that rests on words alone: said once, politely, and it is next.
        hand, desk = await player.line(), await arbiter.line()
        await desk.do({"do": "start_game"})
        await hand.type("Springer Felix vier")
        await hand.do({"do": "press"})
        await page.locator("tr.wanting", has_text="unconfirmed (speech)").wait_for()
        await page.locator("[aria-live=polite]", has_text="demo: ").wait_for()
        await expect(page.locator("[aria-live=assertive]")).to_have_text("")
        await page.locator("tr.wanting .black", has_text="▶").wait_for()
        await page.keyboard.press("Enter")  # in the search field: the next table that needs the arbiter
        await expect(page.get_by_role("link", name="demo", exact=True)).to_be_focused()
        await page.locator("#show").select_option("wanting")
        await expect(page.locator("#glance tbody tr:visible")).to_have_count(1)
        assert await violations(page) == []
        assert await page.locator("[aria-live]").count() == 2
        await page.set_viewport_size({"width": 320, "height": 640})
        await page.locator("#show").select_option("all")
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320
        assert await violations(page) == []
        assert watched.complaints == [] and watched.foreign == []


@pytest.mark.law("L135")
async def test_the_watch_reads_what_is_urgent_first_can_wait_and_counts_what_is_not_settled(
    house: House, browser: Browser
) -> None:
    await open_tables(house, "second")
    chief = await hall_arbiter(house)
    player, arbiter = await house.station("tactile", Seat.WHITE), await house.arbiter()
    hand, desk = await player.line(), await arbiter.line()
    other = await chief.line("/ws?page=arbiter&table=second")
    await desk.do({"do": "start_game"})
    async with opened(browser, house, chief, "/tables") as watched:
        page = watched.page
        demo = page.locator("#glance tbody tr", has=page.get_by_role("link", name="demo"))
        urgent, polite = page.locator("[aria-live=assertive]"), page.locator("[aria-live=polite]")
        await expect(demo).to_be_visible()
        # A player who waits for the arbiter: at once, whatever is being read.
        await hand.do({"do": "call_arbiter", "reason": "", "stop": False})
        await expect(urgent).to_have_text("demo: The arbiter has been called")
        await expect(demo.locator(".alerts")).to_contain_text("The arbiter has been called")
        # Held back for a while, and then in the order of urgency in one go.
        pause = page.get_by_role("button", name="Pause reading")
        await pause.press("Enter")
        await expect(pause).to_have_attribute("aria-pressed", "true")
        await other.do({"do": "note_device_found", "seat": "black", "device": "telephone"})
        await hand.do({"do": "claim_draw", "kind": "fifty_moves"})
        await expect(page.locator("tr.wanting")).to_have_count(2)
        await expect(demo.locator(".alerts")).to_contain_text(re.compile("2 open.* · Draw claimed"))
        assert await polite.locator("p").count() == 0
        await expect(urgent).not_to_contain_text("second")
        assert await violations(page) == []
        await pause.press("Enter")
        await expect(urgent).to_contain_text("demo: Draw claimed")
        await expect(urgent).to_contain_text("second: Electronic device found")
        # Settled on another device, it is counted no more; put off, it waits.
        await desk.do({"do": "rule_claim", "ruling": "wrong"})
        await desk.do({"do": "settle_alert", "numbers": [1], "how": "put_off"})
        await expect(demo.locator(".alerts")).to_have_text(re.compile("1 put off$"))
        assert watched.complaints == []


async def test_the_watch_speaks_into_the_arbiters_headphones_where_it_was_asked_for(
    tmp_path: Path, browser: Browser
) -> None:
    async with open_house(tmp_path / "data", voice=ToneVoice()) as house:
        chief = await hall_arbiter(house)
        hand = await (await house.station("tactile", Seat.WHITE)).line()
        async with opened(browser, house, chief, "/tables", bypass_csp=True) as watched:
            page = watched.page
            await page.add_init_script(NOTES)
            await page.reload()
            await page.locator("#glance tbody tr").wait_for()
            box = page.get_by_role("checkbox", name="Also in my headphones")
            assert not await box.is_checked()
            await box.press("Space")
            await hand.do({"do": "call_arbiter", "reason": "", "stop": False})
            await sounding(page, True)
            await page.keyboard.press("Escape")
            await sounding(page, False)


async def test_the_page_tells_when_the_server_is_gone_and_is_back(house: House, browser: Browser) -> None:
    chief = await hall_arbiter(house)
    file = {"name": "round3.pgn", "mimeType": "application/x-chess-pgn", "buffer": PGN.encode()}
    gone = "The server is not responding; trying again."
    no_answer = "The server did not answer. Please try again."
    async with opened(browser, house, chief, "/tables") as watched:
        page = watched.page
        urgent, polite = page.locator("[aria-live=assertive]"), page.locator("[aria-live=polite]")
        await page.locator("#glance tbody tr").wait_for()
        await page.locator("#file").set_input_files(file)  # type: ignore[arg-type]
        for path in ("**/api/**", "**/cards"):
            await page.route(path, lambda route: route.abort())
        await page.get_by_role("button", name="Preview").press("Enter")
        await expect(page.locator("#opening-said")).to_have_text(no_answer)
        await open_tables(house, "r1-b1")  # and so the question that waits is answered
        await expect(urgent).to_have_text(gone)
        await expect(page.locator("header .state.lost")).to_be_visible()
        await page.get_by_role("button", name="Open seat cards").press("Enter")
        await expect(urgent).to_have_text(no_answer)
        # A server that was started anew counts its changes from the beginning: it is asked for all of them.
        async with page.expect_request(lambda one: one.url.endswith("/api/overview?version=0")):
            await page.unroute("**/api/**")
        await expect(polite).to_have_text("Connected")
        # A table that is shut is named in the language that is chosen then.
        rolled_back = {"table": "r8-b1", "there": 4, "of": 9, "where": "/media/stick"}
        shut = {"version": 1, "hall": True, "tables": [], "shut": ["r8-b1", "r9-b1"], "shorter": [rolled_back]}
        shut["uneven"] = 2
        await page.route("**/api/overview*", lambda route: route.fulfill(json=shut))
        await open_tables(house, "r1-b2")
        await expect(page.locator("#shut")).to_contain_text("r9-b1")
        # One that is shorter than its witness goes on by the arbiter's yes alone.
        await expect(page.locator("#shorter")).to_contain_text("r8-b1: its record has 4 events, but 9 are witnessed")
        await expect(page.locator("#shut")).not_to_contain_text("r8-b1")
        async with page.expect_request("**/api/tables/shorter") as asked:
            await page.get_by_role("button", name="Yes, continue with this record: r8-b1").press("Enter")
        assert (await asked.value).post_data == '{"table":"r8-b1"}'
        # A server that came back is offered its share, aloud once and by one button.
        uneven = "The servers lead different numbers of tables. To be moved while the clocks run: 2."
        await expect(polite).to_contain_text(uneven)
        await expect(page.locator("#uneven span")).to_have_text(uneven)
        await page.route("**/api/tables/evenly", lambda route: route.fulfill(json={"moving": 2}))
        await page.get_by_role("button", name="Share the tables out evenly").press("Enter")
        await expect(polite).to_contain_text("Tables being moved: 2.")
        no = {"code": "complaint", "text": "Each server leads its share already."}
        await page.route("**/api/tables/evenly", lambda route: route.fulfill(status=400, json=no))
        await page.get_by_role("button", name="Share the tables out evenly").press("Enter")
        await expect(urgent).to_contain_text(no["text"])
        await page.locator("#language").select_option("de")
        await expect(page.locator("#shut")).to_contain_text("Geschlossen")
        await expect(page.locator("#evenly")).to_have_text("Tische gleichmäßig verteilen")
        await expect(page.locator("#shorter button")).to_have_text("Ja, mit dieser Aufzeichnung weiter: r8-b1")
        await page.goto(f"{house.base}/cards?of=all")
        await page.locator("button[value=anew]").press("Enter")
        await page.locator("dialog button[value=yes]").press("Enter")
        await expect(page.locator("#state")).to_contain_text("Der Server hat nicht geantwortet.")


async def test_what_two_places_of_a_page_tell_at_once_is_told_once(house: House, browser: Browser) -> None:
    async with opened(browser, house, await hall_arbiter(house), "/tables") as watched:
        page = watched.page
        await page.locator("#glance tbody tr").wait_for()
        aloud = await page.evaluate(
            """async () => {
                 const { say, warn } = await import("/static/core/live.js");
                 const aloud = [];
                 document.addEventListener("page-says", (said) => aloud.push(said.detail.text));
                 const gone = "The server is gone.", back = "It is back.";
                 for (const text of [gone, gone, back]) { warn(text); say(text); }
                 for (const text of ["pawn", "pawn"]) say(text, { key: true });
                 return aloud;
               }"""
        )
        told = ["The server is gone.", "The server is gone.", "It is back.", "It is back."]  # one a region
        assert aloud == [*told, "pawn", "pawn"], "a key is answered each time"
        for region in ("assertive", "polite"):
            more = ["pawn"] if region == "polite" else []
            lines = ["The server is gone.", "It is back.", *more]
            await expect(page.locator(f"[aria-live={region}] p")).to_have_text(lines)
        # A page that is busy writes late: what was told twice by then is one message. Out of sight each is read.
        aloud = await page.evaluate(
            """async () => {
                 const { warn } = await import("/static/core/live.js");
                 const aloud = [];
                 document.addEventListener("page-says", (said) => aloud.push(said.detail.text));
                 for (const hidden of [true, false]) {
                   Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
                   for (const _ of [1, 2]) {
                     warn(hidden ? "Out of sight." : "Still gone.");
                     for (const began = performance.now(); performance.now() - began < 100;);
                   }
                   await new Promise((done) => setTimeout(done, 200));
                 }
                 return aloud;
               }"""
        )
        assert aloud == ["Out of sight.", "Out of sight.", "Still gone."]
        await expect(page.locator("[aria-live=assertive] p")).to_have_text(["Still gone."])


async def test_a_round_is_opened_out_of_a_file(house: House, browser: Browser) -> None:
    chief = await hall_arbiter(house)
    size = {"width": 320, "height": 700}
    async with opened(browser, house, chief, "/tables", requests=True, viewport=size) as watched:
        page = watched.page
        file = {"name": "round3.pgn", "mimeType": "application/x-chess-pgn", "buffer": PGN.encode()}
        await page.locator("#file").set_input_files({**file, "buffer": b"nothing"})  # type: ignore[arg-type]
        await page.get_by_role("button", name="Preview").press("Enter")
        await page.locator("#opening-said", has_text="neither TRF").wait_for()
        start = b'[Variant "Chess960"]\n[FEN "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1"]\n[White "A"]\n'
        await page.locator("#file").set_input_files({**file, "buffer": start + b'[Black "B"]\n[Round "61.1"]\n'})  # type: ignore[arg-type]
        await page.get_by_role("button", name="Preview").press("Enter")
        await expect(page.locator("#found legend")).to_have_text("r61-b1 – Chess960 BQNNRKRB")
        await page.locator("#file").set_input_files(file)  # type: ignore[arg-type]
        await page.get_by_role("button", name="Preview").press("Enter")
        kind = page.get_by_role("combobox", name="White: Anna Fried")
        await kind.select_option(label="tactile board")
        deaf = page.get_by_role("checkbox", name="Black: Hector Horn: Hearing-impaired")
        await deaf.press("Space")
        for language in ("de", "en"):  # how a player plays, and that they are hearing-impaired, stays chosen
            await page.locator("#language").select_option(language)
            await page.locator(f"html[lang={language}]").wait_for()
        await expect(kind).to_have_value("tactile")
        await expect(deaf).to_be_checked()
        await expect(page.locator("#opening-said")).to_have_text("")  # the fault of the file before is gone
        assert await violations(page) == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320
        # A table by hand stands beside the round that was previewed, and is taken out again.
        await page.locator("#one-white").fill("Ida")
        await page.locator("#one-black").fill("Jo")
        await page.get_by_role("button", name="Add table").press("Enter")
        await expect(page.locator("#found-title")).to_have_text("Tables to open: 3")
        await expect(kind).to_have_value("tactile")
        await expect(deaf).to_be_checked()
        await page.get_by_role("button", name="Remove from the list: Ida – Jo").press("Enter")
        await expect(page.locator("#found-title")).to_be_focused()
        edition = page.get_by_label("Edition of the Laws")
        await edition.select_option(label="FIDE Laws of Chess, in force from 1 January 2018")
        await page.get_by_label("Boards at each table").select_option("two_special")
        await page.get_by_role("button", name="Open tables: 2").press("Enter")
        await expect(page.locator("#opening-said")).to_contain_text("Tables opened: 2.")
        await page.locator("#glance tbody tr", has_text="Cesar Coe").wait_for()
        opened_table = house.hall.tables["r3-b1"].state.table
        assert opened_table.white.kind == "tactile" and opened_table.black.hearing_impaired  # D.2.11
        assert (opened_table.rule_set, opened_table.boards) == ("fide2018", "two_special")
        # Its boards to hand on: a table, a calendar of the day that is chosen, a text to paste into a message.
        await page.locator("#round-day").fill("2026-12-05")
        for form, holds in (("CSV", "Cesar Coe"), ("ICS", "20261205"), ("TXT", "Cesar Coe")):
            async with page.expect_download() as handed:
                await page.get_by_role("link", name=form, exact=True).press("Enter")
            file_there = await handed.value
            assert file_there.suggested_filename.endswith(form.lower())
            assert holds in Path(await file_there.path()).read_text("utf-8")
        await page.locator("#one-white").fill("Ida")
        await page.locator("#one-black").fill("Jo")
        await page.get_by_role("button", name="Add table").press("Enter")
        await page.locator("#open-control").fill("20+5")
        await page.locator("#one-white").fill("Ida")
        await page.get_by_role("button", name="Add table").press("Enter")
        await expect(page.locator("#open-control")).to_have_value("20+5")  # what was typed stays
        await page.locator("#open-control").fill("")
        # The time is said out in words before anything is opened: minutes are not taken for seconds.
        said = page.locator("#open-control-said")
        await expect(said).to_have_text("1 hour 30 minutes + 30 seconds")
        for written, words in (
            ("90+30", "1 hour 30 minutes + 30 seconds"),
            ("ninety", "This was not understood."),
            ("40/90+30:30+30", "40 / 1 hour 30 minutes + 30 seconds : 30 minutes + 30 seconds"),
        ):
            await page.locator("#open-control").fill(written)
            await expect(said).to_have_text(words)
        # What is chosen is kept for the next rounds, and a profile out of a file comes in its place.
        await page.locator("#open-control").fill("Rapid")
        await expect(said).to_have_text("15 minutes + 10 seconds")
        await page.get_by_role("checkbox", name="Games may be adjourned").check()
        await page.get_by_role("button", name="Keep for the next rounds").press("Enter")
        await page.locator("#opening-said", has_text="Kept").wait_for()
        kept = kept_profile(house.hall.data)
        assert (kept.control, kept.regulations.guidelines, kept.edition) == ("Rapid", ("I",), "fide2023")
        profile = {"name": "city.toml", "mimeType": "application/toml"}
        for text, told in (("rated = 3", "city.toml, key rated"), ('language = "hu"\ndisplay_delay_s = 60', "loaded")):
            await page.locator("#profile").set_input_files({**profile, "buffer": text.encode()})  # type: ignore[arg-type]
            await page.get_by_role("button", name="Load").press("Enter")
            await page.locator("#opening-said", has_text=told).wait_for()
        await expect(page.locator("#open-delay option:checked")).to_have_text("1 minute")
        await expect(page.locator("#open-control")).to_have_value("")
        assert await violations(page) == []
        await page.locator("#open-control").fill("40/90+30:30+30")
        answers = asyncio.Event()
        await page.route("**/api/tables", lambda route: later(answers, route))
        await page.get_by_role("button", name="Open tables: 1").press("Enter")
        await page.locator("#one-white").fill("Kim")  # the next table is written meanwhile
        answers.set()
        await expect(page.locator("#opening-said")).to_contain_text("Tables opened: 1.")
        await expect(page.locator("#one-white")).to_have_value("Kim")
        await page.locator("#glance tbody tr", has_text="Ida").get_by_role("link").press("Enter")
        await page.locator("header .state", has_text="Connected").wait_for()
        await expect(page.locator("#who")).to_have_text("Arbiter – 1")  # a table by hand has a number, no riddle
        opened_one = house.hall.tables["1"].state
        assert opened_one.time.clock.control.text == "40/5400+30:1800+30"
        assert (opened_one.table.white.language, opened_one.stations.display_delays) == ("hu", (("", 60),))
        assert watched.foreign == [] and all("400" in one for one in watched.complaints)


async def test_a_changed_pairing_stands_on_the_players_own_page(house: House, browser: Browser) -> None:
    """The organiser changes it on the page of all tables; the player reads it, asks for it by button and by number."""
    chief = await hall_arbiter(house)
    anna, hector = {"name": "Anna Fried", "kind": "tactile", "language": "en"}, {"name": "Hector Horn"}
    table = {"name": "r1-b1", "white": anna, "black": hector, "round": 1, "board": 1}
    assert (await chief.post("/api/tables", {"tables": [table]}))[0] == 201
    invitation = house.access.invite(Place(table="r1-b1", page="tactile", seat=Seat.WHITE))
    player = house.visitor()
    _, said = await player.post("/api/join", {"code": " ".join(invitation.squares)})
    await chief.post(f"/api/introductions/{said['id']}?page=arbiter&table=r1-b1", {"admit": True})
    _, said = await player.get(f"/api/join/{said['id']}")
    player.page = said["page"]
    async with opened(browser, house, chief, "/tables") as watched, opened(browser, house, player) as seen:
        page, own = watched.page, seen.page
        await expect(own.locator("#last")).to_have_text("Round 1. Board 1. You have White against Hector Horn.")
        await expect(page.get_by_label("Table whose game has not started")).to_have_value("r1-b1")
        await page.get_by_label("Begins at (15:00)").fill("15:00")
        await page.get_by_label("Way to the table").fill("First door on the right.")
        await page.get_by_role("button", name="Change the pairing").press("Enter")
        await expect(page.locator("[aria-live=polite]")).to_contain_text("Changed.")
        now = "Round 1. Board 1. You have White against Hector Horn. Play begins at 15:00. First door on the right."
        await expect(own.locator("#last")).to_have_text(f"Your pairing has changed. {now}")
        await own.get_by_role("button", name="Where do I play?").click()
        await expect(own.locator("#last")).to_have_text(now)
        await expect(own.locator("#cells li").first).to_have_text("Round 1. Board 1. You have White against")
        # What another device changes meanwhile stands here too, but for what is being written.
        await page.get_by_label("Way to the table").fill("Second door.")
        body = {"table": "r1-b1", "white": "Anna Fried", "black": "Hector Neu", "board": 1, "starts": "", "way": ""}
        assert (await chief.post("/api/tables/pairing", body))[0] == 200
        await expect(page.locator("#pairing-black")).to_have_value("Hector Neu")
        await expect(page.locator("#pairing-way")).to_have_value("Second door.")
        assert await violations(own) == [] and await violations(page) == []
        assert watched.complaints == seen.complaints == []


@pytest.mark.law("L122")
async def test_a_device_of_the_whole_hall_is_removed_by_keyboard(house: House, browser: Browser) -> None:
    stolen, chief = await hall_arbiter(house), await hall_arbiter(house)
    await house.station("tactile", Seat.WHITE)
    async with opened(browser, house, chief, "/tables", requests=True) as watched:
        page = watched.page
        found = page.locator("#admitted-list li")
        await expect(found.first).to_contain_text("Arbiter of all tables (arbiter-")
        await expect(found.filter(has_text="this device")).to_have_count(1)
        # Connected, though it follows no table; and since when, with the month in letters and hours from 0 to 23.
        own = re.compile(r"^● .* – this device · Connected · .*since [A-Z][a-z]+ \d+, \d{4}, \d{2}:\d{2}$")
        await expect(found.filter(has_text="this device")).to_have_text(own)
        await expect(found.filter(has_text="this device").locator("button")).to_have_count(0)
        await expect(found.filter(has_text="Tactile board, White")).to_have_count(1)
        count = await found.count()
        assert await violations(page) == []
        button = found.first.get_by_role("button", name=re.compile("Remove device Arbiter of all tables arbiter-"))
        await button.press("Enter")
        await page.get_by_role("button", name="Yes").press("Enter")
        await expect(page.locator("[aria-live=polite]")).to_have_text("Device removed.")
        await expect(found).to_have_count(count - 1)
        await expect(page.locator("#admitted-title")).to_be_focused()  # the next one does not go by the same key
        assert (await stolen.get("/api/overview"))[0] == 403
        assert watched.complaints == [] and watched.foreign == []
