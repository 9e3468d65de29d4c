"""The hall of the curves: people and readers who tune, none who is measured."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from speech.announcements.understand import understand
from speech.hearing.settings import load_hearing
from speech.training.common.people import MEASURING, TRAINING, TUNING
from speech.training.common.people_speech import recordings_folder, takes
from speech.training.common.planned_utterances import RESERVED
from speech.training.curves import hall_hearing
from speech.training.curves.fit_together import UtteranceOutcome, strangers_line
from speech.training.curves.hall_hearing import join_plans
from speech.training.curves.hall_people import DIGITS, LETTERS, PAIR, PUPILS, people_plan, people_sounds, squares_plan
from speech.training.curves.hall_plan import LANGUAGES, HallUtterance, hall_plan, scheme_of
from speech.training.curves.hall_readers import RESPELLED, readers_plan, readers_sounds
from speech.training.model.corpora.espeak import HELD_OUT
from tests.bench.listening.unknown_voices.readers import READING

HUMAN = recordings_folder()
needs_people = pytest.mark.skipif(not HUMAN.is_dir(), reason=f"The recordings of people are not there: {HUMAN}")


@needs_people
def test_only_people_who_tune_speak_in_the_hall() -> None:
    plan = people_plan(HUMAN, 48, 3)
    speakers = {one.speaker for one in plan} - {PAIR} | {DIGITS, LETTERS}
    assert speakers <= set(TUNING) and not speakers & {*TRAINING, *MEASURING}
    assert speakers >= {DIGITS, LETTERS, "gc-Makni Bassem", "gc-he-other", "arcmd-00000011"}
    of = {take.file: take.speaker for take in takes(HUMAN, TUNING)}
    assert all(of[file] in TUNING for one in plan for file in one.text)
    assert all(one.strange for one in plan)
    assert people_plan(HUMAN, 48, 3) == plan != people_plan(HUMAN, 48, 4)


def test_squares_are_spelled_by_who_tunes_and_for_whisper_alone_by_who_taught_our_network() -> None:
    """Nobody who is measured is among them, and no ear is fitted on somebody whom it learnt from."""
    plan = squares_plan(32, 3)
    people = {name for one in plan for name in one.speaker.split(" and ")}
    pupils = {name for both in PUPILS for name in both.split(" and ")}
    assert not people & set(MEASURING) and people - pupils <= set(TUNING) and pupils <= set(TRAINING)
    for one in plan:
        assert understand(one.words).kind == "move" and len(one.words) == 2
        assert hall_hearing.taught("own", one) is (one.speaker in PUPILS)
        assert not hall_hearing.taught("whisper", one)
    assert {one.speaker for one in plan} == {PAIR, *PUPILS}


def test_a_smaller_hall_keeps_people_and_commands_whole() -> None:
    plan = [*hall_plan(60, 3, HELD_OUT), *squares_plan(8, 3)]
    kept = hall_hearing.order(plan, 4)
    whole = [place for place, one in enumerate(plan) if one.kind == "command" or one.voice.startswith("person+")]
    assert set(whole) <= set(kept) and len(kept) < len(plan) / 2
    assert all(plan[place].again in (None, *kept) for place in kept)


@needs_people
def test_what_people_say_in_the_hall_is_announcement_command_or_nothing_for_us() -> None:
    plan = people_plan(HUMAN, 48, 3)
    kinds = {"announcement": "move", "command": "command", "free": "none"}
    for place, one in enumerate(plan):
        scheme_of(one.scheme, one.language)
        assert understand(one.words).kind == kinds[one.kind] and one.language in LANGUAGES
        if one.again is not None:
            assert one.again == place - 1 and plan[one.again].words == one.words
    two = [one for one in plan if sum(word.startswith("rank.") for word in one.words) == 2]
    assert {one.scheme for one in two} == {"d21", "national"}
    assert {one.scheme for one in plan if any(word.startswith("letter.") for word in one.words)} == {"letters", "d21"}
    assert {len(one.text) for one in plan if one.kind == "free"} == {1, 2, 3}


@needs_people
def test_talk_heard_in_its_own_language_holds_no_word_of_it() -> None:
    known = {take.file: take for take in takes(HUMAN, TUNING)}
    home = [one for one in people_plan(HUMAN, 48, 3) if one.kind == "free" and one.language != "de"]
    assert len(home) > 20
    for one in home:
        ours = {form for word in scheme_of("national", one.language).words for form in _forms(one, word)}
        assert not {known[file].words.casefold() for file in one.text} & ours


def _forms(one: HallUtterance, word: str) -> set[str]:
    return {form.casefold() for form in scheme_of("national", one.language).forms_spoken(word)}


@needs_people
def test_people_sound_in_the_hall() -> None:
    plan = people_plan(HUMAN, 4, 3)
    some = [plan[0], plan[8], next(one for one in plan if one.kind == "command"), plan[-1]]
    for sound in people_sounds(HUMAN, some, 3):
        assert sound is not None and 0.7 < len(sound) / 16_000 < 12 and 0.05 < abs(sound).max() <= 0.9


def test_readers_are_of_languages_that_are_not_measured_in_this_manner() -> None:
    plan = readers_plan(4, 3)
    assert not set(RESPELLED) & {reader.language for reader in READING}
    variants = {one.voice.rpartition("+")[2] for one in plan}
    assert variants == set(HELD_OUT) and not variants & RESERVED
    assert {one.speaker for one in plan} == {f"{language} reading" for language in RESPELLED}
    assert all(len(one.text) == len(one.words) for one in plan)
    assert all(sound is not None and len(sound) > 8_000 for sound in readers_sounds(plan[:: len(plan) // 6]))


def test_what_is_said_again_is_so_in_joined_plans() -> None:
    first, second = hall_plan(20, 3, HELD_OUT), readers_plan(2, 3)
    both = join_plans([first, second])
    assert len(both) == len(first) + len(second)
    assert all(both[one.again].words == one.words for one in both if one.again is not None)


def test_without_recordings_the_hall_goes_on_without_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[hall_hearing.Sizes] = []

    async def run(sizes: hall_hearing.Sizes, *_: object) -> int:
        asked.append(sizes)
        return 0

    monkeypatch.setattr(hall_hearing, "_run", run)
    given = ["--out", str(tmp_path / "heard.jsonl"), "--recordings", str(tmp_path)]
    done = CliRunner().invoke(hall_hearing.main, given)
    assert done.exit_code == 0 and "goes on without people" in done.output and asked[0].people == 0


def test_what_strangers_talk_and_commands_come_to_is_counted() -> None:
    move, yes = understand(("file.e", "rank.4")), understand(("cmd.yes",))
    once = [
        UtteranceOutcome(0, "free", 0.999, 1.0, move, False, True),
        UtteranceOutcome(1, "free", 0.8, 1.0, move, False, True),
        UtteranceOutcome(2, "free", 0.1, 1.0, move, False, True),
        UtteranceOutcome(3, "command", 0.999, 1.0, yes, True, True),
        UtteranceOutcome(4, "command", 0.999, 1.0, yes, False, True),
        UtteranceOutcome(5, "command", 0.2, 1.0, yes, True, True),
        UtteranceOutcome(6, "announcement", 0.999, 1.0, move, True, True),
    ]
    assert strangers_line(once, load_hearing().thresholds) == (
        "  of 3 times talk 1 accepted, 1 read back; of 3 commands 1 obeyed rightly, 1 wrongly"
    )
