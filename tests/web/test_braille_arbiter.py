"""An arbiter's braille display at a running server: what is urgent first, acts by routing keys, clocks, last move."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from server.game.values.words import Seat
from server.protocol import Numbered
from server.stations.arbiter.cards import CardShown, OfferShown, StepOfCard, acts_of, is_whole
from server.stations.arbiter.station import ArbiterBrailleStation
from server.stations.braille import join
from server.stations.braille_display import BrailleDisplay, Key, Routed
from server.stations.pinned_client import pinned_session
from server.web.door.access import Place
from server.wording.pages import page_words
from speech.words.config_file import language_tags
from tests.braille.emulated_display import Brltty
from tests.browser.screen_reader import cells
from tests.waiting import PATIENCE_S, until
from tests.web.open_house import House
from tests.web.test_braille_station import Shown


@asynccontextmanager
async def station(house: House, display: BrailleDisplay, language: str = "en") -> AsyncIterator[ArbiterBrailleStation]:
    """An arbiter's display that the table's first arbiter has admitted."""
    arbiter = await house.arbiter()
    invitation = house.access.invite(Place(table="demo", page="arbiter"))
    async with pinned_session(None) as session:
        marks: list[str] = []
        joining = asyncio.create_task(join(session, house.base, " ".join(invitation.squares), marks.append))
        await until(lambda: bool(marks))
        _, waiting = await arbiter.get("/api/introductions?version=0")
        await arbiter.post(f"/api/introductions/{waiting['waiting'][0]['id']}", {"admit": True})
        query = await joining
        assert query.startswith("page=arbiter&")
        running = asyncio.create_task(
            (one := ArbiterBrailleStation(session, house.base, query, display, language=language)).run()
        )
        try:
            yield one
        finally:
            running.cancel()
            (ended,) = await asyncio.gather(running, return_exceptions=True)
            assert isinstance(ended, asyncio.CancelledError), ended


@pytest.mark.law("L113", "L135")
async def test_what_is_urgent_stands_first_and_its_act_is_given_by_a_routing_key(house: House) -> None:
    display = Shown()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    desk = await (await house.arbiter()).line()
    async with station(house, display):
        await until(lambda: display.text == "White 1:30:30 Black 1:30:30")
        await desk.do({"do": "start_game"})
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        await black.type("Bauer Eva vier")
        # An alert that can wait is read when it comes first; a claim takes its place at once.
        await desk.do({"do": "note_supervision", "games": 3})
        await black.do({"do": "claim_draw", "kind": "fifty_moves"})
        await until(lambda: display.text.startswith("1/") and "! Draw claimed 9.5" in display.text)

        async def key(one: Key, to: str) -> None:
            display.keys.append(one)
            await until(lambda: to in display.text)

        await key(Key.RIGHT, "Black claims a draw")
        await key(Key.BOTTOM, "Claim correct  Claim incorrect")
        display.keys.append(Routed(display.text.index("Claim incorrect")))
        await until(lambda: display.text == "Confirm Claim incorrect?")
        assert house.table.state.draws.claim is not None, "a finger may slip"
        await key(Key.RIGHT, "yes  no")
        display.keys.append(Routed(display.text.index("yes")))
        await until(lambda: house.table.state.draws.claim is None)
        # The incident is over when the clocks run: by the same keys.
        await until(lambda: display.text.startswith("1/2! Draw claimed"))
        await key(Key.BOTTOM, "Resume clocks  Undo all of it")
        display.keys.append(Routed(display.text.index("Resume")))
        await key(Key.RIGHT, "yes  no")
        display.keys.append(Routed(display.text.index("yes")))
        await until(lambda: display.text.startswith("1/1 The claim is incorrect"))
        # Behind the last alert: both clocks in one line of at most forty cells, and the last move.
        for _ in range(len(house.table.state.rulings.unsettled) + 1):
            if display.text.startswith("White "):
                break
            before = display.text
            display.keys.append(Key.DOWN)
            await until(lambda: display.text != before)  # noqa: B023
        assert display.text.startswith("White 1:3") and len(display.text) <= 40
        await key(Key.RIGHT, "1. ")
        assert max(map(len, display.all)) <= 40
        # A word that needs no yes: the alert is put off, and the display goes on.
        await key(Key.UP, "/")
        await key(Key.BOTTOM, "Acknowledge")
        left = len(house.table.state.rulings.unsettled)
        display.keys.append(Routed(display.text.index("Acknowledge")))
        await until(lambda: len(house.table.state.rulings.unsettled) < left)


@pytest.mark.law("L080")
def test_a_display_has_every_act_of_a_card_and_each_fits_forty_cells() -> None:
    """All steps at once, each step alone, taking back, and the results that the page asks for in a form."""
    back = {"do": "restore_to", "ply": 2}
    card = CardShown(
        numbers=(1,), kind="not_legal", ply=3, grey=False, at_once=True, how="", text="", article="7.5.1",
        offers=(
            OfferShown("settle_all", {"do": "settle_incident", "numbers": [1], "steps": [back]}, form=False, who=None),
            OfferShown("take_back", back, form=True, who=None),
            OfferShown("mend", {"do": "mend", "ply": 3}, form=True, who=None),
            OfferShown("result", {"do": "rule_result"}, form=True, who=None),
        ),
        steps=(StepOfCard("illegal", {"do": "rule_irregularity"}, done=False, who=Seat.WHITE),),
    )  # fmt: skip
    acts = acts_of(card, page_words("en"))
    assert acts["Restore the earlier position"] == (back, True)
    assert {"Do all steps", "Illegal move: White", "Set the result: 1-0", "Set the result: 1/2-1/2"} <= set(acts)
    body, _ = acts["Correct the server's game"]
    assert not is_whole(body), "which move it was is asked for"
    for tag in language_tags():
        words = page_words(tag)
        named = {key.removeprefix("settle."): text for key, text in words.items() if key.startswith("settle.")}
        long = {name: text for name, text in named.items() if len(text) > 40}
        assert long == {}, tag


@pytest.mark.law("L080", "L113")
async def test_an_act_that_no_card_offers_is_typed_on_the_display_or_the_computer(house: House) -> None:
    """Found by the finder's words, filled in field by field, given after a yes; Escape and an arrow leave it."""
    display = Shown()
    desk = await (await house.arbiter()).line()
    async with station(house, display) as one:
        await until(lambda: display.text == "White 1:30:30 Black 1:30:30")
        await desk.do({"do": "start_game"})

        async def types(text: str, to: str) -> None:
            for letter in f"{text}\r":
                await one.letter(letter)
            await until(lambda: display.text.startswith(to))

        async def chooses(word: str, to: str) -> None:
            display.keys.append(Key.BOTTOM)
            await until(lambda: word in display.text)
            display.keys.append(Routed(display.text.index(word)))
            await until(lambda: display.text.startswith(to))

        await types("time", "Actions found: ")
        await types("add time", "Player:")
        await chooses("Black", "Time (minus to deduct):")
        await types("two minutes", "Enter the time as h:mm:ss or mm:ss.")
        await types("2:00", "Reason:")
        await types("-", "Article:")
        await types("7.5.5", "Confirm Add or deduct time?")
        assert house.table.state.time.given == (0, 0), "a finger may slip"
        display.keys.append(Key.RIGHT)
        await until(lambda: display.text == "Black, 2:00, 7.5.5")
        await chooses("yes", "Add or deduct time: Done.")
        display.keys.append(Key.RIGHT)
        await until(lambda: display.text.startswith("White 1:"))
        one._look()  # as after each act: nothing has changed
        assert one._looking is not None
        await one._looking
        assert display.text.startswith("White 1:"), "who reads on is not taken back to the beginning"
        assert house.table.state.time.given == (0, 120_000)
        await types("take back", "After move:")
        for letter in "\x1b[B":  # an arrow of the terminal
            await one.letter(letter)
        await until(lambda: display.text.startswith("White 1:"))
        await types("nothing of the kind", "Actions found: 0")
        display.keys.append(Key.ESCAPE)
        await until(lambda: display.text.startswith("White 1:"))


class Slow:
    """A session whose answers come late: each is what stood when it was asked, and waits until it is let go."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.session, self.asked, self.go = session, asyncio.Event(), asyncio.Event()

    @asynccontextmanager
    async def get(self, url: str, **more: Any) -> AsyncIterator[aiohttp.ClientResponse]:
        async with self.session.get(url, **more) as answer:
            await answer.read()
            self.asked.set()
            await self.go.wait()
            yield answer


@pytest.mark.law("L113")
async def test_an_alert_that_comes_while_the_cards_are_fetched_is_shown_too(house: House) -> None:
    display = Shown()
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    async with station(house, display) as one:
        await until(lambda: display.text.startswith("White"))
        slow, changes, take = Slow(one._session), [0], one._show_message
        one._session = slow  # type: ignore[assignment]

        def told(said: Numbered) -> None:
            take(said)
            changes.append(getattr(said.message, "alerts", 0))

        one._show_message = told  # type: ignore[method-assign]
        await white.do({"do": "call_arbiter", "reason": ""})
        await asyncio.wait_for(slow.asked.wait(), PATIENCE_S)
        await black.do({"do": "call_arbiter", "reason": ""})
        await until(lambda: max(changes) >= house.table.state.rulings.alert_changes)
        slow.go.set()
        await until(lambda: display.text.startswith("1/2!"))


@pytest.mark.needs("brltty")
async def test_on_a_display_of_forty_cells_a_call_stands_under_the_fingers(house: House, tmp_path: Path) -> None:
    folder = tmp_path / "brltty"
    folder.mkdir()
    with Brltty(folder) as brltty:
        display = await asyncio.to_thread(brltty.connected, BrailleDisplay)
        async with station(house, display, "de"):
            white = await (await house.station("tactile", Seat.WHITE)).line()
            await white.do({"do": "call_arbiter", "reason": ""})
            shown = cells("1/1! gerufen 6.11.2")
            found = await asyncio.to_thread(brltty.display.wait_until, lambda text: text.startswith(shown))
            assert len(found) <= 40
            brltty.display.pan()
            told = cells("ruft den Schiedsrichter")
            await asyncio.to_thread(brltty.display.wait_until, lambda text: told in text)
        display.close()
