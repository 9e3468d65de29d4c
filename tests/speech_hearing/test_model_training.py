"""What our own model learns from: its words, what the voices say, who speaks, and where each phone lies."""

from __future__ import annotations

import random
from importlib.resources import files
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from speech.complaint import Complaint
from speech.grammar import announcement_grammar
from speech.language import WORD_IDS
from speech.recognisers.own.inventory import inventory
from speech.recognisers.own.lexicon import LANGUAGES, load_all, load_lexicon
from speech.recognisers.own.phones import PHONES, UNITS, units
from speech.training.model.contents import NOTHING, announcement, pseudo_word, sentence
from speech.training.model.corpus import RATE, CorpusWriter, Sounded, utterances
from speech.training.model.espeak_corpus import HELD_OUT as HELD_OUT_VARIANTS
from speech.training.model.espeak_corpus import VARIANTS, speak_corpus
from speech.training.model.espeak_phones import of_espeak
from speech.training.model.festival_voices import FLITE, TUNING, VOICES
from speech.training.model.plan import HELD_OUT, TRAINING
from speech.training.planned_utterances import RESERVED

RESERVED_HUMAN = {"slt", "rms", "lp", "mv"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_every_language_has_its_sounds(language: str) -> None:
    assert set(load_lexicon(language)) == set(WORD_IDS)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"rank.3" = ["d r aI"]', '"rank.9" = ["d r aI"]', "phones.rank.9"),
        ('"rank.3" = ["d r aI"]', '"rank.3" = ["d r ai"]', "phones.rank.3"),
        ('"rank.3" = ["d r aI"]', '"rank.3" = []', "phones.rank.3"),
        ('"rank.3" = ["d r aI"]', '"rank.3" = 3', "phones"),
        ("[phones]", "[phones", "TOML"),
    ],
)
def test_a_wrong_lexicon_is_one_sentence(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = files("config").joinpath("lexicon", "de.toml").read_text("utf-8")
    assert old in text
    (tmp_path / "lexicon").mkdir()
    (tmp_path / "lexicon" / "de.toml").write_text(text.replace(old, new), "utf-8")
    with pytest.raises(Complaint, match="config/lexicon/de") as wrong:
        load_lexicon("de", tmp_path)
    assert told in str(wrong.value) and "\n" not in str(wrong.value)


def test_phones_units_and_mnemonics() -> None:
    assert len(set(PHONES)) == len(PHONES) and UNITS[0] == "sil"
    assert set(units(PHONES)) == set(UNITS[1:])
    assert of_espeak("'UR") == ("U", "6") and of_espeak("_:") == () and of_espeak("nothing") is None
    assert of_espeak(",tS") == ("t", "S")


def test_words_of_the_game_have_outputs_of_their_own_and_languages_share_what_sounds_alike() -> None:
    known = inventory(load_all())
    assert known.outputs[: len(UNITS)] == tuple((unit, "") for unit in UNITS)
    own = known.number("aI1", "de:rank.2")
    assert known.outputs[own] == ("aI1", "de:rank.2") and own != known.number("aI1", "de:rank.3")
    assert known.anywhere()[own] == known.number("aI1", NOTHING) == known.number("aI1", "de:cmd.time")
    assert known.number("l", "en:file.b") == known.number("l", "de:file.b")
    assert known.number("k", "en:rank.6") == known.number("k", NOTHING)


def test_announcements_are_well_formed_and_sentences_are_words_of_the_lexicon() -> None:
    chance, lexicon, grammar = random.Random(4), load_all(), announcement_grammar(("file", "nato", "letter"))
    for _ in range(300):
        assert grammar.accepts(announcement(chance, chance.choice(["file", "nato", "letter"])))
    said = [item for _ in range(400) for item in sentence(chance, lexicon)]
    assert all(item.phones in lexicon[item.token] for item in said if item.token != NOTHING)
    # Nothing is drawn that is never learned: strange words, and every language.
    assert {item.token.split(":")[0] for item in said} == {NOTHING, *LANGUAGES}
    for word in (pseudo_word(chance) for _ in range(200)):
        assert word and set(word) <= set(PHONES)


def test_no_voice_that_is_reserved_for_measuring_trains_or_tunes() -> None:
    assert not RESERVED & {*VARIANTS, *HELD_OUT_VARIANTS} and not set(VARIANTS) & set(HELD_OUT_VARIANTS)
    speakers = {voice.speaker for voice in (*VOICES, FLITE, TUNING)}
    assert not RESERVED_HUMAN & speakers and not any("slt" in voice.name for voice in VOICES)
    assert not {part.name for part in TRAINING} & {part.name for part in HELD_OUT}
    assert TUNING.speaker not in {part.name for part in TRAINING}
    for voice in (*VOICES, FLITE, TUNING):
        assert set(voice.phones) == set(PHONES), voice.name


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
