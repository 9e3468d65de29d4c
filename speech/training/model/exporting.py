"""A trained network turned into the files of a Vosk model.

Batch norms are folded away, and both kinds of outputs are weighed together.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import torch
from torch import nn

from speech.recognisers.own.inventory import Inventory, write_outputs
from speech.recognisers.own.kaldi.network import INPUT, Affine, Layer, LogSoftmax, Rectified, acoustic_model, network
from speech.recognisers.own.kaldi.transitions import transition_model
from speech.recognisers.own.model import NETWORK, OUTPUTS
from speech.recognisers.own.recipe import DIMENSIONS, LAYERS

Matrix = np.ndarray


class Weighing(msgspec.Struct, frozen=True):
    """Decoder's settings, chosen on voices that neither train nor measure.

    `words`: the weight of the words' own outputs, the rest is of the phones anywhere. `prior`: how much of the log
    prior is taken off.
    """

    words: float = 0.5
    prior: float = 0.6


def layers(
    net: nn.Sequential, mean: Matrix, spread: Matrix, weighing: Weighing, known: Inventory, counts: Matrix
) -> list[Layer]:
    """Return the network's layers for Kaldi.

    `mean`, `spread`: what it was trained to take off its input. `counts`: how often each output stood in the training
    labels.
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


def write_model(
    folder: Path,
    net: nn.Sequential,
    normal: tuple[Matrix, Matrix],
    known: Inventory,
    counts: Matrix,
    weighing: Weighing,
) -> None:
    """Write the network and the list of its outputs; words and grammars are added when it is used."""
    net.eval()
    folder.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        net_bytes = network(DIMENSIONS, layers(net, *normal, weighing, known, counts))
    transitions = transition_model(range(len(known.outputs)))
    (folder / NETWORK).write_bytes(acoustic_model(transitions, net_bytes, np.zeros(0, np.float32)))
    write_outputs(folder / OUTPUTS, known)


WEIGHING = Weighing()
"""The shipped model is written with these settings."""
