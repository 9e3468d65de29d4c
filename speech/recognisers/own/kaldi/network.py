"""An nnet3 network, written as Kaldi reads it.

A network has named components of affine layers, rectifiers and log-softmaxes. The input node is "input", the output
node "output"; an affine layer sees its input at some offsets in time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import numpy as np

from speech.recognisers.own.kaldi.binary import EMPTY, HEADER, Array, double, integer, matrix, vector

INPUT = "input"


class Affine(msgspec.Struct, frozen=True):
    """Affine layer.

    `weights` (out, in times the number of offsets, the whole input of the first offset first), `bias` (out). `inputs`:
    the nodes it sees side by side; `offsets` in frames apply to a single input.
    """

    name: str
    inputs: tuple[str, ...]
    weights: Array
    bias: Array
    offsets: tuple[int, ...] = (0,)


class Rectified(msgspec.Struct, frozen=True):
    """Layer that turns negative values into 0."""

    name: str
    input: str
    size: int


class LogSoftmax(msgspec.Struct, frozen=True):
    """Layer that turns values into log probabilities."""

    name: str
    input: str
    size: int


Layer = Affine | Rectified | LogSoftmax


def _descriptor_of(layer: Layer) -> str:
    """Return the layer's input as a descriptor."""
    if not isinstance(layer, Affine):
        return layer.input
    parts = [name if offset == 0 else f"Offset({name}, {offset})" for name in layer.inputs for offset in layer.offsets]
    return parts[0] if len(parts) == 1 else f"Append({', '.join(parts)})"


def _component(layer: Layer) -> bytes:
    if isinstance(layer, Affine):
        return (
            b"<FixedAffineComponent> <LinearParams> "
            + matrix(layer.weights)
            + b"<BiasParams> "
            + vector(layer.bias)
            + b"</FixedAffineComponent> "
        )
    kind = b"RectifiedLinearComponent" if isinstance(layer, Rectified) else b"LogSoftmaxComponent"
    statistics = b"<ValueAvg> " + EMPTY + b"<DerivAvg> " + EMPTY + b"<Count> " + double(0.0)
    return b"<" + kind + b"> <Dim> " + integer(layer.size) + statistics + b"</" + kind + b"> "


def network(features: int, layers: Sequence[Layer]) -> bytes:
    """Return the network; what the last layer gives is the output."""
    lines = [f"input-node name={INPUT} dim={features}"]
    lines += [
        f"component-node name={layer.name} component={layer.name} input={_descriptor_of(layer)}" for layer in layers
    ]
    lines.append(f"output-node name=output input={layers[-1].name} objective=linear")
    components = b"".join(b"<ComponentName> " + layer.name.encode() + b" " + _component(layer) for layer in layers)
    config = "".join(f"{line}\n" for line in lines).encode()
    return b"<Nnet3> \n" + config + b"\n<NumComponents> " + integer(len(layers)) + components + b"</Nnet3> "


def acoustic_model(transitions: bytes, net: bytes, priors: Array) -> bytes:
    """Return a whole final.mdl.

    `priors` by output, empty for none; Kaldi computes its contexts when it reads the file.
    """
    contexts = b"<LeftContext> " + integer(0) + b"<RightContext> " + integer(0)
    return HEADER + transitions + net + contexts + b"<Priors> " + vector(priors)


class PlacedLayer(msgspec.Struct, frozen=True):
    """Place of an affine layer's numbers (float32) in the bytes of a model.

    They are weights of (out, in), and bias.
    """

    rows: int
    columns: int
    weights: int
    bias: int

    def read(self, acoustics: bytes) -> tuple[Array, Array]:
        """Return weights (out, in) and bias."""
        weights = np.frombuffer(acoustics, "<f4", self.rows * self.columns, self.weights)
        return weights.reshape(self.rows, self.columns), np.frombuffer(acoustics, "<f4", self.rows, self.bias)


_AFFINE = re.compile(rb"<ComponentName> (\S+) <FixedAffineComponent> <LinearParams> FM ")
_BETWEEN = len(b"<BiasParams> FV ") + len(integer(0))


def affine_layers(acoustics: bytes) -> dict[str, PlacedLayer]:
    """Return, by name, the place of every affine layer of a model that `acoustic_model` wrote."""
    found: dict[str, PlacedLayer] = {}
    for match in _AFFINE.finditer(acoustics):
        start = match.end()
        rows, columns = (int.from_bytes(acoustics[start + at : start + at + 4], "little") for at in (1, 6))
        weights = start + 2 * len(integer(0))
        found[match[1].decode()] = PlacedLayer(rows, columns, weights, weights + 4 * rows * columns + _BETWEEN)
    return found


def mean_of(networks: Sequence[bytes]) -> bytes:
    """Return the model whose affine layers are the means of those of several ends of one training.

    Raises ValueError where their layers differ in size.
    """
    first, *others = [affine_layers(acoustics) for acoustics in networks]
    if any(one != first for one in others):
        raise ValueError("models of different sizes")
    found = bytearray(networks[0])
    for layer in first.values():
        numbers = [layer.read(acoustics) for acoustics in networks]
        for which, start in enumerate((layer.weights, layer.bias)):
            mean = np.mean([both[which] for both in numbers], axis=0, dtype=np.float64).astype("<f4").tobytes()
            found[start : start + len(mean)] = mean
    return bytes(found)
