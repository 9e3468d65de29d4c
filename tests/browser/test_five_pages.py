"""A whole short game over all five pages at once, its first move spoken into a (pretended) microphone (issue 7)."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import chess
import pytest
from playwright.async_api import Page, Playwright, expect

from server.game.values.words import Duty, Seat
from speech.announcements.announce import announce
from speech.announcements.understand import said_of_text
from speech.audio.sound import Sound
from speech.audio.wav import resample_sound, write_wav
from speech.hearing.hearing import Verdict
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.respelling import segments_of
from speech.voices.voice import Manner
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from tests.browser.conftest import hearing, started
from tests.browser.test_pages import Watched, opened, violations
from tests.table.open_hall import FakeEars, heard_words
from tests.web.open_house import open_house

pytestmark = pytest.mark.needs("chromium")

# The quickest mate there is; Black sees the board, White has one under the fingers.
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR"
AFTER_E5 = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR"
WHITES_SCORE = ["Bauer Felix drei", "Bauer Eva fuenf", "Bauer Gustav vier", "Dame Hector vier"]  # as White dictated it
LEAD_S, TAIL_S = 4, 20  # before the words: what a busy machine may take from the key to the first sample
FILE_RATE = 48_000  # at 16 kHz Chromium's pretended device plays a file in jumps
# A player does not guess when the machine listens: this says what the player's own ears would, from the same stream.
NOTES = """
const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getUserMedia = async (wanted) => {
  const stream = await ask(wanted);
  const context = new AudioContext();
  const ear = context.createAnalyser();
  ear.fftSize = 16384;  // a third of a second
  context.createMediaStreamSource(stream).connect(ear);
  const samples = new Float32Array(ear.fftSize);
  let silent = 0;
  const told = document.documentElement.dataset;
  setInterval(() => {
    ear.getFloatTimeDomainData(samples);
    if (samples.some((one) => Math.abs(one) > 0.02)) { silent = 0; told.spoken = "speaking"; }
    else if (told.spoken === "speaking" && (silent += 1) > 4) told.spoken = "said";
  }, 100);
  return stream;
};
"""


class WhitesMove(FakeEars):
    """Ears that hear White's first move in any sound; real ones hear a page in `test_first_run.py`."""

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        return heard_words(said_of_text(WHITES_SCORE[0], scheme))


async def write_spoken(path: Path, move: str) -> None:
    """The move as a German player announces it, between two silences, as a file for Chromium."""
    scheme, board = load_scheme("d21", "de"), chess.Board()
    voice = Pyttsx3Voice()
    try:
        words = announce(board, board.parse_san(move), scheme)
        sound = resample_sound(await voice.render(segments_of(words, scheme), Manner("m3", 0.85)), FILE_RATE)
    finally:
        await voice.close()
    lead, tail = bytes(2 * FILE_RATE * LEAD_S), bytes(2 * FILE_RATE * TAIL_S)
    write_wav(path, Sound(lead + sound.pcm + tail, FILE_RATE))


async def move(page: Page, start: str, end: str) -> None:
    """A man on the board of the page, by clicks on its squares."""
    for square in (start, end):
        await page.locator("#board button", has_text=square).click()
    await expect(page.locator("#board button", has_text=f"{start} empty")).to_be_visible()


async def write(page: Page, field: str, text: str) -> None:
    await page.locator(field).fill(text)
    await page.locator(field).press("Enter")
    await expect(page.locator(field)).to_have_value("")


async def press(page: Page, desk: Page, half_moves: int) -> None:
    """By key; the arbiter's page tells when the move is completed."""
    await page.keyboard.press("Control+Enter")
    await expect(desk.locator("#record", has_text="move completed")).to_be_visible()
    await expect(desk.locator("#record li", has_text="move completed")).to_have_count(half_moves)


async def speak(page: Page) -> None:
    """Hold the talk key until the words are said."""
    await page.keyboard.down("F9")
    await page.locator("html[data-spoken=said]").wait_for()
    assert await page.locator("#talk").get_attribute("aria-pressed") == "true"
    await page.keyboard.up("F9")


async def set_right(page: Page) -> None:
    """White's board has its pawn on e6 where e5 was announced: seen, explained, decided and confirmed at the desk."""
    await page.locator("#desk > summary").press("Enter")
    await page.locator("#desk-open").press("Enter")
    await page.locator("#desk-body").wait_for()
    board = page.locator("#desk-white")
    await board.get_by_role("button", name="e5").press("Enter")  # empty is chosen: what stood there goes
    await page.get_by_label("Piece to place").select_option("p")
    await board.get_by_role("button", name="e6").press("Enter")
    await page.locator("#desk-show-white").press("Enter")
    await page.locator("#desk-show-black").press("Enter")
    await expect(page.locator("#desk-explanations li").first).to_contain_text("White's board")
    # 1...e5 both players wrote by their own hands; the line before it is read.
    for side in ("white", "black"):
        await page.locator(f"#desk-{side}-1").press("Enter")
        await page.locator("#desk-cell").fill("f3")
        await page.locator("#desk-cell").press("Enter")
        await expect(page.locator(f"#desk-{side}-1-read")).to_contain_text("understood: f3")
    await expect(page.locator("#desk-answer")).to_contain_text("Both boards are explained")
    await page.locator("#desk-adjust").press("Enter")
    await expect(page.locator("#desk-set-white li")).to_have_text(["e5 Black pawn", "e6 empty"])
    for side in ("white", "black"):
        await expect(page.locator(f"#desk-confirm-{side}")).to_be_enabled()
        await page.locator(f"#desk-confirm-{side}").press("Enter")
    await page.locator("#desk-body").wait_for(state="hidden")
    await page.get_by_role("button", name="Resume clocks").press("Enter")
    await expect(page.locator("#said")).to_contain_text("Done")


@pytest.mark.slow
@pytest.mark.law("L182", "L194", "L197", "L199")
async def test_a_game_to_mate_over_five_pages_at_once(tmp_path: Path, playwright: Playwright) -> None:
    await write_spoken(tmp_path / "spoken.wav", "f3")
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(open_house(tmp_path / "data", ears=WhitesMove()))
        browser = await stack.enter_async_context(started(playwright, hearing(tmp_path / "spoken.wav", once=True)))
        people = {
            "white": await house.station("tactile", Seat.WHITE),
            "black": await house.station("sighted", Seat.BLACK),
            "assistant": await house.station("assistant", Seat.WHITE, Duty.EXECUTE),
            "arbiter": await house.arbiter(),
            "display": await house.station("display", None),
        }
        all_five: dict[str, Watched] = {}
        for name, person in people.items():
            watched = await stack.enter_async_context(opened(browser, house, person, requests=True))
            if name == "white":
                await watched.page.add_init_script(NOTES)
                await watched.page.reload()
                await watched.page.locator("header .state", has_text="Connected").wait_for()
            all_five[name] = watched
        white, black, assistant, desk, display = (one.page for one in all_five.values())

        await desk.get_by_role("button", name="Start White's clock").press("Enter")
        await expect(white.locator("#last")).to_contain_text("started")
        await expect(display.locator(".clock.running")).to_contain_text("White")

        # 1.f3 is spoken and heard; Black repeats it, makes it on Black's board and writes it.
        await speak(white)
        await expect(white.locator("#last")).to_contain_text("Felix drei")
        spoken = house.table.state.moves.plies[0]
        assert spoken.utterance is not None and spoken.announced_origin == "heard", spoken
        await press(white, desk, 1)
        await write(black, "#field", "Bauer Felix drei")
        await move(black, "f2", "f3")
        await write(black, "#cell-text", "f3")

        # 1...e5; White repeats it, the assistant makes it on White's board, which is the one duty granted.
        await write(black, "#field", "Bauer Eva fuenf")
        await move(black, "e7", "e5")
        await press(black, desk, 2)
        await write(black, "#cell-text", "e5")
        await write(white, "#field", "Bauer Eva fuenf")
        await assistant.get_by_role("button", name="Made: White's board").press("Enter")
        await expect(desk.locator("#boards-state")).to_contain_text("they are the same")
        await expect(display.locator("#last")).to_contain_text("Bauer Eva fünf")

        await set_right(desk)
        await expect(white.locator("#last")).to_contain_text("Play continues")
        state = house.table.state
        assert state.moves.white_board.position.placement == state.moves.black_board.position.placement == AFTER_E5
        await expect(display.locator(".clock.running")).to_contain_text("White")

        # 2.g4 Qh4 mate.
        await write(white, "#field", "Bauer Gustav vier")
        await press(white, desk, 3)
        await write(black, "#field", "Bauer Gustav vier")
        await move(black, "g2", "g4")
        await write(black, "#cell-text", "g4")
        await write(black, "#field", "Dame Hector vier")
        await move(black, "d8", "h4")
        await press(black, desk, 4)
        await write(black, "#cell-text", "Qh4#")
        await write(white, "#field", "Dame Hector vier")
        await assistant.get_by_role("button", name="Made: White's board").press("Enter")
        await expect(desk.locator("#boards-state")).to_contain_text("they are the same")

        # The arbiter is told of the mate and records the result; every page hears of it.
        await expect(desk.locator("#alerts li", has_text="checkmate on the server's board")).not_to_have_count(0)
        assert house.table.state.ending.result is None, "no program ends a game"
        await desk.locator("summary", has_text="Result").press("Enter")
        await desk.locator("#result").select_option("0-1")
        await desk.locator("#article").fill("5.1.1")
        await desk.get_by_role("button", name="End the game").press("Enter")
        await desk.get_by_role("dialog").get_by_role("button", name="Yes").press("Enter")
        await expect(display.locator("#last-by")).to_have_text("Game over: 0-1")
        await expect(display.locator("#last")).to_contain_text("Dame Hector vier")
        for page in (white, black):
            await expect(page.locator("#last")).to_contain_text("Game over: 0-1")
        await expect(display.locator("#board .square", has_text="h4 Black queen")).to_have_count(1)
        await expect(display.locator(".clock")).to_have_count(2)
        for page in (display, black, assistant, desk):
            await expect(page.locator(".clock.running")).to_have_count(0)

        state = house.table.state
        assert (state.ending.result, state.moves.out_of_step) == ("0-1", False)
        assert state.moves.white_board.position.placement == state.moves.black_board.position.placement == MATED
        assert state.moves.line == ("f2f3", "e7e5", "g2g4", "d8h4")
        assert [cell and cell.text for cell in state.scores.black] == ["f3", "e5", "g4", "Qh4#"]
        assert [cell and cell.text for cell in state.scores.white] == WHITES_SCORE
        assert state.scores.white[0] is not None and state.scores.white[0].utterance == spoken.utterance
        assert len(list((house.hall.data.audio / "demo").glob("*.flac"))) == 1
        for name, watched in all_five.items():
            assert await violations(watched.page) == [], name
            assert watched.complaints == [], name
            assert watched.foreign == [], name
