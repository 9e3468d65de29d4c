"""The reconciliation desk on the arbiter's page: a divergence marked, explained, settled and confirmed (D.2.9)."""

from __future__ import annotations

import secrets

import pytest
from playwright.async_api import Browser, expect

from server.play.commands import Command, Press
from server.play.values import Role, Seat
from tests.browser.test_pages import opened, violations
from tests.tables.open_hall import WrittenEars
from tests.web.open_house import House, Visitor

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
        assert house.table.state.clock.running is None
        board = page.locator("#desk-white")
        await board.get_by_role("button", name="e6").press("Enter")  # empty is chosen: what stood there goes
        await page.get_by_label("Man to set").select_option("p")
        await board.get_by_role("button", name="e5").press("Enter")
        await page.locator("#desk-show-white").press("Enter")
        await page.locator("#desk-show-black").press("Enter")
        explanation = page.locator("#desk-explanations li").first
        await expect(explanation).to_contain_text("set down elsewhere")
        await expect(explanation).to_contain_text("White's board")
        for ply, move in ((1, "e4"), (2, "e6")):
            for side in ("white", "black"):
                field = page.locator(f"#desk-{side}-{ply}")
                await field.fill(move)
                await field.press("Tab")
        await expect(page.locator("#desk-answer")).to_contain_text("The scores agree")
        await expect(page.locator("#desk-answer")).to_contain_text("Every board is accounted for")
        await expect(page.locator("#desk-white-2-read")).to_contain_text("understood: e6")
        await page.locator("#desk-sheet-white").fill("1. e4 e6")
        await page.locator("#desk-sheet-black").fill("1. e4 e6")
        await page.get_by_role("button", name="Compare").press("Enter")
        await expect(page.locator("#desk-compared")).to_contain_text("The scores agree")
        await expect(page.locator("#desk-compared")).to_contain_text("Most likely: 1. e4 e6")
        assert await violations(page) == []
        await page.locator("#desk-adjust").press("Enter")
        await expect(page.locator("#desk-answer")).to_contain_text("To set on White's board: e5 empty, e6 Black pawn")
        await _set_square_by_square(house, tactile)
        for side in ("white", "black"):
            await page.locator(f"#desk-confirm-{side}").press("Enter")
        await page.locator("#desk-body").wait_for(state="hidden")
        state = house.table.state
        assert state.desk is None
        assert state.white_board.position.placement == state.black_board.position.placement == AFTER_E6
        await page.get_by_role("button", name="Go on").press("Enter")
        await expect(page.locator("#said")).to_contain_text("Done")
    assert house.table.state.clock.running is Seat.WHITE


async def _set_square_by_square(house: House, tactile: Visitor) -> None:
    """The tactile player's station, on a fresh line: the list, then one square after the other for a typed yes."""
    line = await tactile.line()
    said = await line.until(type="board_to_set")
    assert said["message"]["squares"] == [
        {"square": "e5", "should_be": None},
        {"square": "e6", "should_be": "p"},
    ]
    said = await line.until(type="square_to_set_now")
    assert " ".join(said["lines"]) == "Feld 1 von 2: Eva fuenf leer. Sagen Sie ja, wenn es so steht."
    for left in (2, None):
        await line.type("ja")
        desk = house.table.state.desk
        asked = desk.asked_of(Seat.WHITE) if desk is not None else None
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
    players = {one.seat: one.id for one in house.table.state.stations if one.role is Role.PLAYER}
    for number, seat in enumerate((Seat.WHITE, Seat.BLACK), 1):
        sound = "Bauer Eva vier".encode("utf-16-le") + b" \0" * 4_000
        await house.hall.hear(house.table, players[seat], number, sound, house.hall.clock.mono_ms())
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
        await expect(page.locator("#desk-white-1-read")).to_contain_text("not listened to yet")
        played: list[str] = []
        page.on("request", lambda one: played.append(one.url) if "/evidence/" in one.url else None)
        await page.locator("#desk-white-1-listen").press("Enter")
        await expect(page.locator("#desk-white-1-read")).not_to_contain_text("not listened to yet")
    assert house.table.state.desk is not None and (Seat.WHITE, 1) in house.table.state.desk.heard
    names = {url.rpartition("/evidence/")[2].partition("?")[0] for url in played}
    record = house.table.state.ply(1)
    assert record is not None and names == {record.utterance, record.echo_utterance}
