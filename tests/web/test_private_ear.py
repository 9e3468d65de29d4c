"""With real engines: an answer is spoken into the asker's ear alone, and a spoken move comes back as words."""

from __future__ import annotations

import pytest

from server.game.values.words import Seat
from server.hall.engines import open_engines
from server.settings import Settings
from speech.audio.frames import encode_frames
from speech.audio.wav import read_wav, resample_sound
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.respelling import respell_words, respellings
from speech.voices.voice import Segment
from tests.web.open_house import House


@pytest.mark.slow
@pytest.mark.law("L192", "L182")
async def test_asked_and_answered_into_one_ear_and_a_spoken_move_is_heard(house: House) -> None:
    player, other = await house.station("tactile", Seat.WHITE), await house.station("sighted", Seat.BLACK)
    desk, hand = await (await house.arbiter()).line(), await player.line()
    async with open_engines(house.hall.data, Settings()) as (ears, voice):
        assert ears is not None
        assert voice is not None
        house.hall.use(ears=ears, voice=voice)
        await desk.do({"do": "start_game"})
        await hand.do({"do": "ask", "what": "time"})
        ready = await hand.until(kind="sound")
        address = f"{house.base}/sound/{ready['id']}"
        async with player.session.get(address) as answer:
            assert answer.headers["Content-Type"] == "audio/wav"
            assert answer.headers["Cache-Control"] == "no-store"
            sound = read_wav(await answer.read())
        assert abs(sound.duration_ms - ready["length_ms"]) < 10
        for stranger in (other, house.visitor()):
            async with stranger.session.get(address) as answer:
                assert answer.status == 404

        mouth = Pyttsx3Voice()
        said = resample_sound(await mouth.render([Segment(respell_words("Bauer Eva vier", respellings("de")), "de")]))
        await mouth.close()
        microphone = await player.line("/audio", after=None)
        for frame in encode_frames(bytes(8_000) + said.pcm + bytes(8_000), 1):
            await microphone.socket.send_bytes(frame)
        await microphone.send({"end": 1})
        while (await microphone.next())["kind"] != "taken":
            pass
        heard = (await desk.until(event="announced"))["message"]["event"]
        assert heard["speech"]["announcement"]["to_square"] == "e4"
        assert heard["origin"] == "heard"
