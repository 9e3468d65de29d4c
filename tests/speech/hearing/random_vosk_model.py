"""A Vosk model with random weights: small, quick, loaded by Vosk like any other, and deaf.

The letters of a word are its phones, the network is one affine layer over one frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from speech.recognisers.own.kaldi.folder import Search, conf, model_conf, write_folder
from speech.recognisers.own.kaldi.fst import Fst, by_input, fst_bytes
from speech.recognisers.own.kaldi.lexicon_graph import lexicon_graph
from speech.recognisers.own.kaldi.network import INPUT, Affine, LogSoftmax, acoustic_model, network
from speech.recognisers.own.kaldi.transitions import transition_model

FEATURES = 40
SILENCE = 1
MODEL_CONF = conf(model_conf(Search(), SILENCE))


def final_mdl(phones: int, chance: np.random.Generator) -> bytes:
    """Transition model and network of phones 1..`phones`."""
    weights = chance.normal(0.0, 0.05, (phones, FEATURES)).astype(np.float32)
    bias = chance.normal(0.0, 0.1, phones).astype(np.float32)
    layers = (Affine("affine", (INPUT,), weights, bias), LogSoftmax("softmax", "affine", phones))
    priors = np.full(phones, 1.0 / phones, np.float32)
    return acoustic_model(transition_model(range(phones)), network(FEATURES, layers), priors)


def any_words(numbers: Sequence[int]) -> bytes:
    """Any word after any other; nothing at all is possible too."""
    graph = Fst()
    graph.state(2.0)
    for number in numbers:
        graph.arc(0, 0, input=number, output=number, cost=1.0)
    return fst_bytes(graph.states, by_input)


def write_random_model(folder: Path, words: Sequence[str], *, seed: int = 1) -> Path:
    """Write a model of these words (small letters) into a new folder and return it."""
    letters = sorted({letter for word in words for letter in word})
    phones = {letter: number for number, letter in enumerate(letters, 2)}
    numbers = {word: number for number, word in enumerate(words, 1)}
    write_folder(
        folder,
        acoustics=final_mdl(len(letters) + 1, np.random.default_rng(seed)),
        lexicon=lexicon_graph(
            {number: [[phones[letter] for letter in word]] for word, number in numbers.items()}, SILENCE, 0, (), 0.0
        ),
        grammar=any_words(list(numbers.values())),
        words=numbers,
        search=Search(),
        silence=SILENCE,
    )
    return folder
