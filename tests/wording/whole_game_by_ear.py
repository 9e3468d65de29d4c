"""A whole game as White's ear hears it, in each language: what was said to it, when, and how long that took.

    python -m tests.wording.whole_game_by_ear [TAG ...]     writes tests/wording/by_ear/TAG.txt anew

Two tactile players in relay, by voice alone. It has questions, a slip put right, words that were not understood, a
refusal and its rule, an offer, a claim, the score and the position read back, and a resignation. The seconds are those
of eSpeak NG; the clock of the game goes on while something is said.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec

from server.game import acts as cmd
from server.game.values.words import Mode, SeatKind
from server.protocol import SoundReady
from server.wording.words import scheme_of
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.words.config_file import language_tags
from tests.table.open_hall import Played, WrittenVoice, played, turn

FOLDER = Path(__file__).parent / "by_ear"
LONGEST_MS, LONGEST_ASKED_MS = 3_000, 4_000
"""How long a phrase may last in play, and one piece of an answer, or a question, which must be whole (9.2.1, 5.1.2)."""
WITHOUT_AN_ANSWER = {"the arbiter starts the game", "white presses", "black presses", "the game is over"}
"""The acts of which White hears nothing by words: the press is felt and heard at the clock."""
THINKS_MS = 2_000
"""How long a player thinks before each step."""


class Phrase(msgspec.Struct, frozen=True):
    """What was said into White's ear: when it began and how long it lasted, ms."""

    at_ms: int
    length_ms: int
    text: str


class Step(msgspec.Struct, frozen=True):
    """What was done, and all that White heard of it. `asked`: White had asked for it."""

    done: str
    heard: tuple[Phrase, ...]
    asked: bool
    time: bool = False


class Listening:
    """White's ear through one game."""

    def __init__(self, game: Played, language: str) -> None:
        self.game, self.scheme = game, scheme_of("d21", language)
        self.steps: list[Step] = []
        self._told = 0

    def words(self, command: str) -> str:
        """How a command is said in this language."""
        return self.scheme.text(f"cmd.{command}")

    async def step(
        self, done: str, act: Callable[[], Awaitable[Any]], *, asked: bool = False, time: bool = False
    ) -> None:
        """Carry out one act, and listen to its end."""
        await self.game.pass_time(THINKS_MS)
        await act()
        await self.game.told()
        sounds: list[SoundReady] = self.game.ears["white"].sounds[self._told :]
        self._told += len(sounds)
        at, heard = self.game.clock.mono_ms(), []
        for sound in sounds:
            heard.append(Phrase(at, sound.length_ms, sound.text))
            at += sound.length_ms
        self.steps.append(Step(done, tuple(heard), asked, time))
        if sounds:
            await self.game.pass_time(at - self.game.clock.mono_ms())

    async def says(self, words: str, *, who: str = "white") -> None:
        """A player says this."""
        await self.step(f"{who} says: {words}", lambda: self.game.speak(who, words))

    async def asks(self, command: str) -> None:
        """White asks by a word."""
        words = self.words(command)
        await self.step(
            f"white says: {words}", lambda: self.game.speak("white", words), asked=True, time=command == "time"
        )

    async def presses(self, who: str) -> None:
        """A player presses the clock."""
        await self.step(f"{who} presses", lambda: self.game.press(who))


async def heard_in(language: str, folder: Path, voice: Any) -> list[Step]:
    """Play the game in one language, and return each step."""
    async with played(folder, mode=Mode.RELAY, black=SeatKind.TACTILE, voice=voice, language=language) as game:
        at = Listening(game, language)
        await at.step("the arbiter starts the game", game.told)
        await at.asks("time")
        await at.says("Bauer Eva vier")
        await at.presses("white")
        await at.says("Bauer Eva vier", who="black")
        await at.says("Bauer Eva fuenf", who="black")
        await at.presses("black")
        await at.says("Bauer Eva fuenf")
        await at.says("?")
        await at.says("Laeufer Cesar vier")
        await at.asks("correction")
        await at.says("Springer Felix drei")
        await at.presses("white")
        for command in ("time", "opponent_time", "clock", "moves", "last", "repeat"):
            await at.asks(command)
        await at.asks("set_up")
        await at.asks("article")
        await at.says("Springer Felix drei", who="black")
        await at.says("Springer Cesar sechs", who="black")
        await at.presses("black")
        await at.step("black offers a draw", lambda: game.do("black", cmd.OfferDraw()))
        await at.says(at.words("draw_decline"))
        await at.says("Springer Cesar sechs")
        await at.says(at.words("claim_draw"))
        await at.says(at.words("yes"))
        await at.says(at.words("no"))
        await at.step(
            "the arbiter rules that the claim is wrong", lambda: game.do("arbiter", cmd.RuleClaim(ruling="wrong"))
        )
        await at.step("the arbiter lets the clocks run", lambda: game.do("arbiter", cmd.Resume()))
        await at.asks("score")
        for command in ("score_previous", "score_next"):
            await at.asks(command)
        await at.asks("help")
        await at.says(at.words("resign"))
        await at.says(at.words("no"))
        await at.says(at.words("resign"))
        await at.says(at.words("yes"))
        await at.step("the game is over", lambda: turn(lambda: game.table.state.over))
        await at.asks("article")
        return at.steps


def seconds(ms: int) -> str:
    """The seconds, to a tenth."""
    return f"{ms / 1000:.1f}"


def page_of(language: str, steps: list[Step]) -> str:
    """What stands in the file of one language."""
    lines = ["# A whole game by White's ear: python -m tests.wording.whole_game_by_ear"]
    for step in steps:
        lines.append(f"\n{step.done}")
        lines += [f"  {seconds(one.at_ms):>6} {seconds(one.length_ms):>4}  {one.text}" for one in step.heard]
    return "\n".join(lines) + "\n"


LINE = re.compile(r"^  +(\d+\.\d) +(\d+\.\d)  (.*)$", re.M)


def texts_of(page: str) -> list[str]:
    """The lines of a page without their times, by which two voices differ."""
    return LINE.sub(r"  \3", page).splitlines()


def lengths_of(page: str) -> list[tuple[str, float]]:
    """Each phrase of a page and its seconds."""
    return [(text, float(length)) for _, length, text in LINE.findall(page)]


async def page_in(language: str, folder: Path, voice: Any = None) -> str:
    """Play it, and return the page. `voice`: eSpeak NG, or none: only the texts count then."""
    return page_of(language, await heard_in(language, folder, voice or WrittenVoice()))


async def written() -> None:
    """Write the files of the languages that are named, or of all."""
    for language in sys.argv[1:] or language_tags():
        voice = Pyttsx3Voice()
        try:
            with tempfile.TemporaryDirectory() as folder:
                (FOLDER / f"{language}.txt").write_text(await page_in(language, Path(folder), voice), "utf-8")
        finally:
            await voice.close()


if __name__ == "__main__":
    asyncio.run(written())
