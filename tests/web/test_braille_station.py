"""A braille display at a running server: the same line as a browser's, what `views` gives, keys and routing keys."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from click.testing import CliRunner
from msgspec.json import encode

from braille.letters import spell
from braille.loading import load_profile
from braille.panel import Panel
from server.cli.station import command
from server.game.values.words import Seat
from server.game.views.held_times import HeldTimes
from server.game.views.messages import OutcomeShown, TimeCue
from server.machine.certificate import ensure_certificate, local_addresses
from server.protocol import Beat, Numbered, Outcome
from server.settings import Settings
from server.stations import braille
from server.stations.braille import BrailleStation, join, origin_of
from server.stations.braille_display import BrailleDisplay, Dots, Key, Pressed, Routed, Typed
from server.stations.pinned_client import fingerprint_in, fingerprint_of, pinned_session, spell_fingerprint
from server.stations.terminal import Display, TerminalDisplay
from server.web.door.access import Place
from server.web.keys import ADDRESSES
from server.web.sockets.line import LINES
from speech.complaint import Complaint
from tests.braille.emulated_display import Brltty
from tests.waiting import until
from tests.web.cable import cable
from tests.web.open_house import House, TestLine, open_house


class Shown(BrailleDisplay):
    """A display that keeps what it was shown; there is no BRLTTY behind it."""

    width, rows = 40, 1

    def __init__(self) -> None:
        self.keys: deque[Pressed] = deque()
        self.text = ""
        self.all: list[str] = []

    def show(self, text: str) -> None:
        self.text = text
        self.all.append(text)

    def key(self, wait_ms: int = 0) -> Pressed | None:
        return self.keys.popleft() if self.keys else None


@asynccontextmanager
async def station(
    house: House, display: Display, base: str = "", fingerprint: bytes | None = None
) -> AsyncIterator[BrailleStation]:
    arbiter = await house.arbiter()
    invitation = house.access.invite(Place(table="demo", page="tactile", seat=Seat.WHITE))
    async with pinned_session(fingerprint) as session:
        marks: list[str] = []
        origin = origin_of(base or house.base)
        joining = asyncio.create_task(join(session, origin, " ".join(invitation.squares), marks.append))
        await until(lambda: bool(marks))
        _, waiting = await arbiter.get("/api/introductions?version=0")
        await arbiter.post(f"/api/introductions/{waiting['waiting'][0]['id']}", {"admit": True})
        one = BrailleStation(session, origin, await joining, display)
        running = asyncio.create_task(one.run())
        try:
            yield one
        finally:
            running.cancel()
            (ended,) = await asyncio.gather(running, return_exceptions=True)
            assert isinstance(ended, asyncio.CancelledError), ended


async def a_move(house: House, type_it: Callable[[], Awaitable[None]], one: BrailleStation) -> None:
    """White's first move, typed and pressed, as the arbiter sees it."""
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    await type_it()
    assert (await desk.until(event="announced"))["message"]["event"]["speech"]["announcement"]["to_square"] == "e4"
    await one.press()
    await desk.until(event="completed")


async def offered(house: House, one: BrailleStation) -> None:
    """A move each; White hears nothing, and Black offers a draw with the own move (9.1.2.1, D.2.11)."""
    desk = await (await house.arbiter()).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    await desk.do({"do": "start_game"})
    await desk.do({"do": "describe_player", "seat": "white", "hearing_impaired": True})
    await until(lambda: one._reader is not None)
    await one.line("e4")
    await desk.until(event="announced")
    await one.press()
    await desk.until(event="completed")
    await black.type("e4")
    await black.type("e5")
    await black.do({"do": "offer_draw"})
    await black.do({"do": "press"})
    await until(lambda: one._to_acknowledge is not None)


@pytest.mark.law("L101", "L207")
@pytest.mark.parametrize("answer", ["nein", "Remis abgelehnt", "e5"])
async def test_a_deaf_player_at_a_terminal_has_read_the_offer_that_they_answer(
    house: House, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """By a word at once, by a move only once there was time to read: that rejects what was seen, and nothing else."""
    monkeypatch.setattr(braille, "READ_S", 600.0)
    printed: list[str] = []
    async with station(house, TerminalDisplay(printed.append)) as one:
        await offered(house, one)
        assert house.table.state.draws.offer_by is Seat.BLACK and not house.table.state.draws.offer_delivered
        if answer == "e5":
            await one.line("e5")
            await until(lambda: house.table.state.moves.plies[1].echo is not None)
            assert not house.table.state.draws.offer_delivered, "it may have been typed before the offer came"
            monkeypatch.setattr(braille, "READ_S", 0.0)
            await one.line("Sf3")
            await until(lambda: house.table.state.ply(3) is not None)
            await one.press()
        else:
            await one.line(answer)
        await until(lambda: house.table.state.draws.offer_by is None)


@pytest.mark.law("L101", "L207")
async def test_an_offer_that_was_answered_by_typing_takes_no_place_on_the_display_when_its_player_reads_on(
    house: House,
) -> None:
    display = Shown()
    async with station(house, display) as one:
        await offered(house, one)
        display.keys.extend([*map(Typed, "Remis abgelehnt"), Key.ENTER])
        await until(lambda: house.table.state.draws.offer_by is None and "abgelehnt" in display.text)
        one._to_acknowledge = time.monotonic()  # as where other words than those of the table declined it
        read = len(display.all)
        display.keys.append(Key.RIGHT)
        await until(lambda: one._to_acknowledge is None and not display.keys)
        await one.ask_time()  # after whatever the key has led to
        await until(lambda: display.text.startswith("⠡"))
        assert not [text for text in display.all[read:] if "kein Remisangebot" in text]


def cue(one: BrailleStation, left_s: int) -> None:
    """A counted second comes to the station."""
    message = TimeCue(left_s=left_s, way="words")
    one._show_message(Numbered(n=900 - left_s, message=message, lines=(f"Noch {left_s} Sekunden",)))


@pytest.mark.law("L101", "L192")
async def test_a_cue_takes_no_place_of_an_offer_nor_of_its_answers(house: House) -> None:
    display = Shown()
    async with station(house, display) as one:
        await offered(house, one)
        offer, answers = display.text, one._panel.first
        assert "Remis" in offer and answers
        for left_s in (10, 9):
            cue(one, left_s)
            assert display.text == offer and one._panel.first == answers
        assert one._panel.said[-1] == "Noch 9 Sekunden" and "Noch 10 Sekunden" not in one._panel.said
        display.keys.append(Key.BOTTOM)
        await until(lambda: answers[0] in display.text)
        read = display.text
        cue(one, 8)
        assert display.text == read, "the answer stays under the finger"


@pytest.mark.law("L192")
async def test_a_cue_waits_until_there_was_time_to_read_the_news_and_no_longer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    display, printed = Shown(), list[str]()
    async with station(house, display) as one:
        await a_move(house, lambda: one.line("e4"), one)
        news = ("Springer Felix sechs",)
        one._say(news)
        cue(one, 10)
        assert display.text == news[0] and one._panel.said == (*news, "Noch 10 Sekunden")
        monkeypatch.setattr(braille, "READ_S", 0.0)
        for left_s in (9, 8):
            cue(one, left_s)
            assert display.text == f"Noch {left_s} Sekunden"
        one._display, one._panel = TerminalDisplay(printed.append), Panel(40)
        monkeypatch.setattr(braille, "READ_S", 600.0)
        one._say(news)
        for left_s in (7, 6):
            cue(one, left_s)
        assert printed == [*news, "Noch 7 Sekunden", "Noch 6 Sekunden"]


@pytest.mark.law("L182", "L049", "L192")
async def test_a_move_and_the_time_on_request(house: House) -> None:
    display = Shown()
    async with station(house, display) as one:

        async def typed() -> None:
            display.keys.extend([*map(Typed, "Bauer Eva vier"), Key.ENTER])

        await a_move(house, typed, one)
        await until(lambda: display.text == "⠑⠹")  # e4 in the player's computer braille, as it was understood
        display.keys.append(Key.RIGHT)
        await until(lambda: display.text == "Bauer Eva vier")
        assert not any(":" in text or "Stunde" in text for text in display.all), "no time that was not asked for"
        display.keys.extend([Key.RIGHT])
        await until(lambda: "Zeit" in display.text)
        display.keys.append(Routed(display.text.index("Zeit")))
        await until(lambda: display.text[:4] == "⠡⠒⠩⠬")  # 1:30 ...
        display.keys.append(Key.RIGHT)
        await until(lambda: "Stunde" in display.text or "Minute" in display.text)
        display.keys.extend([*map(Typed, "die letzten 2 Züge"), Key.ENTER])
        await until(lambda: display.text.startswith("⠡⠄"))  # 1. of the player's own score
        display.keys.extend([*map(Typed, "Zeit"), Key.ENTER])
        await until(lambda: display.text[:4] == "⠡⠒⠩⠬")
        display.keys.extend([*map(Typed, "letzter Zug"), Key.ENTER])
        await until(lambda: display.text.startswith("Es wurde"))  # Black has announced nothing yet
        display.keys.extend([*map(Typed, "wie viel Zeit habe ich"), Key.ENTER])
        await until(lambda: display.text[:4] == "⠡⠒⠩⠬")
        display.keys.extend([Typed("x"), Key.BACKSPACE, Key.ESCAPE])
        await until(lambda: not display.keys)


@pytest.mark.law("L194", "L187")
async def test_a_number_is_a_move_of_the_players_score_and_what_binds_is_asked_twice(house: House) -> None:
    display = Shown()
    async with station(house, display) as one:

        async def typed() -> None:
            display.keys.extend([*map(Dots, "⠨⠎⠋⠒"), Key.BACKSPACE, Dots("⠒"), Key.ENTER])

        desk = await (await house.arbiter()).line()
        await desk.do({"do": "start_game"})
        await until(lambda: "begonnen" in display.text)
        await typed()
        assert (await desk.until(event="announced"))["message"]["event"]["speech"]["announcement"]["to_square"] == "f3"
        await one.press()
        await until(lambda: house.table.state.made_plies == 1 and bool(one._score))  # its line of the score came
        display.keys.extend([*map(Dots, "⠼⠁"), Key.ENTER])  # 1, as prose writes it
        await until(lambda: display.text == "⠡⠄⠀⡎⠋⠩")
        display.keys.extend([*map(Typed, "9"), Key.ENTER])
        await until(lambda: "Partieformular" in display.text)
        display.keys.append(Key.RIGHT)  # the sentence is longer than the display
        await until(lambda: display.text == "Zug 9.")

        async def route(word: str) -> None:
            key = Key.BOTTOM
            while key is Key.BOTTOM or word not in display.text:
                before = display.text
                display.keys.append(key)
                await until(lambda: not display.keys and display.text != before)  # noqa: B023
                key = Key.RIGHT
            display.keys.append(Routed(display.text.index(word)))

        await route("Remisangebot")
        await until(lambda: display.text == "Wirklich Remisangebot?")
        await route("nein")
        await until(lambda: display.text == "")
        assert house.table.state.draws.offer_by is None
        await route("Remisangebot")
        await until(lambda: display.text == "Wirklich Remisangebot?")
        await route("ja")
        await desk.until(event="draw_offered")
        await route("ich gebe auf")
        await until(lambda: display.text == "Geben Sie auf? Ja oder nein.")  # the server asks
        await route("ja")
        await desk.until(event="resigned")
        # Then the result stands first among the words to choose, and what is chosen is answered (8.7).
        await until(lambda: house.table.state.ending.result == "0-1" and one._result == "0-1")
        shown = len(display.all)
        await one.put_back()  # by a key; refused in words, for the game is over
        await until(lambda: len(display.all) > shown and display.text != "")
        await route("Bestätigen")
        await until(lambda: house.table.state.ending.approvals == ((Seat.WHITE, "0-1"),))
        await until(lambda: "bestätigt" in display.text)


async def test_a_lost_line_is_said_and_taken_up_again(house: House) -> None:
    display = Shown()
    async with station(house, display) as one:
        await until(lambda: one._line is not None and one._reader is not None)
        await house.app[LINES].close()
        await until(lambda: any("Verbindung" in text for text in display.all))
        display.keys.extend([*map(Typed, "Zeit"), Key.ENTER])
        await until(lambda: one._line is not None and not one._line.closed and not display.keys)


async def test_a_server_that_says_nothing_more_is_lost_and_its_times_are_held(house: House) -> None:
    display = Shown()
    async with cable(house.base) as line, station(house, display, line.base) as one:
        await until(lambda: one._reader is not None)
        desk = await (await house.arbiter()).line()
        await desk.do({"do": "start_game"})
        await until(lambda: one._held is not None)
        line.pull()  # no connection is closed: the beats alone are missing
        await until(lambda: "Verbindung verloren." in display.text)
        assert not any("1:30" in text for text in display.all[:-1])  # until then no time that was not asked for
        for _ in range(4):
            display.keys.append(Key.RIGHT)
            await until(lambda: not display.keys)
        assert any("1:30:" in text for text in display.all)
        line.put_back()
        await until(lambda: one._line is not None and not one._line.closed)


async def announced_first_move(desk: TestLine, one: BrailleStation, display: Shown) -> None:
    """The game begun, White's e4 announced in print, and a beat come that tells what the press is about."""
    await desk.do({"do": "start_game"})
    await until(lambda: one._reader is not None)
    display.keys.extend([*map(Typed, "Bauer Eva vier"), Key.ENTER])
    await until(lambda: display.text == "⠑⠹" and one._held is not None and one._held.press == 1)


@pytest.mark.law("L049")
async def test_a_press_that_waited_for_the_line_is_no_press_of_a_later_move(house: House) -> None:
    display = Shown()
    tablet = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    desk = await (await house.arbiter()).line()
    async with cable(house.base) as line, station(house, display, line.base) as one:
        await announced_first_move(desk, one, display)
        line.pull()
        await one.press()
        await one.press()  # a finger that presses twice means the same ply
        # The game goes on without this station: the other one presses, Black answers, White is to move again.
        await tablet.do({"do": "press"})
        await black.do({"do": "enter_move", "uci": "e7e5"})
        await black.do({"do": "press"})
        await until(lambda: "Verbindung verloren." in display.text)
        line.put_back()
        await until(lambda: one._press is None)  # answered
        assert house.table.state.made_plies == 2
        assert house.table.state.time.clock.running is Seat.WHITE


@pytest.mark.law("L049")
async def test_a_press_that_a_lost_line_swallowed_counts_when_it_is_back(house: House) -> None:
    display = Shown()
    desk = await (await house.arbiter()).line()
    async with cable(house.base) as line, station(house, display, line.base) as one:
        await announced_first_move(desk, one, display)
        line.pull()
        await until(lambda: "Verbindung verloren." in display.text)
        await one.press()
        assert house.table.state.made_plies == 0
        line.put_back()
        await until(lambda: house.table.state.time.clock.running is Seat.BLACK)
        await until(lambda: one._press is None and one._held is not None and one._held.press is not None)
        assert one._held is not None and one._held.press == 3, "the next press is about the next own ply"


@pytest.mark.law("L049")
async def test_a_press_that_counted_leaves_no_ply_to_the_next_that_a_beat_named_meanwhile(house: House) -> None:
    """A press that names none, a beat that names its ply, then the answer: the next press may not name it too."""
    display, sent = Shown(), list[dict[str, Any]]()
    async with station(house, display) as one:
        await until(lambda: one._reader is not None)

        async def kept(message: dict[str, Any]) -> bool:
            sent.append(message)
            return True

        one._send = kept  # type: ignore[method-assign]
        for about in (None, 1):
            one._held = HeldTimes(60_000, 60_000, Seat.WHITE, about)
            await one.press()
            one._take(encode(Beat(4, ask=False, held=HeldTimes(60_000, 60_000, Seat.WHITE, 1))).decode())
            one._take(encode(Outcome(OutcomeShown(id=sent[-1]["id"], ok=True))).decode())
            await one.press()
    assert [one.get("about_ply") for one in sent if one.get("body") == {"do": "press"}] == [None, None, 1, None]


async def test_over_https_the_certificate_of_that_fingerprint_is_trusted_and_no_other(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data", settings=Settings(port=0, lan=True, https_port=0)) as house:
        secure = house.app[ADDRESSES].hall[0] if house.app[ADDRESSES].hall else ""
        if not secure:
            pytest.skip("this machine has no address on a network")
        shown = await fingerprint_of(secure)
        certificate = ensure_certificate(house.hall.data.tls, local_addresses(), datetime.now(UTC))
        assert spell_fingerprint(shown) == certificate.fingerprint
        assert fingerprint_in(certificate.fingerprint) == fingerprint_in(shown.hex()) == shown
        display = Shown()
        async with station(house, display, secure, shown) as one:

            async def typed() -> None:
                await until(lambda: one._reader is not None)
                display.keys.extend([*map(Typed, "Bauer Eva vier"), Key.ENTER])

            await a_move(house, typed, one)
        other = bytes([shown[0] ^ 1]) + shown[1:]
        async with pinned_session(other) as session:
            with pytest.raises(Complaint, match="a certificate with another fingerprint"):
                await join(session, secure, "a1 b2 c3", lambda mark: None)
        async with pinned_session(None) as session:  # without one its own certificate is trusted by nobody
            with pytest.raises(Complaint, match="does not answer"):
                await join(session, secure, "a1 b2 c3", lambda mark: None)
        with pytest.raises(Complaint, match="with https"):
            await fingerprint_of(house.base.replace("http:", "https:"))
    for wrong in ("", "AB:CD", "xy" * 32):
        with pytest.raises(Complaint, match="64 hex digits"):
            fingerprint_in(wrong)


def test_a_fingerprint_that_is_not_confirmed_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def shown(origin: str) -> bytes:
        return bytes(32)

    monkeypatch.setattr("server.cli.station.fingerprint_of", shown)
    given = ["--braille", "--code", "a1 b2 c3", "https://192.0.2.7:8443"]
    said = CliRunner().invoke(command, given, input="n\n")
    assert isinstance(said.exception, Complaint) and "nothing was sent" in str(said.exception)
    assert "00:00:00" in said.output


@pytest.mark.needs("brltty")
@pytest.mark.law("L182")
async def test_a_move_under_real_cells(house: House, tmp_path: Path) -> None:
    """BRLTTY with an emulated Baum display: dots in, cells out."""
    computer = load_profile("computer")
    with Brltty(tmp_path) as brltty:
        display = await asyncio.to_thread(brltty.connected, BrailleDisplay)
        with display:
            async with station(house, display) as one:

                async def typed() -> None:
                    await until(lambda: one._reader is not None)
                    for cell in spell("e4", computer.letters):
                        brltty.display.type_dots(cell)
                    assert await asyncio.to_thread(brltty.display.wait_for, "⠑⠲")
                    brltty.display.enter()

                await a_move(house, typed, one)
                assert await asyncio.to_thread(brltty.display.wait_for, "⠑⠹")


@pytest.mark.parametrize("address", ["", "ftp://example.org", "http://", "://"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(Complaint, match="not the address"):
        origin_of(address)


async def test_a_wrong_code_and_no_server(house: House) -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(Complaint, match="not known"):
            await join(session, origin_of(house.base), "Anna vier, Hector acht, Cesar drei", print)
        with pytest.raises(Complaint, match="does not answer"):
            await join(session, "http://127.0.0.1:1", "a4 h8 c3", print)


@pytest.mark.law("L075")
async def test_a_display_goes_on_at_the_table_of_the_new_game_by_itself(house: House) -> None:
    display = Shown()
    async with station(house, display) as one:
        desk = await (await house.arbiter()).line()
        await desk.do({"do": "start_game"})
        await desk.do({"do": "cancel_game", "exchanged": True})
        await until(lambda: any("neue Partie" in text for text in display.all))
        table = house.hall.tables["demo-game2"]
        await until(lambda: any(table.connections.of(one.id) for one in table.state.stations.admitted))
        assert "seat=black" in one._query and "table=demo-game2" in one._query
        shown = len(display.all)
        await one.ask_time()  # and it asks and is answered there
        await until(lambda: len(display.all) > shown)


@pytest.mark.law("L194")
async def test_a_move_of_the_score_reads_at_a_terminal_as_everywhere_else(house: House) -> None:
    """In the player's spelling, not that of the record ("Koenig"); and one hears where Black's half-move begins."""
    printed: list[str] = []
    async with station(house, TerminalDisplay(printed.append)) as one:
        desk = await (await house.arbiter()).line()
        await desk.do({"do": "start_game"})
        await until(lambda: bool(printed))
        await one.line("König Eva fünf")
        await desk.until(event="announced")
        await one.line("")
        await desk.until(event="completed")
        await one.line("Läufer Felix fünf")
        await desk.until(event="score_written", index=2)
        await until(lambda: one._score == ["Koenig Eva fuenf", "Laeufer Felix fuenf"])
        await one.line("1")
        assert printed[-1] == "1. König Eva fünf, Läufer Felix fünf"
        before = len(printed)
        await one.line("mein Zug 1")
        await until(lambda: printed[before:] == ["1. König Eva fünf, Läufer Felix fünf"])
