"""Who speaks a command is answered: with what was asked for, or with why it is not done; nobody else is told."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.claims.proposals import CONFIRM_MS
from server.game.values.words import Mode, SeatKind
from server.game.views import messages as msg
from server.voice.listener import UtteranceSound
from server.wording.words import scheme_of
from speech.words.config_file import language_tags
from speech.words.language import COMMANDS
from tests.table.open_hall import Played, WrittenVoice, played, turn

Effect = Callable[[ev.AnyEvent], bool]
PINNED = "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1"


def refusals(game: Played) -> list[tuple[str, str]]:
    told = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
    return [(one.code, one.station) for one in told if isinstance(one, ev.CommandRefused)]


@pytest.mark.law("L044")
@pytest.mark.parametrize("answer", ["ja", "nein"])
async def test_a_yes_that_comes_too_late_is_told_so(tmp_path: Path, answer: str) -> None:
    async with played(tmp_path, voice=WrittenVoice(), black=SeatKind.TACTILE) as game:
        await game.speak("white", "ich gebe auf")
        assert game.ears["white"].of(msg.Question)[-1].ask == "resign"
        await game.pass_time(CONFIRM_MS + 1_000)
        before = game.ears["black"].as_bytes()
        await game.speak("white", answer)
        await game.told()
        (told,) = game.ears["white"].of(msg.NotDone)
        assert told.text == "Es ist keine Frage zu beantworten." and refusals(game) == [("nothing_asked", "white")]
        assert [one.text for one in game.ears["white"].sounds].count(told.text) == 1
        assert game.ears["black"].as_bytes() == before and game.table.state.ending.result is None


async def test_a_refused_word_is_answered_and_what_opened_itself_is_not(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", "angenommen")
        await game.speak("white", "ja")  # White is asked whether it was said; there is no offer to accept
        assert refusals(game) == [("no_offer", "white")]
        await game.pass_time(CONFIRM_MS + 1_000)
        pcm = "ja".encode("utf-16-le")
        await game.table.hear("white", 77, UtteranceSound(pcm, pcm, by_voice=True), game.clock.mono_ms())
        assert refusals(game) == [("no_offer", "white")], "perhaps it was not for us"


@pytest.mark.law("L141")
async def test_the_answer_knows_no_position(tmp_path: Path) -> None:
    heard = []
    for name, fen in (("start", None), ("pinned", PINNED)):
        more = {} if fen is None else {"fen": fen}
        async with played(
            tmp_path / name, voice=WrittenVoice(), mode=Mode.TABLE, black=SeatKind.TACTILE, **more
        ) as game:
            for word in ("ja", "Hilfe", "angenommen", "nein", "Zeitüberschreitung"):
                await game.speak("white", word)
                await game.told()  # a question sounds at once, and would hush what sounds by chance
            heard.append([one for one in game.ears["white"].as_bytes() if b"greet" not in one][1:])
    assert heard[0] == heard[1]


@pytest.mark.law("L195", "L141")
@pytest.mark.parametrize("opens", ["key", "voice"])
async def test_after_the_press_no_correction_is_asked_for_but_the_player_is_told_who_may_make_one(
    tmp_path: Path, opens: str
) -> None:
    """D.2.8: until the press alone; the same bytes in every position."""
    heard, word = [], "Korrektur".encode("utf-16-le")
    for name, fen in (("start", {}), ("pinned", {"fen": PINNED})):
        async with played(tmp_path / name, voice=WrittenVoice(), black=SeatKind.TACTILE, **fen) as game:
            await game.speak("white", "Springer Felix drei")
            await game.speak("white", "Korrektur")
            assert [one.ask for one in game.ears["white"].of(msg.Question)] == ["correction"], "before the press"
            await game.told()  # the press would hush the question in the one game and come before it in the other
            await game.speak("white", "Springer Cesar drei")
            await game.press("white")
            await game.told()
            spoken = UtteranceSound(word, word, by_voice=opens == "voice")
            await game.table.hear("white", 77, spoken, game.clock.mono_ms())
            await game.told()
            (told,) = game.ears["white"].of(msg.NotDone)
            assert told.text == "Der Zug ist abgeschlossen; berichtigen darf ihn jetzt nur der Schiedsrichter. (D.2.8)"
            assert " ".join(one.text for one in game.ears["white"].sounds).endswith(told.text.removesuffix(" (D.2.8)"))
            assert len(game.ears["white"].of(msg.Question)) == 1, "and nothing more is asked"
            heard.append([one for one in game.ears["white"].as_bytes() if b"greet" not in one][1:])
            await game.speak("black", "Springer Cesar drei")
            await game.speak("black", "Korrektur")
            assert [one.ask for one in game.ears["black"].of(msg.Question)] == ["correction"], "who is on move may"
    assert heard[0] == heard[1]


def answered(what: str) -> Effect:
    return lambda event: isinstance(event, ev.Answered) and event.what == what


def refused(code: str) -> Effect:
    return lambda event: isinstance(event, ev.CommandRefused) and event.code == code


def asks(what: str) -> Effect:
    return lambda event: isinstance(event, ev.Proposed) and event.what == what


EFFECTS: dict[str, Effect | None] = {
    "repeat": answered("last"),  # first, while nothing has been said that White could hear again
    "yes": refused("nothing_asked"),
    "no": refused("nothing_asked"),
    **{name: answered(name) for name in ("time", "opponent_time", "moves", "last", "score", "help")},
    "slower": lambda event: isinstance(event, ev.EarChosen),
    "faster": lambda event: isinstance(event, ev.EarChosen),
    "correction": lambda event: (
        isinstance(event, ev.NotUnderstood) and event.speech.unclear == "correction"
    ),  # asks (D.2.8)
    "draw": asks("draw_offer"),
    "draw_offer": lambda event: isinstance(event, ev.DrawOffered),
    "draw_accept": asks("draw_accept"),
    "draw_decline": refused("no_offer"),
    "resign": asks("resign"),
    "claim_time": asks("claim_time"),
    "claim_draw": asks("claim_draw"),
    "arbiter": lambda event: isinstance(event, ev.ArbiterCalled),
    "adjust": lambda event: isinstance(event, ev.Adjusting),
    "castle": refused("only_in_chess960"),
    "set_clock": refused("clock_is_fixed"),
    "executed": refused("nothing_to_execute"),
    "article": lambda event: isinstance(event, ev.Answered) and event.refused == "nothing_to_execute",
    "clock": answered("clock"),
    "score_next": lambda event: isinstance(event, ev.Answered) and event.move == 1,
    "score_previous": lambda event: isinstance(event, ev.Answered) and event.move == 1,
    "score_move": lambda event: isinstance(event, ev.Answered) and event.move == 1,
    "read_keys": lambda event: isinstance(event, ev.EarChosen) and event.ear.read_keys,
    "set_up": refused("set_up_before_the_start"),
    "pairing": answered("pairing"),
    "stop": lambda event: isinstance(event, ev.SpeechCut) and event.why == "stop",
}


def more_sounds(game: Played, than: int) -> bool:
    return len(game.ears["white"].sounds) > than


@pytest.mark.law("L203")
@pytest.mark.parametrize("tag", language_tags())
async def test_every_command_in_every_language_does_what_it_says(tmp_path: Path, tag: str) -> None:
    words = scheme_of("d21", tag).listener.words
    assert set(EFFECTS) == set(COMMANDS)
    async with played(tmp_path, black=SeatKind.TACTILE, language=tag) as game:
        for name, effect in EFFECTS.items():
            if name == "stop":  # something sounds that can be silenced
                await game.told()
                await game.pass_time(1_000)
                heard = len(game.ears["white"].sounds)
                await game.done("white", cmd.Ask(what="help"))
                await turn(partial(more_sounds, game, heard))
            before = len(game.ears["arbiter"].of(msg.Recorded))
            await game.speak("white", words[f"cmd.{name}"].text)
            found = [one.event for one in game.ears["arbiter"].of(msg.Recorded)][before:]
            found = [one for one in found if not isinstance(one, ev.SoundKept | ev.SpokenPrivately)]
            assert any(map(effect, found)) if effect is not None else found == [], (name, found)
