"""A speech server of the local network as a voice: what it says is taken with care, and nobody else is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.info import Describe, Info
from wyoming.tts import Synthesize, SynthesizeVoice

from server.hall.engines import open_voice
from server.machine.data_folder import DataFolder
from server.settings import Settings, load_settings
from speech.audio.sound import Sound
from speech.complaint import Complaint
from speech.voices.by_language import VoicesByLanguage
from speech.voices.phrase_cache import PhraseCache
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import ORDINARY, Manner, Segment
from speech.wyoming.address import Address, local_address
from speech.wyoming.key import read_key
from speech.wyoming.service import Service
from speech.wyoming.voice import VoiceConversation, about_voice, info_of_voice
from speech.wyoming.voice_elsewhere import WyomingVoice
from speech.wyoming.wire import MOST_PAYLOAD, WyomingEvent, encode_event, read_event
from tests.speech.wyoming.lent import lent
from tests.waiting import PATIENCE_S

RATE = 16_000
Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def tone(seconds: float = 0.5) -> bytes:
    samples = 8_000 * np.sin(2 * np.pi * 300 * np.arange(int(RATE * seconds)) / RATE)
    return bytes(np.rint(samples).astype("<i2").tobytes())


def sounding(pcm: bytes, form: dict[str, Any] | None = None) -> list[bytes]:
    form = form or {"rate": RATE, "width": 2, "channels": 1}
    chunks = [encode_event(WyomingEvent("audio-chunk", form, pcm[at : at + 2_048])) for at in range(0, len(pcm), 2_048)]
    return [encode_event(WyomingEvent("audio-start", form)), *chunks, encode_event(WyomingEvent("audio-stop"))]


@asynccontextmanager
async def server(answer: Answer) -> AsyncIterator[str]:
    listening = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    try:
        yield f"127.0.0.1:{port}"
    finally:
        listening.close()


class Speaking:
    """A server as it should be; `asked`: every event that came."""

    def __init__(self) -> None:
        self.asked: list[WyomingEvent] = []

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.append(await read_event(reader))
        for one in sounding(tone()):
            writer.write(one)
        await writer.drain()
        writer.close()


async def test_a_phrase_is_asked_for_in_its_language_and_comes_back_as_sound(tmp_path: Path) -> None:
    speaking = Speaking()
    async with server(speaking) as address:
        voice = WyomingVoice(address, cache=PhraseCache(tmp_path), deadline_s=PATIENCE_S)
        said = [Segment("Springer", "de"), Segment("f3", "en")]
        sound = await voice.render(said)
        assert [one.data for one in speaking.asked] == [
            {"text": "Springer", "voice": {"language": "de"}},
            {"text": "f3", "voice": {"language": "en"}},
        ]
        assert {one.type for one in speaking.asked} == {"synthesize"}
        assert sound.sample_rate == RATE and 900 < sound.duration_ms < 1_300
        assert await voice.render(said) == sound and len(speaking.asked) == 2, "said once, kept on disk"
        fast = await voice.render(said, Manner(speed=2.0))
        assert fast.duration_ms == pytest.approx(sound.duration_ms / 2, abs=2)


@pytest.mark.parametrize(
    ("bytes_of_answer", "complaint"),
    [
        ([], "ended the connection"),
        ([b"HTTP/1.1 400 Bad Request\r\n"], "not of the Wyoming protocol"),
        ([b"x" * 200_000], "not of the Wyoming protocol"),
        ([b'{"type":"audio-start","data":' + b"[" * 60_000 + b"\n"], "not of the Wyoming protocol"),
        ([b'{"type":"audio-chunk","payload_length":%d}\n' % (MOST_PAYLOAD + 1)], "bytes; "),
        ([b'{"type":"audio-chunk","payload_length":-5}\n'], "bytes; "),
        ([b'{"type":"audio-chunk","payload_length":50}\nshort'], "ended the connection"),
        (sounding(b""), "produced no sound"),
        (sounding(tone(), {"rate": RATE, "width": 4, "channels": 1}), "must be mono"),
        (sounding(tone(), {"rate": 9, "width": 2, "channels": 1}), "must be mono"),
        (sounding(tone(), {"rate": "fast"}), "does not say what its sound is"),
        (sounding(tone())[1:], "changes its form"),
        (sounding(tone(70)), "longer than 60 s"),
        ([encode_event(WyomingEvent("error", {"text": "no"}))], "cannot say this"),
    ],
)
async def test_whatever_else_comes_is_one_plain_sentence(bytes_of_answer: list[bytes], complaint: str) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_event(reader)
        try:
            for one in bytes_of_answer:
                writer.write(one)
                await writer.drain()
        except ConnectionError:
            pass
        writer.close()

    async with server(answer) as address:
        with pytest.raises(Complaint, match=complaint):
            await WyomingVoice(address, deadline_s=PATIENCE_S).render([Segment("Turm", "de")])


async def test_a_server_that_is_silent_or_away_costs_the_deadline_once_and_no_phrase() -> None:
    class Own:
        async def render(self, segments: Any, manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
            return Sound(tone(0.2), 22_050)

        async def close(self) -> None:
            """Nothing to let go."""

    class Counted(WyomingVoice):
        asked = 0

        async def render(self, segments: Any, manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
            self.asked += 1
            return await super().render(segments, manner, keep=keep)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with server(answer) as address:
        with pytest.raises(Complaint, match="did not answer in time"):
            await WyomingVoice(address, deadline_s=0.05).render([Segment("Turm", "de")])
        there = Counted(address, deadline_s=0.05)  # perhaps before the line stands, so it is counted here
        voice = VoicesByLanguage(Own(), {"de": there})
        for _ in range(3):
            assert (await voice.render([Segment("Turm", "de"), Segment("rook", "en")])).samples > 0
        assert there.asked == 1, "left aside after it failed"
    with pytest.raises(Complaint, match="cannot be reached"):
        await WyomingVoice(address).render([Segment("Turm", "de")])


async def test_a_secret_never_leaves_this_machine(tmp_path: Path) -> None:
    speaking = Speaking()
    async with server(speaking) as address:
        with pytest.raises(Complaint, match="secret"):
            await WyomingVoice(address).render([Segment("Turm", "de")], keep=False)
        with DataFolder.open(tmp_path, lock=True) as data:
            async with open_voice(data, {"de": address}) as voice:
                assert isinstance(voice, VoicesByLanguage)
                await voice.render([Segment("Turm", "de")], keep=False)
                assert speaking.asked == []
                await voice.render([Segment("rook", "en")])
                assert speaking.asked == []
                both = await voice.render([Segment("Turm", "de"), Segment("rook", "en")])
                assert [one.data["text"] for one in speaking.asked] == ["Turm"] and both.sample_rate == 22_050


@pytest.mark.parametrize("host", ["8.8.8.8", "2001:4860:4860::8888", "0.0.0.0"])
async def test_nobody_outside_the_hall_is_asked(host: str) -> None:
    with pytest.raises(Complaint, match="not on the local network"):
        await local_address(Address(host, 10_200))


@pytest.mark.parametrize("host", ["127.0.0.1", "192.168.1.20", "10.0.0.7", "fe80::1", "::1"])
async def test_the_hall_is_asked(host: str) -> None:
    assert (await local_address(Address(host, 10_200))).startswith(host)


def test_addresses_and_settings(tmp_path: Path) -> None:
    assert (
        Address.parse("tcp://voice.local:10200") == Address.parse("voice.local:10200") == Address("voice.local", 10_200)
    )
    assert Address.parse("[fe80::1]:1") == Address("fe80::1", 1)
    for wrong in ("", "host", ":1", "host:", "host:0", "host:70000", "host:x"):
        with pytest.raises(Complaint, match="HOST:PORT"):
            Address.parse(wrong)
    file = tmp_path / "settings.toml"
    file.write_text('[voice_servers]\nde = "192.168.1.20:10200"\n')
    assert load_settings(file).voice_servers == {"de": "192.168.1.20:10200"}
    assert Settings().voice_servers == {}, "off by default"
    file.write_text('[voice_servers]\nde = "http://x/y"\n')
    with pytest.raises(Complaint, match="voice_servers"):
        load_settings(file)


async def test_the_real_voice_of_another_process_says_the_same(tmp_path: Path) -> None:
    key = tmp_path / "speech.key"
    with lent("voice", key) as there:
        said = [Segment("Springer Felix drei", "de")]
        here = Pyttsx3Voice()
        try:
            own = await here.render(said)
        finally:
            await here.close()
        elsewhere = await WyomingVoice(there.address, key=read_key(key), deadline_s=PATIENCE_S).render(said)
        assert elsewhere.sample_rate == own.sample_rate and abs(elsewhere.duration_ms - own.duration_ms) < 60
        assert np.corrcoef(elsewhere.array[:8_000], own.array[:8_000])[0, 1] > 0.9
        with pytest.raises(Complaint, match="needs the key"):
            await WyomingVoice(there.address, deadline_s=PATIENCE_S).render(said)


async def test_any_wyoming_client_is_spoken_to() -> None:
    voice = Pyttsx3Voice()
    lending = Service(lambda: VoiceConversation(voice), info_of_voice("test"), about_voice("test"))
    try:
        async with (
            lending.listening(Address("127.0.0.1", 0)) as there,
            AsyncTcpClient(there.host, there.port) as client,
        ):
            await client.write_event(Describe().event())
            event = await client.read_event()
            assert event is not None
            assert {tag for one in Info.from_event(event).tts[0].voices for tag in one.languages} >= {"de", "he"}
            await client.write_event(Synthesize("Turm", voice=SynthesizeVoice(language="de")).event())
            event, pcm = await client.read_event(), b""
            assert event is not None and AudioStart.is_type(event.type)
            while (event := await client.read_event()) is not None and AudioChunk.is_type(event.type):
                pcm += AudioChunk.from_event(event).audio
            assert event is not None and AudioStop.is_type(event.type) and len(pcm) > 10_000
            await client.write_event(Synthesize("Turm", voice=SynthesizeVoice(language="xx")).event())
            event = await client.read_event()
            assert event is not None and event.type == "error" and "says: " in event.data["text"]
    finally:
        await voice.close()
