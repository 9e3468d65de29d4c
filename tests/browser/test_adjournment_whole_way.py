"""An adjournment the whole way on the pages: a table opened with it, order, seal, envelope, resumption."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from server.game.values.words import Seat
from server.web.door.access import Place
from tests.browser.test_pages import opened, violations
from tests.waiting import until
from tests.web.open_house import House, Visitor, open_house
from tests.web.test_all_tables import hall_arbiter

pytestmark = pytest.mark.needs("chromium")


async def carry_out(page: Page, act: str, **fields: str | bool) -> None:
    """An act of the arbiter by its form, as a person fills it in."""
    await page.locator("#act-find").fill("")
    await page.locator("#act").select_option(act)
    for name, value in fields.items():
        field = page.locator(f"#act-{name.replace('_', '-')}")
        if isinstance(value, bool):
            await field.set_checked(value)
        elif await field.evaluate("one => one.tagName") == "SELECT":
            await field.select_option(value)
        else:
            await field.fill(value)
    await page.locator("#said").evaluate("one => { one.textContent = ''; }")
    await page.get_by_role("button", name="Apply").press("Enter")
    await page.locator("#said", has_text="Done").wait_for()


async def seated(house: House, table: str, page: str, seat: Seat) -> Visitor:
    """A player who came by the arbiter's link."""
    secret = house.access.invite(Place(table=table, page=page, seat=seat), admits=True).secret
    visitor = house.visitor()
    status, said = await visitor.post("/api/join", {"secret": secret})
    assert status == 200, said
    visitor.page = said["page"]
    return visitor


async def write_by_hand(page: Page, white: str, black: str, control: str, *ticked: str) -> None:
    """One table by hand on the page of all tables; White plays by touch."""
    await page.locator("#one-white").fill(white)
    await page.locator("#one-white-touch").check()
    await page.locator("#one-black").fill(black)
    await page.get_by_role("button", name="Add table").press("Enter")
    await page.locator("#open-control").fill(control)
    for name in ticked:
        await page.get_by_role("checkbox", name=name).press("Space")


async def open_written(page: Page, white: str) -> None:
    """Open the table that was written by hand, and go to its page."""
    await page.get_by_role("button", name="Open tables: 1").press("Enter")
    await page.locator("#glance tbody tr", has_text=white).get_by_role("link").press("Enter")
    await page.locator("#act").wait_for()
    await page.locator("header .state", has_text="Connected").wait_for()


async def start(page: Page) -> None:
    """What the start waits for is answered, and White's clock runs."""
    await page.locator("#questions input").first.check()
    await page.locator("#questions button").first.press("Enter")
    await page.locator("#said", has_text="Done").wait_for()
    await page.locator("#start").press("Enter")
    await expect(page.locator("#start")).to_be_disabled()


@pytest.mark.law("L208", "L211", "L216", "L217")
async def test_from_opening_the_table_to_the_move_after_the_envelope(tmp_path: Path, browser: Browser) -> None:
    async with open_house(tmp_path / "data") as house:
        chief = await hall_arbiter(house)
        async with opened(browser, house, chief, "/tables") as desk:
            page = desk.page
            await page.locator("#glance tbody tr").first.wait_for()
            await write_by_hand(page, "Ida", "Jo", "5400", "Games may be adjourned")
            assert await violations(page) == []
            await open_written(page, "Ida")
            await expect(page.locator("#rules")).to_contain_text("adjournments (Guidelines I)")
            table = house.hall.tables["1"]
            white, black = (
                await seated(house, "1", "tactile", Seat.WHITE),
                await seated(house, "1", "sighted", Seat.BLACK),
            )
            async with opened(browser, house, white) as sealer, opened(browser, house, black) as opponent:
                await start(page)
                await carry_out(page, "order_seal", session_left_ms="0:10:00")
                shown = page.locator("dialog.to-print", has_text=re.compile(r"does not keep it.*[a-h][1-8]", re.DOTALL))
                squares = re.findall(r"\b[a-h][1-8]\b", await shown.text_content() or "")[-16:]
                await sealer.page.locator("#field").fill("Springer Felix drei")
                await sealer.page.locator("#field").press("Enter")
                await sealer.page.locator("#last", has_text="Springer Felix drei").wait_for()
                await sealer.page.locator("#press").press("Enter")
                await opponent.page.locator("#last", has_text="adjourned").wait_for()
                assert table.state.adjournment is not None
                await until(lambda: table.state.adjournment is not None and table.state.adjournment.stage == "sealed")
                await carry_out(page, "prepare_resumption")
                await page.locator("#record", has_text="set-up list for the resumption").wait_for()
                for seat in ("white", "black"):
                    await carry_out(page, "mark_present", seat=seat)
                assert "Springer Felix" not in (await page.locator("main").text_content() or "")
                await carry_out(page, "open_envelope", code=" ".join(squares))
                last = opponent.page.locator("#last")
                await expect(last).to_have_text("The envelope was opened. Play continues.")
                await opponent.page.locator("#language").select_option("de")
                await expect(last).to_have_text("Der Umschlag wurde geöffnet. Die Partie geht weiter.")
                assert table.state.adjournment.stage == "resumed" and table.state.moves.line == ("g1f3",)
                assert table.state.time.clock.running is Seat.BLACK, (
                    "the reply is thought about on the replier's time (I.7)"
                )
                line = await black.line()
                assert (await line.do({"do": "enter_move", "uci": "g8f6"}))["outcome"]["ok"]
                assert table.state.moves.line == ("g1f3", "g8f6")
                await line.socket.close()
                for watched in (desk, sealer, opponent):
                    assert watched.complaints == []


@pytest.mark.law("L208")
async def test_at_a_table_without_it_the_arbiter_settles_it(house: House, browser: Browser) -> None:
    async with opened(browser, house, await house.arbiter()) as desk:
        page = desk.page
        await page.locator("#start").press("Enter")
        await expect(page.locator("#start")).to_be_disabled()
        await page.locator("#act").select_option("order_seal")
        await page.get_by_role("button", name="Apply").press("Enter")
        await page.locator("#said", has_text="do not provide for adjournments").wait_for()
        await carry_out(page, "settle_guidelines", adjournments=True)
        await page.locator("#rules", has_text="adjournments (Guidelines I)").wait_for(state="attached")
        await carry_out(page, "order_seal")
        await page.locator("dialog.to-print", has_text="does not keep it").wait_for()
