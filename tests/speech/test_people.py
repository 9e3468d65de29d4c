"""The people who train, tune and measure are different people, and everybody who was recorded has a place."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from speech.complaint import Complaint
from speech.training.common.people import MEASURING, TRAINING, TUNING
from speech.training.common.people_speech import INDEX, by_word, recordings_folder, takes, word_of
from speech.training.model import corpora
from speech.training.model.corpora.plan import SPEAKERS, TAKEN_FROM
from speech.training.model.corpora.plan import TRAINING as TRAINS
from tests.bench.listening.unknown_voices import people as measured

HUMAN = recordings_folder()
needs_people = pytest.mark.skipif(not HUMAN.is_dir(), reason=f"The recordings of people are not there: {HUMAN}")


def test_nobody_stands_in_two_lists() -> None:
    twice = [name for name, count in Counter((*TRAINING, *TUNING, *MEASURING)).items() if count > 1]
    assert twice == []


@needs_people
def test_everybody_who_was_recorded_has_a_place() -> None:
    lines = (HUMAN / INDEX).read_text("utf-8").splitlines()
    speakers = {line.split("\t")[3] for line in lines[1:]}
    assert speakers == {*TRAINING, *TUNING, *MEASURING}


def test_the_bench_measures_only_people_who_measure() -> None:
    plan = [*measured.two_ranks_plan(), *measured.letters_plan()]
    people = {one.speaker for one in plan} | {*measured.COUNTERS, measured.SPELLER, measured.TALKER, *measured.ARABS}
    assert people <= set(MEASURING)
    assert len(measured.two_ranks_plan()) == 160 and len(measured.letters_plan()) == 64
    assert {one.variant for one in plan} - {""} <= {"f5", "m7", "klatt2", "Storm"}


def test_what_trains_the_network_is_by_people_who_train() -> None:
    for part in TRAINS:
        if part.name.startswith("people"):
            assert set(SPEAKERS[TAKEN_FROM.get(part.name, part.name)]) <= set(TRAINING), part.name
    (folder,) = corpora.__path__
    for file in Path(folder).parent.rglob("*.py"):
        text = file.read_text("utf-8")
        named = [name for name in (*TUNING, *MEASURING) if f'"{name}"' in text]
        assert named == [] and "MEASURING" not in text, f"{file} names {named}"


@needs_people
def test_takes_are_those_of_the_asked_people_and_know_our_words() -> None:
    found = takes(HUMAN, ("hd06", "gc-Martin Herweg"))
    assert {take.speaker for take in found} == {"hd06", "gc-Martin Herweg"}
    words = by_word(found)
    assert {f"rank.{number}" for number in range(1, 9)} | {f"letter.{file}" for file in "abcdefgh"} <= set(words)
    assert all((HUMAN / take.file).is_file() for take in found)


@pytest.mark.parametrize(
    ("language", "words", "word"),
    [
        ("de", "fünf", "rank.5"),
        ("de", "null", "digit.0"),
        ("de", "Cäsar (by the table, not listened to)", "spelling.c"),
        ("de", "k", None),
        ("nds", "e", "letter.e"),
        ("en_GB", "e", None),
        ("hu", "é", "letter.e"),
        ("hu", "e", None),
        ("hu", "c", "letter.c"),
        ("ar", "نعم", "cmd.yes"),
        ("ar", "لا", "cmd.no"),
        ("ar", "قف", "cmd.stop"),
        ("ar", "ثمانية", "rank.8"),
        ("de", "(words:eight)", None),
    ],
)
def test_words_of_the_index_are_word_ids_where_they_are_ours(language: str, words: str, word: str | None) -> None:
    assert word_of(language, words) == word


@needs_people
def test_somebody_who_was_not_recorded_is_one_sentence() -> None:
    with pytest.raises(Complaint, match="has nothing by nobody"):
        takes(HUMAN, ("nobody",))


def test_a_folder_without_an_index_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Complaint, match="are not there"):
        takes(tmp_path, ("hd06",))
