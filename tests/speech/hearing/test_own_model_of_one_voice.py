"""Our own model fitted to one voice: a few numbers of the profile, which nobody else is heard with."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pytest

from speech.enrolment import learn
from speech.enrolment.learn import Reading, adaptation, can_adapt
from speech.enrolment.prompts import load_prompts
from speech.recognisers.own.adaptation import Units, adapt_network, pack_adaptation
from speech.recognisers.own.child import OwnEngine
from speech.recognisers.own.kaldi.network import affine_layers
from speech.recognisers.own.model import NETWORK, shipped_model
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.vocabulary import vocabulary_of
from speech.words.scheme import Scheme
from speech.words.voice_profile import Adaptation, VoiceProfile
from tests.speech.hearing.spoken_announcements import announcements, phrase, rendered


@pytest.fixture(scope="module")
def acoustics() -> bytes:
    folder = shipped_model()
    assert isinstance(folder, Path)
    return (folder / NETWORK).read_bytes()


def hidden(acoustics: bytes) -> list[int]:
    return [placed.rows for name, placed in sorted(affine_layers(acoustics).items()) if name.startswith("tdnn")]


def every(acoustics: bytes, stronger: float, moved: float) -> list[tuple[Units, Units]]:
    return [(np.full(size, stronger, np.float32), np.full(size, moved, np.float32)) for size in hidden(acoustics)]


def test_each_unit_is_made_stronger_and_moved_and_nothing_else_changes(acoustics: bytes) -> None:
    assert len(hidden(acoustics)) == 6
    changed = adapt_network(acoustics, pack_adaptation(acoustics, every(acoustics, float(np.log(2.0)), 0.25)))
    assert len(changed) == len(acoustics)
    for name, placed in affine_layers(acoustics).items():
        (weights, bias), (new, new_bias) = placed.read(acoustics), placed.read(changed)
        by, on = (2.0, 0.25) if name.startswith("tdnn") else (1.0, 0.0)
        assert np.allclose(new, weights * by, rtol=1e-3) and np.allclose(new_bias, bias * by + on, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("model", "0123456789abcdef"),
        ("units", ""),
        ("units", "no base64"),
        ("units", base64.b64encode(bytes(20)).decode()),
        ("units", base64.b64encode(b"\x00\x7e" * 2304).decode()),  # no numbers
    ],
)
def test_what_is_for_another_network_or_damaged_changes_nothing(acoustics: bytes, key: str, value: str) -> None:
    good = pack_adaptation(acoustics, every(acoustics, 0.5, 0.5))
    assert adapt_network(acoustics, good) != acoustics
    assert adapt_network(acoustics, msgspec.structs.replace(good, **{key: value})) == acoustics


@pytest.mark.needs("vosk")
async def test_a_profile_s_own_model_hears_its_player_and_nobody_else(acoustics: bytes, german: Scheme) -> None:
    (sound,) = await rendered([phrase(announcements(1, 94)[0], german, "m3")])

    def known(stronger: float) -> Scheme:
        fitted = pack_adaptation(acoustics, every(acoustics, stronger, 0.0))
        return msgspec.structs.replace(german, voice=VoiceProfile("Anna", "de", "d21", {}, own=fitted))

    assert vocabulary_of(known(0.0)).name != vocabulary_of(known(-0.5)).name != vocabulary_of(german).name
    own = OwnRecogniser()
    try:
        plain = await own.recognise(sound, vocabulary_of(german))
        same = await own.recognise(sound, vocabulary_of(known(0.0)))
        assert plain.ranked and same.ranked[0].ids == plain.ranked[0].ids
        assert same.ranked[0].score == pytest.approx(plain.ranked[0].score, abs=0.01)
        other = await own.recognise(sound, vocabulary_of(known(-0.5)))
        assert not other.ranked or other.ranked[0].score != pytest.approx(plain.ranked[0].score, abs=1.0)
        assert await own.recognise(sound, vocabulary_of(german)) == plain
    finally:
        await own.close()


@pytest.mark.needs("vosk")
@pytest.mark.parametrize("stronger", [-1.0, "by chance"])
async def test_a_hostile_profile_costs_a_bounded_multiple_of_a_good_one(
    acoustics: bytes, german: Scheme, stronger: float | str
) -> None:
    """Without bounds the first of them takes a hundred times as long as no profile, with them fifteen times."""
    if stronger == "by chance":
        chance = np.random.default_rng(3)
        layers = [
            (chance.choice([-1.4, 1.4], size).astype(np.float32), chance.choice([-4, 4], size).astype(np.float32))
            for size in hidden(acoustics)
        ]
    else:
        layers = every(acoustics, float(stronger), 0.0)
    hostile = msgspec.structs.replace(
        german, voice=VoiceProfile("Anna", "de", "d21", {}, own=pack_adaptation(acoustics, layers))
    )
    (said,) = await rendered([phrase(announcements(1, 94)[0], german, "m3")])
    folder = shipped_model()
    assert folder is not None
    engine = OwnEngine(folder)
    engine.hello()
    asked = [await OwnRecogniser().request_for(vocabulary_of(heard_with)) for heard_with in (german, hostile)]
    pair = [engine.begin({**message, "pcm": b""}) for message, _ in asked]
    seconds = [0.0, 0.0]  # of this thread, and by turns: what slows the machine meanwhile slows both

    def timed(number: int, work: Callable[[], object]) -> object:
        began = time.thread_time()
        done = work()
        seconds[number] += time.thread_time() - began
        return done

    sound = said * 3
    for start in range(0, len(sound), 6_400):
        for number, spoken in enumerate(pair):
            timed(number, partial(spoken.feed, sound[start : start + 6_400]))
    while True in [timed(number, spoken.goes_on) for number, spoken in enumerate(pair)]:
        pass
    for spoken, (_, meaning) in zip(pair, asked, strict=True):
        meaning(spoken.finish())
    assert seconds[1] < 30 * seconds[0], seconds


async def test_without_a_training_library_nothing_is_adapted(monkeypatch: pytest.MonkeyPatch, german: Scheme) -> None:
    monkeypatch.setattr(learn, "find_spec", lambda name: None)
    assert not can_adapt()
    assert await adaptation(german, [Reading(words, bytes(32_000)) for words in load_prompts()]) is None


@pytest.mark.skipif(not can_adapt(), reason="PyTorch and kaldi-native-fbank (speech/training/requirements.txt)")
async def test_with_one_what_was_not_learnt_from_decides(german: Scheme) -> None:
    prompts = load_prompts()[::2]
    sounds = await rendered([phrase(words, german, "m2") for words in prompts])
    found = await adaptation(german, [Reading(words, pcm) for words, pcm in zip(prompts, sounds, strict=True)])
    assert found is None or isinstance(found, Adaptation)
    # Noise holds no words: nothing can be learnt from it.
    noise = np.random.default_rng(1).normal(0.0, 900.0, 20_000) * np.abs(np.sin(np.arange(20_000) / 2_000))
    wrong = [Reading(words, noise.astype("<i2").tobytes()) for words in prompts]
    assert await adaptation(german, wrong) is None
