"""What the model learns from people: which takes, where their words stand, and which part of talk is speech."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from speech.complaint import Complaint
from speech.recognisers.lexicon import TALK, load_all
from speech.training.common.people import TRAINING
from speech.training.common.people_speech import Take, recordings_folder
from speech.training.model.corpora import people
from speech.training.model.corpora.corpus import RATE, CorpusWriter, Sounded, utterances


def _tone(seconds: float, pitch: float) -> np.ndarray:
    return (0.2 * np.sin(2 * np.pi * pitch * np.arange(int(seconds * RATE)) / RATE)).astype(np.float32)


def test_low_german_and_hungarian_letters_are_german_ones_and_other_words_are_talk() -> None:
    def take(language: str, word: str | None) -> Take:
        return Take("one.flac", language, "", "somebody", word)

    assert people.token_of(take("nds", "letter.b")) == "de:letter.b" and people.token_of(take("de", None)) == ""
    assert (
        people.token_of(take("hu", "letter.e")) == "de:letter.e"
        and people.token_of(take("hu", "rank.2")) == "hu:rank.2"
    )
    assert people.token_of(take("ar", "cmd.yes")) == "ar:cmd.yes" and "ar:cmd.yes" in load_all()


def test_a_persons_rank_stands_where_the_voice_said_its_own_and_the_rest_stays(tmp_path: Path) -> None:
    voice = CorpusWriter(tmp_path / "voice")
    said = np.concatenate([_tone(0.5, 300), _tone(0.4, 500)])
    voice.add("voice", said, RATE, [Sounded("a", "de:file.a", 0.0, 0.5), Sounded("f", "de:rank.4", 0.5, 0.9)])
    voice.close()
    own = _tone(0.3, 2000)
    takes = [
        people.AlignedTake(
            "p", "de:rank.4", own, (Sounded("f", "de:rank.4", 0.0, 0.1), Sounded("i", "de:rank.4", 0.1, 0.3))
        )
    ]
    people.spliced_corpus(tmp_path / "people", [tmp_path / "voice"], takes, ("de:rank",), 6, 4)
    for line, samples in utterances(tmp_path / "people"):
        assert line.speaker == "voice with p" and [one.token for one in line.sounded] == [
            "de:file.a",
            *["de:rank.4"] * 2,
        ]
        first, last = line.sounded[1].start, line.sounded[2].end
        assert last - first == pytest.approx(0.3, abs=0.01)

        def pitch(start: float, end: float, sound: np.ndarray = samples) -> float:
            piece = sound[int(start * RATE) : int(end * RATE)]
            return float(np.abs(np.fft.rfft(piece)).argmax()) * RATE / len(piece)

        assert pitch(0.05, 0.45) == pytest.approx(300, abs=20) and pitch(first + 0.02, last - 0.02) == pytest.approx(
            2000, abs=40
        )
        # No click where two pieces meet.
        assert float(np.abs(np.diff(samples)).max()) < 0.45


def test_talk_is_labelled_where_somebody_speaks_and_not_in_the_pauses() -> None:
    sound = np.concatenate(
        [np.zeros(RATE // 2, np.float32), _tone(0.5, 200), np.zeros(RATE // 2, np.float32), _tone(0.2, 300)]
    )
    found = people.stretches_of_speech(sound)
    assert {one.phone for one in found} == {TALK} and len(found) == 2
    assert (found[0].start, found[0].end) == pytest.approx((0.5, 1.0), abs=0.02)
    assert (found[1].start, found[1].end) == pytest.approx((1.5, 1.7), abs=0.02)


@pytest.mark.skipif(
    not recordings_folder().is_dir(), reason="The recordings of people (shared/data/human) are not there."
)
def test_only_people_who_train_are_in_their_talk(tmp_path: Path) -> None:
    people.talk_corpus(tmp_path / "talk", TRAINING[:7], 20, 3, talkers=())
    lines = [line for line, _ in utterances(tmp_path / "talk")]
    assert lines and {line.speaker for line in lines} <= set(TRAINING)
    assert all(one.phone == TALK and one.token == "" for line in lines for one in line.sounded)


def test_letters_of_other_languages_are_read_where_they_sound_german(tmp_path: Path) -> None:
    alpha = tmp_path / "klettres" / "cs" / "alpha"
    alpha.mkdir(parents=True)
    spoken = np.pad(np.sin(2 * np.pi * 300 * np.arange(22_050) / 44_100), 11_025)
    soundfile.write(alpha / "a-3.ogg", np.stack([spoken, spoken], axis=1), 44_100)
    (czech,) = (one for one in people.ALPHABETS if one.speaker == "klettres-cs")
    assert 0.45 < len(people.letter_of(czech, "d", tmp_path)) / RATE < 0.7
    with pytest.raises(Complaint, match=r"install what speech/training/own-model.md names"):
        people.letter_of(czech, "b", tmp_path)
    for alphabet in people.ALPHABETS:
        assert set(alphabet.files) <= set("abcdefgh") and len(set(alphabet.files.values())) == len(alphabet.files)


def test_talk_of_installed_programs_has_no_letters_or_digits_and_nothing_that_is_too_short(tmp_path: Path) -> None:
    (talker,) = (one for one in people.TALKERS if one.speaker == "asterisk-it-Menardi")
    base = tmp_path / talker.folder
    for name, seconds in (("vm-goodbye", 0.6), ("letters/a", 0.7), ("digits/1", 0.8), ("vm-and", 0.1)):
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(base / f"{name}.wav", _tone(seconds, 250), RATE)
    (said,) = people.talk_of(talker, tmp_path)
    assert 0.5 < len(said) / RATE < 0.7
    with pytest.raises(Complaint, match=r"install what speech/training/own-model.md names"):
        people.talk_of(talker, base)


def test_nobody_of_an_installed_program_speaks_a_language_of_those_who_tune_or_are_measured() -> None:
    """Who recorded them is not known by name, so the same person must not be possible."""
    every = people.licences()
    for group in (people.ALPHABETS, people.TALKERS):
        assert len({one.speaker for one in group}) == len(group)
        assert all(every[one.speaker] == one.licence for one in group), "one licence, whatever is taken of a speaker"
    assert all("Debian's" in licence for licence in every.values())
    languages = {speaker.split("-")[1].split("_")[0] for speaker in every}
    assert {"cs", "it", "pt", "fr"} < languages and not languages & {"de", "nds", "hu", "he", "ar", "en"}, "in a list"
