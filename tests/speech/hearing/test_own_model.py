"""Our own small model: its strict grammars, and its several hearings of one utterance."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from speech.complaint import Complaint
from speech.recognisers.lexicon import UNITS, load_all
from speech.recognisers.own.inventory import inventory, of_outputs, read_outputs, write_outputs
from speech.recognisers.own.kaldi.fst import read_fst
from speech.recognisers.own.model import load_own_settings, strict_model
from speech.recognisers.own.recogniser import together
from speech.recognisers.vocabulary import vocabulary_of
from speech.words.scheme import Scheme


def test_the_mean_of_the_hearings_decides() -> None:
    one, two = ("castle.long",), ("castle.short",)
    found = together([{one: 10.0, two: 9.0}, {two: 12.0, one: 8.0}, {two: 10.0}], 100)
    assert [hypothesis.ids for hypothesis in found.ranked] == [two, one]
    assert found.ranked[0].score == pytest.approx(31 / 3)
    # A chain that a hearing did not name stands 3 below the worst that it did.
    assert found.ranked[1].score == pytest.approx(25 / 3)
    assert found.evidence["agreeing"] == pytest.approx(2 / 3)
    assert (found.evidence["words"], found.evidence["frames"], found.evidence["garbage"]) == (1.0, 100.0, 60.0)
    assert 0.0 < found.ranked[1].words[0].confidence < 0.5 < found.ranked[0].words[0].confidence < 1.0


@pytest.mark.parametrize("best", [("?",), ("?", "?"), ()])
def test_where_no_word_of_ours_is_best_nothing_was_heard(best: tuple[str, ...]) -> None:
    found = together([{best: 10.0, ("castle.long",): 4.0}], 100)
    assert found.ranked == () and found.evidence["words"] == 0.0
    assert together([], 0).ranked == ()


def test_what_is_nearly_no_word_of_ours_says_so() -> None:
    found = together([{("castle.long",): 10.0, ("?",): 8.5}], 100)
    assert found.evidence["garbage"] == pytest.approx(1.5)
    assert [hypothesis.ids for hypothesis in found.ranked] == [("castle.long",)]


def test_a_model_for_a_vocabulary_has_its_words_and_no_others(german: Scheme) -> None:
    vocabulary = vocabulary_of(german)
    known = inventory(load_all())
    found = strict_model(vocabulary, known, load_own_settings())
    assert found.missing == () and found.ids["de:file.a"] == "file.a" and found.words[-1] == "[unk]"
    assert set(found.ids.values()) == set(vocabulary.grammar.words())
    numbers = set(range(1, len(found.words) + 1))
    assert {arc.input for state in read_fst(found.grammar) for arc in state.arcs} == numbers
    graph = read_fst(found.lexicon)
    assert {arc.output for state in graph for arc in state.arcs} == {0, *numbers}
    # No transition id is beyond the phones of the network.
    assert max(arc.input for state in graph for arc in state.arcs) <= 2 * len(known.outputs)


def test_a_word_without_outputs_of_its_own_can_be_heard_all_the_same(german: Scheme) -> None:
    plain = of_outputs((unit, "") for unit in UNITS)
    found = strict_model(vocabulary_of(german), plain, load_own_settings())
    assert found.missing == ()
    assert max(arc.input for state in read_fst(found.lexicon) for arc in state.arcs) <= 2 * len(UNITS)


def test_outputs_are_kept_with_the_model(tmp_path: Path) -> None:
    known = inventory(load_all())
    write_outputs(tmp_path / "outputs.json", known)
    assert read_outputs(tmp_path / "outputs.json") == known
    for text in ("", "[]", '[["a", ""]]', "[1]"):
        (tmp_path / "outputs.json").write_text(text)
        with pytest.raises(Complaint, match=r"outputs\.json"):
            read_outputs(tmp_path / "outputs.json")
    with pytest.raises(Complaint):
        read_outputs(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"word.check" = 0.03', '"word.chess" = 0.03', 'weights."word.chess"'),
        ('"word.check" = 0.03', '"word.check" = 3', 'weights."word.check"'),
        ("alternatives = 12", "alternatives = 0", "alternatives"),
        ("alternatives = 12", "", "alternatives"),
        ("speeds = [", "speeds = [9.0, ", "speeds"),
        ("speeds = [", "speeds = ", "TOML"),
    ],
)
def test_wrong_settings_are_one_sentence(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = files("config").joinpath("own_model.toml").read_text("utf-8")
    assert old in text
    (tmp_path / "own_model.toml").write_text(text.replace(old, new), "utf-8")
    with pytest.raises(Complaint, match=r"own_model\.toml") as wrong:
        load_own_settings(tmp_path)
    assert told in str(wrong.value) and "\n" not in str(wrong.value)
    with pytest.raises(Complaint, match="missing"):
        load_own_settings(tmp_path / "nowhere")
