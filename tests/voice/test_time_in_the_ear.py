"""The time in a player's ear, at a real table: right when the phrase ends, and unasked only as the arbiter recorded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.time.instants import next_instant
from server.game.values.words import ClockMaster, Mode, Seat, station_of_devices
from server.game.views.messages import Recorded, TimeCue
from server.protocol import AtEar, SoundReady
from speech.audio.sound import Sound
from speech.channels.ear import GAP_MS, Kind
from speech.voices.voice import ORDINARY, Manner, Segment
from tests.table.open_hall import STATIONS, Played, WrittenVoice, played, turn


class TalkingVoice(WrittenVoice):
    """A fifth of a second a letter."""

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        sound = await super().render(segments, manner, keep=keep)
        return Sound(sound.pcm * 20, sound.sample_rate)


def at_ear(game: Played, did: Any, id: str = "") -> None:
    game.table.teller.at_ear("white", AtEar(did, id))


async def next_sound(game: Played, count: int) -> SoundReady:
    await turn(lambda: len(game.ears["white"].sounds) >= count)
    assert len(game.ears["white"].sounds) == count
    return game.ears["white"].sounds[-1]


def seconds_of(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"(\d+) Sekunden?", text)]


def left(game: Played, in_ms: int) -> int:
    """What White's display will show then, in whole seconds."""
    return game.table.state.time.clock.reading(game.clock.mono_ms() + in_ms).white_ms // 1000


@pytest.mark.law("L192")
@pytest.mark.parametrize("passed", [100, 4_950, 20_000, 30_400])
async def test_a_time_under_a_minute_is_the_time_at_the_end_of_the_phrase(tmp_path: Path, passed: int) -> None:
    async with played(tmp_path, control="45", voice=TalkingVoice()) as game:
        await game.pass_time(passed)
        await game.done("white", cmd.Ask(what="time"))
        sound = await next_sound(game, 1)
        assert sound.length_ms > 2_000
        assert seconds_of(sound.text)[0] == left(game, sound.length_ms) != left(game, 0)
        assert re.fullmatch(r"\d+ Sekunden\.", sound.text), "the own time alone"


@pytest.mark.law("L192")
async def test_a_time_that_had_to_wait_is_made_anew(tmp_path: Path) -> None:
    async with played(tmp_path, control="45", voice=TalkingVoice()) as game:
        game.table.teller.voice_began("black")
        await game.done("white", cmd.Ask(what="time"))
        await game.pass_time(9_000)
        assert game.ears["white"].sounds == [], "never over a human voice"
        game.table.teller.voice_ended("black")
        await game.pass_time(500)
        sound = await next_sound(game, 1)
        assert seconds_of(sound.text)[0] in (left(game, sound.length_ms), left(game, sound.length_ms - 500))


@pytest.mark.law("L192")
async def test_over_a_minute_the_time_is_that_of_the_question(tmp_path: Path) -> None:
    async with played(tmp_path, control="3600", voice=TalkingVoice()) as game:
        await game.done("white", cmd.Ask(what="time"))
        sound = await next_sound(game, 1)
        assert sound.text == "eine Stunde."


@pytest.mark.law("L192", "L203")
@pytest.mark.parametrize("recorded", [True, False])
async def test_a_cue_is_heard_where_it_was_recorded_and_is_the_last_to_be_said(tmp_path: Path, recorded: bool) -> None:
    async with played(tmp_path, control="45", voice=WrittenVoice()) as game:
        if recorded:
            await game.done("arbiter", cmd.RecordAdaptation(name="spoken_time_automatic", value="on"))
        outcome = await game.do("white", cmd.AskForCues(at_s=(30,), countdown="words"))
        assert outcome.outcome.ok is recorded
        for _ in range(36):  # 9 s are left
            await game.pass_time(1_000)
            await turn(lambda: (due := next_instant(game.table.state)) is None or due.at > game.clock.mono_ms())
            await game.table.teller.finish()
            for sound in game.ears["white"].sounds:
                at_ear(game, "began", sound.id)
                at_ear(game, "ended", sound.id)
        said = [(one.text, one.what) for one in game.ears["white"].sounds]
        cued = [("Noch 30 Sekunden.", Kind.CUE), ("10", Kind.CUE), ("9", Kind.CUE)]
        assert said == (cued if recorded else [])
        assert game.table.state.time.clock.running is Seat.WHITE


@pytest.mark.law("L192")
@pytest.mark.parametrize("countdown", ["words", "ticks"])
@pytest.mark.parametrize("then", ["nothing", "press", "pause", "add_time"])
async def test_a_cue_that_waits_is_not_said_of_a_clock_that_stands_or_was_set(
    tmp_path: Path, then: str, countdown: Any
) -> None:
    async with played(tmp_path, control="45") as game:
        await game.done("arbiter", cmd.RecordAdaptation(name="spoken_time_automatic", value="on"))
        await game.done("white", cmd.AskForCues(at_s=(30,) if countdown == "words" else (), countdown=countdown))
        await game.pass_time(14_900 if countdown == "words" else 34_900)
        game.table.teller.voice_began("black")
        await game.pass_time(150)
        await turn(lambda: bool(game.ears["white"].of(TimeCue)))
        await game.put_into_sound()
        if then == "press":
            await game.press("white")
        elif then == "pause":
            await game.done("arbiter", cmd.Pause(reason="noise"))
        elif then == "add_time":
            await game.done("arbiter", cmd.AddTime(seat=Seat.WHITE, ms=60_000, reason="noise", article="12.5"))
        before = len(game.ears["white"].sounds)
        game.table.teller.voice_ended("black")
        await game.told()
        cues = [one for one in game.ears["white"].sounds[before:] if one.what is Kind.CUE]
        assert len(cues) == (then == "nothing")


@pytest.mark.law("L192")
@pytest.mark.parametrize("headset", [True, False])
async def test_the_last_seconds_tick_in_the_ear_that_is_in_use_and_on_record(tmp_path: Path, headset: bool) -> None:
    """Not from the loudspeaker of a page whose player wears the server's headset: only the opponent would hear it."""
    devices = station_of_devices(Seat.WHITE)
    async with played(tmp_path, control="12", stations=(*STATIONS, *([devices] if headset else []))) as game:
        await game.done("arbiter", cmd.RecordAdaptation(name="spoken_time_automatic", value="on"))
        await game.done("white", cmd.AskForCues(countdown="ticks"))
        ear = game.ears[devices.id if headset else "white"]
        await game.pass_time(2_000)
        await turn(lambda: bool(ear.sounds))
        assert [(one.text, one.what) for one in ear.sounds] == [("(tick)", Kind.CUE)]
        assert sum(len(one.sounds) for one in game.ears.values()) == 1
        told = [one.event for one in game.ears["arbiter"].of(Recorded)]
        assert [one.text for one in told if isinstance(one, ev.SpokenPrivately)] == ["(tick)"]


async def spoken(game: Played) -> list[str]:
    """All that White's ear has been told by now, each phrase heard to its end."""
    await game.told()
    return [one.text for one in game.ears["white"].sounds]


@pytest.mark.law("L192", "L182")
@pytest.mark.parametrize("stands", [True, False])
async def test_the_time_is_said_again_when_the_last_phrase_is_wanted_once_more(tmp_path: Path, stands: bool) -> None:
    async with played(tmp_path, control="3600", voice=TalkingVoice()) as game:
        if stands:
            await game.done("arbiter", cmd.Pause())
            await game.told()
        before = len(game.ears["white"].sounds)
        await game.done("white", cmd.Ask(what="time"))
        assert (await spoken(game))[before:] == ["eine Stunde."]
        await game.pass_time(60_000)
        at_ear(game, "repeat")
        assert (await spoken(game))[before:] == ["eine Stunde.", "eine Stunde." if stands else "59 Minuten."]


@pytest.mark.law("L192", "L182")
@pytest.mark.parametrize("sounds", [1, 2])
@pytest.mark.parametrize("then", ["nothing", "press", "pause"])
async def test_which_clock_runs_is_said_as_it_is_when_it_is_said(tmp_path: Path, then: str, sounds: int) -> None:
    """It changes while the first or the second time sounds: by then it may be sound already which one runs."""
    async with played(tmp_path, control="3600", voice=TalkingVoice()) as game:
        await game.type("white", "e4", "announce")
        await game.press("white")
        before = len(await spoken(game))
        await game.done("white", cmd.Ask(what="clock"))
        await game.put_into_sound()
        if sounds == 2:
            at_ear(game, "ended", game.ears["white"].sounds[-1].id)
            await game.pass_time(GAP_MS)
            await turn(lambda: len(game.ears["white"].sounds) == before + 2)
            await game.put_into_sound()
        if then == "press":
            await game.done("black", cmd.EnterMove(uci="e7e5"))
            await game.press("black")
        elif then == "pause":
            await game.done("arbiter", cmd.Pause())
        said = " ".join((await spoken(game))[before:])
        told = {"nothing": "Die Uhr des Gegners läuft.", "press": "Ihre Uhr läuft.", "pause": "Beide Uhren stehen."}
        assert [one for one in told.values() if one in said] == [told[then]], said


@pytest.mark.law("L192", "L182")
@pytest.mark.parametrize("set_meanwhile", [True, False])
async def test_a_time_that_stands_and_had_to_wait_for_a_voice_is_said(tmp_path: Path, set_meanwhile: bool) -> None:
    """The clocks stand, the arbiter speaks with the players, and one of them asks for the time meanwhile."""
    async with played(tmp_path, control="3600", voice=TalkingVoice()) as game:
        await game.done("arbiter", cmd.Pause())
        before = len(await spoken(game))
        game.table.teller.voice_began("black")
        await game.done("white", cmd.Ask(what="time"))
        await game.put_into_sound()
        if set_meanwhile:
            await game.done("arbiter", cmd.CorrectClock(seat=Seat.WHITE, ms=1_800_000, reason="noise"))
        await game.pass_time(9_000)
        game.table.teller.voice_ended("black")
        await game.pass_time(500)
        said = (await spoken(game))[before:]
        assert ("30 Minuten." if set_meanwhile else "eine Stunde.") in said
        assert not (set_meanwhile and "eine Stunde." in said), "never what was true once"


@pytest.mark.law("L192")
async def test_a_time_read_off_another_clock_is_said_with_its_age_then(tmp_path: Path) -> None:
    async with played(tmp_path, master=ClockMaster.MANUAL, voice=TalkingVoice()) as game:
        await game.done("arbiter", cmd.ReadClock(white_ms=600_000, black_ms=540_000))
        before = len(await spoken(game))
        await game.pass_time(2_000)
        game.table.teller.voice_began("black")
        await game.done("white", cmd.Ask(what="time"))
        await game.put_into_sound()
        await game.pass_time(18_000)
        game.table.teller.voice_ended("black")
        await game.pass_time(500)
        first, age, *rest = (await spoken(game))[before:]
        assert first == "10 Minuten." and rest == []
        assert seconds_of(age)[0] in (20, 21)


@pytest.mark.law("L192", "L193")
async def test_a_reading_is_never_said_to_be_younger_than_it_is(tmp_path: Path) -> None:
    """Its age is a phrase of its own, and the one that is said once more; a newer reading counts by then."""
    async with played(tmp_path, master=ClockMaster.MANUAL, voice=TalkingVoice()) as game:
        await game.done("arbiter", cmd.ReadClock(white_ms=600_000, black_ms=540_000))
        before = len(await spoken(game))
        await game.done("white", cmd.Ask(what="opponent_time"))
        first, age = (await spoken(game))[before:]
        assert first == "Gegner: 9 Minuten." and seconds_of(age)[0] < 5
        await game.pass_time(50_000)
        at_ear(game, "repeat")
        *_, again = await spoken(game)
        assert seconds_of(again)[0] >= 50, again
        game.table.teller.voice_began("black")
        await game.done("white", cmd.Ask(what="opponent_time"))
        await game.put_into_sound()
        await game.done("arbiter", cmd.ReadClock(white_ms=600_000, black_ms=480_000))
        await game.pass_time(9_000)
        game.table.teller.voice_ended("black")
        await game.pass_time(500)
        *_, told, _ = await spoken(game)
        assert told == "Gegner: 8 Minuten."


@pytest.mark.law("L064")
@pytest.mark.parametrize("cut_by", ["voice", "announcement"])
async def test_a_fallen_flag_that_was_cut_off_is_told_again(tmp_path: Path, cut_by: str) -> None:
    """The opponent sees it on the display for as long as they like: one word of anybody's must not take it away."""
    mode = Mode.RELAY if cut_by == "announcement" else Mode.TABLE
    async with played(tmp_path, control="45", voice=TalkingVoice(), mode=mode) as game:
        await game.done("arbiter", cmd.RecordAdaptation(name="flag_cue_private", value="on", approved=True))
        if cut_by == "announcement":
            await game.type("white", "Eva vier", "announce")
            await game.press("white")
            await game.told()
        before = len(game.ears["white"].sounds)
        await game.pass_time(45_000)
        await turn(lambda: len(game.ears["white"].sounds) > before)
        flag = game.ears["white"].sounds[-1]
        assert "0 Sekunden" in flag.text
        at_ear(game, "began", flag.id)
        if cut_by == "announcement":
            await game.done("black", cmd.EnterMove(uci="e7e5"))
            await game.pass_time(1_000)
        else:
            game.table.teller.voice_began("black")
            game.table.teller.voice_ended("black")
        said = [one.text for one in game.ears["white"].sounds[before:]]
        assert said.count(flag.text) == 1
        assert (await spoken(game))[before:].count(flag.text) == 2
