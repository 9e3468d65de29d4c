"""The start of a training from a model that is there.

`final.mdl` is read back, and its folded batch norms are unfolded.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from speech.complaint import Complaint
from speech.recognisers.lexicon import SILENCE
from speech.recognisers.own.inventory import Inventory
from speech.recognisers.own.kaldi.network import affine_layers
from speech.recognisers.own.model import NETWORK
from speech.recognisers.own.recipe import LAYERS

Matrix = np.ndarray


def layers_of(folder: Path) -> dict[str, tuple[Matrix, Matrix]]:
    """Return, by name, weights (out, in) and bias of every affine layer of a model that we wrote.

    Raises Complaint.
    """
    data = (folder / NETWORK).read_bytes()
    found = {name: placed.read(data) for name, placed in affine_layers(data).items()}
    if not {"anywhere", "words", *(f"tdnn{place + 1}" for place in range(len(LAYERS)))} <= found.keys():
        raise Complaint(f"The model in {folder} is none of ours: it lacks layers that ours have.")
    return found


def match_outputs(
    layers: dict[str, tuple[Matrix, Matrix]], old: Inventory, new: Inventory
) -> dict[str, tuple[Matrix, Matrix]]:
    """Return the layers with the outputs of another inventory.

    What the old one lacks begins as its unit anywhere, and a unit that it lacks as silence.
    """

    def place(unit: str, token: str) -> int:
        return old.numbers.get((unit, token), old.numbers.get((unit, ""), old.numbers[SILENCE, ""]))

    wanted = [place(unit, token) for unit, token in new.outputs]
    anywhere = [one for one, (_, token) in zip(wanted, new.outputs, strict=True) if not token]
    return layers | {
        "anywhere": (layers["anywhere"][0][anywhere], layers["anywhere"][1][anywhere]),
        "words": (layers["words"][0][wanted], layers["words"][1][wanted]),
    }


def widen_layers(layers: dict[str, tuple[Matrix, Matrix]], width: int, seed: int) -> dict[str, tuple[Matrix, Matrix]]:
    """Return the layers with more units in each hidden layer, that say the same.

    The new units look at the layer below by chance, and nothing looks at them yet. What looks at them learns from what
    they see, so they need no weight to begin with: weights of a tenth of the mean, as these were until 24 November
    2026, cost the widened network four to six of a hundred frames of what it knew (speech/training/notebook.md).
    """
    chance = np.random.default_rng(seed)
    found = dict(layers)
    for place, offsets in enumerate(LAYERS):
        weights, bias = found[f"tdnn{place + 1}"]
        count = len(weights)
        blocks = weights.reshape(count, len(offsets), -1)
        if place > 0:
            unseen = np.zeros((count, len(offsets), width - blocks.shape[2]), np.float32)
            blocks = np.concatenate([blocks, unseen], axis=2)
        fresh = blocks.std() * chance.standard_normal((width - count, *blocks.shape[1:]))
        blocks = np.concatenate([blocks, fresh.astype(np.float32)])
        found[f"tdnn{place + 1}"] = (
            blocks.reshape(width, -1),
            np.concatenate([bias, np.zeros(width - count, np.float32)]),
        )
    for name in ("anywhere", "words"):
        weights, bias = found[name]
        found[name] = (
            np.concatenate([weights, np.zeros((len(weights), width - weights.shape[1]), np.float32)], 1),
            bias,
        )
    return found


def start_from(
    net: nn.Sequential, layers: dict[str, tuple[Matrix, Matrix]], mean: Matrix, spread: Matrix, looks: torch.Tensor
) -> None:
    """Give a fresh network the layers of a model.

    `looks`: normalised features (count, 40, frames) of the training, from which the batch norms get what they need to
    change nothing. Raises Complaint where the widths differ.
    """
    convolutions = [module for module in net if isinstance(module, nn.Conv1d)]
    norms = [module for module in net if isinstance(module, nn.BatchNorm1d)]
    wanted = {f"tdnn{place + 1}": one for place, one in enumerate(convolutions[:-1])}
    if any(layers[name][0].shape[0] != one.out_channels for name, one in wanted.items()):
        raise Complaint("The model to start from has layers of another width.")
    now = looks
    with torch.no_grad():
        for place, (convolution, norm, offsets) in enumerate(zip(convolutions, norms, LAYERS, strict=False)):
            weights, bias = layers[f"tdnn{place + 1}"]
            shaped = weights.reshape(len(weights), len(offsets), -1).transpose(0, 2, 1).astype(np.float64)
            shift = bias.astype(np.float64)
            if place == 0:
                shift = shift + (shaped * mean[None, :, None]).sum(axis=(1, 2))
                shaped = shaped * spread[None, :, None]
            convolution.weight.copy_(torch.from_numpy(shaped.astype(np.float32)))
            now = convolution(now)
            average, deviation = now.mean(dim=(0, 2)), now.var(dim=(0, 2), unbiased=False)
            assert norm.running_mean is not None and norm.running_var is not None
            norm.running_mean.copy_(average)
            norm.running_var.copy_(deviation)
            norm.weight.copy_((deviation + norm.eps).sqrt())
            norm.bias.copy_(average + torch.from_numpy(shift.astype(np.float32)))
            now = torch.relu(now + torch.from_numpy(shift.astype(np.float32))[None, :, None])
        last = convolutions[-1]
        assert last.bias is not None
        both: Sequence[tuple[Matrix, Matrix]] = (layers["anywhere"], layers["words"])
        last.weight.copy_(torch.from_numpy(np.concatenate([weights for weights, _ in both]))[:, :, None])
        last.bias.copy_(torch.from_numpy(np.concatenate([bias for _, bias in both])))
