"""The player rules their own ear by voice: again, slower, faster, stop; never the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import Seat, SeatKind
from server.game.views.messages import Recorded
from speech.channels.ear import MARGIN_MS
from speech.words.config_file import language_tags
from speech.words.loading import load_scheme
from tests.table.open_hall import Played, played
from tests.voice.test_private_channels import NotingVoice, at_ear, ready

OF_THE_EAR = {"sound_kept", "spoken_privately", "speech_cut", "ear_chosen"}


def kinds(game: Played) -> list[str]:
    return [one.event.__struct_config__.tag for one in game.ears["arbiter"].of(Recorded)]


async def heard_an_answer(game: Played, what: str = "moves") -> str:
    """White has asked something and heard the answer; its id."""
    await game.done("white", cmd.Ask(what=what))  # type: ignore[arg-type]
    await ready(game)
    sound = game.ears["white"].sounds[-1]
    at_ear(game, "began", sound.id)
    at_ear(game, "ended", sound.id)
    await game.pass_time(MARGIN_MS)
    return sound.text


@pytest.mark.parametrize("words", ["noch einmal", "wiederholen", "bitte wiederholen"])
async def test_again_says_what_was_heard_last_and_asks_the_game_nothing(tmp_path: Path, words: str) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        text = await heard_an_answer(game)
        before, sounds = len(kinds(game)), len(game.ears["white"].sounds)
        state = game.table.state
        await game.speak("white", words)
        await ready(game)
        assert [one.text for one in game.ears["white"].sounds[sounds:]] == [text]
        assert set(kinds(game)[before:]) <= OF_THE_EAR
        assert game.ears["black"].sounds == []
        after = game.table.state
        assert (after.moves.plies, after.time.clock, after.moves.line, after.scores.white) == (
            state.moves.plies, state.time.clock, state.moves.line, state.scores.white
        )  # fmt: skip


async def test_again_is_the_last_move_where_nothing_has_been_said_yet(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.speak("white", "noch einmal")
        await ready(game)
        (answer,) = [one.event for one in game.ears["arbiter"].of(Recorded) if isinstance(one.event, ev.Answered)]
        assert answer.what == "last"


@pytest.mark.law("L197")
async def test_again_is_the_whole_square_to_set_and_not_what_to_say_once_it_stands(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.type("white", "Eva vier", "announce")
        await game.press("white")
        await game.done("arbiter", cmd.RestoreTo(ply=0, times="leave", reason="7.1"))
        await game.told()
        said = [one.text for one in game.ears["white"].sounds]
        first = next(place for place, text in enumerate(said) if text.startswith("Feld 1 von 2"))
        assert said[-1].startswith("Sagen Sie ja")
        await game.speak("white", "wiederholen")
        await game.told()
        assert [one.text for one in game.ears["white"].sounds][len(said) :] == said[first:]


async def test_slower_and_faster_are_heard_at_once_and_kept(tmp_path: Path) -> None:
    voice = NotingVoice()
    async with played(tmp_path, voice=voice) as game:
        await game.speak("white", "langsamer")
        await ready(game)
        assert game.table.state.sound.of(Seat.WHITE).ear.speed == 80
        assert game.ears["white"].sounds[-1].text == "langsamer"
        assert voice.manners[-1].speed == 0.8, "and so White hears how slow"
        for _ in range(3):
            await game.speak("white", "langsamer")
        assert game.table.state.sound.of(Seat.WHITE).ear.speed == 50, "no slower than our voice can"
        for _ in range(20):
            await game.speak("white", "schneller")
        assert game.table.state.sound.of(Seat.WHITE).ear.speed == 300
        assert game.table.state.sound.of(Seat.BLACK).ear.speed == 100
        assert set(kinds(game)) & {"announced", "not_understood", "answered"} == set()


async def test_in_the_middle_of_a_move_it_takes_nothing_back(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.speak("white", "Eva vier")
        before = game.table.state.moves.plies
        for words in ("schneller", "noch einmal", "langsamer", "Stopp"):
            await game.speak("white", words)
        assert game.table.state.moves.plies == before
        await game.press("white")
        assert game.table.state.moves.line[0] == "e2e4"


@pytest.mark.parametrize("tag", language_tags())
def test_the_words_are_there_in_every_language(tag: str) -> None:
    scheme = load_scheme("d21", tag)
    for word in ("cmd.slower", "cmd.faster", "cmd.repeat", "cmd.stop"):
        assert scheme.text(word) and scheme.forms_spoken(word)
