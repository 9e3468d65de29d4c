"""The reconciliation desk on the arbiter's page: a divergence marked, explained, settled and confirmed (D.2.9)."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, expect

from server.game.acts import Command, Press
from server.game.values.words import Role, Seat
from tests.browser.test_pages import GREETED_AGAIN, later, opened, violations
from tests.table.open_hall import WrittenEars
from tests.waiting import until
from tests.web.open_house import House, TestLine, Visitor

pytestmark = pytest.mark.needs("chromium")

AFTER_E6 = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR"


@pytest.mark.law("L197")
async def test_a_divergence_is_settled_at_the_desk_by_keyboard(house: House, browser: Browser) -> None:
    """1.e4 e6 was announced; the tactile board shows e5. The arbiter marks it, types two lines, decides, confirms."""
    arbiter = await house.arbiter()
    desk = await arbiter.line()
    tactile = await house.station("tactile", Seat.WHITE)
    white = await tactile.line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    await desk.do({"do": "start_game"})
    for mover, other, word in ((white, black, "Eva vier"), (black, white, "Eva sechs")):
        await mover.type(word)
        await mover.do({"do": "press"})
        await other.type(word)
    await white.do({"do": "execute"})
    async with opened(browser, house, arbiter) as visitor:
        page = visitor.page
        await page.locator("#desk > summary").press("Enter")
        await page.locator("#desk-open").press("Enter")
        await page.locator("#desk-body").wait_for()
        assert house.table.state.time.clock.running is None
        board = page.locator("#desk-white")
        await board.get_by_role("button", name="e6").press("Enter")  # empty is chosen: what stood there goes
        await page.get_by_label("Piece to place").select_option("p")
        await board.get_by_role("button", name="e5").press("Enter")
        await page.locator("#desk-show-white").press("Enter")
        await page.locator("#desk-show-black").press("Enter")
        explanation = page.locator("#desk-explanations li").first
        await expect(explanation).to_contain_text("placed on another square")
        await expect(explanation).to_contain_text("White's board")
        # The cells that are still to be read, Black's, are asked for one after the other, also while the arbiter types
        # on before the server answers. What is typed on in the last one takes the place of what stands there.
        answers = asyncio.Event()
        await page.route("**/api/desk?*", lambda route: later(answers, route))
        await page.locator("#desk-cell").focus()
        await page.keyboard.type("e4\ne5\ne6\n")
        answers.set()
        await expect(page.locator("#desk-answer")).to_contain_text("The scores agree")
        await expect(page.locator("#desk-answer")).to_contain_text("Both boards are explained")
        for cell in ("white-1", "black-1"):
            await expect(page.locator(f"#desk-{cell}-read")).to_contain_text("understood: e4")
        for cell in ("white-2", "black-2"):
            await expect(page.locator(f"#desk-{cell}-read")).to_contain_text("understood: e6")
        await page.locator("#desk-whole > summary").press("Enter")
        await page.locator("#desk-sheet-white").fill("1. e4 e6")
        await page.locator("#desk-sheet-black").fill("1. e4 e6")
        await page.get_by_role("button", name="Compare").press("Enter")
        await expect(page.locator("#desk-compared")).to_contain_text("The scores agree")
        await expect(page.locator("#desk-compared")).to_contain_text("Most likely: 1. e4 e6")
        assert await violations(page) == []
        await page.locator("#desk-adjust").press("Enter")
        for number, line in enumerate(("e5 empty", "e6 Black pawn")):
            await expect(page.locator("#desk-set-white li").nth(number)).to_have_text(line)
        await expect(page.locator("#desk-set-black")).to_contain_text("Black's board is set up correctly")
        await _set_square_by_square(house, tactile)
        await confirm_both(page)
        state = house.table.state
        assert state.desk is None
        assert state.moves.white_board.position.placement == state.moves.black_board.position.placement == AFTER_E6
        await page.locator("#resume").press("Enter")
        await until(lambda: house.table.state.time.clock.running is Seat.WHITE)


async def test_a_cell_that_is_refused_is_asked_for_again_under_the_fingers(house: House, browser: Browser) -> None:
    """The record takes nothing for a while: what was typed stands in its cell again. Who went elsewhere stays there."""
    arbiter = await house.arbiter()
    desk = await arbiter.line()
    tactile = await (await house.station("tactile", Seat.WHITE)).line()
    sighted = await (await house.station("sighted", Seat.BLACK)).line()
    await desk.do({"do": "start_game"})
    await play_aloud(tactile, sighted, ("e4", "e6"))
    async with opened(browser, house, arbiter) as visitor:
        page = visitor.page
        await page.locator("#desk > summary").press("Enter")
        await page.locator("#desk-open").press("Enter")
        await page.locator("#desk-more").fill("1")
        await page.locator("#desk-more").press("Tab")
        cell, label = page.locator("#desk-cell"), page.locator("#desk-cell-label")
        await page.locator("#desk-white-1").press("Enter")
        asked = await label.inner_text()
        house.table.hold()
        await cell.fill("e4")
        await cell.press("Enter")
        await expect(cell).to_have_value("e4")
        await expect(cell).to_be_focused()
        await expect(label).to_have_text(asked)
        house.table.go_on()
        await cell.press("Enter")
        await expect(page.locator("#desk-white-1-read")).to_contain_text("understood: e4")
        await expect(label).not_to_have_text(asked)
        # Who went on to another field before the server answered is not called back.
        house.table.hold()
        await page.locator("#desk-white-1").press("Enter")
        await page.evaluate(
            "document.querySelector('[role=alert]').replaceChildren();"
            "document.getElementById('desk-cell').value = 'e3';"
            "document.getElementById('desk-typing').requestSubmit();"
            "document.getElementById('act-find').focus()"
        )
        await expect(page.get_by_role("alert")).to_contain_text("could not be recorded")
        await expect(page.locator("#act-find")).to_be_focused()
        house.table.go_on()


async def test_the_desk_brings_its_words_in_each_language(house: House, browser: Browser) -> None:
    """Its words come with it, not with the page; a language chosen while they come has them too."""
    arbiter = await house.arbiter()
    await (await arbiter.line()).do({"do": "start_game"})
    async with opened(browser, house, arbiter, requests=True) as visitor:
        page = visitor.page
        assert not any("/static/words/desk-" in url for url in visitor.finished)
        await page.locator("#desk > summary").press("Enter")
        await page.locator("#language").select_option("de")
        await page.locator("#desk-open").press("Enter")
        await expect(page.locator("#desk-show-white")).to_have_text("Brett wie gezeigt aufnehmen")
        await expect(page.locator("#desk-differing")).to_have_text("Keine: Beide Bretter zeigen dasselbe.")
        await page.locator("#language").select_option("en")
        await expect(page.locator("#desk-show-white")).to_have_text("Record board as shown")
        await expect(page.locator("#desk-differing")).to_have_text("None: both boards show the same.")


async def _set_square_by_square(house: House, tactile: Visitor) -> None:
    """The tactile player's station, on a fresh line: the list, then one square after the other for a typed yes."""
    line = await tactile.line()
    said = await line.until(type="board_to_set")
    assert said["message"]["squares"] == [
        {"square": "e5", "should_be": None},
        {"square": "e6", "should_be": "p"},
    ]
    said = await line.until(type="square_to_set_now")
    assert " ".join(said["lines"]) == "Feld 1 von 2: Eva fünf: leer. Sagen Sie ja, wenn es aufgestellt ist."
    for left in (2, None):
        await line.type("ja")
        setting = house.table.state.setting
        asked = setting.asked_of(Seat.WHITE) if setting is not None else None
        assert (asked.number if asked is not None else None) == left


@pytest.mark.law("L194")
async def test_one_key_plays_both_utterances_of_a_ply(house: House, browser: Browser) -> None:
    """What was dictated is provisional until the arbiter has listened to it, announcement and echo (D.2.7)."""
    arbiter = await house.arbiter()
    desk = await arbiter.line()
    for page_name, seat in (("tactile", Seat.WHITE), ("sighted", Seat.BLACK)):
        await house.station(page_name, seat)
    house.hall.use(ears=WrittenEars())
    await desk.do({"do": "start_game"})
    players = {one.seat: one.id for one in house.table.state.stations.admitted if one.role is Role.PLAYER}
    for number, seat in enumerate((Seat.WHITE, Seat.BLACK), 1):
        sound = "Bauer Eva vier".encode("utf-16-le") + b" \0" * 4_000
        await house.table.hear(players[seat], number, sound, house.hall.clock.mono_ms())
        if seat is Seat.WHITE:
            await house.hall.table(house.table.id).own(
                Command(id=secrets.token_hex(16), table=house.table.id, station=players[seat], body=Press())
            )
    async with opened(browser, house, arbiter) as visitor:
        page = visitor.page
        await page.locator("#desk > summary").press("Enter")
        await page.locator("#desk-open").press("Enter")
        await page.locator("#desk-more").fill("1")
        await page.locator("#desk-more").press("Tab")
        await expect(page.locator("#desk-white-1-read")).to_contain_text("not yet listened to")
        played: list[str] = []
        page.on("request", lambda one: played.append(one.url) if "/evidence/" in one.url else None)
        await page.locator("#desk-white-1").press("Enter")
        await page.locator("#desk-listen").press("Enter")
        await expect(page.locator("#desk-white-1-read")).not_to_contain_text("not yet listened to")
    assert house.table.state.desk is not None and (Seat.WHITE, 1) in house.table.state.desk.heard
    names = {url.rpartition("/evidence/")[2].partition("?")[0] for url in played}
    record = house.table.state.ply(1)
    assert record is not None and names == {record.utterance, record.echo_utterance}


AFTER_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
SPOKEN = {"e4": "Eva vier", "e5": "Eva fuenf", "e6": "Eva sechs", "d4": "Dora vier"}


async def play_aloud(white: TestLine, black: TestLine, moves: tuple[str, ...]) -> None:
    """Each move announced, pressed and repeated by the other player."""
    for number, move in enumerate(moves):
        mover, other = (white, black) if number % 2 == 0 else (black, white)
        await mover.type(SPOKEN[move])
        await mover.do({"do": "press"})
        await other.type(SPOKEN[move])


@asynccontextmanager
async def at_the_desk(
    house: House, browser: Browser, heard: tuple[str, ...], boards: tuple[str, str], **more: object
) -> AsyncIterator[Page]:
    """The arbiter's page with the desk open: a game as the server heard it, and each board as the arbiter marks it."""
    arbiter = await house.arbiter()
    desk = await arbiter.line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    await desk.do({"do": "start_game"})
    await play_aloud(white, black, heard)
    async with opened(browser, house, arbiter, **more) as visitor:
        page = visitor.page
        await page.locator("#desk > summary").press("Enter")
        await page.locator("#desk-open").press("Enter")
        await page.locator("#desk-body").wait_for()
        for side, placement in zip(("white", "black"), boards, strict=True):
            await desk.do({"do": "show_board", "board": side, "placement": placement})
        yield page
        assert visitor.complaints == []


async def type_scores(page: Page, white: tuple[str, ...], black: tuple[str, ...]) -> None:
    """Each cell of both scores as the arbiter reads it; what is not asked for is asked by the number of its move."""
    plies = range(1, len(white) + 1)
    await page.locator("#desk-more").fill(",".join(str(ply // 2 + 1) for ply in plies[::2]))
    await page.locator("#desk-more").press("Tab")
    for side, score in (("white", white), ("black", black)):
        for ply, move in zip(plies, score, strict=True):
            await type_cell(page, side, ply, move)
            await expect(page.locator(f"#desk-{side}-{ply}-read")).to_contain_text(f"understood: {move}")


async def keep_the_cell_in_use(page: Page, cell: str) -> None:
    """Ask for further moves and go to a cell's button: it keeps the focus when their cells come."""
    answers = asyncio.Event()
    await page.route("**/api/desk?*", lambda route: later(answers, route))
    await page.locator("#desk-more").fill("1,3")
    await page.locator("#desk-more").press("Tab")
    await page.locator(cell).focus()
    answers.set()
    for one in ("#desk-white-1", "#desk-black-6"):
        await expect(page.locator(one)).to_be_visible()
    await expect(page.locator(cell)).to_be_focused()


async def type_cell(page: Page, side: str, ply: int, move: str) -> None:
    """A cell that is chosen by its button."""
    await page.locator(f"#desk-{side}-{ply}").press("Enter")
    await expect(page.locator("#desk-cell")).to_be_focused()
    await page.locator("#desk-cell").fill(move)
    await page.locator("#desk-cell").press("Enter")


async def confirm_both(page: Page) -> None:
    """Each board that is to be confirmed, the next when the page has the last: no key goes to what comes instead."""
    await page.locator("#desk-setting").wait_for()
    for side in ("white", "black"):
        button = page.locator(f"#desk-confirm-{side}:enabled").filter(visible=True)
        if await button.count():
            await button.press("Enter")
            await expect(button).to_have_count(0)
    await page.locator("#desk-body").wait_for(state="hidden")


def stands(house: House, placement: str, line: tuple[str, ...]) -> None:
    """Both boards, what the server believes, and its line are those of the scores."""
    state = house.table.state
    assert state.desk is None
    assert {state.board_of(seat).position.placement for seat in Seat} == {placement}
    assert state.moves.line == line and state.position is not None and state.position.placement == placement
    assert not state.moves.out_of_step


@pytest.mark.law("L197")
async def test_a_misheard_move_is_set_right_on_the_board_that_deviates(house: House, browser: Browser) -> None:
    """Both scores say e5; the server heard e6, and so does White's board show it; what was settled is printed."""
    async with at_the_desk(house, browser, ("e4", "e6"), (AFTER_E6, AFTER_E5)) as page:
        marked = page.locator("#desk-white button.marked")
        await expect(marked).to_have_count(2)
        await expect(page.get_by_role("button", name="e6 Black pawn, on the other board empty")).to_have_count(1)
        await expect(page.locator("#desk-differing li").first).to_have_text(
            "e5: White's board empty, Black's board Black pawn"
        )
        await type_scores(page, ("e4", "e5"), ("e4", "e5"))
        answer = page.locator("#desk-answer")
        await expect(answer).to_contain_text("White's board differs from both scores: e5 empty, should be Black pawn")
        await expect(answer).to_contain_text("Both boards are explained")
        await expect(answer).not_to_contain_text("yet")
        explained = page.locator("#desk-explanations li")
        await expect(explained).to_have_count(2)
        await expect(explained.first).to_contain_text("1 (Black) e6 → e5: misheard (server)")
        await expect(explained.last).to_contain_text("White's board")
        wrong = page.locator("#desk-white").get_by_role("button", name="e6 Black pawn, wrong: should be empty")
        await expect(wrong).to_have_count(1)
        right = page.locator("#desk-black").get_by_role(
            "button", name="e5 Black pawn, correct: the other board differs"
        )
        await expect(right).to_have_count(1)
        assert await violations(page) == []
        await page.locator("#desk-adjust").press("Enter")
        await expect(page.locator("#desk-set-white li")).to_have_text(["e5 Black pawn", "e6 empty"])
        await expect(page.locator("#desk-state-white")).to_contain_text("square 1 of 2: e5")
        await expect(page.locator("#desk-set-black")).to_have_text("Black's board is set up correctly.")
        await expect(page.locator("#desk-setting-title")).to_be_focused()
        assert await violations(page) == []
        await _fits_a_phone_and_a_wide_screen(page)
        await confirm_both(page)
        stands(house, AFTER_E5, ("e2e4", "e7e5"))
        await _protocol_is_opened_printed_and_embossed(page)


async def _fits_a_phone_and_a_wide_screen(page: Page) -> None:
    for width in (390, 1280):
        await page.set_viewport_size({"width": width, "height": 800})
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
        small = await page.evaluate(
            """() => [...document.querySelectorAll('#desk button, #desk select, #desk input')]
              .filter(one => !['radio', 'checkbox'].includes(one.type))
              .filter(one => one.offsetParent && !one.closest('.board'))
              .map(one => [one.id, one.getBoundingClientRect().height]).filter(([, height]) => height < 44)"""
        )
        assert small == []
        if folder := os.environ.get("PICTURES"):
            await page.locator("#desk").screenshot(path=f"{folder}/desk-{width}.png")


async def _protocol_is_opened_printed_and_embossed(page: Page) -> None:
    async with page.expect_popup() as popup:
        await page.locator("#desk-protocol").press("Enter")
    sheet = await popup.value
    await sheet.wait_for_load_state()
    text = await sheet.locator("main").inner_text()
    for line in ("move 1 (Black): e5", "misheard", "White's board: e5 Black pawn", "White's board confirmed"):
        assert line in text, line
    signed = await sheet.locator(".signed li").all_inner_texts()
    assert [one.split(",")[0] for one in signed] == ["White", "Black", "Arbiter"]
    assert await violations(sheet) == []
    for width in (390, 1280):
        await sheet.set_viewport_size({"width": width, "height": 800})
        assert await sheet.evaluate("document.documentElement.scrollWidth") <= width
    assert (await sheet.pdf()).startswith(b"%PDF")
    await sheet.close()
    await page.get_by_role("tab", name="Save or send").press("Enter")
    async with page.expect_download() as saved:
        await page.locator("[data-export='protocol-brf']").press("Enter")
    brf = (await (await saved.value).path()).read_text()
    assert "\f" in brf and all(len(line) <= 40 for line in brf.splitlines())


@pytest.mark.law("L198")
async def test_scores_that_differ_behind_a_misheard_move_go_back_to_what_both_have(
    house: House, browser: Browser
) -> None:
    """Both scores say e5 where the server heard e6; then White wrote d4, Black d3. The arbiter types the times."""
    with_d4 = "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR"
    with_d3 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/3P4/PPP2PPP/RNBQKBNR"
    async with at_the_desk(house, browser, ("e4", "e6", "d4"), (with_d4, with_d3)) as page:
        await keep_the_cell_in_use(page, "#desk-black-2")
        await type_scores(page, ("e4", "e5", "d4"), ("e4", "e5", "d3"))
        await expect(page.locator("#desk-answer")).to_contain_text("The scores agree up to move 1 (Black)")
        await expect(page.locator("#desk-explanations li")).to_have_count(1)
        await expect(page.locator("#desk-explanations")).to_contain_text("2 (White) d4 / d3: written differently")
        await expect(page.locator("#desk-times-stored")).to_be_checked()
        await expect(page.locator("#desk-times-stored-text")).to_contain_text("1 hour 30 minutes")
        await page.locator("#desk-times-typed").check()
        await page.locator("#desk-back").press("Enter")
        await expect(page.locator("#said")).to_contain_text("Enter the time")
        await expect(page.locator("#desk-time-white")).to_be_focused()
        assert house.table.state.desk is not None and house.table.state.desk.decided is None
        await page.locator("#desk-time-white").fill("1:20:00")
        await page.locator("#desk-time-black").fill("1:15:30")
        await page.locator("#desk-back").press("Enter")
        await expect(page.locator("#desk-set-white li")).to_have_text(["d2 White pawn", "d4 empty"])
        await expect(page.locator("#desk-set-black li")).to_have_text(["d2 White pawn", "d3 empty"])
        await confirm_both(page)
    stands(house, AFTER_E5, ("e2e4", "e7e5"))
    clock = house.table.state.time.clock
    assert (clock.remaining(Seat.WHITE, 0), clock.remaining(Seat.BLACK, 0)) == (4_800_000, 4_530_000)


@pytest.mark.law("L197")
async def test_whole_scores_are_decided_on_as_long_as_what_they_told_stands_there(
    house: House, browser: Browser
) -> None:
    """Asked for again, the desk is the same; a cell typed on another device takes their answer and decision away."""
    other = await (await house.arbiter()).line()
    async with at_the_desk(house, browser, ("e4", "e6"), (AFTER_E6, AFTER_E5)) as page:
        compared, adjust = page.locator("#desk-compared"), page.locator("#desk-adjust")
        for board, pawn in (("white", "e6"), ("black", "e5")):
            cell = f"{pawn} Black pawn, on the other board empty"
            await page.locator(f"#desk-{board}").get_by_role("button", name=cell).wait_for()
        await page.locator("#desk-whole > summary").press("Enter")
        await page.locator("#desk-sheet-white").fill("1. e4 e6")
        await page.locator("#desk-sheet-black").fill("1. e4 e6")
        await page.get_by_role("button", name="Compare").press("Enter")
        await expect(compared).to_contain_text("The scores agree")
        await expect(adjust).to_be_enabled()
        async with page.expect_response("**/api/desk?*") as again:
            await page.evaluate(GREETED_AGAIN)
        await (await again.value).finished()
        await page.evaluate("new Promise((drawn) => setTimeout(drawn))")
        await expect(compared).to_contain_text("The scores agree")
        await expect(adjust).to_be_enabled()
        await other.do({"do": "type_cell", "seat": "white", "ply": 1, "text": "d4", "language": "en"})
        await expect(compared).to_be_empty()
        await expect(adjust).to_be_disabled()
        # A look at the desk that comes late takes no answer away that knew of what it shows.
        answers = asyncio.Event()
        await page.route("**/api/desk?*", lambda route: later(answers, route))
        async with page.expect_request("**/api/desk?*"):
            await other.do({"do": "type_cell", "seat": "white", "ply": 1, "text": "e4", "language": "en"})
        async with page.expect_response("**/api/desk/sheets*"):
            await page.get_by_role("button", name="Compare").press("Enter")
        answers.set()
        await expect(compared).to_contain_text("The scores agree")
        await expect(compared).to_be_focused()
        await expect(adjust).to_be_enabled()


@pytest.mark.law("L197")
async def test_only_the_server_misheard_and_its_line_is_mended(house: House, browser: Browser) -> None:
    async with at_the_desk(house, browser, ("e4", "e6"), (AFTER_E5, AFTER_E5)) as page:
        await expect(page.locator("#desk-differing")).to_have_text("None: both boards show the same.")
        await type_scores(page, ("e4", "e5"), ("e4", "e5"))
        await expect(page.locator("#desk-answer")).to_contain_text("only the server is wrong")
        await expect(page.locator("#desk-explanations li")).to_have_count(1)
        await page.locator("#desk-mend").press("Enter")
        await page.locator("#desk-body").wait_for(state="hidden")
    stands(house, AFTER_E5, ("e2e4", "e7e5"))


@pytest.mark.law("L197")
async def test_nothing_is_decided_on_what_was_not_read_until_the_arbiter_says_that_it_will_do(
    house: House, browser: Browser
) -> None:
    """White set the pawn on d3; the first half-move was read in no score, so whole scores would say less."""
    with_d4 = "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR"
    with_d3 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/3P4/PPP2PPP/RNBQKBNR"
    async with at_the_desk(house, browser, ("e4", "e5", "d4"), (with_d3, with_d4)) as page:
        for ply, move in ((2, "e5"), (3, "d4")):
            for side in ("white", "black"):
                await type_cell(page, side, ply, move)
        await expect(page.locator("#desk-answer")).to_contain_text(
            "Provisional: moves 1 (White) were read in neither score"
        )
        for name in ("adjust", "back", "mend"):
            await expect(page.locator(f"#desk-{name}")).to_be_disabled()
        await page.locator("#desk-whole > summary").press("Enter")
        await page.get_by_role("button", name="Compare").press("Enter")
        await expect(page.locator("#desk-compared")).to_contain_text("Not here: moves 1 (White).")
        await expect(page.locator("#desk-answer")).to_contain_text("The scores agree")
        assert await violations(page) == []
        await page.locator("#desk-accept").press("Enter")
        await expect(page.locator("#desk-answer")).to_contain_text("You accepted that moves 1 (White) were not read.")
        await expect(page.locator("#desk-accept")).to_be_hidden()
        await page.locator("#desk-adjust").press("Enter")
        await expect(page.locator("#desk-set-white li")).to_have_text(["d3 empty", "d4 White pawn"])
        await confirm_both(page)
    stands(house, with_d4, ("e2e4", "e7e5", "d2d4"))


@pytest.mark.law("L197")
async def test_what_is_set_on_a_board_stays_until_it_is_recorded_whatever_else_is(
    house: House, browser: Browser
) -> None:
    """Both boards are corrected, then one is recorded, a cell typed, further moves asked for, the language changed."""
    async with at_the_desk(house, browser, ("e4", "e6"), (AFTER_E6, AFTER_E5)) as page:
        white, black = page.locator("#desk-white"), page.locator("#desk-black")
        await expect(white.get_by_role("button", name="e6 Black pawn, on the other board empty")).to_have_count(1)
        await expect(black.get_by_role("button", name="e5 Black pawn, on the other board empty")).to_have_count(1)
        await white.get_by_role("button", name="d7").press("Enter")
        await black.get_by_role("button", name="c7").press("Enter")
        # Who sets on before the record has what was given to it keeps that too.
        await page.evaluate(
            """() => {
              document.getElementById("desk-show-white").click();
              const squares = [...document.querySelectorAll("#desk-white .square")];
              squares.find((one) => one.textContent.startsWith("h7 ")).click();
            }"""
        )
        await until(lambda: placement_seen(house, Seat.WHITE) == AFTER_E6.replace("pppp1ppp", "ppp2ppp"))
        await type_scores(page, ("e4", "e5"), ("e4", "e5"))
        for board, square in ((black, "c7"), (white, "d7"), (white, "h7")):
            wrong = board.get_by_role("button", name=f"{square} empty, wrong: should be Black pawn")
            await expect(wrong).to_have_count(1)
        await page.locator("#language").select_option("de")
        await expect(black.get_by_role("button", name="c7 leer, falsch")).to_have_count(1)
        await page.locator("#language").select_option("en")
        await expect(black.get_by_role("button", name="c7 empty, wrong: should be Black pawn")).to_have_count(1)
        # Where the record has another placement meanwhile, from another device, that one counts, though it be what
        # stood there before and the page looked at nothing in between.
        answers = asyncio.Event()
        await page.route("**/api/desk?*", lambda route: later(answers, route))
        await page.locator("#desk-show-black").press("Enter")
        await until(lambda: placement_seen(house, Seat.BLACK) == AFTER_E5.replace("pppp1ppp", "pp1p1ppp"))
        await black.get_by_role("button", name="a7").press("Enter")
        await expect(black.get_by_role("button", name="a7 empty, wrong: should be Black pawn")).to_have_count(1)
        desk = await (await house.arbiter()).line()
        await desk.do({"do": "show_board", "board": "black", "placement": AFTER_E5})
        answers.set()
        await expect(black.get_by_role("button", name=re.compile("^[ac]7 empty"))).to_have_count(0)
        # What was set and never recorded goes with the desk.
        await black.get_by_role("button", name="a7").press("Enter")
        await page.locator("#desk-close").press("Enter")
        await page.locator("#desk-body").wait_for(state="hidden")
        await page.locator("#desk-open").press("Enter")
        await page.locator("#desk-body").wait_for()
        await expect(black.get_by_role("button", name=re.compile("^a7 empty"))).to_have_count(0)


@pytest.mark.law("L197")
async def test_a_key_that_was_meant_for_the_desk_starts_no_clock_when_it_closes(house: House, browser: Browser) -> None:
    """By its own button, and from another device while nothing has the focus; one key leads on from there."""
    arbiter = await house.arbiter()
    desk = await arbiter.line()
    await desk.do({"do": "start_game"})
    async with opened(browser, house, arbiter) as visitor:
        page = visitor.page
        await page.locator("#desk > summary").press("Enter")
        await page.locator("#desk-open").press("Enter")
        await expect(page.locator("#desk-piece")).to_be_focused()
        await page.locator("#desk-close").press("Enter")
        await expect(page.locator("#bar")).to_be_focused()
        await page.locator("#desk-open").press("Enter")
        await expect(page.locator("#desk-piece")).to_be_focused()
        await page.evaluate("document.activeElement.blur()")
        await desk.do({"do": "close_desk"})
        await page.locator("#desk-body").wait_for(state="hidden")
        for key in ("Enter", "Tab", "Tab"):
            await page.keyboard.press(key)
        await expect(page.locator("#resume")).to_be_focused()
        assert house.table.state.time.clock.running is None
        assert visitor.complaints == []


def placement_seen(house: House, seat: Seat) -> str | None:
    """The placement that the arbiter recorded of a board at the desk."""
    state = house.table.state
    return state.desk.placement_seen(seat) if state.desk is not None else None


async def carried_out_e6(house: House) -> tuple[Visitor, TestLine]:
    """Play 1. e4 e6 on both boards; return the arbiter and their line."""
    arbiter = await house.arbiter()
    desk = await arbiter.line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    await desk.do({"do": "start_game"})
    await play_aloud(white, black, ("e4", "e6"))
    await white.do({"do": "execute"})
    return arbiter, desk


@pytest.mark.law("L080")
async def test_a_position_that_is_restored_is_set_square_by_square_as_well(house: House, browser: Browser) -> None:
    """7.5.1: the page shows which squares each board must change, with a button that confirms each board."""
    arbiter, desk = await carried_out_e6(house)
    async with opened(browser, house, arbiter) as visitor:
        page = visitor.page
        await desk.do({"do": "pause"})
        await desk.do({"do": "restore_to", "ply": 1, "times": "leave", "reason": "illegal move"})
        await page.locator("#desk-setting").wait_for()
        await expect(page.locator("#desk-asking")).to_be_hidden()
        await expect(page.locator("#desk-set-white li")).to_have_text(["e6 empty", "e7 Black pawn"])
        marked = page.locator("#desk-white").get_by_role("button", name="e7 Black pawn, to be set")
        await expect(marked).to_have_count(1)
        assert await violations(page) == []
        # What stands there is recorded as it is shown, and stays shown: a key pressed twice records it twice.
        white_board = page.locator("#desk-white")
        await white_board.get_by_role("button", name="a7").press("Enter")
        async with page.expect_response("**/api/desk?*"):
            await page.locator("#desk-show-white").press("Enter")
        await page.locator("#language").select_option("de")
        await expect(page.locator("#desk-show-white")).to_have_text("Brett wie gezeigt aufnehmen")
        await expect(white_board.get_by_role("button", name=re.compile("^a7 leer"))).to_have_count(1)
        await page.locator("#language").select_option("en")
        await expect(white_board.get_by_role("button", name=re.compile("^a7 empty"))).to_have_count(1)
        # Another position is restored meanwhile: the boards show that one.
        await desk.do({"do": "restore_to", "ply": 0, "times": "leave", "reason": "illegal move"})
        await expect(page.locator("#desk-set-white li")).to_have_text(["e2 White pawn", "e4 empty"])
        await expect(page.locator("#desk-white").get_by_role("button", name="e4 empty, to be set")).to_have_count(1)
        await page.locator("#desk-confirm-white").press("Enter")
        # Where Black's board stands as it should, there is nothing to confirm of it.
        await until(lambda: (setting := house.table.state.setting) is None or Seat.WHITE in setting.confirmed)
        if house.table.state.setting is not None:
            await page.locator("#desk-confirm-black").press("Enter")
        await page.locator("#desk-body").wait_for(state="hidden")
    assert house.table.state.setting is None


@pytest.mark.law("L080")
async def test_boards_that_are_set_by_word_of_mouth_are_no_longer_to_be_set(house: House, browser: Browser) -> None:
    """Play goes on with nothing confirmed: the boards of the game come back, and what is restored next is told."""
    arbiter, desk = await carried_out_e6(house)
    async with opened(browser, house, arbiter) as visitor:
        page = visitor.page
        for ply in (1, 0):
            await desk.do({"do": "pause"})
            await desk.do({"do": "restore_to", "ply": ply, "times": "leave", "reason": "illegal move"})
            await expect(page.locator("#desk-setting-title")).to_be_focused()
            await expect(page.locator("#boards")).to_be_hidden()
            await desk.do({"do": "resume"})
            await page.locator("#desk-body").wait_for(state="hidden")
            await expect(page.locator("#boards")).to_be_visible()
        assert visitor.complaints == []


DESK_SCREENS = 1.5


@pytest.mark.law("L197")
async def test_the_desk_fits_one_and_a_half_screens_and_is_decided_in_the_bar(house: House, browser: Browser) -> None:
    """D.2.9 at 1280 x 800, from the top of the page to the end of the desk, before and after the decision."""
    async with at_the_desk(
        house, browser, ("e4", "e6"), (AFTER_E6, AFTER_E5), viewport={"width": 1280, "height": 800}
    ) as page:
        await expect(page.locator("#desk-white button.marked")).to_have_count(2)
        await expect(page.locator("#desk-cell")).to_be_visible()
        await fits(page)
        for button in ("adjust", "back", "mend"):
            await expect(page.locator(f"#top #desk-{button}")).to_be_in_viewport(ratio=1)
        boxes = [await page.locator(f"#desk-{one}").bounding_box() for one in ("white", "black", "cell")]
        assert None not in boxes
        white, black, cell = (box for box in boxes if box)
        assert abs(white["y"] - black["y"]) < 1 and white["x"] + white["width"] <= black["x"], "side by side"
        assert cell["x"] >= black["x"] + black["width"] and cell["y"] < white["y"] + white["height"], "beside them"
        assert await violations(page) == []
        # Each cell is asked for alone; what was read leads to the next. White's own score is written already.
        for side, ply, move in (("Black", "1 (White)", "e4"), ("Black", "1 (Black)", "e6")):
            await expect(page.locator("#desk-cell-label")).to_have_text(f"{side}'s score, move {ply}")
            await page.locator("#desk-cell").fill(move)
            await page.locator("#desk-cell").press("Enter")
        await expect(page.locator("#desk-answer")).to_contain_text("Both boards are explained")
        await fits(page)
        for width, height in ((390, 844), (360, 640)):
            await page.set_viewport_size({"width": width, "height": height})
            bar = await page.locator("#top").bounding_box()
            assert bar is not None and bar["height"] * 3 <= height, "a third of a phone at most"
            await page.evaluate("scrollTo(0, document.body.scrollHeight)")
            await expect(page.locator("#top #desk-adjust")).to_be_in_viewport(ratio=1)
        await page.set_viewport_size({"width": 1280, "height": 800})
        await page.locator("#desk-adjust").press("Enter")
        await page.locator("#desk-setting").wait_for()
        await expect(page.locator("#desk-decision")).to_be_hidden()
        await fits(page)
        await confirm_both(page)
        await expect(page.locator("#boards")).to_be_visible()
        await expect(page.locator("#to-press")).to_be_visible()


async def fits(page: Page) -> None:
    """From the top of the page to the end of the desk it is one screen and a half, and nothing goes out sideways."""
    await page.evaluate("scrollTo(0, 0)")
    ends = await page.evaluate("document.querySelector('#desk').getBoundingClientRect().bottom")
    if folder := os.environ.get("PICTURES"):
        await page.screenshot(path=f"{folder}/desk-{round(ends)}.png", full_page=True)
    assert ends <= DESK_SCREENS * 800
    assert await page.evaluate("document.documentElement.scrollWidth") <= 1280
