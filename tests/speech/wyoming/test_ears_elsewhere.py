"""Ears on other machines: they help, they doubt, they fail and lie, and nothing is recorded that no ear here heard."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.info import Describe, Info

from server.cli.terminal.elsewhere import at_address
from server.hall.engines import check_elsewhere, open_ears
from server.machine.data_folder import DataFolder
from server.settings import load_settings
from speech.complaint import Complaint
from speech.hearing.hearing import Hearing, recognisers
from speech.hearing.settings import SecondOpinion, load_hearing
from speech.process import watching
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.vocabulary import vocabulary_of
from speech.words.scheme import Scheme
from speech.words.voice_profile import Adaptation, Correction
from speech.wyoming import ear_elsewhere, service
from speech.wyoming.address import Address
from speech.wyoming.ear_elsewhere import EarElsewhere, HelpedUtterance, Opinion, SecondEar, with_help
from speech.wyoming.ears import EarsConversation, info_of_ears, model_fingerprint
from speech.wyoming.key import client_context, ensure_key, new_challenge, read_key
from speech.wyoming.peer import Peer, ServerInfo
from speech.wyoming.wire import MOST_PAYLOAD, WyomingEvent
from tests.speech.hearing.spoken_announcements import phrase, rendered, with_noise
from tests.speech.hearing.test_second_opinion import A4, E4, NO, SETTINGS, SOUND, SURE, UNSURE, YES, WrittenEngine
from tests.speech.wyoming.lent import Lent, Lying, lent, served
from tests.waiting import PATIENCE_S

SAID = ("piece.knight", "file.g", "rank.1", "file.f", "rank.3")
PIECE = 3_200


@pytest.fixture(scope="module")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("key") / "speech.key"


@pytest.fixture(scope="module")
def ears(key_file: Path) -> Iterator[Lent]:
    """Real recognisers in another process, which has made the key."""
    with lent("ears", key_file) as there:
        yield there


@pytest.mark.needs("whisper")
async def test_an_ear_elsewhere_hears_what_the_ear_here_hears(german: Scheme, ears: Lent, key_file: Path) -> None:
    assert ears.address.startswith("tls://") and key_file.stat().st_mode & 0o777 == 0o600
    quiet, noisy = (await rendered([phrase(SAID, german, "m3")])) * 2
    sounds = [quiet, with_noise(noisy, 5)]
    vocabulary = vocabulary_of(german)
    here = recognisers("whisper")[0]
    ear = SecondEar(here, [EarElsewhere(ears.address, read_key(key_file))], hedge_s=60)
    try:
        await ear.start()
        assert ear.name == "whisper" and ear.places >= 2
        for sound in sounds:
            found = await ear.recognise(sound, vocabulary)
            assert found.elsewhere == ears.address
            assert msgspec.structs.replace(found, elsewhere="") == await here.recognise(sound, vocabulary)
        assert found.ranked
    finally:
        await ear.close()


@pytest.mark.needs("whisper")
async def test_a_machine_killed_in_an_utterance_loses_nothing(
    german: Scheme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ear_elsewhere, "FIRST_REST_S", 600.0)
    (sound,) = await rendered([phrase(SAID, german, "m3")])
    vocabulary = vocabulary_of(german)
    here = recognisers("whisper")[0]
    told: list[str] = []
    with watching(told.append), lent("ears", tmp_path / "key") as there:
        ear = SecondEar(here, [EarElsewhere(there.address, read_key(tmp_path / "key"))], hedge_s=60)
        try:
            await ear.start()
            utterance = ear.open_utterance(vocabulary)
            assert isinstance(utterance, HelpedUtterance)
            for start in range(0, len(sound), PIECE):
                if start == len(sound) // 2 // PIECE * PIECE:
                    os.kill(there.process.pid, signal.SIGKILL)
                    await asyncio.to_thread(there.process.wait)
                utterance.feed(sound[start : start + PIECE])
                await asyncio.sleep(0)
            found = await utterance.finish()
            assert found == await here.recognise(sound, vocabulary) and found.ranked[0].ids == SAID
            assert not isinstance(ear.open_utterance(vocabulary), HelpedUtterance), "not asked again at once"
        finally:
            await ear.close()
    assert len(told) == 1 and "left aside for now" in told[0]


async def test_a_machine_that_is_silent_is_hedged(german: Scheme) -> None:
    class Silent(Lying):
        async def take(self, event: WyomingEvent, send: service.Send) -> None:
            """Take everything and say nothing."""

    here = WrittenEngine("whisper", E4, SURE)
    async with served(Silent(())) as address:
        found = await SecondEar(here, [EarElsewhere(address)], hedge_s=0.01).recognise(SOUND, vocabulary_of(german))
    assert found.ranked[0].ids == E4 and found.elsewhere == "" and here.given == [SOUND]


@pytest.mark.law("L184")
async def test_what_leaves_the_machine_is_sound_scheme_and_language(german: Scheme) -> None:
    there = Lying(E4)
    async with served(there) as address:
        ear = SecondEar(WrittenEngine("whisper", E4, SURE), [EarElsewhere(address)], hedge_s=60)
        assert (await ear.recognise(SOUND, vocabulary_of(german))).elsewhere == address
        asked = next(event.data for event in there.asked if event.type == "transcribe")
        digest = asked["anna_eins"].pop("vocabulary")
        assert len(digest) == 64
        assert asked == {"language": "de", "anna_eins": {"engine": "whisper", "scheme": "d21"}}
        there.asked.clear()
        known = msgspec.structs.replace(vocabulary_of(german), own=Adaptation("0" * 16, ""))
        assert (await ear.recognise(SOUND, known)).elsewhere == "", "what is known of a voice stays here"
        assert there.asked == []
        known = msgspec.structs.replace(vocabulary_of(german), ears={"whisper": Correction({E4[0]: 0.5})})
        right = await ear.recognise(SOUND, known)
        assert (right.elsewhere, right.ranked[0].score) == (address, 0.5), "put right here, in the answer"
        asked = next(event.data for event in there.asked if event.type == "transcribe")
        assert asked["anna_eins"] == {"engine": "whisper", "scheme": "d21", "vocabulary": digest}


async def test_a_liar_that_is_certain_has_no_move_recorded(german: Scheme) -> None:
    for own_words, sure, truth in ((E4, UNSURE, E4), (E4, -4.0, E4), (NO, SURE, NO), ((), SURE, E4)):
        for lie in (A4, YES):
            async with served(Lying(lie)) as address:
                here, own = WrittenEngine("whisper", truth, SURE), WrittenEngine("own", own_words, sure)
                hearing = Hearing([own, SecondEar(here, [EarElsewhere(address)], hedge_s=60)], SETTINGS)
                found = await hearing.hear(SOUND, german)
                assert found.verdict in ("repeat", "reject") or found.words == truth, (own_words, lie, found)
                if found.verdict in ("accept", "confirm"):
                    assert [one.elsewhere for one in found.found] == ["", ""], "heard here too before it counts"


@pytest.mark.needs("vosk", "whisper")
async def test_a_liar_beside_the_real_ears_has_no_move_recorded(german: Scheme) -> None:
    sound = with_noise((await rendered([phrase(SAID, german, "m3")]))[0], 5)
    never_alone = SecondOpinion(alone={"own": 1.0}, wait_ms=200_000, late_ms=200_000)
    settings = msgspec.structs.replace(load_hearing(), second_opinion=never_alone)
    async with served(Lying(("piece.queen", "file.h", "rank.7"))) as address:
        pair = with_help([OwnRecogniser(), recognisers("whisper")[0]], [EarElsewhere(address)])
        assert [type(one) for one in pair] == [OwnRecogniser, SecondEar], "the first ear stays here"
        hearing = Hearing(pair, settings)
        try:
            await hearing.start()
            found = await hearing.hear(sound, german)
            assert found.verdict == "repeat" or found.words == SAID
        finally:
            await hearing.close()


async def test_honest_help_makes_surer_what_an_ear_here_heard(german: Scheme) -> None:
    careful = msgspec.structs.replace(SETTINGS, thresholds=msgspec.structs.replace(SETTINGS.thresholds, confirm=0.9))
    for words, heard_here in ((E4, []), (YES, [SOUND])):
        async with served(Lying(words)) as address:
            here, own = WrittenEngine("whisper", words, SURE), WrittenEngine("own", words, UNSURE)
            found = await Hearing([own, SecondEar(here, [EarElsewhere(address)], hedge_s=60)], careful).hear(
                SOUND, german
            )
            assert found.verdict == "accept" and found.words == words
            assert here.given == heard_here, "a command is never taken with the help of another machine"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("Bauer Anna vier", "confirm"), ("Bauer Eva vier", "accept"), ("what a nice day", "accept"), ("", "accept")],
)
async def test_other_makers_ears_may_only_raise_a_doubt(german: Scheme, text: str, verdict: str) -> None:
    async with served(Lying((), text), ServerInfo()) as address:
        opinion = Opinion(EarElsewhere(address), wait_s=60)
        engines = WrittenEngine("own", E4, SURE), WrittenEngine("whisper", E4, SURE)
        alone = await Hearing(engines, SETTINGS).hear(SOUND, german)
        found = await Hearing(engines, SETTINGS, opinions=[opinion]).hear(SOUND, german)
        assert (found.verdict, found.words, found.confidence) == (verdict, E4, alone.confidence)


async def test_an_opinion_makes_nothing_of_what_the_ears_here_doubt(german: Scheme) -> None:
    async with served(Lying((), "Bauer Eva vier")) as address:
        engines = WrittenEngine("own", E4, UNSURE), WrittenEngine("whisper", A4, UNSURE)
        hearing = Hearing(engines, SETTINGS, opinions=[Opinion(EarElsewhere(address), wait_s=60)])
        assert (await hearing.hear(SOUND, german)).verdict == "repeat"
    found = await Hearing(engines, SETTINGS, opinions=[Opinion(EarElsewhere(address))]).hear(SOUND, german)
    assert found.verdict == "repeat", "nor is a machine that is gone missed"


async def test_any_wyoming_client_is_answered(german: Scheme) -> None:
    hearing = Hearing([WrittenEngine("own", E4, SURE), WrittenEngine("whisper", E4, SURE)], SETTINGS)
    async with served(EarsConversation(hearing)) as address:
        port = Address.parse(address).port
        async with AsyncTcpClient("127.0.0.1", port) as client:
            await client.write_event(Describe().event())
            event = await client.read_event()
            assert event is not None
            (program,) = Info.from_event(event).asr
            assert program.name == "anna-eins" and "hy" in program.models[0].languages
            await client.write_event(Transcribe(language="de").event())
            await client.write_event(AudioStart(16_000, 2, 1).event())
            await client.write_event(AudioChunk(16_000, 2, 1, SOUND).event())
            await client.write_event(AudioStop().event())
            event = await client.read_event()
            assert event is not None and Transcript.from_event(event).text == "Bauer Eva vier"
            ours = event.data["anna_eins"]
            assert ours["verdict"] == "accept" and ours["confidence"] > 0.9
            assert ours["alternatives"][0]["words"][0] == {"id": "piece.pawn", "confidence": 0.9}


FORM = b'"data":{"rate":16000,"width":2,"channels":1}'
TWO_SECONDS = b'{"type":"audio-chunk",' + FORM + b',"payload_length":64000}\n' + bytes(64_000)


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (b"x" * 200_000, "not of the Wyoming protocol"),
        (b'{"type":"audio-chunk",' + FORM + b',"payload_length":%d}\n' % (MOST_PAYLOAD + 1), "bytes; "),
        (b'{"type":"audio-start","data":{"rate":44100,"width":2,"channels":1}}\n', "mono, 16 bit, 16 kHz"),
        (b'{"type":"audio-chunk",' + FORM + b',"payload_length":2}\nab', "before audio-start"),
        (b'{"type":"audio-stop"}\n', "No sound came"),
        (b'{"type":"transcribe","data":{"language":"xx"}}\n', "The ears here know"),
        (b'{"type":"transcribe","data":{"anna_eins":{"scheme":"../etc"}}}\n', "scheme"),
        (b'{"type":"transcribe","data":{"anna_eins":{"vocabulary":"00"}}}\n', "different versions"),
        (b'{"type":"transcribe","data":{"anna_eins":{"engine":7}}}\n', "not of the form"),
        (b'{"type":"audio-start",' + FORM + b"}\n" + TWO_SECONDS * 16, "may have 30 s"),
        (b"", "Nothing came for too long"),
    ],
)
async def test_a_hostile_client_gets_one_sentence(monkeypatch: pytest.MonkeyPatch, sent: bytes, sentence: str) -> None:
    if not sent:
        monkeypatch.setattr(service, "QUIET_S", 0.01)
    hearing = Hearing([WrittenEngine("whisper", E4, SURE)], SETTINGS)
    async with served(EarsConversation(hearing)) as address:
        reader, writer = await asyncio.open_connection("127.0.0.1", Address.parse(address).port)
        with contextlib.suppress(ConnectionError):
            writer.write(sent)
            await writer.drain()
        answer = await reader.read()
        writer.close()
    assert answer.startswith(b'{"type": "error"') and answer.count(b"\n") == 1
    assert sentence in answer.decode() and "Traceback" not in answer.decode()


async def test_silent_clients_keep_no_other_machine_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as there are places say nothing: the one that was silent longest makes room, one that spoke does not."""
    monkeypatch.setattr(service, "MOST_LINES", 4)
    hearing = Hearing([WrittenEngine("whisper", E4, SURE)], SETTINGS)
    async with served(EarsConversation(hearing)) as address, contextlib.AsyncExitStack() as stack:
        port = Address.parse(address).port

        async def met() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            line = await asyncio.open_connection("127.0.0.1", port)
            stack.callback(line[1].close)
            return line

        async def pong(line: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> bool:
            line[1].write(b'{"type":"ping"}\n')
            async with asyncio.timeout(PATIENCE_S):
                return b"pong" in await line[0].readline()

        spoke = await met()
        assert await pong(spoke)
        silent = [await met() for _ in range(3)]
        for _ in range(2):
            assert await pong(await met()), "a newcomer always comes in"
        assert await pong(spoke)
        for reader, _ in silent[:2]:
            async with asyncio.timeout(PATIENCE_S):
                assert await reader.read() == b""


async def test_a_client_that_begins_no_encryption_is_let_go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It has no place among the lines yet, so nothing else makes room: it would hold its descriptor for a minute."""
    monkeypatch.setattr(service, "HANDSHAKE_S", 0.2)
    _, secured = at_address("127.0.0.1:0", tmp_path / "speech.key")
    ears = service.Service(lambda: Lying(()), {}, ServerInfo("test", model_fingerprint(), ("whisper",), 2), secured)
    async with ears.listening(Address("127.0.0.1", 0, tls=True)) as there:
        silent, writer = await asyncio.open_connection("127.0.0.1", there.port)
        async with asyncio.timeout(PATIENCE_S):
            assert await silent.read() == b""
        writer.close()


async def test_who_has_not_the_key_gets_nothing(ears: Lent, key_file: Path, tmp_path: Path) -> None:
    address = Address.parse(ears.address)
    other = tmp_path / "other"
    other.write_text(f"{new_challenge()}\n")
    with pytest.raises(Complaint, match="has another key"):
        await Peer.open(address, read_key(other))
    with pytest.raises(Complaint, match="needs the key"):
        await Peer.open(address)
    with pytest.raises(Complaint, match="does not use TLS"):
        async with served(Lying(())) as plain:
            await Peer.open(msgspec.structs.replace(Address.parse(plain), tls=True), read_key(other))
    peer = await Peer.open(address, read_key(key_file))
    await peer.send(WyomingEvent("ping"))
    assert (await peer.read()).type == "pong"
    peer.close()
    reader, writer = await asyncio.open_connection(address.host, address.port, ssl=client_context())
    writer.write(b'{"type":"anna-eins-proof","data":{"proof":"00"}}\n')
    assert b"proves that they have its key" in await reader.read()
    writer.close()
    with pytest.raises(Complaint, match=r"contains no key"):
        other.write_text("secret")
        read_key(other)


def test_a_full_disk_leaves_no_half_of_a_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(Complaint, match="No space left"):
            ensure_key(tmp_path / "key")
    assert ensure_key(tmp_path / "key") == (read_key(tmp_path / "key"), True)


async def test_nobody_listens_in_the_open_outside_this_machine() -> None:
    lending = service.Service(lambda: Lying(()), info_of_ears("test"), ServerInfo())
    with pytest.raises(Complaint, match="reached by other machines"):
        async with lending.listening(Address("0.0.0.0", 0)):
            pass


@pytest.mark.needs("vosk", "whisper")
async def test_a_server_opens_the_ears_that_its_settings_name(
    ears: Lent, key_file: Path, german: Scheme, tmp_path: Path
) -> None:
    given = {"ears": (ears.address,), "second_opinions": ("127.0.0.1:1",), "speech_key": str(key_file)}
    settings = load_settings(None, **given)
    check_elsewhere(settings)
    with DataFolder.open(tmp_path, lock=True) as data:
        async with open_ears(data, settings) as hearing:
            assert hearing is not None and hearing.engines == ("own", "whisper")
            second = hearing.engine("whisper")
            assert isinstance(second, SecondEar) and second.places > 2
            (sound,) = await rendered([phrase(SAID, german, "m3")])
            found = await hearing.hear(sound, german)
            assert found.words == SAID and found.verdict in ("accept", "confirm")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"ears": ("tls://10.0.0.1:1",)}, "name the file with --speech-key"),
        ({"ears": ("10.0.0.1:0",)}, "is not the address"),
        ({"second_opinions": ("x:99999",)}, "is not the address"),
        ({"speech_key": "/nowhere/key"}, "cannot be read"),
    ],
)
def test_settings_that_cannot_be_are_one_sentence(given: dict[str, Any], why: str) -> None:
    with pytest.raises(Complaint, match=why):
        check_elsewhere(load_settings(None, **given))


async def test_ears_that_are_not_like_ours_do_not_help(german: Scheme, monkeypatch: pytest.MonkeyPatch) -> None:
    for about, why in (
        (ServerInfo("9", "00", ("whisper",)), "have another version"),
        (ServerInfo("9", model_fingerprint(), ("own",)), "does not have the same recognisers"),
    ):
        told: list[str] = []
        async with served(Lying(A4), about) as address:
            with watching(told.append):
                ear = SecondEar(WrittenEngine("whisper", E4, SURE), [EarElsewhere(address)])
                await ear.start()
                assert (await ear.recognise(SOUND, vocabulary_of(german))).ranked[0].ids == E4
        assert len(told) == 1 and why in told[0]
    monkeypatch.setattr(ear_elsewhere, "is_loopback", lambda host: False)
    async with served(Lying(A4)) as address:
        ear = SecondEar(WrittenEngine("whisper", E4, SURE), [EarElsewhere(address)])
        assert (await ear.recognise(SOUND, vocabulary_of(german))).elsewhere == "", "without a proof it does not help"
