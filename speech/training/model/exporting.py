"""A trained network -> the files of a Vosk model: batch norms folded away, both kinds of outputs weighed together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np
import torch
from torch import nn

from speech.grammar import announcement_grammar
from speech.kaldi.folder import Search, write_folder
from speech.kaldi.grammar_graph import grammar_graph
from speech.kaldi.lexicon_graph import lexicon_graph
from speech.kaldi.network import INPUT, Affine, Layer, LogSoftmax, Rectified, acoustic_model, network
from speech.kaldi.transitions import transition_model
from speech.training.model.features import DIMENSIONS
from speech.training.model.inventory import Inventory
from speech.training.model.learning import LAYERS
from speech.training.model.lexicon import GARBAGE, Way, token
from speech.training.model.phones import SILENCE, units

Matrix = np.ndarray


class Weighing(msgspec.Struct, frozen=True):
    """Settings of the decoder, chosen on voices that neither train nor measure.

    `words`: the weight of the words' own outputs, the rest is of the phones anywhere. `prior`: how much of the log
    prior is taken off. `penalty`: what a phone of a strange word costs; `garbage`: what a strange word costs.
    """

    words: float = 0.5
    prior: float = 0.6
    penalty: float = 1.0
    garbage: float = 1.0
    search: Search = Search()


def layers(
    net: nn.Sequential, mean: Matrix, spread: Matrix, weighing: Weighing, known: Inventory, counts: Matrix
) -> list[Layer]:
    """The network's layers for Kaldi. `mean`, `spread`: what it was trained to take off its input.

    `counts`: how often each output stood in the training labels.
    """
    found: list[Layer] = []
    below = INPUT
    modules = list(net)
    convolutions = [module for module in modules if isinstance(module, nn.Conv1d)]
    norms = [module for module in modules if isinstance(module, nn.BatchNorm1d)]
    for place, (convolution, norm, offsets) in enumerate(zip(convolutions, norms, LAYERS, strict=False)):
        weights = convolution.weight.detach().numpy().astype(np.float64)  # out, in, offset
        assert norm.running_var is not None and norm.running_mean is not None
        scale = norm.weight.detach().numpy() / np.sqrt(norm.running_var.numpy() + norm.eps)
        bias = norm.bias.detach().numpy() - scale * norm.running_mean.numpy()
        weights = weights * scale[:, None, None]
        if place == 0:
            weights = weights / spread[None, :, None]
            bias = bias - (weights * mean[None, :, None]).sum(axis=(1, 2))
        name = f"tdnn{place + 1}"
        flat = weights.transpose(0, 2, 1).reshape(len(weights), -1)
        found.append(Affine(name, (below,), flat.astype(np.float32), bias.astype(np.float32), offsets))
        found.append(Rectified(f"relu{place + 1}", name, len(weights)))
        below = f"relu{place + 1}"
    last = convolutions[-1]
    assert last.bias is not None
    weights, bias = last.weight.detach().numpy()[:, :, 0], last.bias.detach().numpy()
    split = len(weights) - len(known.outputs)
    for name, part in (("anywhere", slice(0, split)), ("words", slice(split, None))):
        found.append(Affine(name, (below,), weights[part], bias[part]))
        found.append(LogSoftmax(f"{name}.log", name, len(bias[part])))
    anywhere = np.array(known.anywhere())
    shares = np.zeros(split)
    np.add.at(shares, anywhere, counts)
    prior = (
        weighing.words * np.log(counts / counts.sum()) + (1 - weighing.words) * np.log(shares / shares.sum())[anywhere]
    )
    joint = np.zeros((len(known.outputs), split + len(known.outputs)), np.float32)
    joint[np.arange(len(anywhere)), anywhere] = 1 - weighing.words
    joint[np.arange(len(anywhere)), split + np.arange(len(anywhere))] = weighing.words
    bias = (-weighing.prior * prior).astype(np.float32)
    found.append(Affine("joint", ("anywhere.log", "words.log"), joint, bias))
    return found


def numbered(lexicon: Mapping[str, tuple[Way, ...]]) -> dict[str, int]:
    """The model's words: tokens and the garbage word, from 1."""
    return {word: place for place, word in enumerate((*sorted(lexicon), GARBAGE), 1)}


def write_model(
    folder: Path,
    net: nn.Sequential,
    normal: tuple[Matrix, Matrix],
    known: Inventory,
    lexicon: Mapping[str, tuple[Way, ...]],
    counts: Matrix,
    weighing: Weighing,
) -> None:
    """The whole model folder, with the German grammar of D.2.1 as the one it holds."""
    net.eval()
    words = numbered(lexicon)
    graph_words = {
        words[name]: [[known.number(unit, name) + 1 for unit in units(way)] for way in ways]
        for name, ways in lexicon.items()
    }
    silence = known.number(SILENCE, "") + 1
    noises = [place + 1 for place, (unit, name) in enumerate(known.outputs) if not name and unit != SILENCE]
    german = announcement_grammar(("file", "nato"))
    numbers = {word: words[token("de", word)] for word in german.words() if token("de", word) in words}
    with torch.no_grad():
        net_bytes = network(DIMENSIONS, layers(net, *normal, weighing, known, counts))
    write_folder(
        folder,
        acoustics=acoustic_model(transition_model(range(len(known.outputs))), net_bytes, np.zeros(0, np.float32)),
        lexicon=lexicon_graph(graph_words, silence, words[GARBAGE], noises, weighing.penalty),
        grammar=grammar_graph(german, numbers, words[GARBAGE], garbage_cost=weighing.garbage),
        words=words,
        search=weighing.search,
        silence=silence,
    )
