"""A player sets the clock alone by voice before the game (D.2.6.1): usual settings are read out: yes or no."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.time.clock import ANSWER_MS
from server.game.values.time_control import TimeControl
from server.game.values.words import Duty, Role, Seat, SeatKind, SeatPlan, Station
from server.game.views import messages as msg
from server.protocol import Typed
from server.wording.rules import load_usual_clocks
from speech.audio.sound import Sound
from speech.audio.wav import resample_sound
from speech.channels.ear import GAP_MS, NOTICED_MS
from speech.complaint import Complaint
from speech.hearing.hearing import Hearing, recognisers
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Manner, Segment
from speech.words.config_file import language_tags
from speech.words.loading import load_scheme
from tests.table.open_hall import STATIONS, Played, WrittenEars, WrittenVoice, played, reopened, turn
from tests.voice.test_private_channels import at_ear, ready
from tests.waiting import until

HELPER = Station("helper", Role.ASSISTANT, Seat.WHITE, tuple(Duty))
USUAL = load_usual_clocks()


@asynccontextmanager
async def before_the_game(folder: Path, language: str = "de", ears: Any = None) -> AsyncIterator[Played]:
    async with reopened(folder, ears=ears or WrittenEars(), voice=WrittenVoice()) as (hall, clock):
        body = cmd.OpenTable(
            white=SeatPlan(SeatKind.TACTILE, language=language),
            black=SeatPlan(SeatKind.TACTILE),
            control=TimeControl.parse("7200"),
            start_fen=chess.STARTING_FEN,
        )
        game = Played(hall, clock, await hall.open_table(body, "t1"))
        for station in (*STATIONS, HELPER):
            assert (await game.table.admit(station)).outcome.ok
            game.attach(station.id)
        yield game


def told(game: Played, station: str = "white") -> list[tuple[str, str]]:
    return [(one.stage, one.control) for one in game.ears[station].of(msg.ClockSetting)]


def endings(game: Played) -> list[str]:
    events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
    return [one.outcome for one in events if isinstance(one, ev.ClockChoiceEnded)]


@pytest.mark.law("L057")
async def test_the_whole_dialogue_into_the_players_own_ear_and_the_arbiter_approves(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        for word in ("Uhr stellen", "nein", "nein", "nein", "wiederholen", "ja"):
            await game.told()
            await game.speak("white", word)
        asked = [("asked", one) for one in (*USUAL[:4], USUAL[3])]
        assert told(game) == [*asked, ("proposed", "900+10")]
        assert game.table.state.time.clock.control.text == "7200", "nothing counts before the arbiter has approved it"
        await game.done("arbiter", cmd.ApproveClock(approved=True))
        assert game.table.state.time.clock.control.text == "900+10"
        assert told(game)[-1] == ("set", "900+10")
        await game.told()
        heard = " ".join(one.text for one in game.ears["white"].sounds)
        control = "Zeit für alle Züge: 15 Minuten, Zeitzugabe je Zug: 10 Sekunden."
        assert f"{control} Die Uhr so stellen? Ja oder nein." in heard
        asked = "Der Schiedsrichter wird um Zustimmung zu dieser Uhreneinstellung gebeten."
        assert f"{control} {asked}" in heard
        assert told(game, "black") == [("set", "900+10")] and "asked" not in str(told(game, "helper"))
        assert endings(game) == ["chosen"]


@pytest.mark.law("L057", "L175")
async def test_where_the_arbiter_recorded_it_before_the_players_yes_sets_it(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        await game.done("arbiter", cmd.RecordAdaptation(name="player_sets_clock", value="on"))
        for word in ("Uhr stellen", "ja"):
            await game.speak("black", word)
        assert game.table.state.time.clock.control.text == USUAL[0]
        assert told(game, "black") == [("asked", USUAL[0]), ("set", USUAL[0])]


@pytest.mark.law("L057")
async def test_nothing_but_a_yes_beyond_doubt_sets_it(tmp_path: Path) -> None:
    """Stop, every setting refused, silence, doubt, another question: the clock is as it was, and White is told so."""
    async with before_the_game(tmp_path) as game:
        await game.done("arbiter", cmd.RecordAdaptation(name="player_sets_clock", value="on"))
        for words in (("Stopp",), ("nein",) * len(USUAL), ("~ja", "~nein", "?", "-ja", "Stopp")):
            for word in ("Uhr stellen", *words, "ja"):
                await game.speak("white", word)
            assert told(game)[-1] == ("unset", "7200")
        await game.speak("white", "Uhr stellen")
        await game.pass_time(ANSWER_MS + 1_000)
        await turn(lambda: not game.table.state.time.choosing)
        assert told(game)[-1] == ("unset", "7200"), "White is told when the time is over, not when White next speaks"
        await game.speak("white", "ja")
        await game.speak("white", "Uhr stellen")
        await game.speak("white", "ich gebe auf")
        await game.speak("white", "nein")
        await game.speak("white", "ja")
        assert endings(game) == ["stopped", "none_left", "stopped", "lapsed", "dropped"]
        assert game.table.state.time.clock.control.text == "7200" and game.table.state.ending.resigned is None
        await game.told()
        assert "Die Uhr wurde nicht gestellt." in [one.text for one in game.ears["white"].sounds]


@pytest.mark.law("L057", "L064")
@pytest.mark.parametrize("answered", ["by voice", "by a key", "with a yes"])
async def test_nothing_more_is_said_of_a_setting_that_is_answered(tmp_path: Path, answered: str) -> None:
    """A yes to the rest of it would be one to the setting that comes next."""
    async with before_the_game(tmp_path) as game:
        await game.speak("white", "Uhr stellen")
        await ready(game)
        first = game.ears["white"].sounds[-1]
        at_ear(game, "began", first.id)
        await game.pass_time(NOTICED_MS)
        if answered == "by voice":
            game.table.teller.voice_began("white")
            await game.pass_time(500)
            game.table.teller.voice_ended("white")
            await game.pass_time(1_000)
            await ready(game)
            assert [one.text for one in game.ears["white"].sounds] == ["Zeit für alle Züge:"]
            await game.speak("white", "nein")
        else:
            await game.done("white", cmd.Confirm(yes=answered == "with a yes"))
        await game.told()
        heard = " ".join(one.text for one in game.ears["white"].sounds)
        if answered == "with a yes":
            assert "Ja oder nein" not in heard and "um Zustimmung" in heard
        else:
            assert heard.count("Die Uhr so stellen?") == 1 and "30 Minuten" not in heard


@pytest.mark.law("L057")
async def test_who_asks_something_else_hears_no_half_of_a_setting_and_has_it_told_again(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        await game.speak("white", "Uhr stellen")
        await ready(game)
        await game.done("white", cmd.Ask(what="moves"))
        await game.told()
        told = [one.text for one in game.ears["white"].sounds]
        assert told == ["Zeit für alle Züge:", "Abgeschlossene Züge: 0."]
        await game.speak("white", "wiederholen")
        await game.told()
        again = [one.text for one in game.ears["white"].sounds][len(told) :]
        assert again[0] == "Zeit für alle Züge:" and again[-1] == "Die Uhr so stellen? Ja oder nein."


@pytest.mark.law("L057")
async def test_a_key_steps_in_a_setting_that_is_read(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        await game.speak("white", "Uhr stellen")
        await ready(game)
        at_ear(game, "next")
        await game.told()
        at_ear(game, "next")
        await game.told()
        told = [one.text for one in game.ears["white"].sounds]
        assert told == ["Zeit für alle Züge:", "eine Stunde 30 Minuten,", "Zeitzugabe je Zug: 30 Sekunden."]


@pytest.mark.law("L197")
async def test_nothing_more_is_said_of_a_square_that_stands(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        (white,) = game.table.state.stations.at(Role.PLAYER, Seat.WHITE)
        game.table.teller.take(white, 901, msg.SquareToSetNow(square="e4", should_be="P", number=1, of=2))
        await ready(game)
        at_ear(game, "began", game.ears["white"].sounds[-1].id)
        await game.pass_time(NOTICED_MS)
        game.table.teller.take(white, 902, msg.SquareToSetNow(square="d5", should_be="p", number=2, of=2))
        await game.told()
        told = [one.text for one in game.ears["white"].sounds]
        assert len([one for one in told if "Sagen Sie" in one]) == 1 and "Sagen Sie" in told[-1]


@pytest.mark.law("L064")
async def test_one_yes_never_serves_two_questions(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        await game.speak("white", "ich gebe auf")
        assert game.table.state.ending.pending
        await game.speak("white", "Uhr stellen")
        await game.speak("white", "ja")
        assert game.table.state.ending.resigned is None and told(game)[-1] == ("proposed", USUAL[0])


async def test_players_answer_their_own_questions_and_an_assistant_none(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        await game.speak("helper", "Uhr stellen")
        assert not game.table.state.time.choosing
        await game.speak("white", "Uhr stellen")
        await game.speak("black", "Uhr stellen")
        await game.speak("black", "nein")
        await game.speak("helper", "ja")
        assert [(one.seat, one.number) for one in game.table.state.time.choosing] == [(Seat.WHITE, 1), (Seat.BLACK, 2)]
        await game.speak("white", "ja")
        assert game.table.state.time.proposed_clock == (Seat.WHITE, TimeControl.parse(USUAL[0]))


@pytest.mark.law("L057")
async def test_never_after_the_start_and_an_open_question_ends_with_it(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        await game.speak("white", "Uhr stellen")
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        await game.done("arbiter", cmd.StartGame())
        await game.speak("white", "ja")
        assert game.table.state.time.proposed_clock is None and not game.table.state.time.choosing
        outcome = await game.type("white", "Uhr stellen")
        assert (outcome.outcome.code, outcome.outcome.article) == ("clock_is_fixed", "6.3.1")
        assert game.table.state.time.clock.control.text == "7200"


async def test_a_restart_asks_nothing_that_was_asked_before_it(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        await game.pass_time(5_000)
        await game.speak("white", "Uhr stellen")
    async with reopened(tmp_path, ears=WrittenEars(), voice=WrittenVoice()) as (hall, clock):
        again = Played(hall, clock, hall.tables["t1"])
        await again.speak("white", "ja")
        assert again.table.state.time.proposed_clock is None


@pytest.mark.parametrize("language", language_tags())
async def test_typed_words_take_the_same_path_in_every_language(tmp_path: Path, language: str) -> None:
    scheme = load_scheme("d21", language)
    begin, yes, no = (scheme.listener.words[f"cmd.{name}"].text for name in ("set_clock", "yes", "no"))
    async with before_the_game(tmp_path, language) as game:
        for word in (begin, no, begin, yes):
            assert (await game.type("white", word)).outcome.ok, word
        assert told(game) == [("asked", USUAL[0]), ("asked", USUAL[1]), ("asked", USUAL[0]), ("proposed", USUAL[0])]
        await game.told()
        assert len(game.ears["white"].sounds) >= 1


async def test_a_station_cannot_bring_settings_of_its_own(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        await game.done("white", cmd.ChooseClock(controls=("1",)))
        assert told(game) == [("asked", USUAL[0])]
        with pytest.raises(Complaint):
            await game.table.take_typed("white", Typed(game.id(), "Uhr stellen 1"))


def test_the_settings_are_data_and_the_page_offers_the_same(tmp_path: Path, repo: Path) -> None:
    page = (repo / "server" / "web" / "static" / "pages" / "tactile.html").read_text("utf-8")
    offered = page.split('id="clock-preset"')[1].split("</select>")[0]
    pairs = re.findall(r"<option>(\d+)\+(\d+)</option>", offered)
    assert [f"{int(minutes) * 60}+{seconds}" for minutes, seconds in pairs] == list(USUAL)
    (tmp_path / "rules").mkdir()
    for text, key in (
        ("usual = 5", "usual"),
        ("usual = []", "usual"),
        ('usual = ["soon"]', "usual"),
        ('usual = ["900+10", "900+10"]', "usual"),
        ("other = 1", "other"),
    ):
        (tmp_path / "rules" / "clocks.toml").write_text(text)
        with pytest.raises(Complaint, match=f"config/rules/clocks.toml, key {key}"):
            load_usual_clocks(tmp_path)


@pytest.mark.slow
async def test_the_dialogue_with_a_synthetic_voice_and_our_ears(tmp_path: Path) -> None:
    """eSpeak's German voice says it, the recogniser in the wheel hears it; what is doubtful would set nothing."""
    scheme, voice, hearing = load_scheme("d21", "de"), Pyttsx3Voice(), Hearing(recognisers("auto"), patient=True)
    await hearing.start()
    try:
        async with before_the_game(tmp_path, ears=hearing) as game:
            utterances = count(1)
            for answers, name in enumerate(("set_clock", "no", "repeat", "yes"), 1):
                segment = Segment(scheme.spelling(f"cmd.{name}", "espeak"), scheme.voice_language(f"cmd.{name}"))
                for rate in (0.85, 1.0, 0.7):  # said again where it was not understood
                    said = resample_sound(await voice.render([segment], Manner(None, rate)))
                    await game.table.hear("white", next(utterances), said.pcm, game.clock.mono_ms())
                    if len(told(game)) == answers:
                        break
            asked = [("asked", USUAL[0]), ("asked", USUAL[1]), ("asked", USUAL[1])]
            assert told(game) == [*asked, ("proposed", USUAL[1])]
    finally:
        await hearing.close()
        await voice.close()


@pytest.mark.law("L197")
async def test_a_square_is_told_whole_also_while_an_answer_is_read(tmp_path: Path) -> None:
    """The rest of the answer, or a ruling, between "Feld 1 von 2:" and its square would be taken for the square."""
    async with before_the_game(tmp_path) as game:
        (white,) = game.table.state.stations.at(Role.PLAYER, Seat.WHITE)
        await game.done("white", cmd.Ask(what="set_up"))
        await ready(game)
        at_ear(game, "began", game.ears["white"].sounds[-1].id)
        await ready(game)
        game.table.teller.take(white, 901, msg.SquareToSetNow(square="e4", should_be="P", number=1, of=2))
        await game.told()
        told = [one.text for one in game.ears["white"].sounds]
        begins = told.index("Feld 1 von 2:")
        assert told[begins + 1] == "Eva vier: weißer Bauer." and len(told) == begins + 3, told


@pytest.mark.law("L197")
async def test_a_ruling_waits_until_the_square_is_told(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.type("white", "Eva vier", "announce")
        await game.press("white")
        await game.told()
        before = len(game.ears["white"].sounds)
        await game.done("arbiter", cmd.RestoreTo(ply=0, reason="7.1"))
        await ready(game)
        at_ear(game, "ended", game.ears["white"].sounds[-1].id)
        await game.pass_time(GAP_MS)
        await ready(game)
        await game.done("arbiter", cmd.SetClock(white_ms=600_000, black_ms=500_000, turn=Seat.WHITE))
        await game.told()
        told = [one.text for one in game.ears["white"].sounds][before:]
        begins = next(place for place, text in enumerate(told) if text.startswith("Feld 1 von"))
        assert told[begins + 1] == "Eva zwei: weißer Bauer." and "Der Schiedsrichter hat die Uhr gestellt." in told, (
            told
        )


@pytest.mark.law("L057")
async def test_a_no_while_the_next_phrase_is_put_into_sound_ends_that_setting(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        teller, rendered, begun = game.table.teller, asyncio.Event(), count(1)
        render = teller._sound

        async def render_slowly(*args: Any, **more: Any) -> Sound:
            if next(begun) == 2:
                await rendered.wait()
            return await render(*args, **more)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(teller, "_sound", render_slowly)
            await game.speak("white", "Uhr stellen")
            await until(lambda: game.ears["white"].sounds)
            at_ear(game, "began", game.ears["white"].sounds[-1].id)
            await game.pass_time(NOTICED_MS)
            await game.done("white", cmd.Confirm(yes=False))
            rendered.set()
            await game.told()
        told = [one.text for one in game.ears["white"].sounds]
        assert told[-1] == "Die Uhr so stellen? Ja oder nein." and "eine Stunde 30 Minuten," not in told, told
