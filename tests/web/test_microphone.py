"""/audio: utterances go to the record whole and in order; a bad frame ends its utterance, not the connection."""

from __future__ import annotations

import asyncio
import hashlib
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from server.game import acts as cmd
from server.game.values.words import Seat
from server.machine.clock import ScriptedClock
from server.protocol import LevelFound, Outgoing
from server.stations.microphone import (
    COMES_BACK_MS,
    LATE_MS,
    MARGIN_MS,
    PREROLL_MS,
    TAIL_MS,
    DeviceReport,
    Microphone,
    OwnVoice,
)
from server.voice import intake
from speech.audio.frames import HEADER, MOST_PARTS, encode_frames
from speech.audio.level import finding, levels
from speech.audio.sound import Sound
from speech.hearing.hearing import HearingUtterance, Mode, Verdict
from speech.words.said import Heard
from speech.words.scheme import Scheme
from tests.table.open_hall import FakeEars, FakeUtterance, WrittenEars, heard_words, played
from tests.waiting import PATIENCE_S, until
from tests.web.open_house import House, TestLine, open_house
from tests.web.test_all_tables import hall_arbiter
from tests.web.test_entrance import faults

NOISE = random.Random(5).randbytes(2 * 16_000)
OTHER = random.Random(6).randbytes(2 * 4_000)


@pytest.mark.law("L194")
async def test_an_utterance_is_kept_to_the_last_sample(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    voice = await player.line("/audio", after=None)
    for frame in encode_frames(NOISE, 7):
        await voice.socket.send_bytes(frame)
    await voice.send({"end": 7})
    assert await voice.next() == {"kind": "taken", "utterance": 7}
    kept = (await desk.until(event="sound_kept"))["message"]["event"]
    assert kept["length_ms"] == 1000
    (file,) = (house.hall.data.audio / "demo").glob("*.flac")
    samples, rate = soundfile.read(file, dtype="int16")
    assert rate == 16_000
    assert samples.tobytes() == NOISE
    assert kept["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest() or len(kept["sha256"]) == 64


async def test_utterances_end_with_the_next_one_with_silence_and_with_the_connection(house: House) -> None:
    player = await house.station("sighted", Seat.BLACK)
    desk = await (await house.arbiter()).line()
    voice = await player.line("/audio", after=None)
    for utterance in (1, 2):
        for frame in encode_frames(OTHER, utterance):
            await voice.socket.send_bytes(frame)
    assert (await voice.next())["utterance"] == 1  # ended by the first frame of the second
    assert (await voice.next())["utterance"] == 2  # ended by a second without frames
    for frame in encode_frames(OTHER, 3):
        await voice.socket.send_bytes(frame)
    await voice.socket.close()
    names = [(await desk.until(event="sound_kept"))["message"]["event"]["utterance"] for _ in range(3)]
    assert [name[-1] for name in names] == ["1", "2", "3"]


@pytest.mark.parametrize("bad", [b"", b"short", b"\x00" * 16, b"\x00" * 17, b"\x00" * 1000])
async def test_a_bad_frame_ends_its_utterance_and_not_the_connection(house: House, bad: bytes) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    voice = await player.line("/audio", after=None)
    frames = list(encode_frames(NOISE, 1))
    for frame in frames[:10]:
        await voice.socket.send_bytes(frame)
    await voice.socket.send_bytes(bad)
    assert (await voice.next())["kind"] == "wrong"
    for frame in frames[10:]:  # the rest of a broken utterance is not a new one
        await voice.socket.send_bytes(frame)
    assert (await voice.next()) == {"kind": "taken", "utterance": 1}
    for frame in encode_frames(OTHER, 2):
        await voice.socket.send_bytes(frame)
    await voice.send({"end": 2})
    assert (await voice.next()) == {"kind": "taken", "utterance": 2}
    lengths = [(await desk.until(event="sound_kept"))["message"]["event"]["length_ms"] for _ in range(2)]
    assert lengths == [200, 250]


async def test_a_stuck_talk_key_is_cut_after_thirty_seconds(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    voice = await player.line("/audio", after=None)
    for frame in list(encode_frames(bytes(2 * 16_000 * 31), 9))[-60:]:
        await voice.socket.send_bytes(frame)
    assert "30 seconds" in (await voice.next())["text"]
    assert (await voice.next())["kind"] == "taken"


@pytest.mark.law("L194")
@pytest.mark.parametrize("which", ["its end", "its beginning", "silence", "a bad frame", "a microphone that ended"])
async def test_half_an_utterance_is_kept_and_understood_as_nothing(tmp_path: Path, which: str) -> None:
    """The line or the microphone broke meanwhile: what is left of an announcement may be another one."""
    async with open_house(tmp_path, ears=WrittenEars()) as house:
        player = await house.station("tactile", Seat.WHITE)
        assert (await house.table.own(house.table.program_command(cmd.StartGame()))).outcome.ok
        voice = await player.line("/audio", after=None)
        first = len("Eva zwei ") if which == "its beginning" else 0
        for frame in encode_frames("Eva vier".encode("utf-16-le"), 7, first):
            await voice.socket.send_bytes(frame)
        if which == "its beginning":
            await voice.send({"end": 7})
            assert (await voice.next())["kind"] == "taken"
        elif which == "a bad frame":
            await voice.socket.send_bytes(b"short")
        elif which == "a microphone that ended":
            await voice.send({"lost": True})
        if which != "silence":
            await voice.socket.close()
        async with asyncio.timeout(PATIENCE_S):
            while "not_understood" not in (kinds := [one.kind for one in await house.hall.journal.read("demo")]):
                await asyncio.sleep(0.02)
        assert "sound_kept" in kinds and "announced" not in kinds


async def test_text_that_is_no_end_is_told(house: House) -> None:
    voice = await (await house.station("tactile", Seat.WHITE)).line("/audio", after=None)
    await voice.socket.send_str("stop")
    assert '{"end": ID}' in (await voice.next())["text"]


async def test_arbiters_and_displays_have_no_voice(house: House) -> None:
    for visitor in (await house.arbiter(), await house.station("display", None), house.visitor()):
        voice = await visitor.line("/audio", after=None)
        assert (await voice.closed())[0] == 4401


class EarsWhileSpoken(FakeEars):
    """Ears that note what they were given, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []
        self.finished = self.abandoned = 0
        self.grown = asyncio.Event()

    async def hear(self, pcm: bytes, scheme: Scheme, mode: Mode = "rated", after: Verdict | None = None) -> Verdict:
        raise AssertionError("it was to be heard while it came")

    def open_utterance(self, scheme: Scheme, mode: Mode = "rated", pcm: bytes = b"") -> HearingUtterance:
        return NotedUtterance(self, scheme, pcm)


class NotedUtterance(FakeUtterance):
    """An utterance whose every step its ears note."""

    ears: EarsWhileSpoken

    def feed(self, pcm: bytes) -> None:
        self.ears.pieces.append(pcm)
        self.ears.grown.set()

    async def finish(self, after: Verdict | None = None) -> Verdict:
        self.ears.finished += 1
        return heard_words(Heard("none"), "reject")

    async def abandon(self) -> None:
        self.ears.abandoned += 1


async def test_the_sound_is_heard_as_it_comes_in_order_and_with_its_gaps_filled(tmp_path: Path) -> None:
    ears = EarsWhileSpoken()
    async with open_house(tmp_path, ears=ears) as house:
        voice = await (await house.station("tactile", Seat.WHITE)).line("/audio", after=None)
        frames = list(encode_frames(NOISE, 7))
        await voice.socket.send_bytes(frames[0])
        await asyncio.wait_for(ears.grown.wait(), PATIENCE_S)
        assert ears.pieces == [NOISE[:640]], "before the utterance is over"
        order = [2, 1, *range(3, 40), *range(42, len(frames))]  # one late, two lost
        for number in order:
            await voice.socket.send_bytes(frames[number])
        await voice.send({"end": 7})
        assert (await voice.next())["kind"] == "taken"
        whole = b"".join(ears.pieces)
        assert whole == NOISE[: 40 * 640] + bytes(2 * 640) + NOISE[42 * 640 :]
        assert (ears.finished, ears.abandoned) == (1, 1)


async def test_what_our_own_voice_sounds_over_is_kept_and_not_listened_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ears = EarsWhileSpoken()
    async with open_house(tmp_path, ears=ears) as house:
        ours = {"5e": Sound(bytes(2 * 160_000), 16_000)}
        monkeypatch.setattr(house.table.teller.sounds, "find", lambda _station, id: ours.get(id))
        reported, take_report = list[Microphone](), Microphone.take_report

        async def noted(microphone: Microphone, told: DeviceReport) -> None:
            await take_report(microphone, told)
            reported.append(microphone)

        def sounds() -> bool:
            return reported[-1]._own_voice.sounds(house.table.clock.mono_ms())

        monkeypatch.setattr(Microphone, "take_report", noted)
        voice = await (await house.station("tactile", Seat.WHITE)).line("/audio", after=None)
        frames = list(encode_frames(NOISE, 7))
        for frame in frames[:10]:
            await voice.socket.send_bytes(frame)
        await voice.send({"playing": "none of ours"})
        for frame in frames[10:20]:
            await voice.socket.send_bytes(frame)
        await voice.send({"playing": "5e"})
        for frame in frames[20:40]:
            await voice.socket.send_bytes(frame)
        await voice.send({"played": "5e"})
        await until(lambda: len(reported) == 3 and not sounds())  # its last sound is over in the room, too
        for frame in frames[40:]:
            await voice.socket.send_bytes(frame)
        await voice.send({"end": 7})
        assert (await voice.next())["kind"] == "taken"
        assert b"".join(ears.pieces) == NOISE[: 20 * 640] + bytes(20 * 640) + NOISE[40 * 640 :]
        kept = house.hall.data.audio / "demo"
        await until(lambda: any(kept.glob("*.flac")))
        (file,) = kept.glob("*.flac")
        samples, _rate = soundfile.read(file, dtype="int16")
        assert samples.tobytes() == NOISE, "the evidence is whole"


async def test_a_device_that_floods_is_shown_to_the_arbiters_of_its_table_and_of_all(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it brings at once is taken, and on however many lines no more than its mouth could say."""
    for name, value in {"RECORDED_MS": 400.0, "TOLD_AFTER_MS": 200, "PACE": 1.0}.items():
        monkeypatch.setattr(intake, name, value)
    chief, arbiter = await hall_arbiter(house), await house.arbiter()
    told = faults(house)
    player = await house.station("tactile", Seat.WHITE)
    lines = [await player.line("/audio", after=None) for _ in range(3)]
    for number, voice in enumerate(lines):
        for _ in range(8):
            for frame in encode_frames(NOISE, 100 + number):
                await voice.socket.send_bytes(frame)
    await until(lambda: bool(told))
    assert told == ["sends_sound_too_fast"]
    for seeing in (chief, arbiter):
        _, shown = await seeing.get("/api/overview")
        (line,) = shown["tables"]
        assert line["alerts"] == 1 and line["last_alert"] == "fault"


class SlowEars(WrittenEars):
    """Ears that understand nothing before they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = 0
        self.may_go_on = asyncio.Event()

    def open_utterance(self, scheme: Scheme, mode: Mode = "rated", pcm: bytes = b"") -> HearingUtterance:
        self.begun += 1
        return super().open_utterance(scheme, mode, pcm)

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        await self.may_go_on.wait()
        return await super().verdict_on(pcm, scheme)


async def test_a_device_that_is_sent_away_leaves_its_seat_the_places_to_be_heard(tmp_path: Path) -> None:
    ears = SlowEars()
    async with open_house(tmp_path, ears=ears) as house:
        arbiter, floods = await house.arbiter(), await house.station("tactile", Seat.WHITE)
        assert (await house.table.own(house.table.program_command(cmd.StartGame()))).outcome.ok
        (device,) = [one for one in house.table.state.stations.admitted if one.seat is Seat.WHITE]
        voice = await floods.line("/audio", after=None)
        count = intake.MOST_WAITING + 2
        for utterance in range(count):
            for frame in encode_frames("-".encode("utf-16-le"), utterance):
                await voice.socket.send_bytes(frame)
            await voice.send({"end": utterance})
        await until(lambda: ears.begun == count)
        assert (await arbiter.post(f"/api/stations/{device.id}", {"reason": "floods"}))[0] == 200
        ears.may_go_on.set()
        again = await house.station("tactile", Seat.WHITE)
        voice = await again.line("/audio", after=None)
        for frame in encode_frames("Eva vier".encode("utf-16-le"), 7):
            await voice.socket.send_bytes(frame)
        await voice.send({"end": 7})
        assert await voice.next() == {"kind": "taken", "utterance": 7}
        assert "announced" in [one.kind for one in await house.hall.journal.read("demo")]


async def test_gaps_and_odd_times_end_an_utterance_and_tell_no_earlier_beginning(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    voice = await player.line("/audio", after=None)
    began = house.table.clock.mono_ms()
    for number in range(MOST_PARTS + 1):
        await voice.socket.send_bytes(HEADER.pack(7, 2 * number) + bytes(2))
    assert "gaps" in (await voice.next())["text"]
    assert (await voice.next())["kind"] == "taken"
    heard: list[int] = []
    hear = house.table.hear

    async def noted(station: str, utterance: int, sound: Any, first_ms: int, listening: Any = None) -> None:
        heard.append(first_ms)
        await hear(station, utterance, sound, first_ms, listening)

    house.table.hear = noted  # type: ignore[method-assign]
    for frame in encode_frames(OTHER, 8):
        await voice.socket.send_bytes(frame)
    await voice.socket.send_bytes(HEADER.pack(8, 479_000) + bytes(640))
    await voice.send({"end": 8})
    assert (await voice.next())["kind"] == "taken"
    assert began - 250 <= heard[0], "not half a minute earlier"
    await desk.until(event="sound_kept")


async def test_a_client_does_not_choose_when_its_words_were_said(tmp_path: Path) -> None:
    """Arrival bounds it: half a minute of sound at once is no half minute ago, unless the line was away so long."""
    clock = ScriptedClock(mono_ms=200_000)
    begun: list[int] = []
    async with open_house(tmp_path / "data", clock) as house:
        player = await house.station("tactile", Seat.WHITE)
        hear = house.table.hear

        async def noted(station: str, utterance: int, sound: Any, first_ms: int, listening: Any = None) -> None:
            begun.append(first_ms)
            await hear(station, utterance, sound, first_ms, listening)

        house.table.hear = noted  # type: ignore[method-assign]

        async def said(voice: TestLine, utterance: int, seconds: float) -> int:
            for frame in encode_frames(NOISE * int(seconds), utterance):
                await voice.socket.send_bytes(frame)
            await voice.send({"end": utterance})
            await voice.until(kind="taken", utterance=utterance)
            return clock.mono_ms() - begun[-1]

        (white,) = [one.id for one in house.table.state.stations.admitted if one.seat is Seat.WHITE]
        voice = await player.line("/audio", after=None)
        assert await said(voice, 1, 4) == PREROLL_MS, "a line that was never there brings nothing from before"
        clock.advance(20_000)
        assert await said(voice, 2, 8) == PREROLL_MS, "the line was there all the time"
        await voice.socket.close()
        await until(lambda: house.table.listener.intake(white).gone_ms == clock.mono_ms())
        clock.advance(3_000)
        voice = await player.line("/audio", after=None)
        clock.advance(1_000)
        assert await said(voice, 3, 6) == 4_000 + PREROLL_MS, "since it went"
        clock.advance(COMES_BACK_MS)
        assert await said(voice, 4, 6) == PREROLL_MS


async def test_who_holds_sound_back_or_the_key_down_does_not_choose_when_it_was_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frame, and the words half a minute later; the words, and their end later; silence, and the words after it."""
    clock, begun = ScriptedClock(mono_ms=200_000), list[int]()
    read, take_report = list[int | None](), Microphone.take_report

    async def reported(microphone: Microphone, told: DeviceReport) -> None:
        await take_report(microphone, told)
        read.append(told.check)

    monkeypatch.setattr(Microphone, "take_report", reported)
    async with open_house(tmp_path / "data", clock) as house:
        player = await house.station("tactile", Seat.WHITE)
        hear = house.table.hear

        async def noted(station: str, utterance: int, sound: Any, first_ms: int, listening: Any = None) -> None:
            begun.append(first_ms)
            await hear(station, utterance, sound, first_ms, listening)

        house.table.hear = noted  # type: ignore[method-assign]
        voice = await player.line("/audio", after=None)
        loud = (np.sin(np.arange(16_000)) * 12_000).astype("<i2").tobytes()
        held_back, ended_late, silent = (
            [*encode_frames(pcm, number)]
            for number, pcm in enumerate((loud * 2, loud * 2, bytes(32_000 * 8) + loud * 2), 1)
        )

        async def sent(frames: list[bytes], seen: int) -> None:
            for frame in frames:
                await voice.socket.send_bytes(frame)
            await voice.send({"check": seen})
            await until(lambda: seen in read)  # and so are the frames before it

        async def ended(utterance: int) -> int:
            await voice.send({"end": utterance})
            await voice.until(kind="taken", utterance=utterance)
            return clock.mono_ms() - begun[-1]

        await sent(held_back[:1], 91)
        clock.advance(20_000)
        await sent(held_back[1:], 92)
        assert await ended(1) <= 2_000 + LATE_MS, "two seconds of sound, which came now"
        await sent(ended_late, 93)
        clock.advance(60_000)
        assert await ended(2) <= 2_000 + LATE_MS, "nobody ends an hour later what binds as of now"
        for at in range(0, len(silent), 50):
            await sent(silent[at : at + 50], 94 + at)
            clock.advance(1_000)
        assert await ended(3) <= 2_000 + 2 * PREROLL_MS + 1_000, "the key was held for eight seconds before a word"


def test_our_own_voice_is_a_set_of_sounds_each_with_an_end() -> None:
    voice = OwnVoice()
    voice.begin("a", 1_000, 0)
    voice.begin("b", 5_000, 0)
    voice.end("a", 300)
    voice.end("a", 310)
    voice.end("c", 320)
    assert voice.sounds(1_000), "b still sounds"
    voice.end("b", 1_000)
    assert voice.sounds(1_000 + TAIL_MS - 1)
    assert not voice.sounds(1_000 + TAIL_MS)
    voice.begin("lost", 1_000, 2_000)
    assert voice.sounds(2_999)
    assert not voice.sounds(3_000 + MARGIN_MS), "an end that never came"


async def test_a_check_of_the_microphone_is_answered_and_kept_nowhere(tmp_path: Path) -> None:
    ears = EarsWhileSpoken()
    async with open_house(tmp_path, ears=ears) as house:
        voice = await (await house.station("tactile", Seat.WHITE)).line("/audio", after=None)
        await voice.send({"check": 9})
        for frame in encode_frames(NOISE, 9):
            await voice.socket.send_bytes(frame)
        await voice.send({"end": 9})
        answer = await voice.next()
        assert (answer["kind"], answer["finding"], answer["utterance"]) == ("level", "noisy", 9)
        assert not list((house.hall.data.audio / "demo").glob("*")) and ears.pieces == []


async def test_a_check_that_is_judged_after_the_next_began_is_no_utterance(tmp_path: Path) -> None:
    """A busy seat is heard one after the other: each finding says of which check it is, and nothing is kept."""
    told: list[Outgoing] = []
    async with played(tmp_path) as game:
        one = Microphone(game.hall, game.table, "white", told.append, paced=False)
        for utterance in (7, 8):
            await one.take_report(DeviceReport(check=utterance))
            for frame in encode_frames(OTHER, utterance):
                await one.take(frame)
            await one.take_report(DeviceReport(end=utterance))
        await one.close()
        await one.hear_all()
        assert [found.utterance for found in told if isinstance(found, LevelFound)] == [7, 8]
        assert len(told) == 2 and not list((game.hall.data.audio / "t1").glob("*"))


SPEECH = np.sin(np.arange(16_000) * 0.1) * np.where(np.arange(16_000) % 8_000 < 5_000, 6_000.0, 20.0)


@pytest.mark.parametrize(
    ("sound", "found"),
    [
        (SPEECH, "good"),
        (SPEECH * 0.02, "quiet"),
        (SPEECH * 0.0005, "silent"),
        (SPEECH * 8, "clipped"),
        (SPEECH + np.random.default_rng(3).normal(0.0, 1_500.0, 16_000), "noisy"),
        (SPEECH[:100], "silent"),
    ],
)
def test_one_word_about_a_microphone(sound: np.ndarray[Any, Any], found: str) -> None:
    pcm = np.clip(sound, -32_768, 32_767).astype("<i2").tobytes()
    assert finding(levels(pcm)) == found


async def test_an_utterance_that_fails_makes_the_microphone_not_deaf(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    hear, left = house.table.hear, [ZeroDivisionError()]

    async def once(*what: Any) -> None:
        if left:
            raise left.pop()
        await hear(*what)

    monkeypatch.setattr(house.table, "hear", once)
    player = await house.station("tactile", Seat.WHITE)
    voice = await player.line("/audio", after=None)
    for utterance in (7, 8):
        for frame in encode_frames(OTHER, utterance):
            await voice.socket.send_bytes(frame)
        await voice.send({"end": utterance})
    assert (await voice.next())["kind"] == "wrong"
    assert await voice.next() == {"kind": "taken", "utterance": 8}


@pytest.mark.parametrize("told", [True, False])
async def test_a_microphone_that_falls_silent_while_it_is_open_is_told_to_the_player_and_the_arbiter(
    house: House, told: bool
) -> None:
    player = await house.station("tactile", Seat.WHITE)
    ear, voice = await player.line(), await player.line("/audio", after=None)
    desk = await (await house.arbiter()).line()
    for frame in encode_frames(OTHER, 1):
        await voice.socket.send_bytes(frame)
    if told:  # the browser says that the microphone is gone; else nothing comes for a second
        await voice.send({"lost": True})
    assert (await ear.until(type="link_shown"))["message"]["what"] == "microphone"
    assert (await desk.until(event="sound_lost"))["message"]["event"]["what"] == "microphone"
    assert (await voice.until(kind="taken"))["utterance"] == 1, "what was said so far is kept and heard"
