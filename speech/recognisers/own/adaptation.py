"""Our own model fitted to one voice.

Each unit of its hidden layers gets a little stronger or weaker, and is moved a little. That is some two thousand
numbers a player, a few kilobytes of the player's profile; the shipped network stays as it is.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from speech.recognisers.own.kaldi.network import affine_layers
from speech.words.voice_profile import Adaptation

HIDDEN = "tdnn"
"""The names of the layers that adapt begin with this, in order."""

_MOST = 4.0
"""No unit gets stronger or weaker by more than this factor, or is moved farther."""

Units = npt.NDArray[np.float32]


def digest_of_network(acoustics: bytes) -> str:
    """Return a digest that tells two networks apart."""
    return hashlib.sha256(acoustics).hexdigest()[:16]


def pack_adaptation(acoustics: bytes, layers: Sequence[tuple[Units, Units]]) -> Adaptation:
    """Return an adaptation of this network, from (stronger, moved) of each hidden layer."""
    flat = np.concatenate([part for layer in layers for part in layer]).astype("<f2")
    return Adaptation(digest_of_network(acoustics), base64.b64encode(flat.tobytes()).decode("ascii"))


def adapt_network(acoustics: bytes, adaptation: Adaptation) -> bytes:
    """Return the network as it hears that voice.

    It is unchanged where the adaptation is for another network, or is no adaptation at all.
    """
    if adaptation.model != digest_of_network(acoustics):
        return acoustics
    hidden = [placed for name, placed in sorted(affine_layers(acoustics).items()) if name.startswith(HIDDEN)]
    try:
        numbers = np.frombuffer(base64.b64decode(adaptation.units, validate=True), "<f2").astype(np.float32)
    except (ValueError, binascii.Error):
        return acoustics
    if len(numbers) != 2 * sum(placed.rows for placed in hidden) or not np.isfinite(numbers).all():
        return acoustics
    changed = bytearray(acoustics)
    place = 0
    for placed in hidden:
        weights, bias = placed.read(acoustics)
        stronger = np.exp(np.clip(numbers[place : place + placed.rows], -np.log(_MOST), np.log(_MOST)))
        moved = np.clip(numbers[place + placed.rows : place + 2 * placed.rows], -_MOST, _MOST)
        place += 2 * placed.rows
        new = (weights * stronger[:, None]).astype("<f4").tobytes()
        changed[placed.weights : placed.weights + len(new)] = new
        new = (bias * stronger + moved).astype("<f4").tobytes()
        changed[placed.bias : placed.bias + len(new)] = new
    return bytes(changed)
