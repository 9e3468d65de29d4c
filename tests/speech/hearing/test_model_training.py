"""What our own model learns from: its words, what the voices say, who speaks, and where each phone lies."""

from __future__ import annotations

import json
import random
from importlib.resources import files
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from speech.complaint import Complaint
from speech.recognisers.lexicon import PHONES, TALK, UNITS, languages_heard, load_all, load_lexicon, units
from speech.recognisers.own.inventory import inventory
from speech.recognisers.own.kaldi.network import (
    INPUT,
    Affine,
    Rectified,
    acoustic_model,
    affine_layers,
    mean_of,
    network,
)
from speech.recognisers.own.kaldi.transitions import transition_model
from speech.recognisers.own.model import NETWORK, OUTPUTS
from speech.recognisers.own.recipe import DIMENSIONS, Recipe
from speech.training.common.planned_utterances import MOVE_WORDS, RESERVED
from speech.training.curves import hall_readers
from speech.training.model.best_path import best_path
from speech.training.model.corpora.contents import (
    NOTHING,
    Item,
    announcement,
    as_spoken,
    draw_sentence,
    habits,
    pseudo_word,
)
from speech.training.model.corpora.corpus import RATE, CorpusWriter, Sounded, utterances
from speech.training.model.corpora.espeak import HELD_OUT as HELD_OUT_VARIANTS
from speech.training.model.corpora.espeak import VARIANTS, speak_corpus
from speech.training.model.corpora.espeak_speech import Espeak
from speech.training.model.corpora.pico import pico_text, syllables
from speech.training.model.corpora.plan import HELD_OUT, TRAINING
from speech.training.model.corpora.readers import RESPELLED, nearest, said_by
from speech.training.model.corpora.voices.espeak_phones import of_espeak
from speech.training.model.corpora.voices.festival_voices import FLITE, TUNING, VOICES
from speech.training.model.corpora.voices.pico_voices import PICO, PICO_TUNING
from speech.training.model.making import MANIFEST, hashes_of, write_mean
from speech.training.model.perturbing import BANDS, COSINES, echoing, overlaid, perturb_frames, stretch_frames, throat
from speech.words.grammar import announcement_grammar
from speech.words.language import WORD_IDS
from tests.bench.listening.unknown_voices.readers import READING

RESERVED_HUMAN = {"slt", "rms", "lp", "mv"}


@pytest.mark.parametrize("language", languages_heard())
def test_every_word_of_every_language_has_its_sounds(language: str) -> None:
    assert set(load_lexicon(language)) == set(WORD_IDS)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"rank.3" = ["d r aI"]', '"rank.9" = ["d r aI"]', 'phones."rank.9"'),
        ('"rank.3" = ["d r aI"]', '"rank.3" = ["d r ai"]', 'phones."rank.3"'),
        ('"rank.3" = ["d r aI"]', '"rank.3" = []', 'phones."rank.3"'),
        ('"rank.3" = ["d r aI"]', '"rank.3" = 3', "phones"),
        ("[phones]", "[phones", "TOML"),
    ],
)
def test_a_wrong_lexicon_is_one_sentence(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = files("config").joinpath("languages", "de", "lexicon.toml").read_text("utf-8")
    assert old in text
    (tmp_path / "languages" / "de").mkdir(parents=True)
    (tmp_path / "languages" / "de" / "lexicon.toml").write_text(text.replace(old, new), "utf-8")
    with pytest.raises(Complaint, match="config/languages/de/lexicon") as wrong:
        load_lexicon("de", tmp_path)
    assert told in str(wrong.value) and "\n" not in str(wrong.value)


def test_phones_units_and_mnemonics() -> None:
    assert len(set(PHONES)) == len(PHONES) and UNITS[0] == "sil"
    assert set(units(PHONES)) == set(UNITS[1:]) and TALK not in UNITS
    assert of_espeak("'UR") == ("U", "6") and of_espeak("_:") == () and of_espeak("nothing") is None
    assert of_espeak(",tS") == ("t", "S")


def test_words_of_the_game_have_outputs_of_their_own_and_languages_share_what_sounds_alike() -> None:
    known = inventory(load_all())
    assert known.outputs[: len(UNITS) + 1] == tuple((unit, "") for unit in (*UNITS, TALK))
    own = known.number("aI1", "de:rank.2")
    assert known.outputs[own] == ("aI1", "de:rank.2") and own != known.number("aI1", "de:rank.3")
    assert known.anywhere()[own] == known.number("aI1", NOTHING) == known.number("aI1", "de:cmd.time")
    assert known.number("l", "en:file.b") == known.number("l", "de:file.b")
    assert known.number("k", "en:rank.6") == known.number("k", NOTHING)


def test_announcements_are_well_formed_and_sentences_are_words_of_the_lexicon() -> None:
    chance, lexicon, grammar = (
        random.Random(4),
        load_all(),
        announcement_grammar(("file", "nato", "letter", "spelling")),
    )
    for _ in range(300):
        assert grammar.accepts(announcement(chance, chance.choice(["file", "nato", "letter", "spelling"])))
    said = [item for _ in range(400) for item in draw_sentence(chance, lexicon)]
    assert all(item.phones in lexicon[item.token] for item in said if item.token != NOTHING)
    # Nothing is drawn that is never learned: strange words, and every language.
    assert {item.token.split(":")[0] for item in said} == {NOTHING, *languages_heard()}
    for word in (pseudo_word(chance) for _ in range(200)):
        assert word and set(word) <= set(PHONES)


def test_no_voice_that_is_reserved_for_measuring_trains_or_tunes() -> None:
    assert not RESERVED & {*VARIANTS, *HELD_OUT_VARIANTS} and not set(VARIANTS) & set(HELD_OUT_VARIANTS)
    speakers = {voice.speaker for voice in (*VOICES, FLITE, TUNING, *PICO, PICO_TUNING)}
    assert not RESERVED_HUMAN & speakers and not any("slt" in voice.name for voice in VOICES)
    assert not {part.name for part in TRAINING} & {part.name for part in HELD_OUT}
    assert not {TUNING.speaker, PICO_TUNING.speaker} & {part.name for part in TRAINING}
    for voice in (*VOICES, FLITE, TUNING, *PICO, PICO_TUNING):
        assert set(voice.phones) == set(PHONES), voice.name


def test_a_voice_says_a_german_sound_mostly_in_its_first_way_and_now_and_then_in_another() -> None:
    chance = random.Random(3)
    for voice in (*VOICES, TUNING, FLITE, *PICO, PICO_TUNING):
        assert not any("/" in way for way in voice.phones.values()) and voice.others.keys() <= voice.phones.keys()
        drawn = [voice.phones_said(chance) for _ in range(60)]
        for phone, first in voice.phones.items():
            said = [" ".join(one[phone]) for one in drawn]
            assert set(said) == {first, *voice.others.get(phone, ())} and said.count(first) >= 24


def test_no_two_speakers_have_the_same_accent_and_nobody_all_of_it() -> None:
    chance = random.Random(6)
    drawn = [habits(chance, foreign=True) for _ in range(40)]
    assert len({tuple(sorted(one.items())) for one in drawn}) > 35
    assert min(map(len, drawn)) <= 3 and 8 <= max(map(len, drawn)) < len(PHONES)
    assert all(one != other for own in drawn for one, other in own.items() if one != "aI")
    german = [habits(chance, foreign=False) for _ in range(40)]
    assert all("h" not in own and "" not in own.values() for own in german)


def test_a_sound_that_a_speaker_leaves_out_is_not_laid_and_what_is_said_for_another_keeps_its_name() -> None:
    items = [Item("de:letter.h", ("h", "a")), Item("de:piece.queen", ("d", "a", "m", "@"), pause=0.1)]
    spoken = as_spoken(items, {"h": "", "d": "t"}, random.Random(1))
    assert [one.phones for one in spoken] == [("a",), ("d", "a", "m", "@")] and spoken[1].pause == 0.1
    swallowed = [as_spoken(items, {}, random.Random(seed))[1].phones for seed in range(60)]
    assert {one[-1] for one in swallowed} == {"@", "m"} and swallowed.count(("d", "a", "m")) < 12


def test_pico_is_asked_for_each_word_by_its_sounds_with_pauses_and_stress() -> None:
    german = PICO[0].phones_said(random.Random(1))
    words = [Item("de:piece.knight", ("S", "p", "r", "I", "N", "6")), Item("de:rank.3", ("d", "r", "aI"), pause=0.12)]
    told = [pico_text(words, german, random.Random(seed)) for seed in range(12)]
    assert "<phoneme alphabet='xsampa' ph='\"SpRI.N6'/> <break time='120ms'/> <phoneme" in told[0]
    # Now and then a word is said without stress, and no mark is ever spelled out as an entity, which Pico would read.
    assert any("ph='S" in one for one in told) and not any("&" in one for one in told)
    assert syllables(("a", "n", "a")) == {0, 1} and syllables(("S", "t")) == {0}


def test_the_best_path_goes_through_every_sound_in_order_and_may_leave_silence_out() -> None:
    # Silence, a sound, silence that may be left out, a sound, silence.
    before = [(), (0,), (1,), (2, 1), (3,)]
    shown = [0, 1, 1, 3, 3, 4]
    scores = np.full((5, len(shown)), -5.0)
    scores[shown, range(len(shown))] = 0.0
    path, mean = best_path(scores, before)
    assert path.tolist() == shown and mean == pytest.approx(0.0)
    # A sound that is not in the frames is laid all the same, and costs.
    path, mean = best_path(np.where(np.arange(5)[:, None] == 3, -5.0, scores), before)
    assert set(path.tolist()) >= {0, 1, 3, 4} and mean < -0.8
    # Fewer frames than sounds: there is no way.
    assert best_path(scores[:, :2], before)[1] == -np.inf


def test_a_longer_throat_has_lower_resonances() -> None:
    bands = np.zeros(DIMENSIONS)
    bands[20] = 1.0
    places = np.arange(DIMENSIONS)
    middle = [
        float((throat(length) @ bands * places).sum() / (throat(length) @ bands).sum()) for length in (0.9, 1, 1.1)
    ]
    assert middle[0] > 20.9 and middle[1] == pytest.approx(20.0) and middle[2] < 19.1
    assert np.allclose(throat(1.0), np.eye(DIMENSIONS)) and np.allclose(COSINES @ BANDS, np.eye(DIMENSIONS))


def test_every_look_at_a_window_is_another_and_the_same_seed_gives_the_same() -> None:
    frames = np.random.default_rng(1).normal(0.0, 5.0, (120, DIMENSIONS)).astype(np.float32)
    looks = [perturb_frames(frames, np.random.default_rng(seed)) for seed in (4, 4, 5)]
    assert np.array_equal(looks[0], looks[1]) and not np.array_equal(looks[0], looks[2])
    assert all(one.shape == frames.shape and one.dtype == np.float32 for one in looks)


def test_another_table_adds_its_power_so_many_decibels_below_and_ours_stays_what_is_louder() -> None:
    def level(bands: list[float]) -> np.ndarray:
        """Frames of which each has these powers (dB) in its lower and its upper mel bands."""
        power = np.repeat(np.array(bands) * np.log(10) / 10, DIMENSIONS // len(bands))
        return np.tile(COSINES @ power, (5, 1)).astype(np.float32)

    def powers(frames: np.ndarray) -> np.ndarray:
        return np.asarray(frames @ BANDS.T * 10 / np.log(10))

    ours, theirs = level([60.0, 20.0]), level([60.0, 60.0])
    both = powers(overlaid(ours, theirs, 6.0))
    # Where we are loud, 10 log10(10^6 + 10^5.4) dB; where we are soft, theirs alone, 6 dB below what it was.
    assert np.allclose(both[:, :20], 60.97, atol=0.02) and np.allclose(both[:, 20:], 54.0, atol=0.02)
    assert both.shape == (5, DIMENSIONS) and overlaid(ours, theirs, 6.0).dtype == np.float32
    assert np.allclose(overlaid(ours, theirs, 80.0), ours, atol=0.05)


def test_a_room_carries_what_was_said_into_the_frames_after_it_and_dies_away_at_its_rate() -> None:
    quiet, loud = 1.0, 1e8
    powers = np.full((60, DIMENSIONS), quiet)
    powers[10] = loud
    frames = (np.log(powers) @ COSINES.T).astype(np.float32)
    heard = 10 / np.log(10) * (echoing(frames, 0.5, 0.25) @ BANDS.T).mean(axis=1)
    # Before it nothing; the sound itself 1 dB softer, for the echoes have their share; then 60 dB in half a second.
    assert (np.abs(heard[:10]) < 1.0).all() and heard[10] == pytest.approx(80.0 - 0.97, abs=0.02)
    assert heard[11] == pytest.approx(80.0 - 0.97 + 10 * np.log10(0.25 * (1 - 10**-0.12)), abs=0.05)
    assert np.allclose(np.diff(heard[11:40]), -1.2, atol=0.02)
    # What goes on for long is as loud as it was.
    steady = np.zeros((200, DIMENSIONS), np.float32)
    assert np.allclose((echoing(steady, 0.5, 0.25) @ BANDS.T)[-1], 0.0, atol=0.01)


def test_sounds_that_are_drawn_out_keep_their_order_and_their_names() -> None:
    frames = np.repeat(np.arange(10.0, dtype=np.float32)[:, None], DIMENSIONS, axis=1)
    names = np.arange(10, dtype=np.int16)
    for length in (0.75, 1.0, 1.5):
        long, named = stretch_frames(frames, names, length)
        assert len(long) == len(named) == int(9 * length) + 1 and np.all(np.diff(long[:, 0]) > 0)
        assert np.allclose(long[:, 0], np.arange(len(long)) / length, atol=1e-4)
        assert np.abs(named - long[:, 0]).max() <= 0.5 + 1e-4


def test_noises_are_as_loud_as_speech_is_to_the_network_and_four_in_ten_are_white() -> None:
    pytest.importorskip("kaldi_native_fbank", reason="makes features as Vosk does, which only `make model` installs")
    from speech.recognisers.own.features import mfcc
    from speech.recognisers.preparing import LEVEL
    from speech.training.model.corpora.surroundings import white
    from speech.training.model.noise_frames import KINDS, noise_frames

    frames = noise_frames(3, rounds=1)
    hiss = np.random.default_rng(4).normal(0.0, LEVEL, 3 * RATE).astype(np.float32)
    wanted = mfcc(hiss).mean(axis=0)
    each = np.array_split(frames, len(KINDS))
    alike = [bool(np.abs(one.mean(axis=0) - wanted).max() < 2.0) for one in each]
    assert frames.shape[1] == DIMENSIONS and alike == [kind is white for kind in KINDS] and sum(alike) == 4


def test_the_weights_that_are_kept_follow_those_that_learn() -> None:
    torch = pytest.importorskip("torch", reason="learns with PyTorch, which only `make model` installs")
    from speech.training.model.learning import follow, running_mean

    net = torch.nn.Sequential(torch.nn.Conv1d(2, 3, 1), torch.nn.BatchNorm1d(3))
    mean = running_mean(net)
    before = net[0].weight.detach().clone()
    net.train()
    for _ in range(3):
        with torch.no_grad():
            net[0].weight += 1.0
        net(torch.zeros(4, 2, 5))
        follow(mean, net, 0.5)
    # 1, 2 and 3 more than at first, the last counting most.
    assert torch.allclose(mean[0].weight - before, torch.full_like(before, 0.5 * 3 + 0.25 * 2 + 0.125))
    assert int(mean[1].num_batches_tracked) == 3 and not mean.training


def test_a_network_that_is_widened_and_given_more_outputs_says_what_it_said() -> None:
    torch = pytest.importorskip("torch", reason="learns with PyTorch, which only `make model` installs")
    from speech.recognisers.own.inventory import read_outputs
    from speech.recognisers.own.model import OUTPUTS, shipped_model
    from speech.training.model.learning import fresh_network
    from speech.training.model.starting import layers_of, match_outputs, start_from, widen_layers

    folder = shipped_model()
    assert folder is not None
    old, new = read_outputs(folder / OUTPUTS), inventory(load_all())
    layers = layers_of(folder)
    width = len(layers["tdnn1"][0])
    looks = torch.from_numpy(np.random.default_rng(2).normal(0.0, 1.0, (8, DIMENSIONS, 200)).astype(np.float32))
    mean, spread = np.zeros(DIMENSIONS), np.ones(DIMENSIONS)
    said = []
    for given, wide in (
        (match_outputs(layers, old, new), width),
        (widen_layers(match_outputs(layers, old, new), width + 32, 5), width + 32),
    ):
        net = fresh_network(new, Recipe(width=wide))
        start_from(net, given, mean, spread, looks)
        net.eval()
        with torch.no_grad():
            said.append(net(looks))
    assert torch.allclose(said[0], said[1], atol=1e-3) and float(said[0].abs().mean()) > 0.5
    # Nothing looks at the new units yet, but what could do so learns from them.
    net(looks).square().mean().backward()
    assert float(net[4].weight.grad[:, width:].abs().max()) > 0.0
    units_anywhere = sum(not token for _, token in new.outputs)
    number = new.number("S", "de:piece.knight")
    assert said[0].shape[1] == units_anywhere + len(new.outputs) and number < len(new.outputs)


def test_letters_are_drawn_more_often_than_games_have_them() -> None:
    chance, lexicon = random.Random(8), load_all()
    words = [item.token for _ in range(2000) for item in draw_sentence(chance, lexicon)]
    letters, files_ = (sum(word.startswith(f"de:{kind}.") for word in words) for kind in ("letter", "file"))
    assert 0.45 * files_ < letters < 1.2 * files_


def test_a_network_is_read_back_as_it_was_written() -> None:
    chance = np.random.default_rng(2)
    layers = [
        Affine("tdnn1", (INPUT,), chance.normal(size=(3, 6)).astype(np.float32), np.ones(3, np.float32), (-1, 0, 1)),
        Rectified("relu1", "tdnn1", 3),
        Affine("anywhere", ("relu1",), chance.normal(size=(5, 3)).astype(np.float32), np.zeros(5, np.float32)),
    ]
    data = acoustic_model(transition_model(range(5)), network(2, layers), np.zeros(0, np.float32))
    found = affine_layers(data)
    assert list(found) == ["tdnn1", "anywhere"]
    for layer in layers:
        if isinstance(layer, Affine):
            weights, bias = found[layer.name].read(data)
            assert np.array_equal(weights, layer.weights) and np.array_equal(bias, layer.bias)


def test_the_mean_of_several_ends_lies_between_them_and_only_models_of_one_size_have_one() -> None:
    def end(width: int, weight: float) -> bytes:
        weights = np.full((width, 6), weight, np.float32)
        layers = [Affine("tdnn1", (INPUT,), weights, np.full(width, -weight, np.float32), (-1, 0, 1))]
        return acoustic_model(transition_model(range(width)), network(2, layers), np.zeros(0, np.float32))

    weights, bias = affine_layers(end(3, 1.0))["tdnn1"].read(mean_of([end(3, 1.0), end(3, 2.0), end(3, 6.0)]))
    assert np.allclose(weights, 3.0) and np.allclose(bias, -3.0)
    assert mean_of([end(3, 2.0)] * 3) == end(3, 2.0)
    with pytest.raises(ValueError, match="different sizes"):
        mean_of([end(3, 1.0), end(4, 1.0)])


def test_the_folder_of_a_mean_names_every_voice_and_no_family_that_one_of_the_ends_met(tmp_path: Path) -> None:
    def end(name: str, width: int, *, left_out: str | None, outputs: str = "[]") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        layer = Affine("tdnn1", (INPUT,), np.ones((width, 6), np.float32), np.ones(width, np.float32), (-1, 0, 1))
        data = acoustic_model(transition_model(range(width)), network(2, [layer]), np.zeros(0, np.float32))
        (folder / NETWORK).write_bytes(data)
        (folder / OUTPUTS).write_text(outputs, "utf-8")
        told = {"voices": [{"speaker": "all"}, {"speaker": name}], "left_out": left_out, "sha256": {}}
        (folder / MANIFEST).write_text(json.dumps(told), "utf-8")
        return folder

    ends = [end("a", 3, left_out="flite"), end("b", 3, left_out="flite"), end("c", 3, left_out=None)]
    for some, left_out in ((ends[:2], "flite"), (ends, None)):
        write_mean(some, tmp_path / "mean")
        told = json.loads((tmp_path / "mean" / MANIFEST).read_text("utf-8"))
        assert [voice["speaker"] for voice in told["voices"]] == ["all", *(folder.name for folder in some)]
        assert told["left_out"] == left_out and len(told["mean_of_sha256"]) == len(some)
        assert told["sha256"] == hashes_of(tmp_path / "mean") and set(told["sha256"]) == {NETWORK, OUTPUTS}
    for other, why in (
        (end("wide", 4, left_out=None), "sizes"),
        (end("else", 3, left_out=None, outputs="[1]"), "words"),
    ):
        with pytest.raises(Complaint, match=why):
            write_mean([ends[0], other], tmp_path / "none")
        assert not (tmp_path / "none").exists()


def test_a_corpus_is_read_as_it_was_written(tmp_path: Path) -> None:
    writer = CorpusWriter(tmp_path / "some")
    sounds = [np.sin(np.arange(800 * (1 + turn)) / 9).astype(np.float32) * 0.5 for turn in range(2)]
    for turn, samples in enumerate(sounds):
        writer.add(f"speaker {turn}", samples, RATE, [Sounded("a", "de:file.a", 0.0, 0.05)])
    writer.close()
    for (line, samples), sound in zip(utterances(tmp_path / "some"), sounds, strict=True):
        assert line.sounded == (Sounded("a", "de:file.a", 0.0, 0.05),)
        assert np.abs(samples - sound).max() < 1e-3


def test_espeak_says_what_was_asked_and_tells_where(tmp_path: Path) -> None:
    speak_corpus(tmp_path / "espeak", 25, 9)
    found = list(islice(utterances(tmp_path / "espeak"), 30))
    assert len(found) == 25 and len({line.speaker for line, _ in found}) > 8
    for line, samples in found:
        length = len(samples) / RATE
        for one, two in zip(line.sounded, line.sounded[1:], strict=False):
            assert 0 <= one.start <= one.end <= two.start + 1e-6 <= length + 0.01
        spoken = samples[int(line.sounded[0].start * RATE) : int(line.sounded[-1].end * RATE)]
        # The sound is where the phones are.
        assert float((spoken**2).sum()) > 0.9 * float((samples**2).sum())


def test_the_languages_that_read_in_training_neither_tune_nor_are_measured() -> None:
    others = {*hall_readers.RESPELLED, *(reader.language for reader in READING)}
    assert len(others) > 10 and not others & set(RESPELLED)


def test_a_reader_says_every_word_by_the_way_of_the_lexicon_that_is_nearest() -> None:
    espeak, lexicon = Espeak(), load_all()
    for language in RESPELLED:
        said = said_by(espeak, language)
        assert set(said) == set(MOVE_WORDS)
        assert all(way in lexicon[f"de:{word}"] for word, (_, way) in said.items())
    assert said_by(espeak, "sv")["rank.6"][1] == ("s", "E", "k", "s")
    assert nearest(("t", "v", "aI"), [("t", "s", "v", "o"), ("t", "s", "v", "aI")]) == ("t", "s", "v", "aI")
