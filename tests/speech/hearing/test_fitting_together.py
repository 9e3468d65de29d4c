"""How several ears are put together can be fitted anew: on lists made up from a seed, without sound."""

from __future__ import annotations

import itertools
import random
from importlib.resources import files
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from speech.announcements.understand import understand
from speech.hearing.settings import load_hearing
from speech.recognisers.recogniser import Hypotheses, Hypothesis, WordHeard
from speech.training.common.planned_utterances import MOVE_WORDS, RESERVED, drawn_announcement
from speech.training.curves.confusions import of_the_hall
from speech.training.curves.fit_together import (
    beside_lines,
    family_of,
    fit_hearing,
    main,
    number_apart,
    one_ear_first,
    outcome,
    sets_heard,
    table_of_outcomes,
    truth_of,
)
from speech.training.curves.hall_hearing import HeardByEngines, order
from speech.training.curves.hall_human_voices import LETTERS, OFTEN, READERS, human_letters, human_plan
from speech.training.curves.hall_plan import LANGUAGES, OVER_WHICH, HallUtterance, beside_plan, hall_plan, scheme_of
from speech.training.curves.hall_sound import beside_another, with_another
from speech.training.curves.write_hearing import hearing_file
from speech.training.model.corpora.espeak import HELD_OUT

SPEAKERS = ("m4", "f3", "linda")


def listed(chance: random.Random, engine: str, said: tuple[str, ...], others: list[tuple[str, ...]]) -> Hypotheses:
    """An engine that is right the likelier the further its best leads; whisper is the worse one."""
    lead = chance.uniform(0.0, 25.0)
    right = bool(said) and chance.random() < min(0.995, 0.45 + lead / (60 if engine == "whisper" else 25))
    first, rest = (said, others) if right else (others[0], [said, *others[1:]] if said else others[1:])
    chains = [(first, 0.0), *((one, -lead - 3.0 * place) for place, one in enumerate(rest))]
    ranked = tuple(Hypothesis(tuple(WordHeard(word, 0.5) for word in ids), score) for ids, score in chains)
    fit = chance.gauss(0.5 if said else -2.5, 0.6)
    names = ("worst", "shortest", "garbage", "frames", "least")
    return Hypotheses(engine, ranked, dict.fromkeys(names, 1.0) | {"fit": fit, "agreeing": float(right), "words": 3.0})


def made_up(count: int = 160) -> list[HeardByEngines]:
    chance = random.Random(6)
    found: list[HeardByEngines] = []
    for turn in range(count):
        words = drawn_announcement(chance, "file") if turn % 5 else ()
        for again in (None, len(found)) if words else (None,):
            kind = "announcement" if words else "free"
            said = HallUtterance(kind, words, "d21", "de", f"de+{SPEAKERS[turn % 3]}", "clean", again=again)
            others = [drawn_announcement(chance, "file") for _ in range(3)]
            heard = {engine: listed(chance, engine, words, others) for engine in ("whisper", "own")}
            found.append(HeardByEngines(len(found), said, heard))
    return found


def test_both_together_are_surer_than_each_alone_and_right_where_they_are_sure(tmp_path: Path) -> None:
    heard = made_up()
    curves = fit_hearing(heard)
    sure: dict[str, tuple[int, int]] = {}
    for names in (("whisper",), ("own",), ("own", "whisper")):
        taken = [found for one in heard if (found := outcome(one, names, curves)[0]).right > 0.9]
        sure["+".join(names)] = len(taken), sum(not one.true for one in taken)
    assert sure["own+whisper"][0] > max(sure["whisper"][0], sure["own"][0])
    assert sure["own+whisper"][1] <= 0.1 * sure["own+whisper"][0]
    # What is written is what is read, curve by curve.
    kept = tmp_path / "heard.jsonl"
    kept.write_bytes(b"\n".join(msgspec.json.encode(one) for one in heard) + b"\n")
    out = tmp_path / "hearing.toml"
    done = CliRunner().invoke(main, [str(kept), "--quick", "--out", str(out)])
    assert done.exit_code == 0, done.output
    read = load_hearing(tmp_path)
    assert read.together == curves.together and read.right["own"] == curves.right["own"]
    assert read.thresholds == load_hearing().thresholds
    assert hearing_file(read, heard, "") == out.read_text("utf-8")


def test_a_family_is_judged_by_the_curves_of_the_others_and_one_engine_may_have_listened_alone(tmp_path: Path) -> None:
    heard = [
        msgspec.structs.replace(
            one,
            said=msgspec.structs.replace(one.said, voice="human+dita") if one.said.voice.endswith("m4") else one.said,
            heard={"own": one.heard["own"]},
        )
        for one in made_up()
    ]
    assert {family_of(one) for one in heard} == {"festival", "eSpeak NG"} and sets_heard(heard) == [("own",)]
    kept = tmp_path / "heard.jsonl"
    kept.write_bytes(b"\n".join(msgspec.json.encode(one) for one in heard) + b"\n")
    done = CliRunner().invoke(main, [str(kept), "--families"])
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["own, eSpeak NG", "own, festival"]
    said = sum(bool(one.said.words) for one in heard if family_of(one) == "festival")
    assert lines[1].count(f"{said} announcements") == 2 and " | " in lines[1]
    # What the other engine is trusted with stays as it was.
    out = tmp_path / "hearing.toml"
    assert CliRunner().invoke(main, [str(kept), "--quick", "--out", str(out)]).exit_code == 0
    read, before = load_hearing(tmp_path), load_hearing()
    assert read.right["whisper"] == before.right["whisper"] and read.right["own"] != before.right["own"]
    assert read.together["own+whisper"] == before.together["own+whisper"]


def test_both_are_asked_only_where_the_first_is_in_doubt_and_the_table_says_what_that_costs() -> None:
    heard, settings = made_up(60), load_hearing()
    curves = fit_hearing(heard)
    once = {
        "+".join(names): [outcome(one, names, curves)[0] for one in heard] for names in (("own",), ("own", "whisper"))
    }
    outcomes = {key: (found, []) for key, found in once.items()}
    alone = settings.second_opinion.alone["own"]
    own, both = ({one.number: one for one in once[key]} for key in ("own", "own+whisper"))
    found = {one.number: one for one in one_ear_first(outcomes, settings)}
    assert found.keys() == both.keys()
    for number, one in found.items():
        first = own[number]
        sure = first.right >= alone and first.heard.kind == "move" and first.for_us >= settings.thresholds.for_us
        assert one.heard == (first if sure else both[number]).heard and (one.right == 1.0 or not sure)
    table = table_of_outcomes(outcomes, heard, settings)
    assert "in turn, by what a player's seconds are worth" in table and table.count("(in force)") == 3


def test_numbers_of_several_files_do_not_meet(tmp_path: Path) -> None:
    heard = made_up(10)
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"\n".join(msgspec.json.encode(one) for one in heard))
    both = number_apart([tmp_path / "a", tmp_path / "b"])
    assert len({one.number for one in both}) == 2 * len(heard)
    by_number = {one.number: one for one in both}
    assert all(truth_of(by_number[one.said.again]) == truth_of(one) for one in both if one.said.again is not None)


def test_the_plan_has_no_reserved_voice_and_all_languages() -> None:
    plan = [*hall_plan(60, 3, HELD_OUT), *human_plan(2, 3)]
    assert not RESERVED.intersection(one.speaker for one in plan)
    assert not {"slt", "rms"}.intersection(reader.name for reader in READERS)
    assert not {"lp_diphone", "hy_fi_mv_diphone"}.intersection(reader.festival for reader in READERS)
    assert {one.language for one in plan} == set(LANGUAGES)
    for kind in ("announcement", "command", "free"):
        assert {one.language for one in plan if one.kind == kind} == set(LANGUAGES)
    for one in plan:
        scheme_of(one.scheme, one.language)
        assert understand(one.words).kind == ("none" if one.kind in ("free", "noise") else understand(one.words).kind)
        if one.again is not None and one.voice and not one.voice.startswith("human"):
            assert plan[one.again].words == one.words and plan[one.again].voice == one.voice
    assert hall_plan(60, 3, HELD_OUT) == hall_plan(60, 3, HELD_OUT) != hall_plan(60, 4, HELD_OUT)


def test_two_voices_at_once_are_announcements_of_the_plan_with_another_speaker_under_them() -> None:
    plan = hall_plan(60, 3, HELD_OUT)
    twice = beside_plan(plan, 20, 3)
    assert len(twice) == 20 and twice == beside_plan(plan, 20, 3)
    for one in twice:
        assert one.beside is not None and one.surrounding in OVER_WHICH and 5.0 <= one.below_db <= 15.0
        ours, theirs = (plan[place] for place in one.beside)
        assert (ours.words, ours.voice, ours.again) == (one.words, one.voice, None) and theirs.speaker != one.speaker
    sounds: list[bytes | None] = [bytes([1, 2]) * 4_000] * len(plan)
    sounds[twice[0].beside[1] if twice[0].beside else 0] = None
    heard = beside_another(twice, sounds, 3)
    assert heard[0] is None and heard[1] is not None and len(heard[1]) >= 8_000


def test_the_other_table_is_so_many_decibels_softer_and_begins_later() -> None:
    ours, theirs = ((np.sin(np.arange(16_000) * step) * 3000).astype("<i2") for step in (0.3, 0.01))
    mixed = np.frombuffer(with_another(ours.tobytes(), theirs.tobytes(), 12.0, 0.25), "<i2").astype(float)
    assert len(mixed) == 20_000 and np.array_equal(mixed[:4_000], ours[:4_000])
    tail = np.sqrt((mixed[16_000:] ** 2).mean() / (ours.astype(float) ** 2).mean())
    assert 20 * np.log10(tail) == pytest.approx(-12.0, abs=0.3)


def test_human_voices_say_letters_where_they_can_say_them_apart() -> None:
    letters = human_letters(2, 5)
    speakers = {one.speaker for one in letters}
    assert speakers == {reader.name for reader in READERS if reader.letters} and "pc" not in speakers
    assert sum(one.speaker in OFTEN for one in letters) == 16 and len(letters) == 16 + 2 * (len(speakers) - 2)
    for one in letters:
        assert set(one.words) <= {*MOVE_WORDS, *LETTERS} and one.scheme == "letters"
    for reader in READERS:
        assert set(reader.spellings()) == ({*MOVE_WORDS, *LETTERS} if reader.letters else set(MOVE_WORDS))


def test_what_another_table_does_is_told_apart_and_is_no_confusion_of_words() -> None:
    heard = made_up(60)
    curves = fit_hearing(heard)
    under = [
        msgspec.structs.replace(one, said=msgspec.structs.replace(one.said, beside=(0, 1), below_db=6.0), number=n)
        for n, one in enumerate(heard)
        if one.said.words and one.said.again is None
    ]
    outcomes = [outcome(one, ("own",), curves)[0] for one in under]
    assert {one.kind for one in outcomes} == {"beside"}
    (line,) = beside_lines(outcomes, load_hearing().thresholds)
    taken = [one for one in outcomes if one.right >= 0.9 and one.heard.kind == "move" and one.for_us >= 0.1]
    wrong = sum(not one.true for one in taken)
    assert f"from 0.9 right {(len(taken) - wrong) / len(under):.3f}, wrong {wrong / len(under):.4f}" in line
    assert beside_lines([], load_hearing().thresholds) == []
    assert of_the_hall(under, ("own",)) == [] and len(of_the_hall(heard, ("own",))) > 0


def test_what_the_slow_engine_was_not_given_counts_for_the_other_alone() -> None:
    heard = made_up(60)
    more = [
        msgspec.structs.replace(one, heard={"own": one.heard["own"]}, number=1000 + n)
        for n, one in enumerate(made_up(90)[60:])
        if one.said.again is None
    ]
    few, all_ = fit_hearing(heard), fit_hearing([*heard, *more])
    assert all_.right["whisper"] == few.right["whisper"] and all_.right["own"] != few.right["own"]
    assert all_.together["whisper"] == few.together["whisper"]
    assert len(of_the_hall([*heard, *more], ("own", "whisper"))) == len(of_the_hall(heard, ("own",)))


def test_any_beginning_of_the_order_is_a_fair_sample() -> None:
    plan = hall_plan(60, 3, HELD_OUT)
    places = order(plan)
    assert sorted(places) == list(range(len(plan)))
    assert len({plan[place].language for place in places[:60]}) == len(LANGUAGES)
    for before, after in itertools.pairwise(places):
        assert plan[after].again in (None, before)


@pytest.mark.parametrize("broken", ["{", '{"number": 1}'])
def test_a_file_that_is_none_is_one_sentence(tmp_path: Path, broken: str) -> None:
    file = tmp_path / "heard.jsonl"
    file.write_text(broken, "utf-8")
    done = CliRunner().invoke(main, [str(file)])
    assert done.exit_code == 1 and "Traceback" not in done.output and len(done.output.splitlines()) == 1


def test_the_settings_in_force_are_never_overwritten(tmp_path: Path) -> None:
    path = Path(str(files("config").joinpath("hearing.toml")))
    before = path.read_bytes()
    (tmp_path / "heard.jsonl").write_text("", "utf-8")
    done = CliRunner().invoke(main, [str(tmp_path / "heard.jsonl"), "--out", str(path)])
    assert done.exit_code == 1 and "not overwritten" in done.output
    assert path.read_bytes() == before
