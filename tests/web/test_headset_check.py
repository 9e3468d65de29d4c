"""A declared headset is believed when a check has shown that our voice does not come back through its microphone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from server.game.values.words import Seat
from speech.audio.echo import check_tones
from speech.audio.frames import encode_frames
from speech.audio.sound import Sound
from tests.web.open_house import House, TestLine, Visitor, open_house
from tests.web.test_microphone import NOISE, EarsWhileSpoken

RANDOM = np.random.default_rng(2)
TONES = check_tones().array.astype(np.float64)
BEFORE, AFTER = 20 * 320, 50 * 320


def _microphone(echo_db: float | None, speech: float) -> bytes:
    """Quiet, the tones as they come back, quiet, and a second and a half of the player's voice."""
    samples = RANDOM.normal(0.0, 20.0, 4 * 16_000)
    if echo_db is not None:
        samples[BEFORE + 500 : BEFORE + 500 + len(TONES)] += TONES * 10 ** (echo_db / 20)
    at = np.arange(24_000)
    samples[32_000:56_000] += speech * np.sin(at * 0.1) * (at % 8_000 < 6_000)
    return np.clip(samples, -32_768, 32_767).astype("<i2").tobytes()


async def _checked(ear: TestLine, voice: TestLine, utterance: int, pcm: bytes, *, stopped: bool = False) -> Any:
    """One check as a page does it; what it is told."""
    await voice.send({"check": utterance, "headset": True, "echo": True})
    tones = await ear.until(kind="sound")
    frames = list(encode_frames(pcm, utterance))
    over = 25 if stopped else 20 + 50
    for frame in frames[:20]:
        await voice.socket.send_bytes(frame)
    await voice.send({"playing": tones["id"]})
    for frame in frames[20:over]:
        await voice.socket.send_bytes(frame)
    await voice.send({"played": tones["id"]})
    for frame in frames[over:]:
        await voice.socket.send_bytes(frame)
    await voice.send({"end": utterance})
    return await voice.until(kind="level")


async def _seated(house: House) -> tuple[Visitor, TestLine, TestLine]:
    player = await house.station("tactile", Seat.WHITE)
    return player, await player.line(), await player.line("/audio", after=None)


@pytest.mark.parametrize(
    ("echo_db", "speech", "stopped", "found"),
    [
        (None, 6_000.0, False, "proven"),
        (-35.0, 6_000.0, False, "proven"),  # a headset leaks a little
        (-10.0, 6_000.0, False, "echo"),
        (0.0, 6_000.0, False, "echo"),  # a loudspeaker on the table
        (None, 0.0, False, "unknown"),  # a dead microphone hears no echo either
        (None, 6_000.0, True, "unknown"),  # nor does one while nothing is played
    ],
)
async def test_a_headset_is_proven_by_tones_that_do_not_come_back(
    house: House, echo_db: float | None, speech: float, stopped: bool, found: str
) -> None:
    _, ear, voice = await _seated(house)
    desk = await (await house.arbiter()).line()
    answer = await _checked(ear, voice, 9, _microphone(echo_db, speech), stopped=stopped)
    assert answer["headset"] == found
    event = (await desk.until(event="headset_checked"))["message"]["event"]
    assert (event["seat"], event["found"]["stays_out"]) == ("white", found == "proven")
    assert (event["found"]["ours_dbfs"] is None) == (found == "unknown")
    shown = (await ear.until(type="sound_shown"))["message"]
    assert shown["headset"] == (found == "proven")


async def test_only_a_proven_headset_is_listened_to_while_our_voice_sounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ears = EarsWhileSpoken()
    async with open_house(tmp_path, ears=ears) as house:
        _, ear, voice = await _seated(house)

        async def said_over_us(utterance: int, headset: bool) -> bool:
            """Whether what is said while we speak is listened to."""
            ears.pieces.clear()
            await voice.send({"headset": headset})
            with monkeypatch.context() as patched:
                patched.setattr(house.table.teller.sounds, "find", lambda *_: Sound(bytes(320_000), 16_000))
                await voice.send({"playing": f"5e{utterance}"})
                for frame in encode_frames(NOISE, utterance):
                    await voice.socket.send_bytes(frame)
                await voice.send({"end": utterance})
                await voice.until(kind="taken", utterance=utterance)
            return b"".join(ears.pieces) == NOISE

        assert not await said_over_us(1, headset=True), "declared alone"
        assert (await _checked(ear, voice, 2, _microphone(-10.0, 6_000.0)))["headset"] == "echo"
        assert not await said_over_us(3, headset=True)
        assert (await _checked(ear, voice, 4, _microphone(None, 6_000.0)))["headset"] == "proven"
        assert await said_over_us(5, headset=True)
        assert not await said_over_us(6, headset=False), "the player took it off"
        assert not await said_over_us(7, headset=True), "and must show it anew"


async def test_what_was_shown_lapses_when_the_voice_is_made_louder(house: House) -> None:
    _, ear, voice = await _seated(house)
    assert (await _checked(ear, voice, 4, _microphone(-35.0, 6_000.0)))["headset"] == "proven"
    await ear.do({"do": "choose_ear", "speed": 120})
    assert [one.station for one in house.table.state.sound.of(Seat.WHITE).headsets if one.stays_out]
    await ear.do({"do": "choose_ear", "gain_db": 12})
    assert not house.table.state.sound.of(Seat.WHITE).headsets
    # Twelve dB more of ours, and the same leak is too much; so it would be found now.
    assert (await _checked(ear, voice, 5, _microphone(-24.0, 6_000.0)))["headset"] == "echo"


async def test_a_sighted_players_and_an_assistants_check_need_no_tones(house: House) -> None:
    player = await house.station("sighted", Seat.BLACK)
    voice = await player.line("/audio", after=None)
    await voice.send({"check": 3})
    for frame in encode_frames(_microphone(None, 6_000.0), 3):
        await voice.socket.send_bytes(frame)
    await voice.send({"end": 3})
    assert (await voice.until(kind="level"))["headset"] is None
    assert not house.table.state.sound.of(Seat.BLACK).headsets
