"""Real voices: six languages, their measures, and every trap of pyttsx3 that would give a wrong or silent phrase."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio
from msgspec.structs import replace

from speech.audio.sound import Sound
from speech.complaint import Complaint
from speech.voices.joining import GAP_MS, LEAD_MS, TAIL_MS, join_sounds, merge_segments, trim_silence
from speech.voices.phrase_cache import PhraseCache
from speech.voices.pyttsx3_child import EspeakEngine, RenderedSpeech
from speech.voices.pyttsx3_voice import LONGEST_TEXT, Pyttsx3Voice
from speech.voices.respelling import respell_words, respellings, segments_of
from speech.voices.voice import Manner, Segment
from speech.words.config_file import language_tags
from speech.words.loading import load_scheme

PHRASES = {
    "de": "Springer Gustav eins schlägt Eva zwei",
    "en": "knight Gustav one takes Eva two",
    "hu": "huszár Gusztáv egy üti Éva kettő",
    "hy": "ձի Գուստավ մեկ վերցնում է Եվա երկու",
    "ar": "حصان جوستاف واحد يأخذ إيفا اثنان",
    "he": "פרש גוסטב אחת מכה אווה שתיים",
}
KNIGHT = (Segment("Springer Gustav eins", "de"),)


@pytest_asyncio.fixture
async def voice() -> AsyncIterator[Pyttsx3Voice]:
    made = Pyttsx3Voice()
    yield made
    assert made.child.restarts == 0, "a phrase crashed or hung the engine"
    await made.close()


def root_mean_square(sound: Sound) -> float:
    return float(np.sqrt(np.mean(sound.array.astype(np.float64) ** 2)))


async def test_six_languages_are_really_spoken(voice: Pyttsx3Voice) -> None:
    assert set(PHRASES) == set(language_tags())
    sounds = {}
    for language, text in PHRASES.items():
        sound = await voice.render([Segment(text, language)])
        assert sound.sample_rate == 22050
        assert 1500 < sound.duration_ms < 5000, (language, sound.duration_ms)
        assert 1000 < root_mean_square(sound) < 12000, language
        peak = int(np.abs(sound.array.astype(np.int32)).max())
        assert 8000 < peak < 32768, language
        clipped = int(np.count_nonzero(np.abs(sound.array.astype(np.int32)) >= 32767))
        assert clipped == 0, language
        sounds[language] = sound.pcm
    assert len(set(sounds.values())) == 6


async def test_each_phrase_is_its_own_and_not_the_last(voice: Pyttsx3Voice) -> None:
    """Of several queued phrases pyttsx3 says only the last, and a later one overwrites an earlier file."""
    one, two, three = await asyncio.gather(
        voice.render([Segment("eins", "de")]),
        voice.render([Segment("Springer Gustav eins schlägt Hector drei", "de")]),
        voice.render([Segment("zwei", "de")]),
    )
    assert one.duration_ms < two.duration_ms / 3 > three.duration_ms
    again = await voice.render([Segment("eins", "de")])
    assert again.duration_ms == pytest.approx(one.duration_ms, abs=30)


async def test_a_fresh_engine_gives_the_same_bytes(voice: Pyttsx3Voice) -> None:
    texts = [[Segment(text, language)] for language, text in PHRASES.items()] + [list(KNIGHT)] * 3
    manners = [Manner(), Manner(variant="f2"), Manner(speed=1.5), Manner(variant="whisper", pitch=60)]
    first = [await voice.render(text, manner) for manner in manners for text in texts]
    # eSpeak NG seeds its noise by the second, so the other engine is started in another one.
    await asyncio.sleep(1.0)
    fresh = Pyttsx3Voice()
    second = [await fresh.render(text, manner) for manner in manners for text in texts]
    await fresh.close()
    assert first == second


def open_files_of(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


async def test_a_hundred_phrases_in_a_row(voice: Pyttsx3Voice) -> None:
    await voice.start()
    pid = voice.child.pid
    assert pid is not None
    words = ["Anna", "Bella", "Zesar", "David", "Eva", "Felix", "Gustav", "Hector"]
    ranks = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"]
    lengths = {}
    open_files = 0
    for index in range(100):
        text = f"Turm {words[index % 8]} {ranks[index // 8 % 8]}"
        sound = await voice.render([Segment(text, "de")])
        assert sound.duration_ms == pytest.approx(lengths.setdefault(text, sound.duration_ms), abs=40)
        assert root_mean_square(sound) > 1000
        if index == 10:
            open_files = open_files_of(pid)
    assert voice.child.pid == pid
    assert open_files_of(pid) == open_files
    assert len(lengths) == 64


async def test_speed_and_pitch_take_effect_at_once(voice: Pyttsx3Voice) -> None:
    """pyttsx3 loses a rate that is set between two phrases."""
    plain = await voice.render(KNIGHT)
    for _ in range(3):
        slow = await voice.render(KNIGHT, Manner(speed=0.5))
        quick = await voice.render(KNIGHT, Manner(speed=2.0))
        rapid = await voice.render(KNIGHT, Manner(speed=3.0))
        assert slow.duration_ms > plain.duration_ms * 1.6
        assert quick.duration_ms < plain.duration_ms * 0.65
        assert rapid.duration_ms < quick.duration_ms * 0.8
    paced = [replace(part, pace=1.5) for part in KNIGHT]
    assert (await voice.render(paced)).duration_ms < plain.duration_ms * 0.8
    low, ordinary, high = [pitch_of(await voice.render(KNIGHT, Manner(pitch=pitch))) for pitch in (0, 50, 99)]
    assert low * 1.2 < ordinary < high / 1.3


def pitch_of(sound: Sound) -> float:
    """The median pitch of the voiced parts in Hz, by autocorrelation of 46 ms frames."""
    samples = sound.array.astype(np.float64)
    shortest, longest = sound.sample_rate // 500, sound.sample_rate // 60
    found = []
    for begin in range(0, len(samples) - 1024, 512):
        frame = samples[begin : begin + 1024]
        if np.sqrt(np.mean(frame**2)) < 2000:
            continue
        frame = frame - frame.mean()
        likeness = np.correlate(frame, frame, "full")[1023:]
        found.append(sound.sample_rate / (shortest + int(np.argmax(likeness[shortest:longest]))))
    return float(np.median(found))


@pytest.mark.parametrize(
    "manner", [Manner(speed=0.49), Manner(speed=3.01), Manner(speed=float("nan")), Manner(pitch=-1), Manner(pitch=100)]
)
async def test_a_manner_out_of_range_is_refused(voice: Pyttsx3Voice, manner: Manner) -> None:
    with pytest.raises(Complaint, match="is out of range; choose one from"):
        await voice.render(KNIGHT, manner)


async def test_an_unknown_voice_complains_and_the_old_one_does_not_speak_for_it(voice: Pyttsx3Voice) -> None:
    before = await voice.render([Segment(PHRASES["hu"], "hu")])
    for unknown in ("xx", "", "../../etc/passwd", "mb-de1", "de+nosuch", "dé"):
        with pytest.raises(Complaint, match="eSpeak NG does not know the voice"):
            await voice.render([Segment("Turm Anna eins", unknown)])
    for unknown in ("F2", "nosuch", "../f2", "../../lang/gmw/de"):
        with pytest.raises(Complaint, match="does not know the voice variant"):
            await voice.render(KNIGHT, Manner(variant=unknown))
    after = await voice.render([Segment(PHRASES["hu"], "hu")])
    assert after.duration_ms == pytest.approx(before.duration_ms, abs=40)


async def test_variants_are_other_speakers(voice: Pyttsx3Voice) -> None:
    plain = await voice.render(KNIGHT)
    woman = await voice.render(KNIGHT, Manner(variant="f2"))
    assert pitch_of(woman) > 1.5 * pitch_of(plain)
    # and the variant does not stay
    again = await voice.render(KNIGHT)
    assert pitch_of(again) == pytest.approx(pitch_of(plain), rel=0.05)
    other = Pyttsx3Voice(voices={"de": "de+f2"})
    assert pitch_of(await other.render(KNIGHT)) == pytest.approx(pitch_of(woman), rel=0.05)
    await other.close()


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "...", "\x00", "\u202e\ufeff", "- ?!"])
async def test_nothing_to_say_is_refused(voice: Pyttsx3Voice, text: str) -> None:
    with pytest.raises(Complaint, match="nothing to speak"):
        await voice.render([Segment(text, "de")])


async def test_awkward_texts_are_said_whole(voice: Pyttsx3Voice) -> None:
    with_zero = await voice.render([Segment("Turm\x00 Anna eins", "de")])
    plain = await voice.render([Segment("Turm Anna eins", "de")])
    assert with_zero.duration_ms == pytest.approx(plain.duration_ms, abs=40)
    for text in ("<b>Turm</b>", "[[t'Est]]", "&amp; Turm", "Turm \udcff eins", "🙂 Turm", "-v en", "a" * LONGEST_TEXT):
        assert (await voice.render([Segment(text, "de")])).duration_ms > 200, text
    with pytest.raises(Complaint, match="speak it in parts"):
        await voice.render([Segment("a" * (LONGEST_TEXT + 1), "de")])


async def test_several_languages_in_one_phrase(voice: Pyttsx3Voice) -> None:
    """D.2.1 inside another language: each word in the voice of its own, one short gap between them."""
    parts = [Segment("huszár", "hu"), Segment("Gustav", "de"), Segment("eins", "de"), Segment("sakk", "hu")]
    together = await voice.render(parts)
    alone = [await voice.render([part]) for part in merge_segments(parts)]
    edges = LEAD_MS + TAIL_MS
    expected = sum(sound.duration_ms - edges for sound in alone) + 2 * GAP_MS + edges
    assert together.duration_ms == pytest.approx(expected, abs=60)
    assert longest_silence_ms(together) < 250


def longest_silence_ms(sound: Sound) -> int:
    loud = np.flatnonzero(np.abs(sound.array.astype(np.int32)) >= 100)
    return int(np.diff(loud).max()) * 1000 // sound.sample_rate


async def test_a_killed_engine_says_the_phrase_all_the_same() -> None:
    voice = Pyttsx3Voice()
    await voice.start()
    asked = asyncio.create_task(voice.render([Segment(PHRASES["de"], "de")]))
    await asyncio.sleep(0)
    assert voice.child.pid is not None
    os.kill(voice.child.pid, 9)
    assert (await asked).duration_ms > 1500
    assert voice.child.restarts == 1
    await voice.close()


async def test_a_long_path_of_the_voices_does_not_break_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """eSpeak NG itself aborts where its data lies under a path of 160 characters."""
    import espeakng_loader

    long = tmp_path / ("x" * 120) / ("y" * 120)
    long.mkdir(parents=True)
    (long / "espeakng_loader").symlink_to(Path(espeakng_loader.__file__).parent)
    monkeypatch.setenv("PYTHONPATH", str(long))
    voice = Pyttsx3Voice()
    assert (await voice.render(KNIGHT)).duration_ms > 900
    await voice.close()


@pytest.mark.law("L184", "L185", "L187")
async def test_tokens_reach_the_voice_in_the_spelling_it_says_right(voice: Pyttsx3Voice) -> None:
    scheme = load_scheme("d21", "hu")
    segments = segments_of(scheme.tokens(["piece.king", "file.c", "rank.5"]), scheme)
    assert segments == (Segment("König", "de"), Segment("Zesar", "de"), Segment("fünf", "de"))
    assert (await voice.render(segments)).duration_ms > 800


def test_free_text_gets_the_spellings() -> None:
    german = respellings("de")
    assert respell_words("Cesar fuenf, Remis. Koenig Laeufer!", german) == "Zesar fünf, Remie. König Läufer!"
    assert respell_words("kurze  ROCHADE; Rochade", german) == "kurze Ro-schade; Ro-schade"
    assert respell_words("Remise en Hotelzimmer Cesarion", german) == "Remise en Hotelzimmer Cesarion"
    assert respell_words("a Éva", respellings("hu")) == "a Éva"
    assert respellings("fr") == {}
    assert respell_words("Cesar", {}) == "Cesar"


async def test_the_spelling_is_heard(voice: Pyttsx3Voice) -> None:
    """The same phrase in the Laws' spelling and in the mended one is not the same sound; text alone shows neither."""
    mended = await voice.render([Segment(respell_words("fuenf", respellings("de")), "de")])
    written = await voice.render([Segment("fuenf", "de")])
    proper = await voice.render([Segment("fünf", "de")])
    assert mended.duration_ms == pytest.approx(proper.duration_ms, abs=25)
    assert abs(written.duration_ms - proper.duration_ms) > 40


def test_joining_is_exact() -> None:
    tone = np.full(1000, 5000, "<i2").tobytes()
    padded = Sound(bytes(800) + tone + bytes(400), 16000)
    assert trim_silence(padded) == Sound(tone, 16000)
    assert trim_silence(Sound(bytes(100), 16000)).pcm == b""
    gap = bytes(16 * GAP_MS * 2)
    whole = join_sounds([padded, Sound(bytes(64), 16000), padded])
    assert whole.pcm == bytes(16 * LEAD_MS * 2) + tone + gap + tone + bytes(16 * TAIL_MS * 2)
    with pytest.raises(ValueError, match="one sample rate"):
        join_sounds([padded, Sound(tone, 22050)])
    with pytest.raises(ValueError, match="one sample rate"):
        join_sounds([])
    assert merge_segments([Segment("a", "ar", 1.2), Segment("b", "ar", 1.2), Segment("c", "ar")]) == (
        Segment("a b", "ar", 1.2),
        Segment("c", "ar"),
    )
    assert merge_segments([Segment(" ", "de"), Segment("a ", "de"), Segment("b", "de"), Segment("c", "en")]) == (
        Segment("a b", "de"),
        Segment("c", "en"),
    )


async def test_a_cached_phrase_needs_no_engine(tmp_path: Path) -> None:
    cache = PhraseCache(tmp_path / "phrases")
    first = Pyttsx3Voice(cache=cache)
    sound = await first.render(KNIGHT)
    await first.close()
    second = Pyttsx3Voice(cache=cache)
    assert await second.render(KNIGHT) == sound
    assert second.child.pid is None
    assert await second.render(KNIGHT, Manner(speed=1.5)) != sound
    assert second.child.pid is not None
    await second.close()


class Mumbling(EspeakEngine):
    """An engine that gives silence a few times before it speaks."""

    def __init__(self, silent: int) -> None:
        self.silent, self.tries = silent, 0
        self._errors: list[str] = []
        self._library = type("Library", (), {"espeak_Synchronize": lambda self: None})()

    def _identifier(self, voice: str, variant: str | None) -> str:
        return voice

    def _in_force(self) -> tuple[str, int, int]:
        return "de", 175, 50

    def _say(self, text: str) -> RenderedSpeech:
        self.tries += 1
        return RenderedSpeech(bytes(200) if self.tries <= self.silent else b"\x10\x20" * 100, 22_050)


def test_a_phrase_that_came_out_silent_is_said_again() -> None:
    asked: dict[str, object] = {"text": "Turm", "voice": "de", "variant": None, "rate": 175, "pitch": 50}
    twice = Mumbling(silent=2)
    assert any(twice.handle(asked)["pcm"]) and twice.tries == 3  # type: ignore[call-overload]
    never = Mumbling(silent=9)
    with pytest.raises(RuntimeError, match="without a sound"):
        never.handle(asked)
    pause = Mumbling(silent=9)
    assert pause.handle({**asked, "text": "..."})["pcm"] == bytes(200) and pause.tries == 1


WITHOUT_THREAD = """
import ctypes
from unittest import mock
from speech.voices import pyttsx3_child as child
given = child._pyttsx3_with
def without_thread(library):
    with mock.patch.object(ctypes.cdll, "LoadLibrary", lambda name: library):
        from pyttsx3.drivers import _espeak
    _espeak.AUDIO_OUTPUT_RETRIEVAL = _espeak.AUDIO_OUTPUT_SYNCHRONOUS
    return given(library)
child._pyttsx3_with = without_thread
said = child.EspeakEngine().handle({"text": "Springer", "voice": "de", "variant": None, "rate": 150, "pitch": 50})
assert any(said["pcm"])
"""
"""The eSpeak NG of the wheel for Windows has no thread of its own; this one is asked for none."""


def test_a_phrase_ends_where_espeak_ng_has_no_thread_and_the_system_no_espeak(repo: Path) -> None:
    program = [sys.executable, "-P", "-c", WITHOUT_THREAD]
    ended = subprocess.run(program, env={**os.environ, "PYTHONPATH": str(repo)}, timeout=60)
    assert ended.returncode == 0
