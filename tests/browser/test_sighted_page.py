"""The sighted player's page: what may be claimed and announced, the legend, and the opponent's words only in relay."""

from __future__ import annotations

import msgspec
import pytest
from playwright.async_api import Browser, Page, expect

from server.game.values.words import Duty, Seat
from tests.browser.test_everything_by_keys import Noted
from tests.browser.test_pages import drawn, opened, violations
from tests.game.core_table import altered
from tests.waiting import until
from tests.web.open_house import House

pytestmark = pytest.mark.needs("chromium")

TWICE = "for (const _ of [1, 2]) "
"""Before a statement of a page: a key that is pressed twice before any answer."""


@pytest.mark.law("L231")
@pytest.mark.parametrize("chess960", [True, False])
async def test_about_to_castle_is_there_in_chess960_alone(house: House, browser: Browser, chess960: bool) -> None:
    first = house.table.state.moves.positions[0]
    positions = (msgspec.structs.replace(first, chess960=chess960),)
    house.table.state = altered(house.table.state, {"moves.positions": positions})
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, await house.station("sighted", Seat.WHITE)) as watched:
        page = watched.page
        await desk.do({"do": "start_game"})
        await page.locator("summary", has_text="Draw, resignation").press("Enter")
        castle = page.get_by_role("button", name="I am about to castle")
        await expect(page.locator("#claim-open")).to_be_visible()  # what is folded is open
        await expect(castle).to_be_visible(visible=chess960)
        if chess960:
            await castle.press("Enter")
            await desk.until(event="castling_meant", seat="white")


async def test_a_player_whose_board_is_not_to_be_shown_finds_no_empty_one(house: House, browser: Browser) -> None:
    """A low-vision player's or a tactile seat's page of this kind has no board to look at: it is not there at all."""
    async with opened(browser, house, await house.station("sighted", Seat.WHITE)) as watched:
        await expect(watched.page.locator("#board")).to_be_hidden()
        assert await violations(watched.page) == []
    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        await expect(watched.page.locator("#board")).to_be_visible()


async def test_a_draw_is_claimed_by_keyboard_and_asked_about_first(house: House, browser: Browser) -> None:
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        page = watched.page
        await desk.do({"do": "start_game"})
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        claim = page.locator("#claim-open")
        await claim.press("Enter")
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("button", name="Cancel").press("Enter")
        assert house.table.state.draws.claim is None
        await claim.press("Enter")
        assert await violations(page) == []
        await dialog.get_by_role("button", name="Claim a draw").press("Enter")
        await desk.until(event="draw_claimed", seat="black")


async def test_the_opponents_words_are_large_in_relay_and_nowhere_otherwise(house: House, browser: Browser) -> None:
    """At the table the players speak to each other; the legend is always there, and needs no unfolding."""
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        page = watched.page
        await expect(page.locator("#legend li")).to_have_count(8)
        assert await page.locator("#legend li").last.is_visible()
        assert (await page.locator("#legend li").first.inner_text()).split() == ["a", "1", "Anna", "eins"]
        await desk.do({"do": "start_game"})
        await page.locator("#last", has_text="The game has started.").wait_for()
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        await page.locator(".clock.running", has_text="Black").wait_for()
        assert "Eva" not in await page.locator("#last").inner_text()
        await desk.do({"do": "record_adaptation", "name": "machine_announces", "value": "approved"})
        assert (await desk.do({"do": "set_mode", "mode": "relay"}))["outcome"]["ok"]
        await page.locator("#last", has_text="passes on the words").wait_for()
        black = await (await house.station("sighted", Seat.BLACK)).line()
        await black.type("Bauer Eva fuenf")
        await black.do({"do": "press"})
        await white.type("Bauer Eva fuenf")  # White's echo comes first
        await white.type("Springer Felix drei")
        await page.locator("#last", has_text="Springer Felix drei").wait_for()
        size = await page.evaluate("parseFloat(getComputedStyle(document.getElementById('last')).fontSize)")
        assert size >= 24


@pytest.mark.law("L104", "L109", "L133")
async def test_a_claim_names_its_kind_and_its_move_by_keys_alone(house: House, browser: Browser) -> None:
    """The sighted player claims with the move written down; the arbiter is shown where the position stood."""
    arbiter = await house.arbiter()
    desk = await arbiter.line()
    async with opened(browser, house, await house.station("sighted", Seat.WHITE)) as watched:
        page = watched.page
        await desk.do({"do": "start_game"})
        await page.locator("#claim-open").press("Enter")
        kind, move, written = (page.locator(f"#claim-{name}") for name in ("kind", "move", "written"))
        await expect(written).to_be_hidden()
        await kind.focus()
        await page.keyboard.press("Tab")
        await page.keyboard.press("ArrowDown")
        await expect(move).to_have_value("written")
        await expect(written).to_be_visible()
        await page.keyboard.press("Tab")
        await page.keyboard.type("nonsense")
        assert await violations(page) == []
        await page.keyboard.press("Enter")
        await page.locator("#claim-wrong", has_text="nonsense").wait_for()
        await expect(page.locator("#claim-written")).to_be_focused()  # to be mended
        claim = house.table.state.draws.claim
        assert claim is not None and claim.awaits and claim.kind == "repetition", "declared; its move is to come"
        await written.fill("g1 f3")
        await page.keyboard.press("Enter")
        await until(lambda: house.table.state.draws.claim is not None and not house.table.state.draws.claim.awaits)
        claim = house.table.state.draws.claim
        assert claim is not None and claim.announcement is not None and claim.announcement.to_square == "f3"
        assert not house.table.state.moves.plies and house.table.state.time.clock.running is None
    async with opened(browser, house, arbiter) as watched:
        section = watched.page.get_by_role("region", name="Draw claim")
        await section.wait_for()
        await expect(section).to_contain_text("White: The same position for the third time (9.2)")
        await expect(section).to_contain_text("1, after move 1 (White)")
        assert await violations(watched.page) == []


@pytest.mark.law("L104", "L110")
async def test_a_claim_after_one_whose_move_was_never_read_is_a_claim_again(house: House, browser: Browser) -> None:
    """The page had kept the first one in mind: the second was not sent, "Done" was said, and the clock ran on."""
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, await house.station("sighted", Seat.WHITE)) as watched:
        page = watched.page
        opening, move, leave = (page.locator(f"#claim-{name}") for name in ("open", "move", "leave"))
        sending = page.get_by_role("dialog").get_by_role("button", name="Claim a draw")
        await desk.do({"do": "start_game"})
        await opening.press("Enter")
        await move.select_option("written")
        await page.locator("#claim-written").fill("nonsense")
        await sending.press("Enter")
        await page.locator("#claim-wrong", has_text="nonsense").wait_for()
        await leave.press("Enter")
        await desk.do({"do": "rule_claim", "ruling": "wrong"})
        await page.locator("#last", has_text="Your claim is incorrect.").wait_for()
        assert (told := await desk.do({"do": "resume"}))["outcome"]["ok"], told
        await opening.press("Enter")
        await move.select_option("none")
        await sending.press("Enter")
        await until(lambda: house.table.state.draws.claim is not None)
        assert house.table.state.time.clock.running is None


@pytest.mark.law("L104", "L109")
async def test_who_has_claimed_may_still_say_that_no_move_is_meant(house: House, browser: Browser) -> None:
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, await house.station("sighted", Seat.WHITE)) as watched:
        page = watched.page
        move, sending = page.locator("#claim-move"), page.locator("#claim .first")
        await desk.do({"do": "start_game"})
        await page.locator("#claim-open").press("Enter")
        await move.select_option("written")
        await page.locator("#claim-written").fill("nonsense")
        await sending.press("Enter")
        await page.locator("#claim-wrong", has_text="nonsense").wait_for()
        await move.select_option("none")
        await sending.press("Enter")
        await page.locator("#last", has_text="No move stated. The arbiter decides.").wait_for()
        claim = house.table.state.draws.claim
        assert claim is not None and not claim.awaits and claim.announcement is None


@pytest.mark.law("L104", "L109")
async def test_enter_twice_claims_once_and_sends_the_move_once(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted, desk = Noted(house, monkeypatch), await (await house.arbiter()).line()
    async with opened(browser, house, await house.station("sighted", Seat.WHITE)) as watched:
        page = watched.page
        await desk.do({"do": "start_game"})
        await page.locator("#claim-open").press("Enter")
        await page.locator("#claim-move").select_option("written")
        await page.locator("#claim-written").fill("g1 f3")
        await page.evaluate(TWICE + "document.getElementById('claim').requestSubmit()")
        await until(lambda: (claim := house.table.state.draws.claim) is not None and not claim.awaits)
        await page.locator("#claim-box").wait_for(state="hidden")
        await page.locator("#field").fill("time")
        await page.locator("#field").press("Enter")
        await expect(page.locator("#last")).to_contain_text("minutes")  # all that was sent before has come
        sent = [one["do"] for one in noted.said if isinstance(one, dict)]
        assert sent.count("claim_draw") == sent.count("say") == 1


@pytest.mark.law("L182")
@pytest.mark.parametrize(("page", "duties"), [("sighted", ()), ("assistant", (Duty.ANNOUNCE,))])
async def test_enter_twice_before_the_answer_says_the_words_once(
    house: House, browser: Browser, page: str, duties: tuple[Duty, ...]
) -> None:
    """A repetition that was said twice would be the player's own move at the press; after the answer it may be said."""
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    async with opened(browser, house, await house.station(page, Seat.BLACK, *duties)) as watched:
        field = watched.page.locator("#field")
        await desk.do({"do": "start_game"})
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        for again in (False, True):
            await field.fill("Bauer Eva vier")
            await watched.page.evaluate(TWICE + "document.getElementById('say').requestSubmit()")
            await expect(field).to_have_value("")
            record = house.table.state.ply(1)
            assert record is not None and record.echoed and (record.echo_again is not None) is again
    assert [one.kind for one in await house.hall.journal.read("demo")].count("echoed") == 2


async def drag(page: Page, start: str, end: str) -> None:
    """Draw a man from square to square with a real pointer, and let it go."""
    await drawn(page)
    places = [await page.locator("#board button", has_text=one).bounding_box() for one in (start, end)]
    (a, b) = [(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2) for one in places if one is not None]
    await page.mouse.move(*a)
    await page.mouse.down()
    await page.mouse.move(*b, steps=4)
    await page.mouse.up()


@pytest.mark.parametrize("size", [(768, 1024), (1000, 768), (1280, 720)])
async def test_no_square_moves_under_the_hand_as_a_line_comes_or_goes(
    house: House, browser: Browser, size: tuple[int, int]
) -> None:
    """A move made by hand can be put back, and the bar says so: the next move is made where the board stood before."""
    desk = await (await house.arbiter()).line()
    viewport = {"width": size[0], "height": size[1]}
    async with opened(browser, house, await house.station("sighted", Seat.BLACK), viewport=viewport) as watched:
        page = watched.page
        await desk.do({"do": "start_game"})
        white = await (await house.station("tactile", Seat.WHITE)).line()
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        await page.locator(".clock.running", has_text="Black").wait_for()
        await drawn(page)
        stood = await page.locator("#board").bounding_box()
        await drag(page, "e2", "e4")
        await page.locator("#due", has_text="Put back").wait_for()
        await drawn(page)
        assert await page.locator("#board").bounding_box() == stood
        assert await page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert await violations(page) == []


@pytest.mark.law("L033", "L038")
async def test_a_man_is_dragged_legal_or_not_put_back_and_set_up_again_as_the_arbiter_restores(
    house: House, browser: Browser
) -> None:
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        page = watched.page
        marked, went = page.locator("#board .marked"), page.locator("#board .went-to")
        await desk.do({"do": "start_game"})
        white = await (await house.station("tactile", Seat.WHITE)).line()
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        await page.locator(".clock.running", has_text="Black").wait_for()
        await drag(page, "e2", "e4")
        await page.locator("#last", has_text="pawn e2 to e4 made on your board").wait_for()
        await expect(went).to_contain_text("e4 White pawn")
        # No move of a king; it stands where it was let go, and nothing is said of that.
        await drag(page, "e8", "e5")
        await page.locator("#last", has_text="On your board: king e8 to e5. Now announce it.").wait_for()
        assert await violations(page) == []
        await page.get_by_role("button", name="Put back").click()
        await page.locator("#last", has_text="Put back: the board is as it was before.").wait_for()
        await page.locator("#board button", has_text="e8 Black king").wait_for()
        await expect(went).to_contain_text("e4 White pawn")  # the last move is White's again
        assert not [one for one in house.table.state.rulings.unsettled if one.alert.kind == "board_odd"]
        await drag(page, "e7", "e7")  # not moved: chosen by a tap, and not by a man in the hand
        await page.keyboard.press("Escape")
        await drag(page, "e7", "e5")
        await page.locator("#last", has_text="On your board: pawn e7 to e5. Now announce it.").wait_for()
        await page.locator("#board button", has_text="e5 Black pawn").wait_for()
        await page.locator("#press").click()
        await expect(page.locator("#due")).to_be_hidden()
        await desk.do({"do": "pause"})
        await desk.do({"do": "restore_to", "ply": 1, "times": "leave", "reason": "noise"})
        await expect(marked).to_have_count(2)
        await expect(marked).to_contain_text(["e5 empty, to be set so", "e7 Black pawn, to be set so"])
        assert await violations(page) == []
        await page.get_by_role("button", name="Set", exact=True).click()
        await expect(marked).to_have_count(0)
        # What the hand did last gives way to the result, which is to be approved.
        await desk.do({"do": "resume"})
        await drag(page, "e7", "e5")
        await expect(page.locator("#due")).to_contain_text("Put back")
        await desk.do({"do": "rule_result", "result": "1-0", "reason": "flag", "article": "6.9"})
        await expect(page.locator("#due")).to_contain_text("Approve")
        await expect(page.locator("#due")).not_to_contain_text("Put back")
        assert watched.complaints == []


async def test_the_cell_that_was_chosen_is_written_whatever_comes_into_the_score_meanwhile(
    house: House, browser: Browser
) -> None:
    await (await (await house.arbiter()).line()).do({"do": "start_game"})
    black = await house.station("sighted", Seat.BLACK)
    async with opened(browser, house, black) as watched:
        page, elsewhere = watched.page, await black.line()
        white = await (await house.station("tactile", Seat.WHITE)).line()
        for line, words in ((white, "Bauer Eva vier"), (elsewhere, "Bauer Eva fuenf"), (white, "Springer Felix drei")):
            await line.type(words)
            await line.do({"do": "press"})
        cells, text = page.locator("#score tbody td"), page.locator("#cell-text")
        await elsewhere.do({"do": "write_score", "index": 1, "text": "d4"})
        await expect(cells).to_have_text(["1.", "d4", ""])
        await page.locator("#cell").fill("1")
        await page.locator("#cell-side").select_option("white")
        await elsewhere.do({"do": "write_score", "index": 2, "text": "e5"})
        await expect(cells).to_have_text(["1.", "d4", "e5"])
        await text.fill("e4")
        await text.press("Enter")
        await expect(cells).to_have_text(["1.", "e4", "e5"])
        await expect(text).to_have_value("")
        await text.fill("Nf3")
        await elsewhere.do({"do": "write_score", "index": 3, "text": "Nc3"})
        await expect(cells).to_have_text(["1.", "e4", "e5", "2.", "Nc3", ""])
        await text.press("Enter")
        await expect(cells).to_have_text(["1.", "e4", "e5", "2.", "Nf3", ""])
        assert watched.complaints == []


async def test_a_man_that_goes_while_it_is_chosen_leaves_the_board_in_use(house: House, browser: Browser) -> None:
    """It was still in the hand of the page, which then took no other man."""
    desk = await (await house.arbiter()).line()
    black = await house.station("sighted", Seat.BLACK)
    async with opened(browser, house, black) as watched:
        page = watched.page
        await desk.do({"do": "start_game"})
        white = await (await house.station("tactile", Seat.WHITE)).line()
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        chosen = page.locator("#board [aria-pressed=true]")
        await page.locator("#board button", has_text="e7 Black pawn").click()
        await expect(chosen).to_contain_text("e7")
        line = await black.line()
        assert (await line.do({"do": "enter_move", "uci": "e7e5"}))["outcome"]["ok"]
        await page.locator("#board button", has_text="e5 Black pawn").wait_for()
        await expect(chosen).to_have_count(0)
        await page.locator("#board button", has_text="g8 Black knight").click()
        await expect(chosen).to_contain_text("g8")
        assert watched.complaints == []


async def test_an_answer_calls_nobody_back_to_the_field(house: House, browser: Browser) -> None:
    """Who sent their words and went on to a button stays there: Enter is for the button."""
    desk = await (await house.arbiter()).line()
    async with opened(browser, house, await house.station("sighted", Seat.WHITE)) as watched:
        page, field = watched.page, watched.page.locator("#field")
        await desk.do({"do": "start_game"})
        await field.fill("Bauer Eva vier")
        await page.evaluate(
            "document.getElementById('say').requestSubmit(); document.getElementById('large-clock').focus()"
        )
        await expect(field).to_have_value("")
        await expect(page.locator("#large-clock")).to_be_focused()


@pytest.mark.law("L191")
async def test_a_hand_that_slips_on_the_screen_announces_nothing_and_the_arbiter_is_told(
    house: House, browser: Browser
) -> None:
    """Black announces h6 and puts h5: White's next words are White's next move, and so in White's own score."""
    desk = await (await house.arbiter()).line()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    async with opened(browser, house, await house.station("sighted", Seat.BLACK)) as watched:
        page = watched.page
        await desk.do({"do": "start_game"})
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        for words in ("Bauer Eva vier", "Bauer Hector sechs"):
            await page.locator("#field").fill(words)
            await page.locator("#field").press("Enter")
            await page.locator("#last", has_text=words).wait_for()
        await white.type("Bauer Hector sechs")
        await drag(page, "h7", "h5")
        await page.locator("#last", has_text="On your board: pawn h7 to h5").wait_for()
        await desk.until(event="alerted", kind="board_differs")
        await page.locator("#press").click()
        await desk.until(event="completed", seat="black")
        await white.type("Bauer David vier")
        await white.do({"do": "press"})
        await desk.until(event="completed", seat="white")
        state = house.table.state
        assert [one.text for one in state.moves.plies[1:]] == ["Bauer Hector sechs", "Bauer David vier"]
        assert [cell.text if cell else "" for cell in state.scores.white] == [
            "Bauer Eva vier",
            "Bauer Hector sechs",
            "Bauer David vier",
        ]
        assert state.moves.line[1] == "h7h6" and "differ" not in await page.locator("#last").inner_text()
