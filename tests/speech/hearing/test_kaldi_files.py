"""The files of a Kaldi model: written as Vosk reads them, and meaning what was meant."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path

import numpy as np
import pytest

from speech.complaint import Complaint
from speech.recognisers.own.kaldi.binary import integers, matrix, vector
from speech.recognisers.own.kaldi.folder import Search, write_folder
from speech.recognisers.own.kaldi.fst import Fst, State, by_input, by_output, fst_bytes, read_fst
from speech.recognisers.own.kaldi.grammar_graph import SILENT_COST, grammar_graph
from speech.recognisers.own.kaldi.lexicon_graph import lexicon_graph
from speech.recognisers.own.kaldi.network import INPUT, Affine, LogSoftmax, Rectified, acoustic_model, network
from speech.recognisers.own.kaldi.transitions import onward, stay, transition_model
from speech.words.grammar import Grammar, announcement_grammar
from tests.speech.hearing.random_vosk_model import FEATURES, any_words, final_mdl

RATE = 16_000


def test_numbers_are_written_as_kaldi_reads_them() -> None:
    assert integers((1, -1)) == b"\x04" + struct.pack("<iii", 2, 1, -1)
    assert vector(np.array([0.5], np.float32)) == b"FV \x04" + struct.pack("<if", 1, 0.5)
    square = np.array([[1, 2], [3, 4]], np.float32)
    assert matrix(square) == b"FM \x04" + struct.pack("<i", 2) + b"\x04" + struct.pack("<i4f", 2, 1, 2, 3, 4)


def test_a_graph_is_read_back_as_it_was_written() -> None:
    graph = Fst()
    graph.state(1.5)
    end = graph.state(0.0)
    graph.arc(0, end, input=2, output=1, cost=0.25)
    graph.arc(0, end, input=1, output=2)
    found = read_fst(fst_bytes(graph.states, by_input))
    assert [state.final for state in found] == [1.5, 0.0]
    assert [(arc.input, arc.output, arc.cost, arc.target) for arc in found[0].arcs] == [(1, 2, 0.0, 1), (2, 1, 0.25, 1)]
    assert [arc.output for arc in read_fst(fst_bytes(graph.states, by_output))[0].arcs] == [1, 2]


@pytest.mark.parametrize("length", [0, 20, 70, 75])
def test_a_graph_cut_short_is_one_sentence(length: int) -> None:
    graph = Fst()
    graph.state(0.0)
    graph.arc(0, 0, input=1)
    with pytest.raises(Complaint):
        read_fst(fst_bytes(graph.states, by_input)[:length])
    with pytest.raises(Complaint):
        read_fst(b"x" * 100)


def accepted(states: list[State], words: list[int]) -> bool:
    """Whether the graph has this chain of labels from its start to an end."""
    here = {0}
    for word in words:
        here = {arc.target for state in here for arc in states[state].arcs if arc.input == arc.output == word}
    return any(states[state].final < math.inf for state in here)


def numbers_of(grammar: Grammar) -> dict[str, int]:
    return {word: place for place, word in enumerate(grammar.words(), 1)}


def test_the_graph_says_what_the_grammar_says() -> None:
    grammar = announcement_grammar()
    numbers = numbers_of(grammar)
    states = read_fst(grammar_graph(grammar, numbers, 99, garbage_cost=1.0))
    for text in (
        "piece.knight file.f rank.3",
        "piece.pawn file.e rank.8 piece.queen word.check",
        "file.e rank.2 file.e rank.4",
        "castle.long",
        "cmd.resign",
    ):
        words = text.split()
        assert grammar.accepts(words) and accepted(states, [numbers[word] for word in words])
        assert not accepted(states, [numbers[word] for word in reversed(words)]) or len(words) == 1
        assert not accepted(states, [numbers[word] for word in [*words, "piece.king"]])
    assert not accepted(states, [numbers["piece.knight"], numbers["file.f"]])
    # Nothing at all, at a cost; and words that are none of ours, as many as there are.
    assert states[0].final == SILENT_COST
    assert accepted(states, [99, 99, 99]) and not accepted(states, [99, numbers["castle.long"]])


def test_a_word_that_the_model_lacks_cannot_be_said_and_a_rare_one_costs() -> None:
    grammar = announcement_grammar()
    numbers = numbers_of(grammar)
    takes = numbers.pop("word.takes")
    states = read_fst(grammar_graph(grammar, numbers, 99, garbage_cost=1.0, weights={"castle.long": 0.1}))
    assert not any(arc.input == takes for state in states for arc in state.arcs)
    costs = {arc.input: arc.cost for arc in states[0].arcs}
    assert costs[numbers["castle.long"]] == pytest.approx(-math.log(0.1), abs=1e-6)
    assert costs[numbers["castle.short"]] == 0.0


def test_a_second_square_costs_and_a_first_does_not() -> None:
    grammar = announcement_grammar(("file", "letter"))
    numbers = numbers_of(grammar)

    def costs(departure_cost: float) -> list[float]:
        states = read_fst(grammar_graph(grammar, numbers, 99, garbage_cost=1.0, departure_cost=departure_cost))
        found: list[float] = []
        for text in (
            "letter.a rank.4",
            "piece.king word.takes letter.a rank.4",
            "letter.a rank.8 letter.a rank.4",
            "word.from letter.a rank.8 word.to file.a rank.4",
        ):
            here, cost = 0, 0.0
            for word in text.split():
                arc = next(one for one in states[here].arcs if one.input == numbers[word])
                here, cost = arc.target, cost + arc.cost
            found.append(cost)
        return found

    assert costs(0.0) == [0.0] * 4
    assert costs(3.0) == [0.0, 0.0, 3.0, 3.0]


def test_every_word_of_the_lexicon_comes_back_to_where_any_word_may_follow() -> None:
    states = read_fst(lexicon_graph({1: [(2, 3), (3,)], 2: [(4,)]}, 1, 3, (2, 3), 0.5))
    words = {arc.output for state in states for arc in state.arcs}
    assert words == {0, 1, 2, 3}
    loop = next(place for place, state in enumerate(states) if state.final == 0.0)
    for arc in states[loop].arcs:
        # The phone begins with its way on, then it may stay; nothing is a dead end.
        assert arc.input % 2 == 0 and any(one.input == arc.input - 1 for one in states[arc.target].arcs)
    seen, todo = {0}, [0]
    while todo:
        for arc in states[todo.pop()].arcs:
            if arc.target not in seen:
                seen.add(arc.target)
                todo.append(arc.target)
    assert len(seen) == len(states)
    assert (stay(1), onward(1)) == (1, 2)


LOUD, FAINT = "loud", "faint"


def loudness_model(folder: Path, grammar: bytes, numbers: dict[str, int]) -> Path:
    """A model that hears one thing: whether the sound is loud. Phone 1 is silence, 2 is loud, 3 is faint."""
    seen = np.zeros((2, 3 * FEATURES), np.float32)
    seen[0, [0, FEATURES, 2 * FEATURES]] = 1 / 3  # the first coefficient, at each of the three offsets
    seen[1] = -seen[0]
    joined = np.array([[0, 0], [1, 0], [0, 1]], np.float32)
    layers = (
        Affine("mean", (INPUT,), seen, np.array([-60.0, 60.0], np.float32), (-3, 0, 3)),
        Rectified("positive", "mean", 2),
        Affine("joined", ("positive",), joined, np.array([-20, 0, 0], np.float32)),
        LogSoftmax("softmax", "joined", 3),
    )
    model = acoustic_model(transition_model(range(3)), network(FEATURES, layers), np.zeros(0, np.float32))
    lexicon = lexicon_graph({numbers[LOUD]: [(2,)], numbers[FAINT]: [(3,)]}, 1, 0, (), 0.0)
    write_folder(folder, acoustics=model, lexicon=lexicon, grammar=grammar, words=numbers, search=Search(), silence=1)
    return folder


def noise(*levels: float) -> bytes:
    """0.6 s of hiss at each level (rms, 16 bit)."""
    chance = np.random.default_rng(2)
    return np.concatenate([chance.normal(0, level, RATE * 6 // 10) for level in levels]).astype("<i2").tobytes()


def heard(folder: Path, pcm: bytes) -> list[str]:
    import vosk

    vosk.SetLogLevel(-1)
    recogniser = vosk.KaldiRecognizer(vosk.Model(model_path=str(folder)), RATE)
    recogniser.AcceptWaveform(pcm)
    words: list[str] = json.loads(recogniser.FinalResult())["text"].split()
    return words


@pytest.mark.needs("vosk")
def test_vosk_computes_what_the_layers_say(tmp_path: Path) -> None:
    numbers = {LOUD: 1, FAINT: 2}
    folder = loudness_model(tmp_path / "model", any_words([1, 2]), numbers)
    for levels in ((4000.0, 2.0), (2.0, 4000.0), (4000.0, 2.0, 4000.0)):
        told = heard(folder, noise(*levels))
        # The same word may be heard several times over: it is one phone.
        once = [word for place, word in enumerate(told) if place == 0 or word != told[place - 1]]
        assert once == [LOUD if level > 100 else FAINT for level in levels]


@pytest.mark.needs("vosk")
def test_vosk_keeps_to_the_grammar_whatever_it_hears(tmp_path: Path) -> None:
    numbers = {LOUD: 1, FAINT: 2}
    graph = Fst()
    graph.state()
    graph.state()
    graph.state(0.0)
    graph.arc(0, 1, input=1, output=1)
    graph.arc(1, 2, input=2, output=2)
    folder = loudness_model(tmp_path / "model", fst_bytes(graph.states, by_input), numbers)
    assert heard(folder, noise(2.0, 4000.0, 2.0, 4000.0)) == [LOUD, FAINT]


def test_a_random_network_has_the_parts_that_kaldi_looks_for() -> None:
    model = final_mdl(5, np.random.default_rng(1))
    assert model.startswith(b"\0B<TransitionModel> <Topology> ")
    parts = (b"</TransitionModel>", b"<Nnet3>", b"</Nnet3>", b"<LeftContext>", b"<RightContext>", b"<Priors>")
    assert [model.count(part) for part in parts] == [1] * len(parts)
    assert sorted(parts, key=model.index) == list(parts)
