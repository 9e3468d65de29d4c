"""Orca, the screen reader, under Xvfb: what a player needs is really spoken, and is on a display of forty cells."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Playwright, expect

from server.exports.words.correction import texts_to_correct
from server.exports.words.page import page_of
from server.game.state.state import GameState
from server.game.values.words import Seat
from speech.words.catalogue import load_messages
from speech.words.loading import load_language
from tests.browser.conftest import ARGS
from tests.browser.screen_reader import CHROMIUM, reading
from tests.browser.test_pages import opened
from tests.conftest import chromium_path
from tests.waiting import PATIENCE_MS, until
from tests.web.open_house import Visitor, open_house

pytestmark = [pytest.mark.needs("chromium", "orca", "brltty"), pytest.mark.slow]


@pytest.mark.law("L195")
async def test_moves_the_clock_and_corrections_are_spoken_and_stand_on_the_braille_display(
    tmp_path: Path, playwright: Playwright
) -> None:
    async with reading(tmp_path) as orca, open_house(tmp_path / "data") as house:
        desk = await (await house.arbiter()).line()
        black = await (await house.station("sighted", Seat.BLACK)).line()
        approved = {"do": "record_adaptation", "name": "machine_announces", "value": "on", "approved": True}
        for body in (approved, {"do": "set_mode", "mode": "relay"}):
            assert (await desk.do(body))["outcome"]["ok"]
        browser = await playwright.chromium.launch(
            timeout=PATIENCE_MS,
            executable_path=chromium_path(screen=True),
            headless=False,
            args=[*ARGS, *CHROMIUM],
            env=dict(orca.environment),
        )
        async with opened(browser, house, await house.station("tactile", Seat.WHITE)) as white:
            await orca.to_front("Announcement, repetition or question")
            await orca.answers("Your time:", "type", "--delay", "20", "time\n")
            await desk.do({"do": "start_game"})
            await orca.says("The game has started.")

            # White's own move, typed: read back to the ear, and to the finger.
            await orca.types("Bauer Eva vier")
            await orca.says("Bauer Eva vier")
            await orca.brailles("Bauer Eva vier")
            await orca.shown(" Bauer Eva vier")
            await orca.xdotool("key", "ctrl+Return")
            await orca.says("Pressed.")
            await desk.until(event="completed")

            # The opponent's announcement, carried by the server; then Black's correction (D.2.8).
            await black.type("Bauer Eva vier")
            await black.type("Bauer Eva fuenf")
            await orca.says("Bauer Eva fünf")
            await orca.brailles("Bauer Eva fünf")
            await black.type("Bauer David fuenf")
            await orca.says("Bauer David fünf")
            assert (await black.do({"do": "press"}))["outcome"]["ok"]
            await desk.until(event="completed")

            # White's echo, in the very words that White heard last, is read back nevertheless.
            mark = orca.mark()
            await orca.types("Bauer David fuenf")
            await orca.says("Bauer David fünf", mark)
            # The longest announcement has no room beside the blank that Orca puts before it: the short form.
            await orca.types("Bauer Hector sieben schlaegt Gustav acht Springer Schach")
            await orca.says("h7g8N")
            await orca.brailles("h7g8N")
            await orca.shown(" h7g8N")
            # A slip of the tongue, corrected before the press (D.2.8).
            mark = orca.mark()
            await orca.types("Springer Felix drei")
            assert await orca.says("Springer Felix drei", mark) == "Springer Felix drei"

            # The clock, at White's request; and set anew by the arbiter.
            await orca.types("time")
            assert (await orca.says("Your time:", mark)).startswith("Your time: 1 hour")
            await orca.brailles("Your time: 1 hour", mark)
            mark = orca.mark()
            await desk.do({"do": "correct_clock", "seat": "white", "ms": 3_900_000, "reason": "6.10.2"})
            await orca.says("The arbiter has set the clock.", mark)

            # What flashed by can be gone back to: the last message is text in the order of the page.
            mark = orca.mark()
            await white.page.locator("#last").focus()
            last = await white.page.locator("#last").inner_text()
            assert len(await orca.brailles(last, mark)) <= 40
            assert len(max(orca.brailled(), key=len)) <= 40
            assert white.complaints == []
        await browser.close()


@pytest.mark.law("L080", "L113", "L197")
async def test_an_arbiter_settles_three_incidents_of_a_whole_game_by_keys_alone(
    tmp_path: Path, playwright: Playwright
) -> None:
    """An illegal move, a claim, differing boards, then the mate: reached by one key, settled by Tab and Enter."""
    async with reading(tmp_path) as orca, open_house(tmp_path / "data") as house:
        white, black = await house.station("tactile", Seat.WHITE), await house.station("sighted", Seat.BLACK)
        await (await (await house.arbiter()).line()).do({"do": "start_game"})

        def state() -> GameState:
            return house.table.state

        # A line that nobody reads answers no ping and is closed: each is opened when it is wanted.
        async def moves(mover: Visitor, words: str, other: Visitor | None = None) -> None:
            line = await mover.line()
            await line.type(words)
            assert (await line.do({"do": "press"}))["outcome"]["ok"]
            if other is not None:
                await (await other.line()).type(words)

        async def chooses(act: str, key: str = "Tab") -> None:
            mark = orca.mark()
            await orca.xdotool("key", key)
            await orca.says(act, mark)

        async def reaches(told: str, since: int, *acts: str) -> None:
            """The alert is told by itself; F2 leads to it from anywhere, Tab to its acts, one after the other."""
            await orca.says(told, since)
            assert [told in one for one in orca.spoken(since)].count(True) == 1, "told once"
            mark = orca.mark()
            await orca.xdotool("key", "F2")
            await orca.says(told, mark)
            line = await orca.brailles(told, mark)
            assert line.startswith(told) and len(line) <= 40, "what is urgent is first on the braille display"
            for act in acts:
                await chooses(act)

        async def searches(words: str, act: str) -> None:
            """An act is found by its word: its form comes with its first field."""
            mark = orca.mark()
            await chooses("Find by word or article entry", "slash")
            await orca.says("Focus mode", mark)  # before it, a letter is a command of Orca: "c" leads to the next list
            mark = orca.mark()
            await orca.xdotool("type", "--delay", "20", words)
            await orca.says(act, mark)
            await expect(watched.page.locator("#act-find")).to_have_value(words)
            await orca.xdotool("key", "Return")
            await expect(watched.page.locator("#act-form :focus")).to_be_visible()

        browser = await playwright.chromium.launch(
            timeout=PATIENCE_MS,
            executable_path=chromium_path(screen=True),
            headless=False,
            args=[*ARGS, *CHROMIUM],
            env=dict(orca.environment),
        )
        async with opened(browser, house, await house.arbiter()) as watched:
            await orca.to_front("Finished loading")
            await orca.answers("White: 1 hour", "key", "F4")
            # An illegal move (7.5.1): ruled on, and taken back.
            mark = orca.mark()
            await moves(white, "Bauer Felix zwei Felix fuenf")
            await orca.shown(" The announced move is not legal (move 1")
            await reaches("The announced move is not legal", mark, "It happened")
            mark = orca.mark()
            await orca.xdotool("key", "Return")
            await until(lambda: state().time.clock.running is None)
            await orca.says("Do all steps", mark)
            mark = orca.mark()
            await orca.xdotool("key", "Return")
            await until(lambda: state().rulings.illegals != () and state().made_plies == 0)
            await orca.says("To set on White's board: f2 White pawn, f5 empty", mark)
            for _ in range(2):
                await (await white.line()).type("ja")
            mark = orca.mark()
            await orca.xdotool("key", "F2")
            await orca.says("The announced move is not legal", mark)
            await orca.brailles("The announced move is not legal", mark)
            await chooses("Resume clocks")
            await orca.xdotool("key", "Return")
            await until(lambda: state().time.clock.running is Seat.WHITE)
            await expect(watched.page.locator("#alerts-title")).to_be_focused()  # its card is gone from the page too
            # A claim (9.5): the arbiter hears the clocks, and rules that it is wrong.
            await moves(white, "Bauer Felix drei", black)
            await moves(black, "Bauer Eva fuenf", white)
            mark = orca.mark()
            await (await white.line()).do({"do": "claim_draw", "kind": "fifty_moves"})
            await orca.says("Draw claimed", mark)
            await orca.xdotool("key", "F4")
            assert "White: 1 hour" in await orca.says("Black: 1 hour", mark)
            await orca.brailles("White: 1 hour", mark)
            await reaches("Draw claimed", mark, "Claim correct", "Claim incorrect")
            await orca.xdotool("key", "Return")
            await until(lambda: state().draws.claim is None)
            await searches("resume", "Resume clocks")
            await orca.xdotool("key", "Return")
            await until(lambda: state().time.clock.running is Seat.WHITE)
            # Boards that differ (D.2.9): more urgent than what still waits from the claim.
            await moves(white, "Bauer Gustav vier", black)
            mark = orca.mark()
            await (await black.line()).do({"do": "execute", "uci": "g2g3"})
            await reaches("Board does not match", mark, "The board is now correct: Black")
            await orca.xdotool("key", "Return")
            await until(
                lambda: state().moves.black_board.position.placement == state().moves.white_board.position.placement
            )
            # The mate ends the game.
            mark = orca.mark()
            await moves(black, "Dame Hector vier")
            await reaches("Checkmate", mark, "Confirm checkmate")
            mark = orca.mark()
            await orca.xdotool("key", "Return")
            await orca.says("Black wins", mark)
            mark = orca.mark()  # while the question is open
            await (await white.line()).do({"do": "call_arbiter", "reason": "", "stop": False})
            await orca.says("The arbiter has been called", mark)
            await chooses("Yes")
            await orca.xdotool("key", "Return")
            await until(lambda: state().ending.result == "0-1")
            assert watched.complaints == []
        await browser.close()


async def test_a_native_hears_each_text_with_its_english_and_reviews_it_by_keys(
    tmp_path: Path, playwright: Playwright
) -> None:
    """The page of the words, in a language from the left and in one from the right."""
    async with reading(tmp_path) as orca:
        browser = await playwright.chromium.launch(
            timeout=PATIENCE_MS,
            executable_path=chromium_path(screen=True),
            headless=False,
            args=[*ARGS, *CHROMIUM],
            env=dict(orca.environment),
        )
        for tag in ("hu", "ar"):
            file = tmp_path / f"{tag}.html"
            file.write_text(page_of(tag, sound=False), encoding="utf-8")
            words = load_messages(tag, part="proof")
            (_, first), (key, second) = list(texts_to_correct(tag).items())[:2]
            page = await browser.new_page()
            await page.goto(file.as_uri())
            title = words.text("proof.title", language=load_language(tag).native_name)
            await orca.to_front(title[:12])  # as much of it as the display surely holds
            await page.locator("#chapters button").first.focus()
            since = orca.mark()
            await orca.xdotool("key", "Return")
            await orca.says(first[""], since)
            await orca.says("From which square?", since)
            since = orca.mark()
            await orca.xdotool("key", "Tab")
            await orca.says(words.text("page.right"), since)
            await orca.says(words.text("page.verdict"), since)
            since = orca.mark()
            await orca.xdotool("key", "space", "Return")
            await orca.says(second[""], since)
            await expect(page.locator("#where")).to_contain_text(key)
            await page.close()
        await browser.close()
