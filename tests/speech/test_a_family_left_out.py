"""A family that is left out of a training is heard in no corpus, no curve and no count of what is misheard."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from speech.complaint import Complaint
from speech.recognisers.own.model import shipped_model
from speech.recognisers.recogniser import Hypotheses, Hypothesis, WordHeard
from speech.training.common.people_speech import recordings_folder
from speech.training.curves.confusions import of_the_hall
from speech.training.curves.fit_together import family_of as family_of_heard
from speech.training.curves.hall_hearing import HeardByEngines, Sizes, families_of, join_plans, planned_sounds, without
from speech.training.curves.hall_human_voices import human_letters, human_plan
from speech.training.curves.hall_people import people_plan
from speech.training.curves.hall_plan import hall_plan
from speech.training.curves.hall_readers import readers_plan
from speech.training.model.corpora.corpus import RATE, CorpusWriter, Sounded, utterances
from speech.training.model.corpora.espeak import HELD_OUT as HELD_OUT_VARIANTS
from speech.training.model.corpora.espeak_speech import Espeak
from speech.training.model.corpora.plan import FAMILIES, PARTS, RANKS, TAKES, Plan, family_of
from speech.training.model.making import MANIFEST, make_corpus, make_features, refuse_the_left_out, refuse_who_met

HUMAN = recordings_folder()
needs_people = pytest.mark.skipif(not HUMAN.is_dir(), reason=f"The recordings of people are not there: {HUMAN}")
SPOKEN_AS = {"espeak": "espeak de+f1", "espeak-tuning": "espeak de+m4", "espeak-readers": "espeak sv+f1 reads"}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder in which every voice says "Anna zwei" once and a person says "zwei"."""
    chance = np.random.default_rng(3)
    said = (
        Sounded("a", "de:file.a", 0.1, 0.3),
        Sounded("t", "de:rank.2", 0.4, 0.5),
        Sounded("v", "de:rank.2", 0.5, 0.6),
    )
    for name in (*(one for one in PARTS if not one.startswith("people")), TAKES):
        writer = CorpusWriter(tmp_path / "corpus" / name)
        speaker = "hd00" if name == TAKES else SPOKEN_AS.get(name, name)
        sound = chance.normal(0.0, 0.05, RATE).astype(np.float32)
        writer.add(speaker, sound, RATE, said[1:] if name == TAKES else said)
        writer.close()
    return tmp_path


@pytest.mark.parametrize("family", FAMILIES)
def test_a_plan_without_a_family_has_all_other_voices_and_all_people(family: str) -> None:
    left = Plan(family).parts
    assert set(PARTS) - set(left) == set(FAMILIES[family]) and len(FAMILIES[family]) > 0
    assert Plan().parts == PARTS and Plan(family, 0.5).parts[RANKS].count == PARTS[RANKS].count // 2


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_that_is_left_out_does_not_speak_beside_people_either(work: Path, family: str) -> None:
    stem = work / "corpus" / RANKS
    make_corpus(work, RANKS, Plan(size=0.04))
    assert family in {family_of(line.speaker) for line, _ in utterances(stem)}
    with pytest.raises(Complaint, match="to be left out"):
        make_features(work, RANKS, Plan(family))
    make_corpus(work, RANKS, Plan(family, size=0.04))
    speaking = {family_of(line.speaker) for line, _ in utterances(stem)}
    assert speaking == set(FAMILIES) - {family}
    refuse_the_left_out(stem, family)
    with pytest.raises(Complaint, match=f"spoken by {family}"):
        make_corpus(work, FAMILIES[family][0], Plan(family))


def test_a_training_goes_on_only_from_a_model_that_never_met_the_family(tmp_path: Path) -> None:
    shipped = shipped_model()
    assert shipped is not None
    for family in FAMILIES:
        with pytest.raises(Complaint, match=f"may have met {family}"):
            refuse_who_met(shipped, family)
    (tmp_path / MANIFEST).write_text(json.dumps({"left_out": "flite"}), "utf-8")
    refuse_who_met(tmp_path, "flite")
    with pytest.raises(Complaint, match="may have met Pico"):
        refuse_who_met(tmp_path, "Pico")
    refuse_who_met(shipped, "")


@needs_people
@pytest.mark.parametrize("family", FAMILIES)
def test_neither_curves_nor_confusions_hear_the_family(family: str) -> None:
    plans = [hall_plan(12, 3, HELD_OUT_VARIANTS), human_plan(1, 3), human_letters(1, 3), people_plan(HUMAN, 6, 3)]
    every = join_plans([*plans, readers_plan(1, 3)])
    left = without(every, family)
    assert {name for one in every for name in families_of(one)} == {*FAMILIES, "people"}
    assert {name for one in left for name in families_of(one)} == {*FAMILIES, "people"} - {family}
    for one in left:
        assert one.again is None or left[one.again].words == one.words
    heard = [
        HeardByEngines(
            number,
            said,
            {"own": Hypotheses("own", (Hypothesis(tuple(WordHeard(one, 1.0) for one in said.words), 0.0),))},
        )
        for number, said in enumerate(left)
    ]
    assert family not in {family_of_heard(one) for one in heard}
    counted = {one.speaker for one in of_the_hall(heard, ["own"])}
    theirs = {one.speaker for one in every if family in families_of(one)} - {one.speaker for one in left}
    assert counted and theirs and not counted & theirs


@needs_people
def test_espeak_left_out_says_nothing_in_the_hall_not_even_as_babble(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoken(*_asked: object, **_how: object) -> None:
        raise AssertionError("eSpeak NG speaks")

    monkeypatch.setattr(Espeak, "speak", spoken)
    plan, sounds = planned_sounds(Sizes(size=12, human=0, people=4, readers=1), 5, HUMAN, "eSpeak NG")
    assert all("eSpeak NG" not in families_of(one) for one in plan)
    assert any(one.kind == "announcement" for one in plan) and all(sounds)
