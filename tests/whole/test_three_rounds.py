"""Eight boards through three rounds: pairings in, play with two incidents, results out, bulletins made.

In the second round one player plays at a page in Chromium, by real sound into the real recognisers and with the real
voice in the ear; another plays in a terminal, on a braille display; and a spectator follows the first board's game.
"""

from __future__ import annotations

import asyncio
import base64
import io
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from click.testing import CliRunner
from playwright.async_api import Browser, Page, async_playwright, expect

from braille.loading import load_profile, national_profile
from server.cli import group
from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.announcement import Announcement
from server.game.values.words import ReadBack, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.hall.foreign_files.pairings import Pairing, read_pairings
from server.journal.admissions import new_token
from server.machine.clock import ScriptedClock
from server.protocol import Numbered
from server.table.mate_worker import ANSWER_AFTER_MS
from server.web.door.access import Place
from server.web.door.introductions import admit_device
from server.wording.words import announcement_of, canonical, scheme_for, text_in
from speech.announcements.announce import said_of
from speech.audio.wav import read_wav
from speech.hearing.hearing import Hearing
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from tests.braille.emulated_display import Brltty
from tests.browser.conftest import ARGS
from tests.browser.speaking import TRIES, Speaker
from tests.browser.test_pages import opened
from tests.cli.test_import_command import player
from tests.conftest import chromium_path
from tests.game.core_table import said
from tests.table.open_hall import Ear, Played, SearchHere, WrittenEars, WrittenVoice, turn
from tests.waiting import PATIENCE_MS, until
from tests.web.braille_game import Fingers, display_station
from tests.web.open_house import House, Visitor, open_house
from tests.web.test_all_tables import hall_arbiter

NAMES = (
    *("Adler, Anna", "Busch, Bruno", "Conrad, Clara", "Dorn, David", "Ende, Emil", "Fuchs, Flora", "Gross, Georg"),
    *("Horn, Hanna", "Igel, Ida", "Jung, Jakob", "Kern, Klara", "Lang, Ludwig", "Maus, Martha", "Nuss, Nora"),
    *("Otter, Oskar", "Pilz, Paula"),
)
LANGUAGES = ("de", "en", "hu", "hy", "ar", "he")
STARTS = {"1": "10:00", "2": "15:00", "3": "09:30"}
WAYS = {str(board): f"Reihe {board} vom Fenster." for board in range(1, 9)}
DELAY_S = 5
TWO_MINUTES = 120_000
SPOKEN, WRITTEN = 4, 6
"""The boards of the second round at which White plays by voice at a page, and in a terminal."""
ISOLATES = dict.fromkeys(range(0x2066, 0x206A))
"""The invisible signs that keep a name in its own direction among words that are written from right to left."""
TOLD = {
    "Adler, Anna": "Runde 1. Brett 1. Sie haben Schwarz gegen Igel, Ida. Beginn: 10:00 Uhr. Reihe 1 vom Fenster.",
    "Igel, Ida": "1. forduló. 1. tábla. Ön világossal játszik. Ellenfele: Adler, Anna. Kezdés: 10:00. "
    "Reihe 1 vom Fenster.",
}
"""What two of the players are told of the first round, in German and in Hungarian."""

GAMES = (
    ("f3 e5 g4 Qh4#", "mate", "0-1"),
    ("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#", "mate", "1-0"),
    ("e4 e5 Nf3 f6 Nxe5 fxe5 Qh5+ Ke7", "resigned by black", "1-0"),
    ("d4 Nf6 Nd2 e5 dxe5 Ng4 h3 Ne3", "resigned by white", "0-1"),
    ("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", "claimed by white", "1/2-1/2"),
    ("e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nd7 Qe2 Ngf6 Nd6#", "mate", "1-0"),
    ("Nf3 Nf6 g3 g6", "agreed", "1/2-1/2"),
    ("e4 e5 Qh5 Ke7 Qxe5#", "mate", "1-0"),
)
"""Short games: the moves, how they end, and the result."""


def paired(round: int) -> list[tuple[int, int]]:
    """The pairs of a round as ranks (White, Black), by boards: nobody meets anybody twice."""
    pairs = [(board, 9 + (board + round - 2) % 8) for board in range(1, 9)]
    return [(low, high) if (low + round) % 2 else (high, low) for low, high in pairs]


def game_of(round: int, board: int) -> tuple[list[str], str, str]:
    moves, how, result = GAMES[(board - 1 + 3 * (round - 1)) % 8]
    return moves.split(), how, result


def pair(file: Path, round: int) -> None:
    """Write the pairings of a round into the file, as a pairing program does."""
    cells = {}
    for white, black in paired(round):
        cells[white], cells[black] = f"{black:04} w", f"{white:04} b"
    lines = file.read_text("utf-8").splitlines()
    for at, line in enumerate(lines):
        if line.startswith("001 "):
            lines[at] = line.ljust(91 + 10 * (round - 1)) + cells[int(line[4:8])]
    file.write_text("\n".join(lines), "utf-8")


class Hand:
    """How a player says something and presses: here at a line of the hall."""

    async def say(self, board: Board, seat: Seat, announcement: Announcement, text: str) -> None:
        assert (await board.at.type(board.names[seat], text)).outcome.ok, text
        assert board.ear(seat).of(msg.Understood)[-1].text == text

    async def press(self, board: Board, seat: Seat) -> None:
        await board.at.press(board.names[seat])


class AtAPage(Hand):
    """A player at a page: what is said is real sound at the page's microphone, recognised as it is at a table."""

    def __init__(self, speaker: Speaker, board: Board, hearing: Hearing) -> None:
        self.page, self._speaker, self._board, self._hearing = speaker.page, speaker, board, hearing
        self._asked = False

    async def say(self, board: Board, seat: Seat, announcement: Announcement, text: str) -> None:
        ear = board.ear(seat)
        told = len(ear.of(msg.Understood))
        for _ in range(TRIES):  # a person whom a busy machine did not understand says it again
            judged = self._judged()
            await self._speaker.say(text)
            await until(lambda: self._judged() > judged, lambda: f"{text}; told: {ear.messages[-3:]}")  # noqa: B023
            if len(ear.of(msg.Understood)) > told:
                break
        assert (ear.of(msg.Understood)[-1].text, ear.of(msg.Understood)[-1].utterance is None) == (text, False)

    async def press(self, board: Board, seat: Seat) -> None:
        before = sum(one.completed for one in board.at.table.state.moves.plies)
        await self.page.keyboard.press("Control+Enter")
        await turn(lambda: sum(one.completed for one in board.at.table.state.moves.plies) > before)

    def _judged(self) -> int:
        """How many sounds of this player were understood, asked for again, or set aside."""
        ear = self._board.ear(Seat.WHITE)
        return len(ear.of(msg.Understood)) + len(ear.of(msg.Question)) + len(self._board.recorded(ev.SetAside))

    async def asks_for_the_last_move(self) -> None:
        """The player asks aloud, and what sounds in the ear then is speech: the recognisers hear the move in it."""
        if self._asked:
            return
        self._asked = True
        board, scheme = self._board, scheme_for(self._board.at.table.state, Seat.WHITE)
        await board.at.told()  # what was offered before the page was open has sounded
        async with self.page.expect_response("**/sound/*") as sounded:  # the newest line of a station alone gets it
            answers = board.ear(Seat.WHITE).of(msg.AnswerGiven)
            await self._speaker.say("letzter Zug")
            await turn(lambda: len(board.ear(Seat.WHITE).of(msg.AnswerGiven)) > len(answers))
            await board.at.told()  # time passes until the ear's turn has come
        async with board.devices[Seat.WHITE].session.get((await sounded.value).url) as answer:
            assert answer.status == 200
            verdict = await self._hearing.hear(read_wav(await answer.read()).pcm, scheme)
        assert verdict.heard.said is not None and verdict.heard.said.to_square == "g6", verdict


class InATerminal(Hand):
    """A player with `anna-eins station --braille` in a terminal: moves on the braille keyboard, Enter for the clock."""

    def __init__(self, fingers: Fingers, language: str) -> None:
        self.fingers = fingers
        fingers.code = load_profile(national_profile(language))

    async def say(self, board: Board, seat: Seat, announcement: Announcement, text: str) -> None:
        ear = board.ear(seat)
        told = len(ear.of(msg.Understood))
        await self.fingers.types(self.fingers.cells(board.on, board.next), "*")
        await turn(lambda: len(ear.of(msg.Understood)) > told)
        assert text.endswith(ear.of(msg.Understood)[-1].text), "a pawn's move is written without the pawn"

    async def press(self, board: Board, seat: Seat) -> None:
        before = sum(one.completed for one in board.at.table.state.moves.plies)
        await self.fingers.key(b"\n")
        await turn(lambda: sum(one.completed for one in board.at.table.state.moves.plies) > before)


class Board:
    """One table of a round: both players' devices and the arbiter's, and the game that is played on it."""

    def __init__(
        self, at: Played, round: int, board: int, devices: dict[Seat, Visitor], names: dict[Seat, str]
    ) -> None:
        self.at, self.round, self.board = at, round, board
        self.devices, self.names = devices, names
        self.moves, self.how, self.result = game_of(round, board)
        self.on = chess.Board()
        self.next = chess.Move.null()
        self.hands = {seat: Hand() for seat in Seat}
        self.told_by_press: dict[Seat, list[list[type[Any]]]] = {}

    @property
    def mover(self) -> Seat:
        return Seat.WHITE if self.on.turn == chess.WHITE else Seat.BLACK

    def ear(self, seat: Seat) -> Ear:
        return self.at.ears[self.names[seat]]

    def recorded(self, kind: type[Any]) -> list[Any]:
        return [one.event for one in self.at.ears["arbiter"].of(msg.Recorded) if isinstance(one.event, kind)]

    async def say(self, seat: Seat, announcement: Announcement) -> None:
        """The player gives an announcement in the own language, and is read back these very words."""
        scheme = scheme_for(self.at.table.state, seat)
        text = text_in(canonical(announcement, scheme)[0], scheme)
        await self.hands[seat].say(self, seat, announcement, text)

    async def announce(self, announcement: Announcement) -> list[list[type[Any]]]:
        """The mover announces, the opponent repeats it, the mover presses; the kinds of what the press tells either."""
        mover = self.mover
        await self.say(mover, announcement)
        await self.say(mover.other, announcement)
        before = {seat: len(self.ear(seat).messages) for seat in Seat}
        await self.hands[mover].press(self, mover)
        return [[type(one) for one in self.ear(seat).messages[before[seat] :]] for seat in Seat]

    async def move(self) -> None:
        """The next move of the game, where there is one left; before it what goes wrong there."""
        match self.round, self.board, len(self.on.move_stack):
            case 1, 2, 2:
                await illegal_move(self)
            case 2, 3, 3:
                await wrong_claim(self)
            case 2, board, 4 if board == SPOKEN and isinstance(hand := self.hands[Seat.WHITE], AtAPage):
                await hand.asks_for_the_last_move()
        if self.moves:
            move = self.next = self.on.parse_san(self.moves.pop(0))
            self.told_by_press[self.mover] = await self.announce(announcement_of(said_of(self.on, move)))
            self.on.push(move)

    async def end(self) -> None:
        """The game ends as it does: by a player's act, or by the arbiter's word where the arbiter has it."""
        white, black = (self.names[seat] for seat in Seat)
        match self.how:
            case "mate":
                assert self.on.is_checkmate()
                await self.at.done("arbiter", cmd.RuleResult(result=self.result, reason="checkmate"))
            case "agreed":
                await self.at.done(white, cmd.OfferDraw())
                await self.at.done(black, cmd.AnswerDraw(accept=True))
            case "claimed by white":
                await self.at.done(white, cmd.ClaimDraw(kind="repetition"))
                await self.at.done("arbiter", cmd.RuleClaim(ruling="correct"))
            case _:
                await self.at.done(white if self.how.endswith("white") else black, cmd.Resign())


class Tournament:
    """The house, the arbiter of its hall, and the pairing file."""

    def __init__(self, house: House, clock: ScriptedClock, chief: Visitor, file: Path) -> None:
        self.house, self.clock, self.chief, self.file = house, clock, chief, file
        self._count = 0

    async def get(self, path: str) -> bytes:
        async with self.chief.session.get(self.house.base + path) as answer:
            assert answer.status == 200, path
            return await answer.read()

    async def post(self, path: str, body: Any) -> Any:
        status, said = await self.chief.post(path, body)
        assert status < 300, (path, said)
        return said

    async def open_round(self, round: int) -> tuple[Pairing, ...]:
        """The hall's arbiter opens the tables of the round that is paired last in the file; White plays by touch."""
        text = self.file.read_text("utf-8")
        found = await self.post("/api/pairings", {"file": base64.b64encode(text.encode()).decode()})
        assert found["round"] == round
        wanted = []
        for line in found["tables"]:
            who = {side: {"name": line[side], "language": language_of(line[side])} for side in ("white", "black")}
            who["white"]["kind"] = SeatKind.TACTILE
            wanted.append({"name": line["name"], "round": round, "board": line["board"], **who})
        await self.post("/api/tables", {"tables": wanted})
        return read_pairings(text)

    async def seat(self, pairing: Pairing) -> Board:
        """The devices of a table are admitted, and what reaches them is kept."""
        table = self.house.hall.table(f"r{pairing.round}-b{pairing.board}")
        at = Played(self.house.hall, self.clock, table)
        self._count += 1
        at._count = 10_000 * self._count  # the ids of commands are one count for the whole journal
        devices, names = {}, {}
        for seat, page in ((Seat.WHITE, "tactile"), (Seat.BLACK, "sighted")):
            token = new_token()
            admission = await admit_device(self.house.hall, Place(table=table.id, page=page, seat=seat), token)
            device = self.house.visitor()
            device.session.cookie_jar.update_cookies({f"anna-eins.{page}.{seat}.{table.id}": token})
            devices[seat], names[seat] = device, admission.station
        await table.admit(Station("arbiter", Role.ARBITER))
        for station in (*names.values(), "arbiter"):
            at.attach(station)
        return Board(at, pairing.round, pairing.board, devices, names)

    async def results(self, round: int) -> None:
        """The results of a round go into a copy of the file, which is the file from then on."""
        out = self.file.with_name(f"after-{round}.trf")
        asked = ["results", str(self.file), "--out", str(out), "--round", str(round)]
        asked += ["--data", str(self.house.hall.data.root)]
        said = await asyncio.to_thread(CliRunner().invoke, group, asked, catch_exceptions=False)
        assert said.output == f"Results in {out}: 8.\n"
        self.file = out


def language_of(name: str) -> str:
    return LANGUAGES[NAMES.index(name) % len(LANGUAGES)]


def told(ear: Ear) -> list[tuple[msg.PairingShown, tuple[str, ...]]]:
    """What a device was told of pairings, with the lines as they are shown."""
    numbered = [one for one in ear.received if isinstance(one, Numbered)]
    return [(one.message, one.lines) for one in numbered if isinstance(one.message, msg.PairingShown)]


async def illegal_move(board: Board) -> None:
    """White announces and presses a bishop's move that is none: the arbiter alone is told, and rules."""
    usual = board.told_by_press[Seat.WHITE]
    assert await board.announce(said("Bf1b6")) == usual, "the players are told what every press tells"
    assert [one.kind for one in board.recorded(ev.Alerted)] == ["not_legal"]
    await board.at.done("arbiter", cmd.RuleIrregularity(ply=3, seat=Seat.WHITE, kind="illegal"))
    await board.at.done("arbiter", cmd.RestoreTo(ply=2, reason="7.5.1"))
    await board.at.done("arbiter", cmd.Resume())
    assert [(one.seat, one.ms) for one in board.recorded(ev.TimeAdded)] == [(Seat.BLACK, TWO_MINUTES)]


async def wrong_claim(board: Board) -> None:
    """The player on move claims a repetition that is none; the opponent gets two minutes, and the game goes on."""
    at, mover = board.at, board.mover
    await at.done(board.names[mover], cmd.ClaimDraw(kind="repetition"))
    (shown,) = [one for one in at.ears["arbiter"].of(msg.Recorded) if isinstance(one.event, ev.Alerted)]
    assert shown.event.kind == "draw_claimed" and ": incorrect according to the record (9.2.2)" in shown.told["en"]
    assert not at.table.clock_runs
    await at.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    await at.done("arbiter", cmd.Resume())
    assert [(one.seat, one.ms) for one in board.recorded(ev.TimeAdded)] == [(mover.other, TWO_MINUTES)]


@asynccontextmanager
async def other_ways(
    hall: Tournament, boards: list[Board], browser: Browser, brltty: Brltty
) -> AsyncIterator[tuple[Page, Page]]:
    """In the second round Martha Maus plays by voice at a page, Oskar Otter in a terminal; a spectator looks on.

    The pages of the player and of the spectator are given.
    """
    spoken, written = boards[SPOKEN - 1], boards[WRITTEN - 1]
    assert (spoken.moves, len(written.moves)) == (["Nf3", "Nf6", "g3", "g6"], 4)
    hearing, voice = Hearing(patient=True), Pyttsx3Voice()
    try:
        await hearing.start()
        spoken.at.table.use(hearing, voice)
        white = spoken.devices[Seat.WHITE]
        white.page = f"/tactile?table={spoken.at.table.id}&seat=white"
        async with (
            opened(browser, hall.house, white, "/static/pages/icon.svg") as own,
            opened(browser, hall.house, hall.house.visitor(), f"/hall#{spoken.at.table.id}") as seen,
            display_station(hall.house, brltty, written.at.table.id) as station,
        ):
            await own.page.evaluate("localStorage.setItem('language', 'de')")
            # Until a voice is known its words are read back; here no time passes in which that could sound.
            await spoken.at.done("arbiter", cmd.ChooseEar(seat=Seat.WHITE, read_back=ReadBack.NONE))
            spoken.hands[Seat.WHITE] = AtAPage(await Speaker.at(own.page, voice), spoken, hearing)
            await own.page.goto(hall.house.base + white.page)
            await own.page.locator("header .state", has_text="Verbunden").wait_for()
            written.hands[Seat.WHITE] = InATerminal(Fingers(brltty.display, station), "hu")
            yield own.page, seen.page
            assert own.complaints == seen.complaints == []
    finally:
        await hearing.close()
        await voice.close()


@pytest.mark.needs("chromium", "brltty")
@pytest.mark.law("L072", "L080", "L110", "L111", "L115", "L182")
async def test_eight_boards_through_three_rounds(tmp_path: Path) -> None:
    clock, file = ScriptedClock(), tmp_path / "round.trf"
    lines = [player(rank, name) for rank, name in enumerate(NAMES, 1)]
    file.write_text("\n".join(["012 Open", *(f"{line[:80]} 0.0{line[84:]}" for line in lines)]), "utf-8")
    engines = {"voice": WrittenVoice(), "ears": WrittenEars(), "mates": SearchHere()}
    async with (
        AsyncExitStack() as stack,
        async_playwright() as playwright,
        open_house(tmp_path / "data", clock, **engines) as house,
    ):
        browser = await playwright.chromium.launch(timeout=PATIENCE_MS, executable_path=chromium_path(), args=ARGS)
        brltty = stack.enter_context(Brltty(tmp_path, "de"))
        other, own_page = AsyncExitStack(), list[Page]()
        hall = Tournament(house, clock, await hall_arbiter(house), file)
        adaptations = {"sighted_press_without_announcement": "note"}
        profile = {"language": "de", "starts": STARTS, "ways": WAYS, "adaptations": adaptations}
        await hall.post("/api/event", {"profile": profile})
        await hall.post("/api/spectators", {"show": True, "delay_s": DELAY_S})
        visitor, devices = house.visitor(), dict[str, Ear]()
        for round in (1, 2, 3):
            pair(hall.file, round)
            pairings = await hall.open_round(round)
            assert [(one.white, one.black) for one in pairings] == [
                (NAMES[white - 1], NAMES[black - 1]) for white, black in paired(round)
            ]
            if round > 1:  # told on the device of the last round, as soon as the next one is in
                await everybody_is_told(pairings, devices)
                await changed(hall, pairings[4], devices)
            for page in own_page:  # on the player's own page too, whose game is over
                await expect(page.locator("#last")).to_contain_text("Runde 3.")
                await other.aclose()
            boards = await asyncio.gather(*(hall.seat(one) for one in pairings))
            devices = {
                name: one.ear(seat)
                for one, pairing in zip(boards, pairings, strict=True)
                for seat, name in ((Seat.WHITE, pairing.white), (Seat.BLACK, pairing.black))
            }
            if round == 1:
                await everybody_is_told(pairings, devices)
                await who_plays_by_touch_hears_it(boards)
            await asyncio.gather(*(one.at.done("arbiter", cmd.StartGame()) for one in boards))
            if round == 2:
                own, seen = await other.enter_async_context(other_ways(hall, boards, browser, brltty))
                own_page.append(own)
            await play(boards, visitor)
            if round == 2:
                await boards[0].at.pass_time(1_000 * DELAY_S)
                await seen.reload()
                await expect(seen.locator("#last")).to_contain_text("Game over: Draw")
                await expect(seen.locator("#moves")).to_contain_text("knight Felix three")
            assert all(len(told(ear)) == 1 for ear in devices.values()), "told once, and of nothing else meanwhile"
            await hall.results(round)
            if round < 3:
                await hall.post("/api/tables/released", {"round": str(round)})
                for one in boards:
                    for seat in Seat:
                        status, review = await one.devices[seat].get("/api/review?language=en")
                        assert (status, review["seat"], review["table"]) == (200, seat, one.at.table.id)
            else:
                for one in boards:
                    for seat in Seat:
                        status, refused = await one.devices[seat].get("/api/review")
                        assert (status, refused["code"]) == (403, "review_not_released")
        await bulletins(hall)
        await browser.close()
    points = Counter[str]()
    for round in (1, 2, 3):
        for (white, black), board in zip(paired(round), range(1, 9), strict=True):
            result = game_of(round, board)[2]
            points[NAMES[white - 1]] += {"1-0": 2, "0-1": 0}.get(result, 1)
            points[NAMES[black - 1]] += {"1-0": 0, "0-1": 2}.get(result, 1)
    written = hall.file.read_text("utf-8").splitlines()[1:]
    assert [line[80:84] for line in written] == [f"{points[name] / 2:>4.1f}" for name in NAMES]


async def everybody_is_told(pairings: tuple[Pairing, ...], devices: dict[str, Ear]) -> None:
    """Each player is told once of the round: board, colour, opponent, time and way, in lines for forty cells."""
    round = str(pairings[0].round)
    await turn(lambda: all(told_of(ear, round) for ear in devices.values()))
    for one in pairings:
        for seat, name, opponent in ((Seat.WHITE, one.white, one.black), (Seat.BLACK, one.black, one.white)):
            ((shown, lines),) = told_of(devices[name], round)
            own = shown.pairing
            assert (own.board, own.seat, own.opponent) == (one.board, seat, opponent) and not shown.changed
            assert (own.starts, own.way) == (STARTS[round], WAYS[str(one.board)])
            assert all(len(line) <= 40 for line in lines)
            assert round != "1" or " ".join(lines) == TOLD.get(name, " ".join(lines))


async def who_plays_by_touch_hears_it(boards: Sequence[Board]) -> None:
    """What is shown in lines is said in the private ear too, in the same words, piece after piece."""
    for one in boards:
        await turn(lambda: bool(one.ear(Seat.WHITE).sounds))  # noqa: B023
        await one.at.told()
        ((_, lines),) = told(one.ear(Seat.WHITE))
        heard = " ".join(sound.text for sound in one.ear(Seat.WHITE).sounds)
        assert heard.translate(ISOLATES) == " ".join(lines)


def told_of(ear: Ear, round: str) -> list[tuple[msg.PairingShown, tuple[str, ...]]]:
    """What a device was told of the pairings of one round."""
    return [found for found in told(ear) if found[0].pairing.round == round]


async def changed(hall: Tournament, pairing: Pairing, devices: dict[str, Ear]) -> None:
    """One board is put off by an hour: its players are told again, and nobody else is."""
    before = {name: len(told(ear)) for name, ear in devices.items()}
    body = {"table": f"r{pairing.round}-b{pairing.board}", "white": pairing.white, "black": pairing.black}
    await hall.post("/api/tables/pairing", {**body, "board": pairing.board, "starts": "16:15", "way": WAYS["5"]})
    await turn(lambda: all(len(told(devices[name])) > before[name] for name in (pairing.white, pairing.black)))
    again = {name: told(ear)[before[name] :] for name, ear in devices.items() if len(told(ear)) > before[name]}
    assert set(again) == {pairing.white, pairing.black}
    assert all((one.changed, one.pairing.starts) == (True, "16:15") for ((one, _),) in again.values())


async def play(boards: list[Board], visitor: Visitor) -> None:
    """All boards move at the same time; the spectators see it late, and no player's device sees it."""
    first, round = boards[0], boards[0].round
    while any(one.moves for one in boards):
        await asyncio.gather(*(one.move() for one in boards))
        if len(first.on.move_stack) == 1 and first.moves:
            await first.at.pass_time(1_000 * DELAY_S - 1)
            assert set((await plies(visitor, round)).values()) == {0}
            await first.at.pass_time(1_001)
            assert await plies(visitor, round) == {one.at.table.id: 1 for one in boards}
            for one in boards:
                for device in one.devices.values():
                    status, kept_out = await device.get("/api/hall")
                    assert (status, kept_out["code"]) == (403, "players_stay_out")
        await first.at.pass_time(1_000)
    await asyncio.gather(*(one.end() for one in boards))
    await first.at.pass_time(ANSWER_AFTER_MS)  # after it a resignation is a result
    await turn(lambda: all(one.at.table.state.over for one in boards))
    assert [one.at.table.state.ending.result for one in boards] == [one.result for one in boards]
    assert sum(len(one.recorded(ev.TimeAdded)) for one in boards) == (round < 3), "an incident in each of two rounds"


async def plies(visitor: Visitor, round: int) -> dict[str, int]:
    """How many half-moves of each board of the round a spectator is shown."""
    status, shown = await visitor.get("/api/hall")
    assert status == 200
    return {line["table"]: line["plies"] for line in shown["tables"] if line["table"].startswith(f"r{round}-")}


async def bulletins(hall: Tournament) -> None:
    """The last round's bulletin has its four forms; the PGN of all three hold the twenty-four games as they ended."""
    begins = {"pdf": b"%PDF-", "html": b"<!doctype html>", "brf": b"", "pgn": b"[Event "}
    for form, first in begins.items():
        made = await hall.get(f"/api/bulletin/3.{form}?language=de")
        assert len(made) > 1_000 and made.startswith(first), form
        assert form != "html" or made.count(b"<h2 id=") == 8
    for round in (1, 2, 3):
        games = io.StringIO((await hall.get(f"/api/bulletin/{round}.pgn")).decode())
        for board, (white, black) in enumerate(paired(round), 1):
            game = chess.pgn.read_game(games)
            assert game is not None and not game.errors
            names = NAMES[white - 1], NAMES[black - 1]
            moves, _, result = game_of(round, board)
            assert (game.headers["White"], game.headers["Black"]) == names
            assert game.headers["Result"] == result and game.headers["Board"] == str(board)
            assert [node.san() for node in game.mainline()] == moves
        assert chess.pgn.read_game(games) is None
