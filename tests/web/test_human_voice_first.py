"""Over real lines: while one player speaks into the microphone, the other player's ear is silent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from server.game.values.words import Seat
from speech.audio.frames import encode_frames
from speech.audio.sound import Sound
from speech.voices.voice import ORDINARY, Manner, Segment
from tests.web.open_house import House, open_house


class LongVoice:
    """Every phrase takes a minute."""

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        return Sound(bytes(2 * 8_000 * 60), 8_000)

    async def close(self) -> None:
        """Nothing to let go."""


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "data", voice=LongVoice()) as open_one:
        yield open_one


async def test_the_voice_stops_for_a_human_one_and_begins_again_after_it(house: House) -> None:
    player, other = await house.station("tactile", Seat.WHITE), await house.station("sighted", Seat.BLACK)
    ear, microphone = await player.line(), await other.line("/audio", after=None)
    await ear.do({"do": "ask", "what": "moves"})
    sound = await ear.until(kind="sound")
    await ear.send({"kind": "ear", "did": "began", "id": sound["id"]})
    speech = (np.random.default_rng(1).normal(0, 6_000, 8_000)).astype("<i2").tobytes()
    for frame in encode_frames(speech, 1):
        await microphone.socket.send_bytes(frame)
    hush = await ear.until(kind="hush")
    assert (hush["id"], hush["why"]) == (sound["id"], "voice")
    await microphone.send({"end": 1})
    again = await ear.until(kind="sound")
    assert again["id"] == sound["id"], "the answer asked for is said again, from its beginning"
    kept = [one for one in house.table.state.stations.admitted if one.seat is Seat.WHITE]
    assert kept and house.table.teller.sounds.find(kept[0].id, again["id"]) is not None
