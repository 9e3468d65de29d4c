"""This module starts a training from a model that is there.

`final.mdl` is read back, and its folded batch norms are unfolded.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from speech.complaint import Complaint
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
