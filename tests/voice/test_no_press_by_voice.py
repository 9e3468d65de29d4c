"""A press never comes from recognised speech (6.2.1, L049): no word, no verdict, no sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import Origin
from server.game.views import messages as msg
from server.voice.intents import body_of_command, typed_command
from server.voice.listener import say_of
from server.wording.words import scheme_of
from speech.hearing.hearing import Verdict
from speech.words.language import WORD_IDS
from speech.words.said import Heard, Said
from tests.table.open_hall import FakeEars, heard_words, played

COMMANDS = [word.removeprefix("cmd.") for word in WORD_IDS if word.startswith("cmd.")]
NEVER_BY_VOICE = (cmd.Press, cmd.Resign, cmd.AnswerDraw, cmd.EnterMove)


@pytest.mark.law("L049")
@pytest.mark.parametrize("word", [*COMMANDS, "press", "clock", "", "cmd.time"])
def test_no_command_word_is_a_press(word: str) -> None:
    assert not isinstance(body_of_command(word), NEVER_BY_VOICE)
    assert not isinstance(typed_command(word), cmd.Press | cmd.Resign)


def test_the_opponents_move_stands_on_their_board_only_where_it_was_heard_beyond_doubt() -> None:
    declared = [word for word in COMMANDS if isinstance(body_of_command(word), cmd.Execute)]
    assert declared == ["executed"] and body_of_command("executed", sure=False) is None


@pytest.mark.law("L049")
@pytest.mark.parametrize("kind", ["move", "command", "none", "press"])
def test_no_chain_of_words_is_a_press(kind: str) -> None:
    scheme = scheme_of("d21", "de")
    for command in (None, *COMMANDS):
        for said in (None, Said("knight", None, "f3")):
            heard = Heard(kind, said, command)
            assert isinstance(say_of(heard, scheme, Origin.HEARD, utterance=None, at_ms=None), cmd.Say)


@pytest.mark.law("L049", "L052")
async def test_whatever_the_ears_say_the_clock_is_not_pressed(tmp_path: Path) -> None:
    verdicts = [
        heard_words(Heard(kind, said, command), verdict)
        for verdict in ("accept", "confirm", "repeat", "reject", "press")
        for kind, said, command in [
            ("move", Said("knight", None, "f3"), None),
            ("none", None, None),
            *(("command", None, word) for word in COMMANDS),
        ]
    ]

    class Any_(FakeEars):
        async def verdict_on(self, pcm: bytes, scheme: object) -> Verdict:
            return verdicts[int(pcm.decode("utf-16-le"))]

    async with played(tmp_path, ears=Any_()) as game:
        for number in range(len(verdicts)):
            await game.speak("white", str(number))
        state = game.table.state
        assert state.time.clock.turn.value == "white" and state.time.clock.white.moves == 0 and not state.over
        recorded = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        assert not [event for event in recorded if isinstance(event, ev.ClockPressed | ev.Completed | ev.GameEnded)]
        stops = [event for event in recorded if isinstance(event, ev.ClockPaused)]
        assert stops and all(event.reason == "claim" for event in stops), "a claim stops it, a call by voice does not"
