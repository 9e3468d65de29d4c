"""The ear that learnt from people, with its real model."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from speech.announcements.understand import understand
from speech.complaint import Complaint
from speech.hearing.confidence import meaning
from speech.hearing.hearing import Hearing, recognisers
from speech.models.whisper import whisper_folder
from speech.recognisers.recogniser import Hypotheses
from speech.recognisers.vocabulary import vocabulary_of
from speech.recognisers.whisper.recogniser import WhisperRecogniser
from speech.training.common.people_speech import announcement, by_word, recordings_folder, takes
from speech.words.loading import load_scheme

LETTERS = vocabulary_of(load_scheme("letters", "de"))
MAY_TUNE = "kl-Helmut Kriege", "hd02"
GOLDEN = (("letter.a", "rank.3"), ("letter.b", "rank.4"), ("letter.e", "rank.2"))
"""What two people who may train or tune say and it hears: no figure rests on these."""


@pytest.fixture
async def whisper() -> AsyncIterator[WhisperRecogniser]:
    folder = whisper_folder()
    assert folder is not None
    engine = WhisperRecogniser(folder)
    await engine.start()
    yield engine
    await engine.close()


def said(words: tuple[str, ...]) -> bytes:
    """Return a letter and a rank by people, mono s16le 16 kHz."""
    root = recordings_folder()
    sound = announcement(root, words, by_word(takes(root, MAY_TUNE)), None, random.Random(3))
    return (np.clip(np.pad(sound, 4000), -1, 1) * 32767).astype("<i2").tobytes()


@pytest.mark.needs("whisper", "shared")
async def test_people_who_say_a_letter_and_a_rank_are_heard_in_any_pieces(whisper: WhisperRecogniser) -> None:
    found: list[Hypotheses] = []
    for words in GOLDEN:
        sound = said(words)
        whole = await whisper.recognise(sound, LETTERS)
        utterance = whisper.open_utterance(LETTERS)
        for start in range(0, len(sound), 1_234):
            utterance.feed(sound[start : start + 1_234])
        assert await utterance.finish() == whole
        found.append(whole)
    meanings = [meaning(understand(one.ranked[0].ids)) for one in found]
    assert meanings == [meaning(understand(words)) for words in GOLDEN]
    assert all(LETTERS.grammar.accepts(one.ids) for heard in found for one in heard.ranked)


@pytest.mark.needs("whisper")
async def test_silence_and_noise_are_no_words(whisper: WhisperRecogniser) -> None:
    assert (await whisper.recognise(bytes(64_000), LETTERS)).ranked == ()
    hiss = np.random.default_rng(1).normal(0, 900, 32_000).astype("<i2").tobytes()
    assert (await whisper.recognise(hiss, LETTERS)).ranked == ()


@pytest.mark.needs("whisper")
async def test_a_changed_model_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    folder = whisper_folder()
    assert folder is not None
    copy = tmp_path / "whisper-base" / "model"
    shutil.copytree(folder.parent, copy.parent)
    with (copy / "model.bin").open("r+b") as file:
        file.seek(1_000_000)
        byte = file.read(1)
        file.seek(1_000_000)
        file.write(bytes([byte[0] ^ 1]))
    with pytest.raises(Complaint, match=r"whisper|model"):
        await WhisperRecogniser(copy).start()


async def test_without_a_model_it_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("speech.hearing.hearing.whisper_folder", lambda *_: None)
    with pytest.raises(Complaint, match="models get whisper-base"):
        recognisers("whisper")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(Complaint):
        await WhisperRecogniser(tmp_path).start()


@pytest.mark.needs("whisper", "shared")
async def test_it_hears_alone_where_it_is_asked_for() -> None:
    hearing = Hearing(engine="whisper")
    await hearing.start()
    try:
        verdict = await hearing.hear(said(("letter.e", "rank.2")), load_scheme("letters", "de"))
        assert verdict.engine == "whisper"
        assert verdict.words == ("letter.e", "rank.2")
        again = await asyncio.gather(
            *(hearing.hear(said(("letter.e", "rank.2")), load_scheme("letters", "de")) for _ in range(2))
        )
        assert {one.confidence for one in again} == {verdict.confidence}
    finally:
        await hearing.close()
