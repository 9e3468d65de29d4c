"""How several ears are put together can be fitted anew: on lists made up from a seed, without sound."""

from __future__ import annotations

import itertools
import random
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from speech.hearing_settings import load_hearing
from speech.recognisers.recogniser import Hypotheses, Hypothesis, WordHeard
from speech.training.fitting_together import fitted, in_turn, main, numbered, outcome, told, truth_of
from speech.training.hall_hearing import Heard, order
from speech.training.hall_human_voices import READERS, human_plan
from speech.training.hall_plan import LANGUAGES, HallUtterance, hall_plan, scheme_of
from speech.training.model.espeak_corpus import HELD_OUT
from speech.training.planned_utterances import RESERVED, drawn_announcement
from speech.training.writing_hearing import hearing_file
from speech.understanding import understand

SPEAKERS = ("m4", "f3", "linda")


def listed(chance: random.Random, engine: str, said: tuple[str, ...], others: list[tuple[str, ...]]) -> Hypotheses:
    """An engine that is right the likelier the further its best leads; sphinx is the worse one."""
    lead = chance.uniform(0.0, 25.0)
    right = bool(said) and chance.random() < min(0.995, 0.45 + lead / (60 if engine == "sphinx" else 25))
    first, rest = (said, others) if right else (others[0], [said, *others[1:]] if said else others[1:])
    chains = [(first, 0.0), *((one, -lead - 3.0 * place) for place, one in enumerate(rest))]
    ranked = tuple(Hypothesis(tuple(WordHeard(word, 0.5) for word in ids), score) for ids, score in chains)
    fit = chance.gauss(0.5 if said else -2.5, 0.6)
    names = ("worst", "shortest", "garbage", "frames", "least")
    return Hypotheses(engine, ranked, dict.fromkeys(names, 1.0) | {"fit": fit, "agreeing": float(right), "words": 3.0})


def made_up(count: int = 160) -> list[Heard]:
    chance = random.Random(6)
    found: list[Heard] = []
    for turn in range(count):
        words = drawn_announcement(chance, "file") if turn % 5 else ()
        for again in (None, len(found)) if words else (None,):
            kind = "announcement" if words else "free"
            said = HallUtterance(kind, words, "d21", "de", f"de+{SPEAKERS[turn % 3]}", "clean", again=again)
            others = [drawn_announcement(chance, "file") for _ in range(3)]
            heard = {engine: listed(chance, engine, words, others) for engine in ("sphinx", "own")}
            found.append(Heard(len(found), said, heard))
    return found


def test_both_together_are_surer_than_each_alone_and_right_where_they_are_sure(tmp_path: Path) -> None:
    heard = made_up()
    curves = fitted(heard)
    sure: dict[str, tuple[int, int]] = {}
    for names in (("sphinx",), ("own",), ("sphinx", "own")):
        taken = [found for one in heard if (found := outcome(one, names, curves)[0]).right > 0.9]
        sure["+".join(names)] = len(taken), sum(not one.true for one in taken)
    assert sure["sphinx+own"][0] > max(sure["sphinx"][0], sure["own"][0])
    assert sure["sphinx+own"][1] <= 0.1 * sure["sphinx+own"][0]
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


def test_both_are_asked_only_where_the_first_is_in_doubt_and_the_table_says_what_that_costs() -> None:
    heard, settings = made_up(60), load_hearing()
    curves = fitted(heard)
    once = {
        "+".join(names): [outcome(one, names, curves)[0] for one in heard] for names in (("own",), ("sphinx", "own"))
    }
    outcomes = {key: (found, []) for key, found in once.items()}
    alone = settings.second_opinion.alone["own"]
    own, both = ({one.number: one for one in once[key]} for key in ("own", "sphinx+own"))
    found = {one.number: one for one in in_turn(outcomes, settings)}
    assert found.keys() == both.keys()
    for number, one in found.items():
        first = own[number]
        sure = first.right >= alone and first.heard.kind == "move" and first.for_us >= settings.thresholds.for_us
        assert one.heard == (first if sure else both[number]).heard and (one.right == 1.0 or not sure)
    table = told(outcomes, heard, settings)
    assert "in turn, by what a player's seconds are worth" in table and table.count("(in force)") == 3


def test_numbers_of_several_files_do_not_meet(tmp_path: Path) -> None:
    heard = made_up(10)
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"\n".join(msgspec.json.encode(one) for one in heard))
    both = numbered([tmp_path / "a", tmp_path / "b"])
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
