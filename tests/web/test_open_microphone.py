"""Voice activity on /audio: only where it is chosen and permitted; utterances are cut out, the rest is kept nowhere."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import numpy as np
import pytest
import soundfile

from server.game.values.words import Seat
from server.settings import Settings
from server.stations.microphone import Microphone
from server.voice.listener import judged_by_voice
from server.web.sockets import audio
from speech.audio.frames import encode_frames
from speech.hearing.hearing import Verdict
from speech.hearing.verdict import Judgement
from speech.words.said import Heard, Said
from speech.words.scheme import Scheme
from tests.game.core_table import altered
from tests.table.open_hall import FakeEars, heard_words
from tests.waiting import PATIENCE_S, until
from tests.web.open_house import House, TestLine, open_house

HUSH = np.random.default_rng(1).normal(0.0, 20.0, 16_000 * 2).astype("<i2").tobytes()
SPEECH = (np.sin(np.arange(16_000) * 0.2) * 6_000.0).astype("<i2").tobytes()
OWN = -17.8


async def rated(house: House) -> None:
    """The demonstration table as a rated one."""
    house.table.state = altered(house.table.state, {"table.rated": True})


async def send(voice: TestLine, pcm: bytes, stream: int = 7) -> None:
    for frame in encode_frames(pcm, stream):
        await voice.socket.send_bytes(frame)


@pytest.mark.law("L194")
async def test_utterances_are_cut_out_with_the_moment_before_and_nothing_else_is_kept(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    line = await player.line()
    assert (await line.do({"do": "choose_talking", "talking": "voice"}))["outcome"]["ok"]
    shown = next(said["message"] for said in line.seen if said.get("message", {}).get("type") == "sound_shown")
    assert (shown["talking"], shown["voice_activity"]) == ("voice", True)
    voice = await player.line("/audio", after=None)
    await voice.send({"stream": 7, "own_dbfs": OWN})
    await send(voice, HUSH + SPEECH + HUSH + SPEECH + HUSH)
    said = [await voice.next() for _ in range(6)]
    assert [one["on"] for one in said if one["kind"] == "active"] == [True, False, True, False]
    assert [one["kind"] for one in said].count("taken") == 2
    await voice.send({"end": 7})
    files = list((house.hall.data.audio / "demo").glob("*.flac"))
    assert len(files) == 2
    for file in files:
        samples, _rate = soundfile.read(file, dtype="int16")
        loud = np.flatnonzero(np.abs(samples) > 1_000)
        assert abs(len(loud) * 1000 / 16_000 - 1_000) < 300 and 280 <= loud[0] / 16 <= 400
        assert 560 <= (len(samples) - loud[-1]) / 16 <= 640


@pytest.mark.law("L194")
async def test_the_talk_key_goes_before_voice_activity_and_nothing_is_heard_twice(house: House) -> None:
    """Frames of the key and of the open microphone on one line: the key's utterance is whole, and the only one."""
    player = await house.station("tactile", Seat.WHITE)
    line = await player.line()
    await line.do({"do": "choose_talking", "talking": "voice"})
    voice = await player.line("/audio", after=None)
    await voice.send({"stream": 7, "own_dbfs": OWN})
    await send(voice, HUSH + SPEECH[: len(SPEECH) // 2])  # the player begins to speak, and then presses the key
    key, open_ = encode_frames(SPEECH, 21), encode_frames(SPEECH, 7)
    for one, other in zip(key, open_, strict=True):
        await voice.socket.send_bytes(one)
        await voice.socket.send_bytes(other)
    await voice.send({"end": 21})
    await send(voice, HUSH + SPEECH + HUSH)
    said = [await voice.next() for _ in range(7)]
    assert [one["kind"] for one in said].count("taken") == 3
    assert [one["on"] for one in said if one["kind"] == "active"] == [True, False, True, False]
    taken = [one["utterance"] for one in said if one["kind"] == "taken"]
    assert taken[1] == 21
    files = {file.stem.rpartition("-")[2]: file for file in (house.hall.data.audio / "demo").glob("*.flac")}
    samples, _rate = soundfile.read(files[f"{21:016x}"], dtype="int16")
    assert samples.tobytes() == SPEECH and len(files) == 3


async def test_a_rated_game_needs_the_arbiters_permission_and_they_may_take_it_back(house: House) -> None:
    await rated(house)
    desk = await (await house.arbiter()).line()
    player = await house.station("tactile", Seat.WHITE)
    line = await player.line()
    refused = await line.do({"do": "choose_talking", "talking": "voice"})
    assert refused["outcome"]["code"] == "voice_activity_not_permitted"
    voice = await player.line("/audio", after=None)
    await voice.send({"stream": 7, "own_dbfs": OWN})
    assert "not chosen" in (await voice.next())["text"]
    assert (await desk.do({"do": "permit_voice_activity", "seat": "white"}))["outcome"]["ok"]
    assert (await line.do({"do": "choose_talking", "talking": "voice"}))["outcome"]["ok"]
    await voice.send({"stream": 8})
    assert "Check the microphone first" in (await voice.next())["text"]
    await voice.send({"stream": 9, "own_dbfs": OWN})
    await send(voice, SPEECH, 9)
    assert await voice.next() == {"kind": "active", "on": True}
    assert (await desk.do({"do": "permit_voice_activity", "seat": "white", "granted": False}))["outcome"]["ok"]
    await send(voice, SPEECH, 9)
    said = [await voice.next() for _ in range(3)]
    assert {one["kind"] for one in said} == {"active", "wrong", "taken"}
    await send(voice, SPEECH * 3, 9)  # goes nowhere
    await line.until(type="sound_shown", talking="held")
    await voice.send({"check": 11})
    await send(voice, SPEECH, 11)
    await voice.send({"end": 11})
    assert (await voice.next())["kind"] == "level"
    assert len(list((house.hall.data.audio / "demo").glob("*.flac"))) == 1


async def test_a_player_does_not_choose_for_the_other_seat(house: House) -> None:
    line = await (await house.station("tactile", Seat.WHITE)).line()
    refused = await line.do({"do": "choose_talking", "talking": "toggled", "seat": "black"})
    assert refused["outcome"]["code"] == "only_the_arbiter"
    refused = await line.do({"do": "permit_voice_activity", "seat": "white"})
    assert refused["outcome"]["code"] == "only_the_arbiter"
    desk = await (await house.arbiter()).line()
    assert (await desk.do({"do": "choose_talking", "talking": "toggled", "seat": "black"}))["outcome"]["ok"]
    assert house.table.state.sound.of(Seat.BLACK).talking == "toggled"


SAID = Heard("move", said=Said("knight", None, "f3", None, None), words=("piece.knight", "file.f", "rank.3"))


class SureEars(FakeEars):
    """Ears that hear one thing in everything."""

    def __init__(self, heard: Heard, verdict: Judgement) -> None:
        super().__init__()
        self.answer = heard_words(heard, verdict, heard.words)

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        return self.answer


@pytest.mark.parametrize(
    ("heard", "verdict", "expected"),
    [
        (SAID, "accept", "announced"),
        (SAID, "confirm", "not_understood"),
        (Heard("none", unclear="from"), "repeat", "not_understood"),
        (Heard("none"), "repeat", "set_aside"),
        (Heard("none"), "reject", "set_aside"),
        (Heard("command", command="resign"), "accept", "proposed"),
    ],
)
async def test_what_no_key_was_pressed_for_is_taken_only_beyond_doubt(
    tmp_path: Path, heard: Heard, verdict: str, expected: str
) -> None:
    async with open_house(tmp_path, settings=Settings(port=0), ears=SureEars(heard, verdict)) as house:
        desk = await (await house.arbiter()).line()
        assert (await desk.do({"do": "start_game"}))["outcome"]["ok"]
        player = await house.station("tactile", Seat.WHITE)
        line = await player.line()
        await line.do({"do": "choose_talking", "talking": "voice"})
        voice = await player.line("/audio", after=None)
        await voice.send({"stream": 7, "own_dbfs": OWN})
        await send(voice, SPEECH + HUSH)
        while (await voice.next())["kind"] != "taken":
            pass
        await asyncio.sleep(0)
        await desk.do({"do": "note_incident", "kind": "noise", "text": "the end"})
        kinds = [one["message"]["event"]["event"] for one in desk.seen if one["kind"] == "message"]
        after = kinds[kinds.index("sound_kept") + 1 :]
        told = {"announced", "not_understood", "set_aside", "proposed", "resigned"} & set(after)
        assert told == {expected}


def test_the_verdicts_by_voice() -> None:
    def of(verdict: str, unclear: str | None = None) -> str:
        return judged_by_voice(heard_words(Heard("none", unclear=unclear), verdict))

    assert [of("accept"), of("confirm"), of("repeat"), of("repeat", "from"), of("reject")] == [
        "accept", "repeat", "reject", "repeat", "reject"
    ]  # fmt: skip
    spelled = Verdict(("letter.b", "rank.4"), Heard("move"), 0.97, "confirm", (), "own", 0)
    assert judged_by_voice(spelled) == "repeat"
    assert judged_by_voice(msgspec.structs.replace(spelled, sure=True)) == "confirm", "sure, and read back all the same"


async def test_after_a_gap_on_the_line_the_rest_of_what_is_said_is_kept_too(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, take = list[bytes](), Microphone.take

    async def noted(microphone: Microphone, frame: bytes) -> None:
        await take(microphone, frame)
        read.append(frame)

    monkeypatch.setattr(Microphone, "take", noted)
    monkeypatch.setattr(audio, "QUIET_S", PATIENCE_S)
    player = await house.station("tactile", Seat.WHITE)
    line = await player.line()
    assert (await line.do({"do": "choose_talking", "talking": "voice"}))["outcome"]["ok"]
    voice = await player.line("/audio", after=None)
    await voice.send({"stream": 7, "own_dbfs": OWN})
    await send(voice, SPEECH)
    await until(lambda: len(read) == len([*encode_frames(SPEECH, 7)]))
    monkeypatch.setattr(audio, "QUIET_S", 0.05)
    await voice.send({"headset": False})  # from then on it waits no longer than that
    said = [await voice.next() for _ in range(3)]
    assert [one.get("on", one["kind"]) for one in said] == [True, False, "taken"]
    monkeypatch.setattr(audio, "QUIET_S", PATIENCE_S)
    await send(voice, SPEECH[:12_800] + HUSH)
    said = [await voice.next() for _ in range(3)]
    assert [one.get("on", one["kind"]) for one in said] == [True, False, "taken"]
    kept = 0
    for file in (house.hall.data.audio / "demo").glob("*.flac"):
        samples, _rate = soundfile.read(file, dtype="int16")
        kept += int((np.abs(samples) > 1_000).sum())
    whole = np.frombuffer(SPEECH + SPEECH[:12_800], "<i2")
    assert abs(kept - int((np.abs(whole) > 1_000).sum())) < 640
