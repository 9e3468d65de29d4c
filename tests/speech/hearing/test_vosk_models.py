"""Vosk with a model of random weights, whole and broken: nothing that is wrong with it ends the service."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from speech.complaint import Complaint
from speech.hearing.hearing import Hearing, recognisers
from speech.models.whisper import whisper_folder
from speech.recognisers.vocabulary import vocabulary_of
from speech.recognisers.vosk.model import MODEL_VARIABLE, spelled_as_known
from speech.recognisers.vosk.recogniser import VoskRecogniser
from speech.words.scheme import Scheme
from tests.speech.hearing.random_vosk_model import MODEL_CONF, write_random_model

WORDS = (
    *("anna", "bella", "cäsar", "david", "eva", "felix", "gustav", "hektor"),
    *("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"),
    *("könig", "dame", "turm", "läufer", "springer", "bauer", "schlägt", "kurze", "lange", "rochade", "[unk]"),
)
SOUND = np.random.default_rng(1).normal(0.0, 3000.0, 32_000).astype("<i2").tobytes()

pytestmark = pytest.mark.needs("vosk")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_random_model(tmp_path_factory.mktemp("vosk") / "model", WORDS)


@pytest.fixture
def model(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "model"))


async def test_a_model_is_loaded_and_gives_words_of_the_vocabulary(model: Path, german: Scheme) -> None:
    vocabulary = vocabulary_of(german)
    vosk = VoskRecogniser(model)
    try:
        await vosk.start()
        first = await vosk.recognise(SOUND, vocabulary)
        assert first == await vosk.recognise(SOUND, vocabulary)
        known = {*vocabulary.grammar.words(), "?"}
        assert first.engine == "vosk" and all(set(one.ids) <= known for one in first.ranked)
        assert all(0.0 <= word.confidence <= 1.0 for one in first.ranked for word in one.words)
    finally:
        await vosk.close()


async def test_two_who_speak_at_once_are_heard_as_if_each_were_alone(model: Path, german: Scheme) -> None:
    vocabulary = vocabulary_of(german)
    sounds = [SOUND, SOUND[16_000:]]
    vosk = VoskRecogniser(model)
    try:
        await vosk.start()
        alone = [await vosk.recognise(sound, vocabulary) for sound in sounds]
        given_up, *utterances = [vosk.open_utterance(vocabulary) for _ in range(3)]
        for start in range(0, len(SOUND), 1_001):
            for sound, utterance in zip(sounds, utterances, strict=True):
                utterance.feed(sound[start : start + 1_001])
            given_up.feed(bytes(640))
            await asyncio.sleep(0)
        await given_up.abandon()
        # The first to begin need not be the first to end.
        last = await utterances[1].finish()
        assert [await utterances[0].finish(), last] == alone
    finally:
        await vosk.close()


async def test_a_model_that_dies_while_somebody_speaks_gets_all_of_it_again(model: Path, german: Scheme) -> None:
    vocabulary = vocabulary_of(german)
    vosk = VoskRecogniser(model)
    try:
        await vosk.start()
        whole = await vosk.recognise(SOUND, vocabulary)
        utterance = vosk.open_utterance(vocabulary)
        utterance.feed(SOUND[:20_000])
        await asyncio.sleep(0.05)
        assert vosk.pid is not None
        os.kill(vosk.pid, signal.SIGKILL)
        utterance.feed(SOUND[20_000:])
        assert await utterance.finish() == whole
    finally:
        await vosk.close()


async def test_words_that_the_model_lacks_are_named(model: Path, german: Scheme) -> None:
    vosk = VoskRecogniser(model)
    missing = await vosk.missing(vocabulary_of(german))
    assert "cmd.time" in missing and "word.to" in missing
    # Found under another spelling: fuenf, Koenig, Laeufer, Cesar, Hector.
    assert not {"rank.5", "piece.king", "piece.bishop", "file.c", "file.h", "castle.short"} & set(missing)
    await vosk.close()


@pytest.mark.parametrize(
    ("form", "known", "spelled"),
    [
        ("fuenf", "fünf", "fünf"),
        ("fünf", "fuenf", "fuenf"),
        ("Koenig", "könig", "könig"),
        ("Kurze Rochade", "kurze rochade", "kurze rochade"),
        ("Kurze Rochade", "kurze", None),
        ("große", "grosse", "grosse"),
        ("Bauer", "baür bauer", "bauer"),
    ],
)
def test_spellings_are_mapped_to_the_model_s_own(form: str, known: str, spelled: str | None) -> None:
    assert spelled_as_known(form, frozenset(known.split())) == spelled


def removed(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def without_silence_phones(folder: Path) -> None:
    lines = [line for line in MODEL_CONF.splitlines() if "silence-phones" not in line]
    (folder / "conf" / "model.conf").write_text("\n".join(lines) + "\n")


def empty_settings(folder: Path) -> None:
    (folder / "conf" / "model.conf").write_text("")


def unknown_setting(folder: Path) -> None:
    with (folder / "conf" / "model.conf").open("a") as file:
        file.write("--no-such-thing=1\n")


def cut_short(folder: Path) -> None:
    file = folder / "am" / "final.mdl"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def other_features(folder: Path) -> None:
    file = folder / "conf" / "mfcc.conf"
    file.write_text(file.read_text().replace("--num-ceps=40", "--num-ceps=13"))


def empty_words(folder: Path) -> None:
    (folder / "graph" / "words.txt").write_text("")


BREAKINGS = {
    "no folder": shutil.rmtree,
    "no final.mdl": removed("am/final.mdl"),
    "no model.conf": removed("conf/model.conf"),
    "no mfcc.conf": removed("conf/mfcc.conf"),
    "no HCLr.fst": removed("graph/HCLr.fst"),
    "no Gr.fst": removed("graph/Gr.fst"),
    "no disambig_tid.int": removed("graph/disambig_tid.int"),
    "no words.txt": removed("graph/words.txt"),
    "no silence phones": without_silence_phones,
    "empty model.conf": empty_settings,
    "unknown setting": unknown_setting,
    "final.mdl cut short": cut_short,
    "other features": other_features,
    "empty words.txt": empty_words,
}


@pytest.mark.parametrize("breaking", list(BREAKINGS.values()), ids=list(BREAKINGS))
@pytest.mark.asyncio(loop_scope="session")
async def test_a_broken_folder_is_one_sentence_and_the_service_lives_on(
    ears: Hearing, model: Path, german: Scheme, breaking: Callable[[Path], None]
) -> None:
    breaking(model)
    with pytest.raises(Complaint) as wrong:
        await VoskRecogniser(model).start()
    said = str(wrong.value)
    assert str(model) in said and "\n" not in said and "Traceback" not in said
    own = ears.engine("own")
    assert own is not None
    hearing = Hearing([VoskRecogniser(model), own])
    await hearing.start()
    assert hearing.engines == ("own",) and list(map(str, hearing.faults)) == [said]
    assert (await hearing.hear(SOUND, german)).verdict in ("reject", "repeat")


async def test_the_abort_of_a_folder_without_silence_phones_is_met_in_the_child(model: Path) -> None:
    without_silence_phones(model)
    with pytest.raises(Complaint, match="SIGABRT"):
        await VoskRecogniser(model).start()


async def test_vosk_killed_in_an_utterance_answers_all_the_same(model: Path, german: Scheme) -> None:
    vocabulary = vocabulary_of(german)
    vosk = VoskRecogniser(model)
    try:
        await vosk.start()
        before = await vosk.recognise(SOUND, vocabulary)
        utterance = vosk.open_utterance(vocabulary)
        utterance.feed(SOUND[:32_000])
        first = vosk.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        utterance.feed(SOUND[32_000:])
        assert await utterance.finish() == before and vosk.pid not in (None, first)
    finally:
        await vosk.close()


async def test_a_configured_model_joins_the_ears(model: Path, german: Scheme, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, str(model))
    hearing = Hearing(recognisers("auto"), patient=True)
    second = [] if whisper_folder() is None else ["whisper"]
    try:
        await hearing.start()
        assert hearing.engines == ("vosk", *second) and hearing.faults == ()
        verdict = await hearing.hear(SOUND, german)
        assert verdict.engine == "+".join(("vosk", *second)) and verdict.verdict != "accept"
    finally:
        await hearing.close()
    monkeypatch.delenv(MODEL_VARIABLE)
    monkeypatch.setattr("speech.hearing.hearing.shipped_model", lambda: None)
    with pytest.raises(Complaint, match="model"):
        recognisers("vosk")
    monkeypatch.setattr("speech.hearing.hearing.whisper_folder", lambda *_: None)
    with pytest.raises(Complaint, match="model"):
        recognisers("auto")
