"""The training page in a real browser: by keyboard alone, in lines of forty cells, and by voice."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, Route, expect

from server.game import acts as cmd
from server.game.exercises import Kind, task_of
from server.game.values.words import Seat
from server.stations.practice import load_endings, solution
from server.wording.words import scheme_of
from speech.hearing.hearing import Hearing
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from tests.browser.speaking import Speaker
from tests.browser.test_pages import later, opened, violations
from tests.web.open_house import House, open_house
from tests.web.test_all_tables import open_tables
from tests.web.test_training_page import player_of

pytestmark = pytest.mark.needs("chromium")

POSITIONS = load_endings()


def tasks_of(page: Page) -> list[str]:
    """The addresses of the tasks that the page asks for from now on; each is there before its task is shown."""
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/task?" in one.url else None)
    return asked


def answer_of(asked: list[str], kind: Kind, language: str = "en") -> str:
    """A right answer to the task that was asked for last, which is one of this kind."""
    query = dict(part.split("=") for part in asked[-1].partition("?")[2].split("&"))
    assert query["kind"] == kind
    return solution(task_of(kind, query["seed"], int(query["number"]), POSITIONS), scheme_of("d21", language))


async def test_a_player_practises_by_the_keyboard_alone(house: House, browser: Browser) -> None:
    anna = await house.station("tactile", Seat.WHITE)
    size = {"width": 320, "height": 700}
    async with opened(browser, house, anna, "/training", requests=True, viewport=size) as watched:
        page, asked = watched.page, tasks_of(watched.page)
        await expect(page.locator("#kept")).to_have_text("Kept for Anna alone.")
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320
        assert await violations(page) == []
        await page.get_by_label("Exercise").select_option("endings")
        await expect(page.locator("[aria-live=polite]")).to_contain_text("mate in one move.")
        lines = await page.locator("#cells li").all_text_contents()
        assert lines and all(len(line) <= 40 for line in lines)
        await expect(page.locator("#board")).to_be_hidden()  # it is solved without sight of the board
        field = page.get_by_label("Your answer")
        await field.fill(answer_of(asked, "endings"))
        await field.press("Enter")
        await expect(page.locator("#told")).to_have_text("Right.")
        await expect(page.locator("[aria-live=polite]")).to_contain_text("Right.")
        await expect(page.locator("#board")).to_be_visible()
        assert await violations(page) == []
        await field.press("Enter")  # what was answered leads to the next one
        await expect(page.locator("#told")).to_have_text("")
        await expect(field).to_be_focused()
        await field.fill("no move")
        await field.press("Enter")
        await expect(page.locator("#told")).to_have_text("No: " + answer_of(asked, "endings") + ".")
        await expect(page.locator("#here")).to_have_text("On this page: 1 of 2 right.")
        await expect(page.locator("#scores li")).to_have_text("endings: 1 of 2 right.")
        assert watched.complaints == [] and watched.foreign == []
    # Never at a rated table: its player's device reads one sentence, and nothing else is there.
    await open_tables(house, "r1-b1")
    async with opened(browser, house, await player_of(house, "r1-b1"), "/training") as shut:
        await expect(shut.page.locator("#notice")).to_contain_text("cannot open the training page")
        await expect(shut.page.locator("#training")).to_be_hidden()


async def test_a_task_that_comes_late_is_not_put_over_a_newer_one(house: House, browser: Browser) -> None:
    late = asyncio.Event()

    async def held(route: Route) -> None:
        await late.wait()
        await route.continue_()

    async with opened(browser, house, house.visitor(), "/training") as watched:
        page, asked = watched.page, tasks_of(watched.page)
        await expect(page.locator("#task")).not_to_be_empty()
        await page.route("**/task?*number=1&*", held)
        await page.get_by_label("Exercise").select_option("names")
        async with page.expect_response("**/task?*number=1&*") as older:
            async with page.expect_response("**/task?*number=2&*"):
                await page.locator("#next").click()
            await expect(page.get_by_label("Your answer")).to_be_focused()
            await page.get_by_label("Your answer").fill(answer_of(asked, "names"))
            stood = await page.locator("#task").inner_text()
            late.set()
        await (await older.value).finished()
        await page.evaluate("() => new Promise((done) => setTimeout(done))")
        assert await page.locator("#task").inner_text() == stood
        await page.get_by_label("Your answer").press("Enter")
        await expect(page.locator("#told")).to_have_text("Right.")


async def test_a_task_that_is_asked_for_before_it_is_put_is_told_then(house: House, browser: Browser) -> None:
    """A page that was only opened tells nothing; who has asked for the task by then hears it."""
    async with opened(browser, house, house.visitor(), "/training") as watched:
        page, told = watched.page, watched.page.locator("[aria-live=polite]")
        for asks in (False, True):
            answers = asyncio.Event()
            await page.route("**/task?*", partial(later, answers))
            await page.reload()
            await page.locator("#kind option").nth(1).wait_for(state="attached")
            if asks:
                await page.locator("#again").press("Enter")
            answers.set()
            await expect(page.locator("#task")).not_to_be_empty()
            task = await page.locator("#task").inner_text()
            await expect(told).to_have_text(task if asks else "")


async def test_a_player_practises_by_voice_alone(tmp_path: Path, browser: Browser) -> None:
    """What the player says is real sound, heard by the real recognisers; what the page says is the real voice's."""
    hearing, voice = Hearing(patient=True), Pyttsx3Voice()
    await hearing.start()
    try:
        async with (
            open_house(tmp_path / "data", ears=hearing, voice=voice) as house,
            opened(browser, house, house.visitor(), "/training") as watched,
        ):
            page, asked = watched.page, tasks_of(watched.page)
            await page.evaluate("localStorage.setItem('language', 'de')")
            player = await Speaker.at(page, voice)
            async with page.expect_response("**/api/training/sound*") as spoken:
                await page.get_by_role("button", name="Vorlesen").press("Enter")
            assert int((await (await spoken.value).all_headers())["content-length"]) > 1_000
            async with page.expect_request("**/api/training/sound*number=1*"):  # it is said once it is put
                await page.get_by_label("Übung").select_option("announcing")
            await page.locator("#task", has_text="ansagen").wait_for()
            right = answer_of(asked, "announcing", "de")
            async with page.expect_response("**/api/training/sound*what=answer*") as told:
                await player.ask(right, "text", right)
                await page.locator("#told", has_text="Verstanden: ").wait_for()
                if "noch einmal" in (await page.locator("#told").text_content() or ""):
                    await player.ask("ja", "aside", "yes")  # it was read back, as at a table
            await expect(page.locator("#told")).to_contain_text("Richtig.")
            assert int((await (await told.value).all_headers())["content-length"]) > 1_000
            await expect(page.locator("#here")).to_have_text("Auf dieser Seite: 1 von 1 richtig.")
            # The same voice at the spectators' page: a board, and back to all boards.
            await house.table.own(house.table.program_command(cmd.ShowToSpectators(show=True)))
            await page.goto(f"{house.base}/hall")
            await page.locator("#boards li").wait_for()
            async with page.expect_response("**/api/hall/demo/sound*") as answered:
                await player.ask("mein Zug eins", "do", "board")
            assert int((await (await answered.value).all_headers())["content-length"]) > 500
            await expect(page.locator("#game-title")).to_contain_text("Anna – Hector")
            await player.ask("nein", "do", "all")
            await expect(page.locator("#game")).to_be_hidden()
            assert watched.complaints == []
    finally:
        await hearing.close()
        await voice.close()
