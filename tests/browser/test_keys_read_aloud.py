"""Two big keys, six keys, letters, and no screen reader: what the page says of them is said into the player's ear.

The test has no eyes either: it steps until the wanted words come to the server's queue for that ear.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from server.game import acts as ev
from server.game.values.words import Seat
from server.table.table import Observer
from server.voice.channel import Played, PrivateChannel
from speech.audio.sound import Sound
from speech.channels.ear import Kind
from speech.voices.voice import ORDINARY, Manner, Segment
from tests.browser.test_everything_by_keys import cell, shown_by
from tests.browser.test_pages import opened
from tests.waiting import PATIENCE_S, until
from tests.web.open_house import House, open_house

pytestmark = pytest.mark.needs("chromium")

ROUND = 20


class ShortVoice:
    """Every phrase is a few milliseconds of silence; whose voice says what is kept."""

    def __init__(self) -> None:
        self.tongues: list[tuple[str, str]] = []

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        self.tongues += [(segment.text, segment.voice_language) for segment in segments]
        return Sound(b"\0\0" * 160, 16_000)

    async def close(self) -> None:
        """Nothing to let go."""


class Heard:
    """What is queued for one ear, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: list[str] = []
        self.kinds: list[Kind] = []
        self.secret: list[bool] = []
        say = PrivateChannel.say

        def noted(channel: PrivateChannel, kind: Kind, told: Played, **more: Any) -> None:
            self.texts.append(told.text)
            self.kinds.append(kind)
            self.secret.append(told.secret)
            say(channel, kind, told, **more)

        monkeypatch.setattr(PrivateChannel, "say", noted)

    async def next(self, after: int) -> str:
        await until(lambda: len(self.texts) > after, lambda: f"nothing more was said after {self.texts[-5:]}")
        return self.texts[-1]

    async def line_of(self, page: Page, after: int) -> str:
        """What the menu shows now, once it has been said; whatever else is said meanwhile."""
        end = time.monotonic() + PATIENCE_S
        while (shown := await shown_by(page)) not in self.texts[after:]:
            assert time.monotonic() < end, f"{shown!r} is shown and was not said: {self.texts[after:]}"
            await asyncio.sleep(0.005)
        return shown

    async def until(self, part: str, after: int = 0) -> str:
        await until(
            lambda: any(part in text for text in self.texts[after:]),
            lambda: f"{part!r} was not said: {self.texts[after:]}",
        )
        return next(text for text in self.texts[after:] if part in text)


@asynccontextmanager
async def by_ear(house: House, browser: Browser, way: str) -> AsyncIterator[Page]:
    """A player's page that enters in this way; the arbiter has chosen before the game that its keys are read out."""
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    assert (await desk.do({"do": "choose_ear", "seat": "white", "read_keys": True}))["outcome"]["ok"]
    async with opened(browser, house, player, "/static/pages/icon.svg", bypass_csp=True) as watched:
        page = watched.page
        await page.add_init_script(
            f"localStorage.setItem('entry', '{way}'); localStorage.setItem('entry-other', '{way}');"
        )
        await page.goto(house.base + player.page)
        await page.locator("header .state", has_text="Connected").wait_for()
        yield page


async def stepped(page: Page, heard: Heard, *labels: str) -> None:
    """By the ear alone: the step key until each label is heard, and then the key that chooses."""
    said = ""
    for number, label in enumerate(labels, 1):
        for _ in range(ROUND):
            if said == label:
                break
            before = len(heard.texts)
            await page.keyboard.press("Space")
            said = await heard.line_of(page, before)
        assert said == label, f"{label!r} was not heard in a round: {heard.texts[-ROUND:]}"
        before = len(heard.texts)
        await page.keyboard.press("Enter")
        if number < len(labels):  # what it opened says its first line
            said = await heard.line_of(page, before)


def events_of(house: House) -> list[ev.AnyEvent]:
    """All that comes on record from now on."""
    found: list[ev.AnyEvent] = []
    house.table.observers.insert(0, Observer("test", event=found.append))
    return found


@pytest.fixture
def voice() -> ShortVoice:
    return ShortVoice()


@pytest_asyncio.fixture(loop_scope="session")
async def house(tmp_path: Path, voice: ShortVoice) -> AsyncIterator[House]:
    async with open_house(tmp_path / "data", voice=voice) as open_one:
        yield open_one


@pytest.mark.law("L182", "L192")
async def test_a_game_with_two_keys_and_ears_alone(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch, voice: ShortVoice
) -> None:
    heard, recorded = Heard(monkeypatch), events_of(house)
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    black = await (await house.station("sighted", Seat.BLACK)).line()
    async with by_ear(house, browser, "two") as page:
        for square in ("d4", "e4"):  # announced, and corrected before the press
            await stepped(page, heard, "Announce a move", "pawn", square[0], square, f"Send: pawn {square}")
            await desk.until(event="announced")
            await heard.until(f"Bauer {'David' if square == 'd4' else 'Eva'} vier")
        await stepped(page, heard, "Press the clock")
        await desk.until(event="completed")
        await black.do({"do": "say", "announcement": {"to_square": "e5"}, "act": "announce"})
        await black.do({"do": "enter_move", "uci": "e7e5"})
        await black.do({"do": "press"})
        await stepped(page, heard, "Questions; only you hear the answers", "Last move again")
        await heard.until("Eva fünf")
        await stepped(page, heard, "Adjusting, castling, clock", "Confirm the opponent's move on my board")
        await heard.until("Done.")
        await stepped(page, heard, "Announce a move", "pawn", "e", "e5", "Send: pawn e5")
        await desk.until(event="echoed")
        for asked, answer in (
            ("My time", "1 hour 30."),
            ("The whole clock", "Opponent: 1 hour 30."),
            ("My score", "Bauer Eva vier"),
        ):
            before = len(heard.texts)
            await stepped(page, heard, "Questions; only you hear the answers", asked)
            await heard.until(answer, before)
        before = len(heard.texts)
        await stepped(page, heard, "Questions; only you hear the answers", "One move of my score", "1", "Ready: 1")
        await heard.until("1: Bauer Eva vier", before)
        before = len(heard.texts)
        await black.do({"do": "offer_draw"})
        await heard.until("draw", before)
        await stepped(page, heard, "Draw, resignation, arbiter", "Decline the draw")
        await desk.until(event="draw_answered")
        await heard.until("Done.", before)
        before = len(heard.texts)
        await stepped(page, heard, "Draw, resignation, arbiter", "Resign")
        await heard.until("Do you resign? Yes or no.", before)
        await stepped(page, heard, "No")
        await desk.until(event="proposal_settled", outcome="refused")
        before = len(heard.texts)
        await stepped(page, heard, "Draw, resignation, arbiter", "Claim a draw")
        await heard.until("Your intended move?", before)
        await stepped(page, heard, "No")
        await desk.until(event="intended_stated")
        await heard.until("Done.", before)
        await stepped(page, heard, "Draw, resignation, arbiter", "Call the arbiter")
        await desk.until(event="arbiter_called")
    assert ("Press the clock", "en") in voice.tongues and ("Ihre Zeit", "en") not in voice.tongues
    told = {one.text for one in recorded if isinstance(one, ev.SpokenPrivately) and one.seat is Seat.WHITE}
    assert told & {"Announce a move", "pawn", "e4"}, "on record like all that is said to the player"
    assert told <= set(heard.texts)


async def test_six_keys_echo_each_cell_and_letters_each_letter(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = Heard(monkeypatch)
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    async with by_ear(house, browser, "chords") as page:
        for dots, said in (("15", "e"), ("256", "4"), ("2346", "2 3 4 6")):
            before = len(heard.texts)
            await cell(page, dots)
            assert await heard.next(before) == said and heard.kinds[-1] is Kind.PAGE
        await page.keyboard.press("F4")  # to letters
        await heard.until("in letters")
        before = len(heard.texts)
        await page.locator("#field").fill("")
        await heard.until("empty", before)
        for letter in "e4":
            before = len(heard.texts)
            await page.keyboard.type(letter)
            assert await heard.next(before) == letter
        await page.keyboard.press("Enter")
        await desk.until(event="announced")
        await heard.until("Eva vier")
        before = len(heard.texts)
        await page.keyboard.type("nonsense")
        await page.keyboard.press("Enter")
        await heard.until("nonsense", before + len("nonsense"))  # the refusal names the word


async def test_the_player_turns_it_on_and_off_and_then_nothing_is_said(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = Heard(monkeypatch)
    async with by_ear(house, browser, "letters") as page:
        await page.keyboard.type("*44")
        await page.keyboard.press("Enter")
        await heard.until("read out keys no")
        await expect(page.locator("#ear-read_keys")).not_to_be_checked()  # the page knows it a moment later
        before = len(heard.texts)
        await page.keyboard.type("*44")
        await page.keyboard.press("Enter")
        await heard.until("read out keys", before)
        assert "*" not in heard.texts[before:], "in between nothing of the player's keys was said"


@pytest.mark.law("L208")
async def test_what_a_player_seals_is_echoed_and_on_no_record(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, recorded = Heard(monkeypatch), events_of(house)
    monkeypatch.setattr("server.voice.teller.sealing_key", lambda state, seat: "key" if seat is Seat.WHITE else None)
    async with by_ear(house, browser, "letters") as page:
        await page.keyboard.type("e")
        await heard.until("e")
        assert heard.secret == [True] * len(heard.secret) and heard.secret
    assert not [one for one in recorded if isinstance(one, ev.SpokenPrivately) and one.text == "e"]
