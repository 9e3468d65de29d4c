"""Our own small model as it is shipped: it has every word, hears what was said, and outlives its process."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest

from speech.announcements.understand import understand
from speech.complaint import Complaint
from speech.hearing.confidence import meaning
from speech.hearing.hearing import recognisers
from speech.hearing.settings import load_hearing
from speech.hearing.verdict import judge_utterance
from speech.recognisers.own.model import shipped_model
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.vocabulary import vocabulary_of
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import announcements, phrase, rendered

LANGUAGES = ("de", "en", "hu", "hy", "ar", "he")
VOICES = ("f2", "m3", "adam", "m1")
LARGEST = 12 * 1024 * 1024


@pytest.fixture(scope="module")
def shipped() -> Path:
    folder = shipped_model()
    assert folder is not None, "the model is part of the program"
    return folder


def test_its_files_are_those_of_its_manifest_and_small(shipped: Path) -> None:
    manifest = json.loads((shipped / "manifest.json").read_text("utf-8"))
    found = {
        str(file.relative_to(shipped)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in shipped.rglob("*")
        if file.is_file() and file.name != "manifest.json"
    }
    assert manifest["sha256"] == found and all(voice["licence"] for voice in manifest["voices"])
    assert sum(file.stat().st_size for file in shipped.rglob("*")) < LARGEST


@pytest.mark.parametrize("name", ["d21", "letters", "national"])
@pytest.mark.parametrize("language", LANGUAGES)
async def test_it_has_every_word_of_every_scheme(shipped: Path, name: str, language: str) -> None:
    own = OwnRecogniser(shipped)
    assert await own.missing(vocabulary_of(load_scheme(name, language))) == ()
    await own.close()


@pytest.mark.needs("vosk")
async def test_it_hears_announcements_and_keeps_to_what_may_be_said(shipped: Path, german: Scheme) -> None:
    vocabulary = vocabulary_of(german)
    said = announcements(12, 77)
    sounds = await rendered([phrase(words, german) for words in said])
    chance = np.random.default_rng(3)
    noises = [
        chance.normal(0.0, 2000.0, 20_000 + 5_000 * turn) * np.hanning(20_000 + 5_000 * turn) for turn in range(4)
    ]
    own = OwnRecogniser(shipped)
    try:
        await own.start()
        found = [await own.recognise(sound, vocabulary) for sound in sounds]
        right = [words for words, one in zip(said, found, strict=True) if one.ranked and one.ranked[0].ids == words]
        assert len(right) >= 10
        assert found[0] == await own.recognise(sounds[0], vocabulary)
        strange = [await own.recognise(noise.astype("<i2").tobytes(), vocabulary) for noise in noises]
        for one in (*found, *strange):
            assert all(
                vocabulary.grammar.accepts(hypothesis.ids) for hypothesis in one.ranked if "?" not in hypothesis.ids
            )
            assert understand(one.ranked[0].ids if one.ranked else ()).kind in ("move", "command", "none")
        assert (await own.recognise(b"", vocabulary)).ranked == ()
        assert (await own.recognise(bytes(64_000), vocabulary)).ranked == ()
    finally:
        await own.close()


@pytest.mark.needs("vosk")
async def test_the_national_words_of_six_languages_are_heard(shipped: Path) -> None:
    """Most first choices are right in every language, and hardly anything else is ever the sure one."""
    own = OwnRecogniser(shipped)
    settings = load_hearing()
    said = announcements(8, 71)
    right: dict[str, int] = {}
    wrong = 0
    try:
        await own.start()
        for tag in LANGUAGES:
            scheme = load_scheme("national", tag)
            sounds = await rendered([phrase(words, scheme, VOICES[n % len(VOICES)]) for n, words in enumerate(said)])
            found = [await own.recognise(sound, vocabulary_of(scheme)) for sound in sounds]
            meant = [meaning(understand(one.ranked[0].ids)) if one.ranked else None for one in found]
            wanted = [meaning(understand(words)) for words in said]
            right[tag] = sum(one == other for one, other in zip(meant, wanted, strict=True))
            wrong += sum(
                judge_utterance((one,), settings).verdict == "accept" and mine != other
                for one, mine, other in zip(found, meant, wanted, strict=True)
            )
    finally:
        await own.close()
    assert len(right) == 6 and min(right.values()) >= 6 and sum(right.values()) >= 44, right
    assert wrong <= 1


@pytest.mark.needs("vosk")
async def test_killed_in_an_utterance_it_answers_all_the_same(shipped: Path, german: Scheme) -> None:
    vocabulary = vocabulary_of(german)
    (sound,) = await rendered([phrase(announcements(1, 5)[0], german)])
    own = OwnRecogniser(shipped)
    try:
        await own.start()
        before = await own.recognise(sound, vocabulary)
        first = own.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert await own.recognise(sound, vocabulary) == before and own.pid not in (None, first)
    finally:
        await own.close()


def test_it_is_the_vosk_of_those_who_brought_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And it listens alone where there is no model of Whisper, else that is the second ear."""
    monkeypatch.delenv("ANNA_EINS_VOSK_MODEL", raising=False)
    assert [engine.name for engine in recognisers("vosk")] == ["own"]
    assert [engine.name for engine in recognisers("own")] == ["own"]
    monkeypatch.setenv("ANNA_EINS_WHISPER_MODEL", str(tmp_path))
    assert [engine.name for engine in recognisers("auto")] == ["own", "whisper"]
    monkeypatch.setattr("speech.hearing.hearing.whisper_folder", lambda *_: None)
    assert [engine.name for engine in recognisers("auto")] == ["own"]
    assert [engine.name for engine in recognisers("vosk", "some/folder")] == ["vosk"]


@pytest.mark.needs("vosk")
@pytest.mark.parametrize("name", ["final.mdl", "outputs.json"])
@pytest.mark.parametrize("breaking", ["cut", "gone"])
async def test_a_broken_copy_is_one_sentence(shipped: Path, tmp_path: Path, name: str, breaking: str) -> None:
    folder = Path(shutil.copytree(shipped, tmp_path / "model"))
    if breaking == "gone":
        (folder / name).unlink()
    else:
        (folder / name).write_bytes((folder / name).read_bytes()[:3000])
    own = OwnRecogniser(folder)
    with pytest.raises(Complaint) as wrong:
        await own.start()
    assert "\n" not in str(wrong.value) and "Traceback" not in str(wrong.value)
    await own.close()
